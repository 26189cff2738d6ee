"""The engine of the decider: rulesets, the decision on one command, and editions with their rules and hooks.

They name one another, so they are in one file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Self

from msgspec import Struct

from mam_events.commands import Command, Join
from mam_events.decider.action_price import ActionPrice, no_points
from mam_events.decider.rule_tables import DeedKind, Tables
from mam_events.decider.strikes import ModifierRole, StrikeEffect, StrikeRoll
from mam_events.events import ActionTaken, Modifier, Purpose
from mam_events.state import Action, Combatant, Encounter, Exchange, PinnedRules, Weapon

if TYPE_CHECKING:
    from mam_events.decider.offers import Offer
    from mam_events.dice import Dice
    from mam_events.events import AttackResolved, Event, RollMade


class Ruleset(dict[str, str]):
    """The rules a ruling is judged under, as a mapping of options to their readings: `ruleset["half_success"]`.

    `ruleset.tables.difficulties` is one of the printed tables, which are the same in every ruleset. An option that has
    no meaning under the preset has no reading. A ruleset is never changed.
    """

    __slots__ = ("edition", "pinned", "tables")

    def __init__(self, edition: Edition, pinned: PinnedRules, tables: Tables) -> None:
        super().__init__(pinned.readings)
        self.edition = edition
        self.pinned = pinned
        self.tables = tables

    def __missing__(self, option: str) -> str:
        raise KeyError(
            f'"{option}" has no reading under {self.pinned.preset}; is it new, and `make rules` still to do?'
        )

    def is_yes(self, option: str) -> bool:
        """Return True if a yes-or-no option is read as yes."""
        return self[option] == "yes"


class Decision:
    """One command that is being judged; `record` adds an event, and `state` is always the state after it.

    `command` is the command that is judged, with its omitted fields filled in.
    """

    __slots__ = ("command", "dice", "events", "ruleset", "state")

    command: Command

    def __init__(self, state: Encounter, ruleset: Ruleset, dice: Dice) -> None:
        self.state = state
        self.ruleset = ruleset
        self.dice = dice
        self.events: list[Event] = []

    @property
    def ruling(self) -> int:
        """The number of the ruling being judged, which is also the id of what it declares."""
        return self.dice.ruling

    def record(self, event: Event) -> None:
        """Add an event and apply it to the state."""
        self.events.append(event)
        self.state = event.apply(self.state)

    def settle(self) -> None:
        """End every ongoing effect that lacks what it needs; repeat until nothing more ends."""
        event_count, edition = -1, self.ruleset.edition
        while event_count != len(self.events):
            event_count = len(self.events)
            is_any_busy = any(map(edition.is_busy, self.state.combatants.values()))
            for kind in edition.ongoing if is_any_busy else edition.ongoing_without_field:
                for name, combatant in self.state.combatants.items():
                    for thing in kind.of(self.state, combatant):
                        self._end(kind, name, thing)

    def _end(self, kind: OngoingEffect, name: str, thing: Any) -> None:
        """End one ongoing thing if what it needs is gone."""
        # The end of another thing may have ended this one too.
        now = self.state.combatants[name]
        cause = thing in kind.of(self.state, now) and kind.over(self.state, self.ruleset, now, thing)
        if cause:
            kind.ends(self, name, thing, cause)
            parts = kind.of(self.state, self.state.combatants[name])
            assert thing not in parts, kind  # noqa: S101 - otherwise `settle` would never finish


class OngoingEffect(Struct, frozen=True):
    """A kind of thing that goes on for as long as it has what it needs: a hold, a drawn bow, a ride.

    `where` is the field of a combatant that is empty while they have nothing of this kind ongoing; "" if no field of a
    combatant holds it. `listing(state, combatant)`, if given, lists the things of this kind.
    `over(state, ruleset, combatant, thing)` returns why one of them is over, or something falsy if it is not, and
    `ends(judging, name, thing, why)` records that. `Decision.settle` asks after every command, and before anything
    ongoing takes effect.
    """

    called: str
    where: str
    over: Callable[[Encounter, Ruleset, Combatant, Any], object]
    ends: Callable[[Decision, str, Any, Any], None]
    listing: Callable[[Encounter, Combatant], Sequence[Any]] | None = None

    def of(self, state: Encounter, combatant: Combatant) -> Sequence[Any]:
        """Return all ongoing things of this kind that the combatant has."""
        if self.listing:
            return self.listing(state, combatant)
        value = attrgetter(self.where)(combatant)
        return value if isinstance(value, tuple) else (value,) if value else ()


def build_busy_check(kinds: Sequence[OngoingEffect]) -> Callable[[Combatant], bool]:
    """Return a quick predicate: True if a combatant may have anything of those kinds ongoing.

    It is called for every combatant after every command.
    """
    fields = [kind.where for kind in kinds if kind.where]
    if not fields:
        return lambda _: False
    # With a single field, `attrgetter` would return the value and not a tuple.
    getter = attrgetter(*fields, fields[0])
    return lambda combatant: any(getter(combatant))


class Economy:
    """The way actions are paid for; by default they take the turn and cost no points."""

    def charged(self, points: int) -> int:
        """Return the points that are really charged: the given ones, or 0 where actions cost no points."""
        return 0

    def may(self, state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind, weapon: str) -> None:
        """Raise Refused unless the combatant's turn has room for that kind of action, whatever it costs."""

    def may_end(self, state: Encounter, ruleset: Ruleset, combatant: Combatant) -> None:
        """Raise Refused while something is owed before the combatant's turn may end."""

    def afford(
        self, state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind, price: ActionPrice
    ) -> None:
        """Raise Refused unless the price is valid for that kind of action and the combatant can pay it."""
        no_points(price.points, price.fields)

    def pay(
        self, judging: Decision, name: str, deed: DeedKind, purpose: Purpose, price: ActionPrice, weapon: str = ""
    ) -> None:
        """Record the cost of an action in the combatant's own turn."""
        judging.record(ActionTaken(name, deed, weapon))

    def span(self, state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind) -> tuple[int, int]:
        """Return the least and the most points that the combatant may put into such an action."""
        return 0, 0

    def may_back(self, state: Encounter, ruleset: Ruleset, combatant: Combatant, points: int) -> None:
        """Raise Refused unless a combo may begin with those points in its modifier (MAM-COMBO-06)."""
        no_points(points, ("modifier",), "MAM-COMBO-06")

    def react(
        self, state: Encounter, ruleset: Ruleset, combatant: Combatant, price: ActionPrice, cap: int, *, least: int = 1
    ) -> None:
        """Raise Refused unless the combatant can pay that price for an interfering action.

        The action may use at most `cap` points, and at least `least`.
        """
        no_points(price.points, price.fields)

    def pay_reaction(self, judging: Decision, name: str, purpose: Purpose, price: ActionPrice) -> None:
        """Record the cost of an interfering action."""

    def reaction_span(self, combatant: Combatant, cap: int) -> tuple[int, int]:
        """Return the least and the most points that an interfering action may use."""
        return 0, 0

    def carry(
        self, state: Encounter, ruleset: Ruleset, combatant: Combatant, points: int, metres: Decimal | None
    ) -> Decimal:
        """Return the distance in metres that a combatant covers who spends those points and wants to go `metres`.

        Raises Refused if they cannot.
        """
        raise NotImplementedError  # subclasses define it

    def farthest(self, ruleset: Ruleset, combatant: Combatant, points: int) -> Fraction | None:
        """Return the most metres that the combatant can cover for those points in their position; None if unknown."""
        return None


class RollContext(Struct, frozen=True):
    """A roll as the sections see it.

    `combatant` is the one who rolls (for a difficulty: who acts), `opponent` the other side (None: nobody). `action` is
    the action the roll is about: the combatant's own, or the one that they defend against.
    """

    state: Encounter
    ruleset: Ruleset
    action: Action
    combatant: Combatant
    opponent: Combatant | None
    role: ModifierRole


class UndeclaredStrike(Struct, frozen=True):
    """A strike that an attack causes without a declaration, and the function that records its effect."""

    action: Action
    record: Callable[[Decision, Exchange, StrikeEffect], None]


class CommandRule:
    """One command and its rule, as the decider calls it; `Mechanic` builds them."""

    __slots__ = ("check", "command", "completes", "judge", "offers")

    command: type[Command]
    check: Callable[[Encounter, Ruleset, Any], object]
    judge: Callable[[Decision, Any, Any], None]
    offers: Callable[[Encounter, Ruleset], Iterable[Offer]]
    completes: Callable[[Encounter, Any], Command] | None


if TYPE_CHECKING:
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
    FindsStrikes = Callable[[Exchange], Iterable[UndeclaredStrike]]
    AdaptsResult = Callable[[Exchange, AttackResolved], AttackResolved]


class RuleHooks(Struct, kw_only=True, frozen=True):
    """The hooks with which sections of the rules add to an edition.

    Hooks named `at_…` are called when that happens; their `str` is the combatant that it happens to.
    """

    limits: tuple[Limit, ...] = ()
    """Checks that may refuse a kind of action."""
    strike_limits: tuple[Keeps, ...] = ()
    """Checks that may refuse a strike, in the combatant's turn or as a reaction."""
    turn_end_limits: tuple[Keeps, ...] = ()
    """Checks that may refuse the end of a turn."""
    turn_end_duties: tuple[Keeps, ...] = ()
    """Checks that may refuse the end of a turn unless the game master gives a reason."""
    ongoing: tuple[OngoingEffect, ...] = ()
    """Kinds of things that go on until what they need is gone."""
    attack_modifiers: tuple[Adds, ...] = ()
    """Modifiers of the actor's roll."""
    defense_modifiers: tuple[Adds, ...] = ()
    """Modifiers of the defender's roll."""
    passive_modifiers: tuple[Adds, ...] = ()
    """Modifiers that protect a defender by themselves, such as evasion."""
    difficulty_modifiers: tuple[Adds, ...] = ()
    """Modifiers that make the action itself harder, such as range."""
    check_modifiers: tuple[AddsToCheck, ...] = ()
    """Modifiers of a success roll."""
    powers: tuple[Powers, ...] = ()
    """The power of a strike with a rule of its own; None for any other strike."""
    undeclared_strikes: tuple[FindsStrikes, ...] = ()
    """Strikes that a successful attack adds without a declaration."""
    attack_results: tuple[AdaptsResult, ...] = ()
    """Functions that return the result of an attack in a more specific event."""
    joins: tuple[Joins, ...] = ()
    """Functions that add a section's state to a combatant who joins."""
    at_resolved: tuple[Resolved, ...] = ()
    """Called after an exchange, with the actions that were done, whatever their outcome."""
    at_roll: tuple[AtRoll, ...] = ()
    at_interfered: tuple[Interfered, ...] = ()
    at_round_start: tuple[AtRound, ...] = ()
    at_join: tuple[AtTurn, ...] = ()
    at_turn_start: tuple[AtTurn, ...] = ()
    at_turn_end: tuple[AtTurn, ...] = ()
    at_counterattack_end: tuple[AtTurn, ...] = ()
    """Called when the combatant's prepared counterattack is over; only the edition knows what it interrupted."""
    at_move: tuple[AtTurn, ...] = ()
    at_wound: tuple[AtTurn, ...] = ()
    at_grapple_end: tuple[AtTurn, ...] = ()
    """Called when one of the combatant's holds is over."""
    at_unable: tuple[AtTurn, ...] = ()
    """Called when the combatant can no longer act, for whatever reason."""


class RuleModule(RuleHooks, kw_only=True, frozen=True):
    """The contribution of one module of rules: mechanics for commands, and its hooks."""

    mechanics: tuple[CommandRule, ...] = ()


class Edition(RuleHooks, kw_only=True, frozen=True):
    """An edition of the game: its name, its economy, and the mechanics and hooks of the sections it is made of.

    With `counts_actions`, rounds begin with an order, actions are declared and counted, and nobody has hit points.
    """

    name: str
    economy: Economy
    mechanics: Mapping[type[Command], CommandRule]
    counts_actions: bool = False
    is_busy: Callable[[Combatant], bool]
    """True for a combatant who may have something ongoing."""
    ongoing_without_field: tuple[OngoingEffect, ...] = ()
    """Kinds of ongoing things that no field of a combatant holds."""

    @classmethod
    def of(cls, name: str, economy: Economy, sections: Sequence[RuleModule], *, counts_actions: bool = False) -> Self:
        """Build an edition of those sections, whose hooks are called in that order.

        Raises ValueError if a section is listed twice, or if two of them claim the same command.
        """
        mechanics: dict[type[Command], CommandRule] = {}
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
            is_busy=build_busy_check(ongoing),
            ongoing_without_field=tuple(kind for kind in ongoing if not kind.where),
            **hooks,
        )
