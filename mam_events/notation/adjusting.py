"""The game master's word as it is typed: `gm #53 grob 3 dam>ready "oil"`, `gm grob dead "…"`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from mam_events.commands import Adjust
from mam_events.errors import BadInput
from mam_events.notation.fields import Fields
from mam_events.notation.long_form import LongOrder, order_of
from mam_events.notation.meaning import SHORTEST, Fight, person, unclear
from mam_events.notation.parts import field_named, short_part
from mam_events.notation.people import either
from mam_events.notation.words import Quoted, Said, cut, ruling_number, whole
from mam_events.refusals.nearest import nearest
from mam_events.state import POOLS

ADJUSTING = "gm"
_MOVED = re.compile(r"([a-z_]+)>([a-z_]+)\Z")


def adjusted(fight: Fight, rest: Sequence[Said]) -> LongOrder:
    """The game master's word as it is typed: `gm #53 grob 3 dam>ready "oil"`, `gm grob dead "…"`."""
    adjusting = _Adjusting(fight)
    for said in rest:
        adjusting.take(said)
    if adjusting.pending:
        raise BadInput(f'what is to become of {adjusting.pending}? gm grob 3 dam>ready "…', place=ADJUSTING)
    return order_of(Adjust, adjusting.said.found)


class _Adjusting:
    """The game master's word being read: whom it is about, then how many points from where to where, or how he is."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.who = ""
        self.points = 0
        self.pending = ""
        """The one, or the points, of whom nothing was said yet."""
        self.said = Fields(
            Adjust,
            ADJUSTING,
            partial(field_named, Adjust, place=ADJUSTING),
            short_part,
            lambda _, who: person(fight, who),
        )

    def take(self, said: Said) -> None:
        """Take in one word; raises BadInput."""
        word = said.word.lower()
        if said.key:
            self.said.say(said)
        elif isinstance(said.value, Quoted) and not self.who and (who := self.fight.people.whole(said.value)):
            self.who, self.pending = who, self.fight.named(who)
        elif isinstance(said.value, Quoted):
            self.said.put("reason", str(said.value))
        elif number := ruling_number(word, marked=True):
            self.said.put("answers", number)
        elif word.isdecimal() and self.who and not self.points:
            self.points = whole(word)
            self.pending = f"{word} points of {self.fight.named(self.who)}"
        elif (moved := _MOVED.match(word)) and self.points:
            move = {"combatant": self.who, "source": _pool(moved[1]), "target": _pool(moved[2]), "points": self.points}
            self.said.add("move", [move])
            self.points, self.pending = 0, ""
        elif self.who and (condition := self._condition(word)):
            self.said.put_entry("condition", self.who, condition)
            self.pending = ""
        elif self.pending:
            ways = self.said.shapes["condition"].inner.choices
            moving = f"gm {self.who} {self.points or 3} ready>damage"
            told = f"{self.fight.named(self.who)} can become {either(ways)} (gm {self.who} out)"
            raise BadInput(
                f"Points move from one pool to another: {moving}."
                if self.points
                else f"{told}; points move from one pool to another ({moving}).",
                place=ADJUSTING,
                wrong=word,
                allowed=ways,
            )
        elif self.said.found and not self.fight.people.ranked(word)[1]:
            raise BadInput(
                f'nobody here is called "{said.word}", and a reason stands after because: gm … because {said.word} ….',
                place=ADJUSTING,
                wrong=word,
                allowed=self.fight.state.combatants,
            )
        else:
            self.who = person(self.fight, word)
            self.pending = self.fight.named(self.who)

    def _condition(self, word: str) -> str:
        found = cut(word, self.said.shapes["condition"].inner.choices, SHORTEST)
        if len(found) > 1:
            raise unclear(f'"{word}" is {either(found)}: which?', found, word)
        return found[0] if found else ""


def _pool(word: str) -> str:
    found = cut(word, POOLS)
    if len(found) > 1:
        raise unclear(f'"{word}" is {either(found)}: which?', found, word)
    if not found:
        raise BadInput(f'"{word}" is no pool; {nearest(word, POOLS)}', place=ADJUSTING, wrong=word, allowed=POOLS)
    return found[0]
