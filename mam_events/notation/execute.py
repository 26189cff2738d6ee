"""One line on its way into the log: its orders one after the other, each read with the current state of the fight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from mam_events.commands import Command, EndTurn, Round, actor_of, name_of
from mam_events.errors import BadInput, MamError, Refused, Unclear
from mam_events.history.corrections.confirmation import ASKED_IN_LINES, check_raised, check_sure
from mam_events.history.corrections.notes import open_disputes
from mam_events.history.timeline.command_ids import batch_member_id
from mam_events.log.newcomers import complete_join
from mam_events.log.results import Answer, is_kept
from mam_events.notation.context import LineContext, ResolvedOrder, TurnStart, find_combatant, next_combatant
from mam_events.notation.grammar.long_form import LongOrder, long_form
from mam_events.notation.grammar.verbs import own_word
from mam_events.notation.grammar.vocabulary import LOG_KEYWORDS
from mam_events.notation.hints.alternatives import MOST_TYPED, alternative_for, with_typed
from mam_events.notation.lexer.conjunctions import TwoOrders, split_orders
from mam_events.notation.lexer.lexer import ParsedOrder, TextToken, WordToken, parse_number
from mam_events.notation.lexer.name_spans import sole_name, with_names
from mam_events.notation.line_result import LineGiven, LineOptions, LineStop
from mam_events.notation.lines.correction_line import parse_correction_line
from mam_events.notation.lines.idioms import as_log_line, may_be_idiom, may_be_two, split_in_two
from mam_events.notation.lines.initiative_line import WhoseDice, rolls_late
from mam_events.notation.lines.note_line import NoteLine, or_remark, parse_note_line
from mam_events.notation.orders.defaults import most_ready
from mam_events.notation.orders.open_references import resolve_open_references
from mam_events.notation.orders.parser import complete_order, parse_order, reactions_to
from mam_events.notation.orders.resolver import TURN_HEAD, turn_head
from mam_events.notation.orders.short_form import expand_short_form
from mam_events.notation.orders.table_dice import ThrownDice
from mam_events.notation.orders.turn_orders import begins_turn, is_turn_order, says_actions
from mam_events.refusals import arguments

if TYPE_CHECKING:
    from mam_events.history.corrections.corrections import SeesRuling
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.combat_log import CombatLog
    from mam_events.state import Encounter

NOT_READY = "not_enough_ready"
"""The error code for missing ready points."""
_NEED_POINTS = ("escape", "manipulate")
"""Orders that have no effect without points of their own."""


class LineExecution:
    """The execution of one line in an encounter."""

    stops = True
    """True if the line stops before its dice while somebody may still react."""
    writes = True
    """False if the effect of the line is only judged and not written."""

    def __init__(self, log: CombatLog, encounter: str, beside: LineOptions) -> None:
        self.log = log
        self.encounter = encounter
        self.beside = beside
        self.said: list[str] = []
        self.answers: list[Answer] = []
        self._whose, self._by_name = "", False
        """The combatant who acted last in this line in their own turn, and whether the line named them."""
        self._begun_with: LineContext | None = None
        """The fight before a line of several orders."""
        self._asks_log = False
        """True during a call to the log, which knows more of the fight than a view may."""

    def _sent(self) -> dict[str, Any]:
        """Return the options for the next order."""
        first = not self.answers
        return {
            "by": self.beside.by,
            "command_id": batch_member_id(self.beside.command_id, len(self.answers) + 1),
            "expected": self.beside.expected if first else None,
        }

    @property
    def asks(self) -> bool:
        """True if a change of later rulings is first shown and not yet written."""
        return self.beside.looks or not (self.beside.sure or self.beside.expect)

    def state(self, timeline: Timeline) -> Encounter:
        """Return the state in which the next order is read: the current one."""
        return timeline.state

    def _fight(self) -> LineContext:
        """Return that fight as the author knows it."""

        def at(timeline: Timeline) -> LineContext:
            state = self.state(timeline)
            if state.ruleset is None:
                raise Refused("not_open", encounter=arguments.TextArgument(self.encounter))
            return self.beside.typist.fight(timeline, state, self.log.rules)

        return self.log.look(self.encounter, at)

    def _execute(self, command: Command, open_exchange: int, seen: str = "") -> None:
        command = replace(command, visibility=seen) if seen else command
        self._asks_log = True
        self.log.look(self.encounter, lambda timeline: self.beside.typist.check_order(timeline, command))
        command = complete_join(command, self.log.sheets)
        if self.writes and self.asks and isinstance(command, ASKED_IN_LINES):
            disputes = self.log.look(self.encounter, open_disputes)
            check_sure([command], self._fight().state, disputes, typed=True)
        if not self.beside.draws:
            fight, knows_all = self._fight(), self.beside.typist.knows_all
            ThrownDice(self.log, self.encounter, fight, self.state, knows_all=knows_all).check(command)
        self._write(command, open_exchange)

    def _write(self, command: Command, open_exchange: int) -> None:
        answer = self.log.execute(self.encounter, command, **self._sent())
        self._answered(long_form(command, open_exchange), answer)

    def _answered(self, said: str, answer: Answer) -> None:
        self._asks_log = False
        self.said.append(said)
        self.answers.append(answer)

    def give(self, orders: Sequence[ParsedOrder]) -> LineGiven:
        """Give orders one after the other, until somebody may react or an order is refused after a die was drawn."""
        self._begun_with = self._fight() if len(orders) > 1 else None
        orders = list(orders)
        at = 0
        while at < len(orders):
            written, stop = orders[at], None
            if may_be_two(written) and (two := split_in_two(self._fight(), written)):
                orders[at : at + 1] = two
                continue
            if may_be_idiom(written):
                written = orders[at] = as_log_line(self._fight(), written)
            if written.words:
                stop = self._step(partial(self._said, written), written.text, written, orders, at)
            if isinstance(stop, TwoOrders):
                orders[at : at + 1] = [stop.first, stop.rest]
                continue
            if written.ends and not stop and not (written.words and self._fight().state.turn is None):
                # After an order that leaves no turn to end, like a flight, a full stop has no effect.
                stop = self._step(self._end, ".", written, orders, at)
            if isinstance(stop, LineStop):
                behind = [*([stop.unused] if stop.unused else ()), *(order.text for order in orders[at + 1 :])]
                return LineGiven(tuple(self.said), tuple(self.answers), replace(stop, unused="; ".join(behind)))
            at += 1
        return LineGiven(tuple(self.said), tuple(self.answers))

    def _step(
        self,
        does: Callable[[], LineStop | TwoOrders | None],
        text: str,
        written: ParsedOrder,
        orders: Sequence[ParsedOrder],
        at: int,
    ) -> LineStop | TwoOrders | None:
        """Do one step of a line.

        A drawn die stands, and a later refusal only stops the line. If the whole line were undone, the refusal would
        reveal the die before anybody has to decide.
        """
        view = self.log.look(self.encounter, self.beside.typist.view) if self.answers else ""
        fallen, known = any(is_kept(answer, view) for answer in self.answers), len(self.answers)
        try:
            with self.log.grouped(self.encounter) if fallen else nullcontext():
                stop = does()
        except MamError as refusal:
            knows_all = self.beside.typist.knows_all
            no = or_remark(self._fight(), written, refusal) if type(refusal) is BadInput and knows_all else refusal
            ready = self._ready_first(no, orders, at) if self.beside.typist.knows_all else ""
            placed = self._placed(no, written, len(orders), at)
            if not ready and self.beside.typist.knows_all:
                ready = alternative_for(self._fight(), no, written.text)
            if ready:
                placed.followed_by(ready)
            if not fallen:
                # If somebody is hidden, a view gets references in place of names; nothing else may differ.
                if self.answers and self.beside.typist.knows_all and (len(orders) > 1 or written.ends):
                    placed.followed_by(" Nothing from this line was written.")
                raise placed from None
            del self.said[known:], self.answers[known:]
            told = self.beside.typist.knows_all or placed.as_known
            return LineStop({}, text, placed.sentence if told else "It is refused.")
        return replace(stop, unused=f"{stop.unused}.") if isinstance(stop, LineStop) and written.ends else stop

    def _ready_first(self, no: MamError, orders: Sequence[ParsedOrder], at: int) -> str:
        """Return how many points may become ready before an order that lacks them, with the line to type, or ""."""
        if no.code != NOT_READY:
            return ""
        fight = self._fight()
        who = next_combatant(fight.state)
        lacks = no.message.references if isinstance(no, Refused) else {}
        place, template = at, next(iter(fight.allowed("ready", who)), None) if who else None
        if template is None and self._begun_with and next_combatant(self._begun_with.state) == who:
            # Points become ready before anything else is done in a turn.
            place, template = 0, next(iter(self._begun_with.allowed("ready", who)), None)
        if template is None or (
            isinstance(lacks.get("who"), arguments.CombatantArgument)
            and lacks["who"] != arguments.CombatantArgument(who, fight.name_of(who))
        ):
            return ""
        most, low, high = most_ready(template)
        ready = "ready all" if low < high else "ready"
        needs, has = lacks.get("points", 0), lacks.get("ready", 0)
        if not most:
            return ""
        if isinstance(needs, int) and isinstance(has, int) and has + most < needs:
            return f" Only {most} more may become ready first ({ready})."
        text = orders[place].text
        if place == at and isinstance(no, Refused) and no.order in _NEED_POINTS and not any(map(str.isdecimal, text)):
            # Ready points still have to be given.
            text = f"{text} p{needs}"
        first, *rest = text.split(" ", 1)
        # `n a rat` begins a turn, and does something in it.
        own = own_word(orders[place])
        behind = [f"{first} {ready}", *rest] if own and own.kind == "next" else [ready, text]
        line = "; ".join([*(one.text for one in orders[:place]), *behind, *(one.text for one in orders[place + 1 :])])
        return f" {most} more may become ready first: {line}{'' if line.endswith('.') else '.'}"

    def _placed(self, no: MamError, written: ParsedOrder, orders: int, at: int) -> MamError:
        """Return the error with the place of its order among several.

        The place is a number if the text could be searched for names.
        """
        placed = no
        if orders > 1:
            place = f'"{written.text}"' if self.beside.typist.knows_all else f"order {at + 1} of {orders}"
            if isinstance(no, Refused | BadInput):
                placed = no.at(place)
        if isinstance(placed, Unclear):
            placed.nth = at
        placed.as_known = not self._asks_log
        return placed

    def _said(self, written: ParsedOrder) -> LineStop | TwoOrders | None:
        """Give one order and what it implies.

        Return the stop if its dice are for an exchange to which somebody may react, or the two orders if they can only
        be read one by one.
        """
        own = own_word(written)
        if own and own.kind == "next":
            return self._next(written)
        if own and own.kind == "note":
            self._note(parse_note_line(written))
            return None
        if own and own.kind != "adjust":
            raise BadInput(f"Type {own.word} on a line of its own.", wrong=written.words[0].word)
        if TURN_HEAD.match(written.words[0].word):
            return self._headed(written)
        fight = self._fight()
        read, seen = parse_order(fight, written)
        turn = fight.state.turn
        if isinstance(read, TurnStart) and written.ends and turn and turn.combatant == read.combatant:
            # `mara.` in her own turn ends it.
            return None
        self._take_line(fight, read, written.text)
        if isinstance(read, ResolvedOrder):
            fight, read = self._in_turn(fight, read)
        elif begins_turn(fight, read):
            self._begin(fight, TurnStart(str(fight.state.next_up)))
            fight = self._fight()
        try:
            order, faces = self._filled(fight, read)
        except BadInput:
            two = split_orders(fight, written, read) if isinstance(read, ResolvedOrder) and not seen else None
            if two is None:
                raise
            return two
        return self._give_order(fight, order, faces, seen)

    def _filled(
        self, fight: LineContext, read: LongOrder | ResolvedOrder | TurnStart
    ) -> tuple[LongOrder, tuple[str, ...]]:
        """Return an order with all omitted fields filled in, and the faces that are left for its exchange."""
        try:
            return complete_order(fight, read)
        except Refused as no:
            assert isinstance(read, ResolvedOrder)  # noqa: S101 - nothing is to be found of an order in full
            raise with_typed(no, read.do, read.preset.get("follow_up", "none"), _ready(fight, read.actor)) from None
        except WhoseDice as no:
            raise self._with_rollers(fight, read, no) from None

    def _give_order(self, fight: LineContext, order: LongOrder, faces: Sequence[str], seen: str) -> LineStop | None:
        down = [one.id for one in fight.state.combatants.values() if order.of_many and one.condition != "able"]
        try:
            self._execute(
                resolve_open_references(order.command, order.left_out, fight.state), fight.state.open_exchange, seen
            )
        except Refused as no:
            do, follow_up = name_of(order.command), getattr(order.command, "follow_up", "none")
            raise with_typed(no, do, follow_up, _ready(fight, actor_of(order.command))) from None
        self._check_raised(order.command, down)
        return self._resolve(order.command, faces) if faces else None

    def _take_line(self, fight: LineContext, read: LongOrder | ResolvedOrder | TurnStart, text: str) -> None:
        """Remember the actor as the one whose line it is; raise Refused with `out_of_turn` for another, unnamed one."""
        if isinstance(read, TurnStart):
            self._whose, self._by_name = read.combatant, True
            return
        do = read.do if isinstance(read, ResolvedOrder) else name_of(read.command)
        if not is_turn_order(do):
            return
        named = read.actor if isinstance(read, ResolvedOrder) else actor_of(read.command)
        who = named or next_combatant(fight.state)
        if self._whose and not named and who not in ("", self._whose):
            people = fight.state.combatants
            raise Refused(
                "out_of_turn/not_named",
                who=people[self._whose],
                other=people[who],
                mine=arguments.Id(self._whose),
                name=arguments.Id(who),
                order=arguments.TextArgument(text),
                rule="MAM-ORDER-02",
            )
        self._by_name = bool(named) or (self._by_name and who == self._whose)
        self._whose = who

    def _check_raised(self, command: Command, down: Sequence[str]) -> None:
        """Raise Refused with `needs_sure` if the order brought up people whom only a word for many named.

        The caller then doesn't keep the order.
        """
        if not (down and self.writes and self.asks):
            return
        people = self._fight().state.combatants
        check_raised(command, [people[one] for one in down if people[one].condition == "able"])

    def _with_rollers(self, fight: LineContext, read: LongOrder | ResolvedOrder | TurnStart, no: WhoseDice) -> BadInput:
        """Return the error that asks whose those dice are, with the names of the rollers in their order."""
        if not self.beside.typist.knows_all or not isinstance(read, ResolvedOrder):
            return no
        kept = tuple(said for said in read.rest if said.word not in no.faces)
        order, _ = complete_order(fight, replace(read, rest=kept))
        rollers = [
            key.roller
            for key in ThrownDice(self.log, self.encounter, fight, self.state, knows_all=True).undrawn(order.command)
        ]
        if not rollers:
            return BadInput(f"No dice are thrown for this. Leave {no.faces[0]} out.", place=read.do, wrong=no.faces[0])
        faces = no.faces if len(no.faces) == len(rollers) else ("…",) * len(rollers)
        said: dict[str, list[str]] = {}
        for roller, face in zip(rollers, faces, strict=True):
            said.setdefault(roller, []).append(face)
        dice = " ".join(f"{roller} {' '.join(them)}" for roller, them in said.items())
        throws = ", ".join(fight.name_of(roller) for roller in said)
        whose = "Whose dice are" if no.faces[1:] else "Whose die is"
        told = f"{whose} {' '.join(no.faces)}? These throw: {throws}. Put the names before the faces: {dice}."
        return BadInput(told, place=read.do, wrong=no.faces[0])

    def _in_turn(self, fight: LineContext, said: ResolvedOrder) -> tuple[LineContext, ResolvedOrder]:
        """Return the fight after the order has implicitly begun the round or the turn, and the order."""
        waits = fight.state.round_open and not fight.state.initiative.entries
        if said.do == "round" and [word.word for word in said.rest] == [str(fight.state.round + 1)]:
            # `round 2` says which one begins.
            said = replace(said, rest=())
        if said.do == "round":
            waits = waits or rolls_late(fight, said.rest)
        if said.do == "round" and (waits or any(word.word for word in said.rest)):
            # A round that waits for its initiative is the one that is rolled for.
            if not waits:
                self._execute(Round(), fight.state.open_exchange)
            return self._fight(), replace(said, do="roll-initiative")
        if begins_turn(fight, said):
            self._begin(fight, TurnStart(str(fight.state.next_up)))
            return self._fight(), said
        return fight, said

    def _begin(self, fight: LineContext, begins: TurnStart) -> None:
        self._execute(complete_order(fight, begins)[0].command, fight.state.open_exchange)

    def _end(self) -> LineStop | None:
        state = self._fight().state
        if state.turn is None:
            if state.next_up:
                upcoming = state.combatants[state.next_up]
                raise Refused("out_of_turn/none_to_end_before", upcoming=upcoming, rule="MAM-ORDER-02")
            raise Refused("out_of_turn/none_to_end", rule="MAM-ORDER-02")
        self._execute(EndTurn(state.turn.combatant), state.open_exchange)
        if not self._by_name:
            self._whose = ""
        return None

    def _next(self, written: ParsedOrder) -> LineStop | TwoOrders | None:
        """End the turn in progress, begin the next one, and give the order that follows in it."""
        if self._fight().state.turn:
            self._end()
        fight = self._fight()
        upcoming = fight.state.next_up
        if upcoming is None:
            counts = fight.ruleset.edition.counts_actions
            raise Refused("out_of_turn/round_next" if counts else "out_of_turn/nobody_next", rule="MAM-ORDER-05")
        rest = list(written.words[1:])
        if fight.ruleset.edition.counts_actions:
            # `n dag takes 2 actions` is the longer form.
            rest = [said for said in rest if said.word.lower() not in ("takes", "action", "actions")]
        actions = parse_number(rest.pop(0).word) if rest and rest[0].word.isdecimal() else None
        if who := sole_name(fight, rest):
            if who != upcoming:
                people = fight.state.combatants
                raise Refused("out_of_turn/other_next", upcoming=people[upcoming], who=people[who], rule="MAM-ORDER-05")
            rest = []
        elif fight.ruleset.edition.counts_actions and says_actions(fight, rest, upcoming):
            # `n kest 2` says how many actions are declared.
            actions, rest = parse_number(rest[-1].word), []
        self._begin(fight, TurnStart(upcoming, actions))
        self._whose, self._by_name = upcoming, False
        return self._said(written._replace(words=tuple(rest))) if rest else None

    def _headed(self, written: ParsedOrder) -> LineStop | TwoOrders | None:
        """Give a line that begins with round and turn, as scores do."""
        name, actions, behind = turn_head(with_names(self._fight(), written.words[1:]))
        self._begin(self._fight(), TurnStart(find_combatant(self._fight(), name), actions))
        return self._said(written._replace(words=behind)) if behind else None

    def _note(self, note: NoteLine) -> None:
        def check(timeline: Timeline) -> SeesRuling:
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

    def _open_dispute(self, sees: SeesRuling) -> int:
        """Return the only open dispute; raise BadInput if there is none, or several."""
        disputes = self.log.look(self.encounter, lambda timeline: dict(timeline.disputes))
        found = [number for number, decided in disputes.items() if not decided and sees(number)]
        if len(found) != 1:
            told = f"Which dispute? Open: {', '.join(map(str, found))}." if found else "No dispute is open."
            raise BadInput(told, place="answer")
        return found[0]

    def _resolve(self, spoken: Command, faces: Sequence[str]) -> LineStop | None:
        """Resolve the exchange with the faces that followed an order, unless somebody may still react to it."""
        fight = self._fight()
        if not fight.state.exchange:
            raise BadInput(f"No dice are thrown for this. Leave {' '.join(faces)} out.", wrong=faces[0])
        knows_all = self.beside.typist.knows_all
        may = reactions_to(fight, actor_of(spoken), self.beside.passing) if knows_all and self.stops else {}
        if may or not knows_all:
            return LineStop(may, " ".join(faces))
        order, _ = expand_short_form(
            fight, ResolvedOrder("resolve", "", {}, tuple(WordToken("", face) for face in faces))
        )
        self._execute(resolve_open_references(order.command, order.left_out, fight.state), fight.state.open_exchange)
        return None

    def correct(self, written: ParsedOrder) -> LineGiven:
        """Write a correction, or return its effect on later rulings if it has any and is not confirmed."""
        own = LOG_KEYWORDS[written.words[0].word.lower()]
        timeline, typist = self.log.timeline(self.encounter), self.beside.typist
        sees = typist.sees(timeline)
        if not typist.knows_all and not (own.word == "undo" and _only_reason(written)):
            raise Refused("not_yours/own_last")
        found = parse_correction_line(
            timeline, lambda state: typist.fight(timeline, state, self.log.rules), written, sees
        )
        typist.check_undo(timeline, found.steps)
        told = found.long(lambda number: type(timeline.command(number)))
        if self.asks:
            preview = self.log.preview(self.encounter, found.steps, sees=sees, turns=found.turns)
            # Authors who may undo only their newest line know which one it is, even after newer remarks.
            asks = found.passes_note and typist.knows_all
            if preview.touches_more or asks or self.beside.looks:
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


def _only_reason(written: ParsedOrder) -> bool:
    """Return True for a log keyword that nothing but a reason follows."""
    return all(isinstance(said.value, TextToken) for said in written.words[1:])


def _ready(fight: LineContext, who: str) -> int:
    """Return the ready points of a combatant, or the most that is shown if the actor is unknown."""
    one = fight.person(who)
    return one.pools.ready if one else MOST_TYPED
