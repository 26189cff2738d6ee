"""Attacks: declaration, totals, and the outcome (MAM-ATK-01 to MAM-ATK-04, MAM-POOL-04)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import Attack
from mam_events.decider.action_kinds import require_can_act, require_can_strike
from mam_events.decider.action_price import ActionPrice
from mam_events.decider.checks import is_allowed, require_combatant, weapon_in_hand
from mam_events.decider.engine import Decision, RollContext, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, Sum, free, offer
from mam_events.decider.rule_tables import DeedKind
from mam_events.errors import Refused
from mam_events.events import AttackDeclared, Modifier
from mam_events.refusals.arguments import Message, Word, text_fragment
from mam_events.rules.attack.default_weapon import with_default_weapon
from mam_events.rules.attack.power import double_flags
from mam_events.rules.attack.terms import ATTACKS, TERM_FIELDS, attack_deed, can_reach_back, check_terms
from mam_events.rules.maneuvering.evade import (
    check_with_attack,
    evasion_price,
    has_evaded,
    move_with_attack,
    pay_with_attack,
)
from mam_events.rules.missiles.thrown_weapons import heavable_things, missile_of, thing_to_heave
from mam_events.rules.rolls.combat_rolls import combat_modifiers
from mam_events.rules.rolls.success_rolls import automatic_outcome, compare_totals
from mam_events.rules.turns import combos
from mam_events.rules.turns.prepared_counterattack import attackable_targets, may_aim, trigger
from mam_events.state import BODY, Action, Combatant, Encounter, Terms, Weapon
from mam_events.values import MODES, AttackMode, OutcomeField, ThrowMode

POINT_FIELDS = ("power", "modifier")


def attack_modifier(weapon: Weapon, ruleset: Ruleset) -> int:
    """Return the weapon's modifier for an attack roll (MAM-ATK-02); option `body_modifier` gives the body's."""
    if weapon.id == BODY and ruleset["body_modifier"] == "single_zero":
        return weapon.defense
    return weapon.attack


def defense_modifier(weapon: Weapon, ruleset: Ruleset) -> int:
    """Return the weapon's modifier for a defense roll (MAM-ATK-03); option `body_modifier` gives the body's."""
    if weapon.id == BODY and ruleset["body_modifier"] == "single_two":
        return weapon.attack
    return weapon.defense


def attack_modifiers(state: Encounter, ruleset: Ruleset, action: Action) -> tuple[Modifier, ...]:
    """Return all modifiers of an attack or counterattack roll (MAM-ATK-02); never the defense pool (MAM-POOL-04)."""
    combatant = state.combatants[action.actor]
    weapon = weapon_of(combatant, action)
    points = action.modifier + combos.combo_modifier(state, ruleset, action)
    rolling = RollContext(state, ruleset, action, combatant, state.combatants.get(action.target), "attack")
    collision = action.terms.collision
    return (
        Modifier("ramming", collision.modifier, "MAM-VEH-02")
        if collision
        else Modifier(weapon.name, attack_modifier(weapon, ruleset), "MAM-ATK-02"),
        Modifier("points on the attack", points, "MAM-ATK-01"),
        *combat_modifiers(rolling),
    )


def defense_modifiers(state: Encounter, ruleset: Ruleset, action: Action) -> tuple[Modifier, ...]:
    """Return all modifiers of a plain defense (MAM-ATK-03).

    They are the best defense in hand, the defense pool (MAM-POOL-03), the target's passive protection, and what makes
    the action against it harder.
    """
    target = state.combatants[action.target]
    best = max(target.in_hand, key=lambda weapon: defense_modifier(weapon, ruleset))
    return (
        Modifier(best.name, defense_modifier(best, ruleset), "MAM-ATK-03"),
        Modifier("defense pool", target.pools.defense, "MAM-POOL-03"),
        *passive_modifiers(state, ruleset, action, target, passive=True),
    )


def passive_modifiers(
    state: Encounter, ruleset: Ruleset, action: Action, target: Combatant, *, passive: bool
) -> tuple[Modifier, ...]:
    """Return the modifiers against an action, no matter who rolls.

    They come from the target's position and state, and from the action's own difficulty.
    """
    actor = state.combatants[action.combatant]
    defending = combat_modifiers(RollContext(state, ruleset, action, target, actor, "defense"))
    protecting = combat_modifiers(RollContext(state, ruleset, action, target, actor, "passive")) if passive else ()
    return (*defending, *protecting, *difficulty(state, ruleset, action))


def difficulty(state: Encounter, ruleset: Ruleset, action: Action) -> tuple[Modifier, ...]:
    """Return the modifiers that make an action harder: range, darkness, circumstances (MAM-ATK-04)."""
    actor = state.combatants[action.combatant]
    return combat_modifiers(
        RollContext(state, ruleset, action, actor, state.combatants.get(action.target), "difficulty")
    )


def weapon_of(combatant: Combatant, action: Action) -> Weapon:
    """Return the weapon of an action, or the thing that is heaved; the body if that weapon is gone."""
    return missile_of(combatant, action.weapon) or combatant.weapons[0]


class AutomaticSuccess(Struct, frozen=True):
    """The dice that succeed whatever the totals (MAM-ROLL-02): the actor's, the opponent's (None: nobody opposes)."""

    acting: bool
    opposing: bool | None


def totals(own_total: int, other_total: int, *, automatic: bool = False) -> Message:
    """Return the reason for an outcome: the two totals, and whether an automatic success decided instead."""
    return text_fragment(
        "came_of_it/totals_automatic" if automatic else "came_of_it/totals", ours=own_total, theirs=other_total
    )


def attack_outcome(attack_total: int, defense_total: int, sure: AutomaticSuccess, ruleset: Ruleset) -> OutcomeField:
    """Return the outcome of an attack against a defense or a parry (MAM-ATK-04, MAM-ROLL-02)."""
    decided = automatic_outcome(acting=sure.acting, opposing=sure.opposing, ruleset=ruleset)
    return decided or compare_totals(attack_total, defense_total, ruleset)


def attack_kind_of(command: Attack, weapon: Weapon) -> DeedKind:
    """Return the kind of action that an attack is (MAM-COMBO-05, MAM-THR, MAM-ARC-01)."""
    return attack_deed(command.thrown, weapon, command.mode)


def check_attack(state: Encounter, ruleset: Ruleset, command: Attack) -> Terms:
    """Return the terms under which that attack may be declared (MAM-ATK-01, MAM-PHASE-04)."""
    weapon = missile_of(require_combatant(state, command.attacker, "attacker"), command.weapon)
    deed = attack_kind_of(command, weapon) if weapon else "quick_attack"
    attacker = require_can_act(state, ruleset, command.attacker, deed, field="attacker", weapon=command.weapon)
    require_can_strike(state, ruleset, attacker)
    target = require_combatant(state, command.target, "target")
    check_target(attacker, target)
    may_aim(state, ruleset, attacker.id, target.id)
    # Any object can be heaved; other attacks need a weapon (MAM-THR-03).
    wielded = thing_to_heave if command.thrown == "heave" else weapon_in_hand
    terms = check_terms(state, ruleset, command, wielded(attacker, command.weapon))
    price = ActionPrice(command.modifier, command.power, POINT_FIELDS, "MAM-ATK-01")
    ruleset.edition.economy.afford(state, ruleset, attacker, deed, price)
    check_with_attack(state, ruleset, attacker, command, deed)
    return terms


def check_target(attacker: Combatant, target: Combatant, field: str = "target") -> None:
    """Raise Refused with `bad_target` if the target is the attacker, or is no longer there."""
    if target.id == attacker.id:
        raise Refused("bad_target/self", attacker=attacker, rule="MAM-ATK-01", fields=(field,))
    if target.is_gone:
        raise Refused(
            "bad_target/down", target=target, condition=Word(target.condition), rule="MAM-ATK-01", fields=(field,)
        )


def judge_attack(judging: Decision, command: Attack, terms: Terms) -> None:
    """Declare an attack and pay for it; a target that has prepared a counterattack strikes first (MAM-CTR-02)."""
    judging.record(
        AttackDeclared(
            judging.ruling, command.attacker, command.target, command.weapon, command.power, command.modifier, terms
        )
    )
    weapon = missile_of(judging.state.combatants[command.attacker], command.weapon)
    assert weapon is not None  # noqa: S101 - the check has found it
    price = ActionPrice(command.modifier, command.power)
    deed = attack_kind_of(command, weapon)
    judging.ruleset.edition.economy.pay(judging, command.attacker, deed, "attack", price, command.weapon)
    pay_with_attack(judging, command)
    trigger(judging, command.attacker, command.target)
    if judging.state.exchange:
        move_with_attack(judging, judging.state.exchange.root)


def _offer_attack(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Yield melee attacks, shots, and each kind of throw."""
    how = TERM_FIELDS
    for attacker in state.combatants.values():
        targets = attackable_targets(state, ruleset, attacker.id)
        for way in attack_choices(attacker, state, ruleset):
            low, high = ruleset.edition.economy.span(state, ruleset, attacker, way.deed)
            if way.evade:
                high -= evasion_price(ruleset).points
                if high < low:
                    continue
            (afar,) = free("distance") if way.afar else (Field("distance", choices=(None,)),)
            least = Attack(
                attacker.id,
                targets[0] if targets else attacker.id,
                way.weapons[0],
                modifier=min(low, high),
                mode=way.modes[0],
                thrown=way.thrown,
                evade=way.evade,
            )
            yield offer(
                least,
                Field("target", choices=targets),
                Field("weapon", choices=way.weapons),
                Field("power", low=0, high=high),
                Field("modifier", low=0, high=high),
                Field("mode", choices=way.modes),
                Field("double_power", choices=double_flags(ruleset)),
                Field("thrown", choices=(way.thrown,)),
                afar,
                *how,
                Field("evade", choices=(way.evade,)),
                total=Sum(POINT_FIELDS, low, high),
            )


class AttackChoice(Struct, frozen=True):
    """One way of attacking: the weapons, the kind of throw, the modes, from afar or not, and evading or not."""

    weapons: tuple[str, ...]
    thrown: Literal["", ThrowMode]
    modes: tuple[AttackMode, ...]
    deed: DeedKind
    afar: bool = False
    evade: bool = False


def attack_choices(attacker: Combatant, state: Encounter, ruleset: Ruleset) -> Iterator[AttackChoice]:
    """Yield the ways to attack with what the combatant has in hand, also with evasion (MAM-MNV-02)."""
    for way in plain_attack_choices(attacker, state, ruleset):
        yield way
        if "quick" in way.modes and not way.thrown and not has_evaded(attacker):
            yield replace(way, modes=("quick",), evade=True)


def plain_attack_choices(attacker: Combatant, state: Encounter, ruleset: Ruleset) -> Iterator[AttackChoice]:
    """Yield the ways to attack without evading."""
    # Check each weapon: the last action of a combo may be open only to a second one (MAM-COMBO-01).
    choices = {weapon.id: modes(attacker, weapon, state, ruleset) for weapon in attacker.in_hand}
    weapon_ids = [weapon.id for weapon in attacker.in_hand if weapon.kind in ("hand", "thrown")]
    able = {weapon: choices[weapon] for weapon in weapon_ids if choices[weapon]} or dict.fromkeys(weapon_ids, MODES[:1])
    far = {weapon.id for weapon in attacker.in_hand if not can_reach_back(state, attacker, weapon)}
    kinds = {weapon: (alike, weapon in far) for weapon, alike in able.items()}
    for kind in dict.fromkeys(kinds.values()):
        weapons = tuple(weapon for weapon in able if kinds[weapon] == kind)
        yield AttackChoice(weapons, "", kind[0], ATTACKS[kind[0][0]])
    for weapon in attacker.in_hand:
        if weapon.shoots:
            deed = attack_kind_of(Attack(attacker.id, "", weapon.id), weapon)
            yield AttackChoice((weapon.id,), "", choices[weapon.id] or MODES[:1], deed, afar=True)
    for thing in heavable_things(attacker):
        yield AttackChoice((thing,), "heave", MODES[:1], "heave", afar=True)
        carried = attacker.weapon(thing)
        if carried and not carried.unwieldy:
            yield AttackChoice((thing,), "quick", MODES[:1], "quick_throw", afar=True)
            yield AttackChoice((thing,), "powerful", MODES[:1], "powerful_throw", afar=True)


def modes(attacker: Combatant, weapon: Weapon, state: Encounter, ruleset: Ruleset) -> tuple[AttackMode, ...]:
    """Return the modes in which a combatant may now attack with that weapon without throwing it."""
    deeds = {mode: attack_kind_of(Attack(attacker.id, "", weapon.id, mode=mode), weapon) for mode in MODES}
    return tuple(
        mode
        for mode, deed in deeds.items()
        if is_allowed(require_can_act, state, ruleset, attacker.id, deed, weapon=weapon.id)
    )


SECTION = RuleModule(
    mechanics=(
        Mechanic(Attack, check=check_attack, judge=judge_attack, offers=_offer_attack, completes=with_default_weapon),
    ),
)
