"""The questions that nearly every command asks of the state, each with its refusal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import ParamSpec

from mam_events.errors import Hint, Refused, listing
from mam_events.refusals.nearest import nearest
from mam_events.refusals.references import Ruling
from mam_events.state import BODY, Combatant, Encounter, Exchange, Turn, Weapon

FARTHEST = 1_000_000
DECIMALS = 6

_Asked = ParamSpec("_Asked")


def allowed(check: Callable[_Asked, object], *args: _Asked.args, **kwargs: _Asked.kwargs) -> bool:
    """True if a check has nothing against what it is asked about."""
    try:
        check(*args, **kwargs)
    except Refused:
        return False
    return True


def named(state: Encounter, name: str, field: str = "combatant") -> Combatant:
    """The combatant of that id; refused with `unknown_combatant`."""
    combatant = state.combatants.get(name)
    if combatant is None:
        raise Refused(
            "unknown_combatant",
            f'Nobody called "{name}" is in this fight; {listing(name, state.combatants)}',
            fields=(field,),
            wrong=name,
            allowed=state.combatants,
        )
    return combatant


def somebody_joined(state: Encounter, rule: str) -> None:
    """Refused with `nobody_joined` in a fight without anybody."""
    if not state.combatants:
        raise Refused("nobody_joined", rule=rule)


def under_way(state: Encounter) -> None:
    """Refused with `encounter_closed` or `no_encounter` unless the encounter is open."""
    if state.status == "closed":
        raise Refused("encounter_closed")
    if state.status == "unopened":
        raise Refused("no_encounter")


def there_is_combat(state: Encounter, reason: str = "") -> None:
    """Refused with `no_combat` where those who stalked one another missed, unless there is a reason to go on
    (MAM-SURP-02).
    """
    if state.avoided and not reason.strip():
        raise Refused("no_combat", rule="MAM-SURP-02", fields=("reason",), hints=(Hint("stalk"), Hint("initiative")))


def surprise_settled(state: Encounter, otherwise: str = "") -> None:
    """Refused with `surprise_open` while it is not settled what stalking came to (MAM-SURP-02); `otherwise` is what
    else would be allowed.
    """
    # Who stalked whom is not told: that may be hidden though both are seen.
    if state.stealth and state.advantaged is None:
        raise Refused(
            "surprise_open",
            f"What the stalking came to is not settled yet (establish-surprise){otherwise}.",
            rule="MAM-SURP-02",
        )


def no_exchange(state: Encounter) -> None:
    """Refused with `exchange_open` while something declared is not yet resolved."""
    if state.exchange is not None:
        raise Refused("exchange_open", action=Ruling(state.exchange.id), rule="MAM-ATK-01")


def unthrown(state: Encounter) -> None:
    """Refuse with `dice_thrown` once somebody gave a face in the open exchange: nobody decides anything after seeing a
    die.
    """
    if state.exchange is not None and state.exchange.faces:
        raise Refused("dice_thrown", action=Ruling(state.exchange.id), fields=("exchange",))


def turn_of(state: Encounter, combatant: Combatant, field: str = "combatant", rule: str = "MAM-ORDER-02") -> Turn:
    """The turn in progress, if it is that combatant's; refused with `out_of_turn`."""
    under_way(state)
    turn = state.turn
    if turn is None or turn.combatant != combatant.id:
        if turn is not None:
            whose = f"it is {state.combatants[turn.combatant].name}'s turn"
        elif due := state.next_up:
            whose = f"no turn is in progress and {state.combatants[due].name} is next to begin"
        elif not state.order:
            whose = "initiative must be settled first"
        else:
            whose = "nobody is left who can take a turn"
        raise Refused("out_of_turn", f"{combatant.name} cannot do this now: {whose}.", rule=rule, fields=(field,))
    return turn


def able(combatant: Combatant, field: str = "combatant", rule: str = "MAM-WND-08") -> None:
    """Refused with `incapacitated` unless the combatant can act."""
    if combatant.condition != "able":
        until = "the game master says otherwise" if combatant.status.by_word else "they recover"
        how = {"incapacitated": f"is incapacitated and cannot act until {until}"}
        raise Refused(
            "incapacitated",
            f"{combatant.name} {how.get(combatant.condition, f'is {combatant.condition}')}.",
            rule=rule,
            fields=(field,),
        )


def exchange_of(state: Encounter, number: int) -> Exchange:
    """The open exchange, if it has that number; refused with `no_such_exchange`."""
    under_way(state)
    exchange = state.exchange
    if exchange is None:
        raise Refused("no_such_exchange", number=number, fields=("exchange",))
    if exchange.id != number:
        raise Refused("no_such_exchange/2", number=number, action=Ruling(exchange.id), fields=("exchange",))
    return exchange


def weapon_in_hand(combatant: Combatant, weapon_id: str) -> Weapon:
    """That weapon, if it is in hand; refused with `weapon_needed`, `unknown_weapon` or `weapon_not_in_hand`."""
    if not weapon_id:
        raise weapon_needed(combatant, [weapon.id for weapon in combatant.in_hand if weapon.id != BODY], bare=True)
    weapon = combatant.weapon(weapon_id)
    if weapon is None:
        known = [weapon.id for weapon in combatant.weapons]
        raise Refused(
            "unknown_weapon",
            f'{combatant.name} has no weapon "{weapon_id}"; {nearest(weapon_id, known)}',
            fields=("weapon",),
            wrong=weapon_id,
            allowed=known,
        )
    if weapon not in combatant.in_hand:
        how = "it has been dropped" if weapon_id in combatant.dropped else "it is not in hand yet"
        raise Refused(
            "weapon_not_in_hand",
            f"{combatant.name} cannot use the {weapon.name}: {how}.",
            rule="MAM-ATK-06",
            fields=("weapon",),
        )
    return weapon


def weapon_needed(combatant: Combatant, able: Sequence[str], *, bare: bool = False) -> Refused:
    """The refusal of a command that names no weapon where there are several, or nothing, to do it with; where it can
    be done with `bare` hands, those are named.
    """
    several = f"has more than one thing to do this with: name the weapon, {' or '.join(able)}"
    found = several if len(able) > 1 else "has nothing in hand to do this with"
    away = sheathed(combatant)
    if not able and away:
        named = " or ".join(f"the {weapon.name or weapon.id}" for weapon in away)
        found = (
            f"has nothing in hand: take {named} in hand first{f', or name the {BODY} as the weapon' if bare else ''}"
        )
    return Refused(
        "weapon_needed",
        f"{combatant.name} {found}.",
        rule="MAM-ATK-06",
        fields=("weapon",),
        allowed=(BODY,) if bare and not able else able,
        hints=[Hint("ready-weapon", {"combatant": combatant.id, "weapon": weapon.id}) for weapon in away[:1]],
    )


def sheathed(combatant: Combatant) -> tuple[Weapon, ...]:
    """Return the weapons that it has and could take in hand."""
    return tuple(w for w in combatant.weapons if not w.readied and w.id not in combatant.dropped)


def enough_ready(combatant: Combatant, points: int, fields: tuple[str, ...], rule: str = "MAM-PHASE-04") -> None:
    """Refused with `not_enough_ready` when the ready pool holds fewer points."""
    ready = combatant.pools.ready
    if points > ready:
        raise Refused(
            "not_enough_ready",
            f"{combatant.name} would need {points} ready {_points(points)} and has {ready}.",
            rule=rule,
            fields=fields,
        )


def at_least_one(points: int, fields: tuple[str, ...], rule: str = "MAM-PHASE-04") -> None:
    """Refused with `below_required_amount` for an action that costs nothing though its kind must cost a point."""
    if points < 1:
        raise Refused("below_required_amount", rule=rule, fields=fields)


def capped(points: int, cap: int, fields: tuple[str, ...]) -> None:
    """Refused with `exceeds_maximum` when a reaction uses more points than what it answers or stops (MAM-INTF-05)."""
    if points > cap:
        raise Refused("exceeds_maximum", cap=cap, points=points, rule="MAM-INTF-05", fields=fields)


def length(metres: Decimal, field: str) -> Decimal:
    """A distance in metres; refused with `impossible_distance` where no table could mean it."""
    sensible = metres.is_finite() and not metres.is_signed() and metres <= FARTHEST
    if not sensible or int(metres.as_tuple().exponent) < -DECIMALS:
        raise Refused(
            "impossible_distance",
            f"{field}: {metres:.8} is no distance; metres are 0 to {FARTHEST:,} with at most {DECIMALS} decimals.",
            fields=(field,),
        )
    return metres


def already_joined(combatant: str, free: str = "") -> Refused:
    """The refusal of an id that somebody has, with the question for another one."""
    told = f'"{combatant}" is already in this fight; names are used once. {free}'
    return Refused("already_joined", told.rstrip(), fields=("combatant",))


def _points(number: int) -> str:
    return "point" if number == 1 else "points"
