"""The command order: the turn order, and whose turn it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click
import msgspec

from cli.command_class import command_decorator
from cli.commands.views.moments import across_encounters, check_no_moment, moment_of, rulings_until
from cli.output import render
from cli.session import Session, pass_session
from cli.shared_options import moment_option, view_command_options

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline
    from projections.notes.disputes import Dispute
    from projections.state.turn_order import OrderRow, TurnOrder


@command_decorator("order", "mam order", "mam order --at 12", "mam order --all")
@across_encounters
@moment_option
@view_command_options
@pass_session
def order(session: Session, moment: str | None, as_of: int | None, *, everywhere: bool) -> None:
    """Show the turn order and whose turn it is."""
    if everywhere:
        check_no_moment(moment, as_of)
        _print_order_of_all(session)
        return
    from mam_events.history.timeline.moments import place_at
    from projections.state.next_move import next_move_sentence
    from projections.state.turn_order import project_turn_order, settled_by

    timeline, state = moment_of(session, moment, as_of)
    redactor = session.redactor()
    order_settled = settled_by(
        timeline, None if moment is None else place_at(timeline, moment, redactor.sight(timeline))
    )
    turn_order = project_turn_order(state, redactor, order_settled)
    open_ones = _in_dispute(session, timeline, moment)
    if session.json:
        fields = msgspec.to_builtins(turn_order)
        hidden = fields.pop("hidden")
        render.json_line(fields | {"disputes": open_ones, "hidden": hidden})
        return
    render.line(next_move_sentence(state, session.redactor(), session.log().rules), indent=2)
    if turn_order.why and order_settled:
        first = state.combatants.get(order_settled.order[0])
        begins = "is first" if order_settled.rolled.entries else "begins"
        render.line(
            f"{first.name if first else order_settled.order[0]} {begins} ({turn_order.why}). [{turn_order.rule}]",
            indent=2,
        )
    if turn_order.rows:
        click.echo()
        _print_order(turn_order)
    if open_ones:
        from projections.phrases import author_says

        click.echo()
    for row in open_ones:
        render.line(f"? {row.ruling}: {author_says(row.by, begins=False)} disputes {row.what}: {row.claim}", indent=2)


def _in_dispute(session: Session, timeline: Timeline, moment: str | None) -> list[Dispute]:
    """Return the disputes that are open at that moment."""
    if not timeline.disputes:
        return []
    from projections.notes.disputes import disputes_in
    from projections.rulings.index import RulingIndex

    redactor = session.redactor()
    return [row for row in disputes_in(RulingIndex(rulings_until(timeline, moment, redactor), redactor)) if row.open]


def _print_order_of_all(session: Session) -> None:
    """Print the turn order of each encounter, as the cache has it."""
    from projections.cache.registry import TURN_ORDER_TABLE

    for encounter, turn_order in TURN_ORDER_TABLE.rows(session.log(), session.view):
        if session.json:
            render.json_line(turn_order, encounter=encounter)
            continue
        render.line(f"{encounter}, round {turn_order.round}" if turn_order.round else encounter, "strong", indent=2)
        if turn_order.rows:
            _print_order(turn_order)
        else:
            render.line("Initiative is not settled.", indent=2)


def _print_order(turn_order: TurnOrder) -> None:
    """Print all combatants in turn order."""
    from mam_events.visibility import GAME_MASTER, PUBLIC

    names = {row.combatant: row.name for row in turn_order.rows}
    has_totals = any(row.total is not None for row in turn_order.rows)
    render.print_table(
        ("", "combatant", "name", "turn", *(("total", "actions") if has_totals else ()), ""),
        (
            (
                str(row.position),
                row.combatant,
                render.display_name(row.name, GAME_MASTER if row.combatant in turn_order.hidden else PUBLIC),
                _status(row.status),
                *((pool_cell(row.total), actions_cell(row)) if has_totals else ()),
                remarks_cell(row, names),
            )
            for row in turn_order.rows
        ),
        right=(0, 4, 5) if has_totals else (0,),
        fold=(2, 6 if has_totals else 4),
    )


def pool_cell(value: int | None) -> str:
    """Return a total in digits, or "" if there is none."""
    return "" if value is None else str(value)


def actions_cell(row: OrderRow) -> str:
    """Return the actions left of those declared: `1 of 3`."""
    return f"{row.left} of {row.declared}" if row.declared else ""


def _status(status: str) -> str:
    return render.paint(status, {"acting": "strong", "down": "bad", "done": "faint"}.get(status, ""))


def remarks_cell(row: OrderRow, names: Mapping[str, str]) -> str:
    """Return the remarks on a combatant.

    They are the reason why they are not able, their activities, turns they must skip, their tie, and points they may
    spend.
    """
    from projections.phrases import count_words
    from projections.sentences.opening import FACTORS
    from projections.state.activities import doing_words

    skips = f"must skip {count_words(row.skips_owed, 'turn')}" if row.skips_owed else ""
    awaited = names.get(row.ahead_of, row.ahead_of)
    tie = f"before {awaited} by {FACTORS.get(row.ahead_by, row.ahead_by)}" if row.ahead_by else ""
    waits = "waits, and may interrupt" if row.waits and row.left else ""
    related = ", ".join(f"{skill.skill} {skill.modifier:+d} for {skill.primary}" for skill in row.related)
    points = {"Character Point": row.character_points, "Fate Point": row.fate_points}
    points_text = ", ".join(count_words(number, point) for point, number in points.items() if number)
    return "; ".join(filter(None, (row.reason, doing_words(row.doing), skips, waits, tie, related, points_text)))
