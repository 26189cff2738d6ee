"""The phases of a turn in the pools edition: stun, ready, actions, end (MAM-PHASE)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from mam_events.commands import BeginTurn, EndTurn, Ready
from mam_events.encounter.judging import Judging
from mam_events.encounter.templates import Field, Offer, Sum, Template
from mam_events.errors import Refused
from mam_events.events import (
    ReadyPoolRefreshed,
    RoundEnded,
    RoundStarted,
    StunRecovered,
    TurnEnded,
    TurnStarted,
)
from mam_events.rules.checks import able, named, no_exchange, turn_of, under_way
from mam_events.rules.edition import Mechanic
from mam_events.rules.hit_points import must_give_up, reserve_of
from mam_events.rules.ruleset import Ruleset
from mam_events.rules.wounds import settle_condition
from mam_events.state import Combatant, Encounter, Pools, Turn

REVISION = 1


def recover_stun(pools: Pools, moment: str, ruleset: Ruleset) -> Pools:
    """One point of stun goes to other used, at the moment the house says: `turn_start` or `turn_end` (MAM-PHASE-01,
    MAM-WND-09).
    """
    if pools.stun == 0 or ruleset["stun_recovery_timing"] != moment:
        return pools
    return pools.move("stun", "other_used", 1)


def free_other_used(pools: Pools, reserved: int) -> int:
    """Points of other used that no reserve holds back (MAM-PHASE-02)."""
    return max(0, pools.other_used - reserved)


def refresh_maximum(pools: Pools, hp_per_round: int, reserved: int, ruleset: Ruleset) -> int:
    """How many points may become ready now (MAM-PHASE-02, `ready_refresh_cap`); `reserved` lie fast in other used."""
    most = min(hp_per_round, pools.defense + free_other_used(pools, reserved))
    if ruleset["ready_refresh_cap"] == "ready_cap":
        most = min(most, max(0, hp_per_round - pools.ready))
    return most


class Refreshed(NamedTuple):
    """What the second phase comes to: how many points it could have made ready, and the pools after it."""

    maximum: int
    pools: Pools


def refresh(
    pools: Pools, from_defense: int, from_other_used: int, hp_per_round: int, reserved: int, ruleset: Ruleset
) -> Refreshed:
    """What comes of making those points ready (MAM-PHASE-02, MAM-PHASE-03).

    Refused with `exceeds_maximum`, `below_required_amount` (`ready_refresh_amount = exact_maximum`) or
    `not_enough_in_pool`.
    """
    most = refresh_maximum(pools, hp_per_round, reserved, ruleset)
    wanted = from_defense + from_other_used
    short = [
        (name, f"{asked} asked from {name}, which can give {free}")
        for name, asked, free in (
            ("defense", from_defense, pools.defense),
            ("other used", from_other_used, free_other_used(pools, reserved)),
        )
        if asked > free
    ]
    if wanted > most:
        detail = f" ({'; '.join(said for _, said in short)})" if short else ""
        raise Refused(
            "exceeds_maximum",
            f"{wanted} points cannot become ready: at most {most} may{detail}.",
            rule="MAM-PHASE-02",
            fields=("from_defense", "from_other_used"),
        )
    if wanted < most and ruleset["ready_refresh_amount"] == "exact_maximum":
        raise Refused(
            "below_required_amount",
            f"Exactly {most} points must become ready, not {wanted}.",
            rule="MAM-PHASE-02",
            fields=("from_defense", "from_other_used"),
        )
    if short:
        raise Refused(
            "not_enough_in_pool",
            f"{short[0][1]}.",
            rule="MAM-PHASE-02",
            fields=tuple(f"from_{name.replace(' ', '_')}" for name, _ in short),
        )
    after = replace(
        pools,
        ready=pools.ready + wanted,
        defense=pools.defense - from_defense,
        other_used=pools.other_used - from_other_used,
    )
    return Refreshed(most, refill(after, wanted, reserved, ruleset))


def refill(pools: Pools, refreshed: int, reserved: int, ruleset: Ruleset) -> Pools:
    """With `encumbrance_shortfall = refill_first`, refreshed points fill a reserve that is short before ready."""
    if ruleset["encumbrance_shortfall"] != "refill_first":
        return pools
    return pools.move("ready", "other_used", min(refreshed, max(0, reserved - pools.other_used)))


def reserved(combatant: Combatant) -> int:
    """Points of other used that equipment and holds keep (MAM-POOL-08)."""
    return combatant.carried_encumbrance + combatant.grapple_reserve


def maximum_of(combatant: Combatant, ruleset: Ruleset) -> int:
    """How many points that combatant may make ready now."""
    return refresh_maximum(combatant.pools, combatant.hp_per_round, reserved(combatant), ruleset)


def acting(state: Encounter, ruleset: Ruleset, name: str, field: str = "combatant") -> Combatant:
    """The combatant, if it may act in the third phase of its own turn (MAM-PHASE-04).

    Refused with `out_of_turn`, `exchange_open`, `incapacitated`, `below_required_amount` (the exact refresh is still
    owed) or `reserve_short` (something must be given up first).
    """
    combatant = named(state, name, field)
    turn = turn_of(state, combatant, field)
    no_exchange(state)
    able(combatant, field)
    settled(combatant, turn, ruleset, field)
    return combatant


def settled(combatant: Combatant, turn: Turn, ruleset: Ruleset, field: str = "combatant") -> None:
    """Refused while the second phase is owed, or something must be dropped or let go before anything else."""
    if ruleset["ready_refresh_amount"] == "exact_maximum" and not turn.refreshed and not turn.acted:
        owed = maximum_of(combatant, ruleset)
        if owed:
            raise Refused(
                "below_required_amount",
                f"{combatant.name} must first make exactly {owed} points ready.",
                rule="MAM-PHASE-02",
                fields=(field,),
            )
    if must_give_up(combatant, ruleset):
        short = reserve_of(combatant, ruleset).shortfall
        raise Refused(
            "reserve_short",
            f"{combatant.name}'s other used is {short} short of what it carries and holds: drop something or let a "
            "hold go first.",
            rule="MAM-POOL-08",
            fields=(field,),
        )


def check_begin(state: Encounter, ruleset: Ruleset, command: BeginTurn) -> None:
    """Whether that combatant's turn may begin now (MAM-ORDER-02, MAM-ORDER-05)."""
    under_way(state)
    combatant = named(state, command.combatant)
    no_exchange(state)
    if not state.order:
        raise Refused("out_of_turn", "Initiative must be settled first.", rule="MAM-ORDER-03")
    if state.turn is not None:
        raise Refused(
            "turn_in_progress",
            f"It is {state.combatants[state.turn.combatant].name}'s turn, which must be ended first.",
            rule="MAM-ORDER-01",
            fields=("combatant",),
        )
    if state.next_up != combatant.id:
        due = f"{state.combatants[state.next_up].name} is next" if state.next_up else "nobody is left who has turns"
        raise Refused(
            "out_of_turn", f"{combatant.name} cannot begin now: {due}.", rule="MAM-ORDER-05", fields=("combatant",)
        )


def judge_begin(judging: Judging, command: BeginTurn, _: None) -> None:
    """Begin a turn, and the round if it is the first in it; the stun phase runs by itself (MAM-PHASE-01)."""
    if judging.state.round_open and judging.state.round_done:
        # Whoever was still due fell or left meanwhile, so no turn's end could close the round.
        judging.record(RoundEnded(judging.state.round))
    if not judging.state.round_open:
        judging.record(RoundStarted(judging.state.round + 1))
    judging.record(TurnStarted(command.combatant))
    recover(judging, command.combatant, "turn_start")


def recover(judging: Judging, name: str, moment: str) -> None:
    """Record the recovered point of stun, if this is the moment, and that the combatant is up again."""
    pools = judging.state.combatants[name].pools
    after = recover_stun(pools, moment, judging.ruleset)
    if after is not pools:
        judging.record(StunRecovered(name, 1, after))
        settle_condition(judging, name)


def offer_begin(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `begin` that could be ordered, legal or not."""
    for name in state.order or state.combatants:
        yield Offer(Template("begin-turn", name, (Field("combatant", choices=(name,)),)), BeginTurn(name))


def check_ready(state: Encounter, ruleset: Ruleset, command: Ready) -> Refreshed:
    """What the second phase comes to, which is there once and before any action (MAM-PHASE-02)."""
    combatant = named(state, command.combatant)
    turn = turn_of(state, combatant)
    no_exchange(state)
    able(combatant)
    if turn.refreshed or turn.acted:
        why = "has been" if turn.refreshed else "comes before the first action"
        raise Refused(
            "phase_over",
            f"{combatant.name}'s second phase {why}; points become ready once a turn.",
            rule="MAM-PHASE-02",
            fields=("combatant",),
        )
    return refresh(
        combatant.pools,
        command.from_defense,
        command.from_other_used,
        combatant.hp_per_round,
        reserved(combatant),
        ruleset,
    )


def judge_ready(judging: Judging, command: Ready, refreshed: Refreshed) -> None:
    """Move the chosen points into ready."""
    before = judging.state.combatants[command.combatant].pools
    wanted = command.from_defense + command.from_other_used
    judging.record(
        ReadyPoolRefreshed(
            command.combatant,
            command.from_defense,
            command.from_other_used,
            refreshed.maximum,
            refreshed.pools,
            refilled=before.ready + wanted - refreshed.pools.ready,
        )
    )


def offer_ready(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `ready` that could be ordered, legal or not."""
    for combatant in state.combatants.values():
        most = maximum_of(combatant, ruleset)
        least = most if ruleset["ready_refresh_amount"] == "exact_maximum" else 0
        defense = min(least, combatant.pools.defense)
        template = Template(
            "ready",
            combatant.id,
            (
                Field("combatant", choices=(combatant.id,)),
                Field("from_defense", low=0, high=min(most, combatant.pools.defense)),
                Field("from_other_used", low=0, high=min(most, free_other_used(combatant.pools, reserved(combatant)))),
            ),
            (Sum(("from_defense", "from_other_used"), least, most),),
        )
        yield Offer(template, Ready(combatant.id, defense, least - defense))


def check_end(state: Encounter, ruleset: Ruleset, command: EndTurn) -> None:
    """Whether that combatant's turn may end now (MAM-PHASE-05)."""
    combatant = named(state, command.combatant)
    turn = turn_of(state, combatant)
    no_exchange(state)
    if combatant.condition == "able":
        settled(combatant, turn, ruleset)


def judge_end(judging: Judging, command: EndTurn, _: None) -> None:
    """End a turn, and the round with the last one; where the house says so the next round starts at once."""
    recover(judging, command.combatant, "turn_end")
    judging.record(TurnEnded(command.combatant))
    if judging.state.round_done:
        judging.record(RoundEnded(judging.state.round))
        if judging.ruleset["round_boundary"] == "turn_end_to_turn_end" and judging.state.in_fight:
            judging.record(RoundStarted(judging.state.round + 1))


def offer_end(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `end` that could be ordered, legal or not."""
    for name in state.combatants:
        fields = (Field("combatant", choices=(name,)), Field("reason", free=True))
        yield Offer(Template("end-turn", name, fields), EndTurn(name))


MECHANICS = (
    Mechanic(BeginTurn, check=check_begin, judge=judge_begin, offers=offer_begin),
    Mechanic(Ready, check=check_ready, judge=judge_ready, offers=offer_ready),
    Mechanic(EndTurn, check=check_end, judge=judge_end, offers=offer_end),
)
