"""The commands migrate and copy: a store created in PostgreSQL, or copied to another place."""

from __future__ import annotations

import click

from cli.command_class import command_decorator
from cli.output import render
from cli.session import Session, pass_session
from cli.shared_options import store_options
from mam_events.errors import BadInput
from projections.phrases import count_words


@command_decorator(
    "migrate",
    "mam migrate --store postgresql://mam@db/fights",
    "mam migrate --store postgresql://owner@db/fights --grant mam",
)
@click.option("--grant", "role", default="", metavar="ROLE", help="Give this role only the rights a service needs.")
@store_options
@pass_session
def migrate(session: Session, role: str) -> None:
    """Create the tables of a log in a PostgreSQL database, or update them to this version.

    Several processes may run it at once. The role that runs it owns the tables. A service may run as another role
    (--grant), which can only add to the log, through one function, and can change or delete nothing.
    """
    from mam_events.store import is_postgres

    if not is_postgres(session.store_path):
        raise BadInput(
            "--store must be an address of PostgreSQL, like postgresql://user@host/database. A file needs no migration."
        )
    try:
        from mam_events.store.postgres_connections import redact_url
        from mam_events.store.postgres_schema import FORMAT
        from mam_events.store.postgres_schema import migrate as make
    except ImportError:
        raise BadInput(
            "--store needs the extra `postgres`, which is not installed: pip install 'mam-events[postgres]'."
        ) from None
    name = redact_url(session.store_path)
    before = make(session.store_path, name, role=role)
    if session.json:
        render.json_line({"store": name, "before": before, "format": FORMAT, "granted": role})
        return
    done = "holds a log now" if not before else "is up to date" if before == FORMAT else f"is of format {FORMAT} now"
    click.echo(f"{name} {done}{f', and {role} may serve it' if role else ''}")


@command_decorator(
    "copy", "mam copy mam.db postgresql://mam@db/fights", "mam copy postgresql://mam@db/fights friday.db"
)
@click.argument("source", metavar="FROM", help="A store: a file, or an address of PostgreSQL.")
@click.argument("target", metavar="TO", help="A new file, or a migrated database without fights.")
@store_options
@pass_session
def copy(session: Session, source: str, target: str) -> None:
    """Copy every encounter of a store into another one, row for row, with the seeds of the dice, and verify the copy.

    Tokens are copied too. Later writes to a copied encounter are not included.
    """
    from cli.output.progress import progress_bar
    from mam_events.archive import copy_store
    from mam_events.log.combat_log import CombatLog

    with CombatLog.open(source, create=False) as one:
        encounters = len(one.encounters())
        with progress_bar(session, f"Copying {one.application.label}", encounters) as step:
            report = copy_store(one, target, step)
    if session.json:
        render.json_line(
            {"from": source, "to": target, "encounters": len(report.encounters), "rulings": report.rulings}
        )
        return
    click.echo(
        f"{count_words(len(report.encounters), 'encounter')}, {count_words(report.rulings, 'ruling')} copied, "
        "all seals are right"
    )
