"""Positions of two who grapple: a clinch or a fight on the ground, and dominance in it (MAM-POS-05)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from mam_events.commands import Placement, TakePosition
from mam_events.decider.action_kinds import deed_name, require_can_act
from mam_events.decider.checks import require_combatant
from mam_events.decider.engine import Decision, OngoingEffect, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, offer
from mam_events.decider.rule_tables import DeedKind
from mam_events.errors import Refused
from mam_events.events import PositionChanged
from mam_events.refusals.arguments import Term, list_argument
from mam_events.rules.maneuvering.positions import is_on_ground, words
from mam_events.state import Combatant, Encounter, Position


def holds(holder: Combatant, other: Combatant) -> bool:
    """Return True if the first holds the second, with its body or with what is in its hand."""
    return any(grapple.held == other.id and grapple.is_by_hand for grapple in holder.grapples)


def is_joined_by_hold(one: Combatant, other: Combatant) -> bool:
    """Return True if a hold of either joins the two."""
    return holds(one, other) or holds(other, one)


def grapples(state: Encounter, combatant: Combatant) -> tuple[Combatant, ...]:
    """Return the combatants with whom a combatant grapples, whatever their positions."""
    return tuple(
        other
        for other in state.combatants.values()
        if other.id == combatant.status.grappling or is_joined_by_hold(combatant, other)
    )


def not_in_a_grapple(state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind) -> None:
    """Raise Refused with `grappling` for an action that a grapple prevents.

    Those who hold somebody, or are held, cannot do some actions (MAM-POS-01). Those who hold somebody also cannot do
    what takes both hands for longer (MAM-ARC-01, MAM-THR-03). A grapple by itself changes no rolls; the position taken
    in it does. In the worked example a choke takes 3 off all rolls of the choked one, and no more (MAM-MNP-06).
    """
    row = ruleset.tables.deeds[deed]
    loose = row.stance or row.loose
    if not (loose or row.hands):
        return
    for other in [other for other in grapples(state, combatant) if loose or holds(combatant, other)][:1]:
        raise Refused(
            "grappling",
            combatant=combatant,
            other=other,
            deed=Term(deed_name(deed, ruleset)),
            rule="MAM-POS-01",
            fields=("combatant",),
        )


def choices(holder: Combatant, partner: Combatant, ruleset: Ruleset) -> tuple[str, ...]:
    """Return the grapple positions that the holder can take where it is (MAM-POS-05).

    It stands or is on the ground, and can be dominant only over somebody it holds.
    """
    return tuple(
        name
        for name, row in ruleset.tables.positions.items()
        if row.other_side
        and row.on_ground == is_on_ground(holder, ruleset)
        and (holds(holder, partner) or not row.dominant)
    )


def check_take_position(state: Encounter, ruleset: Ruleset, command: TakePosition) -> Combatant:
    """Return the partner, if the two grapple; taking a position takes no action.

    Only one who holds the other may be dominant. The digest does not say how a combatant becomes dominant; here the
    holder chooses it in its own turn. It lifts nobody up and lays nobody down (MAM-MNV-03, MAM-MNV-04, MAM-MNP-08).

    Raises Refused with `not_grappling`, `not_the_holder`, `dominated`, `wrong_position` or `wrong_level`.
    """
    combatant = require_can_act(state, ruleset, command.combatant, "take_position")
    partner = require_combatant(state, command.partner, "partner")
    row = ruleset.tables.positions[command.position]
    if not is_joined_by_hold(combatant, partner):
        raise Refused("not_grappling", combatant=combatant, partner=partner, rule="MAM-POS-05", fields=("partner",))
    if row.dominant and not holds(combatant, partner):
        raise Refused("not_the_holder", partner=partner, combatant=combatant, rule="MAM-POS-05", fields=("position",))
    _between_two(state, ruleset, combatant, partner)
    if row.on_ground != is_on_ground(combatant, ruleset):
        raise Refused(
            "wrong_level/from_there",
            who=combatant,
            position=Term(words(combatant.status.position, ruleset)),
            positions=list_argument(map(Term, choices(combatant, partner, ruleset))),
            rule="MAM-POS-05",
            fields=("position",),
        )
    return partner


def _between_two(state: Encounter, ruleset: Ruleset, combatant: Combatant, partner: Combatant) -> None:
    if partner.status.dominant_over == combatant.id:
        raise Refused("dominated", partner=partner, combatant=combatant, rule="MAM-POS-05", fields=("position",))
    for one, other in ((combatant, partner), (partner, combatant)):
        bound = one.status.grappling
        if bound and bound != other.id:
            raise Refused(
                "wrong_position/in_grapple",
                who=one,
                position=Term(words(one.status.position, ruleset)),
                other=state.combatants[bound],
                rule="MAM-POS-01",
                fields=("partner",),
            )
    lying, standing = (partner, combatant) if is_on_ground(partner, ruleset) else (combatant, partner)
    if is_on_ground(combatant, ruleset) != is_on_ground(partner, ruleset):
        raise Refused("wrong_level", lying=lying, standing=standing, rule="MAM-POS-05", fields=("partner",))


def judge_take_position(judging: Decision, command: TakePosition, partner: Combatant) -> None:
    """Place both grapplers: at most one of them is dominant (MAM-POS-05)."""
    _place(judging, (Placement(command.combatant, command.position, partner.id),), "grapple")


def _offer_take_position(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    names = {grapple.held for holder in state.combatants.values() for grapple in holder.grapples}
    grappling = [one for one in state.combatants.values() if one.grapples or one.id in names]
    for combatant in grappling:
        for partner in grappling:
            if is_joined_by_hold(combatant, partner):
                positions = choices(combatant, partner, ruleset)
                least = TakePosition(combatant.id, positions[0], partner.id)  # type: ignore[arg-type]  # one of them
                yield offer(least, Field("position", choices=positions), Field("partner", choices=(partner.id,)))


def let_go(judging: Decision, name: str) -> None:
    """Record that grapplers whom no hold joins any more stand or lie by themselves.

    Call it after a hold of that combatant has ended.
    """
    state = judging.state
    for combatant in state.combatants.values():
        partner = state.combatants.get(combatant.status.grappling)
        if partner is None or name not in (combatant.id, partner.id):
            continue
        if not is_joined_by_hold(combatant, partner):
            leave_grapple_position(judging, combatant.id, partner.id, "")


def grapple_end_reason(state: Encounter, ruleset: Ruleset, combatant: Combatant, partner: str) -> str:
    """Return the reason why a combatant's grapple position ends; "" while it lasts.

    The other is gone or elsewhere.
    """
    other = state.combatants[partner]
    if other.is_gone:
        return f"{other.name} is {other.condition}"
    return "" if other.status.grappling == combatant.id else f"{other.name} is elsewhere"


def leave_grapple_position(judging: Decision, name: str, partner: str, why: str) -> None:
    """Record that a combatant stands or lies by itself again."""
    combatant = judging.state.combatants[name]
    position: Position = "on_ground" if is_on_ground(combatant, judging.ruleset) else "standing"
    judging.record(PositionChanged(name, combatant.status.position, position, "let go"))


def seen_in(placings: tuple[Placement, ...], ruleset: Ruleset) -> Iterator[Placement]:
    """Yield the placings, and the matching position for a partner whom none of them places."""
    names = {placing.combatant for placing in placings}
    for placing in placings:
        yield placing
        other_side = ruleset.tables.positions[placing.position].other_side
        if placing.partner and placing.partner not in names and other_side:
            yield Placement(placing.partner, other_side, placing.combatant)


def check_placings(state: Encounter, ruleset: Ruleset, placings: tuple[Placement, ...]) -> None:
    """Raise Refused with `partner_missing` or `two_dominant` for impossible positions (MAM-POS-05).

    This holds even for the game master.
    """
    rows = ruleset.tables.positions
    over = {name: combatant.status.dominant_over for name, combatant in state.combatants.items()}
    for placing in seen_in(placings, ruleset):
        combatant = require_combatant(state, placing.combatant, "position")
        if placing.partner:
            require_combatant(state, placing.partner, "position")
        grapples = rows[placing.position].other_side is not None
        if placing.partner == placing.combatant:
            raise Refused("partner_missing/self", combatant=combatant, rule="MAM-POS-05", fields=("position",))
        if placing.partner and not grapples:
            raise Refused("partner_missing/idle", combatant=combatant, rule="MAM-POS-05", fields=("position",))
        if grapples and not placing.partner:
            raise Refused("partner_missing", combatant=combatant, rule="MAM-POS-05", fields=("position",))
        over[combatant.id] = placing.partner if rows[placing.position].dominant else ""
    for name, other in over.items():
        if other and over[other] == name:
            raise Refused(
                "two_dominant",
                name=state.combatants[name],
                other=state.combatants[other],
                rule="MAM-POS-05",
                fields=("position",),
            )


def place_combatants(judging: Decision, placings: tuple[Placement, ...]) -> None:
    """Record the positions that the game master gives to combatants."""
    _place(judging, placings, "game master")


def _place(judging: Decision, placings: tuple[Placement, ...], cause: Literal["grapple", "game master"]) -> None:
    for placing in seen_in(placings, judging.ruleset):
        before = judging.state.combatants[placing.combatant].status.position
        judging.record(PositionChanged(placing.combatant, before, placing.position, cause, placing.partner))


SECTION = RuleModule(
    limits=(not_in_a_grapple,),
    at_grapple_end=(let_go,),
    ongoing=(OngoingEffect("grapple position", "status.grappling", grapple_end_reason, leave_grapple_position),),
    mechanics=(
        Mechanic(TakePosition, check=check_take_position, judge=judge_take_position, offers=_offer_take_position),
    ),
)
