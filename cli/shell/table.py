"""The command table: a shell for the game, on a terminal or with lines from a pipe."""

from __future__ import annotations

import sys

import click

from cli.command_class import command_decorator
from cli.commands.fight.do import PASSED
from cli.output import render
from cli.session import Session, pass_session
from cli.shared_options import complete_encounter, global_options
from mam_events.errors import NotFound, Refused
from mam_events.refusals.suggestions import suggestion_text


def _decline() -> bool:
    """Decline a correction that changes more, because nobody can be asked."""
    render.print_notice("This changes more rulings than it names. To do it, put a ! at the end.")
    return False


def _check_fight(session: Session, fight: str) -> None:
    """Raise NotFound for an unknown fight, with the nearest name."""
    names = session.log().encounters()
    if fight not in names:
        near = suggestion_text(fight, names)
        message = (
            f'There is no encounter "{fight}". {near} To begin a fight called {fight}, type new {fight} at the table.'
        )
        raise NotFound(message, wrong=fight, allowed=names)


@command_decorator("table", "mam table", "mam table duel", "mam table duel --dice ask --nobody-interferes")
@click.argument(
    "fight",
    required=False,
    shell_complete=complete_encounter,
    help="The encounter (the open one last played, if left out).",
)
@click.option("--dice", type=click.Choice(("ask", "draw")), default="draw", help="Draw dice that are not typed (draw).")
@click.option("--nobody-interferes", is_flag=True, help="Do not stop for those who can only interfere.")
@global_options
@pass_session
def table(session: Session, fight: str | None, dice: str, nobody_interferes: bool) -> None:
    """Play a session in a shell: short lines, completion of legal orders, everybody's state in view.

    Lines are those of `mam do`. Commands that only show something (`status`, `log`, `odds`, `explain 17`) are typed
    without `mam`. Enter alone uses dice that were typed too early. Dice that nobody typed are drawn when you press
    Enter again or type `r`. `?` explains the word before it, and a line with a `?` is not given. F2 picks a ruling, Tab
    completes. Lines from a pipe do the same, but nothing is asked: missing dice are drawn, and a correction that
    changes later rulings needs a `!` at its end.
    """
    from cli.shell.repl import Repl
    from mam_events.archive.input_files import decode_text

    if session.view != "gm":
        raise Refused("not_yours/table")
    if fight:
        _check_fight(session, fight)
        session.encounter_name = fight
    repl = Repl(session, _decline)
    repl.draws = dice == "draw"
    repl.passing = PASSED["interferes"] if nobody_interferes else ()
    # Hints are shell commands; here the prompt and the toolbar show what is next.
    session.quiet = True
    if sys.stdin.isatty() and sys.stdout.isatty() and not session.json:
        from cli.shell.prompt import run_prompt

        # Clear the toolbar that a killed table left.
        click.echo("\x1b[J", nl=False)
        run_prompt(session, repl)
        return
    for number, raw in enumerate(sys.stdin.buffer, 1):
        line = decode_text(raw, "standard input", number - 1)
        if line.strip() and not line.lstrip().startswith("#"):
            repl.place = f"line {number}"
            repl.answer(line.strip("\n"))
        if repl.over:
            break
    if repl.refused:
        click.get_current_context().exit(1)
