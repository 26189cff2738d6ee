"""The state of Ron d6: dice codes, rolled initiative, declared actions, open results."""

from decimal import Decimal
from typing import ClassVar, Literal, Self

from msgspec import Struct
from msgspec.structs import replace

from mam_events.values import Code, CombatantRef, RulingRef, SaidTextField, Success, Terrain, ThingRef


class Faculties(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The faculties of a combatant in Ron d6.

    `codes` has the dice code of each attribute and skill by name (`dodge`: `4D+1`), `allotment` the actions of a round
    that cost nothing (RD6-MAP-03). `go_first` is an ability, `special` equipment or a situation that breaks ties
    (RD6-TIE-01). Those in one `group` share an initiative roll (RD6-INIT-01).
    """

    codes: dict[str, Code] = {}
    search_ranks: int = 0
    quickness_ranks: int = 0
    allotment: int = 1
    go_first: bool = False
    special: bool = False
    group: str = ""

    def code(self, name: str) -> str:
        """Return the code of that attribute or skill; `0D` if it has none."""
        return self.codes.get(name, "0D")


class RelatedSkill(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A related skill that was rolled and waits for the primary one, a skill or an action (RD6-REL-01).

    `id` is the ruling that rolled it; `modifier` is its bonus, from its `total` and its `difficulty`.
    """

    id: int
    skill: str
    modifier: int
    primary: str
    total: int
    difficulty: int


class UsedEquipment(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A piece of equipment used in an action of the round, and the place of that action in the list."""

    action: str
    equipment: ThingRef


class RoundMove(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One movement of the round, in metres, and its terrain."""

    metres: Decimal
    terrain: Terrain = "easy"


class Actions(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The round of a combatant: actions declared, used and lost, a Fate Point spent for more of them.

    `waiting` is true if it waits for another combatant's action (RD6-ACT-03). `handled` is the equipment it used in
    each action (RD6-MAP-05), `moves` its movements and `moving` the actions that their length took (RD6-FREE-01),
    `related` the modifiers that wait for the primary skill, `points` the Character Points spent on its initiative.
    `turn_lost` is true if it has no turn in this round (RD6-INIT-07). `reaction` is the action for which its turn moved
    up, `reacts_to` the one that it has not reacted to yet (RD6-ACT-06; 0: none).
    """

    declared: int = 0
    used: int = 0
    lost: int = 0
    fate: bool = False
    waiting: bool = False
    handled: tuple[UsedEquipment, ...] = ()
    moves: tuple[RoundMove, ...] = ()
    moving: int = 0
    related: tuple[RelatedSkill, ...] = ()
    points: int = 0
    turn_lost: bool = False
    reaction: str = ""
    reacts_to: RulingRef = 0

    @property
    def left(self) -> int:
        """The actions it still has in this round."""
        return max(0, self.declared - self.used - self.lost)


class OpenAction(Struct, frozen=True, gc=False, omit_defaults=True):
    """An action whose result the game master has not declared yet (RD6-ACT-04).

    It was rolled, or something falls because of it. `id` is its ruling, `total` its roll (None: nothing was rolled),
    `against` the action that it interrupts (0: none), `part` the aimed part of its target. `thrown` is true if
    something is in the air that can be caught (RD6-LIST-catch); `met` is the last interruption that succeeded against
    it (0: none).
    """

    id: int
    combatant: CombatantRef
    action: str
    total: int | None
    target: CombatantRef = ""
    against: RulingRef = 0
    difficulty: int | None = None
    part: str = ""
    thrown: bool = False
    equipment: ThingRef = ""
    met: int = 0

    @property
    def is_reached(self) -> bool | None:
        """True if the total reaches the difficulty; None if there is nothing to compare."""
        return None if self.total is None or self.difficulty is None else self.total >= self.difficulty


class SettledAction(Struct, frozen=True, gc=False, omit_defaults=True):
    """An action of this round with a declared result: `outcome` is "" if a correction left it without one."""

    id: int
    combatant: CombatantRef
    target: CombatantRef = ""
    outcome: Literal["", Success] = ""


class Window(Struct, frozen=True, gc=False, omit_defaults=True):
    """The interrupt window: actions that are `open`, the last one settled first, and the settled ones of this round.

    `floor` is who acted last, and may go on if nobody else has acted since. `early` are those whose turn moved up and
    is not over, in the order in which they moved up (RD6-ACT-06).
    """

    open: tuple[OpenAction, ...] = ()
    settled: tuple[SettledAction, ...] = ()
    floor: CombatantRef = ""
    early: tuple[CombatantRef, ...] = ()

    def settle(self, number: int, outcome: Literal["", Success] = "") -> Self:
        """Return the window with that open action settled."""
        done = self.action(number)
        still = tuple(action for action in self.open if action.id != number)
        settled_action = SettledAction(number, done.combatant if done else "", done.target if done else "", outcome)
        return replace(self, open=still, settled=(*self.settled, settled_action))

    def result(self, number: int) -> SettledAction | None:
        """Return the settled action with that number, or None."""
        return next((action for action in self.settled if action.id == number), None)

    def action(self, number: int) -> OpenAction | None:
        """Return the open action with that number, or None."""
        return next((action for action in self.open if action.id == number), None)


class RolledEntry(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One initiative roll of this round, of a combatant or a group.

    `combatants` are the group's members in the order in which they joined, `roller` the one who rolled. `again` are the
    totals rolled again for ties that nothing else broke (`rd6_unbroken_tie`).
    """

    totals: ClassVar[tuple[str, ...]] = ("total", "again")
    combatants: tuple[CombatantRef, ...]
    roller: CombatantRef
    total: int
    again: tuple[int, ...] = ()


class RolledInitiative(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The initiative rolls of this round.

    `first` acts first by the game master's word, for that `reason` ("": nobody). `special` are those whom a situation
    of this round puts first in a tie (RD6-TIE-01).
    """

    totals: ClassVar[tuple[str, ...]] = ("reason",)
    entries: tuple[RolledEntry, ...] = ()
    first: CombatantRef = ""
    reason: SaidTextField = ""
    special: tuple[CombatantRef, ...] = ()

    def entry(self, name: str) -> RolledEntry | None:
        """Return the roll that counts for that combatant, or None."""
        return next((entry for entry in self.entries if name in entry.combatants), None)
