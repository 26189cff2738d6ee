"""Advice for words that are no orders here, and for questions: what to type instead."""

from __future__ import annotations

from collections.abc import Mapping

NO_SURPRISE = "Whoever is surprised does not roll: ro NAME 4 5 begins the round with those who do."
"""The advice on an ambush if no rule covers one."""
ADVICE: Mapping[str, Mapping[str, str]] = {
    "points": {
        "charge": "A charge is a move and an attack: move 6; attack NAME.",
        "run": "Whoever leaves the fight flees: {who} flees. On the field it is {move} 3.",
    },
    "actions": {
        "charge": "A charge is one of the actions, as they are rolled: tackle NAME, or bash NAME.",
        "hold": "A hold is grab NAME, pin NAME or tackle NAME.",
        "ambush": NO_SURPRISE,
    },
    "": {
        **dict.fromkeys(
            ("oops", "wrong", "mistake", "no", "sorry", "actually", "that's"),
            "u takes back the last line, u 47 takes back ruling 47, and amend 47 … says it anew; a remark is note ….",
        ),
        **dict.fromkeys(("add", "arrive", "enter"), "Newcomers are brought in by join NAME SIDE hp=6 …."),
        "ambush": "Who surprises the others is said before the first turn: init {who} surprise.",
        **dict.fromkeys(
            ("drink", "quaff", "eat", "use", "bandage", "cure"),
            "What it does to somebody is the game master's word: heal {who} 2 because …, or a note.",
        ),
        **dict.fromkeys(
            ("trap", "poison", "burn", "bleed", "explode"),
            "What it costs somebody is the game master's word: damage {who} 2 because …, or a note.",
        ),
    },
}
"""The advice for words that could be several orders, or none.

It is grouped by editions: where points are spent, where actions are counted, and any.
"""

KEPT_WOUND = (
    'A wound is told in a note, and what it takes off at each roll: situation="-1D wounded". Whoever cannot act any '
    "more is out by incapacitate {who} because …."
)
"""The advice on recording a wound if nobody has points to lose."""
WOUNDED = ("wounded", "hurt", "injured", "bleeding", "stunned")
"""Words for somebody whom a hit has hurt."""

DOES_NOTHING = "Whoever does nothing in their turn ends it with a full stop behind the name, {who}., or by n."

OTHERWISE: Mapping[str, Mapping[str, str]] = {
    "points": {
        "recover": "Points become ready by ready 2. Stun comes back by itself, a point at the beginning of each own "
        "turn (MAM-PHASE-01); heal NAME 2 is the game master's word.",
        "skip-turn": DOES_NOTHING,
        "wait": DOES_NOTHING,
    },
    "speed": {
        "recover": "Stun comes back by itself, a point at the end of each own turn; heal {who} 2 is the game master's "
        "word.",
        "skip-turn": DOES_NOTHING,
    },
    "actions": {
        "attack": "Say the deed itself: punch NAME.",
        "modify": KEPT_WOUND,
        "establish-surprise": NO_SURPRISE,
    },
}
"""Orders that an edition does not have, and the advice what to do there instead.

It is grouped by editions: where points are spent, where turns have a speed, and where actions are counted.
"""
QUESTION_ADVICE: Mapping[tuple[str, str], str] = {
    ("move-up", "because"): "say what for: move-up catch, move-up resist_mental_attempt, or, with the game master's "
    "reason, move-up gm_allows because …; move-up dodge and move-up parry only where the house rules let them.",
    ("declare-combo", "actions"): "say how many quick actions, or whom each of them is about: combo 2 NAME NAME.",
    ("move", "points"): "How far: 3 points, or 4m? Whoever leaves the fight flees: NAME flees.",
    ("defend", "points"): "How many points go into defense? defend 1.",
}
"""Questions for a missing field of an order whose form is hard to guess."""

AMMUNITION = (
    "not counted; a note tells how much is left. What a gun or a crossbow holds is shots=6, and what is in it now "
    "loaded=6."
)
"""The advice on arrows and bullets."""
FIELD_ADVICE: Mapping[str, str] = {
    "shield": "a shield is a weapon that parries: w=(Shield parry=1).",
    **dict.fromkeys(
        ("damage", "dmg", "dam"),
        "what a weapon adds to a hit is its power, as in power=2; where damage is rolled (roll damage 2D), no weapon "
        "says it.",
    ),
    **dict.fromkeys(("ammo", "ammunition", "arrows", "bolts", "quiver", "bullets"), f"ammunition is {AMMUNITION}"),
}
"""Names of fields that don't exist, and the advice how to give or record such a thing."""
