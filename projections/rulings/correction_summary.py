"""A correction in a few sentences: who is up again or down, which turns passed, what changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import BeginTurn, Declare, SkipTurn, actor_of
from mam_events.events import Correction, Event, Play, is_head
from mam_events.history.corrections.change_plan import plan_change
from mam_events.history.corrections.corrections import sees_all
from mam_events.history.judge.rejudgement import RejudgedRuling
from mam_events.history.judge.verdicts import differs_only_in_round_end
from mam_events.history.timeline.timeline import Timeline
from mam_events.state import has_turns
from projections.phrases import count_words, join_numbers
from projections.rulings.bookkeeping import new_passed_turns, passed_sentences
from projections.rulings.summary import sees_outcome

if TYPE_CHECKING:
    from mam_events.history.timeline.entries import BookkeepingEntry, Decoders, StoredRow
    from mam_events.history.timeline.rulings import Ruling
    from mam_events.log.results import Preview
    from projections.rulings.index import RulingIndex
    from projections.visibility.redaction import Redactor

DRAWN = "Doing this draws a die, and what follows is judged only then: rulings may change."
TURN_COMMANDS = (BeginTurn, Declare, SkipTurn)
"""Commands by which somebody takes their turn; one that moved up is the same turn, and counts once."""


class PassedTurn(Struct, frozen=True):
    """A turn that nobody played: its combatant, its round, and the ruling before which it passes.

    `after` is the ruling after which the turn can be inserted (0: something else would have to end there first).
    """

    combatant: str
    name: str
    round: int
    before: int
    after: int


class LostTurns(Struct, frozen=True):
    """The turns and rulings that a combatant loses: the rulings that began the turns, and all that become void."""

    combatant: str
    name: str
    turns: tuple[int, ...]
    void: tuple[int, ...]


class CorrectionSummary(Struct, frozen=True):
    """The effect of a correction: who is up again or down, turns that pass or are lost, and rulings that change.

    `up` and `down` map each combatant to the ruling from which on it holds. `sentences` say the same in words.
    """

    up: dict[str, int]
    down: dict[str, int]
    passed: tuple[PassedTurn, ...]
    lost: tuple[LostTurns, ...]
    changed: tuple[int, ...]
    carried: tuple[int, ...]
    void: tuple[int, ...]
    sentences: tuple[str, ...]


def summarize(
    timeline: Timeline,
    rejudged: Sequence[RejudgedRuling],
    redactor: Redactor,
    sees: Callable[[int], bool],
    lives: Callable[[int], bool],
) -> CorrectionSummary:
    """Return the summary of judging those rulings again, for somebody who `sees` some of them.

    `timeline` is the log before the correction, `lives` says which plays count after it.
    """
    visible = [entry for entry in rejudged if sees(entry.ruling)]
    names = {one.id: one.name for entry in visible for one in redactor.combatants(entry.state)}
    up, down = _turned(timeline, visible, names)
    passed_turns = _passed(timeline, rejudged, names, redactor, lives)
    # Only the game master may learn that a round ends with another turn: that may be a hidden combatant's.
    entries = [
        entry
        for entry in visible
        if redactor.everything or not differs_only_in_round_end(recorded_events(timeline, entry), entry.events)
    ]
    of = {
        verdict: tuple(e.ruling for e in entries if e.verdict == verdict) for verdict in ("changed", "carried", "void")
    }
    lost_turns = tuple(_lost(timeline, visible, names))
    summary = CorrectionSummary(up, down, passed_turns, lost_turns, of["changed"], of["carried"], of["void"], ())
    due_again = _passed_before(timeline, rejudged, names, redactor)
    return replace(summary, sentences=tuple(_sentences(summary, names, due_again)))


def summarize_preview(
    timeline: Timeline, preview: Preview, redactor: Redactor, sees: Callable[[int], bool] = sees_all
) -> CorrectionSummary:
    """Return the summary of a preview, for somebody who `sees` some of its rulings."""

    def lives(number: int) -> bool:
        return number in preview.restored or (timeline.lives(number) and number not in preview.struck)

    summary = summarize(timeline, preview.rejudged, redactor, sees, lives)
    if preview.state is not None:
        return summary
    # What is not known yet is not counted as unchanged.
    sentences = summary.sentences if summary.changed or summary.void else summary.sentences[:-1]
    return replace(summary, sentences=(*sentences, DRAWN))


def recorded_events(timeline: Timeline, entry: RejudgedRuling) -> tuple[Event, ...]:
    """Return the events that a ruling has on record; none if it is void there."""
    outcome = timeline.entries[entry.ruling].outcome
    return () if outcome.is_void else outcome.events(timeline.decoders)


def summaries_written(
    stored: Sequence[StoredRow], decoders: Decoders, index: RulingIndex
) -> dict[int, CorrectionSummary]:
    """Return the summary of each correction and insert that changed other rulings, by its number.

    It is the same summary that a preview showed. `stored` are the rows of the log.
    """
    grown, starts, summaries = Timeline(decoders), [at for at, row in enumerate(stored) if is_head(row[1])], {}
    writing = [ruling for ruling in index.rulings if ruling.outcomes and index.redactor.shows(ruling)]
    for ruling in sorted(writing, key=lambda one: one.number):
        grown.extend(stored[grown.version : starts[ruling.number - 1]])
        before = grown.copy()
        grown.extend(stored[grown.version : starts[ruling.number] if ruling.number < len(starts) else len(stored)])
        visible_outcomes = {
            outcome.rejudged.ruling: sees_outcome(outcome.rejudged, index) for outcome in ruling.outcomes
        }
        summaries[ruling.number] = summarize(
            before,
            _as_written(before, grown, ruling),
            index.redactor,
            lambda number, visible_outcomes=visible_outcomes: visible_outcomes.get(
                number, index.visible_ruling(number) is not None
            ),  # type: ignore[misc]  # mypy can't infer a lambda with a default
            {number for number in grown.order if grown.lives(number)}.__contains__,
        )
    return summaries


def _as_written(before: Timeline, after: Timeline, ruling: Ruling) -> list[RejudgedRuling]:
    """Return the recorded results of judging rulings again after a correction or an insert."""
    wrote = {outcome.rejudged.ruling: outcome for outcome in ruling.outcomes}
    rows = []
    assert isinstance(ruling.head, Play | Correction)  # noqa: S101 - only these write of others
    for place in range(plan_change(before, ruling.head).first, len(after.order)):
        number, state = after.order[place], after.states[place]
        if number not in before.entries or not after.lives(number):
            continue
        if number in wrote:
            outcome, verdict = wrote[number], wrote[number].rejudged.verdict
            rows.append(RejudgedRuling(number, verdict, outcome.events, bookkeeping=outcome.bookkeeping, state=state))
        elif state is not before.states[before.place[number]]:
            rows.append(RejudgedRuling(number, "stands", state=state))
    return rows


def _turned(
    timeline: Timeline, visible: Iterable[RejudgedRuling], names: Mapping[str, str]
) -> tuple[dict[str, int], dict[str, int]]:
    """Return the combatants who have turns again and those who have none any more, each with the first such ruling."""
    up: dict[str, int] = {}
    down: dict[str, int] = {}
    for entry in visible:
        states_then = timeline.states[timeline.place[entry.ruling]].combatants
        for name in names:
            was, now = states_then.get(name), entry.state.combatants.get(name)
            if was is None or now is None or has_turns(was) == has_turns(now):
                continue
            (down if has_turns(was) else up).setdefault(name, entry.ruling)
    return up, {name: ruling for name, ruling in down.items() if name not in up}


def _passed(
    timeline: Timeline,
    rejudged: Sequence[RejudgedRuling],
    names: Mapping[str, str],
    redactor: Redactor,
    lives: Callable[[int], bool],
) -> tuple[PassedTurn, ...]:
    outcomes = (timeline.entries[entry.ruling].outcome for entry in rejudged)
    replaced = [step for outcome in outcomes for step in outcome.bookkeeping(timeline.decoders)]
    turns = []
    for entry in rejudged:
        for step in new_passed_turns(redactor.bookkeeping(entry.bookkeeping), replaced):
            if step.combatant in names:
                after = _anchor(timeline, entry, step, lives)
                turns.append(PassedTurn(step.combatant, names[step.combatant], step.round, entry.ruling, after))
    return tuple(turns)


def _anchor(timeline: Timeline, entry: RejudgedRuling, passed: BookkeepingEntry, lives: Callable[[int], bool]) -> int:
    """Return the ruling after which a passed turn can be inserted; 0 if other bookkeeping comes before it there."""
    if any(step.what != "passed" for step in entry.bookkeeping[: entry.bookkeeping.index(passed)]):
        return 0
    earlier = reversed(timeline.order[: timeline.place[entry.ruling]])
    return next((number for number in earlier if lives(number)), 0)


def _passed_before(
    timeline: Timeline, rejudged: Sequence[RejudgedRuling], names: Mapping[str, str], redactor: Redactor
) -> list[int]:
    """Return the correction that made a turn pass, for each recorded passed turn that is due again."""
    passed_now = {
        (step.combatant, step.round) for entry in rejudged for step in entry.bookkeeping if step.what == "passed"
    }
    turns: dict[tuple[str, int], int] = {}
    for entry in rejudged:
        outcome = timeline.entries[entry.ruling].outcome
        for step in redactor.bookkeeping(outcome.bookkeeping(timeline.decoders)) if entry.verdict == "void" else ():
            turn, now = (step.combatant, step.round), entry.state.combatants.get(step.combatant)
            if step.what == "passed" and turn not in passed_now and step.combatant in names and now and has_turns(now):
                turns.setdefault(turn, outcome.by)
    return list(turns.values())


def _lost(timeline: Timeline, visible: Iterable[RejudgedRuling], names: Mapping[str, str]) -> Iterable[LostTurns]:
    void: dict[str, list[int]] = {}
    turns: dict[str, list[int]] = {}
    for entry in visible:
        command = timeline.command(entry.ruling)
        name = actor_of(command)
        if entry.verdict != "void" or name not in names:
            continue
        void.setdefault(name, []).append(entry.ruling)
        if isinstance(command, TURN_COMMANDS):
            turns.setdefault(name, []).append(entry.ruling)
    return [LostTurns(name, names[name], tuple(turns.get(name, ())), tuple(rulings)) for name, rulings in void.items()]


def _sentences(summary: CorrectionSummary, names: Mapping[str, str], due_again: Sequence[int]) -> Iterable[str]:
    if due_again:
        yield _due_again(due_again)
    lost_by_name = {one.combatant: one for one in summary.lost if one.turns}
    loses = {name: f"loses {count_words(len(one.turns), 'turn')}" for name, one in lost_by_name.items()}
    for name, ruling in summary.up.items():
        yield f"{names[name]} is up again from ruling {ruling} on."
    for name, ruling in summary.down.items():
        does = loses.pop(name, "")
        yield f"{names[name]} is down from ruling {ruling} on{does and f' and {does}'}."
    yield from passed_sentences((turn.name, turn.round) for turn in summary.passed)
    for name, does in loses.items():
        yield f"{names[name]} {does}."
    for one in summary.lost:
        if not one.turns:
            yield f"{one.name} can't do {join_numbers(one.void)} any more."
    changes, voids = len(summary.changed), len(summary.void)
    changing = "No ruling changes" if not changes else f"{count_words(changes, 'ruling')} change{'s' * (changes == 1)}"
    yield f"{changing}, {voids or 'none'} become{'s' * (voids in (0, 1))} void."


def _due_again(corrections: Sequence[int]) -> str:
    """Return a sentence on the turns that are due again; `corrections` made them pass."""
    turns, since = count_words(len(corrections), "turn"), min(corrections)
    return f"Strict: {turns} that passed since correction {since} {'is' if len(corrections) == 1 else 'are'} due again."
