"""Advice for words that are no orders here, and for questions: what to type instead."""

from __future__ import annotations

from collections.abc import Mapping

NO_SURPRISE = "Surprised combatants do not roll. Begin the round with those who do: ro NAME 4 5."
"""The advice on an ambush if no rule covers one."""
KEPT_WOUND = (
    'Write the wound in a note, and add its penalty to each roll: situation="-1D wounded". To take somebody out '
    "of the fight, type incapacitate {who} because …."
)
"""The advice on recording a wound if nobody has points to lose."""
ADVICE: Mapping[str, Mapping[str, str]] = {
    "points": {
        "charge": "A charge is a move and an attack. Type: move 6; attack NAME.",
        "stunned": "The game master says how many points become stun. Type stun {who} 2.",
        "run": "To leave the fight, type {who} flees. To move on the field, type {move} 3.",
    },
    "actions": {
        "charge": "A charge is rolled as an action. Type tackle NAME or bash NAME.",
        "hold": "For a hold, type grab NAME, pin NAME or tackle NAME.",
        "ambush": NO_SURPRISE,
        "stunned": KEPT_WOUND,
    },
    "": {
        **dict.fromkeys(
            ("oops", "wrong", "mistake", "no", "sorry", "actually", "that's", "cancel"),
            "To undo the last line, type u. To undo ruling 47, type u 47. To change it, type amend 47 and the change.",
        ),
        **dict.fromkeys(("add", "arrive", "enter"), "To bring in newcomers, type join NAME SIDE hp=6 …."),
        **dict.fromkeys(("show", "unhide", "seen"), "To show a hidden combatant to everybody, type reveal NAME."),
        **dict.fromkeys(
            ("return", "come"),
            "To bring {who} back into the fight, type gm {who} able because …, or undo how they left.",
        ),
        "back": "To undo the last line, type u. To bring {who} back into the fight, type gm {who} able because ….",
        **dict.fromkeys(
            ("done", "finished"), "To end the turn in progress, type a full stop (.). To begin the next, type n."
        ),
        "decide": "To decide a dispute, type rule-on and its number: rule-on 47 uphold lets the disputed ruling stand.",
        "ambush": "Surprise is settled before the first turn. Type init {who} surprise.",
        **dict.fromkeys(
            ("drink", "quaff", "eat", "use", "bandage", "cure"),
            "The game master decides the effect. Type heal {who} 2 because …, or note ….",
        ),
        **dict.fromkeys(
            ("trap", "poison", "burn", "bleed", "explode"),
            "The game master decides the harm. Type damage {who} 2 because …, or note ….",
        ),
    },
}
"""The advice for words that could be several orders, or none.

It is grouped by editions: where points are spent, where actions are counted, and any.
"""

WOUNDED = ("wounded", "hurt", "injured", "bleeding")
"""Words for somebody whom a hit has hurt."""

DOES_NOTHING = "To do nothing this turn, type {who}. (the name with a full stop), or n."

OTHERWISE: Mapping[str, Mapping[str, str]] = {
    "points": {
        "recover": "To make points ready, type ready 2. A point of stun comes back at the beginning of each of one's "
        "turns (MAM-PHASE-01). The game master can heal more: heal NAME 2.",
        "skip-turn": DOES_NOTHING,
        "wait": DOES_NOTHING,
    },
    "speed": {
        "recover": "A point of stun comes back at the end of each of one's turns. The game master can heal more: "
        "heal {who} 2.",
        "skip-turn": DOES_NOTHING,
    },
    "actions": {
        "attack": "Name the action itself, like punch NAME.",
        "modify": KEPT_WOUND,
        "establish-surprise": NO_SURPRISE,
    },
}
"""Orders that an edition does not have, and the advice what to do there instead.

It is grouped by editions: where points are spent, where turns have a speed, and where actions are counted.
"""
QUESTION_ADVICE: Mapping[tuple[str, str], str] = {
    ("move-up", "because"): "Say why: move-up catch, move-up resist_mental_attempt, or move-up gm_allows because …. "
    "Only some house rules allow move-up dodge and move-up parry.",
    ("declare-combo", "actions"): "Say how many quick actions, or name a target for each: combo 2 NAME NAME.",
    ("move", "points"): "How far? Type move 3 for 3 points, or move 4m. To leave the fight, type NAME flees.",
    ("defend", "points"): "How many points go into defense? Type defend 1.",
}
"""Questions for a missing field of an order whose form is hard to guess."""

AMMUNITION = (
    "counted only in guns and crossbows: shots=6 is what one holds, and loaded=6 is what is in it now. To keep count "
    "of arrows, use notes."
)
"""The advice on arrows and bullets."""
FIELD_ADVICE: Mapping[str, str] = {
    "shield": "A shield is a weapon that parries: w=(Shield parry=1).",
    **dict.fromkeys(("att", "attack"), "For what a weapon adds to its die, type w=(Axe attack=1)."),
    **dict.fromkeys(
        ("damage", "dmg", "dam"),
        "For what a weapon adds to a hit, type power=2. In Ron d6 leave it out and roll after the hit: roll damage 2D.",
    ),
    **dict.fromkeys(("ammo", "ammunition", "arrows", "bolts", "quiver", "bullets"), f"Ammunition is {AMMUNITION}"),
}
"""Names of fields that don't exist, and the advice how to give or record such a thing."""
