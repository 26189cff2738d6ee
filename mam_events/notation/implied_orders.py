"""Orders that a line implies: a turn that begins or ends, a round that begins, an exchange that its dice resolve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mam_events.commands import Command, EndTurn, Round, actor_of, name_of
from mam_events.decider.checks import require_open
from mam_events.errors import BadInput, Refused
from mam_events.notation.context import LineContext, ResolvedOrder, TurnStart, find_combatant, next_combatant
from mam_events.notation.grammar.long_form import LongOrder
from mam_events.notation.lexer.lexer import ParsedOrder, WordToken, parse_number
from mam_events.notation.lexer.name_spans import sole_name, with_names
from mam_events.notation.line_result import LineOptions, LineStop
from mam_events.notation.lines.initiative_line import rolls_late
from mam_events.notation.order_writer import OrderWriter
from mam_events.notation.orders.open_references import resolve_open_references
from mam_events.notation.orders.parser import complete_order, reactions_to
from mam_events.notation.orders.resolver import turn_head
from mam_events.notation.orders.short_form import expand_short_form
from mam_events.notation.orders.turn_orders import begins_turn, is_action_count, is_turn_order
from mam_events.refusals import arguments

if TYPE_CHECKING:
    from mam_events.log.combat_log import CombatLog


class ImpliedOrders(OrderWriter):
    """A writer of orders and of those that they imply."""

    stops = True
    """True if the line stops before its dice while somebody may still react."""

    def __init__(self, log: CombatLog, encounter: str, options: LineOptions) -> None:
        super().__init__(log, encounter, options)
        self._whose, self._by_name = "", False
        """The combatant who acted last in this line in their own turn, and whether the line named them."""

    def _check_whose_line(self, fight: LineContext, read: LongOrder | ResolvedOrder | TurnStart, text: str) -> None:
        """Remember the actor as the one whose line it is; raise Refused with `out_of_turn` for another, unnamed one."""
        if isinstance(read, TurnStart):
            self._whose, self._by_name = read.combatant, True
            return
        do = read.do if isinstance(read, ResolvedOrder) else name_of(read.command)
        if not is_turn_order(do):
            return
        actor = read.actor if isinstance(read, ResolvedOrder) else actor_of(read.command)
        who = actor or next_combatant(fight.state)
        if self._whose and not actor and who not in ("", self._whose):
            people = fight.state.combatants
            mine, order = arguments.Id(self._whose), arguments.TextArgument(text)
            if any(fight.people.whole(word) == who for word in text.split()):
                # Nobody acts against themselves, so the line is not meant for its own target.
                raise Refused(
                    "out_of_turn/not_named_at_target",
                    who=people[self._whose],
                    other=people[who],
                    mine=mine,
                    order=order,
                    rule="MAM-ORDER-02",
                )
            raise Refused(
                "out_of_turn/not_named",
                who=people[self._whose],
                other=people[who],
                mine=mine,
                name=arguments.Id(who),
                order=order,
                rule="MAM-ORDER-02",
            )
        self._by_name = bool(actor) or (self._by_name and who == self._whose)
        self._whose = who

    def _begin_implied(self, fight: LineContext, order: ResolvedOrder) -> tuple[LineContext, ResolvedOrder]:
        """Return the fight after the order has implicitly begun the round or the turn, and the order."""
        waits = fight.state.round_open and not fight.state.initiative.entries
        if order.do == "round" and [word.word for word in order.rest] == [str(fight.state.round + 1)]:
            # `round 2` names the round that begins.
            order = replace(order, rest=())
        if order.do == "round":
            waits = waits or rolls_late(fight, order.rest)
        if order.do == "round" and (waits or any(word.word for word in order.rest)):
            # If a round already waits for its initiative, the roll is for that round.
            if not waits:
                self._execute(Round(), fight.state.open_exchange)
            return self._fight(), replace(order, do="roll-initiative")
        if begins_turn(fight, order):
            self._begin_turn(fight, TurnStart(str(fight.state.next_up)))
            return self._fight(), order
        return fight, order

    def _begin_turn(self, fight: LineContext, begins: TurnStart) -> None:
        """Begin that turn."""
        self._execute(complete_order(fight, begins)[0].command, fight.state.open_exchange)

    def _end_turn(self) -> None:
        """End the turn in progress; raise Refused with `out_of_turn` if there is none."""
        state = self._fight().state
        if state.turn is None:
            if state.next_up:
                upcoming = state.combatants[state.next_up]
                raise Refused("out_of_turn/none_to_end_before", upcoming=upcoming, rule="MAM-ORDER-02")
            raise Refused("out_of_turn/none_to_end", rule="MAM-ORDER-02")
        self._execute(EndTurn(state.turn.combatant), state.open_exchange)
        if not self._by_name:
            self._whose = ""

    def _begin_next_turn(self, parsed: ParsedOrder) -> Sequence[WordToken]:
        """End the turn in progress and begin the next one; return the words of the order that follows in it."""
        if self._fight().state.turn:
            self._end_turn()
        fight = self._fight()
        upcoming = fight.state.next_up
        if upcoming is None:
            require_open(fight.state)
            if fight.ruleset.edition.counts_actions:
                if fight.state.round_open and not fight.state.order:
                    raise Refused("out_of_turn/no_order_yet", round=fight.state.round, rule="MAM-ORDER-05")
                raise Refused("out_of_turn/round_next", rule="MAM-ORDER-05")
            raise Refused(
                "out_of_turn/nobody_next" if fight.state.order else "out_of_turn/init_next", rule="MAM-ORDER-05"
            )
        rest = list(parsed.words[1:])
        if fight.ruleset.edition.counts_actions:
            # `n dag takes 2 actions` means `n dag 2`.
            rest = [token for token in rest if token.word.lower() not in ("takes", "action", "actions")]
        actions = parse_number(rest.pop(0).word) if rest and rest[0].word.isdecimal() else None
        if who := sole_name(fight, rest):
            if who != upcoming:
                people = fight.state.combatants
                raise Refused("out_of_turn/other_next", upcoming=people[upcoming], who=people[who], rule="MAM-ORDER-05")
            rest = []
        elif fight.ruleset.edition.counts_actions and is_action_count(fight, rest, upcoming):
            # `n kest 2` declares two actions.
            actions, rest = parse_number(rest[-1].word), []
        self._begin_turn(fight, TurnStart(upcoming, actions))
        self._whose, self._by_name = upcoming, False
        return rest

    def _begin_headed_turn(self, parsed: ParsedOrder) -> Sequence[WordToken]:
        """Begin the turn of a line that names round and turn, as scores do; return the words that follow."""
        name, actions, rest = turn_head(with_names(self._fight(), parsed.words[1:]))
        self._begin_turn(self._fight(), TurnStart(find_combatant(self._fight(), name), actions))
        return rest

    def _resolve(self, command: Command, faces: Sequence[str]) -> LineStop | None:
        """Resolve the exchange with the faces that followed an order, unless somebody may still react to it."""
        fight = self._fight()
        if not fight.state.exchange:
            raise BadInput(f"No dice are thrown for this. Leave {' '.join(faces)} out.", wrong=faces[0])
        knows_all = self.options.author.knows_all
        may = reactions_to(fight, actor_of(command), self.options.passing) if knows_all and self.stops else {}
        if may or not knows_all:
            return LineStop(may, " ".join(faces))
        order, _ = expand_short_form(
            fight, ResolvedOrder("resolve", "", {}, tuple(WordToken("", face) for face in faces))
        )
        self._execute(resolve_open_references(order.command, order.left_out, fight.state), fight.state.open_exchange)
        return None
