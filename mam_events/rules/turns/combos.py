"""Combos: several quick actions in one turn (MAM-COMBO-01, MAM-COMBO-02, MAM-COMBO-06)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from math import ceil

from mam_events.commands import DeclareCombo
from mam_events.decider.action_kinds import check_limits, costs_nothing, deed_name, is_quick, rule_of
from mam_events.decider.checks import is_allowed, require_able, require_combatant, require_no_exchange, require_turn_of
from mam_events.decider.engine import Decision, OngoingEffect, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.decider.rule_tables import DeedKind
from mam_events.errors import Refused
from mam_events.events import ComboBrokenOff, ComboDeclared
from mam_events.refusals.arguments import Message, Term, Word, text_fragment
from mam_events.rules.health.condition import is_healthy
from mam_events.rules.health.hit_points import pay
from mam_events.rules.maneuvering.evade import evasion_price
from mam_events.rules.turns.prepared_counterattack import may_aim, trigger
from mam_events.state import Action, Combatant, Combo, Encounter, Turn


def combo_size(speed: Decimal, *, several_weapons: bool) -> int:
    """Return the number of quick actions in a combo (MAM-COMBO-01).

    It is the speed rounded up, plus one with several weapons.
    """
    return ceil(speed) + several_weapons


def require_healthy(combatant: Combatant, ruleset: Ruleset) -> None:
    """Raise Refused with `not_healthy` unless the combatant is healthy (MAM-COMBO-02)."""
    if not is_healthy(combatant, ruleset):
        raise Refused("not_healthy/combo", combatant=combatant, rule="MAM-COMBO-02", fields=("combatant",))


def require_combo_room(turn: Turn, combatant: Combatant, deed: DeedKind, weapon: str, ruleset: Ruleset) -> None:
    """Raise Refused with `not_quick` or `combo_over` unless the combo in progress has room for that action."""
    combo = turn.combo
    assert combo is not None  # noqa: S101 - only called if a combo was declared
    if not is_quick(deed, ruleset):
        raise Refused(
            "not_quick/in_combo", deed=Term(deed_name(deed, ruleset)), rule=rule_of(deed, ruleset), fields=("mode",)
        )
    # The extra action needs at least two weapons in use, counting this one.
    used = {done.weapon for done in turn.deeds if done.weapon} | ({weapon} if weapon else set())
    most = min(combo.actions, combo_size(combatant.statistics.speed, several_weapons=len(used) > 1))
    if len(turn.deeds) >= most:
        raise Refused(
            "combo_over/one_weapon" if combo.actions > most else "combo_over",
            combatant=combatant,
            most=most,
            rule="MAM-COMBO-01",
            fields=("combatant",),
        )


def is_combo_over(turn: Turn) -> bool:
    """Return True if that turn has no combo, or all its actions are done."""
    return turn.combo is None or len(turn.deeds) >= turn.combo.actions


def modifier_of(turn: Turn | None, ruleset: Ruleset) -> int:
    """Return the modifier that the combo's points give its next attack (MAM-COMBO-06, `combo_modifier_hit_points`)."""
    combo = turn.combo if turn else None
    if combo is None or turn is None or not combo.modifier or len(turn.deeds) > combo.actions:
        return 0
    if ruleset["combo_modifier_hit_points"] == "each_attack":
        return combo.modifier
    share, rest = divmod(combo.modifier, combo.actions)
    return share + (len(turn.deeds) <= rest)


def combo_modifier(state: Encounter, ruleset: Ruleset, action: Action) -> int:
    """Return the modifier that the points of a combo give an action: only its attacks benefit (MAM-COMBO-06)."""
    turn = state.turn
    helped = turn is not None and turn.combatant == action.actor and action.kind == "attack"
    return modifier_of(turn, ruleset) if helped else 0


def used_points(state: Encounter, ruleset: Ruleset, action: Action) -> int:
    """Return the hit points that an action used (MAM-INTF-05).

    They include the points of a combo that help it (MAM-COMBO-06) and those of evading with it (MAM-MNV-02).
    """
    evading = evasion_price(ruleset).points if action.terms.evade else 0
    return action.points + evading + combo_modifier(state, ruleset, action)


def check_combo(state: Encounter, ruleset: Ruleset, command: DeclareCombo) -> Combatant:
    """Raise Refused unless that combo may be declared.

    Only the healthy may declare one, before any action of the turn, and within its size.
    """
    combatant = require_combatant(state, command.combatant)
    turn = require_turn_of(state, combatant)
    require_no_exchange(state)
    require_able(combatant)
    if turn.combo or turn.deeds:
        raise Refused("combo_late/acted", combatant=combatant, rule="MAM-COMBO-01", fields=("combatant",))
    ruleset.edition.economy.may(state, ruleset, combatant, "quick_attack", "")
    require_healthy(combatant, ruleset)
    _something_quick(state, ruleset, combatant)
    most = most_actions(combatant)
    if not 1 <= command.actions <= most:
        several = most > 1
        raise Refused(
            "combo_too_long" if several else "combo_too_long/single",
            combatant=combatant,
            most=most,
            actions=command.actions,
            speed=Term(str(combatant.statistics.speed)),
            rule="MAM-COMBO-01",
            fields=("actions",),
        )
    if len(set(command.target)) < len(command.target):
        raise Refused("bad_target/named_twice", rule="MAM-CTR-02", fields=("target",))
    for target in command.target:
        who = require_combatant(state, target, "target")
        if who.id == combatant.id or who.is_gone:
            raise Refused("bad_target/not_attackable", who=who, rule="MAM-ATK-01", fields=("target",))
        may_aim(state, ruleset, combatant.id, who.id)
    ruleset.edition.economy.may_back(state, ruleset, combatant, command.modifier)
    return combatant


def _something_quick(state: Encounter, ruleset: Ruleset, combatant: Combatant) -> None:
    """Raise Refused, as for a plain quick attack, if no quick action is open to that combatant now."""
    quick = [deed for deed in ruleset.tables.deeds if is_quick(deed, ruleset) and not costs_nothing(deed, ruleset)]
    if not any(is_allowed(check_limits, state, ruleset, combatant, deed) for deed in quick):
        check_limits(state, ruleset, combatant, "quick_attack")


def combo_end_reason(state: Encounter, ruleset: Ruleset, combatant: Combatant, combo: Combo) -> Message | None:
    """Return the reason why a combo in progress ends early, or None: only the healthy do combos (MAM-COMBO-02)."""
    done = len(state.turn.deeds) if state.turn else 0
    between = 0 < done < combo.actions and state.exchange is None
    if not between:
        return None
    if combatant.condition != "able":
        return text_fragment("came_of_it/acts_no_more", who=combatant, condition=Word(combatant.condition))
    return None if is_healthy(combatant, ruleset) else text_fragment("came_of_it/wound")


def under_way_of(state: Encounter, combatant: Combatant) -> tuple[Combo, ...]:
    """Return the combo that the combatant has in progress, if any."""
    turn = state.turn
    return (turn.combo,) if turn and turn.combo and turn.combatant == combatant.id else ()


def break_off(judging: Decision, name: str, combo: Combo, why: Message) -> None:
    """Record that the rest of a combo is dropped."""
    judging.record(ComboBrokenOff(name, combo.id, why))


def most_actions(combatant: Combatant) -> int:
    """Return the most actions that a combo of that combatant could have, with all its weapons, drawn or not."""
    carried = [weapon for weapon in combatant.weapons if weapon.id not in combatant.dropped]
    return combo_size(combatant.statistics.speed, several_weapons=len(carried) > 1)


def judge_combo(judging: Decision, command: DeclareCombo, _: Combatant) -> None:
    """Declare a combo and pay for its modifier; targets with a prepared counterattack strike first (MAM-CTR-02)."""
    judging.record(ComboDeclared(judging.ruling, command.combatant, command.actions, command.modifier, command.target))
    if command.modifier:
        pay(judging, command.combatant, "attack", to_defense=command.modifier)
    trigger(judging, command.combatant, *command.target)


def _offer_combo(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        _, most = ruleset.edition.economy.span(state, ruleset, combatant, "quick_attack")
        actions, modifier = Field("actions", low=1, high=most_actions(combatant)), Field("modifier", low=0, high=most)
        yield offer(DeclareCombo(combatant.id, 1), actions, modifier, *free("target"))


SECTION = RuleModule(
    ongoing=(OngoingEffect("combo", "", combo_end_reason, break_off, under_way_of),),
    mechanics=(Mechanic(DeclareCombo, check=check_combo, judge=judge_combo, offers=_offer_combo),),
)
