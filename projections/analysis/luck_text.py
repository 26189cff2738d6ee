"""Luck in plain sentences, with its likelihood: `unluckier than on eight nights of nine`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.analysis.undone_dice import undone_dice_sentence
from projections.phrases import count_words, join_words

if TYPE_CHECKING:
    from projections.analysis.luck import DecidingDie, DiceLuck, Luck

ORDINARY = 0.25
"""The chance above which luck is ordinary: more than one night in four."""
NIGHTS = ("three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
MOST_NIGHTS = 1_000_000
"""The most nights that luck is compared with."""


def luck_words(summary: Luck) -> list[str]:
    """Return the sentences on everybody who rolled, on undone dice and on the die that decided."""
    sentences = [fortune_words(one) for one in summary.fortunes] or ["No dice have been rolled."]
    return [*sentences, *filter(None, (undone_dice_sentence(summary.undone), decided_words(summary)))]


def fortune_words(one: DiceLuck) -> str:
    """Return the dice of one combatant in a sentence or two."""
    dice = count_words(one.dice, "die") if one.dice == 1 else f"{one.dice} dice"
    sentence = f"{one.name}: {dice} came to {one.faces}, where {one.mean:.1f} is the average"
    luck = f": {_weight(one.chance, lucky=one.is_lucky)}" if one.chance is not None else ""
    return f"{sentence}{luck}.{_hits(one)}"


def _hits(one: DiceLuck) -> str:
    if not one.attacks:
        return ""
    return f" {one.hits:g} of {count_words(one.attacks, 'attack')} hit, where {one.expected_hits:.1f} would on average."


def _weight(chance: float, *, lucky: bool) -> str:
    """Return the likelihood of luck in words: `unluckier than on eight nights of nine`."""
    if chance > ORDINARY:
        return "neither lucky nor unlucky"
    word = "luckier" if lucky else "unluckier"
    if chance < 1 / MOST_NIGHTS:
        # With thousands of dice the chance rounds to 0.
        return f"{word} than on all but one night of more than {MOST_NIGHTS:,}"
    nights = round(1 / chance)
    if nights - 3 < len(NIGHTS):
        return f"{word} than on {NIGHTS[nights - 4]} nights of {NIGHTS[nights - 3]}"
    return f"{word} than on all but one night of {nights:,}"


def decided_words(summary: Luck) -> str:
    """Return a sentence on the die that decided, or that none did; "" if the fight has no winner."""
    one = summary.decider
    if one:
        did = f": it {done}" if (done := done_words(one)) else ""
        sentence = f"The die that decided: {one.name}'s {one.role} in {one.ruling}, a {one.face}{did}. "
        sentence += f"With a {one.otherwise} "
        other_sentence = f"{one.instead} would be the last one standing, not {one.winner}" if one.instead else ""
        return f"{sentence}{other_sentence or f'{one.winner} would not be the only side standing'}."
    since = f" from ruling {summary.tried} on (earlier rulings were not tried)" if summary.tried else ""
    return f"No single die decided it{since}." if summary.winner else ""


def done_words(one: DecidingDie) -> str:
    """Return the effect of the die: `felled Grey and kept Ana up`; "" if it only cost points."""
    felled = f"felled {join_words(list(one.felled))}" if one.felled else ""
    spared = f"kept {join_words(list(one.spared))} up" if one.spared else ""
    return " and ".join(filter(None, (felled, spared)))
