"""The frames of a replay: one for each ruling, with everybody's points before and after it.

`msgspec.json.encode(frames(...))` is the input of a replay page: a list of objects with the fields of `Frame`, in the
order of the rulings. `frames(rulings(timeline))` shows everything that was written, with struck plays as ghosts in
their place (`struck`, with `before` equal to `after`). `frames(living(timeline))` shows the fight as corrected, in
story order; with the timeline `as_of` a session it shows the fight as it was played then.

Each frame is one step of the page; `follows` unfolds it. Bars are drawn from `after`, their ghosts from `before`,
labels from `changed`. `at` has the time (UTC, ISO 8601), to replay the fight as it happened. `ticks` mark the scrubber:
`hit`, `miss`, `fall`, `death`, `round`, `dispute`, `correction`, `ruling` (the game master's word), `close`. The frame
of a hidden ruling has only its number: the bars stay, and the next frame's `before` is correct again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct

from mam_events import events as e
from mam_events.commands import Adjust, Join, name_of
from mam_events.history.timeline.rulings import Ruling
from mam_events.state import POOLS, Condition, Encounter, Pools
from projections.phrases import end_sentence
from projections.rulings.bookkeeping import bookkeeping_of
from projections.rulings.command_text import capitalized_command_clause
from projections.rulings.index import RulingContext, RulingIndex, clock, turn_state
from projections.rulings.marks import HIDDEN_TEXT, marks_of
from projections.rulings.summary import KINDS, Kind, StruckBy, sentence_of, struck_of
from projections.sentences import event_sentences
from projections.state.activities import Activities, activities
from projections.state.pools import spends_points
from projections.state.turn_order import OrderRow, project_turn_order
from projections.visibility.redaction import Redactor

FrameEvent = Literal["hit", "miss", "fall", "death", "round", "dispute", "correction", "ruling", "close"]


class Frame(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One step of a replay; the JSON omits fields that have their default.

    `before` and `after` map the id of every visible combatant to their five pools. `changed` maps those whose points
    moved to the difference of each pool (`{"clone": {"ready": -3, "defense": 3}}`). `conditions` has those who are not
    able, `doing` everybody's activities. `acting` is whose turn it is ("" between turns). `bookkeeping` says what a
    correction did before this ruling so that it still counts. `about` is the ruling that a note or an adjustment is
    about, `after_ruling` the anchor of an inserted play. `amended` says that the command is no longer the original;
    `verdict` is the latest judgement ("": as first judged), made by `rejudged_by`. `disputed_by` are the open disputes
    about it, `decided_by` is the decision of a dispute. `marks` say in signs and words what became of it. If initiative
    is rolled, `standing` is the turn order after it, with totals and the actions left. Without `spends_points` actions
    cost no points: all points outside stun and damage are left.
    """

    number: int
    hidden: bool = False
    kind: Kind | Literal[""] = ""
    do: str = ""
    at: str = ""
    by: str = ""
    round: int = 0
    turn: int = 0
    acting: str = ""
    exchange: int = 0
    about: int = 0
    after_ruling: int = 0
    sentence: str = ""
    follows: tuple[str, ...] = ()
    bookkeeping: tuple[str, ...] = ()
    before: Mapping[str, Pools] = {}
    after: Mapping[str, Pools] = {}
    changed: Mapping[str, Mapping[str, int]] = {}
    conditions: Mapping[str, Condition] = {}
    doing: Activities = {}
    ticks: tuple[FrameEvent, ...] = ()
    struck: StruckBy | None = None
    void: bool = False
    restored_by: int = 0
    amended: bool = False
    verdict: str = ""
    rejudged_by: int = 0
    disputed_by: tuple[int, ...] = ()
    decided_by: int = 0
    answered_by: tuple[int, ...] = ()
    marks: tuple[str, ...] = ()
    standing: tuple[OrderRow, ...] = ()
    spends_points: bool = True


def frames(rulings: Iterable[Ruling], view: str | Redactor = "gm", notes: Iterable[Ruling] = ()) -> list[Frame]:
    """Return a frame for every ruling, in the given order; `notes` are related notes that get no frame."""
    visible = tuple(rulings)
    index = RulingIndex((*visible, *notes), view)
    return [frame_of(ruling, index) for ruling in visible]


def still_counts(frame: Frame) -> bool:
    """Return True unless the ruling is a correction, was undone or is void; a hidden one gives True."""
    return frame.hidden or not (frame.kind == "correction" or frame.struck or frame.void or frame.restored_by)


def frame_of(ruling: Ruling, index: RulingIndex) -> Frame:
    """Return the frame of one ruling."""
    ruling = index.as_seen(ruling)
    if not index.redactor.shows(ruling):
        return hidden_frame(ruling.number)
    head, when = ruling.head, clock(ruling)
    before = _pools(ruling.before, index)
    after = before if ruling.after is ruling.before else _pools(ruling.after, index)
    turn = turn_state(ruling).turn
    return Frame(
        number=ruling.number,
        kind=KINDS[type(head)],
        at=head.at,
        by=head.by,
        round=when.round,
        turn=when.turn,
        acting=turn.combatant if turn and turn.combatant not in index.redactor.hidden else "",
        sentence=end_sentence(capitalized_command_clause(ruling, index))
        if ruling.is_void
        else sentence_of(ruling, index),
        before=before,
        after=after,
        changed={} if after is before else pool_difference(before, after),
        conditions={c.id: c.condition for c in index.redactor.combatants(ruling.after) if c.condition != "able"},
        doing=activities(ruling.after, index.redactor),
        restored_by=ruling.restored_by,
        disputed_by=tuple(index.open_disputes(ruling.number)),
        decided_by=index.decision(ruling.number),
        answered_by=tuple(index.answered_by.get(ruling.number, ())),
        marks=marks_of(ruling, index),
        standing=project_turn_order(ruling.after, index.redactor).rows if ruling.after.initiative.entries else (),
        spends_points=spends_points(ruling.after),
        **_TOLD[type(head)](ruling, index),
    )


def hidden_frame(number: int) -> Frame:
    """Return the frame of a ruling that the view may not see."""
    return Frame(number=number, hidden=True, marks=(HIDDEN_TEXT,))


def _pools(state: Encounter, index: RulingIndex) -> dict[str, Pools]:
    return {combatant.id: combatant.pools for combatant in index.redactor.combatants(state)}


def pool_difference(before: Mapping[str, Pools], after: Mapping[str, Pools]) -> dict[str, dict[str, int]]:
    """Return the difference of each pool that changed, for everybody whose points changed.

    For a new combatant it is all their points.
    """
    differences = {}
    for combatant, pools in after.items():
        old = before.get(combatant, NOTHING)
        if pools is not old and pools != old:
            steps = ((name, getattr(pools, name) - getattr(old, name)) for name in POOLS)
            differences[combatant] = {name: step for name, step in steps if step}
    return differences


NOTHING = Pools()


def _play(ruling: Ruling, index: RulingIndex) -> dict[str, Any]:
    head, command = ruling.head, ruling.command
    assert isinstance(head, e.Play)  # noqa: S101 - the table below says so
    assert command is not None  # noqa: S101 - every play has one
    # Somebody who joins in a bad condition does not fall in this fight.
    events_counted = ruling.events if ruling.lives and not isinstance(command, Join) else ()
    ticks = [tick for event in events_counted if type(event) in _TICKS for tick in _TICKS[type(event)](event)]
    by_gm = isinstance(command, Adjust)
    return {
        "do": name_of(command),
        "exchange": ruling.exchange,
        "about": command.answers if isinstance(command, Adjust) else 0,
        "after_ruling": head.after,
        "follows": event_sentences(ruling.events, RulingContext(index, ruling)),
        "bookkeeping": bookkeeping_of(ruling, index),
        "ticks": tuple(dict.fromkeys((*ticks, *(("ruling",) if by_gm and ruling.lives else ())))),
        "struck": struck_of(ruling, index),
        "void": ruling.is_void,
        "amended": ruling.amended,
        "verdict": ruling.rejudged.verdict if ruling.rejudged else "",
        "rejudged_by": ruling.rejudged_by,
    }


def _correction(_: Ruling, __: RulingIndex) -> dict[str, Any]:
    return {"do": "correct", "ticks": ("correction",)}


def _note(ruling: Ruling, _: RulingIndex) -> dict[str, Any]:
    head = ruling.head
    assert isinstance(head, e.Note)  # noqa: S101 - the table below says so
    return {"do": head.kind, "about": head.about, "ticks": _NOTED.get(head.kind, ())}


_TOLD: dict[type[e.Head], Callable[[Ruling, RulingIndex], dict[str, Any]]] = {
    e.Play: _play,
    e.Correction: _correction,
    e.Note: _note,
    e.Branch: lambda _ruling, _index: {"do": "branch"},
}

_NOTED: dict[str, tuple[FrameEvent, ...]] = {"dispute": ("dispute",), "decision": ("ruling",)}
HIT_SIGNS: dict[str, tuple[FrameEvent, ...]] = {"full": ("hit",), "half": ("hit",), "fail": ("miss",)}
FALLS: dict[str, tuple[FrameEvent, ...]] = {"incapacitated": ("fall",), "dead": ("death",)}

_TICKS: dict[type[e.Event], Callable[[Any], tuple[FrameEvent, ...]]] = {
    e.AttackResolved: lambda event: HIT_SIGNS[event.outcome],
    e.RamResolved: lambda event: HIT_SIGNS[event.outcome],
    e.OutcomeDeclared: lambda event: HIT_SIGNS[event.outcome],
    e.CombatantIncapacitated: lambda _: ("fall",),
    e.CombatantDied: lambda _: ("death",),
    e.ConditionDeclared: lambda event: FALLS.get(event.condition, ()),
    e.RoundStarted: lambda _: ("round",),
    e.EncounterClosed: lambda _: ("close",),
}
