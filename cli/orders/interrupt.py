"""Deeds of a round of Ron d6, as they are typed: an action of the list, and what goes into its roll."""

from __future__ import annotations

from typing import Any

import click

from cli.orders.builder import order_command
from cli.session import Session

ALONE_OPTION = click.Option(["--alone"], is_flag=True, help="Without the related skills that wait.")


def normalize_action_name(_: Session, said: dict[str, Any]) -> None:
    """The action as it is named: as the list has it, `run_away` for "Run away", without what waits if it is alone."""
    if said.get("action"):
        said["action"] = "_".join(said["action"].lower().replace("-", " ").split())
    if said.pop("alone"):
        said["related"] = []


interrupt = order_command("interrupt", more=(ALONE_OPTION,))(normalize_action_name)
