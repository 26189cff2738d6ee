"""A copy of the whole store, taken while it is in use."""

from __future__ import annotations

from pathlib import Path

import click

from cli.command_class import command_decorator
from cli.output import render
from cli.session import Session, pass_session
from cli.shared_options import store_options
from mam_events.errors import BadInput
from projections.phrases import count_words

_PAGE = 4096


@command_decorator("backup", "mam backup friday.db", "mam backup --store league.db league-friday.db")
@click.argument("file", metavar="FILE", help="The new file; an existing file is never overwritten.")
@store_options
@pass_session
def backup(session: Session, file: str) -> None:
    """Copy the whole store into a new file, and verify every encounter of the copy.

    The store may be in use meanwhile. The copy is a store like any other (--store FILE). It contains the dice seeds, so
    only its owner may read it.
    """
    from cli.output.progress import progress_bar
    from mam_events.archive import back_up

    if file == "-":
        raise BadInput("A backup cannot be printed. Name a file, like friday.db.", place="-")
    log = session.log()
    pages = log.application.factory.path.stat().st_size // _PAGE if log.application.factory.path else 0
    copied = 0

    with progress_bar(session, f"Copying into {file}", pages) as step:

        def show(pages_left: int) -> None:
            nonlocal copied
            while copied < pages - pages_left:
                copied += 1
                step()

        report = back_up(log, Path(file), copied=show)
    if session.json:
        render.json_line({"file": file, "encounters": len(report.encounters), "rulings": report.rulings})
        return
    click.echo(
        f"{file}: {count_words(len(report.encounters), 'encounter')}, {count_words(report.rulings, 'ruling')}, "
        "all seals are right"
    )
