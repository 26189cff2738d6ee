"""The result of given orders, the same in every interface: rulings, moved combatants, and the next move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from mam_events.events import Play
from mam_events.history.corrections.undo import last_step
from mam_events.references import names_in
from projections.rulings.audit import AuditEntry, entry_of
from projections.rulings.index import RulingIndex
from projections.rulings.log_lines import log_line, log_line_text
from projections.rulings.related_rulings import leading_ruling, with_rulings_mentioned
from projections.state.activities import activities
from projections.state.next_move import next_move_sentence
from projections.state.pools import PoolStanding, pool_standings, spends_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mam_events.history.timeline.rulings import Ruling
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.results import Answer
    from mam_events.notation.line_result import LineGiven
    from mam_events.rules.rulebook import Rulebook
    from mam_events.state import Combatant
    from projections.visibility.redaction import Redactor
    from projections.visibility.viewer import Viewer


class RulingResult(AuditEntry, frozen=True, kw_only=True):
    """One ruling with its audit entry, its `line` in the log and its stored events; each event has its `topic`."""

    line: str = ""
    events: tuple[dict[str, Any], ...] = ()


class OrderResult(Struct, frozen=True):
    """The result of orders that are durably in the log: their rulings, as far as their author may see them.

    `version` is the newest ruling, `moved` are the ids of the combatants that were named or changed, and `combatants`
    is everybody as they stand now. `move` is what the fight waits for, `undo` the ruling that an undo would undo now
    (0: none). `repeated` says that the rulings already existed under this id and nothing was written; `corrected_by` is
    the ruling that has changed one of them since (0: none).
    """

    encounter: str
    version: int
    rulings: list[RulingResult]
    moved: list[str]
    move: str
    undo: int
    combatants: list[PoolStanding]
    repeated: bool = False
    corrected_by: int = 0


class LineResult(OrderResult, frozen=True, kw_only=True):
    """The result of a typed line: its orders in their long form, with a ruling for each.

    If the line stopped early, `may` says who may react and by which orders, as far as that is visible, and `unused` is
    the rest of the line. `why` is the error after a die was drawn; that die stands.
    """

    line: tuple[str, ...]
    may: dict[str, tuple[str, ...]]
    unused: str
    why: str


def ruling_results(ruled: Sequence[Ruling], redactor: Redactor, about: Sequence[Ruling] = ()) -> list[RulingResult]:
    """Return the results of rulings; `about` includes the rulings that they refer to."""
    results = []
    numbers = {ruling.number for ruling in ruled}
    index = RulingIndex(about or ruled, redactor)
    for ruling in index.rulings:
        if ruling.number not in numbers:
            continue
        entry = entry_of(ruling, index)
        fields = {name: getattr(entry, name) for name in entry.__struct_fields__}
        events = () if entry.hidden else tuple({"topic": e.topic} | redactor.plain(e) for e in ruling.events)
        results.append(RulingResult(**fields, line=log_line_text(log_line(ruling, index)), events=events))
    return results


def order_result(timeline: Timeline, answers: Sequence[Answer], viewer: Viewer, rules: Rulebook) -> OrderResult:
    """Return the result of orders from their answers, which are in the log."""
    numbers = [number for answer in answers for number in (*leading_ruling(timeline, answer), answer.number)]
    rejudged = [entry.ruling for answer in answers for entry in answer.rejudged]
    about = with_rulings_mentioned(timeline, {*numbers, *rejudged})
    names = dict.fromkeys(one for answer in answers for one in moved_by(answer, viewer.redactor))
    return OrderResult(
        answers[0].encounter,
        timeline.number,
        ruling_results([one for one in about if one.number in numbers], viewer.redactor, about),
        list(names),
        next_move_sentence(timeline.state, viewer.redactor, rules),
        last_step(timeline, viewer.sees) or 0,
        pool_standings(timeline.state, viewer.redactor),
        any(answer.repeated for answer in answers),
        next((answer.corrected_by for answer in answers if answer.corrected_by), 0),
    )


def line_result(result: OrderResult, line: LineGiven) -> LineResult:
    """Return the result of a line from the result of its orders."""
    stop = line.stopped
    fields = {name: getattr(result, name) for name in result.__struct_fields__}
    return LineResult(
        **fields,
        line=line.said,
        may=dict(stop.may) if stop else {},
        unused=stop.unused if stop else "",
        why=stop.why if stop else "",
    )


def moved_by(answer: Answer, redactor: Redactor) -> list[str]:
    """Return the visible combatants that a ruling named or changed."""
    head = answer.head
    names = names_in(head.command) if isinstance(head, Play) else ()
    ids = {f"{one.value}" for one in names if one.kinds == ("combatant",)}
    old, new = answer.before.combatants, answer.state.combatants
    changed_names = {name for name, combatant in new.items() if old.get(name) != combatant}
    activities_before, activities_after = (
        (activities(answer.before, redactor), activities(answer.state, redactor)) if old is not new else ({}, {})
    )
    changed_activity = {
        name
        for name in {*activities_before, *activities_after}
        if activities_before.get(name) != activities_after.get(name)
    }
    if not spends_points(answer.state):
        # Actions cost no points: only harm and recovery are worth a line.
        ids, changed_names = set(), {name for name in changed_names if _has_changed(old.get(name), new[name])}
    concerned = ids | changed_names | changed_activity
    return [one.id for one in redactor.combatants(answer.state) if one.id in concerned]


def _has_changed(was: Combatant | None, now: Combatant) -> bool:
    """Return True if the combatant is new, or has other points or another condition than before."""
    return was is None or (was.pools, was.condition) != (now.pools, now.condition)
