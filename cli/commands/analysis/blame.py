"""The command blame: each fact about a combatant with the ruling that last set it, like `git blame`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command_class import command_decorator
from cli.output import render
from cli.session import Session, pass_session
from cli.shared_options import complete_combatant, moment_option, view_command_options

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from projections.state.blame import AttributeSource


@command_decorator("blame", "mam blame clone", "mam blame clone --at 17", "mam blame clone --json")
@click.argument("combatant", shell_complete=complete_combatant, help="The combatant.")
@moment_option
@view_command_options
@pass_session
def blame(session: Session, combatant: str, moment: str | None, as_of: int | None) -> None:
    """Show every value of a combatant, with the ruling that last set it, when and by whom."""
    from cli.commands.analysis.explain import load_rulings_at, visible_attributes_of
    from projections.state.blame import attribute_sources

    timeline, index, place = load_rulings_at(session, moment, as_of)
    combatant = session.viewer().find(combatant)
    visible_attributes_of(timeline, index, place, combatant)
    facts = attribute_sources(timeline, index, combatant, place)
    if session.json:
        for fact in facts:
            render.json_line(fact, combatant=combatant)
        return
    render.print_table(
        ("", "ruling", "when", "UTC", "by", "what happened"),
        _rows(facts),
        fold=(0, 4, 5),
        heading=(0, 1, 2, 3, 4),
    )


def _rows(facts: Iterable[AttributeSource]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each fact; on a terminal the text of a ruling is shown only the first time."""
    from projections.phrases import short_moment

    rows_shown = set()
    for fact in facts:
        line = fact.line
        text = "" if line.number in rows_shown else "  ".join(filter(None, (line.text, *line.marks)))
        when = short_moment(line.round, line.turn)
        yield f"{fact.fact} {fact.value}".rstrip(), f"#{fact.ruling}", when, fact.at[11:16], fact.by, text
        if render.is_terminal():
            rows_shown.add(line.number)
