"""A frame of the film as lines: the ruling, what followed from it, the order and the pools after it."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cli.commands.views.pools import actions, beside, number
from cli.output import render
from projections.phrases import clocked

if TYPE_CHECKING:
    from projections.rulings.frames import Frame


def frame_lines(frame: Frame, names: Mapping[str, str], width: int = 0) -> list[str]:
    """One frame as lines: the bookkeeping before the ruling, the ruling, what followed from it, and the pools of those
    whom it moved; folded at `width` columns (0: not at all).
    """
    head = "  ".join(filter(None, (f"#{frame.number}", clocked(frame.round, frame.turn), told_in(frame))))
    lines = [*quiet_lines(frame, width, 6), *render.folded(head, width, indent=6)]
    for sentence in unfolded(frame):
        lines += render.folded(f"      {sentence}", width, indent=8)
    return lines + pool_rows(frame, names, list(frame.changed), width)


def quiet_lines(frame: Frame, width: int, indent: int) -> list[str]:
    """The bookkeeping of a correction before a frame's ruling, a sentence a line, behind a dash."""
    told = (f"{' ' * indent}– {sentence}" for sentence in frame.bookkeeping)
    return [line for text in told for line in render.folded(text, width, "faint", indent + 2)]


def unfolded(frame: Frame) -> tuple[str, ...]:
    """A sentence for each event that the frame's own sentence does not say."""
    return tuple(sentence for sentence in frame.follows if sentence not in frame.sentence)


def told_in(frame: Frame) -> str:
    """The lines of a frame: its sentence, and what became of the ruling."""
    return "  ".join(filter(None, (frame.sentence, *frame.marks)))


def standing_rows(frame: Frame, width: int) -> list[str]:
    """The order after a frame, with totals and actions that are left, where initiative is rolled."""
    names = {row.combatant: row.name for row in frame.standing}
    wide = max(map(render.cells_of, names.values()), default=0)
    rows = []
    for row in frame.standing:
        place = f"{render.padded(row.name, wide)}  {row.status.ljust(7)}  {number(row.total):>3}"
        told = "  ".join(filter(None, (place, actions(row), beside(row, names))))
        rows += textwrap.wrap(told, width, initial_indent="    ", subsequent_indent="      ")
    return rows


def pool_rows(
    frame: Frame, names: Mapping[str, str], combatants: list[str], width: int = 0, wide: int = 0
) -> list[str]:
    """The pools after a frame of those combatants, each with what moved; below it where the `width` is too small. Names
    have `wide` columns at least.
    """
    wide = max(wide, *(len(names.get(name, name)) for name in combatants), 0)
    rows, spent = [], frame.spends_points
    for name in combatants:
        pools = frame.after[name]
        moved = frame.changed.get(name, {})
        steps = ", ".join(
            f"{pool.replace('_', ' ')} {step:+d}" for pool, step in moved.items() if spent or pool in render.WOUNDS
        )
        numbers = render.numbers(pools, spent=spent)
        is_now = render.how_it_is(frame.conditions.get(name, "able"), frame.doing.get(name, ()), able="")
        row = f"    {render.padded(names.get(name, name), wide)}  {numbers}  {render.bar(pools, spent=spent)}"
        rows += render.in_a_row([row, is_now, f"({steps})" if steps else ""], width, indent=6)
    return rows
