"""Checks that nearly every command makes of the state, each with its refusal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import ParamSpec

from mam_events.errors import CommandHint, Refused
from mam_events.refusals.arguments import (
    RulingArgument,
    Term,
    TextArgument,
    Word,
    list_argument,
    thing_arguments,
    thing_of,
)
from mam_events.state import BODY, Combatant, Encounter, Exchange, Turn, Weapon

FARTHEST = 1_000_000
DECIMALS = 6

_Asked = ParamSpec("_Asked")


def is_allowed(check: Callable[_Asked, object], *args: _Asked.args, **kwargs: _Asked.kwargs) -> bool:
    """Return True if the check passes, False if it raises Refused."""
    try:
        check(*args, **kwargs)
    except Refused:
        return False
    return True


def require_combatant(state: Encounter, name: str, field: str = "combatant") -> Combatant:
    """Return the combatant with that id, or raise Refused with `unknown_combatant`."""
    combatant = state.combatants.get(name)
    if combatant is None:
        raise Refused("unknown_combatant", fields=(field,), wrong=name, allowed=state.combatants.values())
    return combatant


def require_combatants(state: Encounter, rule: str) -> None:
    """Raise Refused with `nobody_joined` if nobody has joined the fight."""
    if not state.combatants:
        raise Refused("nobody_joined", rule=rule)


def require_open(state: Encounter) -> None:
    """Raise Refused with `encounter_closed` or `no_encounter` unless the encounter is open."""
    if state.status == "closed":
        raise Refused("encounter_closed")
    if state.status == "unopened":
        raise Refused("no_encounter")


def require_combat(state: Encounter, reason: str = "") -> None:
    """Raise Refused with `no_combat` if the stalking sides missed one another and no reason to go on is given.

    The rule is MAM-SURP-02.
    """
    if state.avoided and not reason.strip():
        raise Refused(
            "no_combat", rule="MAM-SURP-02", fields=("reason",), hints=(CommandHint("stalk"), CommandHint("initiative"))
        )


def require_surprise_settled(state: Encounter, *, master_may: bool = False) -> None:
    """Raise Refused with `surprise_open` while the outcome of stalking is not settled (MAM-SURP-02).

    Set `master_may` where the game master may still say who is first.
    """
    # The refusal doesn't say who stalked whom: that may be hidden though both are seen.
    if state.stealth and state.advantaged is None:
        raise Refused("surprise_open/master_may" if master_may else "surprise_open", rule="MAM-SURP-02")


def require_no_exchange(state: Encounter) -> None:
    """Raise Refused with `exchange_open` while a declared action is not resolved."""
    if state.exchange is not None:
        raise Refused("exchange_open", action=RulingArgument(state.exchange.id), rule="MAM-ATK-01")


def require_not_thrown(state: Encounter) -> None:
    """Raise Refused with `dice_thrown` once somebody has given a face in the open exchange.

    Nobody decides anything after seeing a die.
    """
    if state.exchange is not None and state.exchange.faces:
        raise Refused("dice_thrown", action=RulingArgument(state.exchange.id), fields=("exchange",))


def require_turn_of(
    state: Encounter, combatant: Combatant, field: str = "combatant", rule: str = "MAM-ORDER-02"
) -> Turn:
    """Return the turn in progress if it belongs to that combatant, or raise Refused with `out_of_turn`."""
    require_open(state)
    turn = state.turn
    if turn is None or turn.combatant != combatant.id:
        if due := turn.combatant if turn is not None else state.next_up:
            raise Refused(
                "out_of_turn/next" if turn is None else "out_of_turn/other",
                who=combatant,
                other=state.combatants[due],
                rule=rule,
                fields=(field,),
            )
        raise Refused(
            "out_of_turn/cannot_now" if state.order else "out_of_turn/no_order",
            who=combatant,
            rule=rule,
            fields=(field,),
        )
    return turn


def require_able(combatant: Combatant, field: str = "combatant", rule: str = "MAM-WND-08") -> None:
    """Raise Refused with `incapacitated` unless the combatant can act."""
    if combatant.condition != "able":
        raise Refused(
            "incapacitated/down" if combatant.condition == "incapacitated" else "incapacitated/gone",
            who=combatant,
            condition=Word(f"{combatant.condition} by word" if combatant.status.by_word else combatant.condition),
            rule=rule,
            fields=(field,),
        )


def require_exchange(state: Encounter, number: int) -> Exchange:
    """Return the open exchange if it has that number, or raise Refused with `no_such_exchange`."""
    require_open(state)
    exchange = state.exchange
    if exchange is None:
        raise Refused("no_such_exchange", number=number, fields=("exchange",))
    if exchange.id != number:
        raise Refused(
            "no_such_exchange/another", number=number, action=RulingArgument(exchange.id), fields=("exchange",)
        )
    return exchange


def weapon_in_hand(combatant: Combatant, weapon_id: str) -> Weapon:
    """Return the weapon with that id if it is in hand.

    Raises Refused with `weapon_needed` (see `missing_weapon_error`), `unknown_weapon` or `weapon_not_in_hand`.
    """
    if not weapon_id:
        raise missing_weapon_error(
            combatant, [weapon.id for weapon in combatant.in_hand if weapon.id != BODY], bare=True
        )
    weapon = combatant.weapon(weapon_id)
    if weapon is None:
        weapons = thing_arguments(combatant, [weapon.id for weapon in combatant.weapons])
        raise Refused("unknown_weapon/here", who=combatant, fields=("weapon",), wrong=weapon_id, allowed=weapons)
    if weapon not in combatant.in_hand:
        raise Refused(
            "weapon_not_in_hand",
            who=combatant,
            weapon=thing_of(combatant, weapon),
            dropped=weapon_id in combatant.dropped,
            rule="MAM-ATK-06",
            fields=("weapon",),
        )
    return weapon


def missing_weapon_error(combatant: Combatant, able: Sequence[str], *, bare: bool = False) -> Refused:
    """Return the refusal of a command that names no weapon although there are several to choose from, or none.

    With `bare`, the command can be done with bare hands, and the refusal suggests them.
    """
    away = sheathed_weapons(combatant)
    hints = [CommandHint("ready-weapon", {"combatant": combatant.id, "weapon": weapon.id}) for weapon in away[:1]]
    weapons = thing_arguments(combatant, (BODY,) if bare and not able else able)
    if away and not able:
        return Refused(
            "weapon_needed/bare" if bare else "weapon_needed/away",
            who=combatant,
            away=list_argument(thing_of(combatant, weapon) for weapon in away),
            rule="MAM-ATK-06",
            fields=("weapon",),
            allowed=weapons,
            hints=hints,
        )
    if len(able) > 1:
        return Refused(
            "weapon_needed",
            who=combatant,
            able=list_argument(weapons),
            rule="MAM-ATK-06",
            fields=("weapon",),
            allowed=weapons,
            hints=hints,
        )
    return Refused(
        "weapon_needed/none", who=combatant, rule="MAM-ATK-06", fields=("weapon",), allowed=weapons, hints=hints
    )


def sheathed_weapons(combatant: Combatant) -> tuple[Weapon, ...]:
    """Return the weapons that the combatant has and could take in hand."""
    return tuple(w for w in combatant.weapons if not w.readied and w.id not in combatant.dropped)


def require_ready_points(
    combatant: Combatant, points: int, fields: tuple[str, ...], rule: str = "MAM-PHASE-04"
) -> None:
    """Raise Refused with `not_enough_ready` if the ready pool holds fewer points."""
    ready = combatant.pools.ready
    if points > ready:
        raise Refused("not_enough_ready/points", who=combatant, points=points, ready=ready, rule=rule, fields=fields)


def require_positive(points: int, fields: tuple[str, ...], rule: str = "MAM-PHASE-04") -> None:
    """Raise Refused with `below_required_amount` for 0 points where the kind of action costs at least one."""
    if points < 1:
        raise Refused("below_required_amount", rule=rule, fields=fields)


def require_at_most(points: int, cap: int, fields: tuple[str, ...]) -> None:
    """Raise Refused with `exceeds_maximum` if a reaction uses more points than the action it answers (MAM-INTF-05)."""
    if points > cap:
        raise Refused("exceeds_maximum", cap=cap, points=points, rule="MAM-INTF-05", fields=fields)


def require_metres(metres: Decimal, field: str) -> Decimal:
    """Return a distance in metres, or raise Refused with `impossible_distance` for one that cannot be meant."""
    sensible = metres.is_finite() and not metres.is_signed() and metres <= FARTHEST
    if not sensible or int(metres.as_tuple().exponent) < -DECIMALS:
        raise Refused(
            "impossible_distance",
            field=Term(field),
            metres=TextArgument(f"{metres:.8}"),
            farthest=FARTHEST,
            decimals=DECIMALS,
            fields=(field,),
        )
    return metres


def duplicate_id_error(combatant: str, free: str = "") -> Refused:
    """Return the refusal of an id that is already taken; `free` is an id to suggest instead."""
    if free:
        return Refused(
            "already_joined/free", who=TextArgument(combatant), free=TextArgument(free), fields=("combatant",)
        )
    return Refused("already_joined", who=TextArgument(combatant), fields=("combatant",))
