"""The small tables of the notation: letters and other words that people use."""

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
"""The fields without a key in parts in parentheses, by the name of their type; those of version 1 never change."""

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
"""Letters and other words for an order; of several orders, the one that the edition has."""


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
    "keep": ("maintain-grapple",),
    "breather": ("rest",),
    "slip": ("escape",),
}
"""Players' words for an order, or a verb, for which the edition has another word: the first that it has."""

BARE_HANDED = ("kick", "punch", "headbutt")
"""Players' words for an attack with the body, if they are not actions of their own."""
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
    "maintain-grapple": ("hold", "holding", "grip", "grapple", "of", "on", "the"),
    "stand": ("up",),
    "ready": ("from", "of", "point", "points"),
    "declare-combo": ("actions", "action", "on", "against", "of", "and"),
    **dict.fromkeys(("perform", "interrupt"), ("by", "r")),
    "move-up": ("to", "for"),
    "spend": ("of", "point", "points"),
}
"""Words that are ignored after an order unless they mean something else: `shoots an arrow`."""
ADVERBS = (
    *("again", "now", "quickly", "slowly", "carefully", "hard", "also", "once", "too", "still", "instead"),
    *("first", "anyway", "immediately", "suddenly", "straight"),
    *("himself", "herself", "itself", "themselves", "myself"),
)
"""Words that are ignored after any order unless they mean something else."""
SUBJECTS = ("he", "she", "they", "it", "i", "we")
"""Pronouns for the actor, where it is clear who that is."""
OBJECTS = ("him", "her", "it", "them")
"""Pronouns for the person an order is about, where it is clear who that is."""
PRONOUNS = frozenset((*SUBJECTS, *OBJECTS, "his", "its", "their", "me", "us", "you"))
"""Words that begin the name of a combatant or a side only by chance."""
UNTARGETED_ORDERS = ("aim", "move")
"""Orders for which a named combatant is ignored: aiming is a posture (MAM-POS-01), and the field has no map."""
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
"""Two words that make an order; an empty order means that they are only ignored in front of one."""
SPLIT_VERBS = frozenset(
    {("let", "go"), ("let", "down"), ("lower", "down"), ("put", "down"), ("set", "down"), ("throw", "down")}
    | {("pick", "up"), ("take", "out"), ("pull", "out"), ("shake", "off")}
    | {pair for pair, order in PHRASES.items() if order == "parry"}
)
"""Those phrases that may enclose what the order is about: `picks the rope up`."""
LIGHT_VERBS = ("throw", "make", "try", "attempt", "land", "launch", "do", "take", "deliver")
"""Verbs that are ignored before an article and an order: `throws a punch`, `makes an attack`."""


class LogKeyword(NamedTuple):
    """A keyword of the log itself, which is no order: its description in a sentence, and examples."""

    word: str
    kind: Literal["correction", "insert", "note", "adjust", "next"]
    description: str
    examples: tuple[str, ...]


_OWN = (
    LogKeyword(
        "undo",
        "correction",
        "Undoes the last line, an exchange, one ruling alone, or all from one on.",
        ("u", "u 6", "u 6 only", "u 6 rewind", "u 6 strict", 'u 6 "it should have missed'),
    ),
    LogKeyword("redo", "correction", "Redoes what the last undo removed, or a correction.", ("redo", "redo 24")),
    LogKeyword(
        "amend",
        "correction",
        "Changes part of a ruling. Everything after it is judged again.",
        ('amend 17 5 "read wrong', "amend 6 p3", "amend 6 t=vera"),
    ),
    LogKeyword(
        "reveal",
        "correction",
        "Shows a hidden combatant to everybody, with the rulings that were hidden because of them.",
        ("reveal assassin", "assassin appears"),
    ),
    LogKeyword(
        "correct",
        "correction",
        "Several steps as one correction: undo, amend, redo.",
        ('correct -#6 -#7 "it should have missed"',),
    ),
    LogKeyword(
        "after",
        "insert",
        "Inserts orders after a ruling, in the fight as it stood there. A turn that they begin ends with them.",
        ("after 13 draw", "after 51 bandit-2: a bram p2 m1 4 2"),
    ),
    LogKeyword("next", "next", "Ends the turn in progress, and begins the next one.", ("n", "n a bram 15", "n 2")),
    LogKeyword(
        "note", "note", "A remark, about a ruling or about the fight.", ('note "the lamp goes out', 'note 8 "…')
    ),
    LogKeyword(
        "dispute", "note", "Disputes a ruling. Play goes on until it is decided.", ('dispute 47 "he was behind cover',)
    ),
    LogKeyword("answer", "note", "An answer in a dispute.", ('answer 48 "tables hide nobody',)),
    LogKeyword(
        "gm",
        "adjust",
        "The game master's word: moves points, or sets how somebody is, whatever the rules say.",
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
"""The keywords of the log itself, by every word for them; they are read before all other words."""

ORDER_LETTERS: Mapping[str, tuple[str, ...]] = {
    "p": ("power", "points"),
    "m": ("modifier",),
    "v": ("difficulty",),
    "b": ("bonus",),
    "d": ("defense",),
    "o": ("other_used",),
}
"""Letters in front of a number, and the fields that they stand for."""

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
    **dict.fromkeys(
        ("aim", "begin-heave", "draw-bow", "load", "mount", "pick-up-item", "ready-weapon", "unload"), ("points",)
    ),
}
"""The field of an order that a single number without a key sets: the first that is possible now."""

ITEM_FIELDS: Mapping[str, str] = {
    "drop": "drop-item",
    "ready": "ready-weapon",
    "take-position": "ready-weapon",
}
"""Orders about points, and those that the same word means with a thing after it."""

GROUP_ROLL_FIELDS: Mapping[str, str] = {"roll-initiative": "dice", "initiative": "tie_die"}
"""Orders for which several people throw dice, each after their name, and the field of those dice."""

VERBS: Mapping[str, str] = {"manipulate": "follow_up", "perform": "action"}
"""Orders that may be called by the value of that field: `hold anka`, `slash vera`."""

INTERRUPTING: Mapping[str, str] = {"perform": "interrupt"}
"""The order that such an order becomes while somebody else's action is open."""

NUMBERS: Mapping[str, str] = {
    word: str(number)
    for number, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], start=1
    )
}
"""Number words, for numbered names and for the number of those who join."""
ORDINALS: Mapping[str, str] = {
    word: str(number) for number, word in enumerate(["first", "second", "third", "fourth", "fifth", "sixth"], start=1)
}

INFERRED_FIELDS = frozenset(
    {"target", "opponent", "weapon", "item", "thing", "grapple", "holder", "mount", "vehicle", "partner", "combatants"}
)
"""The only fields that may be omitted if just one thing can be meant; decisions may never be."""

TEXTS = ("text", "what", "reason", "cause", "skill", "title")
"""The field that text in quotes sets if there is no slot for it: the first that the order has."""
