"""The small tables of the notation: by which letters and other words people say things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

PARTS: Mapping[str, tuple[str, ...]] = {
    "Weapon": ("id", "name"),
    "Item": ("id", "name"),
    "ArmorPiece": ("id", "name"),
    "PoolMove": ("combatant", "source", "target", "points"),
    "Hold": ("combatant", "grapple", "points"),
    "Placement": ("combatant", "position", "partner"),
    "DeclaredOutcome": ("outcome",),
}
"""The fields that stand bare in parts in parentheses, by the name of their type; those of version 1 never change."""

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "a": ("attack",),
    "shoot": ("attack",),
    "strike": ("attack",),
    "hit": ("attack",),
    "b": ("begin-turn",),
    "c": ("counterattack",),
    "counter": ("counterattack",),
    "d": ("defend",),
    "e": ("end-turn",),
    "i": ("interfere",),
    "m": ("move",),
    "r": ("resolve", "result"),
    "w": ("wait",),
    "combo": ("declare-combo",),
    "ri": ("roll-initiative",),
    "ro": ("round",),
    "skip": ("skip-turn",),
    "stay": ("stay-mounted",),
    "surprise": ("establish-surprise",),
    "bind": ("incapacitate",),
    "up": ("recover",),
}
"""Letters and other words for an order; of several the one that the edition has."""


OTHER_WORDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("bite", "claw", "hack", "sling", "lunge", "jab", "pierce", "poke"), ("attack",)),
    **dict.fromkeys(("stab", "thrust", "slash", "cut", "chop", "cleave", "swing"), ("attack", "slash")),
    **dict.fromkeys(("smash", "club", "batter", "whack", "bludgeon"), ("attack", "bash")),
    **dict.fromkeys(("fire", "loose"), ("attack", "shoot")),
    **dict.fromkeys(("dodge", "duck"), ("defend", "dodge")),
    **dict.fromkeys(("grab", "seize", "grapple"), ("hold", "grab")),
    **dict.fromkeys(("wield", "unsheathe"), ("ready-weapon", "ready")),
    **dict.fromkeys(("block", "deflect"), ("parry",)),
    "riposte": ("counterattack",),
    "reload": ("load",),
    **dict.fromkeys(("go", "walk", "step", "advance", "approach", "retreat", "withdraw", "dash"), ("move",)),
    **dict.fromkeys(("squeeze", "strangle", "throttle"), ("choke",)),
    **dict.fromkeys(("shove", "push", "trip"), ("manipulate", "tackle")),
    **dict.fromkeys(("nock", "string"), ("draw-bow",)),
    "rise": ("stand",),
    "slip": ("escape",),
}
"""Words of the table for an order, or a verb of one, which the edition calls otherwise: the first that it has."""

BARE_HANDED = ("kick", "punch", "headbutt")
"""Words of the table for an attack with the body, where they are no actions of their own."""
SAYING_NOTHING: Mapping[str, tuple[str, ...]] = {
    "attack": ("arrow", "arrows", "bolt", "bolts", "bullet", "stone", "shot"),
    "move": (
        *("back", "backwards", "forward", "forwards", "away", "aside", "closer", "over", "up", "down", "towards"),
        *("to", "in", "from", "off"),
    ),
    **dict.fromkeys(
        ("parry", "interfere"),
        ("for", "attack", "blow", "the", "way", "between", "it", "them", "two", "front", "of", "into"),
    ),
    "ready-weapon": ("in", "into", "hand", "hands"),
    "draw-bow": ("string", "bowstring", "back", "arrow"),
    "manipulate": ("down", "ground", "to", "the", "and", "holds", "tight", "fast"),
    "maintain-grapple": ("hold", "holding", "grip", "grapple"),
    "stand": ("up",),
    "ready": ("from", "of", "point", "points"),
    "declare-combo": ("actions", "action", "on", "against", "of", "and"),
    **dict.fromkeys(("perform", "interrupt"), ("by",)),
    "move-up": ("to", "for"),
}
"""Words that say nothing behind an order where they mean nothing else: `shoots an arrow`, `readies 2 from defense`."""
ADVERBS = (
    *("again", "now", "quickly", "slowly", "carefully", "hard", "also", "once", "too", "still", "instead"),
    *("first", "anyway", "immediately", "suddenly", "straight"),
    *("himself", "herself", "itself", "themselves", "myself"),
)
"""Words that say nothing behind any order, where they mean nothing else."""
SUBJECTS = ("he", "she", "they", "it", "i", "we")
"""Words for whoever does something, where that goes without saying."""
OBJECTS = ("him", "her", "it", "them")
"""Words for whoever an order is about, where that goes without saying."""
PRONOUNS = frozenset((*SUBJECTS, *OBJECTS, "his", "its", "their", "me", "us", "you"))
"""Words that begin the name of somebody, or of a side, by chance alone."""
UNTARGETED_ORDERS = ("aim", "move")
"""Orders in which whoever is named says nothing: aiming is a posture (MAM-POS-01), and the field has no map."""
_BLOWS = ("strike", "hit", "fight", "stab", "slash", "hack", "cut", "swing", "thrust", "bite", "claw", "shoot", "fire")
_AWAY = ("aside", "away")
PHRASES: Mapping[tuple[str, str], str] = {
    **{(one, free): "escape" for one in ("break", "get", "wriggle", "struggle") for free in ("free", "loose")},
    **dict.fromkeys(((one, "back") for one in _BLOWS), "counterattack"),
    ("counter", "attack"): "counterattack",
    ("give", "up"): "surrender",
    ("let", "go"): "release",
    **dict.fromkeys((("let", "down"), ("lower", "down")), "lower-bow"),
    **dict.fromkeys((("put", "down"), ("set", "down"), ("throw", "down")), "drop-item"),
    ("shake", "off"): "escape",
    **dict.fromkeys((("keep", "holding"), ("keep", "hold"), ("hold", "on")), "maintain-grapple"),
    **dict.fromkeys((("get", "up"), ("rise", "up")), "stand"),
    **dict.fromkeys((("drop", "prone"), ("go", "prone"), ("lie", "down"), ("drop", "down")), "drop"),
    **{(one, way): "interfere" for one in ("step", "jump", "get", "leap") for way in ("in", "between")},
    **{(one, way): "parry" for one in ("knock", "bat", "turn", "beat", "brush", "strike") for way in _AWAY},
    **dict.fromkeys(((one, "aside") for one in ("leap", "jump", "dive", "twist", "roll")), "dodge"),
    **dict.fromkeys((("back", "away"), ("back", "off"), ("fall", "back")), "move"),
    **dict.fromkeys((("take", "up"), ("take", "out"), ("pull", "out")), "ready-weapon"),
    ("pick", "up"): "pick-up-item",
    **dict.fromkeys((("go", "at"), ("go", "for"), ("lash", "out"), ("fight", "with"), ("fence", "with")), "attack"),
    **dict.fromkeys((("try", "to"), ("attempt", "to")), ""),
}
"""Two words for an order; for none those that only stand in front of one."""
SPLIT_VERBS = frozenset(
    {("let", "go"), ("let", "down"), ("lower", "down"), ("put", "down"), ("set", "down"), ("throw", "down")}
    | {("pick", "up"), ("take", "out"), ("pull", "out"), ("shake", "off")}
    | {pair for pair, order in PHRASES.items() if order == "parry"}
)
"""Those of them that may stand around what the order is about: `picks the rope up`."""
LIGHT_VERBS = ("throw", "make", "try", "attempt", "land", "launch", "do", "take", "deliver")
"""Verbs that say nothing where an article and an order stand behind them: `throws a punch`, `makes an attack`."""


class LogKeyword(NamedTuple):
    """A word of the log itself, which is no order: what it does, in a sentence, and how it is typed."""

    word: str
    kind: Literal["correction", "insert", "note", "adjust", "next"]
    told: str
    examples: tuple[str, ...]


_OWN = (
    LogKeyword(
        "undo",
        "correction",
        "Takes back the last line, an exchange, one ruling alone, or all from one on.",
        ("u", "u 6", "u 6 only", "u 6 rewind", "u 6 strict", 'u 6 "it should have missed'),
    ),
    LogKeyword("redo", "correction", "Brings back what the last undo took, or a correction.", ("redo", "redo 24")),
    LogKeyword(
        "amend",
        "correction",
        "Says a ruling anew, in part; everything behind it is judged again.",
        ('amend 17 5 "read wrong', "amend 6 p3", "amend 6 t=vera"),
    ),
    LogKeyword(
        "correct",
        "correction",
        "Several steps as one correction: strikes, amendments, what is brought back.",
        ('correct -#6 -#7 "it should have missed"',),
    ),
    LogKeyword(
        "after",
        "insert",
        "Puts orders in behind a ruling, in the fight as it stood there; a turn that they begin ends with them.",
        ("after 13 draw", "after 51 bandit-2: a bram p2 m1 4 2"),
    ),
    LogKeyword("next", "next", "Ends the turn in progress, and begins the next one.", ("n", "n a bram 15", "n 2")),
    LogKeyword(
        "note", "note", "A remark, about a ruling or about the fight.", ('note "the lamp goes out', 'note 8 "…')
    ),
    LogKeyword(
        "dispute", "note", "Disputes a ruling; play goes on until it is decided.", ('dispute 47 "he was behind cover',)
    ),
    LogKeyword("answer", "note", "An answer in a dispute.", ('answer 48 "tables hide nobody',)),
    LogKeyword(
        "gm",
        "adjust",
        "The game master's word: moves points, or says how somebody is, whatever the rules say.",
        ('gm #53 grob 3 dam>ready "oil', 'gm grob dead "…'),
    ),
    LogKeyword(
        "damage",
        "adjust",
        "Points become damage by the game master's word: of somebody, of several, of a side.",
        ("damage mara 3 trap", "damage foes 2", "mara damage 3"),
    ),
    LogKeyword(
        "leave",
        "adjust",
        "Somebody leaves the fight, by the game master's word.",
        ("leave bandit-2", "bandit-2 flees", "foes flee", 'flee bo "through the window'),
    ),
)
LOG_KEYWORDS: Mapping[str, LogKeyword] = {own.word: own for own in _OWN} | {
    short: own
    for short, word in (
        *(("u", "undo"), ("n", "next")),
        *((one, "leave") for one in ("flee", "surrender", "yield", "remove", "kill", "die")),
    )
    for own in _OWN
    if own.word == word
}
"""The words of the log itself, by every word for them; they are read before all others."""

ORDER_LETTERS: Mapping[str, tuple[str, ...]] = {
    "p": ("power", "points"),
    "m": ("modifier",),
    "v": ("difficulty",),
    "b": ("bonus",),
    "d": ("defense",),
    "o": ("other_used",),
}
"""Letters that a number wears in front, and the fields that they stand for."""

OWN_NUMBER: Mapping[str, tuple[str, ...]] = {
    "defend": ("points",),
    "move": ("points", "metres"),
    "act": ("points",),
    "declare": ("actions",),
    "declare-combo": ("actions",),
    "ready": ("defense", "other_used"),
    "drop": ("points",),
    "stand": ("points",),
    "rest": ("points",),
    "dismount": ("points",),
    "lower-bow": ("points",),
    "interfere": ("points",),
    "move-up": ("actions",),
}
"""The field of an order that one bare number is: the first that it can be now."""

ITEM_FIELDS: Mapping[str, str] = {
    "drop": "drop-item",
    "ready": "ready-weapon",
    "take-position": "ready-weapon",
}
"""Orders that are about points, and those that are meant by the same word where a thing stands behind it."""

GROUP_ROLL_FIELDS: Mapping[str, str] = {"roll-initiative": "dice", "initiative": "tie_die"}
"""Orders whose dice are thrown by several, each behind his name, and the field of those dice."""

VERBS: Mapping[str, str] = {"manipulate": "follow_up", "perform": "action"}
"""Orders that may be called by the word of that field: `hold anka`, `slash vera`."""

INTERRUPTING: Mapping[str, str] = {"perform": "interrupt"}
"""The order that such a one is while somebody else's action is open."""

NUMBERS: Mapping[str, str] = {
    word: str(number)
    for number, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], start=1
    )
}
"""Numbers in words, of those who wear one, and of how many join."""
ORDINALS: Mapping[str, str] = {
    word: str(number) for number, word in enumerate(["first", "second", "third", "fourth", "fifth", "sixth"], start=1)
}

INFERRED_FIELDS = frozenset(
    {"target", "opponent", "weapon", "item", "thing", "grapple", "holder", "mount", "vehicle", "partner", "combatants"}
)
"""The only fields that may be left out where just one thing can be meant; decisions never are."""

TEXTS = ("text", "what", "reason", "cause", "skill", "title")
"""The field that text in quotes is, where no slot is: the first that the order has."""
