"""The commands do and next: orders typed as lines (`mam do "a bram 15"`)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from cli.command_class import MissingArgument, command_decorator
from cli.output import render
from cli.registry import SECTIONS
from cli.session import Session, pass_session
from cli.shared_options import Decorator, compose, preview_options, write_command_options
from mam_events.errors import MamError, Refused
from projections.phrases import count_words

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from mam_events.notation.line_result import LineGiven, LineOptions

PASSED: dict[str, tuple[str, ...]] = {"interferes": ("interfere", "tackle")}
"""The reactions that a line need not stop for, by the setting of the table."""


def _complete(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from cli.completion import line_words

    return line_words(ctx, ctx.params.get("line") or (), incomplete)


of_lines: Decorator = compose(
    click.option(
        "--nobody-interferes",
        is_flag=True,
        help="Do not stop for those who can only interfere. They must announce it before the dice.",
    ),
    click.option("--ask-dice", is_flag=True, help="Draw no dice: every face must be typed."),
    preview_options("only show what a correction would do, and the --expect to do exactly this.", own=True),
)


@command_decorator(
    "do",
    'mam do "a clone ice p4 m2"',
    'mam do "d 6 2 1."',
    "mam do n",
    "mam do u",
    'mam do "amend 8 5 \'read wrong"',
    "mam do < evening.txt",
)
@click.argument(
    "line",
    nargs=-1,
    shell_complete=_complete,
    help="The orders, with dice last and ; between orders (from standard input, if left out).",
)
@of_lines
@write_command_options
@pass_session
def do(session: Session, line: Sequence[str], nobody_interferes: bool, ask_dice: bool) -> None:
    """Give orders as one short line.

    Words may be shortened as long as they are unique. Leave out what is clear: the turn, the exchange, the target, the
    weapon in hand. Points have a letter (p4 m2), dice come last, a full stop ends the turn. The line is written whole
    or not at all, and stops if somebody may react. The answer begins with the full order, which you can type too.
    """
    text = " ".join(line) if line else _typed_in()
    give_all(session, text, nobody_interferes=nobody_interferes, ask_dice=ask_dice)


@command_decorator("next", "mam next", "mam next a bram 15")
@click.argument("line", nargs=-1, help="An order of the combatant who is next, as a line.")
@of_lines
@write_command_options
@pass_session
def next_(session: Session, line: Sequence[str], nobody_interferes: bool, ask_dice: bool) -> None:
    """End the turn in progress and begin the next one."""
    give_all(session, " ".join(("n", *line)), nobody_interferes=nobody_interferes, ask_dice=ask_dice)


def _typed_in() -> str:
    """Return the text on standard input; raise a usage error if that is a terminal, or empty."""
    from cli.commands.fight.party import text_in

    text = "" if sys.stdin.isatty() else text_in("-", "score")[0]
    if not text.strip():
        raise click.UsageError("LINE is missing. Type a line of orders, or put the lines on standard input.")
    return text


def _point_to_command(error: MamError, line: str) -> None:
    """Raise a usage error if the unknown first word of a refused line is a command that only looks."""
    from cli.hints.synonyms import COMMAND_SYNONYMS

    word, *rest = line.split() or [""]
    (order_word, *_) = COMMAND_SYNONYMS.get(word, (word,))
    if error.wrong == word and order_word in (*SECTIONS["Look"], *SECTIONS["Ask"]):
        command = " ".join((order_word, *filter(str.isdecimal, rest)))
        raise MissingArgument(
            f"'{word}' is a command and not an order. Type mam {command}.", f"mam {command}"
        ) from error


def give_all(session: Session, text: str, *, nobody_interferes: bool, ask_dice: bool) -> None:
    """Give each line of a text, until one is refused or stops for a reaction."""
    from mam_events.notation.lexer.normalize import lines_in

    lines = [line for line in lines_in(text) if not line.startswith("# ")] or [text]
    if lines[1:] and (session.command_id or session.expect or session.expected is not None or session.previews):
        raise click.UsageError(
            f"--command-id, --expect, --expect-version and --preview need a single line, not {len(lines)}. "
            "Give one line at a time."
        )
    for at, line in enumerate(lines, 1):
        try:
            goes_on = give(session, line, nobody_interferes=nobody_interferes, ask_dice=ask_dice)
        except MamError as error:
            if lines[1:]:
                render.print_notice(f"line {at} of {len(lines)}: {line}")
            _point_to_command(error, line)
            raise
        if not goes_on and lines[at:]:
            remaining = len(lines) - at
            were = "was" if remaining == 1 else "were"
            render.print_notice(
                f"Line {at} of {len(lines)} stopped. {count_words(remaining, 'line')} after it {were} not given."
            )
            return


def give(session: Session, line: str, *, nobody_interferes: bool, ask_dice: bool) -> bool:
    """Give a line and print the result; return False if the line stopped.

    If the line corrects more than it names, this asks first.
    """
    from cli.commands.corrections.preview import confirm, confirm_preview, stop_before
    from cli.orders.confirmation import question_about
    from cli.output.line_result import show_line
    from mam_events.notation.line_result import LineOptions

    session.line = line
    before = session.timeline().state
    passing = PASSED["interferes"] if nobody_interferes else ()

    def sent(*, sure: bool, expect: str) -> LineGiven:
        looks = session.previews and not sure
        options = LineOptions(expect=expect, sure=sure, looks=looks, passing=passing, draws=not ask_dice)
        return send(session, line, options)

    stop = 0
    try:
        result = sent(sure=session.yes and not session.previews, expect="" if session.previews else session.expect)
    except Refused as no:
        question = question_about(session, no, before)
        if question is None:
            raise
        confirm(session, question.what.removesuffix("."), f"add --yes to {question.doing} anyway")
        result = sent(sure=True, expect="")
    if result.asks is not None:
        decision = confirm_preview(session, result.asks, asks=True)
        if decision is None:
            return False
        stop = decision.stop
        result = sent(sure=True, expect=decision.expect)
    show_line(session, result, goes_on=bool(stop))
    if stop:
        stop_before(session, stop, result.answers[-1])
    return not (stop or result.stopped)


def send(session: Session, line: str, options: LineOptions) -> LineGiven:
    """Send a line to the log, local or remote, with the rights of this view."""
    expected = options.expected if session.expected is None else session.expected
    options = replace(
        options, by=session.author, command_id=session.clean_command_id, expected=expected, author=session.line_author()
    )
    return session.log().give_line(session.encounter(), line, options)
