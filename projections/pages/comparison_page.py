"""A page that shows two fights side by side: their rulings in pairs, equal ones only once, and the differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mam_events.events import Branch, RulingRejudged
from mam_events.history.timeline.rulings import Ruling, play_ruling
from mam_events.version import __version__
from projections.analysis.diff import ComparedFight, cause_words, common_prefix, diff_fights
from projections.analysis.what_if import (
    WhatIf,
    changed_words,
    first_difference_words,
    supposed_words,
    unthrown_dice_words,
)
from projections.pages.replay_entries import ReplayEntry, replay_entries
from projections.pages.replay_page import Person, people_of, view_sentence
from projections.phrases import count_words
from projections.rulings.command_text import command_clause
from projections.rulings.index import RulingIndex
from projections.rulings.placement import in_story_order, placed_rulings
from projections.state.pools import PLAIN_POINTS, counted_in

if TYPE_CHECKING:
    from mam_events.history.judge.rejudgement import RejudgedRuling
    from mam_events.history.judge.what_if import RulingPair, WhatIfFight
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.rules.rulebook import Rulebook
    from projections.rulings.frames import Frame
    from projections.visibility.redaction import Redactor

_NOT_THERE = "not there"


class Column(Struct, frozen=True):
    """One of the two fights: its name, a caption, its combatants, and the point counters of its game."""

    name: str
    caption: str
    people: dict[str, Person]
    counters: dict[str, tuple[str, ...]]


class ComparisonRow(Struct, frozen=True, omit_defaults=True):
    """The rulings of both fights at the same place, paired by their order if possible.

    If they are `alike`, only `first` is set. One of them is None if only the other fight has a ruling there.
    `differences` maps each combatant who then differs to their difference in the first and in the second fight.
    """

    first: ReplayEntry | None = None
    second: ReplayEntry | None = None
    alike: bool = False
    differences: Mapping[str, tuple[str, str]] = {}


class ComparisonPage(Struct, frozen=True, kw_only=True):
    """Two fights side by side as a page shows them to that `view`.

    They part at row `parting`, counted from 0 (-1: they never part), at ruling `first` (0: none); `sentences` say
    so. `program` is the version that wrote the page.
    """

    title: str
    view: str
    viewpoint: str
    program: str
    sentences: tuple[str, ...]
    columns: tuple[Column, Column]
    rows: tuple[ComparisonRow, ...]
    parting: int
    first: int


class _KeyedEntry(Struct, frozen=True):
    """A ruling of one fight, with the key by which the same ruling of the other fight is found."""

    number: int
    entry: ReplayEntry
    key: tuple[object, ...]


_Both = tuple[_KeyedEntry | None, _KeyedEntry | None]


def compare_pages(
    first: ComparedFight, second: ComparedFight, rules: Rulebook, on_progress: Callable[[], object] = bool
) -> ComparisonPage:
    """Return the page that compares two fights, as far as the viewer may see them; call `on_progress` per ruling."""
    comparison = diff_fights(first, second)
    one, other = (_keyed_entries(fight, comparison.shared, rules, on_progress) for fight in (first, second))
    different = {differing.ruling for differing in comparison.differing}
    rows = [(pair, _is_alike(pair, comparison.shared, different)) for pair in _paired(one, other)]
    places = (at for at, ((was, now), _) in enumerate(rows) if not _is_shared(was, now, comparison.shared, different))
    parting = next(places, -1)
    parted = next((keyed for keyed in rows[parting][0] if keyed), None) if parting >= 0 else None
    number = comparison.differing[0].ruling if comparison.differing else parted.number if parted else 0
    columns = _column(first), _column(second)
    return _build_page(first, (common_prefix(comparison), cause_words(comparison)), columns, rows, (parting, number))


def compare_what_if_page(
    fight: ComparedFight,
    supposition: WhatIfFight,
    what_if: WhatIf,
    rules: Rulebook,
    on_progress: Callable[[], object] = bool,
) -> ComparisonPage:
    """Return the page that compares a fight as played with the same fight as supposed."""
    timeline, redactor = fight.timeline, fight.redactor
    before = [play_ruling(timeline, number) for number in timeline.order[: supposition.first]]
    start = [ruling for ruling in before if ruling.lives]
    was = [*start, *_judged(timeline, supposition, lambda pair: pair.played)]
    now = [*start, *_judged(timeline, supposition, lambda pair: pair.supposed)]
    one, other = (tuple(_slim_entries(side, RulingIndex(side, redactor), rules, on_progress)) for side in (was, now))
    dice = {pair.ruling: pair.hypothetical for pair in supposition.pairs if pair.hypothetical}
    different = {differing.ruling for differing in what_if.differing}
    rows = []
    for old, new in zip(one, other, strict=True):
        number = old.frame.number
        marked = _marked(new, dice.get(number, 0))
        pair = _KeyedEntry(number, old, ()), _KeyedEntry(number, marked, ())
        rows.append((pair, number not in different and _has_same_words(old, marked)))
    numbers = [entry.frame.number for entry in one]
    caption = f"differs from № {what_if.first} on" if what_if.first else "never parts"
    columns = (
        Column("As it was", fight.name, _people(was, redactor), dict(counted_in(supposition.played))),
        Column(supposed_words(what_if), caption, _people(now, redactor), dict(counted_in(supposition.supposed))),
    )
    sentences = (changed_words(what_if), first_difference_words(what_if), unthrown_dice_words(what_if))
    parting = numbers.index(what_if.first) if what_if.first in numbers else -1
    return _build_page(fight, sentences, columns, rows, (parting, what_if.first))


def _build_page(
    fight: ComparedFight,
    sentences: Iterable[str],
    columns: tuple[Column, Column],
    rows: Sequence[tuple[_Both, bool]],
    parts: tuple[int, int],
) -> ComparisonPage:
    """Return the page of those rows; `parts` are the row and the ruling at which the fights part."""
    return ComparisonPage(
        title=fight.redactor.title(fight.timeline.state.title),
        view=fight.redactor.view,
        viewpoint=view_sentence(fight.redactor),
        program=__version__,
        sentences=tuple(filter(None, sentences)),
        columns=columns,
        rows=tuple(_rows(rows, columns)),
        parting=parts[0],
        first=parts[1],
    )


def _column(fight: ComparedFight) -> Column:
    timeline, redactor = fight.timeline, fight.redactor
    title, state = redactor.title(timeline.state.title), timeline.state
    facts = [title if title != fight.name else "", count_words(timeline.number, "ruling"), state.status]
    return Column(
        fight.name, " · ".join(filter(None, facts)), people_of(timeline.states, redactor), dict(counted_in(state))
    )


def _people(fought: Iterable[Ruling], redactor: Redactor) -> dict[str, Person]:
    return people_of([ruling.after for ruling in fought], redactor)


def _keyed_entries(
    fight: ComparedFight, shared: int, rules: Rulebook, on_progress: Callable[[], object]
) -> list[_KeyedEntry]:
    """Return all rulings of a fight, without those that a branch left out."""
    standing = placed_rulings(fight.timeline, fight.redactor)
    rulings = [ruling for _, ruling in standing]
    index = RulingIndex(rulings, fight.redactor)
    entries = {entry.frame.number: entry for entry in _slim_entries(rulings, index, rules, on_progress)}
    keyed_entries = []
    for ruling in in_story_order(standing):
        entry = entries[ruling.number]
        own = ("hidden",) if entry.frame.hidden else (entry.frame.kind, entry.frame.do, command_clause(ruling, index))
        if not isinstance(ruling.struck_head, Branch):
            keyed_entries.append(
                _KeyedEntry(ruling.number, entry, (ruling.number,) if ruling.number <= shared else own)
            )
    # The branch itself belongs where its own rulings begin.
    branches = [one for one in keyed_entries if one.number > shared and one.entry.frame.kind == "branch"]
    rest = [one for one in keyed_entries if one not in branches]
    at = next((at for at, one in enumerate(rest) if one.number > shared), len(rest))
    return [*rest[:at], *branches, *rest[at:]]


def _slim_entries(
    fought: Iterable[Ruling], index: RulingIndex, rules: Rulebook, on_progress: Callable[[], object]
) -> Iterator[ReplayEntry]:
    """Yield the replay entries of the rulings, without the parts that the comparison does not show."""
    for entry in replay_entries(fought, index, rules):
        on_progress()
        frame = replace(entry.frame, before={}, standing=())
        yield replace(entry, frame=frame, verdicts=(), odds=(), ways=0, order=())


def _paired(one: Sequence[_KeyedEntry], other: Sequence[_KeyedEntry]) -> Iterator[_Both]:
    """Yield pairs of the same rulings, or of the orders at the same place; skip pairs that count in neither fight."""
    matching = SequenceMatcher(None, [keyed.key for keyed in one], [keyed.key for keyed in other], autojunk=False)
    for tag, low, high, start, end in matching.get_opcodes():
        mine, theirs = one[low:high], other[start:end]
        pairs = zip(mine, theirs, strict=True) if tag == "equal" else _side_by_side(mine, theirs)
        yield from (pair for pair in pairs if _counts(*pair))


def _side_by_side(one: Sequence[_KeyedEntry], other: Sequence[_KeyedEntry]) -> Iterator[_Both]:
    """Yield different orders at the same place, play beside play; remarks and corrections stay alone."""
    plays = [
        [keyed for keyed in side if keyed.entry.frame.kind == "play" and keyed.entry.frame.do] for side in (one, other)
    ]
    own_only: list[_Both] = [(keyed, None) for keyed in one if keyed not in plays[0]]
    own_only += [(None, keyed) for keyed in other if keyed not in plays[1]]
    branches = [pair for pair in own_only if "branch" in {keyed.entry.frame.kind for keyed in pair if keyed}]
    yield from branches
    yield from zip_longest(*plays)
    yield from (pair for pair in own_only if pair not in branches)


def _counts(was: _KeyedEntry | None, now: _KeyedEntry | None) -> bool:
    """Return True if at least one of the two counts; a correction that both fights have shows only in its effects."""
    frames = [keyed.entry.frame for keyed in (was, now) if keyed]
    if was and now and was.number == now.number and {frame.kind for frame in frames} == {"correction"}:
        return False
    return any(not (frame.struck or frame.void or frame.restored_by) for frame in frames)


def _is_shared(was: _KeyedEntry | None, now: _KeyedEntry | None, shared: int, different: set[int]) -> bool:
    """Return True for a ruling from before the fights parted that counts alike in both."""
    if was is None or now is None:
        return False
    return was.number == now.number <= shared and was.number not in different


def _is_alike(pair: _Both, shared: int, different: set[int]) -> bool:
    was, now = pair
    if was is None or now is None or was.entry.frame.hidden != now.entry.frame.hidden:
        return False
    if not _has_same_words(was.entry, now.entry):
        return False
    return _is_shared(was, now, shared, different) or _lives(was.entry.frame) == _lives(now.entry.frame)


def _has_same_words(was: ReplayEntry, now: ReplayEntry) -> bool:
    """Return True if both have the same line and the same bookkeeping."""
    return was.line == now.line and was.frame.bookkeeping == now.frame.bookkeeping


def _lives(frame: Frame) -> bool:
    return not (frame.struck or frame.void or frame.restored_by)


def _judged(
    timeline: Timeline, supposition: WhatIfFight, way: Callable[[RulingPair], RejudgedRuling]
) -> Iterator[Ruling]:
    """Yield the rulings of a supposition as played or as supposed, depending on `way`."""
    state = supposition.before
    for pair in supposition.pairs:
        rejudged, ruling = way(pair), play_ruling(timeline, pair.ruling)
        verdict = rejudged.code, rejudged.rule, rejudged.reason
        void = RulingRejudged(ruling.number, "void", rejudged.why, *verdict) if rejudged.code else None
        yield replace(
            ruling,
            before=state,
            after=rejudged.state,
            events=rejudged.events,
            command=rejudged.command or ruling.command,
            rejudged=void,
            rejudged_by=0,
            because=rejudged.because,
            bookkeeping=rejudged.bookkeeping,
        )
        state = rejudged.state


def _marked(entry: ReplayEntry, dice: int) -> ReplayEntry:
    """Return the entry with a mark for dice never thrown."""
    if not dice or entry.frame.hidden:
        return entry
    mark = f"? {count_words(dice, 'die').replace('dies', 'dice')} never thrown"
    return replace(entry, frame=replace(entry.frame, marks=(*entry.frame.marks, mark)))


def _rows(pairs: Iterable[tuple[_Both, bool]], columns: tuple[Column, Column]) -> Iterator[ComparisonRow]:
    """Yield the rows, each with the differences between the combatants after it."""
    standing: list[Frame | None] = [None, None]
    for (was, now), alike in pairs:
        for at, keyed in enumerate((was, now)):
            if keyed and not keyed.entry.frame.hidden:
                standing[at] = keyed.entry.frame
        differences = _differences(standing[0], standing[1], columns)
        second = now.entry if now and not (alike and was and not differences) else None
        yield ComparisonRow(was.entry if was else None, second, alike, differences)


def _differences(was: Frame | None, now: Frame | None, columns: tuple[Column, Column]) -> dict[str, tuple[str, str]]:
    """Return each combatant who differs between the fights, with their difference in each."""
    if was is None or now is None:
        return {}
    counters = columns[0].counters if columns[0].counters == columns[1].counters else PLAIN_POINTS
    differences = {}
    for who in {**was.after, **now.after}:
        words = _more(who, was, now, counters), _more(who, now, was, counters)
        if any(words):
            differences[who] = words
    return differences


def _more(who: str, frame: Frame, other_frame: Frame, counters: Mapping[str, tuple[str, ...]]) -> str:
    """Return how a combatant differs in a frame from the other: `2 more stun, incapacitated`."""
    if who not in frame.after:
        return _NOT_THERE
    if who not in other_frame.after:
        return ""
    counts, other_counts = (_counted(one, who, counters) for one in (frame, other_frame))
    more = [f"{count - other_counts[pool]} more {pool}" for pool, count in counts.items() if count > other_counts[pool]]
    condition, other_condition = (one.conditions.get(who, "able") for one in (frame, other_frame))
    return ", ".join([*more, *([condition] if condition != other_condition else [])])


def _counted(frame: Frame, who: str, counters: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    """Return the points of a combatant by the name of the counter."""
    pools = frame.after[who]
    return {name.replace("_", " "): sum(getattr(pools, pool) for pool in of) for name, of in counters.items()}
