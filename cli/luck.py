"""Luck: everybody's dice of a fight against what such dice come to, and the die that decided it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli import output
from cli.options import command, looking
from cli.progress import working
from cli.session import Session, pass_session
from projections.wording import counted

if TYPE_CHECKING:
    from projections.luck import Fortune, Luck

ORDINARY = 0.25
"""A chance above which nobody speaks of luck: more than one night in four."""
NIGHTS = ("four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@command("luck", "mam luck", "mam luck --json")
@looking
@pass_session
def luck(session: Session) -> None:
    """Show how lucky everybody was: the dice of the fight against what such dice come to, and which one decided it.

    Counted are the dice of what still stands, drawn, thrown or amended. How unlikely their sum is, is exact. The die
    that decided is the last one of which another face would have left another side, or none alone, able at the end:
    the fight is judged again with it, and nothing is written.
    """
    import msgspec

    from projections.luck import luck as luck_of

    timeline, screen = session.timeline(), session.screen()
    with working(session, "Judging again", 2 * len(timeline.order)) as step:
        found = luck_of(timeline, session.log().rules, screen, step)
    if session.json:
        output.json_line({"encounter": session.encounter()} | msgspec.to_builtins(found))
        return
    for fortune in found.fortunes:
        output.line(_fortune(fortune), indent=2)
    if not found.fortunes:
        click.echo("No die has fallen.")
    if decided := _decided(found):
        output.line(decided, indent=2)
    if any(fortune.chance is None for fortune in found.fortunes):
        output.line(f"(Fewer than {found.few} dice are too few to tell.)", "faint")


def _fortune(one: Fortune) -> str:
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


def _decided(found: Luck) -> str:
    one = found.decider
    if one:
        told = f"The die that decided: {one.name}'s {one.role} in {one.ruling}, a {one.face}. With a {one.otherwise} "
        instead = f"{one.instead} would be left alone, and not {one.winner}" if one.instead else ""
        return f"{told}{instead or f'{one.winner} would not be left alone'}."
    since = f" from ruling {found.tried} on; what lies before was not tried" if found.tried else ""
    return f"No die alone decided it{since}." if found.winner else ""
