"""Rolls of dice codes as events: every die with its role."""

from decimal import Decimal
from typing import ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import FreeRoll, PointKind, SpentOn
from mam_events.dice import Die
from mam_events.events.base import Event, InformationalEvent
from mam_events.events.exchanges import Modifier
from mam_events.state import Encounter, OpenAction, RelatedSkill, RoundMove, UsedEquipment
from mam_events.state.updates import (
    window_after_action,
    window_after_interruption,
    with_actions,
    with_combatant,
    without_item,
)
from mam_events.values import CombatantRef, RulingRef, SaidTextField, Terrain, ThingRef

DieRole = Literal["regular", "wild", "exploded", "bought"]
"""The role of a die in a roll: plain, wild, added by an exploding die, bought with a point."""


class CodeDie(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One die of a roll, and its role in it."""

    die: Die
    role: DieRole


class DiceModifier(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The dice that the game master adds to a code or takes from it, and the reason."""

    name: SaidTextField
    dice: int


class CodeRoll(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A rolled dice code, with the dice that several actions take from it (RD6-MAP-01).

    It holds the code, the dice with their faces, the modifiers, the total with the code's pips, and the dice that the
    game master added or took.
    """

    totals: ClassVar[tuple[str, ...]] = ("code", "total", "penalty", "modifiers", "dice_modifiers")
    code: str
    dice: tuple[CodeDie, ...]
    total: int
    penalty: int = 0
    modifiers: tuple[Modifier, ...] = ()
    dice_modifiers: tuple[DiceModifier, ...] = ()


class CodeRolled(Event, frozen=True):
    """An event with one roll of a dice code; `roll` is None if nothing was rolled."""

    topic = ""
    combatant: CombatantRef
    roll: CodeRoll | None

    @property
    def dice(self) -> tuple[Die, ...]:
        """Every die of the roll."""
        return tuple(code_die.die for code_die in self.roll.dice) if self.roll else ()


class InitiativeRolled(InformationalEvent, CodeRolled, frozen=True):
    """Somebody rolled Perception for initiative (RD6-INIT-01), for all of `members`; `again` breaks a tie."""

    members: tuple[CombatantRef, ...]
    again: bool = False


class ActionPerformed(CodeRolled, frozen=True):
    """An action was done (RD6-LIST); its window is open if it was rolled or something is `thrown` (RD6-ACT-04).

    `exchange` is its ruling, `against` the action that it interrupts (0: none), `left` the number of actions left,
    `related` the related skills that helped it. `terrain` is that of a movement that took an action because of its
    length ("": the movement takes one at any length). `let_go` is true if the equipment has left the hand. The other
    fields are those of the command.
    """

    totals = ("left", "difficulty")
    exchange: RulingRef
    action: str
    left: int
    skill: str = ""
    target: CombatantRef = ""
    against: RulingRef = 0
    difficulty: int | None = None
    equipment: ThingRef = ""
    part: SaidTextField = ""
    metres: Decimal | None = None
    what: SaidTextField = ""
    related: tuple[RulingRef, ...] = ()
    thrown: bool = False
    terrain: Terrain | Literal[""] = ""
    let_go: bool = False

    def apply(self, state: Encounter) -> Encounter:
        name = self.combatant
        actions = state.combatants[name].actions
        used = actions.left - self.left
        handled = (UsedEquipment(self.action, self.equipment),) if self.equipment else ()
        moves = (RoundMove(self.metres, self.terrain),) if self.metres is not None and self.terrain else ()
        state = with_actions(
            state,
            name,
            used=actions.used + used,
            waiting=actions.waiting and not used,
            handled=(*actions.handled, *handled),
            moves=(*actions.moves, *moves),
            moving=actions.moving + len(moves),
            reacts_to=0 if used else actions.reacts_to,
            related=tuple(one for one in actions.related if one.id not in self.related),
        )
        window = window_after_action(state, name)
        if self.roll or self.thrown:
            action = OpenAction(
                self.exchange,
                name,
                self.action,
                self.roll.total if self.roll else None,
                self.target,
                self.against,
                self.difficulty,
                self.part,
                self.thrown,
                self.equipment,
            )
            window = replace(window, open=(*window.open, action))
        elif self.against:
            window = window_after_interruption(window, self.exchange, self.against)
        state = replace(state, window=window)
        return without_item(state, name, self.equipment) if self.let_go else state


class PointSpent(CodeRolled, frozen=True):
    """A Character Point or a Fate Point was spent (RD6-INIT-06, RD6-LIM-02); `remaining` are left.

    `total` is that of the roll it was spent on, with the bought die; `modifier` is what a related skill adds with that
    die.
    """

    totals = ("remaining", "total")
    point: PointKind
    on: SpentOn
    remaining: int
    exchange: RulingRef = 0
    total: int = 0
    modifier: int = 0

    def apply(self, state: Encounter) -> Encounter:
        name = self.combatant
        if self.point == "fate":
            state = with_combatant(state, name, fate_points=self.remaining)
            return with_actions(state, name, fate=True)
        state = with_combatant(state, name, rd6_character_points=self.remaining)
        if self.on == "initiative":
            # The next event has the new order.
            return with_actions(state, name, points=state.combatants[name].actions.points + 1)
        if self.on == "related":
            related = tuple(
                replace(one, total=self.total, modifier=self.modifier) if one.id == self.exchange else one
                for one in state.combatants[name].actions.related
            )
            return with_actions(state, name, related=related)
        window = state.window
        raised = tuple(replace(a, total=self.total) if a.id == self.exchange else a for a in window.open)
        return replace(state, window=replace(window, open=raised))


class RelatedSkillRolled(CodeRolled, frozen=True):
    """A related skill was rolled (RD6-REL-01), with its bonus for the `primary` skill; an action unless `merged`."""

    totals = ("left", "difficulty")
    ruling: int
    skill: str
    difficulty: int
    primary: str
    modifier: int
    left: int
    merged: bool = False

    def apply(self, state: Encounter) -> Encounter:
        actions = state.combatants[self.combatant].actions
        assert self.roll is not None  # noqa: S101 - a related skill is always rolled
        related = RelatedSkill(self.ruling, self.skill, self.modifier, self.primary, self.roll.total, self.difficulty)
        used = actions.left - self.left
        state = with_actions(
            state,
            self.combatant,
            used=actions.used + used,
            waiting=actions.waiting and not used,
            related=(*actions.related, related),
        )
        return replace(state, window=window_after_action(state, self.combatant))


class FreeRollMade(InformationalEvent, CodeRolled, frozen=True):
    """A roll that is no action (RD6-FREE-02); `success` where there was a difficulty."""

    totals = ("difficulty",)
    what: FreeRoll
    skill: str = ""
    difficulty: int | None = None
    success: bool | None = None
