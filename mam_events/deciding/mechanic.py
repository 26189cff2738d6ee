"""A mechanic: one command and the rule behind it; and what goes on until something it needs is gone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from mam_events.commands import Command
from mam_events.deciding import situations
from mam_events.deciding.judging import Judging
from mam_events.deciding.ruleset import Ruleset
from mam_events.deciding.templates import Offer
from mam_events.state import Combatant, Encounter


class Mechanic:
    """One command and the rule behind it, written once and asked twice.

    `check(state, ruleset, command)` raises Refused or returns what it found; `judge(judging, command, found)` is given
    that and records the events; `offers(state, ruleset)` lists what could be ordered, legal or not.
    `completes(state, command)` is the command with what goes without saying: that is judged, and kept in the log.
    """

    __slots__ = ("check", "command", "completes", "judge", "offers")

    def __init__(
        self,
        command: type[Command],
        *,
        check: Callable[[Encounter, Ruleset, Any], object],
        judge: Callable[[Judging, Any, Any], None],
        offers: Callable[[Encounter, Ruleset], Iterable[Offer]],
        completes: Callable[[Encounter, Any], Command] | None = None,
    ) -> None:
        if situations.is_situated(command):
            check, judge = situations.checked(check), situations.judged(judge)
        self.command = command
        self.completes = completes
        self.check = check
        self.judge = judge
        self.offers = offers


class Ongoing(Struct, frozen=True):
    """A kind of thing that goes on for as long as it has what it needs: a hold, a drawn bow, a ride.

    `of(state, combatant)` lists what that one has under way, `over(state, ruleset, combatant, thing)` says why one of
    those is over ("": it is not), and `ends(judging, name, thing, why)` records that. `Judging.settle` asks after every
    command, and before anything under way takes effect.
    """

    called: str
    of: Callable[[Encounter, Combatant], Sequence[Any]]
    over: Callable[[Encounter, Ruleset, Combatant, Any], str]
    ends: Callable[[Judging, str, Any, Any], None]


def own(thing: str) -> tuple[str, ...]:
    """The one thing of a kind that a combatant has under way, or none for ""."""
    return (thing,) if thing else ()
