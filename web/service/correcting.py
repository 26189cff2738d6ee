"""Corrections of the past, with their preview; disputes and remarks; a branch that goes on by itself."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from mam_events.dice import Die, read_key
from mam_events.errors import BadInput
from mam_events.events import Amend, Step, Verdict
from mam_events.log.answers import Preview
from mam_events.log.writing import expect_newest
from mam_events.rulings.corrections import check_steps, redo_steps, undo_steps
from mam_events.rulings.history import play
from mam_events.rulings.rejudging import Rejudged
from mam_events.rulings.timeline import Timeline
from mam_events.rulings.verdicts import only_round_end
from mam_events.text import clean_fields, clean_text
from mam_events.visibility import PUBLIC
from projections.bookkeeping import bookkeeping
from projections.casebook import Casebook, Scene
from projections.correction_summary import CorrectionSummary, recorded_events, summarize_preview
from projections.pools import Standing, standings
from projections.screen import Screen
from web.service.asking import Ask, check_visible
from web.service.calls import Example, call
from web.service.ordering import DUEL, Author, Treated, needs_expect
from web.service.reading import number_in
from web.service.written import Written, written

Reason = Annotated[str, Meta(max_length=2000, description="Why; it stands in the log.")]
Sure = Annotated[
    bool,
    Meta(description="Send true to change later rulings without the `expect` that a preview tells."),
]
Visible = Annotated[str, Meta(description="Who may see it: public, gm, or side:NAME.")]


class Undo(Struct, frozen=True, forbid_unknown_fields=True, tag_field="correct", tag="undo"):
    """Take back a ruling with its exchange (`only` it, or with `rewind` all from it on); the newest, if left out."""

    ruling: int | None = None
    only: bool = False
    rewind: bool = False
    reason: Reason = ""
    expect: str = ""
    sure: Sure = False
    turns: Treated = "as_played"


class Redo(Struct, frozen=True, forbid_unknown_fields=True, tag_field="correct", tag="redo"):
    """Bring back what a correction took; the newest, if left out."""

    ruling: int | None = None
    reason: Reason = ""
    expect: str = ""
    sure: Sure = False
    turns: Treated = "as_played"


class Steps(Struct, frozen=True, forbid_unknown_fields=True, tag_field="correct", tag="steps"):
    """Several steps as one correction: strike plays, amend their fields, restore corrections."""

    steps: Annotated[tuple[Step, ...], Meta(min_length=1, max_length=1000)]
    reason: Reason = ""
    expect: str = ""
    sure: Sure = False
    turns: Treated = "as_played"


class VerdictGiven(Struct, frozen=True):
    """The fate of one ruling: it `stands`, is `carried`, `changed` or `void` (`why`, or `because` of which ruling);
    `undrawn` is a die that would be drawn, behind which nothing is known yet. `bookkeeping` tells in sentences what is
    done before it so that it counts: a turn passes, an exchange is left.
    """

    ruling: int
    verdict: Verdict | None
    why: str = ""
    because: int = 0
    undrawn: str = ""
    bookkeeping: tuple[str, ...] = ()


class PreviewTold(Struct, frozen=True):
    """The effect of a correction, with nothing written: first a `summary`, whose `sentences` tell it in words; then the
    plays it takes out and brings back, the verdict on every later ruling, the dice that nothing would use any more,
    everybody as they would stand (none where a die is to be drawn first). Sent back as `expect`, it does exactly this
    or nothing. Of the `hidden` rulings of the whole fight nothing else is told.
    """

    summary: CorrectionSummary
    expect: str
    touches_more: bool
    struck: tuple[int, ...]
    restored: tuple[int, ...]
    verdicts: list[VerdictGiven]
    unused: list[Die]
    combatants: list[Standing]
    hidden: int = 0


class Claim(Struct, frozen=True, forbid_unknown_fields=True):
    """A dispute about a ruling, which may name the rule or option that it goes by."""

    about: Annotated[int, Meta(ge=1)]
    claim: Annotated[str, Meta(min_length=1, max_length=2000)]
    rule: str = ""
    visibility: Visible = PUBLIC


class Say(Struct, frozen=True, forbid_unknown_fields=True):
    """A remark about a ruling, or (0) about the fight."""

    text: Annotated[str, Meta(min_length=1, max_length=2000)]
    about: Annotated[int, Meta(ge=0)] = 0
    visibility: Visible = PUBLIC


class Reply(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer in a dispute."""

    text: Annotated[str, Meta(min_length=1, max_length=2000)]
    visibility: Visible = PUBLIC


class Decision(Struct, frozen=True, forbid_unknown_fields=True):
    """The end of a dispute: the corrections made since that settle it, or none where the ruling stands."""

    corrections: tuple[int, ...] = ()
    reason: Reason = ""


class Leaving(Struct, frozen=True, forbid_unknown_fields=True):
    """A branch: its id, and the moment behind which it goes on (the newest, if left out)."""

    encounter: str
    at: str = ""


@call(
    "POST /encounters/{encounter}/corrections",
    "write",
    rank="player",
    answer=Written,
    body=Undo | Redo | Steps,
    query=Author,
    example=Example(path=DUEL, body={"correct": "undo", "reason": "the shield was up"}),
)
def correct(ask: Ask) -> Written:
    """Correct the past: everything behind it is judged again, and nothing is deleted.

    A player may undo his own last ruling, until somebody else acts.
    """
    asked, log = ask.body, ask.log
    if not ask.is_repeated:
        log.look(ask.encounter, lambda timeline: _check(ask, timeline))
        if not (asked.sure or asked.expect):
            timeline = log.timeline(ask.encounter)
            expect_newest(timeline, ask.expected)
            sees = ask.own_seat(timeline).sees
            found = log.preview(ask.encounter, _steps(ask, timeline), sees=sees, turns=asked.turns)
            if found.touches_more:
                raise needs_expect(found)
    said: dict[str, Any] = {
        "by": ask.by(ask.query.by),
        "reason": clean_text(asked.reason),
        "command_id": ask.key,
        "expected": ask.expected,
        "expect": asked.expect,
        "turns": asked.turns,
    }
    if isinstance(asked, Undo):
        alone, sees = _alone(ask, asked), log.look(ask.encounter, ask.own_seat).sees
        answer = log.undo(ask.encounter, asked.ruling, only=alone, rewind=asked.rewind, sees=sees, **said)
    elif isinstance(asked, Redo):
        answer = log.redo(ask.encounter, asked.ruling, **said)
    else:
        answer = log.correct(ask.encounter, _cleaned(asked.steps, log.timeline(ask.encounter)), **said)
    return written(ask, [answer])


@call(
    "POST /encounters/{encounter}/corrections/preview",
    "work",
    dear=True,
    rank="player",
    answer=PreviewTold,
    body=Undo | Redo | Steps,
    example=Example(path=DUEL, body={"correct": "undo", "ruling": 6}),
)
def preview(ask: Ask) -> PreviewTold:
    """Look at what a correction would do: the verdict on every later ruling, and how everybody would stand.

    A player looks at what they may do: what else would come of it is judged with dice that may be hidden from them.
    """
    asked, log = ask.body, ask.log
    timeline = log.timeline(ask.encounter)
    seat = ask.own_seat(timeline)
    steps = _steps(ask, timeline)
    ask.who.rights.check_steps(timeline, steps)
    return preview_told(log.preview(ask.encounter, steps, sees=seat.sees, turns=asked.turns), ask, timeline)


def _steps(ask: Ask, timeline: Timeline) -> tuple[Step, ...]:
    """The steps of a correction; refuses to speak of a ruling that whoever asks may not see."""
    asked, seat = ask.body, ask.own_seat(timeline)
    if isinstance(asked, Undo):
        return undo_steps(timeline, asked.ruling, only=_alone(ask, asked), rewind=asked.rewind, sees=seat.sees)
    if isinstance(asked, Redo):
        return redo_steps(timeline, asked.ruling, sees=seat.sees)
    steps = _cleaned(asked.steps, timeline)
    check_steps(timeline, steps, seat.sees)
    return steps


def preview_told(found: Preview, ask: Ask, timeline: Timeline) -> PreviewTold:
    """A preview as whoever asks may be told it."""
    seat = ask.own_seat(timeline)
    shown = [entry for entry in found.rejudged if seat.sees(entry.ruling)]
    steps = getattr(ask.body, "steps", ())
    screen = seat.quoting([step.patch for step in steps if isinstance(step, Amend)])
    for entry in shown:
        screen.learn(entry.state.combatants.values())
    return PreviewTold(
        summarize_preview(timeline, found, screen, seat.sees),
        found.expect,
        found.touches_more,
        tuple(filter(seat.sees, found.struck)),
        tuple(filter(seat.sees, found.restored)),
        [_verdict(entry, screen, timeline) for entry in shown],
        [die for die in found.unused if seat.sees(read_key(die.key).ruling)],
        standings(found.state, screen) if found.state else [],
        seat.count_hidden(),
    )


def _verdict(entry: Rejudged, screen: Screen, timeline: Timeline) -> VerdictGiven:
    why, done, verdict = screen.why(entry), tuple[str, ...](), entry.verdict
    if not screen.everything and only_round_end(recorded_events(timeline, entry), entry.events):
        # Another turn is the last of the round now, maybe that of somebody hidden.
        verdict = "stands"
    if entry.mendings:
        ruling = play(timeline, entry.ruling)
        done = bookkeeping(entry.mendings, Scene(Casebook((ruling,), screen), ruling))
    return VerdictGiven(entry.ruling, verdict, why, entry.because, entry.undrawn, done)


def _check(ask: Ask, timeline: Timeline) -> None:
    asked = ask.body
    if ask.who.at_least("gm"):
        return
    if not isinstance(asked, Undo) or asked.rewind:
        ask.who.rights.check_may_correct()
    sees = ask.own_seat(timeline).sees
    steps = undo_steps(timeline, asked.ruling, only=_alone(ask, asked), sees=sees)
    ask.who.rights.check_steps(timeline, steps)


def _alone(ask: Ask, asked: Undo) -> bool:
    """True where that ruling alone is taken back: a player never takes others' reactions with it."""
    return asked.only or (asked.ruling is not None and not ask.who.at_least("gm"))


def _cleaned(steps: tuple[Step, ...], timeline: Timeline) -> tuple[Step, ...]:
    """Return the steps with what they amend read as in the order itself: `1/2` as a speed, `2 m` as a distance."""
    entries = timeline.entries
    return tuple(
        Amend(step.ruling, clean_fields(type(entries[step.ruling].head.command), step.patch))
        if isinstance(step, Amend) and step.ruling in entries
        else step
        for step in steps
    )


@call(
    "POST /encounters/{encounter}/disputes",
    "write",
    rank="player",
    answer=Written,
    body=Claim,
    query=Author,
    example=Example(path=DUEL, body={"about": 8, "claim": "he was behind cover", "rule": "MAM-CIRC-01"}),
)
def dispute(ask: Ask) -> Written:
    """Dispute a ruling; play goes on until the game master decides."""
    asked: Claim = ask.body
    return _note(ask, asked.claim, about=asked.about, kind="dispute", rule=asked.rule, visibility=asked.visibility)


@call(
    "POST /encounters/{encounter}/disputes/{dispute}/answers",
    "write",
    rank="player",
    answer=Written,
    body=Reply,
    query=Author,
    example=Example(path=DUEL | {"dispute": "12"}, body={"text": "It was a table, and tables hide nobody."}),
)
def answer(ask: Ask) -> Written:
    """Answer in an open dispute."""
    asked: Reply = ask.body
    return _note(ask, asked.text, about=number_in(ask, "dispute"), kind="answer", visibility=asked.visibility)


@call(
    "POST /encounters/{encounter}/disputes/{dispute}/ruling",
    "write",
    rank="gm",
    answer=Written,
    body=Decision,
    query=Author,
    example=Example(path=DUEL | {"dispute": "12"}, body={"reason": "Tables hide nobody."}),
)
def decide(ask: Ask) -> Written:
    """Decide a dispute: the ruling stands, or corrections made since settle it."""
    asked: Decision = ask.body
    number = number_in(ask, "dispute")
    return _note(ask, asked.reason, about=number, kind="decision", corrections=asked.corrections)


@call(
    "POST /encounters/{encounter}/notes",
    "write",
    rank="player",
    answer=Written,
    body=Say,
    query=Author,
    example=Example(path=DUEL, body={"text": "The lamp goes out.", "about": 8}),
)
def note(ask: Ask) -> Written:
    """Write a remark; it changes no ruling."""
    asked: Say = ask.body
    return _note(ask, asked.text, about=asked.about, visibility=asked.visibility)


def _note(ask: Ask, text: str, *, about: int, **said: Any) -> Written:
    def check(timeline: Timeline) -> Any:
        seat = ask.own_seat(timeline)
        if ask.key and timeline.given(ask.key):
            return seat.sees
        if about:
            seat.check_shown(about)
        for number in said.get("corrections", ()):
            seat.check_shown(number)
        check_visible(ask.who, said.get("visibility", PUBLIC), seat.view)
        return seat.sees

    sees = ask.log.look(ask.encounter, check)
    written_as = {"by": ask.by(ask.query.by), "command_id": ask.key, "expected": ask.expected, "sees": sees}
    return written(ask, [ask.log.note(ask.encounter, clean_text(text), about=about, **written_as, **said)])


@call(
    "POST /encounters/{encounter}/branches",
    "write",
    rank="gm",
    answer=Written,
    status=201,
    body=Leaving,
    query=Author,
    example=Example(path=DUEL, body={"encounter": "duel-again", "at": "8"}),
)
def branch(ask: Ask) -> Written:
    """Go on from a moment as a fight of its own, with dice of its own."""
    asked: Leaving = ask.body
    moment = asked.at or None
    said: dict[str, Any] = {"by": ask.by(ask.query.by), "command_id": ask.key, "expected": ask.expected}
    if asked.encounter == ask.encounter:
        raise BadInput("a branch needs an id of its own.", place="encounter")
    return written(ask, [ask.log.branch(ask.encounter, asked.encounter, moment, **said)])
