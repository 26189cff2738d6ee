"""The phases of a turn in which hit points pay for actions: making points ready and spending them (MAM-PHASE)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import Ready
from mam_events.decider.action_kinds import costs_nothing, least_points
from mam_events.decider.action_price import ActionPrice
from mam_events.decider.checks import (
    require_able,
    require_at_most,
    require_combatant,
    require_metres,
    require_no_exchange,
    require_positive,
    require_ready_points,
    require_turn_of,
)
from mam_events.decider.engine import Decision, Economy, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, Sum, offer
from mam_events.decider.rule_tables import DeedKind
from mam_events.errors import Refused
from mam_events.events import ActionTaken, Purpose, ReadyPoolRefreshed
from mam_events.refusals.arguments import Word
from mam_events.rules.health.hit_points import distance, grapple_reserve, pay, require_nothing_to_drop
from mam_events.rules.maneuvering.positions import ground_movement, is_on_ground
from mam_events.rules.turns import combos
from mam_events.state import Combatant, Encounter, Pools, Turn
from mam_events.values import decimal_of


def free_other_used(pools: Pools, reserved: int) -> int:
    """Return the points of other used that no reserve holds back (MAM-PHASE-02)."""
    return max(0, pools.other_used - reserved)


def refresh_maximum(pools: Pools, hp_per_round: int, reserved: int, ruleset: Ruleset) -> int:
    """Return the number of points that may become ready now (MAM-PHASE-02, `ready_refresh_cap`).

    The `reserved` points must stay in other used.
    """
    most = min(hp_per_round, pools.defense + free_other_used(pools, reserved))
    if ruleset["ready_refresh_cap"] == "ready_cap":
        most = min(most, max(0, hp_per_round - pools.ready))
    return most


class RefreshResult(Struct, frozen=True):
    """The result of the second phase: the most points that it could have made ready, and the pools after it."""

    maximum: int
    pools: Pools


def refresh(  # noqa: PLR0913 - the phase needs all of these
    pools: Pools,
    from_defense: int,
    from_other_used: int,
    hp_per_round: int,
    reserved: int,
    ruleset: Ruleset,
    *,
    keeps: str = "",
) -> RefreshResult:
    """Return the result of making those points ready (MAM-PHASE-02, MAM-PHASE-03).

    `keeps` says what the reserve in other used is for: "hold", "load", "both" or "" if the error is not to say it.

    Raises Refused with `exceeds_maximum`, `below_required_amount` (`ready_refresh_amount = exact_maximum`) or
    `not_enough_in_pool`.
    """
    most = refresh_maximum(pools, hp_per_round, reserved, ruleset)
    total = from_defense + from_other_used
    amounts = {
        "defense": (from_defense, pools.defense),
        "other_used": (from_other_used, free_other_used(pools, reserved)),
    }
    short = {pool: (points, free) for pool, (points, free) in amounts.items() if points > free}
    if total > most and len(short) == len(amounts):
        raise Refused(
            "exceeds_maximum/in_both",
            from_defense=from_defense,
            in_defense=pools.defense,
            from_other_used=from_other_used,
            in_other_used=free_other_used(pools, reserved),
            rule="MAM-PHASE-02",
            fields=("defense", "other_used"),
        )
    if total > most and not short:
        raise Refused(
            "exceeds_maximum/to_ready", most=most, wanted=total, rule="MAM-PHASE-02", fields=("defense", "other_used")
        )
    if total < most and ruleset["ready_refresh_amount"] == "exact_maximum":
        raise Refused(
            "below_required_amount/exactly",
            most=most,
            wanted=total,
            rule="MAM-PHASE-02",
            fields=("defense", "other_used"),
        )
    if "other_used" in short and keeps and (amount := min(reserved, pools.other_used)):
        raise Refused(
            "exceeds_maximum/kept" if total > most else "not_enough_in_pool/kept",
            free=free_other_used(pools, reserved),
            points=from_other_used,
            kept=amount,
            keeps=Word(keeps),
            rule="MAM-PHASE-02",
            fields=("defense", "other_used") if total > most else ("other_used",),
        )
    for pool, (points, free) in short.items():
        raise Refused(
            "exceeds_maximum/in_pool" if total > most else "not_enough_in_pool/to_give",
            pool=Word(pool),
            free=free,
            points=points,
            rule="MAM-PHASE-02",
            fields=("defense", "other_used") if total > most else (pool,),
        )
    after = replace(
        pools,
        ready=pools.ready + total,
        defense=pools.defense - from_defense,
        other_used=pools.other_used - from_other_used,
    )
    return RefreshResult(most, refill(after, total, reserved, ruleset))


def refill(pools: Pools, refreshed: int, reserved: int, ruleset: Ruleset) -> Pools:
    """Return the pools after refreshed points fill a reserve that is short, before any become ready.

    This happens with `encumbrance_shortfall = refill_first`.
    """
    if ruleset["encumbrance_shortfall"] != "refill_first":
        return pools
    return pools.move("ready", "other_used", min(refreshed, max(0, reserved - pools.other_used)))


def reserved_points(combatant: Combatant, ruleset: Ruleset) -> int:
    """Return the points of other used that equipment and holds keep (MAM-POOL-08)."""
    return combatant.carried_encumbrance + grapple_reserve(combatant, ruleset)


def maximum_of(combatant: Combatant, ruleset: Ruleset) -> int:
    """Return the number of points that a combatant may make ready now."""
    return refresh_maximum(combatant.pools, combatant.hp_per_round, reserved_points(combatant, ruleset), ruleset)


def require_settled(combatant: Combatant, turn: Turn, ruleset: Ruleset, field: str = "combatant") -> None:
    """Raise Refused while the second phase is owed, or while something must be dropped or released first."""
    if ruleset["ready_refresh_amount"] == "exact_maximum" and not turn.refreshed and not turn.acted:
        owed = maximum_of(combatant, ruleset)
        if owed:
            raise Refused(
                "below_required_amount/exactly_first",
                combatant=combatant,
                owed=owed,
                rule="MAM-PHASE-02",
                fields=(field,),
            )
    require_nothing_to_drop(combatant, ruleset, field)


def check_ready(state: Encounter, ruleset: Ruleset, command: Ready) -> RefreshResult:
    """Return the result of the second phase, allowed once and before any action (MAM-PHASE-02)."""
    combatant = require_combatant(state, command.combatant)
    turn = require_turn_of(state, combatant)
    require_no_exchange(state)
    require_able(combatant)
    if turn.refreshed or turn.acted:
        raise Refused(
            "phase_over" if turn.refreshed else "phase_over/acted",
            combatant=combatant,
            rule="MAM-PHASE-02",
            fields=("combatant",),
        )
    return refresh(
        combatant.pools,
        command.defense,
        command.other_used,
        combatant.hp_per_round,
        reserved_points(combatant, ruleset),
        ruleset,
        keeps=_keeps(combatant, ruleset),
    )


def _keeps(combatant: Combatant, ruleset: Ruleset) -> str:
    """Return the purpose of the points reserved in other used; "" if none are reserved."""
    if not grapple_reserve(combatant, ruleset):
        return "load" if combatant.carried_encumbrance else ""
    return "both" if combatant.carried_encumbrance else "hold"


def judge_ready(judging: Decision, command: Ready, refreshed: RefreshResult) -> None:
    """Move the chosen points into ready."""
    before = judging.state.combatants[command.combatant].pools
    amount = command.defense + command.other_used
    judging.record(
        ReadyPoolRefreshed(
            command.combatant,
            command.defense,
            command.other_used,
            refreshed.maximum,
            refreshed.pools,
            refilled=before.ready + amount - refreshed.pools.ready,
        )
    )


def _offer_ready(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        most = maximum_of(combatant, ruleset)
        least = most if ruleset["ready_refresh_amount"] == "exact_maximum" else 0
        defense = min(least, combatant.pools.defense)
        free = free_other_used(combatant.pools, reserved_points(combatant, ruleset))
        yield offer(
            Ready(combatant.id, defense, least - defense),
            Field("defense", low=0, high=min(most, combatant.pools.defense)),
            Field("other_used", low=0, high=min(most, free)),
            total=Sum(("defense", "other_used"), least, most),
        )


class PointEconomy(Economy):
    """The economy in which ready hit points pay for actions (MAM-PHASE-04).

    Some points go to defense, the others to other used.
    """

    def charged(self, points: int) -> int:
        """Return all of the points."""
        return points

    def may(self, state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind, weapon: str) -> None:
        """Raise Refused while the second phase is owed or something must be given up, or if a combo has no room."""
        turn = require_turn_of(state, combatant)
        require_settled(combatant, turn, ruleset)
        # Points still ready after a combo may be used as usual (MAM-PHASE-04); a move is no action of the combo
        # (MAM-TURN-07).
        if deed != "move" and not combos.is_combo_over(turn) and not costs_nothing(deed, ruleset):
            combos.require_combo_room(turn, combatant, deed, weapon, ruleset)

    def may_end(self, state: Encounter, ruleset: Ruleset, combatant: Combatant) -> None:
        """Raise Refused while the second phase is owed, or while something must be given up."""
        if combatant.condition == "able":
            require_settled(combatant, require_turn_of(state, combatant), ruleset)

    def afford(
        self, state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind, price: ActionPrice
    ) -> None:
        """Raise Refused with `below_required_amount`, `not_enough_ready` or `turn_over` (`empty_ready_pool`)."""
        if price.points < self.span(state, ruleset, combatant, deed)[0]:
            require_positive(price.points, price.fields, price.rule)
        require_ready_points(combatant, price.points, price.fields, price.rule)
        self._still(state, ruleset, combatant, deed)

    def _still(self, state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind) -> None:
        """Raise Refused with `turn_over` for an action begun with no point ready (MAM-PHASE-05, `empty_ready_pool`).

        A declared combo is already paid for, and points in other used keep a hold up, so both go on. A deed that costs
        nothing is no action.
        """
        if combatant.pools.ready or ruleset["empty_ready_pool"] != "turn_over":
            return
        turn = require_turn_of(state, combatant)
        if turn.combo or costs_nothing(deed, ruleset) or ruleset.tables.deeds[deed].goes_on:
            return
        ahead = not (turn.refreshed or turn.acted) and maximum_of(combatant, ruleset)
        raise Refused(
            "turn_over/ready_first" if ahead else "turn_over",
            combatant=combatant,
            rule="MAM-PHASE-05",
            fields=("combatant",),
        )

    def pay(
        self, judging: Decision, name: str, deed: DeedKind, purpose: Purpose, price: ActionPrice, weapon: str = ""
    ) -> None:
        """Spend the points; during a combo, count the action as part of it."""
        if price.points:
            pay(judging, name, purpose, to_defense=price.to_defense, to_other_used=price.to_other_used)
        turn = judging.state.turn
        if turn and turn.combo:
            judging.record(ActionTaken(name, deed, weapon))

    def span(self, state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind) -> tuple[int, int]:
        """Return the least and the most points: what that kind of action costs, and all that is ready.

        A combo's points pay for its attacks.
        """
        own = state.turn is not None and state.turn.combatant == combatant.id and not combos.is_combo_over(state.turn)
        combo = state.turn.combo if own and state.turn else None
        paid = combo is not None and combo.modifier > 0 and ruleset.tables.deeds[deed].attack
        most = 0 if costs_nothing(deed, ruleset) else combatant.pools.ready
        return (0 if paid else least_points(deed, ruleset)), most

    def may_back(self, state: Encounter, ruleset: Ruleset, combatant: Combatant, points: int) -> None:
        """Raise Refused with `not_enough_ready` or `turn_over` (`empty_ready_pool`)."""
        require_ready_points(combatant, points, ("modifier",), "MAM-COMBO-06")
        self._still(state, ruleset, combatant, "quick_attack")

    def react(
        self, state: Encounter, ruleset: Ruleset, combatant: Combatant, price: ActionPrice, cap: int, *, least: int = 1
    ) -> None:
        """Raise Refused with `below_required_amount`, `exceeds_maximum` (MAM-INTF-05) or `not_enough_ready`."""
        if price.points < least:
            require_positive(price.points, price.fields)
        require_at_most(price.points, cap, price.fields)
        require_ready_points(combatant, price.points, price.fields, price.rule)

    def pay_reaction(self, judging: Decision, name: str, purpose: Purpose, price: ActionPrice) -> None:
        """Spend the points."""
        pay(judging, name, purpose, to_defense=price.to_defense, to_other_used=price.to_other_used)

    def reaction_span(self, combatant: Combatant, cap: int) -> tuple[int, int]:
        """Return one point and the most points: what is ready, or the cap."""
        return 1, min(combatant.pools.ready, cap)

    def carry(
        self, state: Encounter, ruleset: Ruleset, combatant: Combatant, points: int, metres: Decimal | None
    ) -> Decimal:
        """Return points × stride, or the fewer metres that are given (MAM-POOL-12).

        Raises Refused with `out_of_range`.
        """
        require_positive(points, ("points",), "MAM-POOL-12")
        require_ready_points(combatant, points, ("points",), "MAM-POOL-12")
        farthest = self.farthest(ruleset, combatant, points)
        if metres is None:
            return decimal_of(farthest)
        if Fraction(require_metres(metres, "metres")) > farthest:
            raise Refused(
                "out_of_range/points",
                points=points,
                combatant=combatant,
                farthest=farthest,
                metres=metres,
                rule="MAM-POOL-12",
                fields=("metres",),
            )
        return metres

    def farthest(self, ruleset: Ruleset, combatant: Combatant, points: int) -> Fraction:
        """Return points × stride, and less of it on the ground (MAM-POOL-12, MAM-MNV-03)."""
        far = distance(points, combatant.stride)
        if not is_on_ground(combatant, ruleset):
            return far
        return ground_movement(far, ruleset, distance(combatant.status.crawled, combatant.stride))


POINTS = PointEconomy()


SECTION = RuleModule(
    mechanics=(Mechanic(Ready, check=check_ready, judge=judge_ready, offers=_offer_ready),),
)
