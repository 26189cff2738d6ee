"""The command replay: the fight stepped through on a terminal, or printed frame by frame."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from cli.command_class import command_decorator
from cli.commands.views.moments import rulings_until
from cli.output import render
from cli.replay_player.frame_text import frame_lines
from cli.session import Session, pass_session
from cli.shared_options import complete_encounter, moment_option, view_command_options
from projections.phrases import count_words

if TYPE_CHECKING:
    from cli.replay_player.player import Player, ReplayVariant
    from mam_events.history.timeline.timeline import Timeline
    from projections.rulings.frames import Frame


@command_decorator(
    "replay",
    "mam replay",
    "mam replay --living --at round:2",
    "mam replay --as-of 21 --json",
    "mam replay --html duel.html",
    "mam replay --against duel@21 --html both.html",
)
@click.option("--living", is_flag=True, help="Show only rulings that still count.")
@click.option("--plain", is_flag=True, help="Print the frames, also on a terminal.")
@click.option("--html", metavar="FILE", help="Write a page for any browser, in one file.")
@click.option(
    "--against",
    metavar="B",
    shell_complete=complete_encounter,
    help="Show another fight beside it on that page: a branch, or `NAME@21` for the fight as of ruling 21.",
)
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@moment_option
@view_command_options
@pass_session
def replay(
    session: Session,
    living: bool,
    plain: bool,
    html: str | None,
    against: str | None,
    force: bool,
    moment: str | None,
    as_of: int | None,
) -> None:
    """Step through the fight, or print it frame by frame in a pipe. Inserted rulings come where they happened.

    On a terminal: Space plays and pauses, < > slower and faster, ← → (or , .) one ruling, j l one turn, [ ] one round,
    Home and End, a number and Enter for that ruling, h the next hit, f fall, d dispute, c correction, x the ruling that
    decided, / searches, e reads corrections in three ways, ↑ ↓ the rest of a long ruling, ? all keys, q to leave.
    """
    if "" in (html, against):
        raise click.UsageError("--html needs a file name, --against the name of a fight.")
    if html and (living or plain or moment or as_of):
        raise click.UsageError("--html always writes the whole fight. Leave --living, --plain, --at and --as-of out.")
    if against and not html:
        raise click.UsageError("--against needs --html FILE. To compare without a page, use `mam diff A B`.")
    if against and html:
        from cli.output.compare_html import write_against

        write_against(session, against, html, force=force)
    elif html:
        write_page(session, html, force=force)
    else:
        _show(session, moment, as_of, living=living, plain=plain)


def _show(session: Session, moment: str | None, as_of: int | None, *, living: bool, plain: bool) -> None:

    from mam_events.events import Note, Play
    from projections.rulings.frames import frames

    timeline, redactor = session.timeline(as_of), session.redactor()
    rulings_shown = rulings_then = rulings_until(timeline, moment, redactor, as_fought=True)
    if living:
        rulings_shown = [ruling for ruling in rulings_then if ruling.lives and isinstance(ruling.head, Play)]
    film = frames(
        rulings_shown, redactor, [one for one in rulings_then if isinstance(one.head, Note)] if living else ()
    )
    names = {c.id: c.name for ruling in rulings_shown for c in ruling.after.combatants.values()}
    if session.json:
        for frame in film:
            render.json_line(frame)
    elif plain or not film or not (sys.stdin.isatty() and sys.stdout.isatty()):
        for frame in film:
            for text in frame_lines(frame, names, render.wrap_width()):
                click.echo(text, color=render.uses_colour())
    else:
        from cli.replay_player.terminal import run_player

        run_player(_player(session, timeline, film, names, living=living))


def _player(
    session: Session, timeline: Timeline, film: Sequence[Frame], names: Mapping[str, str], *, living: bool
) -> Player:
    """Return a player with all ways to read corrections, the requested one first."""
    from cli.replay_player.player import Player, ReplayVariant
    from mam_events.history.timeline.rulings import as_first_written
    from projections.analysis.luck import luck
    from projections.rulings.frames import frames, still_counts
    from projections.rulings.log_lines import log_lines
    from projections.rulings.placement import placed_rulings

    redactor, log, encounter = session.redactor(), session.log(), session.encounter()
    sentences = {
        line.number: line.text
        for line in log_lines([ruling for _, ruling in placed_rulings(timeline, redactor)], redactor)
    }
    standing = [frame for frame in film if still_counts(frame)] or film

    def played() -> ReplayVariant:
        rulings = list(as_first_written(timeline, log.application.rows(encounter)))
        numbers = {frame.number for frame in film}
        lines = {line.number: line.text for line in log_lines(rulings, redactor)}
        return ReplayVariant([frame for frame in frames(rulings, redactor) if frame.number in numbers], lines)

    def decided() -> int:
        decider = luck(timeline, log.rules, redactor).decider
        return decider.ruling if decider else 0

    ways: dict[str, Callable[[], ReplayVariant]] = {"as it stands": lambda: ReplayVariant(standing, sentences)}
    if not living:
        ways = {"both": lambda: ReplayVariant(film, sentences), **ways, "as played": played}
    return Player(encounter, film, names, sentences=sentences, readings=ways, decided=decided)


def write_page(session: Session, target: str, *, force: bool) -> None:
    """Write the replay page of the fight, and print its path."""
    from cli.output.files import open_output_file
    from cli.output.progress import progress_bar
    from mam_events.archive import export_ndjson
    from projections.pages.replay_page import build_replay_page
    from web.pages.replay import render_replay_page

    log, encounter = session.log(), session.encounter()
    timeline = session.timeline()
    with (
        open_output_file(target, log.application.factory.path, force=force) as file,
        progress_bar(session, f"Setting {encounter}", 2 * timeline.number) as step,
    ):
        page = build_replay_page(
            encounter, timeline, log.application.rows(encounter), session.redactor(), log.rules, step
        )
        lines = [line.decode().rstrip("\n") for line in export_ndjson(log, encounter, view=session.view)]
        # Leave out the header and the footer of the export.
        file.write(render_replay_page(replace(page, rows=tuple(lines[1:-1]))).encode())
    if session.json:
        render.json_line({"encounter": encounter, "file": target, "rulings": timeline.number, "seal": timeline.seal})
    elif target != "-":
        click.echo(f"{target} shows {encounter} ({count_words(timeline.number, 'ruling')}). Open it in any browser.")
