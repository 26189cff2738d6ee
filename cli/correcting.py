"""What all corrections share: a look at what they would do, a question where that touches more, then the deed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from cli import output
from cli.options import Decorator, stacked

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.answers import Answer, Preview
    from mam_events.encounter.timeline import Timeline
    from mam_events.events import Step

correcting: Decorator = stacked(
    click.option("--reason", default="", metavar="TEXT", help="Why; it stands in the log."),
    click.option(
        "--preview", is_flag=True, help="Only show what it would do, and the --expect that names exactly this."
    ),
    click.option(
        "--expect", default="", metavar="VERSION:DIGEST", help="Do exactly what that preview showed, or nothing."
    ),
    click.option("--yes", is_flag=True, help="Do not ask, whatever it does to later rulings."),
)
"""The options of undo, redo and amend."""


class Manner(NamedTuple):
    """How a correction was asked for."""

    reason: str
    preview: bool
    expect: str
    yes: bool


def first_steps(session: Session, timeline: Timeline) -> Sequence[Step]:
    """The steps that this command id has already taken; none for a new one."""
    from cli.acting import clean_id
    from mam_events.events import Correction

    number, _ = timeline.ids.get(clean_id(session), (0, ""))
    head = timeline.heads[number - 1] if number else None
    return head.steps if isinstance(head, Correction) else ()


def carry_out(
    session: Session,
    steps: Sequence[Step],
    manner: Manner,
    *,
    touches_more: Callable[[Preview], bool],
    send: Callable[[str], Answer],
) -> None:
    """Preview the steps, ask where they touch more than was named, send them, and print what followed.

    Without a terminal nobody can be asked: then it takes --yes or --expect, else this is a usage error and nothing is
    written. `send` is given the `expect` that the log must find.
    """
    from cli.ruled import show_ruling

    timeline = session.timeline()
    before = timeline.state
    expect = manner.expect
    if not first_steps(session, timeline):
        found = session.log().preview(session.encounter(), steps)
        if manner.preview:
            show_preview(session, found)
            return
        if not expect and not manner.yes and touches_more(found):
            show_preview(session, found)
            ask(session, found, f"add --yes to do it, or --expect {found.expect} to do exactly what is shown")
            expect = found.expect
    show_ruling(session, send(expect), before)


def ask(session: Session, found: Preview, otherwise: str) -> None:
    """Ask whether to go on, in a question that says once more what it does; a usage error where nobody can be asked."""
    again = len(found.rejudged)
    what = f"This takes back {', '.join(map(str, found.struck))} and" if found.struck else "This"
    counts = [
        f"{number} {verdict}"
        for verdict in ("void", "changed")
        if (number := sum(1 for entry in found.rejudged if entry.verdict == verdict))
    ]
    what += f" judges {again} later {'ruling' if again == 1 else 'rulings'} again"
    what += f" ({', '.join(counts)})" if counts else ""
    if session.json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise click.UsageError(
            f"{what}: {otherwise}.",
            ctx=click.get_current_context(),
        )
    click.confirm(f"{what}. Do it?", abort=True, err=True)


def show_preview(session: Session, found: Preview, *, expect: bool = True) -> None:
    """Print what a correction or an insert would do, and (`expect`) the --expect that names exactly this."""
    from cli.ruled import print_verdicts, verdicts_json
    from mam_events.history import play
    from projections.pools import rows_of

    timeline = session.timeline()
    numbers = sorted({entry.ruling for entry in found.rejudged} | set(found.struck))
    shown = [play(timeline, number) for number in numbers]
    rows = rows_of(found.state, session.view) if found.state else []
    if session.json:
        output.json_line(
            {
                "preview": True,
                "encounter": found.encounter,
                "first": found.first,
                "struck": list(found.struck),
                "restored": list(found.restored),
                "verdicts": verdicts_json(session, shown, found.rejudged),
                "pools": [output.pools_json(row) for row in rows] if found.state else None,
                "expect": found.expect,
            }
        )
        return
    if found.struck:
        click.echo(f"takes back: {', '.join(map(str, found.struck))}")
    if found.restored:
        click.echo(f"brings back: {', '.join(map(str, found.restored))}")
    print_verdicts(session, shown, found.rejudged)
    output.pool_lines(rows)
    if expect:
        click.echo(f"--expect {found.expect}")
