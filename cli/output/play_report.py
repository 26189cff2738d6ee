"""Reports of played fight files: each ruling, all pools at the end, and the place of an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.output import render
from cli.output.ruling import say_next
from mam_events.history.timeline.rulings import rulings
from projections.phrases import count_words
from projections.state.activities import activities
from projections.state.pools import PoolRow, rows_of, spends_points

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.fights import PlayReport


def _show_rulings(session: Session, report: PlayReport) -> None:
    """Print the line of each ruling of a fight, with all pools after it."""
    from projections.rulings.log_lines import log_line_text, log_lines

    redactor = session.redactor()
    before: list[PoolRow] = []
    lines = log_lines(rulings(session.log().timeline(report.encounter)), redactor)
    for line, answer in zip(lines, report.answers, strict=True):
        render.line(log_line_text(line), indent=13)
        rows = rows_of(answer.state, redactor)
        with_points = spends_points(answer.state)
        if with_points or rows != before:
            render.pools_in_a_row(rows, with_points=with_points)
        before = rows


def show_report(session: Session, report: PlayReport) -> None:
    """Print the result of a fight file: how much of it is in the log, the pools now, and the place of an error."""
    broken = report.broken
    session.speak_of(report.encounter)
    timeline = session.log().timeline(report.encounter)
    state = timeline.state
    rows, doing = rows_of(state, session.redactor()), activities(state, session.redactor())
    if session.json:
        totals = (
            None
            if broken is None
            else {
                "place": broken.place,
                "code": broken.error.code,
                "rule": broken.refusal.rule,
                "sentence": session.error_sentence(broken.error),
            }
        )
        render.json_line(
            {
                "encounter": report.encounter,
                "rulings": len(report.answers),
                "pools": [render.pools_json(row, doing) for row in rows],
                "broken": totals,
            }
        )
    else:
        if not session.quiet:
            _show_rulings(session, report)
        count = len(report.answers)
        click.echo(f"{report.encounter}: {count_words(count, 'ruling')}, round {state.round}")
        render.print_pools(rows, doing, with_points=spends_points(state))
    if broken is not None:
        raise broken.refusal
    if not session.json:
        say_next(session, timeline)
