"""The judge of rulings: the rules in force at each one's place, and dice from one source."""

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
    """Judges commands of one encounter; a subclass says where the dice come from.

    `rules` gives the rulebook once something is to be judged.
    """

    __slots__ = ("_in_force", "_rules")

    def __init__(self, rules: Callable[[], Rulebook]) -> None:
        self._rules = rules
        # Nearly always the rules are those of the ruling before. Both in one, for threads may judge at once.
        self._in_force: tuple[PinnedRules, Ruleset] | None = None

    def __call__(self, state: Encounter, command: Command, ruling: int, amended: Collection[str] = ()) -> Decision:
        """Judge a command; `amended` are the fields that amendments gave anew. Raises Refused or Undrawn."""
        dice = RulingDice(ruling, self, amended)
        if state.ruleset is None or isinstance(command, ChangeRules):
            return decide(state, command, ruleset_for(self._rules(), state, command), dice)
        return decide(state, command, self.in_force(state), dice)

    def bookkeeping(self, state: Encounter, ruling: int, step: int) -> Decision:
        """Return an empty judgement for a step of bookkeeping of that ruling, whose dice are those of no other step."""
        return Decision(state, self.in_force(state), RulingDice(ruling, self, prefix=f"step{step}-"))

    def in_force(self, state: Encounter) -> Ruleset:
        """Return the rules in force in that state."""
        known, pinned = self._in_force, state.ruleset
        if known is None or known[0] is not pinned:
            assert pinned is not None  # noqa: S101 - only an opening is judged before there are rules
            known = self._in_force = (pinned, self.ruleset(state))
        return known[1]

    def ruleset(self, state: Encounter, command: Command | None = None) -> Ruleset:
        """Return the rules that `command` is judged under: those in force, or as it will have made them.

        Refused as `Rulebook.ruleset` says.
        """
        return ruleset_for(self._rules(), state, command)

    def die(self, ruling: int, key: str, kind: str, field: str) -> Die:
        """Return the die of that key whose face nobody gave; raises Refused `no_draw` or Undrawn."""
        raise NotImplementedError  # a judge that draws, and one that only supposes, differ in it


def ruleset_for(rules: Rulebook, state: Encounter, command: Command | None = None) -> Ruleset:
    """Return the rules that a command is judged under in that state: those in force, or as it will have made them.

    Refused as `Rulebook.ruleset` says.
    """
    if state.ruleset is None:
        opening = command if isinstance(command, Open) else Open()
        return rules.ruleset(opening.preset, opening.house_rules, opening.ruleset)
    if isinstance(command, ChangeRules):
        return rules.changed(state.ruleset, command.house_rules)
    return rules.in_force(state.ruleset)
