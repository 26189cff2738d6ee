"""Results of the log: a ruling as written, or the effect of a correction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mam_events.events import Event, FaceGiven, Head, Play
from mam_events.history.timeline.entries import dice_of, draws
from mam_events.references import words_in
from mam_events.visibility import GAME_MASTER, can_see

if TYPE_CHECKING:
    from mam_events.dice import Die
    from mam_events.history.judge.rejudgement import RejudgedRuling
    from mam_events.state import Encounter


class Answer(Struct, frozen=True):
    """A ruling that is in the log: the fight `before` it and its `state` now.

    `events` are those it was written with, `rejudged` the changed outcomes of other rulings. `repeated` is true if the
    command id was seen before and nothing was written now. `corrected_by` is the ruling that has changed its outcome
    since (0: none).
    """

    encounter: str
    number: int
    head: Head
    events: tuple[Event, ...]
    before: Encounter
    state: Encounter
    rejudged: tuple[RejudgedRuling, ...] = ()
    repeated: bool = False
    corrected_by: int = 0


def is_kept(answer: Answer, view: str) -> bool:
    """Return True for a ruling that stays even if an order after it is refused.

    Undoing it would reveal something: a die that was drawn, and to players any die, and anything they may not see. A
    player's words may be the name of somebody hidden, so an order with words stays whatever they are.
    """
    if draws(answer.events):
        return True
    has_dice = any(isinstance(event, FaceGiven) or dice_of(event) for event in answer.events)
    head = answer.head
    has_words = isinstance(head, Play) and bool(words_in(head.command))
    return view != GAME_MASTER and (has_dice or has_words or not can_see(view, head.visibility))


class Preview(Struct, frozen=True):
    """The effect of a correction or an insert, with nothing written: every living ruling from its first place on.

    `struck` are the plays that it undoes, `restored` those that it redoes. `touches_more` is true for a correction that
    judges other rulings than those it names again, for a redo that changes rulings if anything was played since the
    undo, and for an insert that changes other rulings. `expect` (`VERSION:DIGEST`) names exactly this result: a commit
    with it does exactly this or is refused. `unused` are dice on record that nothing would use any more. `moved_on` are
    rulings that newer rules of the program change even without the correction.
    """

    encounter: str
    first: int
    rejudged: tuple[RejudgedRuling, ...]
    struck: tuple[int, ...]
    restored: tuple[int, ...]
    expect: str
    state: Encounter | None
    touches_more: bool
    unused: tuple[Die, ...] = ()
    moved_on: tuple[int, ...] = ()
