"""One line on its way into the log: its orders one behind the other, each read with the fight as it then stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import COMMANDS, Command, EndTurn, Round, actor_of, name_of
from mam_events.dice import DieKey, NewSeedNeeded, Undrawn, read_key
from mam_events.errors import BadInput, MamError, NoFace, Refused
from mam_events.log.answers import Answer, Preview, stands
from mam_events.log.newcomers import completed_join
from mam_events.notation.correcting import corrected
from mam_events.notation.dice import write_dice
from mam_events.notation.initiative import WhoseDice, rolls_late
from mam_events.notation.long_form import LongOrder, actor_field, long_form
from mam_events.notation.meaning import (
    TURN_HEAD,
    Begins,
    Fight,
    Meant,
    named_alone,
    own_word,
    person,
    turn_head,
    whose_move,
    with_names,
)
from mam_events.notation.noting import Noted, noted
from mam_events.notation.open_ones import with_open
from mam_events.notation.orders import filled, reactions, understood
from mam_events.notation.places import OWN_WORDS, ROLLED
from mam_events.notation.short_form import in_full
from mam_events.notation.typist import MASTER, Typist
from mam_events.notation.words import Quoted, Said, Written, whole
from mam_events.refusals import references
from mam_events.rulings.closing import ASKED_IN_LINES, check_sure
from mam_events.rulings.command_ids import nth_id
from mam_events.shapes import shapes

if TYPE_CHECKING:
    from mam_events.log.combat_log import CombatLog
    from mam_events.rulings.corrections import Sight
    from mam_events.rulings.timeline import Timeline
    from mam_events.state import Encounter

MOST_UNDRAWN = 24
"""The most dice of an order that are named where their faces are missing."""
LEAST_SIDES = 6
_NUMBERED = re.compile(r"-[0-9]+\Z")
_OWN_TURN = ("who acts", "who moves", "who begins")
_BOUNDING = ("begin-turn", "declare", "skip-turn", "delay-turn", "end-turn", "move-up")
"""Orders about turns themselves, which never begin one by the way."""


class Stop(Struct, frozen=True):
    """The place where a line stopped: who may react and by which orders (nobody, for a view that may not see all of
    them), what was not used of it, and `why`, where that could not be given behind a die that was drawn.
    """

    may: dict[str, tuple[str, ...]]
    unused: str
    why: str = ""


class LineGiven(Struct, frozen=True):
    """A line given: its orders in their long form, and a ruling for each.

    `stopped` tells that somebody may react first, `asks` what a correction would change: nothing is written then until
    it is given again with `!`, or with what that is to be held to.
    """

    said: tuple[str, ...]
    answers: tuple[Answer, ...] = ()
    stopped: Stop | None = None
    asks: Preview | None = None


class Beside(Struct, frozen=True):
    """Words beside a line: who orders, its id, which ruling must be the newest (None: any), the preview that a
    correction is held to ("": none), whether it is written without one, as is a closing that cuts something short, or
    only looked at, for which orders it does not stop, whether dice may be drawn in it, and who types it.
    """

    by: str
    command_id: str
    expected: int | None = None
    expect: str = ""
    sure: bool = False
    looks: bool = False
    passing: tuple[str, ...] = ()
    draws: bool = True
    typist: Typist = MASTER


class Giving:
    """One line being given to an encounter."""

    stops = True
    """On where a line stops before its dice as long as somebody may still react."""
    writes = True
    """Off where it is only judged what the line would do."""

    def __init__(self, log: CombatLog, encounter: str, beside: Beside) -> None:
        self.log = log
        self.encounter = encounter
        self.beside = beside
        self.said: list[str] = []
        self.answers: list[Answer] = []
        self._asks_log = False
        """On while the log is asked, which knows more of the fight than a view may."""

    def _sent(self) -> dict[str, Any]:
        """The words beside the next order."""
        first = not self.answers
        return {
            "by": self.beside.by,
            "command_id": nth_id(self.beside.command_id, len(self.answers) + 1),
            "expected": self.beside.expected if first else None,
        }

    @property
    def asks(self) -> bool:
        """True where what changes later rulings is not written yet, but shown first."""
        return self.beside.looks or not (self.beside.sure or self.beside.expect)

    def state(self, timeline: Timeline) -> Encounter:
        """Return the fight in which the next order is read: as it stands now."""
        return timeline.state

    def _fight(self) -> Fight:
        """Return that fight as whoever types knows it."""

        def at(timeline: Timeline) -> Fight:
            state = self.state(timeline)
            if state.ruleset is None:
                raise Refused("not_open", encounter=references.Said(self.encounter))
            return self.beside.typist.fight(timeline, state, self.log.rules)

        return self.log.look(self.encounter, at)

    def _execute(self, command: Command, open_exchange: int, seen: str = "") -> None:
        command = replace(command, visibility=seen) if seen else command
        self._asks_log = True
        self.log.look(self.encounter, lambda timeline: self.beside.typist.check_order(timeline, command))
        command = completed_join(command, self.log.sheets)
        if self.writes and self.asks and isinstance(command, ASKED_IN_LINES):
            check_sure([command], self._fight().state, typed=True)
        self._check_thrown(command)
        self._write(command, open_exchange)

    def _write(self, command: Command, open_exchange: int) -> None:
        answer = self.log.execute(self.encounter, command, **self._sent())
        self._answered(long_form(command, open_exchange), answer)

    def _answered(self, said: str, answer: Answer) -> None:
        self._asks_log = False
        self.said.append(said)
        self.answers.append(answer)

    def _check_thrown(self, command: Command) -> None:
        """Raise NoFace where a die would be drawn for this order at a table that throws its own."""
        if self.beside.draws:
            return
        do = name_of(command)
        try:
            undrawn = self._undrawn(command)
        except NewSeedNeeded:
            raise NoFace("a die is thrown at the table here: say its face.", place="dice", order=do) from None
        if not undrawn:
            return
        first = undrawn[0]
        more = ", behind the others in one line" if write_dice(command) else ""
        if do in ROLLED:
            more = f" behind the name, as in {first.roller} 3"
        names = dict.fromkeys(self._die_name(key, do) for key in undrawn)
        raise NoFace(
            f"{self._die_name(first, do)} is thrown at the table: say its face{more} (a {first.kind}).",
            place="dice",
            dice=names if self.beside.typist.knows_all else (),
            order=do,
            rollers=(key.roller for key in undrawn) if self.beside.typist.knows_all else (),
        )

    def _undrawn(self, command: Command) -> list[DieKey]:
        """Return the dice that would be drawn for this order, the first ones where they are many."""
        judge = self.log.trial(self.encounter)
        timeline = judge.timeline
        state = self.state(timeline)
        found: list[DieKey] = []
        supposed: dict[str, int] = {}
        while len(found) < MOST_UNDRAWN:
            try:
                judge.supposing(supposed)(state, command, timeline.number + 1)
            except Undrawn as die:
                found.append(read_key(die.key))
                # Faces that differ: of those that are alike the tied ones would be thrown again, and again.
                supposed[die.key] = 1 + len(supposed) % LEAST_SIDES
            except MamError:
                if not found:
                    raise
                break
            else:
                break
        return found

    def _die_name(self, key: DieKey, do: str) -> str:
        """Return the name of a die of such an order: `Clone's defense`."""
        who = self._fight().person(key.roller)
        # An order that settles initiative rolls only among those who are tied.
        role = "tie-breaker" if do == "initiative" else _NUMBERED.sub("", key.role).replace("-", " ")
        return f"{who.name}'s {role}" if who else role

    def give(self, orders: Sequence[Written]) -> LineGiven:
        """Give orders one behind the other, as far as nobody may react, and nothing refuses what stands behind a die
        that was drawn.
        """
        for at, written in enumerate(orders):
            stop = None
            if written.words:
                stop = self._step(partial(self._said, written), written.text, written, orders, at)
            if written.ends and not stop:
                stop = self._step(self._end, ".", written, orders, at)
            if stop:
                behind = [*([stop.unused] if stop.unused else ()), *(order.text for order in orders[at + 1 :])]
                return LineGiven(tuple(self.said), tuple(self.answers), replace(stop, unused="; ".join(behind)))
        return LineGiven(tuple(self.said), tuple(self.answers))

    def _step(
        self, does: Callable[[], Stop | None], text: str, written: Written, orders: Sequence[Written], at: int
    ) -> Stop | None:
        """Do one thing of a line. Once a die was drawn it stands, and what is refused behind it stops the line: were
        all of it taken back, the refusal would tell what that die shows, before anybody has to decide.
        """
        view = self.log.look(self.encounter, self.beside.typist.view) if self.answers else ""
        fallen, known = any(stands(answer, view) for answer in self.answers), len(self.answers)
        try:
            with self.log.grouped(self.encounter) if fallen else nullcontext():
                stop = does()
        except MamError as no:
            placed = self._placed(no, written, len(orders), at)
            if not fallen:
                # A view is told a sentence with references for names where somebody is hidden: nothing else may differ.
                if self.answers and self.beside.typist.knows_all and (len(orders) > 1 or written.ends):
                    placed.followed_by(" Nothing of this line was written.")
                raise placed from None
            del self.said[known:], self.answers[known:]
            told = self.beside.typist.knows_all or placed.as_known
            return Stop({}, text, placed.sentence if told else "It is refused.")
        return replace(stop, unused=f"{stop.unused}.") if stop and written.ends else stop

    def _placed(self, no: MamError, written: Written, orders: int, at: int) -> MamError:
        """The error, with which of several orders it is about; in numbers where names in it are to be searched for."""
        placed = no
        if orders > 1:
            place = f'"{written.text}"' if self.beside.typist.knows_all else f"order {at + 1} of {orders}"
            if isinstance(no, Refused | BadInput):
                placed = no.at(place)
        placed.as_known = not self._asks_log
        return placed

    def _said(self, written: Written) -> Stop | None:
        """One order, and what it implies; the stop where its dice are for an exchange to which somebody may react."""
        own = own_word(written)
        if own and own.kind == "next":
            return self._next(written)
        if own and own.kind == "note":
            self._note(noted(written))
            return None
        if own and own.kind != "adjust":
            raise BadInput(f"{own.word} stands at the beginning of a line of its own.", wrong=written.words[0].word)
        if TURN_HEAD.match(written.words[0].word):
            return self._headed(written)
        fight = self._fight()
        read, seen = understood(fight, written)
        if isinstance(read, Meant):
            fight, read = self._in_turn(fight, read)
        try:
            order, faces = filled(fight, read)
        except WhoseDice as no:
            raise self._with_rollers(fight, read, no) from None
        self._execute(with_open(order.command, order.left_out, fight.state), fight.state.open_exchange, seen)
        return self._resolve(order.command, faces) if faces else None

    def _with_rollers(self, fight: Fight, read: LongOrder | Meant | Begins, no: WhoseDice) -> BadInput:
        """Return the question whose those dice are, with the names of those who throw, in their order."""
        if not self.beside.typist.knows_all or not isinstance(read, Meant):
            return no
        kept = tuple(said for said in read.rest if said.word not in no.faces)
        order, _ = filled(fight, replace(read, rest=kept))
        rollers = [key.roller for key in self._undrawn(order.command)]
        if not rollers:
            return BadInput(f"no dice are thrown for this, so what is {no.faces[0]}?", place=read.do, wrong=no.faces[0])
        faces = no.faces if len(no.faces) == len(rollers) else ("…",) * len(rollers)
        said: dict[str, list[str]] = {}
        for roller, face in zip(rollers, faces, strict=True):
            said.setdefault(roller, []).append(face)
        dice = " ".join(f"{roller} {' '.join(them)}" for roller, them in said.items())
        throws = ", ".join(fight.named(roller) for roller in said)
        whose = "whose dice are" if no.faces[1:] else "whose die is"
        told = f"{whose} {' '.join(no.faces)}? These throw: {throws}. The name stands before them: {dice}."
        return BadInput(told, place=read.do, wrong=no.faces[0])

    def _in_turn(self, fight: Fight, said: Meant) -> tuple[Fight, Meant]:
        """The fight once the round, or the turn, has begun that an order begins by the way; and the order."""
        waits = fight.state.round_open and not fight.state.initiative.entries
        if said.do == "round":
            waits = waits or rolls_late(fight, said.rest)
        if said.do == "round" and (waits or any(word.word for word in said.rest)):
            # A round that waits for its initiative is the one that is rolled for.
            if not waits:
                self._execute(Round(), fight.state.open_exchange)
            return self._fight(), replace(said, do="roll-initiative")
        if begins_turn(fight, said):
            self._begin(fight, Begins(str(fight.state.next_up)))
            return self._fight(), said
        return fight, said

    def _begin(self, fight: Fight, begins: Begins) -> None:
        self._execute(filled(fight, begins)[0].command, fight.state.open_exchange)

    def _end(self) -> Stop | None:
        state = self._fight().state
        if state.turn is None:
            if state.next_up:
                upcoming = state.combatants[state.next_up]
                raise Refused("out_of_turn/none_to_end_before", upcoming=upcoming, rule="MAM-ORDER-02")
            raise Refused("out_of_turn/none_to_end", rule="MAM-ORDER-02")
        self._execute(EndTurn(state.turn.combatant), state.open_exchange)
        return None

    def _next(self, written: Written) -> Stop | None:
        """The turn in progress ends, the next one begins, and with what follows something is done in it."""
        if self._fight().state.turn:
            self._end()
        fight = self._fight()
        upcoming = fight.state.next_up
        if upcoming is None:
            counts = fight.ruleset.edition.counts_actions
            raise Refused("out_of_turn/round_next" if counts else "out_of_turn/nobody_next", rule="MAM-ORDER-05")
        rest = list(written.words[1:])
        actions = whole(rest.pop(0).word) if rest and rest[0].word.isdecimal() else None
        if who := named_alone(fight, rest):
            if who != upcoming:
                people = fight.state.combatants
                raise Refused("out_of_turn/other_next", upcoming=people[upcoming], who=people[who], rule="MAM-ORDER-05")
            rest = []
        self._begin(fight, Begins(upcoming, actions))
        return self._said(written._replace(words=tuple(rest))) if rest else None

    def _headed(self, written: Written) -> Stop | None:
        """A line that begins with round and turn, as scores do."""
        name, actions, behind = turn_head(with_names(self._fight(), written.words[1:]))
        self._begin(self._fight(), Begins(person(self._fight(), name), actions))
        return self._said(written._replace(words=behind)) if behind else None

    def _note(self, note: Noted) -> None:
        def check(timeline: Timeline) -> Sight:
            for number in filter(None, (note.about, *note.corrections)):
                self.beside.typist.check_about(timeline, number)
            self.beside.typist.check_visible(timeline, note.visibility)
            return self.beside.typist.sees(timeline)

        self._asks_log = True
        sees = self.log.look(self.encounter, check)
        if note.kind == "answer" and not note.about:
            note = replace(note, about=self._open_dispute(sees))
        answer = self.log.note(
            self.encounter,
            note.text,
            kind=note.kind,
            about=note.about,
            rule=note.rule,
            visibility=note.visibility,
            corrections=note.corrections,
            sees=sees,
            **self._sent(),
        )
        self._answered(note.long, answer)

    def _open_dispute(self, sees: Sight) -> int:
        """Return the only open dispute; raises BadInput where none or several are."""
        disputes = self.log.look(self.encounter, lambda timeline: dict(timeline.disputes))
        found = [number for number, decided in disputes.items() if not decided and sees(number)]
        if len(found) != 1:
            told = f"Which dispute? Open: {', '.join(map(str, found))}." if found else "No dispute is open."
            raise BadInput(told, place="answer")
        return found[0]

    def _resolve(self, spoken: Command, faces: Sequence[str]) -> Stop | None:
        """The exchange resolved by faces that stood behind an order, unless somebody may still react to it."""
        fight = self._fight()
        if not fight.state.exchange:
            raise BadInput(f"{' '.join(faces)}: no dice are thrown for this.", wrong=faces[0])
        knows_all = self.beside.typist.knows_all
        may = reactions(fight, actor_of(spoken), self.beside.passing) if knows_all and self.stops else {}
        if may or not knows_all:
            return Stop(may, " ".join(faces))
        order, _ = in_full(fight, Meant("resolve", "", {}, tuple(Said("", face) for face in faces)))
        self._execute(with_open(order.command, order.left_out, fight.state), fight.state.open_exchange)
        return None

    def correct(self, written: Written) -> LineGiven:
        """Write a correction; where it changes later rulings, what it would change, if nobody is sure."""
        own = OWN_WORDS[written.words[0].word.lower()]
        timeline, typist = self.log.timeline(self.encounter), self.beside.typist
        sees = typist.sees(timeline)
        if not typist.knows_all and not (own.word == "undo" and _only_reason(written)):
            raise Refused("not_yours/own_last")
        found = corrected(timeline, lambda state: typist.fight(timeline, state, self.log.rules), written, sees)
        typist.check_undo(timeline, found.steps)
        told = found.long(lambda number: type(timeline.command(number)))
        if self.asks:
            preview = self.log.preview(self.encounter, found.steps, sees=sees, turns=found.turns)
            if preview.touches_more or found.passes_note or self.beside.looks:
                return LineGiven((told,), asks=preview)
        answer = self.log.correct(
            self.encounter,
            found.steps,
            reason=found.reason,
            expect=self.beside.expect,
            turns=found.turns,
            **self._sent(),
        )
        return LineGiven((told,), (answer,))


def _only_reason(written: Written) -> bool:
    """True for a word of the log with nothing behind it but why."""
    return all(isinstance(said.value, Quoted) for said in written.words[1:])


def begins_turn(fight: Fight, said: Meant) -> bool:
    """True for an order of whoever is next, between turns, that nobody may give before his turn has begun."""
    state, kind = fight.state, COMMANDS[said.do]
    field = actor_field(kind)
    if not field or ("turn" not in shapes(kind)[field].unsaid and shapes(kind)[field].unsaid not in _OWN_TURN):
        return False
    if said.do in _BOUNDING or state.exchange or state.window.open or not state.next_up:
        return False
    if whose_move(state) != state.next_up or said.actor not in ("", state.next_up):
        return False
    between = not state.turn if not fight.ruleset.edition.counts_actions else True
    return between and not fight.allowed(said.do, state.next_up)
