"""The orders as a JSON Schema, for programs that give or check them."""

from __future__ import annotations

import json

import click

from cli.command_class import command_decorator
from cli.output import render
from cli.session import Session, pass_session
from cli.shared_options import store_options


def _orders(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    from mam_events.commands import COMMANDS

    return sorted(name for name in COMMANDS if name.startswith(incomplete))


@command_decorator("schema", "mam schema", "mam schema attack", "mam schema --json")
@click.argument("order", required=False, shell_complete=_orders, help="The order (all, if left out).")
@store_options
@pass_session
def schema(session: Session, order: str | None) -> None:
    """Print the orders as a JSON Schema.

    It describes the fields of every order, with choices, units and examples, for fight files and JSON.
    """
    from mam_events.schema import schema as schema_of

    document = schema_of(order or "")
    if session.json:
        render.json_line(document)
    else:
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
