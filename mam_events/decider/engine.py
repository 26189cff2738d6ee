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
    """The rules a ruling is judged under, by the reading in force of every option: `ruleset["half_success"]`.

    `ruleset.tables.difficulties` is one of the printed tables, which are the same in every ruleset. An option that
    has no meaning under the preset has no reading. Nothing in it is ever changed.
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

    def yes(self, option: str) -> bool:
        """True where a yes-or-no option is read as yes."""
        return self[option] == "yes"


class Decision:
    """One command under judgement; `record` adds an event, and `state` is always as that event left it.

    `command` is the one that is judged, with what went without saying.
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
        """The number of the ruling being judged: the id of whatever it declares."""
        return self.dice.ruling

    def record(self, event: Event) -> None:
        """Add an event and let it change the state."""
        self.events.append(event)
        self.state = event.apply(self.state)

    def settle(self) -> None:
        """End whatever goes on though what it needs is gone, until nothing more follows from that."""
        told, edition = -1, self.ruleset.edition
        while told != len(self.events):
            told = len(self.events)
            anybody = any(map(edition.busy, self.state.combatants.values()))
            for kind in edition.ongoing if anybody else edition.nobodys:
                for name, combatant in self.state.combatants.items():
                    for thing in kind.of(self.state, combatant):
                        self._end(kind, name, thing)

    def _end(self, kind: OngoingEffect, name: str, thing: Any) -> None:
        """End one thing under way where what it needs is gone."""
        # What ended meanwhile, with something else of the same one, needs no end of its own.
        now = self.state.combatants[name]
        cause = thing in kind.of(self.state, now) and kind.over(self.state, self.ruleset, now, thing)
        if cause:
            kind.ends(self, name, thing, cause)
            left = kind.of(self.state, self.state.combatants[name])
            assert thing not in left, kind  # noqa: S101 - it would be ended again for ever


class OngoingEffect(Struct, frozen=True):
    """A kind of thing that goes on for as long as it has what it needs: a hold, a drawn bow, a ride.

    `where` is the field of a combatant that is empty while it has nothing of the kind under way ("": it is no field of
    a combatant's), and `listing(state, combatant)`, if given, lists what of it is meant. `over(state, ruleset,
    combatant, thing)` says why one of those is over (nothing: it is not), and `ends(judging, name, thing, why)` records
    that. `Decision.settle` asks after every command, and before anything under way takes effect.
    """

    called: str
    where: str
    over: Callable[[Encounter, Ruleset, Combatant, Any], object]
    ends: Callable[[Decision, str, Any, Any], None]
    listing: Callable[[Encounter, Combatant], Sequence[Any]] | None = None

    def of(self, state: Encounter, combatant: Combatant) -> Sequence[Any]:
        """All that this one has of the kind under way."""
        if self.listing:
            return self.listing(state, combatant)
        found = attrgetter(self.where)(combatant)
        return found if isinstance(found, tuple) else (found,) if found else ()


def build_busy_check(kinds: Sequence[OngoingEffect]) -> Callable[[Combatant], bool]:
    """The quick question whether a combatant may have anything of those kinds under way: it is asked of everybody after
    every command.
    """
    fields = [kind.where for kind in kinds if kind.where]
    if not fields:
        return lambda _: False
    # Of a single field it would give the value alone.
    found = attrgetter(*fields, fields[0])
    return lambda combatant: any(found(combatant))


class Economy:
    """The way actions are paid for: with the turn, and no points, as far as an edition says nothing else."""

    def charged(self, points: int) -> int:
        """The price really asked where so many points are: those, or none where actions cost no points."""
        return 0

    def may(self, state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind, weapon: str) -> None:
        """Refused unless the combatant's turn has room for that kind of action, whatever it costs."""

    def may_end(self, state: Encounter, ruleset: Ruleset, combatant: Combatant) -> None:
        """Refused while something is owed before the combatant's turn may end."""

    def afford(
        self, state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind, price: ActionPrice
    ) -> None:
        """Refused unless that is a price for such an action, and the combatant can pay it."""
        no_points(price.points, price.fields)

    def pay(
        self, judging: Decision, name: str, deed: DeedKind, purpose: Purpose, price: ActionPrice, weapon: str = ""
    ) -> None:
        """Record what an action in one's own turn costs."""
        judging.record(ActionTaken(name, deed, weapon))

    def span(self, state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind) -> tuple[int, int]:
        """The least and the most points that the combatant may put into such an action."""
        return 0, 0

    def may_back(self, state: Encounter, ruleset: Ruleset, combatant: Combatant, points: int) -> None:
        """Refused unless a combo may begin with so many points behind its attacks (MAM-COMBO-06)."""
        no_points(points, ("modifier",), "MAM-COMBO-06")

    def react(
        self, state: Encounter, ruleset: Ruleset, combatant: Combatant, price: ActionPrice, cap: int, *, least: int = 1
    ) -> None:
        """Refused unless the combatant can pay that for an interfering action, which may use at most `cap` points."""
        no_points(price.points, price.fields)

    def pay_reaction(self, judging: Decision, name: str, purpose: Purpose, price: ActionPrice) -> None:
        """Record what an interfering action costs."""

    def reaction_span(self, combatant: Combatant, cap: int) -> tuple[int, int]:
        """The least and the most points that an interfering action may use."""
        return 0, 0

    def carry(
        self, state: Encounter, ruleset: Ruleset, combatant: Combatant, points: int, metres: Decimal | None
    ) -> Decimal:
        """The distance that a combatant goes that spends so many points and wants to go so far; refused where it
        cannot.
        """
        raise NotImplementedError  # each kind of economy measures it

    def farthest(self, ruleset: Ruleset, combatant: Combatant, points: int) -> Fraction | None:
        """The most metres that it goes, as it stands or lies now, for so many points; None where that is not known."""
        return None


class RollContext(Struct, frozen=True):
    """A roll as the sections see it: `combatant` rolls (for a difficulty: acts), `opponent` is on the other side (None:
    nobody), `action` is the action the roll is about: one's own, or the one that is defended against.
    """

    state: Encounter
    ruleset: Ruleset
    action: Action
    combatant: Combatant
    opponent: Combatant | None
    role: ModifierRole


class UndeclaredStrike(Struct, frozen=True):
    """A strike that an attack brings though nobody declared it, and what records what it does."""

    action: Action
    record: Callable[[Decision, Exchange, StrikeEffect], None]


class CommandRule:
    """One command and the rule behind it, as the decider asks it; `Mechanic` builds them."""

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

    mechanics: tuple[CommandRule, ...] = ()


class Edition(RuleHooks, kw_only=True, frozen=True):
    """An edition of the game: its name, how its actions are paid for, and what it has from the sections it is made of.

    `counts_actions` tells whether rounds begin with an order and actions are declared and counted in them; then nobody
    has hit points.
    """

    name: str
    economy: Economy
    mechanics: Mapping[type[Command], CommandRule]
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
            busy=build_busy_check(ongoing),
            nobodys=tuple(kind for kind in ongoing if not kind.where),
            **hooks,
        )
