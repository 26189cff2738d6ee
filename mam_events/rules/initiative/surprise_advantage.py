"""The advantage of those who surprised others (MAM-SURP-02, MAM-SURP-04)."""

from __future__ import annotations

from mam_events.decider.engine import Decision, Ruleset
from mam_events.events import CounterattackLapsed, EffectExpired, SurpriseEstablished
from mam_events.state import Encounter


def side_of(state: Encounter, name: str) -> str:
    """The side of a combatant; those without one are each their own."""
    side = state.combatants[name].side
    return name if side == "all" else side


def in_seat_order(state: Encounter, names: set[str]) -> tuple[str, ...]:
    """Those combatants in seating order; who share a seat, as they joined."""
    return tuple(sorted(names, key=lambda name: (state.combatants[name].seat, list(state.combatants).index(name))))


def posture_open(state: Encounter, ruleset: Ruleset, name: str) -> bool:
    """True if the fight began without a surprise for that one, so that they may take a posture (MAM-SURP-04).

    Of each other's surprise the house says it (`mutual_surprise_posture`); where pairs count, a surprise is that of
    whoever was surprised, and nobody else's (`surprise_scope`).
    """
    if state.advantaged:
        return ruleset.get("surprise_scope") == "per_pair" and name not in state.surprised
    mutual = state.advantaged == () and any(past.success for past in state.stealth)
    return not (mutual and ruleset["mutual_surprise_posture"] == "forbidden")


def surprise(judging: Decision, advantaged: tuple[str, ...], surprised: tuple[str, ...], why: str) -> None:
    """Record who surprised whom; whose fight begins so has no opening posture left (MAM-SURP-04)."""
    judging.record(SurpriseEstablished(advantaged, surprised, why))
    for name, combatant in judging.state.combatants.items():
        if posture_open(judging.state, judging.ruleset, name):
            continue
        if combatant.status.prepared:
            judging.record(CounterattackLapsed(name))
        if combatant.status.effect("opening_evasion"):
            judging.record(EffectExpired(name, "opening_evasion"))


def ambush(judging: Decision, ambushers: tuple[str, ...]) -> None:
    """Let those have the advantage whom the game master names as ambushers; all of the other sides are surprised."""
    state = judging.state
    sides = {side_of(state, name) for name in ambushers}
    surprised = {name for name in state.combatants if side_of(state, name) not in sides}
    surprise(judging, in_seat_order(state, set(ambushers)), in_seat_order(state, surprised), "an ambush")
