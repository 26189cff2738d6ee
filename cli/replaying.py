"""The fight as a film: stepped through on a terminal, printed frame by frame anywhere else."""

from __future__ import annotations

import sys

import click

from cli import output
from cli.frames import frame_lines
from cli.options import at_moment, command, looking
from cli.session import Session, pass_session
from cli.views import lived_until, up_to


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

    from mam_events.events import Note
    from projections.replay import frames

    timeline = session.timeline(as_of)
    shown = lived_until(timeline, moment) if living else up_to(timeline, moment, as_fought=True)
    notes = [ruling for ruling in up_to(timeline, moment) if isinstance(ruling.head, Note)] if living else ()
    film = frames(shown, session.screen(), notes)
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
