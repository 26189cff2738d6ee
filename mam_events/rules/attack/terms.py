"""The terms of an attack: everything that is settled when it is declared (MAM-ATK-01)."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

from mam_events.commands import Attack
from mam_events.decider.checks import is_allowed, require_metres
from mam_events.decider.engine import Ruleset
from mam_events.decider.offers import Field, free
from mam_events.decider.rule_tables import DeedKind, InTheDark
from mam_events.errors import Refused
from mam_events.refusals.arguments import Word
from mam_events.rules.attack.difficulty import kind_in_the_dark, range_difficulty
from mam_events.rules.attack.power import check_double_power, run_up
from mam_events.rules.missiles.archery import check_shot
from mam_events.rules.missiles.thrown_weapons import check_second_turn, part_of_body, throw_range
from mam_events.state import BODY, PLAIN_TERMS, Action, Combatant, Encounter, Terms, Weapon
from mam_events.values import LIGHTS, AttackMode, ThrowMode, decimal_of

ATTACKS: dict[AttackMode, DeedKind] = {
    "quick": "quick_attack",
    "powerful": "powerful_attack",
    "strategic": "strategic_attack",
    "cautious": "cautious_attack",
}
SHOTS: dict[AttackMode, DeedKind] = {
    "quick": "fire_bow",
    "powerful": "powerful_shot",
    "strategic": "strategic_shot",
    "cautious": "cautious_shot",
}
THROWS: dict[ThrowMode, DeedKind] = {"quick": "quick_throw", "powerful": "powerful_throw", "heave": "heave"}


TERM_FIELDS = (
    Field("light", choices=LIGHTS),
    *free("darkness"),
    Field("blind", choices=(False, True)),
    Field("from_above", choices=(False, True)),
    *free("circumstance"),
)
"""The choices for the terms of any attack: light, position and circumstances."""


def required_distance(combatant: Combatant, weapons: Sequence[str]) -> Field:
    """Return the distance field, which is open if one of those weapons shoots."""
    shoots = any(weapon.shoots for weapon in combatant.weapons if weapon.id in weapons)
    return Field("distance", free=True) if shoots else Field("distance", choices=(None,))


def missile_deed(throw_mode: ThrowMode | Literal[""], weapon: Weapon, mode: AttackMode = "quick") -> DeedKind | None:
    """Return the kind of action that a throw or a bow shot is, for any purpose; None if it is neither."""
    if throw_mode:
        return THROWS[throw_mode]
    return SHOTS[mode] if weapon.kind == "bow" else None


def attack_deed(throw_mode: ThrowMode | Literal[""], weapon: Weapon, mode: AttackMode) -> DeedKind:
    """Return the kind of action that an attack is."""
    return missile_deed(throw_mode, weapon, mode) or ATTACKS[mode]


def check_darkness(darkness: int | None, kind: InTheDark, ruleset: Ruleset) -> None:
    """Raise Refused with `exceeds_maximum` if total darkness adds less to an attack of that kind (MAM-ATK-09)."""
    most = ruleset.tables.darkness[kind].total_darkness
    if darkness is not None and darkness > most:
        grapple = kind == "grapple"
        raise Refused(
            "exceeds_maximum/darkness_in_grapple" if grapple else "exceeds_maximum/darkness",
            most=most,
            darkness=darkness,
            rule="MAM-ATK-09",
            fields=("darkness",),
        )


def check_terms(state: Encounter, ruleset: Ruleset, command: Attack, weapon: Weapon) -> Terms:
    """Return the terms of that attack.

    Raises Refused with `idle_distance`, `idle_darkness`, `impossible_distance`, `out_of_range`, `unwieldy`, `no_range`,
    `bad_throw`, `heave_not_begun`, `bow_not_drawn`, `not_loaded` or `idle_double_power`.
    """
    attacker = state.combatants[command.attacker]
    missile = bool(command.thrown) or weapon.shoots
    if not missile:
        no_distance(command.distance, weapon)
        require_hand_to_hand(state, weapon, _interrupted(state, attacker, command.target), attacker.status.moved)
    if command.darkness is not None and (command.light != "total_darkness" or ruleset["darkness_values"] == "fixed"):
        raise Refused("idle_darkness", rule="MAM-ATK-09", fields=("darkness",))
    check_darkness(command.darkness, kind_in_the_dark(Terms(missile=missile)), ruleset)
    check_double_power(command, ruleset)
    reach = weapon_range(ruleset, command, attacker, weapon)
    check_distance(ruleset, weapon, command.distance, reach)
    if command.thrown == "heave":
        check_second_turn(attacker, weapon, ruleset)
    elif not command.thrown:
        check_shot(attacker, weapon)
    return Terms(
        mode=command.mode,
        double_power=command.double_power,
        distance=command.distance,
        range=reach,
        light=command.light,
        darkness=command.darkness,
        blind=command.blind,
        from_above=command.from_above,
        circumstance=command.circumstance,
        charge=run_up(state, ruleset, attacker, missile=missile),
        thrown=command.thrown,
        missile=missile,
        evade=command.evade,
    )


def no_distance(distance: Decimal | None, weapon: Weapon) -> None:
    """Raise Refused with `idle_distance` if a melee attack names a distance."""
    if distance is not None:
        raise Refused("idle_distance", weapon=weapon, rule="MAM-ATK-08", fields=("distance",))


def check_distance(ruleset: Ruleset, weapon: Weapon, distance: Decimal | None, reach: Decimal) -> None:
    """Raise Refused with `impossible_distance`, `no_range` or `out_of_range` if a missile cannot fly that far."""
    if distance is None:
        return
    metres = require_metres(distance, "distance")
    if not reach:
        raise Refused("no_range", weapon=weapon, rule="MAM-ATK-08", fields=("distance",))
    range_difficulty(reach, metres, ruleset)


def answer_terms(
    state: Encounter, ruleset: Ruleset, weapon: Weapon, distance: Decimal | None, answered: Action | None
) -> Terms:
    """Return the terms of a strike in answer to somebody.

    `answered` is the attack that it answers (None: it answers none). A shot flies the `distance` that is given, or else
    the distance of the attack that it answers. Raises as `check_distance` and `require_hand_to_hand` do.
    """
    if not weapon.shoots:
        no_distance(distance, weapon)
        require_hand_to_hand(state, weapon, answered)
        return PLAIN_TERMS
    if distance is None and answered and weapon.range:
        distance = answered.terms.distance
    check_distance(ruleset, weapon, distance, weapon.range)
    return Terms(missile=True, distance=distance, range=weapon.range)


def answered_attack(combatant: Combatant, action: Action) -> Action | None:
    """Return the action that the combatant answers, or None.

    The action must be an attack on that combatant, or throw somebody into it: the answer's roll defends against both.
    """
    pair = (action.target, action.manipulation.into if action.manipulation else "")
    return action if action.kind == "attack" and combatant.id in pair else None


def _interrupted(state: Encounter, combatant: Combatant, target: str = "") -> Action | None:
    """Return the attack that the combatant's prepared counterattack comes before, or None (MAM-CTR-02).

    With a target, only an attack by that target counts.
    """
    waiting = state.interrupted[-1].exchange if state.interrupted else None
    answered = answered_attack(combatant, waiting.root) if waiting else None
    return answered if answered and target in ("", answered.actor) else None


def require_hand_to_hand(
    state: Encounter, weapon: Weapon, answered: Action | None, metres: Decimal = Decimal(0)
) -> None:
    """Raise Refused with `out_of_range` for a melee answer to a missile from beyond the weapon's reach.

    The combatant first moves `metres` closer.
    """
    if answered is None or answered.terms.distance is None or answered.terms.distance - metres <= weapon.reach:
        return
    raise Refused(
        "out_of_range/answer",
        met_actor=state.combatants[answered.actor],
        distance_moved=answered.terms.distance - metres,
        weapon=weapon,
        reach=weapon.reach,
        rule="MAM-ATK-08",
        fields=("weapon",),
    )


def can_reach_back(state: Encounter, combatant: Combatant, weapon: Weapon) -> bool:
    """Return True if a weapon reaches, in melee, the attacker whom the prepared counterattack precedes."""
    return is_allowed(require_hand_to_hand, state, weapon, _interrupted(state, combatant), combatant.status.moved)


def weapons_in_reach(
    state: Encounter, combatant: Combatant, weapons: Sequence[str], answered: Action | None
) -> tuple[str, ...]:
    """Return the weapons that reach as far as the attack that they answer; all of them if none does."""
    weapons_by_id = {weapon.id: weapon for weapon in combatant.weapons}
    far = tuple(
        name
        for name in weapons
        if weapons_by_id[name].shoots or is_allowed(require_hand_to_hand, state, weapons_by_id[name], answered)
    )
    return far or tuple(weapons)


def weapon_range(ruleset: Ruleset, command: Attack, attacker: Combatant, weapon: Weapon) -> Decimal:
    """Return the range of that weapon in metres, thrown or shot; 0 for a melee attack (MAM-THR-05)."""
    if not command.thrown:
        return weapon.range if weapon.shoots else Decimal(0)
    if weapon.id == BODY or weapon.attached:
        raise part_of_body(attacker, weapon)
    if command.mode != "quick":
        raise Refused("bad_throw/mode", mode=Word(command.mode), rule="MAM-THR-01", fields=("mode",))
    reach = throw_range(attacker, weapon, command.thrown, ruleset)
    return decimal_of(reach)
