"""What an edition is: a value that lists its mechanics."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

from mam_events.commands import Command
from mam_events.encounter.judging import Judging
from mam_events.encounter.templates import Offer
from mam_events.rules.ruleset import Ruleset
from mam_events.state import Encounter


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
    """An edition of the game: its name and the modules of rules it is made of, each with a revision.

    Raises ValueError where two modules claim the same command.
    """

    __slots__ = ("mechanics", "name", "revisions")

    def __init__(self, name: str, modules: Iterable[ModuleType]) -> None:
        self.name = name
        self.revisions: dict[str, int] = {}
        self.mechanics: dict[type[Command], Mechanic] = {}
        claimed: dict[type[Command], str] = {}
        for module in modules:
            self.revisions[module.__name__.rsplit(".", 1)[1]] = int(module.REVISION)
            for mechanic in getattr(module, "MECHANICS", ()):
                command = mechanic.command
                if command in claimed:
                    raise ValueError(f"{command.__name__} is claimed by {claimed[command]} and by {module.__name__}")
                claimed[command] = module.__name__
                self.mechanics[command] = mechanic
