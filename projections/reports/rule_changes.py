"""Changes of the house rules during fights: author, time, reason, and the effect on what was played since."""

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
    """The effect of a rule change on the `rulings` since then: how many would be `changed` or `void` without it.

    `first` is the first of those (0: none), `recorded` the share that stays as recorded, `hypothetical` the number of
    dice that nobody threw. The last two fields are the ends of the fight with and without the change.
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
    """A change of the rules of a fight: the options with (reading before, reading since), author, time and reason.

    The time is UTC, ISO 8601. `taken_back_by` is the correction that undid it (0: none). An undone change has no
    effect, and "" as its readings before.
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


def changes_of_rules(timeline: Timeline, redactor: Redactor, rules: Rulebook) -> tuple[RulesChange, ...]:
    """Return all changes of the rules of a fight, as far as they are visible to the view."""
    return tuple(_changes(timeline, redactor, rules))


def _changes(timeline: Timeline, redactor: Redactor, rules: Rulebook) -> Iterator[RulesChange]:
    for ruling in rulings(timeline):
        if ruling.number > timeline.branched_at and isinstance(ruling.command, ChangeRules) and redactor.shows(ruling):
            when, pinned = clock(ruling), ruling.before.ruleset
            # The readings before a struck change may have changed since it was made.
            before = rules.in_force(pinned) if pinned and not ruling.struck_by else {}
            yield RulesChange(
                ruling.number,
                when.round,
                when.turn,
                ruling.head.at,
                ruling.head.by,
                redactor.text(ruling.command.reason),
                {option: (before.get(option, ""), now) for option, now in ruling.command.house_rules.items()},
                ruling.struck_by,
                _effect(timeline, rules, ruling, redactor) if ruling.lives and not ruling.is_void else None,
            )


def _effect(timeline: Timeline, rules: Rulebook, ruling: Ruling, redactor: Redactor) -> RuleChangeEffect:
    difference = what_if(timeline, without_play(timeline, rules, ruling.number), {}, redactor)
    return RuleChangeEffect(
        difference.rulings,
        difference.verdicts.get("changed", 0),
        difference.verdicts.get("void", 0),
        difference.first,
        difference.recorded,
        difference.hypothetical,
        difference.played,
        difference.supposed,
    )
