"""The judge of rulings: the rules in force at the place of each ruling, and dice from one source."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from mam_events.commands import ChangeRules, Command, Open
from mam_events.decider.decide import decide
from mam_events.decider.engine import Decision
from mam_events.history.judge.dice_source import RulingDice

if TYPE_CHECKING:
    from mam_events.decider.engine import Ruleset
    from mam_events.dice import Die
    from mam_events.rules.rulebook import Rulebook
    from mam_events.state import Encounter, PinnedRules


class RulingJudge:
    """A judge of the commands of one encounter; subclasses decide where the dice come from.

    `rules` returns the rulebook once something is judged.
    """

    __slots__ = ("_in_force", "_rules")

    def __init__(self, rules: Callable[[], Rulebook]) -> None:
        self._rules = rules
        # A cache: the rules are usually those of the previous ruling. It is one tuple, because threads may judge at
        # once.
        self._in_force: tuple[PinnedRules, Ruleset] | None = None

    def __call__(self, state: Encounter, command: Command, ruling: int, amended: Collection[str] = ()) -> Decision:
        """Judge a command; `amended` are the fields that amendments changed. Raises Refused or DieNotDrawn."""
        dice = RulingDice(ruling, self, amended)
        if state.ruleset is None or isinstance(command, ChangeRules):
            return decide(state, command, ruleset_for(self._rules(), state, command), dice)
        return decide(state, command, self.in_force(state), dice)

    def begin_bookkeeping(self, state: Encounter, ruling: int, step: int) -> Decision:
        """Return an empty decision for a step of bookkeeping of that ruling, with dice that no other step shares."""
        return Decision(state, self.in_force(state), RulingDice(ruling, self, prefix=f"step{step}-"))

    def in_force(self, state: Encounter) -> Ruleset:
        """Return the rules in force in that state."""
        cached, pinned = self._in_force, state.ruleset
        if cached is None or cached[0] is not pinned:
            assert pinned is not None  # noqa: S101 - only an opening is judged before there are rules
            cached = self._in_force = (pinned, self.ruleset(state))
        return cached[1]

    def ruleset(self, state: Encounter, command: Command | None = None) -> Ruleset:
        """Return the rules that `command` is judged under: those in force, or those that it puts in force.

        Raises Refused as `Rulebook.ruleset` does.
        """
        return ruleset_for(self._rules(), state, command)

    def die(self, ruling: int, key: str, kind: str, field: str) -> Die:
        """Return the die with that key, for which nobody gave a face; raise Refused with `no_draw`, or DieNotDrawn."""
        raise NotImplementedError  # subclasses draw or suppose the die


def ruleset_for(rules: Rulebook, state: Encounter, command: Command | None = None) -> Ruleset:
    """Return the rules that a command is judged under in that state: those in force, or those that it puts in force.

    Raises Refused as `Rulebook.ruleset` does.
    """
    if state.ruleset is None:
        opening = command if isinstance(command, Open) else Open()
        return rules.ruleset(opening.preset, opening.house_rules, opening.ruleset)
    if isinstance(command, ChangeRules):
        return rules.changed(state.ruleset, command.house_rules)
    return rules.in_force(state.ruleset)
