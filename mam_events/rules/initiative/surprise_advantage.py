"""The advantage of those who surprised others (MAM-SURP-02, MAM-SURP-04)."""

from __future__ import annotations

from mam_events.decider.engine import Decision, Ruleset
from mam_events.events import CounterattackLapsed, EffectExpired, SurpriseEstablished
from mam_events.state import Encounter


def side_of(state: Encounter, name: str) -> str:
    """Return the side of a combatant; one without a side is a side of its own."""
    side = state.combatants[name].side
    return name if side == "all" else side


def in_seat_order(state: Encounter, names: set[str]) -> tuple[str, ...]:
    """Return those combatants in seating order; those who share a seat, as they joined."""
    return tuple(sorted(names, key=lambda name: (state.combatants[name].seat, list(state.combatants).index(name))))


def is_posture_open(state: Encounter, ruleset: Ruleset, name: str) -> bool:
    """Return True if the fight began without a surprise for that combatant: it may take a posture (MAM-SURP-04).

    If both sides surprised each other, `mutual_surprise_posture` decides. If pairs count (`surprise_scope`), a surprise
    concerns only those who were surprised.
    """
    if state.advantaged:
        return ruleset.get("surprise_scope") == "per_pair" and name not in state.surprised
    mutual = state.advantaged == () and any(past.success for past in state.stealth)
    return not (mutual and ruleset["mutual_surprise_posture"] == "forbidden")


def surprise(judging: Decision, advantaged: tuple[str, ...], surprised: tuple[str, ...], why: str) -> None:
    """Record who surprised whom; those who may not take an opening posture lose theirs (MAM-SURP-04)."""
    judging.record(SurpriseEstablished(advantaged, surprised, why))
    for name, combatant in judging.state.combatants.items():
        if is_posture_open(judging.state, judging.ruleset, name):
            continue
        if combatant.status.prepared:
            judging.record(CounterattackLapsed(name))
        if combatant.status.effect("opening_evasion"):
            judging.record(EffectExpired(name, "opening_evasion"))


def ambush(judging: Decision, ambushers: tuple[str, ...]) -> None:
    """Give the advantage to the ambushers whom the game master names; all of the other sides are surprised."""
    state = judging.state
    sides = {side_of(state, name) for name in ambushers}
    surprised = {name for name in state.combatants if side_of(state, name) not in sides}
    surprise(judging, in_seat_order(state, set(ambushers)), in_seat_order(state, surprised), "an ambush")
