"""Alternatives after a refused line, as they are typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from mam_events.errors import MamError, Refused
from mam_events.notation.grammar.names import either_or
from mam_events.notation.grammar.vocabulary import OWN_NUMBER
from mam_events.notation.hints.advice import DOES_NOTHING
from mam_events.notation.lines.initiative_line import yet_to_roll_in
from mam_events.refusals.arguments import CombatantArgument, Message
from mam_events.refusals.renderer import list_words
from mam_events.refusals.suggestions import closest_name

if TYPE_CHECKING:
    from mam_events.notation.context import LineContext

MOST_TYPED = 2
"""The most points in an order that is shown, if somebody has that many."""
NO_POINTS = ("below_required_amount", "below_required_amount/in_vain")


def with_typed(no: Refused, do: str, follow_up: str = "none", ready: int = MOST_TYPED) -> Refused:
    """Return the refusal with what to type instead, if an order lacks points, or is a round's last roll.

    `ready` is the number of ready points. Any other refusal stays as it is.
    """
    if no.message.key == "already_rolled/everybody":
        no.followed_by(" Type ro to begin the next round.")
    if no.message.key in NO_POINTS and not ready:
        no.followed_by(" No points are ready.")
    elif no.message.key in NO_POINTS:
        points = min(MOST_TYPED, ready)
        number = f"{points}" if do in OWN_NUMBER and "power" not in no.fields else f"p{points}"
        no.followed_by(f" As in: {do if follow_up == 'none' else follow_up} {number}.")
    return no


def alternative_for(fight: LineContext, no: MamError, line: str) -> str:
    """Return what could be done instead of a line, preceded by a blank, or "" if nothing is known."""
    if not isinstance(no, Refused):
        return ""
    find = _WAYS.get(no.code)
    return find(fight, no, line) if find else ""


def _who(no: Refused, name: str = "who") -> str:
    """Return the combatant that a refusal refers to, or ""."""
    message = no.message
    while isinstance(message, Message) and name not in message.references and "sentence" in message.references:
        inner = message.references["sentence"]
        if not isinstance(inner, Message):
            return ""
        message = inner
    reference = message.references.get(name)
    return reference.id if isinstance(reference, CombatantArgument) else ""


def _end_of_turn(fight: LineContext, no: Refused, line: str) -> str:
    """Return the words that end the turn in progress, if the one who acts too early is next.

    If nobody is next, return who may still roll for a place in the order.
    """
    state = fight.state
    late = list_words([fight.name_of(one) for one in yet_to_roll_in(fight)]) if state.round_open else ""
    if late and no.message.key == "out_of_turn/no_order_yet":
        return f" Type ri to roll for {late}."
    if late and no.message.key == "out_of_turn/round_next":
        return f" Type ri to roll for {late} in this one."
    who, due = _who(no), state.next_up
    if not who or not due or state.exchange or state.window.open:
        return ""
    if who != due:
        return _WAITING.get(no.message.key, "").format(due=due, name=fight.name_of(due))
    if not state.turn:
        return ""
    return f" To end it, type a full stop (.), or n {line}{'' if line.endswith('.') else '.'}"


_WAITING = {
    "out_of_turn/next": " Type n to begin {name}'s turn. If {name} does nothing, type {due}. (with the full stop).",
    "out_of_turn/other": " To go on to {name}'s turn, type n.",
}
"""How to go on for somebody who acts too early and isn't next."""


def _reactions(fight: LineContext, no: Refused, _: str) -> str:
    """Return the reactions that are left in an exchange for somebody who cannot do that."""
    who = _who(no)
    if not fight.state.exchange or not who:
        return ""
    attacked = fight.state.exchange.root.target == who
    ways = []
    for do, points in (("parry", ""), ("counterattack", " p1")) if attacked else (("parry", ""), ("interfere", " p1")):
        weapons = fight.choices(do, who, "weapon")
        ways += [f"{do} {weapon}{points}" for weapon in weapons if weapon][:1]
        ways += [f"{do} 1" for weapon in weapons if not weapon][:1]
    if fight.allowed("defend", who):
        ways.append("defend 1")
    return f" What {fight.name_of(who)} can do now: {either_or(ways)}." if ways else ""


def _nothing_done(fight: LineContext, _: Refused, line: str) -> str:
    """Return how to end a turn without doing anything, for a pass when nobody is attacked."""
    who = fight.state.next_up or ""
    return f" {DOES_NOTHING.format(who=who)}" if who and "pass" in line.lower() else ""


def _turn_of_the_gone(fight: LineContext, _: Refused, __: str) -> str:
    """Return how to go on if the turn still belongs to somebody who is gone."""
    turn = fight.state.turn
    return " Type n to begin the next turn." if turn and fight.state.combatants[turn.combatant].is_gone else ""


def _other_skill(fight: LineContext, no: Refused, line: str) -> str:
    """Return the line with a skill that the actor has, if they lack the suggested one."""
    who = None if no.message.key == "code_missing/no_skill" else fight.person(_who(no, "combatant"))
    codes = [name for name in who.faculties.codes if name not in _ATTRIBUTES] if who else []
    like = next((name for name in codes if closest_name(str(no.wrong), [name])), "")
    words = [word for word in line.lower().split() if word not in codes]
    best = like or next((name for name in codes if any(_is_alike(word, name) for word in words)), "")
    if not best and "shoot" not in line.lower():
        best = next((name for name in ("fighting", "brawling", "melee") if name in codes), "")
    return f" With another skill: {line.removesuffix('.')} {best}." if best and best not in line else ""


def _is_alike(word: str, code: str) -> bool:
    """Return True for a verb and a skill that begin alike: `shoots` and `shooting`."""
    return len(word) >= len("shot") and code.startswith(word.removesuffix("s")[:4])


_ATTRIBUTES = ("perception", "agility")
_WAYS: Mapping[str, Callable[[LineContext, Refused, str], str]] = {
    "incapacitated": _turn_of_the_gone,
    "no_such_exchange": _nothing_done,
    "out_of_turn": _end_of_turn,
    "weapon_not_in_hand": _reactions,
    "bow_drawn": _reactions,
    "code_missing": _other_skill,
}
