"""A line given to the log: read with the fight, written whole or not at all, and stopped where somebody may react."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING
from uuid import uuid4

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import COMMANDS, BeginTurn, Command, Declare, EndTurn, Round, actor_of, name_of
from mam_events.errors import BadInput, MamError, NotFound, Refused
from mam_events.log.answers import Answer, Preview
from mam_events.log.arguments import nth_id
from mam_events.log.idempotency import digest, first_answer, typed_as
from mam_events.naming import names_in
from mam_events.notation.long_form import SEEN, LongOrder, actor_field, is_long, long_form, read_long
from mam_events.notation.meaning import Begins, Fight, Meant, meant, whose_move
from mam_events.notation.open_ones import open_ones, with_open
from mam_events.notation.own_words import (
    ADJUSTING,
    CORRECTING,
    INSERTING,
    NOTES,
    Corrected,
    Noted,
    adjusted,
    corrected,
    noted,
)
from mam_events.notation.short_form import in_full
from mam_events.notation.words import Said, Written, orders_in
from mam_events.shapes import shapes

if TYPE_CHECKING:
    from mam_events.deciding.ruleset import Ruleset
    from mam_events.log.combat_log import CombatLog
    from mam_events.rulings.timeline import Timeline
    from mam_events.state import Encounter

NEXT = ("n", "next")
SURE = "!"
"""At the end of a line it says that a correction is meant, whatever it changes."""
META = ("by", "id", "expect")
"""Words about a line beside its orders; who may see it is said of each order."""
_HEAD = re.compile(r"[0-9]{1,6}\.[0-9]{1,6}\Z")


class Stop(Struct, frozen=True):
    """The place where a line stopped: who may react and by which orders, and what was not used of it."""

    may: dict[str, tuple[str, ...]]
    unused: str


class LineGiven(Struct, frozen=True):
    """A line given: its orders in their long form, and a ruling for each.

    `stopped` tells that somebody may react first, `asks` what a correction would change: nothing is written then until
    it is given again with `!`, or with what that is to be held to.
    """

    said: tuple[str, ...]
    answers: tuple[Answer, ...] = ()
    stopped: Stop | None = None
    asks: Preview | None = None


def give_line(  # noqa: PLR0913 - as the log itself
    log: CombatLog,
    encounter: str,
    line: str,
    *,
    by: str = "",
    command_id: str = "",
    expected: int | None = None,
    expect: str = "",
    sure: bool = False,
    passing: Collection[str] = (),
) -> LineGiven:
    """Give a line: all of its orders, each a ruling of its own, in one transaction, or none.

    `by` is who orders where the line does not say; under a `command_id` the line is known again as a whole. `expected`
    is the ruling that must be the newest, `expect` what the preview of a correction showed, and `sure` writes it
    without one. A line does not stop for `passing` orders. Raises BadInput for what cannot be read or could mean
    several things, else as the log does.
    """
    orders = orders_in(line)
    orders, said = _meta(orders)
    if said.get("expect", "").isdecimal():
        expected = int(said["expect"][:9])
    else:
        expect = said.get("expect", expect)
    command_id = said.get("id", command_id)
    if command_id and (again := _given(log, encounter, command_id, line)):
        return again
    if orders and orders[-1].words and orders[-1].words[-1].word == SURE:
        sure = True
        *orders, last = orders
        orders = [*orders, last._replace(words=last.words[:-1])] if len(last.words) > 1 or last.ends else orders
    # By a new one it is found again whenever it is to be taken back.
    teller = _Teller(log, encounter, said.get("by", by), command_id or f"line-{uuid4().hex[:16]}", expected)
    word = orders[0].words[0].word.lower() if orders and orders[0].words else ""
    if word in CORRECTING or word == INSERTING:
        if len(orders) > 1 or orders[0].ends:
            raise BadInput("a correction stands on a line of its own.", wrong=word)
        with log.grouped(encounter, line=line):
            return teller.correct(orders[0], expect=expect, sure=sure)
    with log.grouped(encounter, line=line):
        return teller.give(orders, passing)


def _meta(orders: Sequence[Written]) -> tuple[list[Written], dict[str, str]]:
    """The orders without what is said of the whole line, and that."""
    found: dict[str, str] = {}
    for order in orders:
        for word in order.words:
            if word.key in META:
                if not isinstance(word.value, str) or found.get(word.key, word.value) != word.value:
                    raise BadInput(f"{word.key} is one word, or one text.", place=word.key)
                found[word.key] = str(word.value)
    kept = [order._replace(words=tuple(word for word in order.words if word.key not in META)) for order in orders]
    return kept, found


def _given(log: CombatLog, encounter: str, command_id: str, line: str) -> LineGiven | None:
    """The line given under that id before; refused with `key_reused` where it was another one."""
    body = digest(typed_as(line))

    def look(timeline: Timeline) -> list[tuple[Answer, str]]:
        found: list[tuple[Answer, str]] = []
        while (key := nth_id(command_id, len(found) + 1)) in timeline.ids:
            answer = first_answer(encounter, timeline, key, body)
            found.append((answer, _told(timeline, answer)))
        return found

    try:
        told = log.look(encounter, look)
    except NotFound:
        return None
    return LineGiven(tuple(said for _, said in told), tuple(answer for answer, _ in told)) if told else None


def _told(timeline: Timeline, answer: Answer) -> str:
    """A ruling in its long form, as it was given."""
    entry = timeline.entries.get(answer.number)
    if entry is not None:
        return long_form(entry.head.command, timeline.state_before(timeline.place[answer.number]).open_exchange)
    head = answer.head
    if hasattr(head, "steps"):
        return Corrected(head.steps, getattr(head, "reason", "")).long
    return Noted(getattr(head, "text", ""), getattr(head, "kind", "comment"), getattr(head, "about", 0)).long


class _Teller:
    """One line on its way into the log."""

    def __init__(self, log: CombatLog, encounter: str, by: str, command_id: str, expected: int | None) -> None:
        self.log = log
        self.encounter = encounter
        self.by = by
        self.command_id = command_id
        self.expected = expected
        self.said: list[str] = []
        self.answers: list[Answer] = []

    def _sent(self) -> dict[str, object]:
        """The words beside the next order."""
        first = not self.answers
        return {
            "by": self.by,
            "command_id": nth_id(self.command_id, len(self.answers) + 1),
            "expected": self.expected if first else None,
        }

    def _fight(self) -> Fight:
        return self.log.look(self.encounter, lambda timeline: Fight(timeline.state, self._rules(timeline.state)))

    def _rules(self, state: Encounter) -> Ruleset:
        if state.ruleset is None:
            raise Refused("not_open", f'The encounter "{self.encounter}" is not open.')
        return self.log.rules.in_force(state.ruleset)

    def _execute(self, command: Command, open_exchange: int) -> None:
        answer = self.log.execute(self.encounter, command, **self._sent())  # type: ignore[arg-type]  # each of its kind
        self.said.append(long_form(command, open_exchange))
        self.answers.append(answer)

    def give(self, orders: Sequence[Written], passing: Collection[str]) -> LineGiven:
        """Give orders one behind the other, as far as nobody may react."""
        for at, written in enumerate(orders):
            try:
                stop = self._order(written, passing)
            except MamError as no:
                raise _placed(no, written, len(orders), at) from None
            if stop:
                behind = [*([stop.unused] if stop.unused else ()), *(order.text for order in orders[at + 1 :])]
                end = "." if written.ends else ""
                return LineGiven(tuple(self.said), tuple(self.answers), replace(stop, unused="; ".join(behind) + end))
        return LineGiven(tuple(self.said), tuple(self.answers))

    def _order(self, written: Written, passing: Collection[str]) -> Stop | None:
        stop = self._said(written, passing) if written.words else None
        if written.ends and not stop:
            self._end()
        return stop

    def _said(self, written: Written, passing: Collection[str]) -> Stop | None:
        """One order, and what it implies; the stop where its dice are for an exchange to which somebody may react."""
        word = written.words[0].word.lower()
        if word in NEXT:
            return self._next(written, passing)
        if word in NOTES:
            self._note(noted(written))
            return None
        if word in CORRECTING or word == INSERTING:
            raise BadInput("a correction stands on a line of its own.", wrong=word)
        if _HEAD.match(word):
            return self._headed(written, passing)
        fight = self._fight()
        if long := _read_as_long(written, fight.state):
            self._give(fight, long)
            return None
        if word == ADJUSTING:
            self._give(fight, adjusted(fight, _without(written, SEEN)))
            return None
        return self._short(fight, written, passing)

    def _short(self, fight: Fight, written: Written, passing: Collection[str]) -> Stop | None:
        seen = [word.value for word in written.words if word.key == SEEN]
        said = meant(fight, written._replace(words=tuple(word for word in written.words if word.key != SEEN)))
        if isinstance(said, Begins):
            self._begin(fight, said)
            return None
        if said.do == "round" and any(word.word for word in said.rest):
            self._execute(Round(), fight.state.open_exchange)
            fight, said = self._fight(), replace(said, do="roll-initiative")
        if self._must_begin(fight, said):
            self._begin(fight, Begins(str(fight.state.next_up)))
            fight = self._fight()
        order, faces = in_full(fight, said)
        if seen:
            order = replace(order, command=replace(order.command, visibility=str(seen[0])))
        self._give(fight, order)
        return self._resolve(order.command, faces, passing) if faces else None

    def _must_begin(self, fight: Fight, said: Meant) -> bool:
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

    def _give(self, fight: Fight, order: LongOrder) -> None:
        self._execute(with_open(order.command, order.left_out, fight.state), fight.state.open_exchange)

    def _begin(self, fight: Fight, begins: Begins) -> None:
        if fight.ruleset.edition.counts_actions:
            declared = Declare(begins.combatant, 1 if begins.actions is None else begins.actions)
            self._execute(declared, fight.state.open_exchange)
        elif begins.actions is not None:
            raise BadInput(
                f"what are {begins.actions} of {fight.named(begins.combatant)}? Actions are declared in Ron d6 only.",
                wrong=str(begins.actions),
            )
        else:
            self._execute(BeginTurn(begins.combatant), fight.state.open_exchange)

    def _end(self) -> None:
        state = self.log.at(self.encounter)
        if state.turn is None:
            raise Refused("out_of_turn", "It is nobody's turn that a full stop could end.", rule="MAM-ORDER-02")
        self._execute(EndTurn(state.turn.combatant), state.open_exchange)

    def _next(self, written: Written, passing: Collection[str]) -> Stop | None:
        """The turn in progress ends, the next one begins, and with what follows something is done in it."""
        if self.log.at(self.encounter).turn:
            self._end()
        fight = self._fight()
        upcoming = fight.state.next_up
        if upcoming is None:
            raise Refused("out_of_turn", "Nobody is next.", rule="MAM-ORDER-05")
        rest = list(written.words[1:])
        actions = int(rest.pop(0).word[:6]) if rest and rest[0].word.isdecimal() else None
        self._begin(fight, Begins(upcoming, actions))
        return self._said(written._replace(words=tuple(rest)), passing) if rest else None

    def _headed(self, written: Written, passing: Collection[str]) -> Stop | None:
        """A line that begins with round and turn, as scores do."""
        words = list(written.words[1:])
        name, actions = (words.pop(0).word if words else ""), None
        if not name.endswith(":") and words and words[0].word.removesuffix(":").isdecimal():
            number = words.pop(0).word
            actions = int(number.removesuffix(":")[:6])
            words = [Said("", f"{name}:"), *words] if number.endswith(":") else words
        elif name.endswith(":"):
            words = [Said("", name), *words]
        fight = self._fight()
        combatant = name.removesuffix(":")
        if fight.person(combatant) is None:
            raise NotFound(f'nobody here is called "{combatant}".', wrong=combatant, allowed=fight.state.combatants)
        self._begin(fight, Begins(combatant, actions))
        behind = len(words) > 1 or (words and not words[0].word.endswith(":"))
        return self._said(written._replace(words=tuple(words)), passing) if behind else None

    def _note(self, note: Noted) -> None:
        sent = self._sent()
        answer = self.log.note(
            self.encounter,
            note.text,
            kind=note.kind,
            about=note.about,
            rule=note.rule,
            visibility=note.visibility,
            **sent,  # type: ignore[arg-type]  # each of its kind
        )
        self.said.append(note.long)
        self.answers.append(answer)

    def _resolve(self, spoken: Command, faces: Sequence[str], passing: Collection[str]) -> Stop | None:
        """The exchange resolved by faces that stood behind an order, unless somebody may still react to it."""
        fight = self._fight()
        if not fight.state.exchange:
            raise BadInput(f"{' '.join(faces)}: no dice are thrown for this.", wrong=faces[0])
        may = reactions(fight, actor_of(spoken), passing)
        if may:
            return Stop(may, " ".join(faces))
        order, _ = in_full(fight, Meant("resolve", "", {}, tuple(Said("", face) for face in faces)))
        self._give(fight, order)
        return None

    def correct(self, written: Written, *, expect: str, sure: bool) -> LineGiven:
        """Write a correction or an insert; where it changes later rulings, what it would change, if nobody is sure."""
        if written.words[0].word.lower() == INSERTING:
            return self._insert(written, expect=expect, sure=sure)
        found = self.log.look(self.encounter, lambda timeline: corrected(timeline, self._rules, written))
        if not (sure or expect):
            preview = self.log.preview(self.encounter, found.steps)
            if preview.touches_more:
                return LineGiven((found.long,), asks=preview)
        sent = self._sent()
        answer = self.log.correct(self.encounter, found.steps, reason=found.reason, expect=expect, **sent)  # type: ignore[arg-type]  # each of its kind
        return LineGiven((found.long,), (answer,))

    def _insert(self, written: Written, *, expect: str, sure: bool) -> LineGiven:
        words = list(written.words[1:])
        number = re.match(r"#?([0-9]{1,9}):?\Z", words[0].word) if words else None
        if number is None or len(words) == 1:
            raise BadInput("behind which ruling, and what? after 13 draw.", place=INSERTING)
        after = int(number[1])
        state = self.log.at(self.encounter, after)
        inner = written._replace(words=tuple(words[1:]))
        order = _read_as_long(inner, state) or self._then(state, inner)
        command = with_open(order.command, order.left_out, state)
        told = f"after #{after}: {long_form(command, state.open_exchange)}"
        if not (sure or expect):
            preview = self.log.preview_insert(self.encounter, command, after)
            if preview.touches_more:
                return LineGiven((told,), asks=preview)
        sent = self._sent()
        answer = self.log.execute(self.encounter, command, after=after, expect=expect, **sent)  # type: ignore[arg-type]  # each of its kind
        return LineGiven((told,), (answer,))

    def _then(self, state: Encounter, written: Written) -> LongOrder:
        """The order that short words mean in the fight as it stood then."""
        fight = Fight(state, self._rules(state))
        if written.words[0].word.lower() == ADJUSTING:
            return adjusted(fight, written.words[1:])
        said = meant(fight, written)
        if isinstance(said, Begins):
            kind = Declare if fight.ruleset.edition.counts_actions else BeginTurn
            return LongOrder(kind(said.combatant))
        order, faces = in_full(fight, said)
        if faces:
            raise BadInput("dice are inserted by a resolve of their own.", wrong=faces[0])
        return order


_OWN_TURN = ("who acts", "who moves", "who begins")
_BOUNDING = ("begin-turn", "declare", "skip-turn", "delay-turn", "end-turn", "move-up")
"""Orders about turns themselves, which never begin one by the way."""


def _without(written: Written, key: str) -> tuple[Said, ...]:
    return tuple(word for word in written.words[1:] if word.key != key)


def _read_as_long(written: Written, state: Encounter) -> LongOrder | None:
    """The order, if the line is long and the fight knows whom it names."""
    try:
        order = read_long(written)
    except BadInput:
        return None
    if not is_long(order):
        return None
    if name_of(order.command) != "join":
        people = (name.value for name in names_in(order.command) if name.kinds == ("combatant",))
        if any(one not in state.combatants for one in people if isinstance(one, str) and one not in ("", "-")):
            return None
    return order


def reactions(fight: Fight, spoke: str, passing: Collection[str] = ()) -> dict[str, tuple[str, ...]]:
    """Those who may still react to what is open, but for who spoke last, each with the orders by which."""
    found: dict[str, list[str]] = {}
    for do in sorted(fight.orders - set(passing)):
        kind = COMMANDS[do]
        if "exchange" not in open_ones(kind) or not actor_field(kind):
            continue
        if shapes(kind)["exchange"].unsaid != "the open exchange":
            continue
        for offer in fight.allowed(do):
            if offer.combatant != spoke and do not in found.setdefault(offer.combatant, []):
                found[offer.combatant].append(do)
    return {who: tuple(orders) for who, orders in found.items()}


def _placed(no: MamError, written: Written, orders: int, at: int) -> MamError:
    """The error, with which of several orders it is about."""
    if orders == 1:
        return no
    place = f'"{written.text}"'
    if isinstance(no, Refused):
        return no.at(place)
    if isinstance(no, BadInput):
        return BadInput(no.sentence, place=place, wrong=no.wrong, allowed=no.allowed)
    return no
