"""Two fights, or two versions of one, as rows of one table: who stands, who fell, all points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from cli.output import render

if TYPE_CHECKING:
    from projections.analysis.what_if import ChangedRuling, FightEnding
    from projections.state.activities import Activities
    from projections.state.pools import PoolRow

Cells = tuple[str, str, str]
_NOTHING: Activities = MappingProxyType({})


def ending_rows(one: FightEnding, other: FightEnding) -> list[Cells]:
    """Return the rows about both endings: who is able, who fell when, the number of rounds."""
    from projections.analysis.what_if import fallen_words, standing_words

    return [
        ("standing", standing_words(one), standing_words(other)),
        ("fell", fallen_words(one), fallen_words(other)),
        ("rounds", str(one.rounds), str(other.rounds)),
    ]


def compare_pools(
    one: Sequence[PoolRow],
    other: Sequence[PoolRow],
    *,
    with_points: tuple[bool, bool],
    doing: tuple[Activities, Activities] = (_NOTHING, _NOTHING),
) -> list[Cells]:
    """Return all points in both fights and the combatants' activities; `with_points` says where actions cost points."""
    sides = [{row.combatant: row for row in rows} for rows in (one, other)]
    rows = []
    for name in {**sides[0], **sides[1]}:
        before, after = (
            _points(standing[name], does, with_points=costs) if name in standing else "not there"
            for standing, does, costs in zip(sides, doing, with_points, strict=True)
        )
        called = (sides[1].get(name) or sides[0][name]).name
        rows.append((called, before, after if after != before else "the same"))
    return rows


def _points(row: PoolRow, doing: Activities, *, with_points: bool) -> str:
    from projections.state.activities import doing_words

    return ", ".join(
        filter(
            None,
            (
                render.pool_numbers_text(row.pools, with_points=with_points),
                doing_words(tuple(doing.get(row.combatant, ()))),
            ),
        )
    )


def print_rulings(differing: Sequence[ChangedRuling], verdicts: Mapping[str, str]) -> None:
    """Print rulings that come out differently, with the given words for each verdict."""
    render.print_table(
        ("ruling", "what", "verdict", "why, or what differs"),
        [
            (
                str(one.ruling),
                one.asked,
                render.paint(verdicts[one.verdict], {"void": "bad", "changed": "strong"}.get(one.verdict, "")),
                f"{one.what} (because of {one.because})" if one.because else one.what,
            )
            for one in differing
        ],
        right=(0,),
        fold=(1, 3),
        heading=(0, 2),
    )
