"""Orders that belong to a turn: which those are, and when one implicitly begins the turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mam_events.commands import COMMANDS, actor_of, name_of
from mam_events.field_specs import field_specs
from mam_events.notation.context import LineContext, ResolvedOrder, TurnStart, next_combatant
from mam_events.notation.grammar.long_form import LongOrder, actor_field
from mam_events.notation.lexer.lexer import WordToken
from mam_events.notation.lexer.name_spans import sole_name

if TYPE_CHECKING:
    from mam_events.state import Encounter

_OWN_TURN = ("who acts", "who moves", "who begins")
_BOUNDING = ("begin-turn", "declare", "skip-turn", "delay-turn", "end-turn", "move-up")
"""Orders about turns themselves, which never implicitly begin one."""


def is_turn_order(do: str) -> bool:
    """Return True for an order that is understood as the turn holder's if nobody is named."""
    kind = COMMANDS[do]
    field = actor_field(kind)
    return bool(field) and ("turn" in field_specs(kind)[field].unsaid or field_specs(kind)[field].unsaid in _OWN_TURN)


def begins_turn(fight: LineContext, order: LongOrder | ResolvedOrder | TurnStart) -> bool:
    """Return True for an order that the next combatant may not give before their turn begins, between turns."""
    if isinstance(order, TurnStart):
        return False
    do, actor = (
        (name_of(order.command), actor_of(order.command)) if isinstance(order, LongOrder) else (order.do, order.actor)
    )
    state = fight.state
    if not is_turn_order(do) or do in _BOUNDING or state.exchange or state.window.open or not state.next_up:
        return False
    if actor not in ("", state.next_up) or not (
        next_combatant(state) == state.next_up or (actor and _is_turn_done(state))
    ):
        return False
    between = not state.turn if not fight.ruleset.edition.counts_actions else True
    return between and not fight.allowed(do, state.next_up)


def _is_turn_done(state: Encounter) -> bool:
    """Return True if the turn holder has no action left in the turn, whoever else has acted in it."""
    turn = state.turn
    return turn is None or not state.combatants[turn.combatant].actions.left


def is_action_count(fight: LineContext, words: Sequence[WordToken], who: str) -> bool:
    """Return True for that combatant's name and a number."""
    return len(words) > 1 and words[-1].word.isdecimal() and sole_name(fight, words[:-1]) == who
