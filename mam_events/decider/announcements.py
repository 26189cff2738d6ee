"""Orders that are announced: others may interfere, and what they do follows only after that (MAM-INTF-01).

Announcing one pays for it and opens an exchange; whatever stops it, its points stay spent.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from mam_events.commands import COMMANDS, Announceable, actor_of, name_of
from mam_events.decider.action_price import ActionPrice
from mam_events.decider.engine import Decision, Economy, Ruleset
from mam_events.decider.rule_tables import DeedKind
from mam_events.events import ActionDeclared, Purpose
from mam_events.state import Action, AnnouncedOrder, Combatant, Encounter

Judge = Callable[[Decision, Any, Any], None]
_NAMES = tuple(name for name in AnnouncedOrder.__struct_fields__ if name != "do")


def with_announcement(judge: Judge, deed: DeedKind, purpose: Purpose) -> Judge:
    """Return the judging of such an order: announced, it is paid for and declared, and nothing else."""

    def judge_announced(judging: Decision, command: Announceable, found: Any) -> None:
        if not command.announced:
            judge(judging, command, found)
            return
        price, weapon = (found, "") if isinstance(found, ActionPrice) else (found.price, found.weapon.id)
        who = actor_of(command)
        judging.record(ActionDeclared(judging.ruling, who, "", price.points, order=_order_of(command)))
        judging.ruleset.edition.economy.pay(judging, who, deed, purpose, price, weapon)

    return judge_announced


def check_announced(state: Encounter, ruleset: Ruleset, action: Action) -> object:
    """Return what the check of an announced order finds now; refused where it could not be done any more, whatever it
    costs.
    """
    command = _command_of(action)
    mechanic = ruleset.edition.mechanics[type(command)]
    return mechanic.check(replace(state, exchange=None), _paid(ruleset), command)


def carry_out(judging: Decision, action: Action) -> None:
    """Do what was announced, once its exchange is over."""
    found, command, ruleset = (
        check_announced(judging.state, judging.ruleset, action),
        _command_of(action),
        judging.ruleset,
    )
    judging.ruleset = _paid(ruleset)
    try:
        ruleset.edition.mechanics[type(command)].judge(judging, command, found)
    finally:
        judging.ruleset = ruleset


def _order_of(command: Announceable) -> AnnouncedOrder:
    """Return the order as the state holds it: by name, with whatever it names."""
    named = {name: getattr(command, name) for name in _NAMES if hasattr(command, name)}
    return AnnouncedOrder(name_of(command), **named)


def _command_of(action: Action) -> Announceable:
    """Return the order that an action announced, without its price."""
    order = action.order
    assert order is not None  # noqa: S101 - only an announced order is asked for
    kind = COMMANDS[order.do]
    named = {name: getattr(order, name) for name in _NAMES if name in kind.__struct_fields__}
    return kind(combatant=action.combatant, **named)  # type: ignore[call-arg,return-value]  # as it was announced


class PaidAnnouncement(Economy):
    """The way an order is paid for that was paid when it was announced: not again, whatever the turn has room for."""

    def __init__(self, economy: Economy) -> None:
        self._economy = economy

    def charged(self, points: int) -> int:
        """The price really asked where so many points are."""
        return self._economy.charged(points)

    def afford(
        self, state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind, price: ActionPrice
    ) -> None:
        """Refuse nothing."""

    def pay(
        self, judging: Decision, name: str, deed: DeedKind, purpose: Purpose, price: ActionPrice, weapon: str = ""
    ) -> None:
        """Record nothing."""

    def carry(
        self, state: Encounter, ruleset: Ruleset, combatant: Combatant, points: int, metres: Decimal | None
    ) -> Decimal:
        """The distance that a combatant goes."""
        return self._economy.carry(state, ruleset, combatant, points, metres)

    def farthest(self, ruleset: Ruleset, combatant: Combatant, points: int) -> Fraction | None:
        """The most metres that it goes."""
        return self._economy.farthest(ruleset, combatant, points)


def _paid(ruleset: Ruleset) -> Ruleset:
    """Return the ruleset in which nothing is paid for."""
    edition = replace(ruleset.edition, economy=PaidAnnouncement(ruleset.edition.economy))
    return Ruleset(edition, ruleset.pinned, ruleset.tables)
