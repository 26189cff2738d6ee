"""The cost of actions in an edition: hit points, or the turn itself."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from msgspec import Struct

from mam_events.decider.decision import Decision
from mam_events.decider.rule_tables import DeedKind
from mam_events.decider.ruleset_data import Ruleset
from mam_events.errors import Refused
from mam_events.events import ActionTaken, Purpose
from mam_events.state import Combatant, Encounter


class ActionPrice(Struct, frozen=True):
    """The price of an action: the points for each pool, the `fields` of the command that hold them, and the rule."""

    to_defense: int = 0
    to_other_used: int = 0
    fields: tuple[str, ...] = ("points",)
    rule: str = "MAM-PHASE-04"

    @property
    def points(self) -> int:
        """The total points."""
        return self.to_defense + self.to_other_used


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
        raise NotImplementedError  # each kind of economy measures it

    def farthest(self, ruleset: Ruleset, combatant: Combatant, points: int) -> Fraction | None:
        """Return the most metres that the combatant can cover for those points in their position; None if unknown."""
        return None


def no_points(points: int, fields: tuple[str, ...] = ("points",), rule: str = "MAM-TURN-07") -> None:
    """Raise Refused with `points_not_spent` for any points."""
    if points:
        raise Refused("points_not_spent/here", modifier="modifier" in fields, rule=rule, fields=fields)
