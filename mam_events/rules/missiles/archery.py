"""Archery and marksmanship: drawing bows, loading crossbows and guns, and shooting them (MAM-ARC)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import DrawBow, Load, LowerBow, Unload
from mam_events.decider.action_kinds import build_action_offer, require_affordable, require_can_act
from mam_events.decider.action_price import ActionPrice
from mam_events.decider.checks import is_allowed, weapon_in_hand
from mam_events.decider.engine import Decision, OngoingEffect, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer
from mam_events.decider.rule_tables import DeedKind
from mam_events.errors import Refused
from mam_events.events import (
    BowDrawn,
    BowFired,
    BowLowered,
    LoweredBy,
    ShotFired,
    WeaponLoaded,
    WeaponUnloaded,
)
from mam_events.refusals.arguments import thing_of
from mam_events.rules.missiles.thrown_weapons import nothing_heaved
from mam_events.state import Action, Combatant, Encounter, Exchange, Weapon


class WeaponHandling(Struct, frozen=True):
    """A deed with a weapon other than shooting it: the weapon and the price."""

    weapon: Weapon
    price: ActionPrice


def drawn_bow(combatant: Combatant) -> Weapon | None:
    """Return the bow that it holds drawn, or None."""
    return combatant.weapon(combatant.status.drawn) if combatant.status.drawn else None


def capacity(weapon: Weapon) -> int:
    """Return the most shots that the weapon can be loaded with: 0 for a weapon that is not loaded at all."""
    # Every crossbow is drawn or loaded (MAM-ARC-03); a gun without a known number of shots shoots freely.
    return max(1, weapon.shots) if weapon.kind == "crossbow" else weapon.shots if weapon.kind == "gun" else 0


def bow_in_hand(state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind) -> None:
    """Raise Refused with `bow_drawn` for everything that cannot be done with a drawn bow (MAM-ARC-01).

    Possible are shooting it, waiting with it for a counterattack, and what takes no action. Letting it down and moving
    are options (`drawn_bow_release`, `drawn_bow_movement`).
    """
    bow = drawn_bow(combatant)
    if bow is None:
        return
    by_option = {
        "move": ruleset["drawn_bow_movement"] == "allowed",
        "lower_bow": ruleset["drawn_bow_release"] == "allowed",
    }
    if by_option.get(deed, ruleset.tables.deeds[deed].drawn):
        return
    raise _hands_full(combatant, bow, ruleset)


def _hands_full(combatant: Combatant, bow: Weapon, ruleset: Ruleset) -> Refused:
    lowers = ruleset["drawn_bow_release"] == "allowed"
    return Refused(
        "bow_drawn/lower" if lowers else "bow_drawn",
        who=combatant,
        weapon=thing_of(combatant, bow),
        rule="MAM-ARC-01",
        fields=("combatant",),
    )


def check_shot(combatant: Combatant, weapon: Weapon) -> None:
    """Raise Refused with `bow_not_drawn` or `not_loaded` for a weapon that shoots but is not ready to."""
    if weapon.kind == "bow" and drawn_bow(combatant) is not weapon:
        bow = thing_of(combatant, weapon)
        raise Refused("bow_not_drawn", combatant=combatant, weapon=bow, rule="MAM-ARC-01", fields=("weapon",))
    if capacity(weapon) and not weapon.loaded:
        raise Refused(
            "not_loaded/draw" if _is_drawn_crossbow(weapon) else "not_loaded/load",
            weapon=thing_of(combatant, weapon),
            rule="MAM-ARC-03" if weapon.kind == "crossbow" else "MAM-ARC-02",
            fields=("weapon",),
        )


def after_shot(state: Encounter, name: str) -> Combatant:
    """Return the combatant as it will be after its declared shots in the open exchange: no bolt flies twice."""
    combatant = state.combatants[name]
    for action in state.exchange.actions if state.exchange else ():
        if action.combatant == name and is_shot(action):
            weapons = tuple(
                replace(weapon, loaded=max(0, weapon.loaded - 1)) if weapon.id == action.weapon else weapon
                for weapon in combatant.weapons
            )
            weapon_drawn = "" if combatant.status.drawn == action.weapon else combatant.status.drawn
            combatant = replace(combatant, weapons=weapons, status=replace(combatant.status, drawn=weapon_drawn))
    return combatant


def check_reaction(state: Encounter, ruleset: Ruleset, name: str, weapon_id: str, *, strikes: bool) -> None:
    """Raise Refused unless the combatant may answer another's action with that weapon ("": none).

    Raises `bow_drawn` for anything but the drawn bow's shot, and `bow_not_drawn` or `not_loaded` for an impossible
    shot. Points put into defense are no action, and neither is moving, so a drawn bow does not prevent them.
    """
    combatant, later = state.combatants[name], after_shot(state, name)
    nothing_heaved(combatant)
    bow, weapon = drawn_bow(combatant), later.weapon(weapon_id)
    # A declared shot is not made yet: until then the bow is held.
    if bow and not (strikes and weapon_id == bow.id):
        raise _hands_full(combatant, bow, ruleset)
    if weapon and strikes:
        check_shot(later, weapon)


def answer_weapons(state: Encounter, ruleset: Ruleset, combatant: Combatant, *, strikes: bool) -> tuple[str, ...]:
    """Return the weapons that may answer another's action now; all in hand if none may."""
    weapons = [weapon.id for weapon in combatant.in_hand]
    able = (
        weapon
        for weapon in weapons
        if is_allowed(check_reaction, state, ruleset, combatant.id, weapon, strikes=strikes)
    )
    return tuple(able) or tuple(weapons)


def shoot(judging: Decision, name: str, weapon_id: str) -> None:
    """Record that a weapon has shot, if it shoots: a bow is slack, a crossbow or gun has one shot less."""
    weapon = judging.state.combatants[name].weapon(weapon_id)
    if weapon is None:
        return
    if weapon.kind == "bow":
        if judging.state.combatants[name].status.drawn == weapon.id:
            judging.record(BowFired(name, weapon.id))
    elif weapon.loaded:
        judging.record(ShotFired(name, weapon.id, weapon.loaded - 1))


def is_shot(action: Action) -> bool:
    """Return True if an action is a shot: an attack, or an answer to one."""
    return action.terms.missile and not action.terms.thrown


def end_shot(judging: Decision, exchange: Exchange, done: tuple[Action, ...]) -> None:
    """Record the shots of an exchange once they are over, whatever their outcomes, stopped ones too.

    A shot that could no longer be made was not shot.
    """
    for action in done:
        if is_shot(action):
            shoot(judging, action.combatant, action.weapon)


def slack_reason(state: Encounter, ruleset: Ruleset, combatant: Combatant, bow: str) -> str:
    """Return the reason why a bow is no longer drawn (MAM-ARC-01); "" while it is.

    The combatant who drew it is down, or it has left their hands.
    """
    if combatant.condition != "able":
        return "fell"
    return "" if combatant.carries(bow) else "lost"


def record_slack(judging: Decision, name: str, bow: str, cause: LoweredBy) -> None:
    """Record that a bow went slack by itself."""
    judging.record(BowLowered(name, bow, cause))


def check_draw(state: Encounter, ruleset: Ruleset, command: DrawBow) -> WeaponHandling:
    """Return the price of drawing that bow, or crossbow without a lever, now.

    Drawing is an action, and shooting is a later one.
    """
    combatant = require_can_act(state, ruleset, command.combatant, "draw_bow")
    weapon = weapon_in_hand(combatant, command.weapon)
    if weapon.kind != "bow" and not _is_drawn_crossbow(weapon):
        lever = weapon.kind == "crossbow"
        raise Refused(
            "not_drawn_by_hand/lever" if lever else "not_drawn_by_hand",
            weapon=thing_of(combatant, weapon),
            rule="MAM-ARC-03",
            fields=("weapon",),
        )
    _not_full(combatant, weapon)
    return WeaponHandling(weapon, require_affordable(state, ruleset, combatant, "draw_bow", command.points))


def judge_draw(judging: Decision, command: DrawBow, handling: WeaponHandling) -> None:
    """Draw the weapon: a bow has to be held, a crossbow stays loaded by itself (MAM-ARC-02)."""
    weapon = handling.weapon
    if weapon.kind == "bow":
        judging.record(BowDrawn(command.combatant, weapon.id))
    else:
        judging.record(WeaponLoaded(command.combatant, weapon.id, capacity(weapon)))
    _pay(judging, command.combatant, "draw_bow", handling)


def check_lower(state: Encounter, ruleset: Ruleset, command: LowerBow) -> WeaponHandling:
    """Return the price of letting the drawn bow down, if that is allowed without a shot (`drawn_bow_release`)."""
    combatant = require_can_act(state, ruleset, command.combatant, "lower_bow")
    bow = drawn_bow(combatant)
    if bow is None:
        raise Refused("bow_not_drawn/none", combatant=combatant, rule="MAM-ARC-01", fields=("combatant",))
    return WeaponHandling(bow, require_affordable(state, ruleset, combatant, "lower_bow", command.points))


def judge_lower(judging: Decision, command: LowerBow, handling: WeaponHandling) -> None:
    """Let the bow down without a shot."""
    judging.record(BowLowered(command.combatant, handling.weapon.id))
    _pay(judging, command.combatant, "lower_bow", handling)


def check_load(state: Encounter, ruleset: Ruleset, command: Load) -> WeaponHandling:
    """Return the price of loading that gun, or crossbow with a lever, now."""
    combatant = require_can_act(state, ruleset, command.combatant, "load")
    weapon = weapon_in_hand(combatant, command.weapon)
    if not capacity(weapon):
        is_bow = weapon.kind == "bow"
        raise Refused(
            "idle_load/bow" if is_bow else "idle_load",
            weapon=thing_of(combatant, weapon),
            rule="MAM-ARC-02",
            fields=("weapon",),
        )
    if _is_drawn_crossbow(weapon):
        raise Refused("drawn_by_hand", weapon=thing_of(combatant, weapon), rule="MAM-ARC-03", fields=("weapon",))
    _not_full(combatant, weapon)
    if weapon.reload and combatant.status.loading == combatant.status.turns:
        raise Refused(
            "turn_of_loading",
            who=combatant,
            weapon=thing_of(combatant, weapon),
            left=weapon.winding or weapon.reload + 1,
            rule="MAM-ARC-03",
            fields=("weapon",),
        )
    return WeaponHandling(weapon, require_affordable(state, ruleset, combatant, "load", command.points))


def judge_load(judging: Decision, command: Load, handling: WeaponHandling) -> None:
    """Load the weapon, or do one more of the turns that its lever or crank takes (MAM-ARC-03).

    The page that says how many turns a lever costs is lost, so the weapon says it (`reload`). Each is one action, in
    another turn.
    """
    weapon = handling.weapon
    remaining = weapon.winding - 1 if weapon.winding else weapon.reload
    judging.record(
        WeaponLoaded(command.combatant, weapon.id, weapon.loaded if remaining else capacity(weapon), remaining)
    )
    _pay(judging, command.combatant, "load", handling)


def check_unload(state: Encounter, ruleset: Ruleset, command: Unload) -> WeaponHandling:
    """Return the price of unloading that weapon now."""
    combatant = require_can_act(state, ruleset, command.combatant, "unload")
    weapon = weapon_in_hand(combatant, command.weapon)
    if not weapon.loaded:
        raise Refused("not_loaded", weapon=thing_of(combatant, weapon), rule="MAM-ARC-02", fields=("weapon",))
    return WeaponHandling(weapon, require_affordable(state, ruleset, combatant, "unload", command.points))


def judge_unload(judging: Decision, command: Unload, handling: WeaponHandling) -> None:
    """Unload the weapon."""
    judging.record(WeaponUnloaded(command.combatant, handling.weapon.id))
    _pay(judging, command.combatant, "unload", handling)


def _is_drawn_crossbow(weapon: Weapon) -> bool:
    return weapon.kind == "crossbow" and not weapon.lever


def _not_full(combatant: Combatant, weapon: Weapon) -> None:
    if capacity(weapon) and weapon.loaded >= capacity(weapon):
        raise Refused("already_loaded", weapon=thing_of(combatant, weapon), rule="MAM-ARC-02", fields=("weapon",))


def _pay(judging: Decision, name: str, deed: DeedKind, handling: WeaponHandling) -> None:
    judging.ruleset.edition.economy.pay(judging, name, deed, "equipment", handling.price, handling.weapon.id)


def _offer_lower(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        if any(weapon.kind == "bow" for weapon in combatant.in_hand):
            yield build_action_offer(state, ruleset, combatant, "lower_bow", LowerBow(combatant.id))


def _offers(
    deed: DeedKind, command: type[DrawBow | Load | Unload], takes: Callable[[Weapon], object]
) -> Callable[[Encounter, Ruleset], Iterator[Offer]]:
    """Return the function that yields the offers of that command, for each weapon in hand that takes it."""

    def offers(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
        for combatant in state.combatants.values():
            for weapon in filter(takes, combatant.in_hand):
                which = Field("weapon", choices=(weapon.id,))
                yield build_action_offer(state, ruleset, combatant, deed, command(combatant.id, weapon.id), which)

    return offers


_offer_draw = _offers("draw_bow", DrawBow, lambda weapon: weapon.kind == "bow" or _is_drawn_crossbow(weapon))
_offer_load = _offers("load", Load, lambda weapon: capacity(weapon) and not _is_drawn_crossbow(weapon))
_offer_unload = _offers("unload", Unload, lambda weapon: weapon.loaded)

SECTION = RuleModule(
    limits=(bow_in_hand,),
    ongoing=(OngoingEffect("drawn bow", "status.drawn", slack_reason, record_slack),),
    at_resolved=(end_shot,),
    mechanics=(
        Mechanic(DrawBow, check=check_draw, judge=judge_draw, offers=_offer_draw, pays=("draw_bow", "equipment")),
        Mechanic(LowerBow, check=check_lower, judge=judge_lower, offers=_offer_lower),
        Mechanic(Load, check=check_load, judge=judge_load, offers=_offer_load, pays=("load", "equipment")),
        Mechanic(Unload, check=check_unload, judge=judge_unload, offers=_offer_unload),
    ),
)
