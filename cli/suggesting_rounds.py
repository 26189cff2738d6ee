"""What is likeliest next in a round of Ron d6: roll, declare, act, settle, begin the next one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mam_events.state import Encounter
    from projections.screen import Screen

Found = Mapping[tuple[str, str], str]
"""What may be ordered, ready to type, by the order and by who it is for."""

JOINING = "mam join NAME --code perception=3D --code agility=3D"


def steps(state: Encounter, found: Found, screen: Screen) -> Iterator[str]:
    """What is most likely typed next, the likeliest first; of nobody whom the view may not know of."""
    from mam_events.rules.ron_d6.perception import has_rolled

    if not state.combatants:
        yield JOINING
        return
    if not state.round_open:
        yield "mam round"
        if len(state.combatants) == 1:
            yield JOINING
        return
    if any(who.condition == "able" and not has_rolled(state, who.id) for who in screen.combatants(state)):
        yield "mam initiative roll --all"
    yield from _in_window(state, found, screen) if state.window.open else _between(state, found, screen)


def _in_window(state: Encounter, found: Found, screen: Screen) -> Iterator[str]:
    if state.window.open[-1].combatant not in screen.hidden:
        yield from _of(found, ("result", ""))
    yield from _of(found, *(("interrupt", name) for name in state.order if name not in screen.hidden))


def _between(state: Encounter, found: Found, screen: Screen) -> Iterator[str]:
    floor = state.window.floor or (state.turn.combatant if state.turn else "")
    if floor not in screen.hidden:
        yield from _of(found, ("perform", floor), ("wait", floor))
    due = state.next_up
    if due and due not in screen.hidden:
        yield from _of(found, ("declare", due))
    if due is None and state.order:
        yield "mam round"


def _of(found: Found, *keys: tuple[str, str]) -> Iterable[str]:
    return (found[key] for key in keys if key in found)
