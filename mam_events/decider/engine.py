"""An edition as a value: its mechanics, and the hooks of the sections of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Self

from msgspec import Struct

from mam_events.commands import Command, Join
from mam_events.decider.decision import Decision
from mam_events.decider.mechanic import Mechanic, OngoingEffect, build_busy_check
from mam_events.decider.ruleset_data import Ruleset
from mam_events.state import Action, Combatant, Encounter, Exchange, Weapon

if TYPE_CHECKING:
    from mam_events.decider.economy import Economy
    from mam_events.decider.rule_tables import DeedKind
    from mam_events.decider.strikes import RollContext, StrikeRoll, UndeclaredStrike
    from mam_events.events import AttackResolved, Modifier, RollMade

    Limit = Callable[[Encounter, Ruleset, Combatant, DeedKind], None]
    Keeps = Callable[[Encounter, Ruleset, Combatant], None]
    Adds = Callable[[RollContext], Iterable[Modifier]]
    AddsToCheck = Callable[[Encounter, Ruleset, Combatant], Iterable[Modifier]]
    AtTurn = Callable[[Decision, str], None]
    Joins = Callable[[Ruleset, Join, Combatant], Combatant]
    AtRound = Callable[[Decision], None]
    Resolved = Callable[[Decision, Exchange, tuple[Action, ...]], None]
    AtRoll = Callable[[Decision, RollMade], None]
    Interfered = Callable[[Decision, Action, Action], None]
    Powers = Callable[[Action, Weapon, StrikeRoll, Ruleset], tuple[int, tuple[Modifier, ...]] | None]
    Brings = Callable[[Exchange], Iterable[UndeclaredStrike]]
    Tells = Callable[[Exchange, AttackResolved], AttackResolved]


class RuleHooks(Struct, kw_only=True, frozen=True):
    """The hooks with which sections of the rules add to an edition.

    Hooks named `at_…` are called when that happens; their `str` is the combatant that it happens to.
    """

    limits: tuple[Limit, ...] = ()
    """Checks that may keep a combatant from a kind of action."""
    strike_limits: tuple[Keeps, ...] = ()
    """Checks that may keep a combatant from striking, in their own turn or in answer."""
    turn_end_limits: tuple[Keeps, ...] = ()
    """Checks for duties that must be done before a turn ends."""
    turn_end_duties: tuple[Keeps, ...] = ()
    """Checks for duties before a turn ends that the game master may waive with a reason."""
    ongoing: tuple[OngoingEffect, ...] = ()
    """Effects that go on until what they need is gone."""
    attack_modifiers: tuple[Adds, ...] = ()
    """Modifiers of the roll of the one who acts."""
    defense_modifiers: tuple[Adds, ...] = ()
    """Modifiers of the roll of the one who defends."""
    passive_modifiers: tuple[Adds, ...] = ()
    """Modifiers that protect a defender by themselves."""
    difficulty_modifiers: tuple[Adds, ...] = ()
    """Modifiers that make the action itself harder."""
    check_modifiers: tuple[AddsToCheck, ...] = ()
    """Modifiers of a success roll."""
    powers: tuple[Powers, ...] = ()
    """The power of strikes that have a formula of their own; None for any other strike."""
    brings: tuple[Brings, ...] = ()
    """Strikes that a successful attack causes without a declaration."""
    tells: tuple[Tells, ...] = ()
    """Conversions of an attack's result to a more specific event."""
    joins: tuple[Joins, ...] = ()
    """Additions of a section to the state of a combatant who joins."""
    at_resolved: tuple[Resolved, ...] = ()
    """Called after an exchange with the actions that were done in it, whatever their result."""
    at_roll: tuple[AtRoll, ...] = ()
    at_interfered: tuple[Interfered, ...] = ()
    at_round_start: tuple[AtRound, ...] = ()
    at_join: tuple[AtTurn, ...] = ()
    at_turn_start: tuple[AtTurn, ...] = ()
    at_turn_end: tuple[AtTurn, ...] = ()
    at_counterattack_end: tuple[AtTurn, ...] = ()
    """Called when that combatant's prepared counterattack is over; only the edition knows what it interrupted."""
    at_move: tuple[AtTurn, ...] = ()
    at_wound: tuple[AtTurn, ...] = ()
    at_grapple_end: tuple[AtTurn, ...] = ()
    """Called when that combatant's hold is over."""
    at_unable: tuple[AtTurn, ...] = ()
    """Called when that combatant can no longer act, whatever the cause."""


class RuleModule(RuleHooks, kw_only=True, frozen=True):
    """The contribution of one module of rules: mechanics for commands, and its hooks."""

    mechanics: tuple[Mechanic, ...] = ()


class Edition(RuleHooks, kw_only=True, frozen=True):
    """An edition of the game: its name, its economy, and the mechanics and hooks of the sections it is made of.

    With `counts_actions`, rounds begin with an order, actions are declared and counted, and nobody has hit points.
    """

    name: str
    economy: Economy
    mechanics: Mapping[type[Command], Mechanic]
    counts_actions: bool = False
    busy: Callable[[Combatant], bool]
    """Return True for a combatant who may have something ongoing."""
    nobodys: tuple[OngoingEffect, ...] = ()
    """The kinds of ongoing effects that are not kept in a field of a combatant."""

    @classmethod
    def of(cls, name: str, economy: Economy, sections: Sequence[RuleModule], *, counts_actions: bool = False) -> Self:
        """Build an edition of those sections, whose hooks are called in that order.

        Raises ValueError if a section is listed twice, or if two of them claim the same command.
        """
        mechanics: dict[type[Command], Mechanic] = {}
        for at, section in enumerate(sections):
            if any(section is other for other in sections[:at]):
                raise ValueError(f"section {at} of {name} stands there twice")
            for mechanic in section.mechanics:
                if mechanic.command in mechanics:
                    raise ValueError(f"two sections of {name} claim {mechanic.command.__name__}")
                mechanics[mechanic.command] = mechanic
        hooks = {
            hook: tuple(chain.from_iterable(getattr(section, hook) for section in sections))
            for hook in RuleHooks.__struct_fields__
        }
        ongoing = hooks["ongoing"]
        return cls(
            name=name,
            economy=economy,
            mechanics=mechanics,
            counts_actions=counts_actions,
            busy=build_busy_check(ongoing),
            nobodys=tuple(kind for kind in ongoing if not kind.where),
            **hooks,
        )
