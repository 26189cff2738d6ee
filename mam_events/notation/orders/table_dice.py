"""Dice that are thrown at the table: if a face is missing, an error names the die, and nothing is drawn."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from mam_events.commands import Command, Resolve, name_of
from mam_events.dice import DieKey, DieNotDrawn, NewSeedNeeded, read_key
from mam_events.errors import MamError, NoFace
from mam_events.notation.context import LineContext
from mam_events.notation.grammar.dice import ROLES, write_dice
from mam_events.notation.grammar.vocabulary import GROUP_ROLL_FIELDS
from mam_events.notation.orders.assign_dice import faces_in_order, throwers_of_exchange

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.combat_log import CombatLog
    from mam_events.state import Encounter

MOST_UNDRAWN = 24
"""The most dice of an order that are named if their faces are missing."""
PLAIN_FACES = 5
"""The number of faces, from 1 on, that bring no other throw with them; a 6 of a wild die does."""
_NUMBERED = re.compile(r"-[0-9]+\Z")


class ThrownDice:
    """The dice of a table that throws its own; none is drawn, and if `knows_all`, all may be named."""

    def __init__(
        self,
        log: CombatLog,
        encounter: str,
        fight: LineContext,
        state: Callable[[Timeline], Encounter],
        *,
        knows_all: bool,
    ) -> None:
        self.log = log
        self.encounter = encounter
        self.fight = fight
        self.state = state
        self.knows_all = knows_all

    def check(self, command: Command) -> None:
        """Raise NoFace if a die would be drawn for this order at a table that throws its own."""
        do = name_of(command)
        try:
            undrawn = self.undrawn(command)
        except NewSeedNeeded:
            raise NoFace("Dice are thrown at the table here. Type the face.", place="dice", order=do) from None
        if not undrawn:
            return
        first = min(undrawn, key=faces_in_order) if isinstance(command, Resolve) else undrawn[0]
        faces = f"its face{', after the others in one line' if write_dice(command) else ''}"
        if do in GROUP_ROLL_FIELDS:
            rollers = dict.fromkeys(key.roller for key in undrawn)
            names = rollers if self.knows_all else {first.roller: None}
            faces = "its face after the thrower's name" if len(names) == 1 else "each face after its thrower's name"
            faces += f", at the end of the line, like `… {' '.join(f'{name} 3' for name in names)}`"
        dice = dict.fromkeys((*self._still_thrown(command), *(self._die_name(key, do) for key in undrawn)))
        raise NoFace(
            f"{self._die_name(first, do)} (a {first.kind}) is thrown at the table. Type {faces}.",
            place="dice",
            dice=dice if self.knows_all else (),
            order=do,
            rollers=(key.roller for key in undrawn) if self.knows_all else (),
        )

    def _still_thrown(self, command: Command) -> list[str]:
        """Return the names of the dice of an exchange for which this order gives no face; none for any other order.

        They are in the order in which faces are typed, whether or not each will count.
        """
        if not isinstance(command, Resolve):
            return []
        roles = {key for key in ROLES if getattr(command, f"{key}_die") is not None}
        roles.update(f"#{number}" for number in command.interference_die)
        people = self.fight.state.combatants
        return [
            f"{people[who].name}'s {key if key in ROLES else 'interference'}"
            for key, who in throwers_of_exchange(self.fight).items()
            if key not in roles and (key in ROLES or key.startswith("#"))
        ]

    def undrawn(self, command: Command) -> list[DieKey]:
        """Return the dice that would be drawn for this order; only the first ones if there are many."""
        judge = self.log.trial(self.encounter)
        timeline = judge.timeline
        state = self.state(timeline)
        keys: list[DieKey] = []
        fixed_dice: dict[str, int] = {}
        while len(keys) < MOST_UNDRAWN:
            try:
                judge.supposing(fixed_dice)(state, command, timeline.number + 1)
            except DieNotDrawn as die:
                keys.append(read_key(die.key))
                # Use different faces: equal ones could tie, and would be thrown again for ever.
                fixed_dice[die.key] = 1 + len(fixed_dice) % PLAIN_FACES
            except MamError:
                if not keys:
                    raise
                break
            else:
                break
        return keys

    def _die_name(self, key: DieKey, do: str) -> str:
        """Return the name of a die of such an order: `Clone's defense`."""
        who = self.fight.person(key.roller)
        # In the order `initiative`, only those who are tied roll.
        role = "tie-breaker" if do == "initiative" else _NUMBERED.sub("", key.role).replace("-", " ")
        return f"{who.name}'s {role}" if who else role
