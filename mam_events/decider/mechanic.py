"""A mechanic: one command and its rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mam_events.commands import Command, accepts_without
from mam_events.decider import announcements, gm_modifiers, waivers
from mam_events.decider.engine import CommandRule, Decision, Ruleset
from mam_events.decider.offers import Offer
from mam_events.decider.rule_tables import DeedKind
from mam_events.events import Purpose
from mam_events.state import Encounter


class Mechanic(CommandRule):
    """One command and its rule.

    `check(state, ruleset, command)` raises Refused or returns what it found; `judge(judging, command, found)` is given
    that and records the events; `offers(state, ruleset)` lists what could be ordered, legal or not.
    `completes(state, command)` returns the command with its omitted fields filled in; that one is judged, and kept in
    the log. `pays` is the kind of action, and the purpose of its points, of a command that may be announced.
    """

    __slots__ = ()

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
