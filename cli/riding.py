"""Orders about riding and ramming: on and off, staying on, holding the animal, driving into something."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from cli.acting import MINE, Default, order, required, rightmost, whose_turn, with_numbers
from cli.choices import COLLISIONS
from cli.options import Whole, acting, command, complete_combatant, price, situated, stacked, who_acts
from cli.rolling import CIRCUMSTANCE, DICE, shown
from cli.session import Session, pass_session

if TYPE_CHECKING:
    from mam_events.state import Encounter

_RIDER_ROLL = stacked(
    click.argument(
        "combatant",
        required=False,
        shell_complete=complete_combatant,
        help="The rider, who rolls; whoever owes the roll, if left out.",
    ),
    click.argument("face", required=False, help="The same as --die."),
    CIRCUMSTANCE,
    DICE,
)


@command("mount", "mam mount ana horse")
@who_acts
@click.argument("mount", required=False, shell_complete=complete_combatant, help="The animal or vehicle.")
@price
@acting
@pass_session
def mount(session: Session, combatant: str | None, mount: str | None, points: int | None) -> None:
    """Get on an animal or into a vehicle: an action; from then on the mount moves, in a turn of its own."""
    who, what = rightmost(combatant, mount)
    order(session, "mount", {"combatant": who, "mount": required(what, "MOUNT"), "points": points}, MINE)


@command("dismount", "mam dismount ana")
@who_acts
@price
@acting
@pass_session
def dismount(session: Session, combatant: str | None, points: int | None) -> None:
    """Get off what one rides: an action."""
    order(session, "dismount", {"combatant": combatant, "points": points}, MINE)


@command("stay-mounted", "mam stay-mounted ana --die 14", "mam stay-mounted 14")
@_RIDER_ROLL
@situated
@acting
@pass_session
def stay_mounted(
    session: Session,
    combatant: str | None,
    face: str | None,
    circumstance: tuple[str, ...],
    kind: str | None,
    die: int | None,
    confirmation_die: int | None,
) -> None:
    """Roll riding against 10, as a rider must whenever the trained animal attacks or is attacked (MAM-MNT-01).

    It needs no turn. Until it is rolled the rider does nothing, and no turn ends.
    """
    said = _roll(session, (combatant, face), circumstance, kind, die, confirmation_die)
    order(session, "stay-mounted", said, {"combatant": partial(_who_rolls, session, "riding")})


@command("restrain-mount", "mam restrain-mount ana --die 9", "mam restrain-mount 9")
@_RIDER_ROLL
@situated
@acting
@pass_session
def restrain_mount(
    session: Session,
    combatant: str | None,
    face: str | None,
    circumstance: tuple[str, ...],
    kind: str | None,
    die: int | None,
    confirmation_die: int | None,
) -> None:
    """Roll animal handling to hold an animal: a trained one from attacking, another from running (MAM-MNT-02, -03).

    It may be tried once a round, and again whenever the animal was attacked; it needs no turn.
    """
    said = _roll(session, (combatant, face), circumstance, kind, die, confirmation_die)
    order(session, "restrain-mount", said, {"combatant": partial(_who_rolls, session, "handling")})


def _roll(
    session: Session,
    words: tuple[str | None, str | None],
    circumstance: tuple[str, ...],
    kind: str | None,
    die: int | None,
    confirmation_die: int | None,
) -> dict[str, object]:
    (who,), (thrown,) = with_numbers(session, words, die=die)
    return {
        "combatant": who,
        "circumstance": list(circumstance) or None,
        "kind": kind,
        "die": shown(kind, thrown),
        "confirmation_die": shown(kind, confirmation_die),
    }


def _who_rolls(session: Session, roll: str, state: Encounter) -> str:
    """The rider who owes that roll, else the only one there is; raises BadInput where it could be several."""
    riding = [who for who in session.screen().combatants(state) if who.status.mount and not who.gone]
    found = [who.id for who in riding if getattr(who.status.saddle, roll)] or [who.id for who in riding]
    if len(found) > 1:
        from mam_events.errors import BadInput

        raise BadInput(f"Say who rolls, {' or '.join(found)}.", place="COMBATANT")
    return required(found[0] if found else None, "COMBATANT")


@command("ram", "mam ram ben car truck", "mam ram truck --collision rear_end --part bumper")
@click.argument(
    "driver", required=False, shell_complete=complete_combatant, help="Who drives; the one whose turn it is."
)
@click.argument(
    "vehicle", required=False, shell_complete=complete_combatant, help="What is driven; what the driver sits in."
)
@click.argument("target", required=False, shell_complete=complete_combatant, help="What it is driven into.")
@click.option("--collision", type=click.Choice(COLLISIONS), help="How they meet (head_on).")
@click.option("--part", metavar="NAME", help="What it rams with, lower case (front).")
@click.option("--modifier", type=Whole(), metavar="POINTS", help="Ready points put on the roll (1).")
@situated
@acting
@pass_session
def ram(
    session: Session,
    driver: str | None,
    vehicle: str | None,
    target: str | None,
    collision: str | None,
    part: str | None,
    modifier: int | None,
) -> None:
    """Drive a vehicle into something, in the driver's turn: an attack that is always answered (MAM-VEH-02, MAM-VEH-03).

    The roll takes the smaller of driving and the vehicle's agility; how far both have gone straight since the beginning
    of their last turns adds to the damage of both.
    """
    driver, vehicle, target = rightmost(driver, vehicle, target)
    said = {
        "driver": driver,
        "vehicle": vehicle,
        "target": required(target, "TARGET"),
        "collision": collision,
        "part": part,
        "modifier": modifier,
    }
    defaults: dict[str, Default] = {"driver": whose_turn, "vehicle": partial(_seat_of, driver)}
    order(session, "ram", said, defaults)


def _seat_of(driver: str | None, state: Encounter) -> str:
    from mam_events.errors import Refused

    who = driver or whose_turn(state)
    found = state.combatants.get(who)
    if found is None or not found.status.mount:
        raise Refused("not_the_driver", "Say which vehicle: VEHICLE TARGET.", rule="MAM-VEH-02", fields=("vehicle",))
    return found.status.mount
