"""The tables beside the log, made anew from nothing."""

from __future__ import annotations

import click

from cli import output
from cli.catalogue import CATALOGUE
from cli.options import Command, Family, of_store
from cli.progress import working
from cli.session import Session, pass_session
from projections.wording import counted


@click.group("projections", cls=Family, short_help=CATALOGUE["projections"].short, example=("mam projections rebuild",))
@of_store
@pass_session
@click.pass_context
def projections(ctx: click.Context, session: Session) -> None:
    """Show the tables kept beside the log, and make them anew.

    What they say follows from the log, so that nothing is lost with them, and they are caught up whenever one of them
    is asked. An SQLite tool finds them in the table `projected`, as JSON.
    """
    from projections.tables import TABLES

    if ctx.invoked_subcommand:
        return
    log = session.log()
    versions = log.store.versions()
    rows = [(table.name, *table.count(log, versions)) for table in TABLES]
    if session.json:
        for name, kept, behind in rows:
            output.json_line({"table": name, "kept": kept, "behind": behind})
        return
    told = [(name, str(kept), str(behind), str(len(versions) - kept - behind)) for name, kept, behind in rows]
    output.table(("table", "up to date", "behind", "not asked for yet"), told, right=(1, 2, 3))


@projections.command("rebuild", cls=Command, example=("mam projections rebuild",))
@of_store
@pass_session
def rebuild(session: Session) -> None:
    """Make every table anew from the log alone."""
    from projections.tables import TABLES
    from projections.tables import rebuild as made_anew

    log = session.log()
    fights = len(log.encounters())
    with working(session, "Reading", fights * len(TABLES)) as step:
        failed = made_anew(log, step)
    if session.json:
        output.json_line({"tables": [table.name for table in TABLES], "encounters": fights, "failed": sorted(failed)})
    else:
        click.echo(f"{counted(len(TABLES), 'table')} of {counted(fights - len(failed), 'encounter')} made anew")
    for encounter, error in failed.items():
        # Each is told; the first one says how this ends.
        session.say(f"{encounter}: {error.sentence}")
    if failed:
        raise next(iter(failed.values()))
