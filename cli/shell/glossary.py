"""The terms of the table, each with a sentence for each edition, and examples of the longer orders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from mam_events.notation.hints.advice import AMMUNITION, KEPT_WOUND

EditionName = Literal["pools", "speed", "actions"]
"""An edition by its turns: points are spent, turns have a speed, or actions are counted."""
EDITIONS: Mapping[EditionName, str] = {
    "pools": "Mano a Mano with pools",
    "speed": "Mano a Mano with speed",
    "actions": "Ron d6",
}
"""The names of the editions, for a session without a fight."""


def _mano(text: str, actions: str = "") -> dict[EditionName, str]:
    """Return the texts for both editions of Mano a Mano and for Ron d6 ("": the edition has no such thing)."""
    return {"pools": text, "speed": text, "actions": actions}


def _everywhere(text: str) -> dict[EditionName, str]:
    return _mano(text, text)


_SURPRISE = (
    "those who surprise the others begin. Type it with the initiative: init foes surprise the party, or init "
    "surprise=goblin-1,goblin-2."
)
_ACTION = "what somebody does in their turn"
THINGS: Mapping[str, Mapping[EditionName, str]] = {
    "weapon": _mano(
        "what somebody strikes or shoots with. It is given as they join, w=(Axe pow=3 at=1 reach=1): power adds to a "
        "hit, attack and defense add to the rolls. Without one the body strikes.",
        "what somebody strikes or shoots with. It is given by name as they join, w=(Knife); its damage is rolled: "
        "roll damage 4D.",
    ),
    "shield": _mano(
        "a weapon that parries. It is given as somebody joins, w=(Shield parry=1), and used by parry shield.",
        "a thing in hand like any weapon, w=(Shield); it is used by parry.",
    ),
    "armor": _mano(
        "what takes something off a hit. It is given as somebody joins: armor=(leather absorption=2 cover=4).",
        "what helps to resist damage. The game master adds it to the roll: roll resistance 3D.",
    ),
    "stun": {
        "pools": "a short injury. Points in stun cannot be used. One comes back as each turn of its owner begins.",
        "speed": "a short injury. Hit points in stun cannot be used. One comes back as each turn of its owner ends.",
        "actions": "",
    },
    "damage": {
        "pools": "a long injury. Points in damage do not come back in a fight. Somebody without other points is down.",
        "speed": "a long injury. Hit points in damage do not come back in a fight. Somebody without others is down.",
        "actions": "what a hit does. Nobody has points to lose: roll it (roll damage 4D), and the game master says "
        "what it does.",
    },
    "ammunition": _everywhere(AMMUNITION),
    "wound": {
        "pools": "what a hit takes: points that become stun or damage. The game master takes them with damage mara 2 "
        "and gives them back with heal mara 2.",
        "speed": "what a hit takes: hit points that become stun or damage. The game master takes them with damage mara "
        "2 and gives them back with heal mara 2.",
        "actions": "what a hit does by the game master's word, once its damage and the resistance are rolled. "
        f"{KEPT_WOUND.format(who='thug')}",
    },
    "pool": {
        "pools": "one of the five places where somebody's hit points are: ready, defense, other used, stun, damage.",
        "speed": "",
        "actions": "",
    },
    "action": {
        "pools": f"{_ACTION}, for at least one ready point: attack, move, act and more (type options).",
        "speed": f"{_ACTION}: one of them, or a combo of several that are quick.",
        "actions": f"{_ACTION}. They say how many (rook 2). Each after the first takes a die off every roll of the "
        "round.",
    },
    "round": _mano(
        "once around the table: everybody who can act has one turn.",
        "five seconds, in which everybody has the actions that they declared. ro begins it.",
    ),
    "turn": _mano(
        "the time in which one combatant acts. n ends it and begins the next one.",
        "the time in which one combatant does the actions that they declared, one by one.",
    ),
    "exchange": _mano("an attack or another act with all that reacts to it, until its dice are resolved."),
    "code": _mano(
        "",
        "the dice and pips of a skill or an attribute, like 3D+1. It is given as somebody joins: perception=3D "
        "brawling=4D+1.",
    ),
    "sheet": _everywhere(
        "a character in a file of the folder roster. join modre takes Modre from it. roster --add modre saves one."
    ),
    "roster": _everywhere(
        "the folder of sheets, whose characters join by name: join modre, join goblin count=3. roster lists them, "
        "and new cellar --from party.toml brings in everybody in a file."
    ),
    "house rule": _everywhere("an option of the rules that this table reads differently from its edition."),
    "option": _everywhere(
        "a question that the rules leave open, with answers to choose from. Type rules show to list all."
    ),
    "preset": _everywhere(
        "an edition of the rules with an answer to each open question. Type rules list to list them."
    ),
    "ruling": _everywhere("one line of the log: an order and its result. Its number is used to amend or undo it."),
    "replay": _everywhere(
        "the fight as a film. Type replay to see it ruling by ruling, or replay --html fight.html to write a page."
    ),
    "seal": _everywhere("64 letters and digits that prove the log up to a ruling. Type seal to print the newest one."),
    "seed": _everywhere("the secret number from which the program draws dice. It is shown when the fight is closed."),
    "surprise": {
        "pools": _SURPRISE,
        "speed": f"{_SURPRISE} By the rules it comes from stalk and establish-surprise.",
        "actions": "",
    },
    "hidden": _everywhere(
        "somebody or something that only the game master sees, or one side. A combatant is hidden as they join: join "
        "Assassin foes hp=6 seen=gm. reveal assassin shows them to everybody, with what they did."
    ),
    "side": _everywhere("those who fight together. It is given when somebody joins: join Mira heroes."),
}
"""A sentence about each thing for each edition ("": it has none)."""

AS_IN: Mapping[str, Mapping[EditionName, tuple[str, ...]]] = {
    "join": {
        "pools": (
            "join Mira heroes pc hp=6 w=(Rapier pow=2 at=1 reach=1) w=(Shield parry=1)",
            "join 3 Bandits foes hp=4",
        ),
        "speed": ("join Mira heroes pc hp=6 speed=1/2 w=(Rapier pow=2 at=1)", "join 3 Bandits foes hp=4"),
        "actions": ("join Mira heroes pc perception=3D brawling=4D+1 w=(Knife)", "join 3 Thugs foes brawling=2D"),
    },
    "change-rules": {
        "pools": ("change-rules half_success=never because we agreed",),
        "speed": ("change-rules half_success=never because we agreed",),
        "actions": ("change-rules rd6_zero_dice=pips_only because we agreed",),
    },
}
"""Examples of orders whose fields alone do not show how they are typed."""


_OTHER_WORDS = {
    "armour": "armor",
    "ambush": "surprise",
    "wounded": "wound",
    "injury": "wound",
    "ammo": "ammunition",
    **dict.fromkeys(("hide", "seen", "secret"), "hidden"),
}
"""Other words for terms of the table."""


def find_entry(word: str) -> str:
    """Return the term that a word stands for, also in its plural; "" if there is none."""
    low = " ".join(word.lower().replace("-", " ").replace("_", " ").split())
    low = _OTHER_WORDS.get(low, low)
    return next((one for one in (low, low.removesuffix("s")) if one in THINGS), "")


def is_missing_in(name: str, edition: EditionName | None) -> bool:
    """Return True if the edition has no such thing."""
    return edition is not None and not THINGS[name][edition]


def entry_text(name: str, edition: EditionName | None) -> list[str]:
    """Return the text of a term for that edition, or for each of them if none is given."""
    descriptions = THINGS[name]
    if edition:
        description = descriptions[edition]
        return [f"{_capital(name)}: {description}" if description else f"{_capital(name)}: this edition has none."]
    if len(set(descriptions.values())) == 1:
        return [f"{_capital(name)}: {descriptions['pools']}"]
    if descriptions["pools"] == descriptions["speed"]:
        descriptions = {"pools": descriptions["pools"], "actions": descriptions["actions"]}
        called = {**EDITIONS, "pools": "Mano a Mano"}
    else:
        called = dict(EDITIONS)
    return [
        f"{_capital(name)} in {called[one]}: {description}" for one, description in descriptions.items() if description
    ]


def _capital(name: str) -> str:
    return f"{name[:1].upper()}{name[1:]}"
