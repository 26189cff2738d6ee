"""Orders of a combatant's own turn: begin it, make points ready, move, handle things, end it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cli.acting import (
    MINE,
    Default,
    order,
    order_with_weapon,
    required,
    rightmost,
    who_and_amount,
    who_and_points,
    who_begins,
    whose_turn,
)
from cli.choices import TERRAINS
from cli.options import Whole, acting, command, complete_combatant, price, who_acts
from cli.rounds import on_the_floor, turn_under_way
from cli.session import Session, pass_session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mam_events.rulebook import Rulebook
    from mam_events.state import Encounter


@command("begin-turn", "mam begin-turn", "mam begin-turn modre")
@click.argument(
    "combatant", required=False, shell_complete=complete_combatant, help="Whose turn begins; whoever is next."
)
@acting
@pass_session
def begin_turn(session: Session, combatant: str | None) -> None:
    """Begin the next combatant's turn; its stun phase runs by itself (MAM-PHASE-01)."""
    order(session, "begin-turn", {"combatant": combatant}, {"combatant": who_begins})


@command("ready", "mam ready clone --defense 3", "mam ready")
@who_acts
@click.option("--defense", type=Whole(), metavar="POINTS", help="Points that come from the defense pool.")
@click.option("--other-used", type=Whole(), metavar="POINTS", help="Points that come from the other used pool.")
@acting
@pass_session
def ready(session: Session, combatant: str | None, defense: int | None, other_used: int | None) -> None:
    """Move points into the ready pool (MAM-PHASE-02); without numbers, as many as may, if one pool has them all."""
    said = {"combatant": combatant, "defense": defense, "other_used": other_used}
    order(
        session,
        "ready",
        said,
        MINE if defense is not None or other_used is not None else MINE | _most(session, combatant),
    )


def _most(session: Session, combatant: str | None) -> dict[str, Default]:
    def amount(field: str, state: Encounter) -> int:
        return _most_to_ready(session.log().rules, state, combatant or whose_turn(state))[field]

    return {field: partial(amount, field) for field in ("defense", "other_used")}


def _not_idly(rules: Rulebook, state: Encounter, combatant: str) -> None:
    """Refused with `below_required_amount` where the rules would let somebody make no points ready at all."""
    from mam_events.commands import Ready
    from mam_events.errors import Refused
    from mam_events.rules.checks import allowed

    if state.ruleset is None:
        return
    ruleset = rules.in_force(state.ruleset)
    if allowed(ruleset.edition.mechanics[Ready].check, state, ruleset, Ready(combatant)):
        raise Refused(
            "below_required_amount",
            f"{state.combatants[combatant].name} has no point that could become ready now.",
            rule="MAM-PHASE-02",
        )


def _most_to_ready(rules: Rulebook, state: Encounter, combatant: str) -> Mapping[str, int]:
    """The most points that may become ready now, where there is only one way to take them from the two pools.

    Raises BadInput, naming a way, where there are several; refused with `below_required_amount` where there are none
    to take. What may not be done at all is left to the rules.
    """
    from cli.suggesting import allowed
    from mam_events.errors import BadInput
    from mam_events.visibility import GAME_MASTER
    from projections.screen import Screen

    names = ("defense", "other_used")
    everything = Screen(GAME_MASTER)
    template = next((t for t in allowed(rules, state, everything) if (t.do, t.combatant) == ("ready", combatant)), None)
    if template is None:
        _not_idly(rules, state, combatant)
        return dict.fromkeys(names, 0)
    field = {field.name: field for field in template.fields}
    most = template.sums[0].high
    low = max(0, most - (field["other_used"].high or 0))
    high = min(most, field["defense"].high or 0)
    if low < high:
        raise BadInput(
            f"{state.combatants[combatant].name} may make {most} points ready, taken from two pools: say how many from "
            f"each, as in `mam ready {combatant} --defense {low} --other-used {most - low}`."
        )
    return dict(zip(names, (low, most - low), strict=True))


@command(
    "move",
    "mam move 3",
    "mam move clone 3 --metres 2.5",
    "mam move clone --metres 4",
    "mam move 4",
    "mam move rook --metres 2 --terrain challenging",
)
@click.argument(
    "combatant",
    required=False,
    shell_complete=complete_combatant,
    help="Who moves; the one whose turn it is, if left out.",
)
@click.argument("points", required=False, help="Ready points to spend; metres, where moving costs none.")
@click.option("--metres", metavar="METRES", help="How far, in metres, if not all the way (points × stride).")
@click.option("--straight", is_flag=True, default=None, help="In a straight line, as a charge or a ram needs.")
@click.option("--terrain", type=click.Choice(TERRAINS), help="In Ron d6: the ground (easy).")
@click.option("--counts", is_flag=True, default=None, help="In Ron d6: it takes an action, whatever its length.")
@acting
@pass_session
def move(session: Session, /, combatant: str | None, points: str | None, metres: str | None, **said: Any) -> None:
    """Move; where points are spent, they carry points × stride metres (MAM-POOL-12), where none are, say the metres.

    In a round of Ron d6 half one's Move is free, and more takes an action (RD6-FREE-01).
    """
    mine = {"combatant": on_the_floor} if session.counts_actions() else MINE
    if metres is None and not session.spends_points():
        who, metres = who_and_amount(combatant, points)
        order(session, "move", {"combatant": who, "metres": required(metres, "METRES")} | said, mine)
        return
    who, spent = who_and_points(combatant, points, needed=metres is None)
    order(session, "move", {"combatant": who, "points": spent, "metres": metres} | said, mine)


@command("ready-weapon", "mam ready-weapon modre ice-blade")
@who_acts
@click.argument("weapon", required=False, help="Which weapon that is not in hand; the only one, if left out.")
@price
@acting
@pass_session
def ready_weapon(session: Session, combatant: str | None, weapon: str | None, points: int | None) -> None:
    """Take a weapon in hand that is not yet (MAM-ATK-06)."""
    order_with_weapon(session, "ready-weapon", combatant, weapon, points)


@command("drop-item", "mam drop-item modre backpack")
@who_acts
@click.argument("item", required=False, help="What to drop: a weapon or a piece of equipment.")
@acting
@pass_session
def drop_item(session: Session, combatant: str | None, item: str | None) -> None:
    """Drop something carried, so that its encumbrance no longer counts (MAM-POOL-06)."""
    who, what = rightmost(combatant, item)
    order(session, "drop-item", {"combatant": who, "item": required(what, "ITEM")}, MINE)


@command("pick-up-item", "mam pick-up-item modre backpack", "mam pick-up-item clone ice-blade --owner modre")
@who_acts
@click.argument("item", required=False, help="What to pick up: something that was dropped.")
@click.option(
    "--owner", metavar="COMBATANT", shell_complete=complete_combatant, help="Whose it was; one's own, if left out."
)
@price
@acting
@pass_session
def pick_up_item(
    session: Session, combatant: str | None, item: str | None, owner: str | None, points: int | None
) -> None:
    """Pick up something dropped; a weapon comes to hand."""
    who, what = rightmost(combatant, item)
    said = {"combatant": who, "item": required(what, "ITEM"), "owner": owner, "points": points}
    order(session, "pick-up-item", said, MINE)


@command("end-turn", "mam end-turn", 'mam end-turn clone --reason "fled"')
@who_acts
@click.option("--reason", metavar="TEXT", help="Why, if there is something to say.")
@acting
@pass_session
def end_turn(session: Session, combatant: str | None, reason: str | None) -> None:
    """End the turn; points still ready stay ready (MAM-PHASE-05, MAM-POOL-02)."""
    mine = {"combatant": turn_under_way} if session.counts_actions() else MINE
    order(session, "end-turn", {"combatant": combatant, "reason": reason}, mine)
