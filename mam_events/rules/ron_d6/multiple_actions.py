"""The number of actions in a turn, fixed first, and the price of several (RD6-MAP, RD6-LIM)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import Declare, MoveUp, name_of
from mam_events.decider.checks import require_combatant, require_open
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, offer
from mam_events.errors import CommandHint, Refused
from mam_events.events import ActionsDeclared
from mam_events.rules.initiative.go_first import require_place
from mam_events.rules.initiative.rd6_statistics import AGILITY
from mam_events.rules.rolls.dice_codes import DiceCode, code_of, codes_message
from mam_events.rules.ron_d6.right_to_act import next_to_act, require_conscious, require_nothing_open, require_turn_kept
from mam_events.state import Combatant, Encounter

NOT_PENALISED = ("damage", "resistance")
"""Rolls, besides initiative, from which several actions take no dice (RD6-MAP-02)."""


def penalty(declared: int, allotment: int, ruleset: Ruleset, action: int | None = None) -> int:
    """Return the dice that the declared actions take from every roll (RD6-MAP-01, RD6-MAP-03).

    If only actions beyond the allotment are penalised (`rd6_map_scope`), return the dice for the `action` with that
    number.
    """
    if action is not None and action <= allotment and ruleset["rd6_map_scope"] == "excess_actions_only":
        return 0
    return max(0, declared - allotment)


def penalty_of(combatant: Combatant, ruleset: Ruleset, roll: str = "skill") -> int:
    """Return the penalty in dice on the combatant's next roll of that kind (RD6-MAP-01, RD6-MAP-02)."""
    if roll in NOT_PENALISED:
        return 0
    actions = combatant.actions
    return penalty(actions.declared, combatant.faculties.allotment, ruleset, actions.used + 1)


def action_limit(agility: DiceCode, quickness_ranks: int, allotment: int, ruleset: Ruleset, *, fate_point: bool) -> int:
    """Return the most actions of a round: dice of Agility, more by quickness, doubled by a Fate Point, at least one.

    RD6-LIM-01 to RD6-LIM-03, `rd6_fate_doubling`, `rd6_allotment_limit`.
    """
    if not fate_point:
        limit = agility.dice + quickness_ranks
    elif ruleset["rd6_fate_doubling"] == "agility_only":
        limit = 2 * agility.dice + quickness_ranks
    else:
        limit = 2 * (agility.dice + quickness_ranks)
    if ruleset["rd6_allotment_limit"] == "at_least_allotment":
        limit = max(limit, allotment)
    return max(1, limit)


def limit_of(combatant: Combatant, ruleset: Ruleset) -> int:
    """Return the most actions that the combatant may declare now."""
    faculties = combatant.faculties
    agility = code_of(combatant, AGILITY)
    return action_limit(
        agility, faculties.quickness_ranks, faculties.allotment, ruleset, fate_point=combatant.actions.fate
    )


def doubles_limit(combatant: Combatant, ruleset: Ruleset) -> bool:
    """Return True if a Fate Point would let it declare more actions than now (RD6-LIM-02)."""
    lucky = replace(combatant, actions=replace(combatant.actions, fate=True))
    return limit_of(lucky, ruleset) > limit_of(combatant, ruleset)


class ActionCount(Struct, frozen=True):
    """A number of actions, the limit, the penalty in dice, and the allotment."""

    actions: int
    limit: int
    penalty: int
    allotment: int


def number_of(combatant: Combatant, command: Declare | MoveUp, ruleset: Ruleset) -> ActionCount:
    """Return the declaration of that number of actions.

    Raises Refused with `over_limit`, `agility_missing` or `below_required_amount` (RD6-LIM-01).
    """
    actions, limit = command.actions, limit_of(combatant, ruleset)
    if actions < 1:
        raise Refused(
            "below_required_amount/actions",
            rule="RD6-RND-01",
            fields=("actions",),
            hints=(CommandHint("skip-turn", {"combatant": combatant.id}),),
        )
    if actions > limit:
        fate = bool(combatant.fate_points) and doubles_limit(combatant, ruleset)
        hints = (CommandHint(name_of(command), {"combatant": combatant.id, "actions": limit}),)
        if AGILITY in combatant.faculties.codes:
            raise Refused(
                "over_limit/fate" if fate else "over_limit",
                combatant=combatant,
                limit=limit,
                actions=actions,
                rule="RD6-LIM-01",
                fields=("actions",),
                hints=hints,
            )
        raise Refused(
            "agility_missing/fate" if fate else "agility_missing",
            combatant=combatant,
            limit=limit,
            actions=actions,
            codes=codes_message(combatant),
            rule="RD6-LIM-01",
            fields=("actions",),
            hints=hints,
        )
    allotment = combatant.faculties.allotment
    return ActionCount(actions, limit, penalty(actions, allotment, ruleset), allotment)


def turn_to_take(state: Encounter, combatant: Combatant) -> None:
    """Raise Refused if no turn of that combatant may begin at all.

    Raises `out_of_turn`, `turn_had`, `turn_lost` or `incapacitated`.
    """
    require_open(state)
    require_place(state, combatant)
    require_turn_kept(combatant)
    # A combatant whom the game master has given the turn has not yet declared its actions.
    fixed = state.turn_in_order == combatant.id and combatant.actions.declared > 0
    if combatant.id in state.had_turn or fixed:
        actions = combatant.actions
        if not actions.declared:
            raise Refused("turn_had/passed", combatant=combatant, rule="RD6-ACT-02", fields=("combatant",))
        raise Refused(
            "turn_had/declared",
            combatant=combatant,
            declared=actions.declared,
            left=actions.left,
            rule="RD6-ACT-02",
            fields=("combatant",),
        )
    require_conscious(combatant)


def check_declare(state: Encounter, ruleset: Ruleset, command: Declare) -> ActionCount:
    """Return the declaration of the number of actions.

    Raises as `turn_to_take`, `require_nothing_open` and `number_of` do, or with `out_of_turn` if others come first
    (RD6-INIT-04).
    """
    combatant = require_combatant(state, command.combatant)
    turn_to_take(state, combatant)
    require_nothing_open(state)
    due = state.next_up
    if not is_next_to_act(state, ruleset, combatant.id):
        raise Refused(
            "out_of_turn/begins_early",
            combatant=combatant,
            due=next_to_act(state),
            rule="RD6-INIT-04",
            fields=("combatant",),
            hints=(CommandHint("skip-turn", {"combatant": due}), CommandHint("move-up", {"combatant": combatant.id}))
            if due
            else (),
        )
    return number_of(combatant, command, ruleset)


def is_next_to_act(state: Encounter, ruleset: Ruleset, name: str) -> bool:
    """Return True if that combatant may act next.

    Its turn comes next, or that of a combatant with whom it shares a place in the order and acts in any sequence
    (`rd6_group_initiative`), or the game master has given it the turn.
    """
    due = state.next_up or ""
    if name == state.turn_in_order or state.comes_next(name):
        return True
    entry = state.initiative.entry(due)
    shared = entry is not None and name in entry.combatants and due != state.initiative.first
    return shared and ruleset["rd6_group_initiative"] == "as_one_entry"


def judge_declare(judging: Decision, command: Declare, count: ActionCount) -> None:
    """Begin the turn with that many actions; the turn before ends."""
    judging.record(ActionsDeclared(command.combatant, count.actions, count.limit, count.penalty, count.allotment))


def _offer_declare(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        yield offer(Declare(combatant.id), Field("actions", low=1, high=limit_of(combatant, ruleset)))


SECTION = RuleModule(
    mechanics=(Mechanic(Declare, check=check_declare, judge=judge_declare, offers=_offer_declare),),
)
