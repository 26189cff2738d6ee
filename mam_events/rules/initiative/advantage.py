"""The advantage of those who surprised others (MAM-SURP-02, MAM-SURP-04)."""

from __future__ import annotations

from mam_events.deciding.judging import Judging
from mam_events.deciding.ruleset import Ruleset
from mam_events.events import CounterattackLapsed, EffectExpired, SurpriseEstablished
from mam_events.state import Encounter


def side_of(state: Encounter, name: str) -> str:
    """The side of a combatant; those without one are each their own."""
    side = state.combatants[name].side
    return name if side == "all" else side


def seated(state: Encounter, names: set[str]) -> tuple[str, ...]:
    """Those combatants in seating order; who share a seat, as they joined."""
    return tuple(sorted(names, key=lambda name: (state.combatants[name].seat, list(state.combatants).index(name))))


def postures_open(state: Encounter, ruleset: Ruleset) -> bool:
    """True if the fight began without a surprise, so that postures may be taken (`mutual_surprise_posture`)."""
    mutual = state.advantaged == () and any(past.success for past in state.stealth)
    return not (state.advantaged or (mutual and ruleset["mutual_surprise_posture"] == "forbidden"))


def surprise(judging: Judging, advantaged: tuple[str, ...], surprised: tuple[str, ...], why: str) -> None:
    """Record who surprised whom; of a fight that begins so, nobody's opening posture is left (MAM-SURP-04)."""
    judging.record(SurpriseEstablished(advantaged, surprised, why))
    if not postures_open(judging.state, judging.ruleset):
        for name, combatant in judging.state.combatants.items():
            if combatant.status.prepared:
                judging.record(CounterattackLapsed(name))
            if combatant.status.effect("opening_evasion"):
                judging.record(EffectExpired(name, "opening_evasion"))


def ambush(judging: Judging, ambushers: tuple[str, ...]) -> None:
    """Let those have the advantage whom the game master names as ambushers; all of the other sides are surprised."""
    state = judging.state
    sides = {side_of(state, name) for name in ambushers}
    surprised = {name for name in state.combatants if side_of(state, name) not in sides}
    surprise(judging, seated(state, set(ambushers)), seated(state, surprised), "an ambush")
