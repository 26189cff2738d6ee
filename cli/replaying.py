"""The fight as a film: stepped through on a terminal, printed frame by frame anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from cli import output
from cli.options import at_moment, command, looking
from cli.session import Session, pass_session
from cli.views import up_to

if TYPE_CHECKING:
    from projections.replay import Frame


@command("replay", "mam replay", "mam replay --living --at round:2", "mam replay --as-of 21 --json")
@click.option("--living", is_flag=True, help="Only what counts, in the order in which it now happened.")
@click.option("--plain", is_flag=True, help="Print the frames, also on a terminal.")
@at_moment
@looking
@pass_session
def replay(session: Session, living: bool, plain: bool, moment: str | None, as_of: int | None) -> None:
    """Step through the fight, or print it frame by frame in a pipe.

    On a terminal: ← → (or , .) one ruling, j l one turn, [ ] one round, Home and End, a number and Enter for that
    ruling, ? for these keys, q to leave.
    """
    import msgspec

    from projections.replay import frames

    timeline = session.timeline(as_of)
    shown = up_to(timeline, moment)
    if living:
        places = timeline.place
        shown = sorted((r for r in shown if r.number in places and r.lives), key=lambda r: places[r.number])
    film = frames(shown, session.screen())
    names = {c.id: c.name for ruling in shown for c in ruling.after.combatants.values()}
    if session.json:
        for frame in film:
            output.json_line(msgspec.to_builtins(frame))
    elif plain or not film or not (sys.stdin.isatty() and sys.stdout.isatty()):
        for frame in film:
            for text in frame_lines(frame, names):
                click.echo(text, color=output.colourful())
    else:
        from cli.player import Player
        from cli.terminal import run

        run(Player(session.encounter(), film, names))


def frame_lines(frame: Frame, names: Mapping[str, str]) -> list[str]:
    """One frame as lines: the ruling, what followed from it, and the pools of those whom it moved."""
    if frame.hidden:
        return [f"#{frame.number}  ▒ hidden"]
    when = f"r{frame.round} t{frame.turn}  " if frame.round else ""
    lines = [f"#{frame.number}  {when}{frame.sentence}{fate(frame)}"]
    told = frame.follows if len(frame.follows) > 1 else ()
    lines += [f"      {sentence}" for sentence in told]
    return lines + pool_rows(frame, names, list(frame.changed))


def fate(frame: Frame) -> str:
    """What became of a frame's ruling, as marks and words."""
    marks = ""
    if frame.struck:
        who = f" ({frame.struck.who})" if frame.struck.who else ""
        why = f": {frame.struck.why}" if frame.struck.why else ""
        marks += f"  ↶ taken back by {frame.struck.by}{who}{why}"
    if frame.restored_by:
        marks += f"  ↷ taken back by {frame.restored_by}"
    if frame.amended or frame.verdict == "changed":
        marks += f"  ~ {'amended' if frame.amended else f'changed by {frame.rejudged_by}'}"
    if frame.disputed_by:
        marks += f"  ? {', '.join(map(str, frame.disputed_by))}"
    return marks


def pool_rows(frame: Frame, names: Mapping[str, str], combatants: list[str]) -> list[str]:
    """The pools after a frame of those combatants, each with what moved."""
    wide = max((len(names.get(name, name)) for name in combatants), default=0)
    rows = []
    for name in combatants:
        pools = frame.after[name]
        moved = frame.changed.get(name, {})
        steps = ", ".join(f"{pool.replace('_', ' ')} {step:+d}" for pool, step in moved.items())
        condition = f"  {frame.conditions[name]}" if name in frame.conditions else ""
        rows.append(
            f"    {names.get(name, name).ljust(wide)}  {output.numbers(pools)}  {output.bar(pools)}{condition}"
            f"{f'  ({steps})' if steps else ''}"
        )
    return rows
