"""What facts about manipulations and holds leave behind."""

from __future__ import annotations

from msgspec.structs import replace

from mam_events.encounter.steps.shared import (
    Steps,
    answered,
    begun,
    let_go,
    placed,
    stopped_running,
    unchanged,
    with_combatant,
    with_status,
    without_grapple,
)
from mam_events.events import grappling as g
from mam_events.state import Encounter


def _hampered(state: Encounter, event: g.ManipulationPenaltyApplied) -> Encounter:
    effects = state.combatants[event.combatant].status.effects
    return with_status(state, event.combatant, effects=(*effects, event.effect))


def _consumed(state: Encounter, event: g.ManipulationPenaltyConsumed) -> Encounter:
    effects = list(state.combatants[event.combatant].status.effects)
    spent = next((effect for effect in effects if effect.once and effect.value == event.penalty), None)
    if spent is not None:
        effects.remove(spent)
    return with_status(state, event.combatant, effects=tuple(effects))


def _disarmed(state: Encounter, event: g.TargetDisarmed) -> Encounter:
    return let_go(state, event.combatant, event.weapon)


def _thrown(state: Encounter, event: g.TargetThrown) -> Encounter:
    return placed(stopped_running(state, event.combatant), event.combatant, event.position)


def _established(state: Encounter, event: g.GrappleEstablished) -> Encounter:
    rest = without_grapple(state.combatants[event.combatant], event.grapple.id)
    return with_combatant(state, event.combatant, grapples=(*rest, event.grapple))


def _maintained(state: Encounter, event: g.GrappleMaintained) -> Encounter:
    return _with_grapple(state, event.combatant, event.grapple, maintained=event.round)


def _squeezed(state: Encounter, event: g.GrappleEffectApplied) -> Encounter:
    return _with_grapple(state, event.combatant, event.grapple, hit=state.round)


def _with_grapple(state: Encounter, name: str, grapple: str, **changes: int) -> Encounter:
    grapples = tuple(
        replace(held, **changes) if held.id == grapple else held for held in state.combatants[name].grapples
    )
    return with_combatant(state, name, grapples=grapples)


STEPS: Steps = {
    g.ManipulationDeclared: begun,
    g.TackleDeclared: answered,
    g.ManipulationResolved: unchanged,
    g.ManipulationPenaltyApplied: _hampered,
    g.ManipulationPenaltyConsumed: _consumed,
    g.TargetDisarmed: _disarmed,
    g.ThrownBodyStruck: unchanged,
    g.TargetThrown: _thrown,
    g.GrappleEstablished: _established,
    g.GrappleMaintained: _maintained,
    g.GrappleEffectApplied: _squeezed,
}
