"""One sentence for every fact, in one place: what the audit, the log lines and the replay all say.

Sentences are heard at a noisy table: short, the combatants' names, the points and the pools they move between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from mam_events import events as e
from mam_events.dice import read_key
from mam_events.encounter.rejudging import bare
from projections.wording import because_of, ended, filled, from_pools, listed, points, pool, signed, split, to_pools

if TYPE_CHECKING:
    from mam_events.dice import Die
    from mam_events.events import Event, Modifier, RollMade
    from projections.casebook import Scene

ATTACK_WORDS = {"full": "hits", "half": "half hits", "fail": "misses"}
ACTION_WORDS = {"full": "succeeds", "half": "half succeeds", "fail": "fails"}
SHORTFALLS = {
    "player_choice": "something must be dropped or let go",
    "must_drop_equipment": "something must be dropped",
    "refill_first": "the next points fill it up",
    "hold_breaks": "a hold breaks",
    "hold_weakens": "a hold weakens",
}


def tell(fact: Event, scene: Scene) -> str:
    """The sentence of one fact."""
    return scene.screen.text(SENTENCES[type(fact)](fact, scene))


def follows(facts: Iterable[Event], scene: Scene) -> tuple[str, ...]:
    """A sentence for each of the facts."""
    return tuple([tell(fact, scene) for fact in facts])


def difference(before: Iterable[Event], after: Iterable[Event], scene: Scene) -> str:
    """What changed between two outcomes of one ruling, in the sentences of the facts that they do not share.

    Rolls are left out: what matters is what came of them.
    """
    old, new = ({bare(f): f for f in facts if not isinstance(f, e.RollMade)} for facts in (before, after))
    was = [tell(fact, scene).rstrip(".") for key, fact in old.items() if key not in new]
    now = [tell(fact, scene).rstrip(".") for key, fact in new.items() if key not in old]
    if not old:
        return "possible again"
    return f"{'; '.join(now) or 'no more'} (was: {'; '.join(was) or 'nothing of it'})"


def headline(facts: tuple[Event, ...], scene: Scene) -> str:
    """What happened in short: the sentences of the facts, without those that only tell how."""
    told = [fact for fact in facts if not is_detail(fact)]
    return " ".join(tell(fact, scene) for fact in told or facts)


def is_detail(fact: Event) -> bool:
    """Whether a fact only tells how something came about."""
    if isinstance(fact, e.HitPointsSpent):
        # What an attack or a reaction costs is in its own sentence; what a step or a drawn weapon costs is not.
        return fact.purpose not in {"move", "equipment"}
    return isinstance(fact, e.RollMade) or (isinstance(fact, e.CounterattackResolved) and fact.outcome == "fail")


def modifier_words(modifier: Modifier) -> str:
    """A modifier with the rule it comes from: `+2 points on the attack (MAM-ATK-01)`."""
    return f"{signed(modifier.value)} {modifier.name} ({modifier.rule})"


def weapon_words(weapon: str) -> str:
    """What somebody strikes with: `with the Ice Blade`."""
    return f"with the {weapon}"


def _opened(fact: e.EncounterOpened, _: Scene) -> str:
    return ended(f"The fight opens under {fact.ruleset.preset}{because_of(fact.title)}")


def _joined(fact: e.CombatantJoined, scene: Scene) -> str:
    joined = fact.combatant
    side = "" if joined.side == "all" else f" for {joined.side}"
    return f"{scene.name(joined.id)} joins{side} with {joined.hp} hit points: {filled(joined.pools)}."


def _ordered(fact: e.InitiativeEstablished, scene: Scene) -> str:
    first, *others = (scene.name(name) for name in fact.order)
    then = f", then {listed(others)}" if others else ""
    return f"{first} begins ({_order_reason(fact, scene)}){then}."


def _order_reason(fact: e.InitiativeEstablished, scene: Scene) -> str:
    return f"{fact.why}: {', '.join(_tie_die(die, scene) for die in fact.dice)}" if fact.dice else fact.why


def _tie_die(die: Die, scene: Scene) -> str:
    return f"{scene.name(read_key(die.key).roller)} rolls {die.face}"


def _round_started(fact: e.RoundStarted, _: Scene) -> str:
    return f"Round {fact.round} begins."


def _round_ended(fact: e.RoundEnded, _: Scene) -> str:
    return f"Round {fact.round} ends."


def _turn_started(fact: e.TurnStarted, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)}'s turn begins."


def _turn_ended(fact: e.TurnEnded, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)}'s turn ends."


def _recovered_stun(fact: e.StunRecovered, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} recovers {points(fact.points)} from stun to other used."


def _refreshed(fact: e.ReadyPoolRefreshed, scene: Scene) -> str:
    moved = from_pools((("defense", fact.from_defense), ("other_used", fact.from_other_used))) or points(0)
    filling = f"; {points(fact.refilled)} of them fill the reserve in other used" if fact.refilled else ""
    return f"{scene.name(fact.combatant)} moves {moved} to ready{filling}."


def _spent(fact: e.HitPointsSpent, scene: Scene) -> str:
    spent = to_pools((("defense", fact.to_defense), ("other_used", fact.to_other_used))) or points(0)
    return f"{scene.name(fact.combatant)} spends {spent}."


def _moved(fact: e.CombatantMoved, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} moves {fact.metres} m."


def _weapon_readied(fact: e.WeaponReadied, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} draws the {scene.thing(fact.combatant, fact.weapon)}."


def _dropped(fact: e.EquipmentDropped, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} drops the {scene.thing(fact.combatant, fact.item)}."


def _picked_up(fact: e.EquipmentPickedUp, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} picks up the {scene.thing(fact.combatant, fact.item)}."


def _attack_declared(fact: e.AttackDeclared, scene: Scene) -> str:
    weapon = weapon_words(scene.thing(fact.attacker, fact.weapon))
    whom = scene.name(fact.target)
    return f"{scene.name(fact.attacker)} attacks {whom} {weapon}: {split(fact.power, fact.modifier)}."


def _action_declared(fact: e.ActionDeclared, scene: Scene) -> str:
    cost = f"for {points(fact.points)}" if fact.points else "at no cost"
    bonus = f", {signed(fact.bonus)}" if fact.bonus else ""
    return ended(f"{scene.name(fact.combatant)} acts ({cost}{bonus}): {fact.what}")


def _defense_raised(fact: e.DefenseRaised, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} reacts: {points(fact.points)} from ready to defense."


def _parry_declared(fact: e.ParryDeclared, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} parries {weapon_words(scene.thing(fact.combatant, fact.weapon))}."


def _counterattack_declared(fact: e.CounterattackDeclared, scene: Scene) -> str:
    weapon = weapon_words(scene.thing(fact.combatant, fact.weapon))
    whom = scene.name(fact.target)
    return f"{scene.name(fact.combatant)} counterattacks {whom} {weapon}: {split(fact.power, fact.modifier)}."


def _interference_declared(fact: e.InterferenceDeclared, scene: Scene) -> str:
    name, whom = scene.name(fact.combatant), scene.name(fact.target)
    if fact.strikes:
        weapon = weapon_words(scene.thing(fact.combatant, fact.weapon))
        return f"{name} strikes at {whom} {weapon} to interfere: {split(fact.power, fact.modifier)}."
    bonus = f", {signed(fact.bonus)}" if fact.bonus else ""
    return f"{name} interferes with {whom}: {points(fact.points)}{bonus}."


def _rolled(fact: RollMade, scene: Scene) -> str:
    name = scene.name(fact.combatant)
    if fact.die is None:
        start = f"{name}'s {fact.what} is a fixed {fact.base}"
    else:
        start = f"{name} rolls {fact.die.face} ({fact.die.source}) for the {fact.what}"
    return f"{', '.join([start, *map(modifier_words, fact.modifiers)])}: {fact.total}."


def _interference_resolved(fact: e.InterferenceResolved, scene: Scene) -> str:
    action, target = scene.action(fact.action), scene.action(fact.against)
    whose = f"{scene.name(action.combatant)}'s interference" if action else f"Interference {fact.action}"
    whom = f" with {scene.name(target.combatant)}" if target else ""
    return ended(f"{whose}{whom} {ACTION_WORDS[fact.outcome]}{because_of(fact.why)}")


def _counterattack_resolved(fact: e.CounterattackResolved, scene: Scene) -> str:
    action = scene.action(fact.action)
    whose = f"{scene.name(action.combatant)}'s counterattack" if action else f"Counterattack {fact.action}"
    power = "" if fact.outcome == "fail" else f" with {power_words(fact.power, fact.absorbed)}"
    return ended(f"{whose} {ATTACK_WORDS[fact.outcome]}{power}{because_of(fact.why)}")


def _attack_resolved(fact: e.AttackResolved, scene: Scene) -> str:
    power = "" if fact.outcome == "fail" else f" with {power_words(fact.power, fact.absorbed)}"
    return ended(f"{exchange_words(fact.exchange, scene)} {ATTACK_WORDS[fact.outcome]}{power}{because_of(fact.why)}")


def _action_resolved(fact: e.ActionResolved, scene: Scene) -> str:
    return ended(f"{exchange_words(fact.exchange, scene)} {ACTION_WORDS[fact.outcome]}{because_of(fact.why)}")


def power_words(power: int, absorbed: int) -> str:
    """How hard a strike is: `power 4, 1 absorbed`."""
    return f"power {power}, {absorbed} absorbed" if absorbed else f"power {power}"


def exchange_words(exchange: int, scene: Scene) -> str:
    """What an exchange is about: `Modre's attack on Clone`."""
    root = scene.action(exchange)
    if root is None:
        return f"Exchange {exchange}"
    if root.kind == "attack":
        return f"{scene.name(root.combatant)}'s attack on {scene.name(root.target)}"
    return f"{scene.name(root.combatant)}'s action"


def _wounded(fact: e.WoundInflicted, scene: Scene) -> str:
    drained = from_pools([(name, getattr(fact.drained, name)) for name in ("ready", "defense", "other_used")])
    rest = [f": {drained}" if drained else ""]
    if fact.overflow:
        rest.append(f"; {points(fact.overflow)} from stun to damage")
    if fact.lost:
        rest.append(f"; nothing is left for {points(fact.lost)}")
    amounts = listed([f"{count} {name}" for name, count in (("stun", fact.stun), ("damage", fact.damage)) if count])
    return f"{scene.name(fact.combatant)} takes {amounts}{''.join(rest)}."


def wound_words(fact: e.WoundInflicted) -> str:
    """What a hit was worth, in short: `stun 2 damage 2`."""
    return " ".join(f"{name} {count}" for name, count in (("stun", fact.stun), ("damage", fact.damage)) if count)


def _incapacitated(fact: e.CombatantIncapacitated, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} is down: no points left to act with."


def _died(fact: e.CombatantDied, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} dies: every point is damage."


def _recovered(fact: e.CombatantRecovered, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} is up again."


def _reserve_short(fact: e.ReserveShort, scene: Scene) -> str:
    short = f"{points(fact.shortfall)} short of what it carries and holds"
    return f"{scene.name(fact.combatant)}'s other used is {short}: {SHORTFALLS[fact.consequence]}."


def _hold_broken(fact: e.GrappleBroken, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)}'s hold {fact.grapple} breaks."


def _hold_weakened(fact: e.GrappleWeakened, scene: Scene) -> str:
    left = f"{points(fact.points)}, {signed(fact.modifier)}"
    return f"{scene.name(fact.combatant)}'s hold {fact.grapple} weakens to {left}."


def _hold_released(fact: e.GrappleReleased, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} lets the hold {fact.grapple} go."


def _adjusted(fact: e.PoolsAdjusted, scene: Scene) -> str:
    moved = f"{points(fact.points)} from {pool(fact.source)} to {pool(fact.target)}"
    return f"The game master moves {moved} for {scene.name(fact.combatant)}."


def _condition_declared(fact: e.ConditionDeclared, scene: Scene) -> str:
    state = {"incapacitated": "down", "out": "out of the fight"}.get(fact.condition, fact.condition)
    return f"The game master says that {scene.name(fact.combatant)} is {state}."


def _hold_declared(fact: e.GrappleDeclared, scene: Scene) -> str:
    hold = fact.grapple
    with_what = f"{points(hold.points)}, {signed(hold.modifier)}"
    return f"The game master gives {scene.name(fact.combatant)} the hold {hold.id}: {with_what}."


def _turn_declared(fact: e.TurnDeclared, scene: Scene) -> str:
    whose = f"{scene.name(fact.combatant)}'s" if fact.combatant else "nobody's"
    return f"The game master says that it is {whose} turn."


def _outcome_declared(fact: e.OutcomeDeclared, scene: Scene) -> str:
    root = scene.action(fact.exchange)
    words = ATTACK_WORDS if root is None or root.kind == "attack" else ACTION_WORDS
    return f"The game master says that {exchange_words(fact.exchange, scene)} {words[fact.outcome]}."


def _closed(fact: e.EncounterClosed, _: Scene) -> str:
    seed = " The seed of the dice is revealed." if fact.seed else ""
    return f"{ended(f'The fight is over{because_of(fact.reason)}')}{seed}"


SENTENCES: dict[type[Event], Callable[[Any, Scene], str]] = {
    e.EncounterOpened: _opened,
    e.CombatantJoined: _joined,
    e.InitiativeEstablished: _ordered,
    e.RoundStarted: _round_started,
    e.RoundEnded: _round_ended,
    e.TurnStarted: _turn_started,
    e.TurnEnded: _turn_ended,
    e.StunRecovered: _recovered_stun,
    e.ReadyPoolRefreshed: _refreshed,
    e.HitPointsSpent: _spent,
    e.CombatantMoved: _moved,
    e.WeaponReadied: _weapon_readied,
    e.EquipmentDropped: _dropped,
    e.EquipmentPickedUp: _picked_up,
    e.AttackDeclared: _attack_declared,
    e.ActionDeclared: _action_declared,
    e.DefenseRaised: _defense_raised,
    e.ParryDeclared: _parry_declared,
    e.CounterattackDeclared: _counterattack_declared,
    e.InterferenceDeclared: _interference_declared,
    e.AttackRolled: _rolled,
    e.DefenseRolled: _rolled,
    e.ParryRolled: _rolled,
    e.CounterattackRolled: _rolled,
    e.InterferenceRolled: _rolled,
    e.ActionRolled: _rolled,
    e.InterferenceResolved: _interference_resolved,
    e.CounterattackResolved: _counterattack_resolved,
    e.AttackResolved: _attack_resolved,
    e.ActionResolved: _action_resolved,
    e.WoundInflicted: _wounded,
    e.CombatantIncapacitated: _incapacitated,
    e.CombatantDied: _died,
    e.CombatantRecovered: _recovered,
    e.ReserveShort: _reserve_short,
    e.GrappleBroken: _hold_broken,
    e.GrappleWeakened: _hold_weakened,
    e.GrappleReleased: _hold_released,
    e.PoolsAdjusted: _adjusted,
    e.ConditionDeclared: _condition_declared,
    e.GrappleDeclared: _hold_declared,
    e.TurnDeclared: _turn_declared,
    e.OutcomeDeclared: _outcome_declared,
    e.EncounterClosed: _closed,
}
