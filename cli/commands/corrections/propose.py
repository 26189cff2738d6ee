"""The commands propose, proposals, accept and refuse: orders that players suggest to the game master."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command_class import command_decorator, run_order
from cli.output import render
from cli.param_types import IntRange
from cli.session import Session, clean_argument, pass_session
from cli.shared_options import session_option, view_command_options, write_command_options
from mam_events.errors import Refused

if TYPE_CHECKING:
    from mam_events.commands import Command as Order


@command_decorator(
    "propose",
    'mam propose adjust --condition clone=out --reason "The clone fled" --by Ana',
    ignore_unknown_options=True,
    allow_interspersed_args=False,
)
@write_command_options
@click.argument("order", nargs=-1, required=True, type=click.UNPROCESSED, help="The order, as it is typed.")
@pass_session
def propose(session: Session, order: tuple[str, ...]) -> None:
    """Propose an order that you may not give yourself. Nothing changes until the game master accepts it."""
    session.instead_of_giving = _propose
    run_order(order)


def _propose(session: Session, order: Order) -> None:
    from cli.output.ruling import submit_note

    submit_note(session, "", kind="proposal", order=order)


@command_decorator("proposals", "mam proposals", "mam proposals --all --json")
@click.option("--all", "closed_too", is_flag=True, help="Also show decided ones.")
@view_command_options
@pass_session
def proposals(session: Session, closed_too: bool) -> None:
    """List the players' proposals: orders that wait until the game master accepts or refuses them."""
    from projections.notes.proposals import proposals as proposed
    from projections.phrases import author_words, because_of

    rows = [row for row in proposed(session.timeline(), session.redactor()) if row.open or closed_too]
    if session.json:
        for row in rows:
            render.json_line(row)
        return
    if not rows:
        click.echo("There was no proposal." if closed_too else "No proposal is waiting.")
        return
    render.print_table(
        ("", "proposes", "by, at (UTC)", "text", *(("is",) if closed_too else ())),
        [
            (
                str(row.ruling),
                row.what,
                f"{author_words(row.by)}, {row.at[:16].replace('T', ' ')}",
                row.text,
                *((f"{_decided(row.accepted_as, is_open=row.open)}{because_of(row.reason)}",) if closed_too else ()),
            )
            for row in rows
        ],
        right=(0,),
        fold=(1, 3),
        heading=(0, 1),
    )
    if first := next((row.ruling for row in rows if row.open), 0):
        session.suggest(f"{session.typed(f'mam accept {first}')}, or {session.typed(f'mam refuse {first}')}")


def _decided(accepted_as: int, *, is_open: bool) -> str:
    if is_open:
        return "open"
    return f"accepted by {accepted_as}" if accepted_as else "refused"


@command_decorator("accept", "mam accept 14", 'mam accept 14 --reason "He had the potion in hand"')
@click.argument("number", metavar="P", type=IntRange(1), help="The number of the proposal.")
@click.option("--reason", default="", metavar="TEXT", help="The reason, kept in the log.")
@session_option(
    "--yes", into="yes", own=True, is_flag=True, help="Do not ask, even if its order ends a turn or a round early."
)
@write_command_options
@pass_session
def accept(session: Session, number: int, reason: str) -> None:
    """Accept a proposal: its order is given now, and the log names who proposed it.

    To change a proposal, refuse it and give the order as you want it.
    """
    from cli.orders.confirmation import confirm_order
    from cli.output.ruling import print_result
    from mam_events.history.corrections.notes import proposed_order

    session.viewer().check_shown(number)
    if session.timeline().disputes.get(number) == 0:
        confirm_order(session, proposed_order(session.timeline().head(number)))
    answer, *_ = session.log().accept(
        session.encounter(),
        number,
        reason=clean_argument(reason),
        by=session.author,
        command_id=session.clean_command_id,
        expected=session.expected,
    )
    print_result(session, answer)


@command_decorator("refuse", 'mam refuse 14 --reason "It was spilt"')
@click.argument("number", metavar="P", type=IntRange(1), help="The number of the proposal.")
@click.option("--reason", default="", metavar="TEXT", help="The reason, kept in the log.")
@write_command_options
@pass_session
def refuse(session: Session, number: int, reason: str) -> None:
    """Refuse a proposal. It stays in the log with the reason."""
    from cli.output.ruling import submit_note
    from mam_events.events import Note
    from mam_events.refusals.arguments import RulingArgument

    session.viewer().check_shown(number)
    head = session.timeline().head(number)
    if not isinstance(head, Note) or head.kind != "proposal":
        raise Refused("no_proposal", number=RulingArgument(number), fields=("about",))
    submit_note(session, reason, kind="decision", about=number)
