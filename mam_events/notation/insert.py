"""Orders inserted after an earlier ruling: one, or a whole turn that nobody played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.commands import Command, EndTurn, actor_of, name_of, validate_command
from mam_events.dice import DieNotDrawn
from mam_events.errors import BadInput, Refused, VersionConflict
from mam_events.history.corrections.conflicts import is_expected
from mam_events.history.corrections.corrections import check_place
from mam_events.history.judge.missing_dice_check import check_missing_dice
from mam_events.history.judge.rejudgement import RejudgedRuling
from mam_events.log.insert_preview import Inserts, preview_inserts
from mam_events.log.results import Preview
from mam_events.notation.context import LineContext, ResolvedOrder, TurnStart
from mam_events.notation.execute import LineExecution
from mam_events.notation.grammar.long_form import LongOrder, long_form
from mam_events.notation.grammar.verbs import own_word
from mam_events.notation.lexer.conjunctions import TwoOrders
from mam_events.notation.lexer.lexer import ParsedOrder, ruling_number
from mam_events.notation.line_result import LineGiven, LineOptions, LineStop
from mam_events.notation.lines.correction_line import STRICT, insert_long_form
from mam_events.notation.orders.parser import parse_order
from mam_events.notation.orders.resolver import TURN_HEAD
from mam_events.refusals.arguments import Id, RulingArgument
from mam_events.visibility import GAME_MASTER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mam_events.events import TurnPolicy
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.combat_log import CombatLog
    from mam_events.state import Encounter


def insert_orders(log: CombatLog, encounter: str, options: LineOptions, orders: Sequence[ParsedOrder]) -> LineGiven:
    """Insert the orders of a line that begins with `after`, one after another.

    If they change later rulings and are not confirmed, return only the effect.
    """
    if not options.author.knows_all:
        raise Refused("not_yours/own_last")
    after, turns, first = _place(orders[0])
    orders = (first, *orders[1:])
    insert = Insert(log, encounter, options, after, turns)
    if not insert.asks and not options.expect:
        return insert.insert(orders)
    plan = InsertPlan(log, encounter, options, after, turns)
    preview = plan.preview(orders)
    if insert.asks and (preview.touches_more or options.looks):
        return LineGiven(tuple(plan.long_forms), asks=preview)
    if options.expect and not is_expected(log.timeline(encounter), options.expect, preview.expect, GAME_MASTER):
        raise VersionConflict("The log has changed since that preview. Ask for a new preview and confirm that one.")
    return insert.insert(orders)


def _place(parsed: ParsedOrder) -> tuple[int, TurnPolicy, ParsedOrder]:
    """Return the ruling after which a line inserts, how it treats turns, and its first order without those words."""
    words = list(parsed.words[1:])
    number = words.pop(0).word if words else ""
    after = ruling_number(number.removesuffix(":"))
    turns: TurnPolicy = "as_played"
    if words and not number.endswith(":") and words[0].word.removesuffix(":").lower() == STRICT:
        words.pop(0)
        turns = "strict"
    if after is None or not words:
        raise BadInput(
            "The number of the ruling or the order is missing. Type something like `after 13 draw`.", place="after"
        )
    return after, turns, parsed._replace(words=tuple(words))


class Insert(LineExecution):
    """The execution of orders that are inserted after a ruling, each after the previous one.

    If they implicitly begin a turn, they end it too. They never stop before their dice: reactions are named in the
    line.
    """

    stops = False

    def __init__(self, log: CombatLog, encounter: str, options: LineOptions, after: int, turns: TurnPolicy) -> None:
        super().__init__(log, encounter, options)
        self.after = after
        self.turns: TurnPolicy = turns
        self._turn_begun = ""

    def state(self, timeline: Timeline) -> Encounter:
        """Return the state after the last of those orders."""
        check_place(timeline, self.after)
        return timeline.state_before(timeline.place_after(self.after))

    def insert(self, orders: Sequence[ParsedOrder]) -> LineGiven:
        """Insert those orders, all of them or none, and end the turn that they began."""
        result = self.give(orders)
        stop = result.stopped or self._step(self._end_begun_turn, ".", orders[-1], orders, len(orders) - 1)
        return LineGiven(tuple(self.long_forms), tuple(self.answers), stop if isinstance(stop, LineStop) else None)

    def _give_order(self, parsed: ParsedOrder) -> LineStop | TwoOrders | None:
        own = own_word(parsed)
        if own and own.kind != "adjust":
            raise BadInput(f"{own.word} can't be inserted. Only orders can, like after 13 draw.", place="after")
        if not own and not TURN_HEAD.match(parsed.words[0].word):
            self._begin_for_long(parsed)
        return super()._give_order(parsed)

    def _begin_for_long(self, parsed: ParsedOrder) -> None:
        """Begin the turn that a long order needs; raise Refused if that turn is due later."""
        fight = self._fight()
        read, _ = parse_order(fight, parsed)
        if isinstance(read, LongOrder):
            self._begin_implied(fight, ResolvedOrder(name_of(read.command), actor_of(read.command), {}, ()))

    def _begin_implied(self, fight: LineContext, order: ResolvedOrder) -> tuple[LineContext, ResolvedOrder]:
        if not fight.allowed(order.do, order.actor):
            self._check_next(fight, order.actor)
        return super()._begin_implied(fight, order)

    def _check_next(self, fight: LineContext, actor: str) -> None:
        """Raise Refused for an order of somebody whose turn is due here, but not yet."""
        state = fight.state
        upcoming = state.next_up
        if state.turn or state.exchange or not upcoming or actor == upcoming or actor not in state.due:
            return
        raise Refused(
            "out_of_turn/due_later",
            upcoming=state.combatants[upcoming],
            actor=state.combatants[actor],
            after=RulingArgument(self.after),
            name=Id(upcoming),
            rule="MAM-ORDER-05",
        )

    def _begin_turn(self, fight: LineContext, begins: TurnStart) -> None:
        super()._begin_turn(fight, begins)
        self._turn_begun = begins.combatant

    def _end_begun_turn(self) -> None:
        """End the turn that was implicitly begun, if it is still in progress."""
        state = self._fight().state
        if not self._turn_begun or not state.is_turn_of(self._turn_begun):
            return
        if state.exchange:
            raise BadInput("The attack has no dice. Add them after it, or type ; r to draw them.", place="dice")
        self._execute(EndTurn(self._turn_begun), state.open_exchange)

    def _write(self, command: Command, open_exchange: int) -> None:
        line = insert_long_form(self.after, self.turns, long_form(command, open_exchange))
        answer = self.log.execute(
            self.encounter, command, after=self.after, turns=self.turns, **self.options_for_next()
        )
        self.add_answer(line, answer)
        self.after = answer.number


class InsertPlan(Insert):
    """An insert that writes nothing: its orders are judged one after another until a die has to be drawn."""

    writes = False

    def __init__(self, log: CombatLog, encounter: str, options: LineOptions, after: int, turns: TurnPolicy) -> None:
        super().__init__(log, encounter, options, after, turns)
        self.anchor = after
        self.commands: list[Command] = []
        self.outcomes: list[RejudgedRuling] = []

    def state(self, timeline: Timeline) -> Encounter:
        """Return the state after the last of those orders."""
        return self.outcomes[-1].state if self.outcomes else super().state(timeline)

    def preview(self, orders: Sequence[ParsedOrder]) -> Preview:
        """Return the effect of those orders on the rulings that follow."""
        undrawn = ""
        try:
            self.insert(orders)
        except DieNotDrawn as die:
            undrawn = die.key
        if len(self.commands) == 1:
            return self.log.preview_insert(self.encounter, self.commands[0], self.anchor, turns=self.turns)
        judge = self.log.trial(self.encounter)
        inserts = Inserts(self.anchor, self.turns, tuple(self.outcomes), undrawn)
        return preview_inserts(self.encounter, judge, inserts)

    def _write(self, command: Command, open_exchange: int) -> None:
        judge = self.log.trial(self.encounter)
        timeline = judge.timeline
        command, number = validate_command(command), timeline.number + len(self.outcomes) + 1
        self.long_forms.append(insert_long_form(self.after, self.turns, long_form(command, open_exchange)))
        self.commands.append(command)
        state = self.state(timeline)
        decision = judge(state, command, number)
        events = tuple(decision.events)
        check_missing_dice(state, events)
        self.outcomes.append(RejudgedRuling(number, "stands", events, command=decision.command, state=decision.state))
        self.asks_log = False
        self.after = number
