"""Orders other than attack: in words, or one of the actions of a round of Ron d6."""

from __future__ import annotations

from typing import Any

import click

from cli.hints.synonyms import bare_words, missing_action_hint
from cli.orders.builder import build_command, parse_option_values
from cli.orders.interrupt import ALONE_OPTION, normalize_action_name
from cli.orders.submit import fill_from_right, require_argument, submit_order
from cli.session import Session, pass_session


@pass_session
def _act(session: Session, /, combatant: str | None, what: str | None, **typed: Any) -> None:
    values, words = parse_option_values(typed), (combatant, what)
    own = {field: values.pop(field) for field in ("points", "bonus")}
    if values["action"] is None:
        if session.counts_actions():
            raise missing_action_hint(session, words)
        _check_idle(
            [name for name, value in values.items() if value], "works only in a fight under Ron d6. Leave it out"
        )
        who, deed_words = fill_from_right(*words)
        fields = own | {"combatant": who, "what": require_argument(deed_words, "WHAT")}
        submit_order(session, "act", fields)
        return
    _check_idle([name for name, value in own.items() if value is not None], "does nothing with --action. Leave it out")
    who, what, values["target"] = bare_words(session, values["action"], words, values["target"])
    values |= {"combatant": who, "what": what}
    normalize_action_name(session, values)
    submit_order(session, "perform", values)


def _check_idle(names: list[str], how: str) -> None:
    if names:
        raise click.UsageError(f"--{names[0].replace('_', '-')} {how}.")


act = build_command("act", _act, "act", "perform", more=(ALONE_OPTION,))
