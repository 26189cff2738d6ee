"""Orders that are announced: others may interfere, and the order is carried out only after that (MAM-INTF-01).

Announcing an order pays for it and opens an exchange. If something stops the order, its points stay spent.
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
    """Wrap `judge` so that an announced order is only paid for and declared."""

    def judge_announced(judging: Decision, command: Announceable, option: Any) -> None:
        if not command.announced:
            judge(judging, command, option)
            return
        price, weapon = (option, "") if isinstance(option, ActionPrice) else (option.price, option.weapon.id)
        who = actor_of(command)
        judging.record(ActionDeclared(judging.ruling, who, "", price.points, order=_order_of(command)))
        judging.ruleset.edition.economy.pay(judging, who, deed, purpose, price, weapon)

    return judge_announced


def check_announced(state: Encounter, ruleset: Ruleset, action: Action) -> object:
    """Return what the check of an announced order finds now.

    Raises Refused if the order is no longer possible. Its price is not checked again.
    """
    command = _command_of(action)
    mechanic = ruleset.edition.mechanics[type(command)]
    return mechanic.check(replace(state, exchange=None), _paid(ruleset), command)


def carry_out(judging: Decision, action: Action) -> None:
    """Carry out an announced order once its exchange is over."""
    checked, command, ruleset = (
        check_announced(judging.state, judging.ruleset, action),
        _command_of(action),
        judging.ruleset,
    )
    judging.ruleset = _paid(ruleset)
    try:
        ruleset.edition.mechanics[type(command)].judge(judging, command, checked)
    finally:
        judging.ruleset = ruleset


def _order_of(command: Announceable) -> AnnouncedOrder:
    """Return the order as the state holds it: its name and the values of its fields."""
    fields = {name: getattr(command, name) for name in _NAMES if hasattr(command, name)}
    return AnnouncedOrder(name_of(command), **fields)


def _command_of(action: Action) -> Announceable:
    """Return the order that an action announced, without its price."""
    order = action.order
    assert order is not None  # noqa: S101 - callers check that an order was announced
    kind = COMMANDS[order.do]
    fields = {name: getattr(order, name) for name in _NAMES if name in kind.__struct_fields__}
    return kind(combatant=action.combatant, **fields)  # type: ignore[call-arg,return-value]  # as it was announced


class PaidAnnouncement(Economy):
    """The economy of an order that was paid for when it was announced: nothing more is charged, or checked."""

    def __init__(self, economy: Economy) -> None:
        self._economy = economy

    def charged(self, points: int) -> int:
        """Return the points that are really charged for that many points."""
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
        """Return the distance in metres that a combatant covers."""
        return self._economy.carry(state, ruleset, combatant, points, metres)

    def farthest(self, ruleset: Ruleset, combatant: Combatant, points: int) -> Fraction | None:
        """Return the greatest distance in metres that a combatant can cover."""
        return self._economy.farthest(ruleset, combatant, points)


def _paid(ruleset: Ruleset) -> Ruleset:
    """Return the same ruleset with an economy that charges nothing."""
    edition = replace(ruleset.edition, economy=PaidAnnouncement(ruleset.edition.economy))
    return Ruleset(edition, ruleset.pinned, ruleset.tables)
