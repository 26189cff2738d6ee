"""The fight as a film: stepped through on a terminal, printed frame by frame anywhere else."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from cli import output
from cli.options import at_moment, command, looking
from cli.session import Session, pass_session
from cli.views import actions, beside, lived_until, number, up_to
from projections.wording import clocked

if TYPE_CHECKING:
    from projections.replay import Frame


@command("replay", "mam replay", "mam replay --living --at round:2", "mam replay --as-of 21 --json")
@click.option("--living", is_flag=True, help="Only what counts.")
@click.option("--plain", is_flag=True, help="Print the frames, also on a terminal.")
@at_moment
@looking
@pass_session
def replay(session: Session, living: bool, plain: bool, moment: str | None, as_of: int | None) -> None:
    """Step through the fight, or print it frame by frame in a pipe; what was inserted comes where it happened.

    On a terminal: ← → (or , .) one ruling, j l one turn, [ ] one round, Home and End, a number and Enter for that
    ruling, ↑ ↓ for the rest of a long one, ? for these keys, q to leave.
    """
    import msgspec

    from projections.replay import frames

    timeline = session.timeline(as_of)
    shown = lived_until(timeline, moment) if living else up_to(timeline, moment, as_fought=True)
    film = frames(shown, session.screen())
    names = {c.id: c.name for ruling in shown for c in ruling.after.combatants.values()}
    if session.json:
        for frame in film:
            output.json_line(msgspec.to_builtins(frame))
    elif plain or not film or not (sys.stdin.isatty() and sys.stdout.isatty()):
        for frame in film:
            for text in frame_lines(frame, names, output.room()):
                click.echo(text, color=output.colourful())
    else:
        from cli.player import Player
        from cli.terminal import run

        run(Player(session.encounter(), film, names))


def frame_lines(frame: Frame, names: Mapping[str, str], width: int = 0) -> list[str]:
    """One frame as lines: the ruling, what followed from it, and the pools of those whom it moved; folded at `width`
    columns (0: not at all).
    """
    head = "  ".join(filter(None, (f"#{frame.number}", clocked(frame.round, frame.turn), told_in(frame))))
    lines = output.folded(head, width, indent=6)
    for sentence in unfolded(frame):
        lines += output.folded(f"      {sentence}", width, indent=8)
    return lines + pool_rows(frame, names, list(frame.changed), width)


def unfolded(frame: Frame) -> tuple[str, ...]:
    """A sentence for each fact that the frame's own sentence does not say."""
    return tuple(sentence for sentence in frame.follows if sentence not in frame.sentence)


def told_in(frame: Frame) -> str:
    """What a frame tells: its sentence, and what became of the ruling."""
    return "  ".join(filter(None, (frame.sentence, *frame.marks)))


def standing_rows(frame: Frame, width: int) -> list[str]:
    """The order after a frame, with totals and actions that are left, where initiative is rolled."""
    names = {row.combatant: row.name for row in frame.standing}
    wide = max(map(len, names.values()), default=0)
    rows = []
    for row in frame.standing:
        place = f"{row.name.ljust(wide)}  {row.status.ljust(7)}  {number(row.total):>3}"
        told = "  ".join(filter(None, (place, actions(row), beside(row, names))))
        rows += textwrap.wrap(told, width, initial_indent="    ", subsequent_indent="      ")
    return rows


def pool_rows(frame: Frame, names: Mapping[str, str], combatants: list[str], width: int = 0) -> list[str]:
    """The pools after a frame of those combatants, each with what moved; below it where the `width` is too small."""
    wide = max((len(names.get(name, name)) for name in combatants), default=0)
    rows, spent = [], frame.spends_points
    for name in combatants:
        pools = frame.after[name]
        moved = frame.changed.get(name, {})
        steps = ", ".join(
            f"{pool.replace('_', ' ')} {step:+d}" for pool, step in moved.items() if spent or pool in output.WOUNDS
        )
        numbers = output.numbers(pools, spent=spent)
        is_now = output.how_it_is(frame.conditions.get(name, "able"), frame.doing.get(name, ()), able="")
        row = f"    {names.get(name, name).ljust(wide)}  {numbers}  {output.bar(pools, spent=spent)}"
        rows += output.in_a_row([row, is_now, f"({steps})" if steps else ""], width, indent=6)
    return rows
