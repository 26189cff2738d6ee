"""The working record of one judgement: the state so far, the rules in force, the dice, and the events found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mam_events.commands import Command
    from mam_events.decider.mechanic import OngoingEffect
    from mam_events.decider.ruleset_data import Ruleset
    from mam_events.dice import Dice
    from mam_events.events import Event
    from mam_events.state import Encounter


class Decision:
    """One command that is being judged; `record` adds an event, and `state` is always the state after it.

    `command` is the command that is judged, with its omitted fields filled in.
    """

    __slots__ = ("command", "dice", "events", "ruleset", "state")

    command: Command

    def __init__(self, state: Encounter, ruleset: Ruleset, dice: Dice) -> None:
        self.state = state
        self.ruleset = ruleset
        self.dice = dice
        self.events: list[Event] = []

    @property
    def ruling(self) -> int:
        """The number of the ruling being judged, which is also the id of what it declares."""
        return self.dice.ruling

    def record(self, event: Event) -> None:
        """Add an event and apply it to the state."""
        self.events.append(event)
        self.state = event.apply(self.state)

    def settle(self) -> None:
        """End everything that goes on without what it needs, until nothing more follows from that."""
        told, edition = -1, self.ruleset.edition
        while told != len(self.events):
            told = len(self.events)
            anybody = any(map(edition.busy, self.state.combatants.values()))
            for kind in edition.ongoing if anybody else edition.nobodys:
                for name, combatant in self.state.combatants.items():
                    for thing in kind.of(self.state, combatant):
                        self._end(kind, name, thing)

    def _end(self, kind: OngoingEffect, name: str, thing: Any) -> None:
        """End one ongoing thing if what it needs is gone."""
        # An effect that has ended together with another one needs no end of its own.
        now = self.state.combatants[name]
        cause = thing in kind.of(self.state, now) and kind.over(self.state, self.ruleset, now, thing)
        if cause:
            kind.ends(self, name, thing, cause)
            left = kind.of(self.state, self.state.combatants[name])
            assert thing not in left, kind  # noqa: S101 - it would be ended again for ever
