"""The command status: the fight on one screen, once or continuously."""

from __future__ import annotations

import sys
from contextlib import suppress
from time import sleep
from typing import TYPE_CHECKING

import click
import msgspec

from cli.command_class import command_decorator
from cli.output import render
from cli.session import Session, pass_session
from cli.shared_options import view_command_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.notes.disputes import Dispute
    from projections.state.status import FightStatus, StatusRow

POLL_SECONDS = 0.5
"""The seconds between two checks for new rulings."""
CLEAR = "\x1b[H\x1b[2J"


@command_decorator("status", "mam status", "mam status --as public", "mam status --watch")
@click.option("--watch", is_flag=True, help="Show the fight again after every change, until Ctrl-C.")
@view_command_options
@pass_session
def status(session: Session, watch: bool) -> None:
    """Show the fight on one screen: whose move it is, order, points, who holds whom, what is owed, what ends when."""
    if not watch:
        _show(session)
        return
    encounter, version = session.encounter(), -1
    with suppress(KeyboardInterrupt):
        while True:
            newest = session.log().application.recorder.last_version(encounter)
            if newest != version:
                version = newest
                if sys.stdout.isatty():
                    click.echo(CLEAR, nl=False)
                _show(session)
                sys.stdout.flush()
            sleep(POLL_SECONDS)


def _show(session: Session) -> None:
    from projections.state.status import fight_status

    state = session.timeline().state
    fight = fight_status(session.encounter(), state, session.redactor(), session.log().rules)
    open_ones = disputes(session)
    if session.json:
        render.json_line(msgspec.to_builtins(fight) | {"disputes": open_ones})
        return
    for line, style in lines(fight, open_ones):
        render.line(line, style, indent=6)


def disputes(session: Session) -> list[Dispute]:
    """Return the open disputes of the fight."""
    timeline = session.timeline()
    if not timeline.disputes:
        return []
    from mam_events.history.timeline.rulings import rulings
    from projections.notes.disputes import disputes_in
    from projections.rulings.index import RulingIndex

    return [row for row in disputes_in(RulingIndex(rulings(timeline), session.redactor())) if row.open]


def lines(fight: FightStatus, open_ones: list[Dispute]) -> Iterator[tuple[str, str]]:
    """Yield the lines of the status screen, each with its style."""
    yield f"{fight.title or fight.encounter} · {fight.rules}", "strong"
    yield fight.move, ""
    wide = max((render.painted_width(_name(one)) for one in fight.standings), default=0)
    for one in fight.standings:
        yield _line(one, wide, with_points=fight.spends_points), _style(one)
    for line in fight.owed:
        yield f"! {line}", "bad"
    for ending in fight.endings:
        source = ending.source.replace("_", " ")
        rule = f" [{ending.rule}]" if ending.rule else ""
        yield f"~ {ending.name}: {source} ({ending.value:+d}) {ending.until}{rule}", ""
    if open_ones:
        from projections.phrases import author_says
    for dispute in open_ones:
        yield (
            f"? {dispute.ruling}: {author_says(dispute.by, begins=False)} disputes {dispute.what}: {dispute.claim}",
            "",
        )


def _line(one: StatusRow, wide: int, *, with_points: bool) -> str:
    from projections.state.activities import doing_words
    from projections.state.status import ORDER_MARKS

    order = one.order
    mark = ORDER_MARKS.get(order.status, " ") if order else " "
    parts = [f"{mark} {render.pad(_name(one), wide)}"]
    if order and order.total is not None:
        parts.append(f"{order.total:2}")
    if one.points:
        parts += [
            render.pool_numbers_text(one.points.pools, with_points=with_points),
            render.bar(one.points.pools, with_points=with_points),
        ]
    words: list[str] = [order.status] if order and order.status in ("acting", "next") else []
    words += [f"{order.left} of {order.declared} actions left"] if order and order.declared else []
    words += ["waits"] if order and order.waits and order.left else []
    words += ["waits to strike back"] if order and order.prepared else []
    words += [one.condition] if one.condition != "able" else []
    words += [doing_words(one.doing)] if one.doing else []
    return "  ".join([*parts, ", ".join(words)]).rstrip()


def _name(one: StatusRow) -> str:
    return render.with_id(one.combatant, one.name)


def _style(one: StatusRow) -> str:
    if one.condition != "able":
        return "faint"
    return "strong" if one.order and one.order.status == "acting" else ""
