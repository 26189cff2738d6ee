"""Orders of manipulation and grappling: taking somebody in hand, keeping a hold up, getting out of one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cli.acting import MINE, Default, order, required, rightmost, whose_turn
from cli.choices import CLASSES, FOLLOW_UPS, LIGHTS, THROWS_OF_A_HAND
from cli.exchanges import AGAINST, INTERFERING
from cli.options import Whole, acting, command, complete_combatant, situated, stacked, who_acts
from cli.rolling import CIRCUMSTANCE
from cli.session import Session, pass_session

if TYPE_CHECKING:
    from mam_events.state import Encounter
    from projections.doing import Doing

_POINTS = click.option("--points", type=Whole(), metavar="POINTS", help="Ready points that manipulate (0).")
_MODIFIER = click.option("--modifier", type=Whole(), metavar="POINTS", help="Ready points on the modifier (0).")
_POWER = click.option(
    "--power", type=Whole(), metavar="POINTS", help="Ready points on power, of a choke, wrench or missile (0)."
)
_FOLLOW_UP = click.option("--follow-up", type=click.Choice(FOLLOW_UPS), help="What it is to become (none).")
_ITEM = click.option("--item", metavar="ID", help="The weapon that is to be taken.")
_INTO = stacked(
    click.option("--surface", metavar="TEXT", help="What the target is thrown into, in words."),
    click.option("--surface-power", type=Whole(None), metavar="NUMBER", help="The power of that surface (0)."),
    click.option("--surface-sharpness", type=Whole(None), metavar="NUMBER", help="Its sharpness, if it is not blunt."),
    click.option("--surface-class", type=click.Choice(CLASSES), help="Its kind of sharpness, in place of a number."),
    click.option(
        "--into", metavar="COMBATANT", shell_complete=complete_combatant, help="Who is struck with the thrown body."
    ),
    click.option("--move", type=Whole(), metavar="POINTS", help="Ready points on moving while throwing (0)."),
    click.option("--metres", metavar="METRES", help="How far to move while throwing, in metres."),
)
_FROM_AFAR = stacked(
    click.option("--thrown", type=click.Choice(THROWS_OF_A_HAND), help="How the weapon is thrown."),
    click.option("--distance", metavar="METRES", help="How far off the target is, or the surface, in metres."),
    click.option("--light", type=click.Choice(LIGHTS), help="How much the attacker sees (lit)."),
    click.option("--darkness", type=Whole(), metavar="NUMBER", help="The game master's number for total darkness."),
    CIRCUMSTANCE,
)


@command(
    "manipulate",
    "mam manipulate modre clone --points 2 --modifier 1",
    "mam manipulate clone --follow-up choke --power 5",
    "mam manipulate modre clone --follow-up disarm --item ice-blade --points 3",
    'mam manipulate modre clone --follow-up throw --points 2 --surface "the wall" --surface-power 3',
)
@click.argument(
    "attacker",
    required=False,
    shell_complete=complete_combatant,
    help="Who manipulates; the one whose turn it is, if left out.",
)
@click.argument("target", required=False, shell_complete=complete_combatant, help="Who is manipulated.")
@click.option("--weapon", metavar="ID", help="What to manipulate with; body, if left out.")
@_POINTS
@_POWER
@_MODIFIER
@_FOLLOW_UP
@_ITEM
@_INTO
@_FROM_AFAR
@situated
@acting
@pass_session
def manipulate(
    session: Session, /, attacker: str | None, target: str | None, circumstance: tuple[str, ...], **more: Any
) -> None:
    """Take somebody in hand: a weight on the next roll, and what follows from it (MAM-MNP-01, MAM-MNP-02)."""
    who, whom = rightmost(attacker, target)
    said = {"attacker": who, "target": required(whom, "TARGET"), "circumstance": list(circumstance) or None}
    order(session, "manipulate", said | more, {"attacker": whose_turn})
    _warn_in_vain(session)


@command("tackle", "mam tackle rook --points 2", "mam tackle rook 15 --follow-up hold --points 2 --modifier 1")
@AGAINST
@click.option("--weapon", metavar="ID", help="What to tackle with; body, if left out.")
@_POINTS
@_POWER
@_MODIFIER
@_FOLLOW_UP
@_ITEM
@situated
@acting
@pass_session
def tackle(session: Session, /, **said: Any) -> None:
    """Try to stop somebody's action by taking whoever does it in hand (MAM-INTF-02, MAM-INTF-04).

    It stops the action only if it has the better of whoever acts, and then does what a manipulation does (MAM-MNP-01).
    """
    order(session, "tackle", said, INTERFERING)


def _warn_in_vain(session: Session) -> None:
    """Say of a manipulation that was just declared that no roll will make it come to anything."""
    from mam_events.rules.manipulation import in_vain

    state = session.timeline().state
    root = state.exchange.root if state.exchange and state.ruleset else None
    if root is None or state.ruleset is None or root.target in session.screen().hidden:
        return
    if grip := in_vain(state, session.log().rules.in_force(state.ruleset), root):
        target = state.combatants[root.target]
        session.say(
            f"as declared it can do nothing: size and points come to {grip.modifier}, and {target.name}'s size of "
            f"{grip.size} takes at least {grip.size + 1}; `mam undo`, then say more --points"
        )


_HOLD = click.argument("grapple", required=False, help="Which hold; the only one, if left out.")


@command("maintain-grapple", "mam maintain-grapple modre choke-6", "mam maintain-grapple modre")
@who_acts
@_HOLD
@acting
@pass_session
def maintain_grapple(session: Session, combatant: str | None, grapple: str | None) -> None:
    """Keep a hold up for another turn, where its points are spent anew each time (MAM-MNP-05, `hold_maintenance`)."""
    order_of_a_hold(session, "maintain-grapple", combatant, grapple)


@command("release", "mam release modre grip", "mam release modre")
@who_acts
@_HOLD
@acting
@pass_session
def release(session: Session, combatant: str | None, grapple: str | None) -> None:
    """Let go of a hold: its points in other used are free again (MAM-POOL-07)."""
    order_of_a_hold(session, "release", combatant, grapple)


@command(
    "escape",
    "mam escape clone choke-6 --points 3",
    "mam escape hold-12 --points 2 --modifier 1",
    "mam escape clone --points 3",
)
@who_acts
@click.argument("grapple", required=False, help="Which hold to get out of; the only one, if left out.")
@click.option("--holder", metavar="ID", shell_complete=complete_combatant, help="Who holds it; found by the hold.")
@_POINTS
@_MODIFIER
@situated
@acting
@pass_session
def escape(
    session: Session,
    combatant: str | None,
    grapple: str | None,
    holder: str | None,
    points: int | None,
    modifier: int | None,
) -> None:
    """Try to get out of a hold by manipulating whoever holds (MAM-MNP-10, `hold_escape`)."""
    who, by_whom, which = _parties(session, combatant, grapple)
    by_whom = holder or by_whom
    said = {"combatant": who, "grapple": which, "holder": by_whom, "points": points, "modifier": modifier}
    meant = partial(_meant, session, "escape", who, by_whom, which)
    hold: dict[str, Default] = {"grapple": lambda state: meant(state).thing, "holder": lambda state: meant(state).whom}
    order(session, "escape", said, MINE | hold)


def order_of_a_hold(session: Session, do: str, combatant: str | None, grapple: str | None) -> None:
    """Send an order of whoever holds somebody about that hold, the only one where none is named."""
    who, whom, which = _parties(session, combatant, grapple)
    meant = partial(_meant, session, do, who, whom, which)
    order(session, do, {"combatant": who, "grapple": which}, MINE | {"grapple": lambda state: meant(state).thing})


def _parties(session: Session, *words: str | None) -> tuple[str | None, str | None, str | None]:
    """Who acts, who is at the other end of the hold, and the hold, as far as bare words say: `rook`, `rook rat`,
    `rook hold-13`, `hold-13`.
    """
    seen = {who.id: who for who in session.screen().combatants(session.state_then())}
    holds = {grapple.id for who in seen.values() for grapple in who.grapples}
    said = [word for word in words if word is not None]
    # A name in the wrong case is still a name, and is told the right one.
    people = [word.lower() in seen and word not in holds for word in said]
    if len(said) == len(words):
        return (said[0], said[1], None) if people[1] else (said[0], None, said[1])
    named = said[0] if said else None
    return (named, None, None) if any(people) else (None, None, named)


def _meant(
    session: Session, do: str, who: str | None, other: str | None, grapple: str | None, state: Encounter
) -> Doing:
    """The one hold that somebody is in, or has somebody in, as far as the view may know and as far as was said.

    Refused with `not_held` or `unknown_grapple` where there is none; BadInput, naming those that there are, where that
    is not one.
    """
    from mam_events.errors import BadInput, Refused
    from mam_events.rules.checks import named
    from projections.doing import HELD, HOLDING, doings
    from projections.wording import listed

    combatant, screen = named(state, who or whose_turn(state)), session.screen()
    if combatant.id in screen.hidden:
        raise Refused("out_of_turn", "Say who does this.", fields=("combatant",))
    end, none, code, rule = {
        True: (HELD, "is held by nobody", "not_held", "MAM-MNP-10"),
        False: (HOLDING, "holds nobody", "unknown_grapple", "MAM-POOL-07"),
    }[do == "escape"]
    done = [one for one in doings(state, screen).get(combatant.id, ()) if one.what in HELD | HOLDING and one.thing]
    ends = [one for one in done if one.what in end]
    found = [one for one in ends if other in (None, one.whom) and grapple in (None, one.thing)]
    if len(found) == 1:
        return found[0]
    told = listed([f"is {one.words}" if one.what in HELD else one.words for one in ends or done])
    if ends:
        which = f"say which hold, as in `mam {do} {combatant.id} {ends[0].thing}`"
        raise BadInput(f"{combatant.name} {told}: {which}.", place="GRAPPLE")
    raise Refused(code, f"{combatant.name} {' but '.join(filter(None, (none, told)))}.", rule=rule, fields=("grapple",))
