"""Actions in a round of Ron d6 as they are typed: the listed action, and what goes into its roll."""

from __future__ import annotations

from typing import Any

import click

from cli.orders.builder import order_command
from cli.session import Session

ALONE_OPTION = click.Option(["--alone"], is_flag=True, help="Leave out the related skills that wait.")


def normalize_action_name(_: Session, fields: dict[str, Any]) -> None:
    """Change the action's name to the listed one (`run_away` for "Run away"); with `alone` clear the related rolls."""
    if fields.get("action"):
        fields["action"] = "_".join(fields["action"].lower().replace("-", " ").split())
    if fields.pop("alone"):
        fields["related"] = []


interrupt = order_command("interrupt", more=(ALONE_OPTION,))(normalize_action_name)
