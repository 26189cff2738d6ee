"""Faces without a key, assigned to the rolls of an exchange that are still to be thrown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mam_events.commands import Resolve
from mam_events.dice import DieKey
from mam_events.errors import BadInput
from mam_events.notation.context import LineContext
from mam_events.notation.grammar.dice import ARMOR, ROLES, is_face, read_dice
from mam_events.notation.grammar.vocabulary import GROUP_ROLL_FIELDS
from mam_events.notation.lexer.lexer import WordToken
from mam_events.refusals.renderer import list_words


def open_rolls(fight: LineContext) -> list[str]:
    """Return the dice of an exchange that are still to be thrown, in the order in which faces are assigned."""
    keys: list[str] = []
    for template in fight.allowed("resolve"):
        names = {field.name: field for field in template.fields}
        keys += [role for role in ROLES if f"{role}_die" in names]
        for name, mark in (("interference_die", "#"), ("armor_die", ARMOR)):
            keys += [f"{mark}{key}" for key in names[name].keys or ()] if name in names else []
        keys += ["into"] if "into_die" in names else []
    return keys


_DEALT = (*ROLES, "interference", "armor", "into")


def faces_in_order(die: DieKey) -> tuple[int, int]:
    """Return the sort key of a die among those of its exchange, in the order in which faces are assigned."""
    role, _, number = die.role.partition("-")
    return _DEALT.index(role) if role in _DEALT else len(_DEALT), int(number) if number.isdecimal() else 0


def throwers_of_exchange(fight: LineContext) -> dict[str, str]:
    """Return the thrower of each die of an exchange that is still to be thrown, by the die's key."""
    exchange = fight.state.exchange
    if exchange is None:
        return {}
    throwers = {"attack": exchange.root.combatant, "defense": exchange.root.target}
    throwers |= {f"#{action.id}": action.combatant for action in exchange.actions}
    return {key: throwers.get(key, key.removeprefix(ARMOR)) for key in open_rolls(fight)}


def by_name(fight: LineContext, faces_by_name: Mapping[str, list[str]], bare: Sequence[str]) -> list[str]:
    """Return the faces after the throwers' names in the order in which they are assigned.

    The `bare` ones go to the other throwers. Raises BadInput for a face too many.
    """
    remaining = {who: list(faces) for who, faces in faces_by_name.items()}
    others = list(bare)
    assigned = [
        remaining[who].pop(0) if remaining.get(who) else others.pop(0) if others and who not in faces_by_name else "-"
        for who in throwers_of_exchange(fight).values()
    ]
    if others:
        raise BadInput(f"{others[0]} is one die too many. Leave it out.", place="dice", wrong=others[0])
    for who, faces in remaining.items():
        if faces:
            raise BadInput(
                f"{fight.name_of(who)}'s {faces[0]} is one die too many. Leave it out.", place="dice", wrong=faces[0]
            )
    return assigned


def assign_faces(fight: LineContext, faces: Sequence[str]) -> dict[str, Any]:
    """Return the faces, given in order, by the fields of the rolls of an exchange that are still to be thrown."""
    keys = open_rolls(fight)
    assigned = dict(zip(keys, faces, strict=False))
    if len(faces) > len(keys):
        assignment = list_words([f"{face} is {_die(fight, key)}" for key, face in assigned.items()])
        extra = faces[len(keys)]
        if not assignment:
            raise BadInput(f"No attack is waiting for dice, so {extra} can't be used.", place="dice", wrong=extra)
        raise BadInput(f"{assignment}, so {extra} is one die too many. Leave it out.", place="dice", wrong=extra)
    bare = [assigned.pop(key, "-") for key in ROLES]
    return read_dice(Resolve, " ".join([*bare, *(f"{key}={face}" for key, face in assigned.items())]))


VERSUS = ("vs", "versus", "against")
"""Words between the dice of an exchange: `4 vs 5`."""


def without_versus(fight: LineContext, do: str, words: Sequence[WordToken]) -> Sequence[WordToken]:
    """Return the words without `vs` between two faces, the attacker's first.

    Raises BadInput if other dice than those two are to be thrown.
    """
    for at, token in enumerate(words[1:-1] if do not in GROUP_ROLL_FIELDS else (), 1):
        before, after = words[at - 1].word, words[at + 1].word
        if token.word.lower().removesuffix(".") not in VERSUS or not (is_face(before) and is_face(after)):
            continue
        if do == "resolve" and (keys := open_rolls(fight)) and tuple(keys) != ROLES:
            dice = ", ".join(_die(fight, key).removeprefix("the ") for key in keys)
            raise BadInput(
                f"It is unclear whose dice {before} and {after} are. Type the faces in this order: {dice}.",
                place="dice",
            )
        return (*words[:at], *words[at + 1 :])
    return words


def with_difficulty(words: Sequence[WordToken]) -> Sequence[WordToken]:
    """Return the words with `vs 10` as the difficulty, unless it stands between two faces."""
    for at, token in enumerate(words[:-1]):
        versus = token.word.lower().removesuffix(".") in VERSUS
        if versus and words[at + 1].word.isdecimal() and not (at and is_face(words[at - 1].word)):
            return (*words[:at], WordToken("difficulty", words[at + 1].word, words[at + 1].comma), *words[at + 2 :])
    return words


def _die(fight: LineContext, key: str) -> str:
    if key.startswith(ARMOR):
        return f"{fight.name_of(key.removeprefix(ARMOR))}'s armor"
    return f"the interference {key}" if key.startswith("#") else f"the {key}"
