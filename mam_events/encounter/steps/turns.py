"""What facts about rounds, turns and the phases of a turn leave behind."""

from __future__ import annotations

from decimal import Decimal

from msgspec.structs import replace

from mam_events import events as e
from mam_events.encounter.steps.shared import (
    ON_THE_GROUND,
    Steps,
    let_go,
    pools,
    window_anew,
    with_combatant,
    with_status,
)
from mam_events.state import Actions, Encounter, RolledInitiative, Turn, Window

_NOTHING_DECLARED = Actions()


def _round_started(state: Encounter, event: e.RoundStarted) -> Encounter:
    # An order for this round alone may have been given before its first turn.
    return replace(state, round=event.round, round_open=True, had_turn=())


def _round_ended(state: Encounter, event: e.RoundEnded) -> Encounter:
    if not event.rolled_anew:
        return replace(state, round_open=False, this_round=())
    # A related skill is rolled for its primary one, whenever that comes (RD6-REL-01).
    combatants = {
        name: replace(who, actions=Actions(related=who.actions.related)) if who.actions != _NOTHING_DECLARED else who
        for name, who in state.combatants.items()
    }
    return replace(
        state,
        round_open=False,
        this_round=(),
        order=(),
        had_turn=(),
        turn=None,
        combatants=combatants,
        initiative=RolledInitiative(),
        window=Window(),
    )


def _turn_started(state: Encounter, event: e.TurnStarted) -> Encounter:
    status = state.combatants[event.combatant].status
    begun = replace(status, turns=status.turns + 1, moved=Decimal(0), crawled=0, straight=Decimal(0), charges={})
    if begun.temper.attacked or begun.temper.charged:
        begun = replace(begun, temper=replace(begun.temper, attacked=False, charged=False))
    state = with_combatant(state, event.combatant, status=begun)
    return replace(state, turn=Turn(event.combatant))


def _moved(state: Encounter, event: e.CombatantMoved) -> Encounter:
    status = state.combatants[event.combatant].status
    # A move that is not straight breaks the line of those before it.
    straight = status.straight + event.metres if event.straight else Decimal(0)
    charges = status.charges if event.straight else {}
    return with_status(state, event.combatant, moved=status.moved + event.metres, straight=straight, charges=charges)


def _turn_ended(state: Encounter, event: e.TurnEnded) -> Encounter:
    window = window_anew(state)
    return replace(state, turn=None, had_turn=(*state.had_turn, event.combatant), window=window)


def _refreshed(state: Encounter, event: e.ReadyPoolRefreshed) -> Encounter:
    state = with_combatant(state, event.combatant, pools=event.pools)
    return replace(state, turn=replace(state.turn, refreshed=True)) if state.turn else state


def _recovered(state: Encounter, event: e.StunRecovered) -> Encounter:
    state = pools(state, event)
    turn = state.turn
    if turn is None or not event.turn or turn.combatant != event.combatant:
        return state
    return replace(state, turn=replace(turn, recovered=True))


def _spent(state: Encounter, event: e.HitPointsSpent) -> Encounter:
    state = with_combatant(state, event.combatant, pools=event.pools)
    status = state.combatants[event.combatant].status
    if event.purpose == "move" and status.position in ON_THE_GROUND:
        state = with_status(state, event.combatant, crawled=status.crawled + event.to_defense)
    if state.turn and state.turn.combatant == event.combatant and not state.turn.acted:
        return replace(state, turn=replace(state.turn, acted=True))
    return state


def _weapon_readied(state: Encounter, event: e.WeaponReadied) -> Encounter:
    weapons = state.combatants[event.combatant].weapons
    return with_combatant(
        state,
        event.combatant,
        weapons=tuple(replace(weapon, readied=True) if weapon.id == event.weapon else weapon for weapon in weapons),
    )


def _item_dropped(state: Encounter, event: e.EquipmentDropped) -> Encounter:
    return let_go(state, event.combatant, event.item)


def _item_picked_up(state: Encounter, event: e.EquipmentPickedUp) -> Encounter:
    owner = state.combatants[event.owner or event.combatant]
    kept = tuple(item for item in owner.dropped if item != event.item)
    if owner.id == event.combatant:
        return with_combatant(state, owner.id, dropped=kept)
    taken, weapon = state.combatants[event.combatant], owner.weapon(event.item)
    weapons = tuple(one for one in owner.weapons if one.id != event.item)
    equipment = tuple(one for one in owner.equipment if one.id != event.item)
    gone = tuple(one for one in owner.equipment if one.id == event.item)
    state = with_combatant(state, owner.id, dropped=kept, weapons=weapons, equipment=equipment)
    found = (replace(weapon, readied=True),) if weapon else ()
    return with_combatant(state, taken.id, weapons=(*taken.weapons, *found), equipment=(*taken.equipment, *gone))


STEPS: Steps = {
    e.RoundStarted: _round_started,
    e.RoundEnded: _round_ended,
    e.TurnStarted: _turn_started,
    e.TurnEnded: _turn_ended,
    e.StunRecovered: _recovered,
    e.ReadyPoolRefreshed: _refreshed,
    e.HitPointsSpent: _spent,
    e.CombatantMoved: _moved,
    e.WeaponReadied: _weapon_readied,
    e.EquipmentDropped: _item_dropped,
    e.EquipmentPickedUp: _item_picked_up,
}
