"""Raising the defense: ready points that react to an attack before the dice are rolled (MAM-POOL-11)."""

from __future__ import annotations

from collections.abc import Iterator

from mam_events.commands import Defend
from mam_events.decider.checks import require_able, require_combatant, require_ready_points
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, offer
from mam_events.errors import Refused
from mam_events.events import DefenseRaised
from mam_events.rules.exchanges.feasibility import before_dice
from mam_events.rules.exchanges.reactions import require_attack_target, thrown_into
from mam_events.rules.health.hit_points import pay
from mam_events.rules.turns.combos import used_points
from mam_events.state import Encounter, Exchange


def check_defend(state: Encounter, ruleset: Ruleset, command: Defend) -> None:
    """Raise Refused unless those points may go into defense now (MAM-POOL-11, `reaction_hp_cap`)."""
    exchange = before_dice(state, ruleset, command.exchange)
    if command.combatant == thrown_into(state, exchange):
        combatant = require_combatant(state, command.combatant)
        require_able(combatant)
    else:
        exchange, combatant = require_attack_target(state, ruleset, command.exchange, command.combatant, "MAM-POOL-11")
    if command.points < 1:
        raise Refused("below_required_amount/no_defense", who=combatant, rule="MAM-POOL-11", fields=("points",))
    require_ready_points(combatant, command.points, ("points",), "MAM-POOL-11")
    room = reaction_room(state, exchange, combatant.id, ruleset)
    if room is not None and command.points > room:
        raise Refused(
            "exceeds_maximum/raised_defense",
            root=used_points(state, ruleset, exchange.root),
            room=room,
            rule="MAM-POOL-11",
            fields=("points",),
        )


def reaction_room(state: Encounter, exchange: Exchange, name: str, ruleset: Ruleset) -> int | None:
    """Return the number of further points that a reaction may take (`reaction_hp_cap`); None if there is no cap."""
    if ruleset["reaction_hp_cap"] == "uncapped":
        return None
    return max(0, used_points(state, ruleset, exchange.root) - exchange.defended.get(name, 0))


def judge_defend(judging: Decision, command: Defend, _: None) -> None:
    """Move ready points into defense before the dice are rolled."""
    judging.record(DefenseRaised(command.exchange, command.combatant, command.points))
    pay(judging, command.combatant, "defend", to_defense=command.points)


def _offer_defend(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    exchange = state.exchange
    if exchange is None or exchange.root.kind != "attack":
        return
    for name in filter(None, (exchange.root.target, thrown_into(state, exchange))):
        ready = state.combatants[name].pools.ready
        room = reaction_room(state, exchange, name, ruleset)
        most = ready if room is None else min(ready, room)
        yield offer(Defend(name, exchange.id, 1), Field("points", low=1, high=most), pinned=("exchange",))


SECTION = RuleModule(
    mechanics=(Mechanic(Defend, check=check_defend, judge=judge_defend, offers=_offer_defend),),
)
