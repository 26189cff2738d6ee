"""Luck in plain sentences, each with its weight: `unlucky, but one night in nine`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.wording import counted

if TYPE_CHECKING:
    from projections.luck import Fortune, Luck

ORDINARY = 0.25
"""A chance above which nobody speaks of luck: more than one night in four."""
MOST_NAMED = 12
"""The most dice that are named which were drawn and undone."""
NIGHTS = ("four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def luck_words(found: Luck) -> list[str]:
    """All that is to be said of it: of everybody who rolled, and of the die that decided."""
    told = [fortune_words(one) for one in found.fortunes] or ["No die has fallen."]
    return [*told, *filter(None, (undone_words(found), decided_words(found)))]


def undone_words(found: Luck) -> str:
    """The dice that were drawn and taken back in a sentence; "" where there are none."""
    if not found.undone:
        return ""
    fallen = ", ".join(f"{one.kind} {one.face} (ruling {one.ruling})" for one in found.undone[:MOST_NAMED])
    more = f" and {len(found.undone) - MOST_NAMED} more" if len(found.undone) > MOST_NAMED else ""
    return f"Drawn and undone: {fallen}{more}."


def fortune_words(one: Fortune) -> str:
    """The dice of one combatant in a sentence or two."""
    dice = counted(one.dice, "die") if one.dice == 1 else f"{one.dice} dice"
    told = f"{one.name}: {dice} came to {one.faces}, where {one.mean:.1f} is the average"
    luck = f": {_weight(one.chance, lucky=one.lucky)}" if one.chance is not None else ""
    return f"{told}{luck}.{_hits(one)}"


def _hits(one: Fortune) -> str:
    if not one.attacks:
        return ""
    return f" {one.hits:g} of {counted(one.attacks, 'attack')} hit, where {one.expected_hits:.1f} would on average."


def _weight(chance: float, *, lucky: bool) -> str:
    """The weight of luck in words: `unlucky, but one night in nine`."""
    if chance > ORDINARY:
        return "neither lucky nor unlucky"
    nights, word = round(1 / chance), "lucky" if lucky else "unlucky"
    if nights - 4 < len(NIGHTS):
        return f"{word}, but one night in {NIGHTS[nights - 4]}"
    return f"very {word}, one night in {nights:,}"


def decided_words(found: Luck) -> str:
    """The die that decided, in a sentence; "" where none did."""
    one = found.decider
    if one:
        told = f"The die that decided: {one.name}'s {one.role} in {one.ruling}, a {one.face}. With a {one.otherwise} "
        instead = f"{one.instead} would be left alone, and not {one.winner}" if one.instead else ""
        return f"{told}{instead or f'{one.winner} would not be left alone'}."
    since = f" from ruling {found.tried} on; what lies before was not tried" if found.tried else ""
    return f"No die alone decided it{since}." if found.winner else ""
