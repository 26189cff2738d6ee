"""The price of actions in an edition: hit points, or the turn itself."""

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
    """The price asked for an action: points into each pool, out of the `fields` of the command, by that rule."""

    to_defense: int = 0
    to_other_used: int = 0
    fields: tuple[str, ...] = ("points",)
    rule: str = "MAM-PHASE-04"

    @property
    def points(self) -> int:
        """All of it."""
        return self.to_defense + self.to_other_used


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


def no_points(points: int, fields: tuple[str, ...] = ("points",), rule: str = "MAM-TURN-07") -> None:
    """Refused with `points_not_spent` for any points."""
    if points:
        raise Refused("points_not_spent/here", modifier="modifier" in fields, rule=rule, fields=fields)
