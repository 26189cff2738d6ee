"""A fight for tests of lines, and its combatants."""

from __future__ import annotations

from decimal import Decimal
from typing import Self

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Join,
    Open,
)
from mam_events.errors import MamError
from mam_events.log.combat_log import CombatLog
from mam_events.notation.line_result import LineGiven, LineOptions
from mam_events.notation.submit import give_line
from mam_events.state import ArmorPiece, Weapon

ICE = Weapon("ice-blade", "Ice Blade", power=3, attack=1, sharpness=-2, reach=Decimal(1))


class Table:
    """A fight that takes lines."""

    def __init__(self, *joins: Join, preset: str = "mam_pools", rules: dict[str, str] | None = None) -> None:
        self.log = CombatLog.open("sqlite://")
        self.log.execute("fight", Open(preset=preset, house_rules=rules or {}))
        for join in joins:
            self.log.execute("fight", join)

    def __call__(self, line: str, **options: object) -> LineGiven:
        return give_line(self.log, "fight", line, LineOptions(**options))  # type: ignore[arg-type]  # each of its kind

    def after(self, *lines: str) -> Self:
        """Give those lines, and return this fight after them."""
        for line in lines:
            self(line)
        return self

    def orders(self, line: str) -> list[str]:
        return list(self(line).said)

    def error(self, line: str) -> str:
        return self.error_with(line)

    def error_with(self, line: str, **options: object) -> str:
        before = self.log.application.recorder.last_version("fight")
        with pytest.raises(MamError) as error:
            self(line, **options)
        assert self.log.application.recorder.last_version("fight") == before
        return error.value.sentence


MODRE = Join("modre", name="Modre", side="heroes", hp=6, weapon=(ICE,))


CLONE = Join("clone", name="Clone", side="foes", hp=6)


WOLF = Join("wolf", name="Wolf", side="foes", hp=6)


MAILED = replace(CLONE, armor=(ArmorPiece("mail", cover=6, absorption=1),))
