"""Answers of the log: a ruling as written, or what a correction would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from mam_events.events import Event, FaceGiven, Head
from mam_events.history.timeline.entries import dice_of, draws
from mam_events.visibility import GAME_MASTER, can_see

if TYPE_CHECKING:
    from mam_events.dice import Die
    from mam_events.history.judge.rejudgement import RejudgedRuling
    from mam_events.state import Encounter


class Answer(Struct, frozen=True):
    """A ruling that is in the log: the fight `before` it and its `state` now.

    `events` are those it was written with, `rejudged` what a correction made of other rulings (those that differ),
    `repeated` tells that the command id was seen before and nothing was written now; `corrected_by` names the
    ruling that has changed what became of it since (0: it counts as it was written).
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
    """Return True for a ruling that is not taken back with what is refused behind it, for the refusal would tell what
    nobody knows yet: a die that was drawn, and to others than the game master any die, and what they may not see.
    """
    if draws(answer.events):
        return True
    thrown = any(isinstance(event, FaceGiven) or dice_of(event) for event in answer.events)
    return view != GAME_MASTER and (thrown or not can_see(view, answer.head.visibility))


class Preview(Struct, frozen=True):
    """The effect of a correction or an insert, with nothing written: every living ruling from its first place on.

    `struck` are the plays that it takes out of the living history, `restored` those that it brings back; `touches_more`
    tells of a correction that others than those whom its steps name are judged again, of a restoring that others have
    played since, of an insert that others come out otherwise. `expect` (`VERSION:DIGEST`) names exactly this, and a
    commit that is given it does this or is refused. `unused` are dice on record that nothing would use any more;
    `moved_on` rulings that come out otherwise without the correction as well, by newer rules of the program.
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
