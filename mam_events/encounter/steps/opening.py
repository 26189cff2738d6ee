"""What facts about the encounter as a whole leave behind."""

from __future__ import annotations

from msgspec.structs import replace

from mam_events import events as e
from mam_events.encounter.steps.shared import Steps
from mam_events.state import Encounter


def _opened(state: Encounter, event: e.EncounterOpened) -> Encounter:
    return replace(
        state, status="open", title=event.title, ruleset=event.ruleset, commitment=event.commitment, combatants={}
    )


def _rules_changed(state: Encounter, event: e.RulesChanged) -> Encounter:
    return replace(state, ruleset=event.ruleset)


def _joined(state: Encounter, event: e.CombatantJoined) -> Encounter:
    joined = event.combatant
    return replace(state, combatants=state.combatants | {joined.id: joined}, order=event.order)


def _ordered(state: Encounter, event: e.InitiativeEstablished) -> Encounter:
    return replace(state, order=event.order, initiative=event.rolled, this_round=(), avoided=False)


def _closed(state: Encounter, event: e.EncounterClosed) -> Encounter:
    return replace(state, status="closed", turn=None, exchange=None)


STEPS: Steps = {
    e.EncounterOpened: _opened,
    e.RulesChanged: _rules_changed,
    e.CombatantJoined: _joined,
    e.InitiativeEstablished: _ordered,
    e.EncounterClosed: _closed,
}
