"""The command projections: the positions of the tables beside the log, their update, and their rebuild."""

from __future__ import annotations

from collections.abc import Mapping

import click

from cli.command_class import BaseCommand, CommandGroup
from cli.output import render
from cli.output.progress import progress_bar
from cli.registry import COMMANDS_BY_NAME
from cli.session import Session, pass_session
from cli.shared_options import store_options
from mam_events.errors import MamError
from projections.phrases import count_words


@click.group(
    "projections",
    cls=CommandGroup,
    short_help=COMMANDS_BY_NAME["projections"].short,
    example=("mam projections", "mam projections update"),
)
@store_options
@pass_session
@click.pass_context
def projections(ctx: click.Context, session: Session) -> None:
    """Show the tables kept beside the log, and build them again.

    They are computed from the log, so deleting them loses nothing. Each table continues from its own position, the
    newest event in it. `mam serve` keeps them up to date. Without it, a table is updated when it is read. An SQLite
    tool finds them as JSON in the table `projected`, and the positions in `tracking`.
    """
    from projections.cache.registry import CACHED_PROJECTIONS

    if ctx.invoked_subcommand:
        return
    log = session.log()
    newest = log.application.recorder.max_notification_id()
    versions = log.application.recorder.versions()
    rows = [(table.name, *table.count(log, versions), table.position(log)) for table in CACHED_PROJECTIONS]
    if session.json:
        for name, stored, lag, position in rows:
            render.json_line(
                {"table": name, "kept": stored, "behind": lag, "position": position, "newest": newest},
            )
        return
    table_rows = [
        (name, str(stored), str(lag), str(len(versions) - stored - lag), f"{position} of {newest}")
        for name, stored, lag, position in rows
    ]
    render.print_table(("table", "up to date", "behind", "missing", "position"), table_rows, right=(1, 2, 3, 4))


@projections.command("update", cls=BaseCommand, example=("mam projections update",))
@store_options
@pass_session
def update(session: Session) -> None:
    """Update every table to the newest event, from its own position on."""
    from projections.cache.registry import CACHED_PROJECTIONS
    from projections.cache.table import catch_up

    log = session.log()
    versions = log.application.recorder.versions()
    missing = sum(len(versions) - table.count(log, versions)[0] for table in CACHED_PROJECTIONS)
    with progress_bar(session, "Reading", missing) as step:
        failed = catch_up(log, CACHED_PROJECTIONS, on_progress=step)
    position = min(table.position(log) for table in CACHED_PROJECTIONS)
    if session.json:
        names = [table.name for table in CACHED_PROJECTIONS]
        render.json_line({"tables": names, "position": position, "failed": sorted(failed)})
    else:
        click.echo(f"{count_words(len(CACHED_PROJECTIONS), 'table')} are up to date with event {position}.")
    _raise_failed(session, failed)


@projections.command("rebuild", cls=BaseCommand, example=("mam projections rebuild",))
@store_options
@pass_session
def rebuild(session: Session) -> None:
    """Rebuild every table from the log alone, and drop the snapshots of encounters."""
    from projections.cache.registry import CACHED_PROJECTIONS
    from projections.cache.registry import rebuild as made_anew

    log = session.log()
    fights = len(log.encounters())
    with progress_bar(session, "Reading", fights * len(CACHED_PROJECTIONS)) as step:
        failed = made_anew(log, step)
    if session.json:
        render.json_line(
            {"tables": [table.name for table in CACHED_PROJECTIONS], "encounters": fights, "failed": sorted(failed)}
        )
    else:
        click.echo(
            f"{count_words(len(CACHED_PROJECTIONS), 'table')} of {count_words(fights - len(failed), 'encounter')} "
            "were built again."
        )
    _raise_failed(session, failed)


def _raise_failed(session: Session, failed: Mapping[str, MamError]) -> None:
    """Name every encounter that cannot be read, and raise the error of the first."""
    for encounter, error in failed.items():
        session.say(f"{encounter}: {error.sentence}")
    if failed:
        raise next(iter(failed.values()))
