"""A replay page of a fight, readable without this program: every ruling as an entry, in three views of corrections."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mam_events.events import Correction, Play
from mam_events.history.timeline.rulings import Ruling, as_first_written
from mam_events.version import __version__
from mam_events.visibility import PUBLIC
from projections.analysis.luck import luck
from projections.analysis.luck_text import luck_words
from projections.pages.replay_entries import ReplayEntry, hidden_entry, replay_entries
from projections.reports.result import FightResult, result_of
from projections.reports.statistics import Figures, statistics
from projections.rulings.correction_summary import CorrectionSummary, summaries_written
from projections.rulings.index import RulingIndex
from projections.rulings.placement import in_story_order, placed_rulings
from projections.state.pools import counted_in

if TYPE_CHECKING:
    from mam_events.history.timeline.entries import StoredRow
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.rules.rulebook import Rulebook
    from mam_events.state import Encounter
    from projections.visibility.redaction import Redactor


class Person(Struct, frozen=True, omit_defaults=True):
    """A combatant as the view may know them; `place` is the index of their side, counted from 0."""

    name: str
    side: str
    place: int
    hp: int = 0


class ReplayPage(Struct, frozen=True, kw_only=True):
    """A fight as a page shows it to that `view`.

    `view_sentence` explains the view, `rules` names the game. `entries` are the entries of all rulings in story order,
    `played` those entries that were different when they were given, in order of number. `counters` are the point
    counters of the game, each with the pools that it sums. `people` are in the order in which a result lists them.
    `rows` are the lines of the export that proves the fight, `seal` is the newest seal. `program` is the version that
    wrote the page. `decider` is the ruling of the die that decided the fight (0: none did). The page opens at `result`
    (None: the fight has not begun).
    """

    encounter: str
    title: str
    rules: str
    view: str
    viewpoint: str
    status: str
    program: str
    seal: str
    people: dict[str, Person]
    counters: dict[str, tuple[str, ...]]
    entries: tuple[ReplayEntry, ...]
    played: tuple[ReplayEntry, ...]
    figures: tuple[Figures, ...] = ()
    luck: tuple[str, ...] = ()
    decider: int = 0
    result: FightResult | None = None
    rows: tuple[str, ...] = ()


def build_replay_page(
    encounter: str,
    timeline: Timeline,
    stored: Sequence[StoredRow],
    redactor: Redactor,
    rules: Rulebook,
    on_progress: Callable[[], object] = bool,
) -> ReplayPage:
    """Build the page of a timeline whose log is in the `stored` rows; call `on_progress` for every entry."""
    standing = placed_rulings(timeline, redactor)
    rulings = [ruling for _, ruling in standing]
    index = RulingIndex(rulings, redactor)
    entries: dict[int, ReplayEntry] = {}
    summaries = summaries_written(stored, timeline.decoders, index)
    for entry in replay_entries(rulings, index, rules, summaries):
        entries[entry.frame.number] = entry
        on_progress()
    state, found_luck = timeline.state, luck(timeline, rules, redactor, on_progress)
    decider = found_luck.decider
    return ReplayPage(
        encounter=encounter,
        title=redactor.title(state.title),
        rules=rules.presets[state.ruleset.preset].title if state.ruleset else "",
        view=redactor.view,
        viewpoint=view_sentence(redactor),
        status=state.status,
        program=__version__,
        seal=timeline.seal,
        people=people_of(timeline.states, redactor),
        counters=dict(counted_in(state)),
        entries=tuple(entries[ruling.number] for ruling in in_story_order(standing)),
        played=tuple(_played(timeline, stored, redactor, rules, entries, summaries)),
        figures=statistics((ruling for ruling in rulings if ruling.lives), index),
        luck=tuple(luck_words(found_luck)),
        decider=decider.ruling if decider else 0,
        result=result_of(timeline, index, rulings, decider),
    )


def view_sentence(redactor: Redactor) -> str:
    """Return a sentence or two on the view that a page is for."""
    if redactor.everything:
        return "This is the game master's page: it shows everything. Write one for the table with --as public."
    who = "everybody" if redactor.view == PUBLIC else redactor.view.replace(":", " ")
    return f"This page shows what {who} may know. Hidden rulings are on it only as hashes, which prove them."


def _played(
    timeline: Timeline,
    stored: Sequence[StoredRow],
    redactor: Redactor,
    rules: Rulebook,
    newest: Mapping[int, ReplayEntry],
    summaries: Mapping[int, CorrectionSummary],
) -> Iterator[ReplayEntry]:
    """Yield the entries that were different when they were given, without anything about somebody hidden later."""
    if not any(isinstance(head, Correction) or (isinstance(head, Play) and head.after) for head in timeline.heads):
        return
    rulings = list(as_first_written(timeline, stored))
    index = RulingIndex(rulings, redactor)
    # For the game master this is empty.
    hidden = {one.number for one in rulings if redactor.concerns_hidden(one) or newest[one.number].frame.hidden}
    touching = _touching(rulings, hidden)
    for ruling, first_entry in zip(rulings, replay_entries(rulings, index, rules, summaries), strict=True):
        entry = first_entry
        if ruling.number in touching:
            # The entry says what it corrected; only the current one does so without naming somebody hidden.
            entry = newest[ruling.number]
        elif not redactor.everything:
            entry = _as_known_now(ruling, first_entry, redactor, hidden)
        if entry != newest[ruling.number]:
            yield entry


def _touching(rulings: Iterable[Ruling], hidden: Collection[int]) -> set[int]:
    """Return the corrections of those hidden rulings, and the corrections of such corrections."""
    numbers: set[int] = set()
    for ruling in rulings:
        if isinstance(ruling.head, Correction) and any(
            step.ruling in numbers or step.ruling in hidden for step in ruling.head.steps
        ):
            numbers.add(ruling.number)
    return numbers


def _as_known_now(ruling: Ruling, entry: ReplayEntry, redactor: Redactor, hidden: Collection[int]) -> ReplayEntry:
    """Return the entry of a ruling as it was played, without anything about the rulings in `hidden`."""
    if ruling.number in hidden:
        return hidden_entry(ruling.number)
    about = {one.rejudged.ruling for one in ruling.outcomes if redactor.names_hidden((*one.events, *one.was))}
    return replace(entry, verdicts=tuple(one for one in entry.verdicts if one.ruling not in about | {*hidden}))


def people_of(states: Iterable[Encounter], redactor: Redactor) -> dict[str, Person]:
    """Return everybody visible in any of those states of a fight.

    The sides of player characters come first, then those with anybody able at the end, then in the order of joining.
    Within a side the able ones come first.
    """
    people = {one.id: one for state in states for one in redactor.combatants(state)}
    everybody = list(people.values())
    sides = list(dict.fromkeys(one.side for one in everybody))
    own = {one.side for one in everybody if one.kind == "pc"}
    up = {one.side for one in everybody if one.condition == "able"}
    everybody.sort(
        key=lambda one: (one.side not in own, one.side not in up, sides.index(one.side), one.condition != "able")
    )
    return {one.id: Person(one.name, one.side, sides.index(one.side), one.hp) for one in everybody}
