"""The question before an order that is probably a mistake while the fight goes on, like closing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.commands import Command
    from mam_events.errors import Refused
    from mam_events.history.corrections.confirmation import ClosingDoubt
    from mam_events.state import Encounter


def confirm_order(session: Session, command: Command) -> None:
    """Ask before an order that is probably a mistake in the fight as the view knows it.

    Raises MissingArgument if nobody can be asked.
    """
    from cli.commands.corrections.preview import confirm
    from cli.orders.legal import is_legal
    from mam_events.history.corrections.confirmation import CONFIRMED_ORDERS, closing_doubt
    from projections.visibility.player_author import visible_state

    if (
        not isinstance(command, CONFIRMED_ORDERS)
        or session.yes
        or session.timeline().head_with_id(session.clean_command_id)
    ):
        return
    # Don't ask about an order that is refused anyway.
    doubt = closing_doubt(command, visible_state(session.state_then(), session.redactor()), _disputes(session))
    if doubt and is_legal(session, command):
        confirm(session, doubt.what.removesuffix("."), f"add --yes to {doubt.doing} anyway")


def question_about(session: Session, no: Refused, state: Encounter) -> ClosingDoubt | None:
    """Return the doubt because of which a line was refused, as the view knows the fight; None for other refusals."""
    from mam_events.commands import COMMANDS, Declare, EndTurn, Heal, Wait
    from mam_events.history.corrections.confirmation import ASKED_IN_LINES, NEEDS_SURE, closing_doubt, doubt_of
    from projections.visibility.player_author import visible_state

    if brings_up := doubt_of(no):
        return brings_up
    kind = COMMANDS.get(no.order)
    if no.code != NEEDS_SURE or kind is None or not issubclass(kind, ASKED_IN_LINES):
        return None
    # The question is the same for every combatant.
    order = kind("") if issubclass(kind, Heal | Declare | EndTurn | Wait) else kind()
    return closing_doubt(order, visible_state(state, session.redactor()), _disputes(session))


def _disputes(session: Session) -> list[int]:
    """Return the open disputes that the view sees."""
    from mam_events.history.corrections.notes import open_disputes

    sees = session.viewer().sees
    return [number for number in open_disputes(session.timeline()) if sees(number)]
