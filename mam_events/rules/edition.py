"""What an edition is: a value that lists its mechanics, and what each section adds to rolls, turns and wounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from types import ModuleType
from typing import TYPE_CHECKING, Any

from mam_events.commands import Command
from mam_events.encounter.judging import Judging
from mam_events.encounter.templates import Offer
from mam_events.rules.ruleset import Ruleset
from mam_events.state import Encounter

if TYPE_CHECKING:
    from mam_events.events import Modifier, Outcome, RollMade
    from mam_events.rules.economy import Economy
    from mam_events.rules.rolling import Rolling
    from mam_events.state import Action, Combatant, Exchange

    Limit = Callable[[Encounter, Ruleset, Combatant, str], None]
    Keeps = Callable[[Encounter, Ruleset, Combatant], None]
    Adds = Callable[[Rolling], Iterable[Modifier]]
    AddsToCheck = Callable[[Encounter, Ruleset, Combatant], Iterable[Modifier]]
    AtTurn = Callable[[Judging, str], None]
    Resolved = Callable[[Judging, Exchange, Outcome], None]
    AtRoll = Callable[[Judging, RollMade], None]
    Interfered = Callable[[Judging, Action, Action], None]


class Mechanic:
    """One command and the rule behind it, written once and asked twice.

    `check(state, ruleset, command)` raises Refused or returns what it found; `judge(judging, command, found)` is given
    that and records the facts; `offers(state, ruleset)` lists what could be ordered, legal or not.
    """

    __slots__ = ("check", "command", "judge", "offers")

    def __init__(
        self,
        command: type[Command],
        *,
        check: Callable[[Encounter, Ruleset, Any], object],
        judge: Callable[[Judging, Any, Any], None],
        offers: Callable[[Encounter, Ruleset], Iterable[Offer]],
    ) -> None:
        self.command = command
        self.check = check
        self.judge = judge
        self.offers = offers


class Edition:
    """An edition of the game: its name, how its actions are paid for, and the modules of rules it is made of.

    Beside its `MECHANICS` and its `REVISION` a module may bring tuples of functions: `LIMITS` (what keeps a combatant
    from a kind of action), `STRIKE_LIMITS` (what keeps it from striking, in its turn or in answer), `TURN_END_LIMITS`
    (what must be done before a turn ends), `ROLL_MODIFIERS` (what it adds to a combat roll), `CHECK_MODIFIERS` (to a
    success roll), and what follows by itself `AT_ROUND_START`, `AT_TURN_START`, `AT_TURN_END`, `AT_MOVE`, `AT_WOUND`,
    `AT_ROLL`, `AT_INTERFERED`, `AT_GRAPPLE_END` (of a hold of that one) and `AT_RESOLVED`. Raises ValueError where two
    modules claim the same command.
    """

    __slots__ = (
        "at_grapple_end",
        "at_interfered",
        "at_move",
        "at_resolved",
        "at_roll",
        "at_round_start",
        "at_turn_end",
        "at_turn_start",
        "at_wound",
        "check_modifiers",
        "economy",
        "limits",
        "mechanics",
        "name",
        "revisions",
        "roll_modifiers",
        "strike_limits",
        "turn_end_limits",
    )

    def __init__(self, name: str, economy: Economy, modules: Iterable[ModuleType]) -> None:
        self.name = name
        self.economy = economy
        self.revisions: dict[str, int] = {}
        self.mechanics: dict[type[Command], Mechanic] = {}
        modules = tuple(modules)
        claimed: dict[type[Command], str] = {}
        for module in modules:
            self.revisions[module.__name__.rsplit(".", 1)[1]] = int(module.REVISION)
            for mechanic in getattr(module, "MECHANICS", ()):
                command = mechanic.command
                if command in claimed:
                    raise ValueError(f"{command.__name__} is claimed by {claimed[command]} and by {module.__name__}")
                claimed[command] = module.__name__
                self.mechanics[command] = mechanic
        self.limits: tuple[Limit, ...] = _collected(modules, "LIMITS")
        self.strike_limits: tuple[Keeps, ...] = _collected(modules, "STRIKE_LIMITS")
        self.turn_end_limits: tuple[Keeps, ...] = _collected(modules, "TURN_END_LIMITS")
        self.roll_modifiers: tuple[Adds, ...] = _collected(modules, "ROLL_MODIFIERS")
        self.check_modifiers: tuple[AddsToCheck, ...] = _collected(modules, "CHECK_MODIFIERS")
        self.at_roll: tuple[AtRoll, ...] = _collected(modules, "AT_ROLL")
        self.at_interfered: tuple[Interfered, ...] = _collected(modules, "AT_INTERFERED")
        self.at_turn_start: tuple[AtTurn, ...] = _collected(modules, "AT_TURN_START")
        self.at_round_start: tuple[AtTurn, ...] = _collected(modules, "AT_ROUND_START")
        self.at_turn_end: tuple[AtTurn, ...] = _collected(modules, "AT_TURN_END")
        self.at_move: tuple[AtTurn, ...] = _collected(modules, "AT_MOVE")
        self.at_grapple_end: tuple[AtTurn, ...] = _collected(modules, "AT_GRAPPLE_END")
        self.at_wound: tuple[AtTurn, ...] = _collected(modules, "AT_WOUND")
        self.at_resolved: tuple[Resolved, ...] = _collected(modules, "AT_RESOLVED")


def _collected(modules: Iterable[ModuleType], name: str) -> tuple[Any, ...]:
    return tuple(chain.from_iterable(getattr(module, name, ()) for module in modules))
