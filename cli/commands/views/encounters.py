"""The command encounters: all encounters of the store."""

from __future__ import annotations

import click

from cli.command_class import command_decorator
from cli.output import render
from cli.session import Session, pass_session
from cli.shared_options import list_command_options


@command_decorator("encounters", "mam encounters", "mam encounters --outcomes --json")
@click.option("--outcomes", is_flag=True, help="Who stands and who fell, instead of rules and dates.")
@list_command_options
@pass_session
def encounters(session: Session, outcomes: bool) -> None:
    """List the encounters of the store, the oldest first."""
    from projections.cache.encounters import encounters as listed

    if outcomes:
        _print_outcomes(session)
        return
    rows = listed(session.log(), session.view)
    if session.json:
        for name, row in rows.items():
            render.json_line(row, encounter=name)
        return
    if not rows:
        click.echo("There is no encounter yet. Begin one with `mam new`.")
        return
    render.print_table(
        ("encounter", "title", "is", "rules", "round", "rulings", "last (UTC)", "by", ""),
        [
            (
                name,
                row.title,
                row.status,
                row.ruleset or row.preset,
                str(row.round),
                str(row.rulings),
                row.last_at[:16].replace("T", " "),
                row.last_by,
                f"branch of {row.branch_of} after {row.behind}" if row.branch_of else "",
            )
            for name, row in rows.items()
        ],
        right=(4, 5),
        fold=(1, 7, 8),
    )


def _print_outcomes(session: Session) -> None:
    from projections.analysis.what_if import fallen_words, standing_words
    from projections.cache.registry import OUTCOME_TABLE

    endings = dict(OUTCOME_TABLE.rows(session.log(), session.view))
    if session.json:
        for name, end in endings.items():
            render.json_line(end, encounter=name)
        return
    rows = [(name, str(end.rounds), standing_words(end), fallen_words(end)) for name, end in endings.items()]
    render.print_table(("encounter", "rounds", "standing", "fell"), rows, right=(1,), fold=(2, 3))
