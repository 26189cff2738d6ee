"""Temporary bonuses and penalties: what they add, and when they end (MAM-POS-04, MAM-MNP-01)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from msgspec.structs import replace

from mam_events.commands import Modify, Until
from mam_events.decider.checks import require_combatant, require_open
from mam_events.decider.engine import Decision, OngoingEffect, RollContext, RuleModule, Ruleset
from mam_events.decider.gm_modifiers import NO_RULE
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.errors import Refused
from mam_events.events import EffectConsumed, EffectExpired, Modifier, ModifierEnded, ModifierGiven, RollMade
from mam_events.refusals.arguments import TextArgument
from mam_events.state import Combatant, Effect, Encounter, Moment
from mam_events.visibility import PUBLIC


def end_turn_number(combatant: Combatant, turns: int) -> int:
    """Return the number of the combatant's turn in which an effect of that many turns ends.

    It counts from the turn in progress, or from the last one begun.
    """
    return combatant.status.turns + turns


def effects_of(rolling: RollContext) -> Iterator[Modifier]:
    """Yield the modifiers of a roll that come from effects on the roller."""
    for effect in rolling.combatant.status.effects:
        if counts(effect, rolling):
            yield _modifier(effect)


def _modifier(effect: Effect) -> Modifier:
    source = effect.source.replace("_", " ") if effect.rule else effect.source
    return Modifier(source, effect.value, effect.rule)


def consume(judging: Decision, roll: RollMade) -> None:
    """Record the end of effects that last for one roll: they count for this roll only (MAM-MNP-01)."""
    for effect in judging.state.combatants[roll.combatant].status.effects:
        if effect.once and _modifier(effect) in roll.modifiers:
            judging.record(EffectConsumed(roll.combatant, effect.source, effect.value, roll.exchange))


def counts(effect: Effect, rolling: RollContext) -> bool:
    """Return True if that effect counts for that roll."""
    if not effect.value:
        return False
    if effect.applies == "combat":
        # An action that is no attack makes no combat roll, even if somebody interferes with it.
        return rolling.role == "defense" or (rolling.role == "attack" and rolling.action.kind != "action")
    if rolling.role != "passive":
        return False
    # The house rules may say that evasion does not help against a counterattack (MAM-MNV-01).
    if effect.source == "evasion" and _is_counterattack(rolling):
        return rolling.ruleset["evasion_counterattack_exclusion"] != "incoming_counterattacks"
    return True


def _is_counterattack(rolling: RollContext) -> bool:
    """Return True if the action is a counterattack: an immediate one, or one in a turn that interrupts another."""
    turn = rolling.state.turn
    by_turn = turn is not None and turn.counter > 0 and turn.combatant == rolling.action.combatant
    return rolling.action.kind == "counterattack" or by_turn


def expire_at_start(judging: Decision, name: str) -> None:
    """Record the end of effects that end when a turn begins."""
    _expire(judging, name, "start")


def expire_at_end(judging: Decision, name: str) -> None:
    """Record the end of effects that end with a turn."""
    _expire(judging, name, "end")


def _expire(judging: Decision, name: str, moment: str) -> None:
    combatant = judging.state.combatants[name]
    for effect in combatant.status.effects:
        if effect.turn and effect.moment == moment and effect.turn <= combatant.status.turns:
            _over(judging, name, effect)


def _over(judging: Decision, name: str, effect: Effect) -> None:
    judging.record(EffectExpired(name, effect.source) if effect.rule else ModifierEnded(name, effect.source))


def expire_at_round(judging: Decision) -> None:
    """Record the end of effects that ended with the previous round."""
    for combatant in judging.state.combatants.values():
        for effect in combatant.status.effects:
            if effect.round and effect.round < judging.state.round:
                _over(judging, combatant.id, effect)


def defense_effects(_: Encounter, combatant: Combatant) -> tuple[Effect, ...]:
    """Return the bonuses to defense from what a combatant does: evading, resting, caution."""
    return tuple(effect for effect in combatant.status.effects if effect.applies == "defense")


def guard_end_reason(state: Encounter, ruleset: Ruleset, combatant: Combatant, guard: Effect) -> str:
    """Return the reason why such a bonus ends early; "" while it lasts.

    A combatant that is down evades nobody (MAM-WND-08).
    """
    return "" if combatant.condition == "able" else f"{combatant.name} is {combatant.condition}"


def drop_guard(judging: Decision, name: str, guard: Effect, why: str) -> None:
    """Record that such a bonus is over."""
    judging.record(EffectExpired(name, guard.source, guard.turn))


def check_modify(state: Encounter, ruleset: Ruleset, command: Modify) -> Combatant:
    """Return the combatant whose rolls the modifier is for.

    Raises Refused with `no_reason`, with `no_modifier` if there is none to end, or with `seen_by_all` if it is to be
    hidden although everybody sees the rolls that it changes.
    """
    require_open(state)
    combatant = require_combatant(state, command.combatant)
    if command.visibility != PUBLIC and combatant.visibility == PUBLIC:
        raise Refused("seen_by_all", fields=("visibility",))
    if not command.what.strip():
        raise Refused("no_reason", fields=("what",))
    sources = [effect.source for effect in combatant.status.effects if not effect.rule]
    if not command.modifier and command.what not in sources:
        raise Refused(
            "no_modifier",
            combatant=combatant,
            fields=("what", "modifier"),
            wrong=command.what,
            allowed=map(TextArgument, sources),
        )
    return combatant


def judge_modify(judging: Decision, command: Modify, combatant: Combatant) -> None:
    """Give the modifier, or end the one that was given for that reason."""
    if not command.modifier:
        judging.record(ModifierEnded(combatant.id, command.what))
        return
    effect = Effect(command.what, command.modifier, NO_RULE, "combat")
    if command.until in ("turn", "turn_end"):
        moment: Moment = "start" if command.until == "turn" else "end"
        effect = replace(effect, turn=end_turn_number(combatant, 1), moment=moment)
    elif command.until == "round":
        effect = replace(effect, round=max(1, judging.state.round))
    judging.record(ModifierGiven(combatant.id, replace(effect, once=command.until == "roll")))


def _offer_modify(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    everybody = tuple(state.combatants)
    if everybody:
        least = Modify(everybody[0], "the game master's word", 1)
        yield offer(
            least,
            Field("combatant", choices=everybody),
            *free("what", "modifier"),
            Field("until", choices=get_args(Until)),
        )


SECTION = RuleModule(
    mechanics=(Mechanic(Modify, check=check_modify, judge=judge_modify, offers=_offer_modify),),
    ongoing=(OngoingEffect("guard", "status.effects", guard_end_reason, drop_guard, defense_effects),),
    attack_modifiers=(effects_of,),
    defense_modifiers=(effects_of,),
    passive_modifiers=(effects_of,),
    at_roll=(consume,),
    at_turn_start=(expire_at_start,),
    at_turn_end=(expire_at_end,),
    at_round_start=(expire_at_round,),
)
