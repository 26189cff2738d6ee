"""A turn in which actions cost no points: a move and an action or combo, or waiting (MAM-TURN-07)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from mam_events.commands import BeginTurn, SkipTurn
from mam_events.decider.action_kinds import costs_nothing
from mam_events.decider.action_price import ActionPrice, no_points
from mam_events.decider.checks import (
    require_combatant,
    require_metres,
    require_no_exchange,
    require_open,
    require_turn_of,
)
from mam_events.decider.engine import Decision, Economy, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, offer
from mam_events.decider.rule_tables import DeedKind
from mam_events.errors import Refused
from mam_events.events import Purpose, SkipsOwed, TurnSkipped
from mam_events.refusals.arguments import Term
from mam_events.rules.health.hit_points import require_nothing_to_drop
from mam_events.rules.maneuvering.positions import ground_movement, is_on_ground
from mam_events.rules.turns import combos
from mam_events.rules.turns.boundaries import end_turn
from mam_events.rules.turns.prepared_counterattack import prepares, spend_preparation
from mam_events.rules.turns.speeds import is_idle, is_turn_usable, owed_after_acting
from mam_events.rules.turns.turns import check_begin, check_done, judge_begin, needs_reason, with_turn_begun
from mam_events.state import Combatant, Encounter
from mam_events.values import decimal_of


class TurnEconomy(Economy):
    """The economy in which the turn pays for actions: one action or one combo in each, and no points."""

    def may(self, state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind, weapon: str) -> None:
        """Raise Refused with `must_skip` or `one_action`, or if a combo has no room."""
        turn = require_turn_of(state, combatant)
        require_nothing_to_drop(combatant, ruleset)
        if not turn.counter and not is_turn_usable(combatant, ruleset):
            raise _must_skip(combatant)
        if deed == "move" or costs_nothing(deed, ruleset):
            return
        if turn.combo:
            combos.require_combo_room(turn, combatant, deed, weapon, ruleset)
            return
        if turn.deeds:
            raise Refused("one_action", combatant=combatant, rule="MAM-TURN-07", fields=("combatant",))

    def may_end(self, state: Encounter, ruleset: Ruleset, combatant: Combatant) -> None:
        """Raise Refused while something must be given up."""
        if combatant.condition == "able":
            require_nothing_to_drop(combatant, ruleset)

    def react(
        self, state: Encounter, ruleset: Ruleset, combatant: Combatant, price: ActionPrice, cap: int, *, least: int = 1
    ) -> None:
        """Raise Refused with `points_not_spent`, or with `not_prepared` (`speed_interference`)."""
        super().react(state, ruleset, combatant, price, cap)
        has_passed = state.turn is not None and combatant.id in state.turn.passed
        # If nobody prepares anything (counterattack_mode), reactions come at once and cost nothing.
        needed = prepares(ruleset) and ruleset["speed_interference"] == "needs_prepared_turn"
        if needed and not (combatant.status.prepared or has_passed):
            raise Refused("not_prepared", combatant=combatant, rule="MAM-INTF-02", fields=("combatant",))

    def pay_reaction(self, judging: Decision, name: str, purpose: Purpose, price: ActionPrice) -> None:
        """Use up the preparation, if there is one."""
        if judging.state.combatants[name].status.prepared:
            spend_preparation(judging, name)

    def carry(
        self, state: Encounter, ruleset: Ruleset, combatant: Combatant, points: int, metres: Decimal | None
    ) -> Decimal:
        """Return the metres to move, at most what is left of the turn's movement (MAM-CTR-03).

        Raises Refused with `out_of_range` or `metres_missing`.
        """
        no_points(points)
        distance = self.farthest(ruleset, combatant, points)
        if distance == 0:
            raise Refused("out_of_range/nothing_left", combatant=combatant, rule="MAM-TURN-07", fields=("metres",))
        if metres is None:
            if distance is None:
                raise Refused("metres_missing/movement", combatant=combatant, rule="MAM-TURN-07", fields=("metres",))
            return decimal_of(distance)
        if distance is not None and Fraction(require_metres(metres, "metres")) > distance:
            raise Refused(
                "out_of_range/left",
                combatant=combatant,
                left=distance,
                metres=metres,
                rule="MAM-TURN-07",
                fields=("metres",),
            )
        return require_metres(metres, "metres")

    def farthest(self, ruleset: Ruleset, combatant: Combatant, points: int) -> Fraction | None:
        """Return the rest of the turn's movement."""
        return movement_left(combatant, ruleset)


def _must_skip(combatant: Combatant) -> Refused:
    owed, speed = combatant.status.skips_owed, Term(str(combatant.statistics.speed))
    if owed > 1:
        return Refused(
            "must_skip/several",
            combatant=combatant,
            speed=speed,
            owed=owed,
            rule="MAM-TURN-05",
            fields=("combatant",),
        )
    return Refused("must_skip", combatant=combatant, speed=speed, rule="MAM-TURN-05", fields=("combatant",))


def movement_left(combatant: Combatant, ruleset: Ruleset) -> Fraction | None:
    """Return the metres that it may still move in this turn; None if its movement is unknown."""
    movement = combatant.statistics.movement
    if movement is None:
        return None
    limit = Fraction(movement)
    if is_on_ground(combatant, ruleset):
        limit = ground_movement(limit, ruleset)
    return max(Fraction(0), limit - Fraction(combatant.status.moved))


def check_skip(state: Encounter, ruleset: Ruleset, command: SkipTurn) -> bool:
    """Return True if the turn to skip has yet to begin.

    Only the combatant's own turn in which nothing was done may pass (MAM-TURN-05).
    """
    require_open(state)
    combatant = require_combatant(state, command.combatant)
    require_no_exchange(state)
    begins = state.turn is None
    if begins:
        check_begin(state, ruleset, BeginTurn(command.combatant))
        state = with_turn_begun(state, combatant.id)
        combatant = state.combatants[combatant.id]
    elif require_turn_of(state, combatant).counter or not is_idle(state, combatant.id):
        raise Refused("already_acted", combatant=combatant, rule="MAM-TURN-05", fields=("combatant",))
    check_done(state, ruleset, combatant, command.reason)
    return begins


def judge_skip(judging: Decision, command: SkipTurn, begins: bool) -> None:  # noqa: FBT001 - the check returned it
    """Let the turn pass, begun or not."""
    if begins:
        judge_begin(judging, BeginTurn(command.combatant), None)
    end_turn(judging, command.combatant)


def _offer_skip(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for name in state.combatants:
        next_state = with_turn_begun(state, name) if state.turn is None and name == state.next_up else state
        is_owed = needs_reason(next_state, ruleset, next_state.combatants[name])
        yield offer(SkipTurn(name, "it cannot" if is_owed else ""), Field("reason", free=True, needed=is_owed))


def settle_skips(judging: Decision, name: str) -> None:
    """Record, at the end of a turn, that it was skipped, or how many turns the combatant must now skip."""
    combatant = judging.state.combatants[name]
    owed = combatant.status.skips_owed
    if is_idle(judging.state, name):
        judging.record(TurnSkipped(name, not is_turn_usable(combatant, judging.ruleset), max(0, owed - 1)))
        return
    owes = owed_after_acting(combatant, judging.ruleset)
    if owes and not combatant.status.prepared:
        judging.record(SkipsOwed(name, owes))


TURNS = TurnEconomy()


SECTION = RuleModule(
    at_turn_end=(settle_skips,),
    mechanics=(Mechanic(SkipTurn, check=check_skip, judge=judge_skip, offers=_offer_skip),),
)
