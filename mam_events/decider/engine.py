"""An edition as a value: it lists its mechanics, and the additions of each section to rolls, turns and wounds."""

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
    """The additions of sections of the rules to an edition.

    What is called `at_…` or `after_…` follows by itself; `str` is the combatant that it happens to.
    """

    limits: tuple[Limit, ...] = ()
    """Reasons that keep a combatant from a kind of action."""
    strike_limits: tuple[Keeps, ...] = ()
    """Reasons that keep it from striking, in its turn or in answer."""
    turn_end_limits: tuple[Keeps, ...] = ()
    """Duties to be done before a turn ends."""
    turn_end_duties: tuple[Keeps, ...] = ()
    """Duties before a turn ends, unless the game master has a reason."""
    ongoing: tuple[OngoingEffect, ...] = ()
    """Things that go on until what they need is gone."""
    attack_modifiers: tuple[Adds, ...] = ()
    """The modifiers of the roll of one who acts."""
    defense_modifiers: tuple[Adds, ...] = ()
    """Those of the roll of one who defends."""
    passive_modifiers: tuple[Adds, ...] = ()
    """Those that protect a defender by themselves."""
    difficulty_modifiers: tuple[Adds, ...] = ()
    """Those that make the action itself harder."""
    check_modifiers: tuple[AddsToCheck, ...] = ()
    """Modifiers of a success roll."""
    powers: tuple[Powers, ...] = ()
    """The power of a strike that is not reckoned as every other; None for what is none of theirs."""
    brings: tuple[Brings, ...] = ()
    """Strikes that a successful attack brings though nobody declares them."""
    tells: tuple[Tells, ...] = ()
    """The telling of what came of an attack, where that is no plain event."""
    joins: tuple[Joins, ...] = ()
    """The state of a section that a combatant has when it comes in."""
    at_resolved: tuple[Resolved, ...] = ()
    """The traces that an exchange leaves behind, by the actions of it that were done, whatever came of them."""
    at_roll: tuple[AtRoll, ...] = ()
    at_interfered: tuple[Interfered, ...] = ()
    at_round_start: tuple[AtRound, ...] = ()
    at_join: tuple[AtTurn, ...] = ()
    at_turn_start: tuple[AtTurn, ...] = ()
    at_turn_end: tuple[AtTurn, ...] = ()
    at_counterattack_end: tuple[AtTurn, ...] = ()
    """Called when a prepared counterattack of that one's is over; the edition alone knows what it interrupted."""
    at_move: tuple[AtTurn, ...] = ()
    at_wound: tuple[AtTurn, ...] = ()
    at_grapple_end: tuple[AtTurn, ...] = ()
    """Called when a hold of that one's is over."""
    at_unable: tuple[AtTurn, ...] = ()
    """Called when that one can act no longer, whatever put it down."""


class RuleModule(RuleHooks, kw_only=True, frozen=True):
    """The contribution of one module of rules: commands with the rules behind them, and its additions to everything
    else.
    """

    mechanics: tuple[Mechanic, ...] = ()


class Edition(RuleHooks, kw_only=True, frozen=True):
    """An edition of the game: its name, how its actions are paid for, and what it has from the sections it is made of.

    `counts_actions` tells whether rounds begin with an order and actions are declared and counted in them; then nobody
    has hit points.
    """

    name: str
    economy: Economy
    mechanics: Mapping[type[Command], Mechanic]
    counts_actions: bool = False
    busy: Callable[[Combatant], bool]
    """True of somebody who may have something under way."""
    nobodys: tuple[OngoingEffect, ...] = ()
    """The kinds of what goes on that do not lie in a field of a combatant."""

    @classmethod
    def of(cls, name: str, economy: Economy, sections: Sequence[RuleModule], *, counts_actions: bool = False) -> Self:
        """The edition made of those sections, whose hooks are asked in that order.

        Raises ValueError where a section stands there twice, or two of them claim the same command.
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
