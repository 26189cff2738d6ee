"""How every order is typed: which fields stand bare after the command's name, and which have an option."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from mam_events.commands import Command


class Spelling(NamedTuple):
    """The fields typed bare, in order, and the options of the others; what is in neither goes without saying."""

    bare: tuple[str, ...]
    options: Mapping[str, str]


def _spelled(*bare: str, **options: str) -> Spelling:
    return Spelling(bare, {field: f"--{option}" for field, option in options.items()})


PEOPLE = ("combatant", "attacker", "target", "opponent", "driver", "vehicle", "mount")
"""The fields of orders that say who does it and to whom."""

_STRIKE = {"weapon": "weapon", "power": "power", "modifier": "modifier"}
_DEED = {
    "action": "action",
    "target": "target",
    "skill": "skill",
    "code": "code",
    "difficulty": "difficulty",
    "equipment": "equipment",
    "part": "part",
    "mental": "mental",
    "metres": "metres",
    "related": "related",
    "dice": "dice",
}
"""What is done with an action of a round of Ron d6, but for whom it is of."""
_ONE_DIE = {"kind": "kind", "die": "die", "confirmation_die": "confirmation-die"}

SPELLINGS: dict[str, Spelling] = {
    "join": _spelled(
        "combatant",
        name="name",
        side="side",
        hp="hp",
        seat="seat",
        stride="stride",
        speed="speed",
        movement="movement",
        size="size",
        power="power",
        toughness="toughness",
        hand_reach="hand-reach",
        length="length",
        ability="ability",
        training="training",
        code="code",
        search_ranks="search-ranks",
        quickness_ranks="quickness-ranks",
        allotment="allotment",
        go_first="go-first",
        special="special",
        group="group",
        character_points="character-points",
        fate_points="fate-points",
        weapon="weapon",
        item="item",
        armor="armor",
    ),
    "initiative": _spelled(circumstance="circumstance", first="first", reason="reason"),
    "begin-turn": _spelled("combatant"),
    "ready": _spelled("combatant", defense="defense", other_used="other-used"),
    "attack": _spelled(
        "attacker",
        "target",
        **_STRIKE,
        mode="mode",
        double_power="double-power",
        thrown="thrown",
        distance="distance",
        light="light",
        darkness="darkness",
        blind="blind",
        from_above="from-above",
        circumstance="circumstance",
        evade="evade",
        situation="situation",
    ),
    "draw-bow": _spelled("combatant", "weapon", points="points"),
    "lower-bow": _spelled("combatant", points="points"),
    "load": _spelled("combatant", "weapon", points="points"),
    "unload": _spelled("combatant", "weapon", points="points"),
    "begin-heave": _spelled("combatant", "thing", points="points"),
    "act": _spelled(
        "combatant",
        "what",
        points="points",
        bonus="bonus",
        situation="situation",
    ),
    "defend": _spelled(
        "combatant",
        "points",
        situation="situation",
    ),
    "parry": _spelled(
        "combatant",
        weapon="weapon",
        situation="situation",
    ),
    "counterattack": _spelled(
        "combatant",
        **_STRIKE,
        target="target",
        distance="distance",
        situation="situation",
    ),
    "interfere": _spelled(
        "combatant",
        "action",
        points="points",
        bonus="bonus",
        **_STRIKE,
        distance="distance",
        situation="situation",
    ),
    "resolve": _spelled(
        "attack_die",
        "defense_die",
        into_die="into-die",
        interference_die="interference-die",
        armor_die="armor-die",
        confirmation_die="confirmation-die",
        situation="situation",
    ),
    "move": _spelled("combatant", "points", metres="metres", straight="straight", terrain="terrain", counts="counts"),
    "ready-weapon": _spelled("combatant", "weapon", points="points"),
    "drop-item": _spelled("combatant", "item"),
    "pick-up-item": _spelled("combatant", "item", points="points", owner="owner"),
    "tackle": _spelled(
        "combatant",
        "action",
        points="points",
        **_STRIKE,
        follow_up="follow-up",
        item="item",
        situation="situation",
    ),
    "manipulate": _spelled(
        "attacker",
        "target",
        weapon="weapon",
        points="points",
        power="power",
        modifier="modifier",
        follow_up="follow-up",
        item="item",
        surface="surface",
        surface_power="surface-power",
        surface_sharpness="surface-sharpness",
        surface_class="surface-class",
        into="into",
        move="move",
        metres="metres",
        thrown="thrown",
        distance="distance",
        light="light",
        darkness="darkness",
        circumstance="circumstance",
        situation="situation",
    ),
    "maintain-grapple": _spelled("combatant", "grapple"),
    "escape": _spelled(
        "combatant",
        "grapple",
        holder="holder",
        points="points",
        modifier="modifier",
        situation="situation",
    ),
    "release": _spelled("combatant", "grapple"),
    "evade": _spelled("combatant"),
    "drop": _spelled("combatant", points="points"),
    "stand": _spelled("combatant", points="points"),
    "instant-stand": _spelled(
        "combatant",
        points="points",
        **_ONE_DIE,
        opposing_die="opposing-die",
        opposing_confirmation_die="opposing-confirmation-die",
        situation="situation",
    ),
    "rest": _spelled("combatant", points="points"),
    "aim": _spelled("combatant", "weapon", points="points", stop="stop"),
    "take-position": _spelled("combatant", "position", "partner"),
    "mount": _spelled("combatant", "mount", points="points"),
    "dismount": _spelled("combatant", points="points"),
    "stay-mounted": _spelled(
        "combatant",
        circumstance="circumstance",
        **_ONE_DIE,
        situation="situation",
    ),
    "restrain-mount": _spelled(
        "combatant",
        circumstance="circumstance",
        **_ONE_DIE,
        situation="situation",
    ),
    "ram": _spelled(
        "driver",
        "vehicle",
        "target",
        collision="collision",
        part="part",
        modifier="modifier",
        situation="situation",
    ),
    "check": _spelled(
        "combatant",
        "difficulty",
        against="against",
        what="what",
        modifier="modifier",
        difficulty_modifier="difficulty-modifier",
        circumstance="circumstance",
        attempt="attempt",
        **_ONE_DIE,
        situation="situation",
    ),
    "contest": _spelled(
        "combatant",
        "opponent",
        what="what",
        modifier="modifier",
        opponent_modifier="opponent-modifier",
        tie="tie",
        **_ONE_DIE,
        opponent_die="opponent-die",
        opponent_confirmation_die="opponent-confirmation-die",
        situation="situation",
    ),
    "heal": _spelled(
        "combatant",
        "rest_days",
        regeneration="regeneration",
        quality="quality",
        opposition="opposition",
        healer="healer",
        **_ONE_DIE,
        opposing_die="opposing-die",
        opposing_confirmation_die="opposing-confirmation-die",
        situation="situation",
    ),
    "round": _spelled(reason="reason"),
    "roll-initiative": _spelled(
        "combatants",
        dice="dice",
        again="again",
        special="special",
        reason="reason",
        situation="situation",
    ),
    "declare": _spelled("combatant", actions="actions"),
    "perform": _spelled(
        "combatant",
        "what",
        **_DEED,
        situation="situation",
    ),
    "interrupt": _spelled(
        "combatant",
        "against",
        what="what",
        **_DEED,
        situation="situation",
    ),
    "wait": _spelled("combatant"),
    "move-up": _spelled("combatant", because="because", actions="actions", against="against", reason="reason"),
    "result": _spelled("outcome", text="text", exchange="exchange"),
    "spend": _spelled("combatant", "point", on="on", exchange="exchange", dice="dice", again="again"),
    "roll-related": _spelled(
        "combatant",
        "skill",
        "difficulty",
        primary="primary",
        code="code",
        merged="merged",
        dice="dice",
        situation="situation",
    ),
    "roll": _spelled(
        "combatant",
        "what",
        skill="skill",
        code="code",
        difficulty="difficulty",
        dice="dice",
        situation="situation",
    ),
    "incapacitate": _spelled("combatant", cause="cause", through="through"),
    "recover": _spelled("combatant", reason="reason"),
    "end-turn": _spelled("combatant", reason="reason"),
    "stalk": _spelled(
        "combatant",
        "target",
        die="die",
        confirmation_die="confirmation-die",
        circumstance="circumstance",
        situation="situation",
    ),
    "establish-surprise": _spelled(),
    "take-posture": _spelled("combatant", "posture"),
    "skip-turn": _spelled("combatant", reason="reason"),
    "delay-turn": _spelled("combatant", "after"),
    "declare-combo": _spelled("combatant", "actions", target="target", modifier="modifier"),
    "prepare-counterattack": _spelled("combatant"),
    "change-action": _spelled("combatant"),
    "change-rules": _spelled(house_rules="set", reason="reason"),
    "adjust": _spelled(reason="reason", turn="turn"),
    "close": _spelled(reason="reason"),
}


TYPED_AS = {"change-rules": "rules change", "perform": "act", "roll-initiative": "initiative roll"}
"""What is typed for an order whose name no command of its own has."""


def written(do: str, values: Mapping[str, Any]) -> str:
    """An order as it would be typed, without `mam`: `attack modre clone --weapon ice-blade --power 4`.

    A value of None stands for one that is left out; text is quoted for a shell.
    """
    spelling = SPELLINGS.get(do)
    if spelling is None:
        return do
    parts = [TYPED_AS.get(do, do)]
    for field in spelling.bare:
        value = values.get(field)
        if isinstance(value, list | tuple):
            parts += map(_quoted, value)
        elif value is not None:
            parts.append(_quoted(value))
    for field, option in spelling.options.items():
        parts += _said(field, option, values.get(field))
    return " ".join(parts)


def _said(field: str, option: str, value: Any) -> list[str]:
    """One field as it is typed: an option once for each of its values, faces of dice joined by commas."""
    if value is None or value is False:
        return []
    if value is True:
        return [option]
    if isinstance(value, Mapping):
        return [part for key, inner in value.items() for part in (option, _quoted(f"{key}={_joined(inner)}"))]
    if field == "dice":
        return [option, _joined(value)] if value else []
    if isinstance(value, list | tuple):
        return [part for inner in value for part in (option, _quoted(inner))]
    return [option, _quoted(value)]


def _joined(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def typed(command: Command) -> str:
    """A command that was given, as one would type it: what it has by default is left out."""
    import msgspec

    from mam_events.commands import name_of

    return written(name_of(command), msgspec.to_builtins(command))


def _quoted(value: Any) -> str:
    if isinstance(value, Mapping):
        value = ",".join(f"{key}={_word(inner)}" for key, inner in value.items())
    return shlex.quote(str(value))


def _word(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
