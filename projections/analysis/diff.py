"""A comparison of two fights: their common rulings, who stands in each, and which rulings count differently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from mam_events.history.judge.verdicts import compare_as_played
from mam_events.history.timeline.rulings import Ruling, play_ruling, rulings
from mam_events.history.timeline.timeline import Timeline
from projections.analysis.what_if import ChangedRuling, Counts, FightEnding, current_ending
from projections.phrases import count_words, join_words
from projections.rulings.command_text import command_clause
from projections.rulings.index import RulingContext, RulingIndex, clock
from projections.rulings.log_lines import LogLine, log_lines
from projections.rulings.summary import sentence_of
from projections.sentences import headline, outcome_difference
from projections.state.activities import Activities, activities
from projections.state.pools import PoolRow, rows_of, spends_points
from projections.visibility.redaction import Redactor


class ComparedFight(Struct, frozen=True):
    """One of the two fights to compare: its name, its log, its viewer's `redactor`, and the readings in force."""

    name: str
    timeline: Timeline
    redactor: Redactor
    readings: Mapping[str, str]


class ComparisonSide(Struct, frozen=True):
    """One of the two fights as people read it: its status, its combatants, and the rulings that only it has (`own`)."""

    name: str
    status: str
    rulings: int
    preset: str
    ruleset: str
    ending: FightEnding
    pools: tuple[PoolRow, ...]
    doing: Activities
    spends_points: bool
    own: tuple[LogLine, ...]


class DifferenceCause(Struct, frozen=True):
    """The ruling that makes another one count differently, and its fight; a hidden one has "" as its sentence."""

    fight: str
    ruling: int
    sentence: str


class Comparison(Struct, frozen=True):
    """A comparison of two fights. Their logs are the same up to ruling `shared`, seal by seal (0: they share nothing).

    `differing` are the shared rulings that count differently, in story order; `cause` is the reason for the first. The
    verdict `changed` or `void` says what became of the ruling in the second fight; `first` and `second` say that it
    counts in that fight only. `house_rules` are the options that both fights have, but with different readings.
    """

    shared: int
    house_rules: dict[str, tuple[str, str]]
    differing: tuple[ChangedRuling, ...]
    cause: DifferenceCause | None
    first: ComparisonSide
    second: ComparisonSide

    @property
    def is_same(self) -> bool:
        """True if every ruling of both fights counts alike in both."""
        return not (self.differing or self.first.own or self.second.own)


def diff_fights(first: ComparedFight, second: ComparedFight) -> Comparison:
    """Return the comparison of two fights, as far as it is visible to the viewer."""
    shared = _shared(first.timeline, second.timeline)
    here, others = (list(rulings(fight.timeline)) for fight in (first, second))
    was, now = RulingIndex(here, first.redactor), RulingIndex(others, second.redactor)
    differing = tuple(_differing(first, second, shared, was, now))
    options = [option for option in first.readings if option in second.readings]
    return Comparison(
        shared=shared,
        house_rules={
            option: (first.readings[option], second.readings[option])
            for option in options
            if first.readings[option] != second.readings[option]
        },
        differing=differing,
        cause=_cause(differing[0].ruling, shared, ((second, now), (first, was))) if differing else None,
        first=_side(first, shared, was),
        second=_side(second, shared, now),
    )


def common_prefix(comparison: Comparison) -> str:
    """Return a sentence on the ruling up to which both are the same, and the number of rulings that each has more."""
    one, other = comparison.first.name, comparison.second.name
    if not comparison.shared:
        return f"{one} and {other} are two different fights."
    shared = f"{one} and {other} are the same up to ruling {comparison.shared}"
    own = [
        f"{side.name} has {count_words(len(side.own), 'ruling')} more"
        for side in (comparison.first, comparison.second)
        if side.own
    ]
    return (
        f"{shared}, and nothing differs." if comparison.is_same else f"{shared}; {join_words(own) or 'no more count'}."
    )


def cause_words(comparison: Comparison) -> str:
    """Return a sentence on the first ruling that counts differently and its cause; "" if there is none."""
    if not comparison.differing:
        return ""
    cause = comparison.cause
    by = f", by {cause.ruling} of {cause.fight}" if cause else ""
    why = f"{by}: {cause.sentence}" if cause and cause.sentence else f"{by}."
    return f"The first that differs is {comparison.differing[0].ruling}{why}"


def _shared(first: Timeline, second: Timeline) -> int:
    """Return the newest ruling up to which both logs are the same; a seal covers all rulings before it."""
    low, high = 0, min(first.number, second.number)
    while low < high:
        middle = (low + high + 1) // 2
        alike = first.heads[middle - 1].seal == second.heads[middle - 1].seal
        low, high = (middle, high) if alike else (low, middle - 1)
    return low


def _side(fight: ComparedFight, shared: int, index: RulingIndex) -> ComparisonSide:
    timeline, redactor = fight.timeline, fight.redactor
    state, ruleset = timeline.state, timeline.state.ruleset
    lines = log_lines(index.rulings, redactor) if 0 < shared < timeline.number else []
    return ComparisonSide(
        fight.name,
        state.status,
        timeline.number,
        ruleset.preset if ruleset else "",
        redactor.text(ruleset.name) if ruleset else "",
        current_ending(timeline, redactor),
        tuple(rows_of(state, redactor)),
        activities(state, redactor),
        spends_points(state),
        tuple(line for line in lines[shared:] if not (line.hidden or line.struck or line.void)),
    )


def _differing(
    first: ComparedFight, second: ComparedFight, shared: int, was: RulingIndex, now: RulingIndex
) -> Iterator[ChangedRuling]:
    """Yield each shared ruling that counts differently, as far as it is visible in both views."""
    before, after = first.timeline, second.timeline
    for number in before.order:
        if number > shared or _is_as_recorded(number, before, after, shared):
            continue
        old, new = was.visible_ruling(number), now.visible_ruling(number)
        if old is None or new is None:
            continue
        verdict = _otherwise(old, new, RulingContext(was, old), RulingContext(now, new))
        if verdict:
            counts, index = (new, now) if new.lives else (old, was)
            when = clock(counts)
            yield ChangedRuling(number, when.round, when.turn, command_clause(counts, index), *verdict, new.because, 0)


def _is_as_recorded(number: int, first: Timeline, second: Timeline, shared: int) -> bool:
    """Return True if a ruling counts in neither fight, or in both with an outcome from before they parted."""
    first_outcome, second_outcome = first.entries[number].outcome, second.entries[number].outcome
    if first.lives(number) and second.lives(number):
        return first_outcome.by == second_outcome.by <= shared
    return first.lives(number) == second.lives(number)


def _otherwise(old: Ruling, new: Ruling, other_scene: RulingContext, scene: RulingContext) -> tuple[Counts, str] | None:
    """Return the verdict on a ruling in the second fight, and the difference to the first; None if it counts alike."""
    if old.lives and new.lives:
        if compare_as_played(old.events, new.events) != "changed":
            return None
        return "changed", outcome_difference(old.events, new.events, scene, other_scene)
    if old.lives and new.is_void and not new.struck_by:
        return "void", scene.redactor.why(new.rejudged) if new.rejudged else ""
    if old.lives:
        return "first", headline(old.events, other_scene)
    return ("second", headline(new.events, scene)) if new.lives else None


def _cause(number: int, shared: int, fights: Iterable[tuple[ComparedFight, RulingIndex]]) -> DifferenceCause | None:
    """Return the ruling after the shared ones that makes this one count differently; the second fight comes first."""
    for fight, index in fights:
        ruling = play_ruling(fight.timeline, number)
        by = [ruling.struck_by, ruling.changed_by, ruling.rejudged_by, *_restoring_corrections(fight.timeline, number)]
        if cause := next((n for n in by if n > shared), 0):
            cause_ruling = index.visible_ruling(cause)
            return DifferenceCause(fight.name, cause, sentence_of(cause_ruling, index) if cause_ruling else "")
    return None


def _restoring_corrections(timeline: Timeline, number: int) -> list[int]:
    """Return the corrections that restored the play, directly or through other restores, the newest first."""
    numbers: set[int] = set()
    waiting = [*timeline.entries[number].struck_by]
    while waiting:
        restorers = set(timeline.restored_by.get(waiting.pop(), ())) - numbers
        numbers |= restorers
        waiting += restorers
    return sorted(numbers, reverse=True)
