"""Mechanics (a command with its rule), and ongoing effects, which last until something they need is gone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any

from msgspec import Struct

from mam_events.commands import Command, accepts_without
from mam_events.decider import announcements, gm_modifiers, waivers
from mam_events.decider.decision import Decision
from mam_events.decider.offers import Offer
from mam_events.decider.rule_tables import DeedKind
from mam_events.decider.ruleset_data import Ruleset
from mam_events.events import Purpose
from mam_events.state import Combatant, Encounter


class Mechanic:
    """One command and its rule.

    `check(state, ruleset, command)` raises Refused or returns what it found; `judge(judging, command, found)` is given
    that and records the events; `offers(state, ruleset)` lists what could be ordered, legal or not.
    `completes(state, command)` returns the command with its omitted fields filled in; that one is judged, and kept in
    the log. `pays` is the kind of action, and the purpose of its points, of a command that may be announced.
    """

    __slots__ = ("check", "command", "completes", "judge", "offers")

    def __init__(
        self,
        command: type[Command],
        *,
        check: Callable[[Encounter, Ruleset, Any], object],
        judge: Callable[[Decision, Any, Any], None],
        offers: Callable[[Encounter, Ruleset], Iterable[Offer]],
        completes: Callable[[Encounter, Any], Command] | None = None,
        pays: tuple[DeedKind, Purpose] | None = None,
    ) -> None:
        if pays:
            judge = announcements.with_announcement(judge, *pays)
        if gm_modifiers.takes_gm_modifiers(command):
            check, judge = gm_modifiers.with_gm_modifier_check(check), gm_modifiers.with_gm_modifiers(judge)
        if accepts_without(command):
            check, judge = waivers.with_waiver_check(check), waivers.with_waiver_event(judge)
        self.command = command
        self.completes = completes
        self.check = check
        self.judge = judge
        self.offers = offers


class OngoingEffect(Struct, frozen=True):
    """A kind of thing that goes on for as long as it has what it needs: a hold, a drawn bow, a ride.

    `where` is the field of a combatant that is empty while they have nothing of this kind ongoing; "" if no field of a
    combatant holds it. `listing(state, combatant)`, if given, lists the things of this kind.
    `over(state, ruleset, combatant, thing)` returns why one of them is over, or something falsy if it is not, and
    `ends(judging, name, thing, why)` records that. `Decision.settle` asks after every command, and before anything
    ongoing takes effect.
    """

    called: str
    where: str
    over: Callable[[Encounter, Ruleset, Combatant, Any], object]
    ends: Callable[[Decision, str, Any, Any], None]
    listing: Callable[[Encounter, Combatant], Sequence[Any]] | None = None

    def of(self, state: Encounter, combatant: Combatant) -> Sequence[Any]:
        """Return all ongoing things of this kind that the combatant has."""
        if self.listing:
            return self.listing(state, combatant)
        found = attrgetter(self.where)(combatant)
        return found if isinstance(found, tuple) else (found,) if found else ()


def build_busy_check(kinds: Sequence[OngoingEffect]) -> Callable[[Combatant], bool]:
    """Return a quick predicate: True if a combatant may have anything of those kinds ongoing.

    It is called for every combatant after every command.
    """
    fields = [kind.where for kind in kinds if kind.where]
    if not fields:
        return lambda _: False
    # With a single field, attrgetter would return the bare value.
    found = attrgetter(*fields, fields[0])
    return lambda combatant: any(found(combatant))
