"""One line on its way into the log: its orders one after the other, each read with the current state of the fight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mam_events.commands import Command, actor_of, name_of
from mam_events.errors import BadInput, MamError, Refused, Unclear
from mam_events.history.corrections.confirmation import check_raised
from mam_events.log.results import is_kept
from mam_events.notation.context import LineContext, ResolvedOrder, TurnStart
from mam_events.notation.grammar.long_form import LongOrder
from mam_events.notation.grammar.verbs import own_word
from mam_events.notation.hints.alternatives import MOST_TYPED, alternative_for, with_typed
from mam_events.notation.hints.outcome_doubts import doubts_outcome, outcome_doubt_error
from mam_events.notation.hints.ready_first import ready_first_text
from mam_events.notation.implied_orders import ImpliedOrders
from mam_events.notation.lexer.conjunctions import TwoOrders, split_orders
from mam_events.notation.lexer.lexer import ParsedOrder, WordToken
from mam_events.notation.line_result import LineGiven, LineOptions, LineStop
from mam_events.notation.lines.correction_line import last_outcome
from mam_events.notation.lines.idioms import as_log_line, may_be_idiom, may_be_two, split_in_two
from mam_events.notation.lines.initiative_line import WhoseDice
from mam_events.notation.lines.note_line import or_remark, parse_note_line
from mam_events.notation.log_lines import write_note
from mam_events.notation.orders.open_references import resolve_open_references
from mam_events.notation.orders.parser import complete_order, parse_order
from mam_events.notation.orders.resolver import TURN_HEAD
from mam_events.notation.orders.table_dice import ThrownDice
from mam_events.notation.orders.turn_orders import begins_turn

if TYPE_CHECKING:
    from mam_events.log.combat_log import CombatLog


class LineExecution(ImpliedOrders):
    """The execution of one line in an encounter: its orders one after the other."""

    def __init__(self, log: CombatLog, encounter: str, options: LineOptions) -> None:
        super().__init__(log, encounter, options)
        self._fight_before: LineContext | None = None
        """The fight before a line of several orders."""

    def give(self, orders: Sequence[ParsedOrder]) -> LineGiven:
        """Give orders one after the other, until somebody may react or an order is refused after a die was drawn."""
        self._fight_before = self._fight() if len(orders) > 1 else None
        orders = list(orders)
        at = 0
        while at < len(orders):
            parsed, stop = orders[at], None
            if may_be_two(parsed) and (two := split_in_two(self._fight(), parsed)):
                orders[at : at + 1] = two
                continue
            if may_be_idiom(parsed):
                parsed = orders[at] = as_log_line(self._fight(), parsed)
            if parsed.words:
                stop = self._step(partial(self._give_order, parsed), parsed.text, parsed, orders, at)
            if isinstance(stop, TwoOrders):
                orders[at : at + 1] = [stop.first, stop.rest]
                continue
            if parsed.ends and not stop and not (parsed.words and self._fight().state.turn is None):
                # After an order that leaves no turn to end, such as a flight, a full stop has no effect.
                stop = self._step(self._end_turn, ".", parsed, orders, at)
            if isinstance(stop, LineStop):
                rest = [*([stop.unused] if stop.unused else ()), *(order.text for order in orders[at + 1 :])]
                return LineGiven(tuple(self.long_forms), tuple(self.answers), replace(stop, unused="; ".join(rest)))
            at += 1
        return LineGiven(tuple(self.long_forms), tuple(self.answers))

    def _step(
        self,
        does: Callable[[], LineStop | TwoOrders | None],
        text: str,
        parsed: ParsedOrder,
        orders: Sequence[ParsedOrder],
        at: int,
    ) -> LineStop | TwoOrders | None:
        """Do one step of a line.

        A drawn die stands, and a later refusal only stops the line. If the whole line were undone, the refusal would
        reveal the die before anybody has to decide.
        """
        view = self.log.look(self.encounter, self.options.author.view) if self.answers else ""
        has_fallen, count = any(is_kept(answer, view) for answer in self.answers), len(self.answers)
        try:
            with self.log.grouped(self.encounter) if has_fallen else nullcontext():
                stop = does()
        except MamError as refusal:
            knows_all = self.options.author.knows_all
            no = self._or_other_meaning(parsed, refusal) if type(refusal) is BadInput and knows_all else refusal
            error = self._with_place(no, parsed, len(orders), at)
            if knows_all and (hint := self._hint(no, parsed, orders, at)):
                error.followed_by(hint)
            if not has_fallen:
                # For a view, the error must read the same whether or not somebody is hidden, so it gets no more
                # sentences.
                if self.answers and knows_all and (len(orders) > 1 or parsed.ends):
                    error.followed_by(" Nothing from this line was written.")
                raise error from None
            del self.long_forms[count:], self.answers[count:]
            is_visible = knows_all or error.as_known
            return LineStop({}, text, error.sentence if is_visible else "It is refused.")
        return replace(stop, unused=f"{stop.unused}.") if isinstance(stop, LineStop) and parsed.ends else stop

    def _or_other_meaning(self, parsed: ParsedOrder, no: BadInput) -> BadInput:
        """Return the error for a sentence that doubts an outcome or is a remark; any other error stays as it is."""
        if doubts_outcome(parsed) and not self._fight().state.open_exchange:
            last = self.log.look(self.encounter, last_outcome)
            return outcome_doubt_error(parsed, last) if last else no
        return or_remark(self._fight(), parsed, no)

    def _hint(self, no: MamError, parsed: ParsedOrder, orders: Sequence[ParsedOrder], at: int) -> str:
        """Return what to type instead of an order that was refused, preceded by a blank, or ""."""
        fight = self._fight()
        ready = ready_first_text(no, fight, self._fight_before, orders, at)
        return ready or alternative_for(fight, no, parsed.text)

    def _with_place(self, no: MamError, parsed: ParsedOrder, orders: int, at: int) -> MamError:
        """Return the error with the place of its order among several.

        The place is a number if the text could be searched for names.
        """
        error = no
        if orders > 1:
            place = f'"{parsed.text}"' if self.options.author.knows_all else f"order {at + 1} of {orders}"
            if isinstance(no, Refused | BadInput):
                error = no.at(place)
        if isinstance(error, Unclear):
            error.nth = at
        error.as_known = not self.asks_log
        return error

    def _give_order(self, parsed: ParsedOrder) -> LineStop | TwoOrders | None:
        """Give one order and what it implies.

        Return the stop if its dice are for an exchange to which somebody may react, or the two orders if they can only
        be read one by one.
        """
        own = own_word(parsed)
        if own and own.kind == "next":
            return self._give_rest(parsed, self._begin_next_turn(parsed))
        if own and own.kind == "note":
            write_note(self, parse_note_line(parsed))
            return None
        if own and own.kind != "adjust":
            raise BadInput(f"Type {own.word} on a line of its own.", wrong=parsed.words[0].word)
        if TURN_HEAD.match(parsed.words[0].word):
            return self._give_rest(parsed, self._begin_headed_turn(parsed))
        fight = self._fight()
        read, visibility = parse_order(fight, parsed)
        turn = fight.state.turn
        if isinstance(read, TurnStart) and parsed.ends and turn and turn.combatant == read.combatant:
            # `mara.` in her own turn ends it.
            return None
        self._check_whose_line(fight, read, parsed.text)
        if isinstance(read, ResolvedOrder):
            fight, read = self._begin_implied(fight, read)
        elif begins_turn(fight, read):
            self._begin_turn(fight, TurnStart(str(fight.state.next_up)))
            fight = self._fight()
        try:
            order, faces = self._complete(fight, read)
        except BadInput:
            two = split_orders(fight, parsed, read) if isinstance(read, ResolvedOrder) and not visibility else None
            if two is None:
                raise
            return two
        return self._execute_order(fight, order, faces, visibility)

    def _give_rest(self, parsed: ParsedOrder, words: Sequence[WordToken]) -> LineStop | TwoOrders | None:
        """Give the order of the words that follow those that began a turn, if there are any."""
        return self._give_order(parsed._replace(words=tuple(words))) if words else None

    def _complete(
        self, fight: LineContext, read: LongOrder | ResolvedOrder | TurnStart
    ) -> tuple[LongOrder, tuple[str, ...]]:
        """Return an order with all omitted fields filled in, and the faces that are left for its exchange."""
        try:
            return complete_order(fight, read)
        except Refused as no:
            assert isinstance(read, ResolvedOrder)  # noqa: S101 - a full order lacks nothing
            raise with_typed(no, read.do, read.preset.get("follow_up", "none"), _ready(fight, read.actor)) from None
        except WhoseDice as no:
            raise self._whose_dice_error(fight, read, no) from None

    def _execute_order(
        self, fight: LineContext, order: LongOrder, faces: Sequence[str], visibility: str
    ) -> LineStop | None:
        """Execute a complete order, and resolve its exchange with the faces that followed it."""
        down = [one.id for one in fight.state.combatants.values() if order.of_many and one.condition != "able"]
        try:
            self._execute(
                resolve_open_references(order.command, order.left_out, fight.state),
                fight.state.open_exchange,
                visibility,
            )
        except Refused as no:
            do, follow_up = name_of(order.command), getattr(order.command, "follow_up", "none")
            raise with_typed(no, do, follow_up, _ready(fight, actor_of(order.command))) from None
        self._check_raised(order.command, down)
        return self._resolve(order.command, faces) if faces else None

    def _check_raised(self, command: Command, down: Sequence[str]) -> None:
        """Raise Refused with `needs_sure` if the order brought up people whom only a word for many named.

        The caller then doesn't keep the order.
        """
        if not (down and self.writes and self.asks):
            return
        people = self._fight().state.combatants
        check_raised(command, [people[one] for one in down if people[one].condition == "able"])

    def _whose_dice_error(
        self, fight: LineContext, read: LongOrder | ResolvedOrder | TurnStart, no: WhoseDice
    ) -> BadInput:
        """Return the error that asks whose those dice are, with the names of the rollers in their order."""
        if not self.options.author.knows_all or not isinstance(read, ResolvedOrder):
            return no
        rest = tuple(token for token in read.rest if token.word not in no.faces)
        order, _ = complete_order(fight, replace(read, rest=rest))
        rollers = [
            key.roller
            for key in ThrownDice(self.log, self.encounter, fight, self.state, knows_all=True).undrawn(order.command)
        ]
        if not rollers:
            return BadInput(f"No dice are thrown for this. Leave {no.faces[0]} out.", place=read.do, wrong=no.faces[0])
        faces = no.faces if len(no.faces) == len(rollers) else ("…",) * len(rollers)
        token: dict[str, list[str]] = {}
        for roller, face in zip(rollers, faces, strict=True):
            token.setdefault(roller, []).append(face)
        dice = " ".join(f"{roller} {' '.join(them)}" for roller, them in token.items())
        throws = ", ".join(fight.name_of(roller) for roller in token)
        whose = "Whose dice are" if no.faces[1:] else "Whose die is"
        message = f"{whose} {' '.join(no.faces)}? These throw: {throws}. Put the names before the faces: {dice}."
        return BadInput(message, place=read.do, wrong=no.faces[0])


def _ready(fight: LineContext, who: str) -> int:
    """Return the ready points of a combatant, or the most that is shown if the actor is unknown."""
    one = fight.person(who)
    return one.pools.ready if one else MOST_TYPED
