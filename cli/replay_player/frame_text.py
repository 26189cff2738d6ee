"""A frame of the replay as lines: the ruling, its effects, and the order and the pools after it."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cli.commands.views.order import actions_cell, pool_cell, remarks_cell
from cli.output import render
from projections.phrases import short_moment

if TYPE_CHECKING:
    from projections.rulings.frames import Frame


def frame_lines(frame: Frame, names: Mapping[str, str], width: int = 0) -> list[str]:
    """Return one frame as lines, folded at `width` columns (0: not at all).

    They are the bookkeeping before the ruling, the ruling, its effects, and the pools that it changed.
    """
    head = "  ".join(
        filter(None, (f"#{frame.number}", short_moment(frame.round, frame.turn), frame_sentence_lines(frame)))
    )
    lines = [*frame_bookkeeping(frame, width, 6), *render.wrap_lines(head, width, indent=6)]
    for sentence in other_event_sentences(frame):
        lines += render.wrap_lines(f"      {sentence}", width, indent=8)
    return lines + pool_lines(frame, names, list(frame.changed), width)


def frame_bookkeeping(frame: Frame, width: int, indent: int) -> list[str]:
    """Return the bookkeeping of a correction before a frame's ruling, a sentence per line, each after a dash."""
    lines = (f"{' ' * indent}– {sentence}" for sentence in frame.bookkeeping)
    return [line for text in lines for line in render.wrap_lines(text, width, "faint", indent + 2)]


def other_event_sentences(frame: Frame) -> tuple[str, ...]:
    """Return a sentence for each event that the frame's own sentence does not mention."""
    return tuple(sentence for sentence in frame.follows if sentence not in frame.sentence)


def frame_sentence_lines(frame: Frame) -> str:
    """Return the frame's sentence, and what became of the ruling."""
    return "  ".join(filter(None, (frame.sentence, *frame.marks)))


def standing_rows(frame: Frame, width: int) -> list[str]:
    """Return the turn order after a frame, with totals and actions left, if initiative is rolled."""
    names = {row.combatant: row.name for row in frame.standing}
    wide = max(map(render.painted_width, names.values()), default=0)
    rows = []
    for row in frame.standing:
        place = f"{render.pad(row.name, wide)}  {row.status.ljust(7)}  {pool_cell(row.total):>3}"
        line = "  ".join(filter(None, (place, actions_cell(row), remarks_cell(row, names))))
        rows += textwrap.wrap(line, width, initial_indent="    ", subsequent_indent="      ")
    return rows


def pool_lines(
    frame: Frame, names: Mapping[str, str], combatants: list[str], width: int = 0, wide: int = 0
) -> list[str]:
    """Return the pools of those combatants after a frame, each with its changes.

    The changes come on a line of their own if the `width` is too small. Names are at least `wide` columns wide.
    """
    wide = max(wide, *(len(names.get(name, name)) for name in combatants), 0)
    rows, with_points = [], frame.spends_points
    for name in combatants:
        pools = frame.after[name]
        changes = frame.changed.get(name, {})
        steps = ", ".join(
            f"{pool.replace('_', ' ')} {step:+d}"
            for pool, step in changes.items()
            if with_points or pool in render.WOUNDS
        )
        numbers = render.pool_numbers_text(pools, with_points=with_points)
        condition = render.condition_words(frame.conditions.get(name, "able"), frame.doing.get(name, ()), able="")
        row = f"    {render.pad(names.get(name, name), wide)}  {numbers}  {render.bar(pools, with_points=with_points)}"
        rows += render.align_columns([row, condition, f"({steps})" if steps else ""], width, indent=6)
    return rows
