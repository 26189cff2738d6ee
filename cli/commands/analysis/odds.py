"""The command odds: the chance of each outcome of an order before its dice are rolled."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import click
import msgspec

from cli.command_class import MissingArgument, command_decorator, run_order
from cli.orders.syntax import COMMAND_ALIASES
from cli.output import render
from cli.output.progress import progress_bar
from cli.registry import COMMANDS_BY_NAME
from cli.session import Session, pass_session
from cli.shared_options import view_command_options
from mam_events.errors import BadInput
from mam_events.values import OutcomeField
from projections.phrases import join_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mam_events.commands import Command
    from mam_events.state import Encounter
    from projections.analysis.odds import Chances, Harm, Odds, Total


ROLLING_ORDERS = ("act", "interrupt", "initiative", "move-up", "roll-related")
"""Orders of a round of Ron d6 that roll."""


@command_decorator(
    "odds",
    "mam odds",
    "mam odds attack clone 4 2",
    "mam odds a clone p4 m2",
    "mam odds resolve 5 --json",
    ignore_unknown_options=True,
    allow_interspersed_args=False,
)
@view_command_options
@click.argument("order", nargs=-1, type=click.UNPROCESSED, help="An order as it is typed (resolve, if left out).")
@pass_session
def odds(session: Session, order: tuple[str, ...]) -> None:
    """Show how likely every outcome of an order is, before its dice are thrown: of the open exchange, or of any order.

    Nothing is written. Every possible fall of the dice is judged as the order itself would be, so house rules, armor
    and what the game master adds (--situation) count. Faces that are given are fixed. An order that begins an exchange
    is judged as if it were resolved at once, with what has been declared against it.
    """
    if not order and session.counts_actions():
        raise _missing_order(session)
    if order and (order_and_state := _as_line(session, order)):
        show_odds(session, *order_and_state)
        return
    session.instead_of_giving = show_odds
    run_order(order or ("resolve",))


def _as_line(session: Session, words: Sequence[str]) -> tuple[Command, Encounter] | None:
    """Return the order that those words are in line notation, and the fight in which the line would give it.

    Returns None for words typed as a command: with options, or with the name of one. At the table, words with the name
    of a command are tried as a line first.
    """
    from mam_events.commands import COMMANDS
    from mam_events.notation.context import TurnStart
    from mam_events.notation.lexer.lexer import orders_in
    from mam_events.notation.orders.open_references import resolve_open_references
    from mam_events.notation.orders.parser import complete_order, parse_order
    from mam_events.notation.orders.turn_orders import begins_turn
    from projections.analysis.order_odds import state_after_order

    command = words[0] in (*COMMANDS, *COMMAND_ALIASES.values())
    if any(word.startswith("-") and not word[1:].isdecimal() for word in words) or (command and not session.at_table):
        return None
    timeline, state, rules = session.timeline(), session.state_then(), session.log().rules
    fight = session.line_author().fight(timeline, state, rules)
    try:
        read, _ = parse_order(fight, orders_in(" ".join(words))[0])
        if begins_turn(fight, read):
            begins = complete_order(fight, TurnStart(str(fight.state.next_up)))[0].command
            state = state_after_order(state, rules, begins, timeline.number + 1)
            fight = session.line_author().fight(timeline, state, rules)
        long_order, faces = complete_order(fight, read)
    except BadInput:
        if command or words[0] in COMMANDS_BY_NAME:
            return None
        raise
    if faces:
        # Numbers without a letter are points in a typed command, but dice in a line.
        if command:
            return None
        raise BadInput(f"Odds are worked out before the dice fall. Leave {' '.join(faces)} out.")
    return resolve_open_references(long_order.command, long_order.left_out, state), state


def _missing_order(session: Session) -> MissingArgument:
    """Return the error for a missing order; its hint is the likeliest order with a roll."""
    from cli.hints.next_steps import ready_to_type

    lines = (line.split(maxsplit=2) for line in ready_to_type(session, session.timeline()))
    commands = (f"mam odds {' '.join(words)}" for _, *words in lines if words[0] in ROLLING_ORDERS)
    return MissingArgument("Name the order whose odds you want.", next(commands, "mam odds --help"))


def show_odds(session: Session, order: Command, state: Encounter | None = None) -> None:
    """Print the odds of an order, judged in that fight (None: as it stands now)."""
    from projections.analysis.order_odds import order_odds

    timeline, rules = session.timeline(), session.log().rules
    with progress_bar(session, "Judging every way") as step:
        # Nothing in an order is secret from its author.
        redactor = session.viewer().quoting(msgspec.to_builtins(order), supposed=True)
        answer = order_odds(timeline, rules, state or session.state_then(), redactor, order, step)
    if session.json:
        render.json_line({"encounter": session.encounter(), "odds": answer})
        return
    _print(answer)


def _print(answer: Odds) -> None:
    if not answer.chances and not answer.totals:
        click.echo("No die decides anything here.")
    for one in answer.chances:
        render.line(f"{one.subject}: {_chances(one)}", indent=2)
    for total in answer.totals:
        render.line(f"{total.subject}: {_total(total)}", indent=2)
    for harm in answer.harm:
        render.line(_harm(harm), indent=2)
    ways = f"{answer.ways:,} ways for the dice to fall, each judged" if answer.ways > 1 else "no die is open"
    render.line(f"({ways}{f'; {answer.left_out:.2g} left out' if answer.left_out else ''})", "faint")


def _chances(one: Chances) -> str:
    texts = [f"{one.words[o]} {_share(one.chances[o])}" for o in get_args(OutcomeField) if o in one.chances]
    return f"{', '.join(texts)}{f'; needs {one.needs}' if one.needs else ''}"


def _total(one: Total) -> str:
    least, most = one.usual
    usual = f", nine in ten from {least} to {most}" if least < most else ""
    reaches = f"; reaches {one.difficulty} in {_share(one.reaches)}" if one.reaches is not None else ""
    return f"{one.average:.1f} on average{usual}{reaches}"


def _share(chance: float) -> str:
    """Return a chance in percent; one that is not quite certain is never rounded to 0 % or 100 %."""
    if 0 < chance < 0.005:  # noqa: PLR2004 - half a percent
        return "under 1%"
    return "over 99%" if 0.995 <= chance < 1 else f"{chance:.0%}"  # noqa: PLR2004 - as above


def _harm(harm: Harm) -> str:
    worth = ((harm.damage, "damage"), (harm.stun, "stun"))
    expects, recovers = ([f"{abs(w):.1f} {what}" for w, what in worth if w * sign > 0] for sign in (1, -1))
    texts = [
        *([f"takes about {join_words(expects)}"] if expects else []),
        *([f"recovers from about {join_words(recovers)}"] if recovers else []),
        *([f"is down in {_share(harm.down)}"] if harm.down else []),
    ]
    return f"{harm.name} {', and '.join(texts)}."
