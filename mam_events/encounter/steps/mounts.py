"""What facts about riding, ramming and collisions leave behind."""

from __future__ import annotations

from msgspec.structs import replace

from mam_events.encounter.steps.shared import Steps, attack_over, placed, unchanged, with_status
from mam_events.events.mounts import (
    ChargeRidden,
    MountedRollOwed,
    MountRestraintResolved,
    RiderDismounted,
    RiderMounted,
    RidingDeclared,
    RidingResolved,
)
from mam_events.events.vehicles import CollisionComputed, RamDeclared, RamResolved
from mam_events.state import Encounter, Exchange, Saddle


def _mounted(state: Encounter, event: RiderMounted) -> Encounter:
    return with_status(state, event.combatant, mount=event.mount, saddle=Saddle(event.turns))


def _dismounted(state: Encounter, event: RiderDismounted) -> Encounter:
    state = with_status(state, event.combatant, mount="", saddle=Saddle())
    return placed(state, event.combatant, event.position) if event.position else state


def _declared(state: Encounter, event: RidingDeclared) -> Encounter:
    state = with_status(state, event.combatant, mount=event.mount, saddle=Saddle())
    # Whoever is put into a saddle sits in it.
    return placed(state, event.combatant, "standing") if event.mount else state


def _owed(state: Encounter, event: MountedRollOwed) -> Encounter:
    for rider in event.riders:
        saddle = state.combatants[rider].status.saddle
        riding, handling = (1, 0) if event.owed == "riding" else (0, 1)
        more = replace(saddle, riding=saddle.riding + riding, handling=saddle.handling + handling)
        state = with_status(state, rider, saddle=more)
    temper = state.combatants[event.mount].status.temper
    if event.attacked:
        temper = replace(temper, attacked=True)
    if event.defended:
        # Held or not, whoever is attacked has to be held anew.
        against = tuple(dict.fromkeys((*temper.against, *event.by)))
        temper = replace(temper, mood="" if temper.mood == "held" else temper.mood, tried=0, against=against)
    return with_status(state, event.mount, temper=temper)


def _charged(state: Encounter, event: ChargeRidden) -> Encounter:
    temper = state.combatants[event.mount].status.temper
    return with_status(state, event.mount, temper=replace(temper, charged=True))


def _rode(state: Encounter, event: RidingResolved) -> Encounter:
    if event.effect == "falls":
        state = with_status(state, event.combatant, mount="", saddle=Saddle())
        return placed(state, event.combatant, event.position) if event.position else state
    saddle = state.combatants[event.combatant].status.saddle
    return with_status(state, event.combatant, saddle=replace(saddle, riding=event.owed))


def _restrained(state: Encounter, event: MountRestraintResolved) -> Encounter:
    saddle = state.combatants[event.combatant].status.saddle
    state = with_status(state, event.combatant, saddle=replace(saddle, handling=event.owed))
    before = state.combatants[event.mount].status.temper
    temper = replace(before, mood=event.mood, round=event.round, lasting=event.lasting, tried=event.round)
    return with_status(state, event.mount, temper=temper)


def _ramming(state: Encounter, event: RamDeclared) -> Encounter:
    return replace(state, exchange=Exchange(event.exchange, (event.declares(),)))


STEPS: Steps = {
    RiderMounted: _mounted,
    RiderDismounted: _dismounted,
    RidingDeclared: _declared,
    MountedRollOwed: _owed,
    ChargeRidden: _charged,
    RidingResolved: _rode,
    MountRestraintResolved: _restrained,
    RamDeclared: _ramming,
    RamResolved: attack_over,
    CollisionComputed: unchanged,
}
