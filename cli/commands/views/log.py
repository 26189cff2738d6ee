"""The command log: the fight line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command_class import command_decorator
from cli.commands.views.moments import rulings_until
from cli.output import render
from cli.param_types import IntRange
from cli.session import Session, pass_session
from cli.shared_options import moment_option, view_command_options

if TYPE_CHECKING:
    from projections.rulings.log_lines import LogLine


@command_decorator(
    "log", "mam log", "mam log 17", "mam log --last 5", "mam log --as-of 21", "mam log --as public --json"
)
@click.argument("ruling", required=False, type=IntRange(1), help="Only that ruling (all, if left out).")
@click.option("--last", type=IntRange(1), metavar="N", help="Only the last N rulings.")
@moment_option
@view_command_options
@pass_session
def log(session: Session, ruling: int | None, last: int | None, moment: str | None, as_of: int | None) -> None:
    """Show the fight line by line, undone lines too.

    A line begins with ruling, round and turn: `#17 r2 t1`. Before the first turn of a round the turn is left out. Dice
    are in brackets: [6] was thrown at the table, [6*] drawn, [6!] amended. Marks: ↶ undone, with who and why, ✗ void, ~
    amended or judged again, ? disputed, § answered or decided, ↳ inserted, ↷ an undone correction, ◑ hidden from all
    but those it names, ▒ hidden from this view. A line with – instead of a number is a missed turn that a correction
    lets pass, so that the ruling below it stays valid. Dice that were drawn and then undone are listed at the end of
    the whole log.
    """
    from projections.analysis.undone_dice import undone_dice, undone_dice_sentence
    from projections.rulings.log_lines import log_lines

    # Load the whole timeline even for --last, because those lines may refer to earlier rulings.
    timeline = session.timeline(as_of)
    if ruling is not None:
        timeline.head(ruling)
    redactor = session.redactor()
    lines = log_lines(rulings_until(timeline, moment, redactor), redactor, (last or 0) if ruling is None else 0)
    for line in lines if ruling is None else [one for one in lines if one.number == ruling]:
        if session.json:
            render.json_line(line)
        else:
            print_log_line(line)
    shows_all = ruling is None and last is None and moment is None
    if shows_all and not session.json and (words := undone_dice_sentence(undone_dice(timeline, redactor))):
        render.line(words, indent=2)


def print_log_line(line: LogLine) -> None:
    """Print one line of the log after its bookkeeping.

    A ruling that does not count is struck through, with the reason after it.
    """
    from projections.rulings.log_lines import bookkeeping_lines, line_text, log_line_text

    for quiet in bookkeeping_lines(line):
        render.line(quiet, "faint", indent=15)
    style = "struck" if line.struck or line.void else "faint" if line.hidden else ""
    render.line(log_line_text(line), style, indent=13, upto=None if line.hidden else len(line_text(line)))
