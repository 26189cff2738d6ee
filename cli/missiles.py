"""Orders about what is shot or thrown: draw and let down a bow, load and unload, begin to heave."""

from __future__ import annotations

import click

from cli.acting import MINE, order, order_with_weapon, required, rightmost
from cli.options import acting, command, price, who_acts
from cli.session import Session, pass_session

_WEAPON = click.argument("weapon", required=False, help="Which weapon in hand; the only one, if left out.")


@command("draw-bow", "mam draw-bow lin longbow", "mam draw-bow longbow")
@who_acts
@_WEAPON
@price
@acting
@pass_session
def draw_bow(session: Session, combatant: str | None, weapon: str | None, points: int | None) -> None:
    """Draw a bow (MAM-ARC-01), or a crossbow without a lever, which then stays loaded (MAM-ARC-03)."""
    order_with_weapon(session, "draw-bow", combatant, weapon, points)


@command("lower-bow", "mam lower-bow lin", "mam lower-bow")
@who_acts
@price
@acting
@pass_session
def lower_bow(session: Session, combatant: str | None, points: int | None) -> None:
    """Let a drawn bow down without a shot, where the house allows it (MAM-ARC-01)."""
    order(session, "lower-bow", {"combatant": combatant, "points": points}, MINE)


@command("load", "mam load lin musket", "mam load musket")
@who_acts
@_WEAPON
@price
@acting
@pass_session
def load(session: Session, combatant: str | None, weapon: str | None, points: int | None) -> None:
    """Load a gun, or a crossbow by its lever: once for every turn that takes (MAM-ARC-02, MAM-ARC-03)."""
    order_with_weapon(session, "load", combatant, weapon, points)


@command("unload", "mam unload lin crossbow", "mam unload crossbow")
@who_acts
@_WEAPON
@price
@acting
@pass_session
def unload(session: Session, combatant: str | None, weapon: str | None, points: int | None) -> None:
    """Take out what a crossbow or a gun is loaded with (MAM-ARC-02)."""
    order_with_weapon(session, "unload", combatant, weapon, points)


@command("begin-heave", "mam begin-heave lin boulder", "mam begin-heave boulder")
@who_acts
@click.argument("thing", required=False, help="What to heave: an unwieldy weapon, or a piece of equipment.")
@price
@acting
@pass_session
def begin_heave(session: Session, combatant: str | None, thing: str | None, points: int | None) -> None:
    """Begin to heave something unwieldy: it flies with an attack in the next turn (MAM-THR-03)."""
    who, what = rightmost(combatant, thing)
    order(session, "begin-heave", {"combatant": who, "thing": required(what, "THING"), "points": points}, MINE)
