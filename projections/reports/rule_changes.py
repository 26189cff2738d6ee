"""The house rules that were changed in the middle of fights: who changed what, when and why, and what that did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mam_events.commands import ChangeRules
from mam_events.history.judge.what_if import without_play
from mam_events.history.timeline.rulings import Ruling, rulings
from projections.analysis.what_if import FightEnding, what_if
from projections.rulings.index import clock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mam_events.history.timeline.timeline import Timeline
    from mam_events.rules.rulebook import Rulebook
    from projections.visibility.redaction import Redactor


class RuleChangeEffect(Struct, frozen=True):
    """The effect of a change on what was played since: of so many `rulings`, those that would have come out otherwise
    without it (`changed` and `void`, `first` is the first of them, 0: none), the share that is on record all the same,
    and the dice of it that nobody threw; how the fight ended, and how it would have.
    """

    rulings: int
    changed: int
    void: int
    first: int
    recorded: float
    hypothetical: int
    with_it: FightEnding
    without_it: FightEnding


class RulesChange(Struct, frozen=True):
    """A change of the rules of a fight: the options, with (reading before, reading since), who, when (UTC, ISO 8601)
    and why; `taken_back_by` is the correction that struck it (0: it counts, or is void): then it has no effect, and no
    reading before is told ("").
    """

    ruling: int
    round: int
    turn: int
    at: str
    by: str
    reason: str
    readings: dict[str, tuple[str, str]]
    taken_back_by: int = 0
    effect: RuleChangeEffect | None = None


def changes_of_rules(timeline: Timeline, screen: Redactor, rules: Rulebook) -> tuple[RulesChange, ...]:
    """Every change of the rules of that fight, as far as the view may know of it."""
    return tuple(_changes(timeline, screen, rules))


def _changes(timeline: Timeline, screen: Redactor, rules: Rulebook) -> Iterator[RulesChange]:
    for ruling in rulings(timeline):
        if ruling.number > timeline.left and isinstance(ruling.command, ChangeRules) and screen.shows(ruling):
            when, pinned = clock(ruling), ruling.before.ruleset
            # What a struck one found in force is not what stands before its place by now.
            before = rules.in_force(pinned) if pinned and not ruling.struck_by else {}
            yield RulesChange(
                ruling.number,
                when.round,
                when.turn,
                ruling.head.at,
                ruling.head.by,
                screen.text(ruling.command.reason),
                {option: (before.get(option, ""), now) for option, now in ruling.command.house_rules.items()},
                ruling.struck_by,
                _effect(timeline, rules, ruling, screen) if ruling.lives and not ruling.void else None,
            )


def _effect(timeline: Timeline, rules: Rulebook, ruling: Ruling, screen: Redactor) -> RuleChangeEffect:
    found = what_if(timeline, without_play(timeline, rules, ruling.number), {}, screen)
    return RuleChangeEffect(
        found.rulings,
        found.verdicts.get("changed", 0),
        found.verdicts.get("void", 0),
        found.first,
        found.recorded,
        found.hypothetical,
        found.played,
        found.supposed,
    )
