"""The command initiative: settled by reach, surprise or circumstance, or rolled again in each round."""

from __future__ import annotations

from typing import Any

import click

from cli.command_class import CommandGroup, MissingArgument
from cli.orders.builder import build_command, order_command, submit_typed_order
from cli.session import Session, pass_session


@pass_session
@click.pass_context
def _settle(ctx: click.Context, session: Session, /, **values: Any) -> None:
    if not ctx.invoked_subcommand:
        submit_typed_order("initiative", None, session, values)


EVERYBODY_OPTION = click.Option(
    ["--all", "everybody"], is_flag=True, help="Roll for everybody who can act and has not rolled this round."
)


@order_command("roll-initiative", name="roll", more=(EVERYBODY_OPTION,))
def roll(session: Session, values: dict[str, Any]) -> None:
    """Those who are named roll, or everybody who has not."""
    if not (values.pop("everybody") or values["combatants"]):
        from cli.hints.next_steps import ready_to_type

        steps = ready_to_type(session, session.timeline())
        rolls = next((step for step in steps if step.startswith("mam initiative roll")), "")
        raise MissingArgument("Name those who roll, or use --all.", rolls)


initiative = build_command("initiative", _settle, "initiative", kind=CommandGroup)
assert isinstance(initiative, CommandGroup)  # noqa: S101 - as it was made
initiative.add_command(roll)
