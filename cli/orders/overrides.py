"""Doing something other than attack: in words, or one of the actions of a round of Ron d6."""

from __future__ import annotations

from typing import Any

import click

from cli.hints.synonyms import bare_words, unnamed_action
from cli.orders.builder import made, values
from cli.orders.interrupt import ALONE, deed
from cli.orders.submit import order, required, rightmost
from cli.session import Session, pass_session


@pass_session
def _act(session: Session, /, combatant: str | None, what: str | None, **typed: Any) -> None:
    said, words = values(typed), (combatant, what)
    own = {field: said.pop(field) for field in ("points", "bonus")}
    if said["action"] is None:
        if session.counts_actions():
            raise unnamed_action(session, words)
        _check_idle([name for name, value in said.items() if value], "belongs to --action")
        who, deed_words = rightmost(*words)
        fields = own | {"combatant": who, "what": required(deed_words, "WHAT")}
        order(session, "act", fields)
        return
    _check_idle([name for name, value in own.items() if value is not None], "is of no use with --action")
    who, what, said["target"] = bare_words(session, said["action"], words, said["target"])
    said |= {"combatant": who, "what": what}
    deed(session, said)
    order(session, "perform", said)


def _check_idle(names: list[str], how: str) -> None:
    if names:
        raise click.UsageError(f"--{names[0].replace('_', '-')} {how}.")


act = made("act", _act, "act", "perform", more=(ALONE,))
