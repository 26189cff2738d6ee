"""Dice, codes, checks and contests."""

TEXTS: dict[str, str] = {
    "bad_target/9": "{combatant} cannot be their own opponent; name somebody else.",
    "no_reason": "Say what the modifier comes of: that stands beside every roll it changes.",
    "out_of_fight/2": "{combatant} is {condition:able=able|incapacitated=incapacitated|dead=dead|out=out}, and rolls no more.",
    "seen_by_all": "A modifier that lasts stands beside every roll it changes: give it where all may know of it.",
    "two_difficulties": "A roll is made against a difficulty, or against somebody's modifier; give one of them.",
}
