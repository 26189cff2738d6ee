"""Initiative: settled by reach, surprise or circumstance, or rolled anew every round."""

from __future__ import annotations

from typing import Any

import click

from cli.orders.builder import made, ordered, run
from cli.session import Session, pass_session
from cli.shared_options import Family, Lacking


@pass_session
@click.pass_context
def _settle(ctx: click.Context, session: Session, /, **typed: Any) -> None:
    if not ctx.invoked_subcommand:
        run("initiative", None, session, typed)


EVERYBODY = click.Option(
    ["--all", "everybody"], is_flag=True, help="Everybody who can act and has not rolled in this round."
)


@ordered("roll-initiative", name="roll", more=(EVERYBODY,))
def roll(session: Session, said: dict[str, Any]) -> None:
    """Those who are named roll, or everybody who has not."""
    if not (said.pop("everybody") or said["combatants"]):
        from cli.hints.next_steps import ready_to_type

        steps = ready_to_type(session, session.timeline())
        rolls = next((step for step in steps if step.startswith("mam initiative roll")), "")
        raise Lacking("Say who rolls, or --all.", rolls)


initiative = made("initiative", _settle, "initiative", kind=Family)
assert isinstance(initiative, Family)  # noqa: S101 - as it was made
initiative.add_command(roll)
