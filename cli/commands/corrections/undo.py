"""The commands undo and redo; a preview is shown first if later rulings change."""

from __future__ import annotations

from functools import partial

import click

from cli.command_class import command_decorator
from cli.commands.corrections.preview import first_steps, run_correction
from cli.param_types import IntRange
from cli.session import Session, clean_argument, pass_session
from cli.shared_options import correction_command_options, write_command_options


@command_decorator(
    "undo",
    "mam undo",
    'mam undo 6 --reason "The defense came too late" --preview',
    "mam undo 7 --only --yes",
    "mam undo 10 --rewind",
)
@click.argument(
    "ruling",
    required=False,
    type=IntRange(1),
    help="The ruling to undo, with its exchange (the last one, if left out).",
)
@click.option("--only", is_flag=True, help="That ruling alone, not the rest of its exchange.")
@click.option("--rewind", is_flag=True, help="Everything from that ruling on.")
@correction_command_options
@write_command_options
@pass_session
def undo(session: Session, ruling: int | None, only: bool, rewind: bool, reason: str) -> None:
    """Undo the last ruling, or one in the middle.

    Orders given together (one line, `--count`) are undone together. Everything after them is judged again: the same
    orders, the same dice, other points. First you see every verdict: stands, carried (the same, with other totals),
    changed, void (no longer allowed). Nothing is deleted, and `mam redo` restores it.
    """
    from mam_events.history.corrections.undo import undo_steps

    if only and rewind:
        raise click.UsageError("Use --only or --rewind, not both.")
    if ruling is None and (only or rewind):
        raise click.UsageError("--only and --rewind need the number of a ruling, as in mam undo 17 --only.")
    session.insist_on_latest()
    timeline = session.timeline()
    if ruling is not None:
        session.viewer().check_shown(ruling)
    done = first_steps(session, timeline)
    steps = done or undo_steps(timeline, ruling, only=only, rewind=rewind, sees=session.viewer().sees)
    # Send "the last" by its numbers: if two people undo it at once, only one ruling is undone.
    send = (
        partial(
            session.log().undo, session.encounter(), ruling, only=only, rewind=rewind, reason=clean_argument(reason)
        )
        if ruling
        else partial(session.log().correct, session.encounter(), steps, reason=clean_argument(reason))
    )
    alternative = f"use --only to undo ruling {ruling} alone" if ruling and len(steps) > 1 and not rewind else ""
    run_correction(session, steps, send, rewind=rewind, alternative=alternative)


@command_decorator("redo", "mam redo", "mam redo 22 --preview")
@click.argument(
    "correction", required=False, type=IntRange(1), help="The number of the undo to redo (the newest, if left out)."
)
@correction_command_options
@write_command_options
@pass_session
def redo(session: Session, correction: int | None, reason: str) -> None:
    """Restore what was undone.

    It returns to its old place. Everything played since is judged again, and you see the verdicts first.
    """
    from mam_events.history.corrections.undo import redo_steps

    session.insist_on_latest()
    timeline = session.timeline()
    if correction is not None:
        session.viewer().check_shown(correction)
    steps = first_steps(session, timeline) or redo_steps(timeline, correction, sees=session.viewer().sees)
    number = correction or steps[0].ruling

    send = partial(session.log().redo, session.encounter(), number, reason=clean_argument(reason))
    run_correction(session, steps, send)
