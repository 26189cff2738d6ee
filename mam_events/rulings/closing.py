"""Orders that hardly anybody means in a fight that is not over: what is asked before one is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from mam_events.commands import Close, Declare, EndTurn, Heal, Round, name_of
from mam_events.errors import Refused

if TYPE_CHECKING:
    from mam_events.commands import Command
    from mam_events.state import Combatant, Encounter

NEEDS_SURE = "needs_sure"
ASKED = (Close, Heal, Round)
"""The orders that may be asked about."""
ASKED_IN_LINES = (*ASKED, Declare, EndTurn)
"""The orders that may be asked about where they are typed as a line, in which a word begins or ends a turn."""
_NAMED = 3
"""So many of those who still stand are named, the others counted."""


class Doubt(NamedTuple):
    """A doubt whether an order is meant: what it would do, in a sentence, and what is done all the same then."""

    what: str
    doing: str


def check_sure(commands: Sequence[Command], state: Encounter, how: str) -> None:
    """Raise Refused `needs_sure` where one of those orders is hardly meant in that fight; `how` says how to mean it."""
    for command in commands:
        if found := doubt(command, state):
            no = Refused(NEEDS_SURE, f"{found.what} {how} to {found.doing} all the same.")
            no.order = name_of(command)
            raise no


def doubt(command: Command, state: Encounter) -> Doubt | None:
    """Return why that order is hardly meant in a fight that is not over; None where it may well be."""
    if isinstance(command, Close) and (still := unfinished(state)):
        return Doubt(f"{still}. Closing ends the fight and reveals the seed of its dice.", "close it")
    if isinstance(command, Heal) and (length := _rest(command, state)):
        return Doubt(f"{_listed(_named(_foes(state)))} still fight. A rest takes a {length}.", "rest")
    if isinstance(command, Round) and (left := _left_to_act(state)):
        have = "have" if left[1:] else "has"
        return Doubt(f"{_listed(_named(left))} still {have} to act in round {state.round}.", "end the round")
    if isinstance(command, Declare | EndTurn) and (holder := _cut_short(command, state)):
        unused = holder.actions.left
        return Doubt(f"It is {holder.name}'s turn, with {unused} action{'s' * (unused > 1)} left.", "end that turn")
    return None


def unfinished(state: Encounter) -> str:
    """Return what keeps an open fight from being over: who stands, whose turn it is, what is not resolved; "" for
    nothing.
    """
    if state.status != "open":
        return ""
    # Once one side alone stands nobody has to act any more.
    standing, turn = ([], "") if decided(state) else (_standing(state), state.turn_in_order)
    exchange = state.open_exchange
    parts = [
        *([f"{_listed(_named(standing))} still {'stand' if standing[1:] else 'stands'}"] if standing else ()),
        *([f"it is {state.combatants[turn].name}'s turn"] if turn in state.combatants else ()),
        *([f"exchange {exchange} is open"] if exchange else ()),
    ]
    return _listed(parts)


def decided(state: Encounter) -> str:
    """Return what ends an open fight in which no more than one side stands: `Nobody of the foes stands`; "" for
    nothing.
    """
    if state.status != "open" or not state.order:
        return ""
    sides = {_side(one): one for one in state.combatants.values()}
    up = {_side(one) for one in _standing(state)}
    down = [side for side in sides if side not in up]
    if len(up) > 1 or not down or len(sides) < 2:  # noqa: PLR2004 - against itself nobody fights
        return ""
    if not up:
        return "Nobody stands"
    alone = next(iter(up))
    if any(one.side == "all" for one in sides.values()):
        return f"Only {sides[alone].name if sides[alone].side == 'all' else f'the {alone} side'} stands"
    return f"Nobody of the {_listed(down)} stands"


def _side(one: Combatant) -> str:
    """Return the side of somebody; of those who have none everybody is their own."""
    return f"@{one.id}" if one.side == "all" else one.side


def _left_to_act(state: Encounter) -> list[Combatant]:
    """Return those who have a turn or actions left in a round of many actions."""
    if state.status != "open" or not state.round_open:
        return []
    due = {name for name in state.due if name != state.turn_in_order}
    return [one for one in _standing(state) if one.id in due or one.actions.left]


def _cut_short(command: Declare | EndTurn, state: Encounter) -> Combatant | None:
    """Return whose turn ends with that order although they have actions left and do not wait; None for nobody."""
    holder = state.combatants.get(state.turn.combatant) if state.turn else None
    declares_own = isinstance(command, Declare) and holder is not None and holder.id == command.combatant
    if holder is None or declares_own or holder.actions.waiting or not holder.actions.left:
        return None
    return holder


def _rest(command: Heal, state: Encounter) -> str:
    """Return how long that rest takes, where foes still fight in rounds meanwhile; "" where none do, and for a rest of
    a round.
    """
    if state.ruleset is None or state.status != "open" or not (state.round and _foes(state)):
        return ""
    from mam_events.rules.rulebook import rulebook  # noqa: PLC0415 - whoever orders anything else starts without it

    scales = state.ruleset.readings.get("regeneration_quality_effect") == "scales_interval"
    length = rulebook().tables.rest_intervals[command.quality if scales else "weekly"]
    return "" if length == "round" else length


def _foes(state: Encounter) -> list[Combatant]:
    """Return those who stand, where not all of them are of one side."""
    standing = _standing(state)
    one_side = len({one.side for one in standing}) == 1 and all(one.side != "all" for one in standing)
    return standing if len(standing) > 1 and not one_side else []


def _standing(state: Encounter) -> list[Combatant]:
    return [one for one in state.combatants.values() if one.condition == "able"]


def _named(people: Sequence[Combatant]) -> Sequence[str]:
    """Return the names of the first ones, and the number of the others."""
    names = [one.name for one in people]
    more = len(names) - _NAMED
    return [*names[:_NAMED], f"{more} more"] if more > 1 else names


def _listed(parts: Sequence[str]) -> str:
    *before, last = parts or ("",)
    return f"{', '.join(before)} and {last}" if before else last
