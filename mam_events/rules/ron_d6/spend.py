"""Character Points, which buy wild dice, and Fate Points, which double the limit of actions.

RD6-INIT-06, RD6-LIM-02.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import PointKind, Spend, SpentOn
from mam_events.decider.checks import require_combatant, require_open
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.errors import Refused
from mam_events.events import CodeRoll, PointSpent
from mam_events.refusals.arguments import RulingArgument, Term, Word
from mam_events.rules.initiative.by_roll import (
    check_first_thrown,
    has_rolled,
    rolls_each_round,
    round_begun,
    settle_initiative,
)
from mam_events.rules.initiative.go_first import require_no_turn_begun
from mam_events.rules.rolls.dice_codes import buy_dice
from mam_events.rules.ron_d6.multiple_actions import doubles_limit, limit_of
from mam_events.rules.ron_d6.related_skills import related_modifier, require_related_roll, skill_reference
from mam_events.rules.ron_d6.right_to_act import last_open, require_conscious, require_turn_kept
from mam_events.state import Combatant, Encounter, RolledEntry

_KEPT_IN = {"character": "rd6_character_points", "fate": "fate_points"}
"""The field that holds a combatant's points of each kind."""


class Use(Struct, frozen=True):
    """A use of a point: the kind of point, the rule, the fields that do not apply, and a check."""

    point: PointKind
    rule: str
    idle: tuple[str, ...]
    check: Callable[[Encounter, Ruleset, Combatant, Spend], None]


def check_spend(state: Encounter, ruleset: Ruleset, command: Spend) -> None:
    """Raise Refused unless the point can be spent in that way.

    Raises `fate_points_not_allowed`, `character_points_not_allowed`, `order_idle`, `no_points_left`, or for what it is
    spent on.
    """
    require_open(state)
    combatant = require_combatant(state, command.combatant)
    use, point, on = USES[command.on], Word(command.point), Word(command.on)
    if use.point != command.point:
        character = command.point == "character"
        raise Refused(
            "character_points_not_allowed" if character else "fate_points_not_allowed",
            on=on,
            rule=use.rule,
            fields=("point", "on"),
        )
    for field in use.idle:
        if getattr(command, field):
            raise Refused("order_idle/point", point=point, on=on, field=Term(field), rule=use.rule, fields=(field,))
    if not getattr(combatant, _KEPT_IN[command.point]):
        raise Refused("no_points_left", combatant=combatant, point=point, rule=use.rule, fields=("point",))
    use.check(state, ruleset, combatant, command)


def _on_initiative(state: Encounter, ruleset: Ruleset, combatant: Combatant, command: Spend) -> None:
    """Raise Refused with `not_rolled`, `turns_begun` or `once_per_round` (`rd6_initiative_cp_limit`)."""
    if not rolls_each_round(ruleset) or not has_rolled(state, ruleset, combatant.id):
        raise Refused("not_rolled", combatant=combatant, rule="RD6-INIT-06", fields=("on",))
    if (state.turn or state.had_turn) and not any(action.combatant == combatant.id for action in state.window.open):
        raise Refused("turns_begun/no_action", combatant=combatant, rule="RD6-INIT-04", fields=("on",))
    require_no_turn_begun(state, "on")
    if command.again and not command.dice:
        check_first_thrown([combatant])
    entry = state.initiative.entry(combatant.id)
    members = [state.combatants[name] for name in entry.combatants] if entry else []
    if not any(who.id in state.due for who in members):
        require_turn_kept(combatant)
        require_conscious(combatant)
    has_points = any(who.actions.points for who in members)
    if has_points and ruleset["rd6_initiative_cp_limit"] == "one_per_round":
        raise Refused("once_per_round", combatant=combatant, rule="RD6-INIT-06", fields=("on",))


def _on_action(state: Encounter, ruleset: Ruleset, combatant: Combatant, command: Spend) -> None:
    """Raise Refused unless it is the combatant's own action, last in the window and not interrupted (RD6-ACT-04)."""
    action = last_open(state, command.exchange)
    if action.combatant != combatant.id:
        raise Refused(
            "bad_target/anothers_roll",
            action=RulingArgument(action.id),
            other=state.combatants[action.combatant],
            rule="RD6-ACT-04",
            fields=("exchange",),
        )
    require_conscious(combatant)
    if action.total is None:
        raise Refused("not_rolled/action", action=RulingArgument(action.id), rule="RD6-ACT-04", fields=("exchange",))
    if state.window.floor != combatant.id:
        raise Refused("too_late", action=RulingArgument(action.id), rule="RD6-ACT-04", fields=("exchange",))


def _on_related(state: Encounter, ruleset: Ruleset, combatant: Combatant, command: Spend) -> None:
    """Raise Refused unless a point can still raise a related skill of the combatant.

    Raises `no_related_skill` unless the skill waits for its primary one, and `too_late` if somebody else has acted
    since.
    """
    related = require_related_roll(combatant, command.exchange)
    require_conscious(combatant)
    if state.window.open or state.window.floor != combatant.id:
        raise Refused(
            "too_late/related",
            combatant=combatant,
            skill=skill_reference(combatant, related.skill),
            rule="RD6-REL-01",
            fields=("exchange",),
        )


def _on_limit(state: Encounter, ruleset: Ruleset, combatant: Combatant, command: Spend) -> None:
    """Raise Refused unless a point can double the combatant's limit of actions.

    Raises `not_in_edition` if actions are not counted, `turn_had` if the number of actions is fixed, `once_per_round`
    for a second point, and `of_no_use` if doubling gives no more actions. Also raises as `require_conscious` and
    `require_turn_kept` do.
    """
    if not ruleset.edition.counts_actions:
        raise Refused(
            "not_in_edition/limit", preset=Term(ruleset.pinned.preset), rule="RD6-LIM-02", fields=("point", "on")
        )
    round_begun(state)
    if combatant.actions.declared or combatant.id in state.had_turn:
        raise Refused("turn_had", combatant=combatant, rule="RD6-LIM-02", fields=("on",))
    if combatant.actions.fate:
        raise Refused("once_per_round/fate", combatant=combatant, rule="RD6-LIM-02", fields=("on",))
    require_conscious(combatant)
    require_turn_kept(combatant)
    if not doubles_limit(combatant, ruleset):
        raise Refused(
            "of_no_use",
            combatant=combatant,
            limit=limit_of(combatant, ruleset),
            rule="RD6-LIM-02",
            fields=("point", "on"),
        )


USES: dict[SpentOn, Use] = {
    "initiative": Use("character", "RD6-INIT-06", ("exchange",), _on_initiative),
    "action": Use("character", "RD6-ACT-04", ("again",), _on_action),
    "related": Use("character", "RD6-REL-01", ("again",), _on_related),
    "limit": Use("fate", "RD6-LIM-02", ("exchange", "dice", "again"), _on_limit),
}
"""Everything that points can be spent on."""


def judge_spend(judging: Decision, command: Spend, _: None) -> None:
    """Spend the point: it gives one more wild die, or more actions."""
    combatant = judging.state.combatants[command.combatant]
    remaining = getattr(combatant, _KEPT_IN[command.point]) - 1
    bought = None if command.on == "limit" else buy_dice(judging, "point", combatant.id, command.dice)
    before = _total(judging.state, command)
    total = before + bought.total if bought else 0
    modifier = 0
    if command.on == "related":
        modifier = related_modifier(
            total, require_related_roll(combatant, command.exchange).difficulty, judging.ruleset
        )
    judging.record(
        PointSpent(combatant.id, bought, command.point, command.on, remaining, command.exchange, total, modifier)
    )
    if command.on == "initiative" and bought:
        _raise_initiative(judging, command, bought)


def _total(state: Encounter, command: Spend) -> int:
    if command.on == "related":
        return require_related_roll(state.combatants[command.combatant], command.exchange).total
    entry, action = state.initiative.entry(command.combatant), state.window.action(command.exchange)
    if command.on == "initiative" and entry:
        return entry.total
    return (action.total or 0) if action else 0


def _raise_initiative(judging: Decision, command: Spend, bought: CodeRoll) -> None:
    initiative = judging.state.initiative
    entries = tuple(
        RolledEntry(entry.combatants, entry.roller, entry.total + bought.total)
        if command.combatant in entry.combatants
        else entry
        for entry in initiative.entries
    )
    settle_initiative(judging, replace(initiative, entries=entries), command.again)


def _offer_spend(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    for combatant in state.combatants.values():
        own: dict[str, tuple[int, ...]] = {
            "action": tuple(action.id for action in state.window.open if action.combatant == combatant.id)[-1:],
            "related": tuple(related.id for related in reversed(combatant.actions.related)),
        }
        for on, use in USES.items():
            exchanges = own.get(on, (0,))
            if not getattr(combatant, _KEPT_IN[use.point]) or not exchanges:
                continue
            least = Spend(combatant.id, use.point, on, exchanges[0])
            dice = free(*(name for name in ("dice", "again") if name not in use.idle))
            yield offer(least, Field("exchange", choices=exchanges), *dice, pinned=("point", "on"))


SECTION = RuleModule(
    mechanics=(Mechanic(Spend, check=check_spend, judge=judge_spend, offers=_offer_spend),),
)
