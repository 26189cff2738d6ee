"""The command pools: everybody's hit points by pool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cli.command_class import command_decorator
from cli.commands.views.moments import across_encounters, check_no_moment, moment_of
from cli.output import render
from cli.session import Session, pass_session
from cli.shared_options import moment_option, view_command_options

if TYPE_CHECKING:
    from projections.state.activities import Activities
    from projections.state.pools import PoolRow


@command_decorator("pools", "mam pools", "mam pools --at round:2 --json", "mam pools --all")
@across_encounters
@moment_option
@view_command_options
@pass_session
def pools(session: Session, moment: str | None, as_of: int | None, *, everywhere: bool) -> None:
    """Show the five pools of everybody: R ready, D defense, O other used, S stun, X damage.

    Under rules without ready points: H hit points left, S stun, X damage.
    """
    if everywhere:
        check_no_moment(moment, as_of)
        _print_pools_of_all(session)
        return
    from projections.state.activities import activities
    from projections.state.pools import rows_of, spends_points

    _, state = moment_of(session, moment, as_of)
    rows, doing = rows_of(state, session.redactor()), activities(state, session.redactor())
    if session.json:
        for row in rows:
            render.json_line(render.pools_json(row, doing))
        return
    if not rows:
        nobody = not list(session.redactor().combatants(state))
        click.echo("Nobody has joined yet." if nobody else "There are no hit points in this fight. See `mam order`.")
        return
    print_pools(rows, doing, with_points=spends_points(state))


def _print_pools_of_all(session: Session) -> None:
    """Print the pools of each encounter, as the cache has them."""
    from projections.cache.registry import POOL_TABLE

    for encounter, pools_view in POOL_TABLE.rows(session.log(), session.view):
        if session.json:
            for row in pools_view.rows:
                render.json_line(render.pools_json(row, pools_view.doing), encounter=encounter)
            continue
        render.line(encounter, "strong", indent=2)
        if pools_view.rows:
            print_pools(pools_view.rows, pools_view.doing, with_points=pools_view.spends_points)
        else:
            render.line("Nobody has hit points here.", indent=2)


ROOM = 100
"""The minimum number of columns for pools headed by their names; below it, letters head them."""


def print_pools(rows: Sequence[PoolRow], doing: Activities, *, with_points: bool) -> None:
    """Print a table of pools, or of hit points left and wounds, with a bar for each combatant."""
    short = render.is_terminal() and render.terminal_width() < ROOM
    letters = render.pool_letters(with_points=with_points)
    heads = list(letters.values()) if short else [name.replace("_", " ") for name in letters]
    headers = ("combatant", "name", "side", "hp", *heads, "", "is")
    cells = [
        (
            row.combatant,
            render.display_name(row.name, row.visibility),
            row.side,
            str(row.hp),
            *(
                render.paint(str(number), name)
                for name, number in render.pool_amounts(row.pools, with_points=with_points).items()
            ),
            render.bar(row.pools, with_points=with_points),
            render.condition_words(row.condition, doing.get(row.combatant, ())),
        )
        for row in rows
    ]
    fold = (1, 2, 5 + len(heads))
    if short and not render.fits_terminal(headers, cells, fold):
        render.print_pools(rows, doing, with_points=with_points)
    else:
        render.print_table(headers, cells, right=range(3, 4 + len(heads)), fold=fold)
    if short:
        labels = {"left": "hit points left", "other_used": "other used"}
        click.echo(", ".join(f"{letter} {labels.get(name, name)}" for name, letter in letters.items()))
