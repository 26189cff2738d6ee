"""Orders of the rounds with speed: stalking and postures, turns that pass, combos, prepared counterattacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.acting import MINE, order, required, rightmost, whole, whose_turn, with_numbers
from cli.choices import POSTURES
from cli.options import Whole, acting, command, complete_combatant, situated, who_acts
from cli.rolling import CIRCUMSTANCE
from cli.session import Session, pass_session

if TYPE_CHECKING:
    from mam_events.state import Encounter


def _whose_or_next(state: Encounter) -> str:
    """The combatant whose turn it is, else the one who is next."""
    if state.turn is None and state.next_up:
        return state.next_up
    return whose_turn(state)


def _declared(state: Encounter) -> int:
    """The number of what was declared and may be changed; refused with `not_countered` where nothing was."""
    from mam_events.errors import Refused

    if state.exchange:
        return state.exchange.id
    if state.turn and state.turn.combo:
        return state.turn.combo.id
    raise Refused("not_countered", "Nothing has been declared that could be changed.", rule="MAM-CTR-03")


@command(
    "stalk",
    "mam stalk modre clone --die 14",
    "mam stalk modre clone 14",
    "mam stalk clone modre --circumstance favourable",
)
@click.argument("combatant", shell_complete=complete_combatant, help="Who comes up unseen.")
@click.argument("target", shell_complete=complete_combatant, help="On whom.")
@click.argument("face", required=False, help="The same as --die.")
@click.option("--die", type=Whole(), metavar="FACE", help="The face that was thrown; drawn, if left out.")
@click.option("--confirmation-die", type=Whole(), metavar="FACE", help="The face of a second throw, where one is due.")
@CIRCUMSTANCE
@situated
@acting
@pass_session
def stalk(
    session: Session,
    combatant: str,
    target: str,
    face: str | None,
    die: int | None,
    confirmation_die: int | None,
    circumstance: tuple[str, ...],
) -> None:
    """Try to surprise somebody before the fight.

    Stealth is rolled against 10 and the target's detection (MAM-SURP-01).
    """
    if face is not None:
        _, (die,) = with_numbers(session, (face,), die=die)
    said = {
        "combatant": combatant,
        "target": target,
        "die": die,
        "confirmation_die": confirmation_die,
        "circumstance": list(circumstance) or None,
    }
    order(session, "stalk", said)


@command("establish-surprise", "mam establish-surprise")
@acting
@pass_session
def establish_surprise(session: Session) -> None:
    """Settle what the stalking came to.

    Either somebody has the advantage, or nobody has, or the two never meet (MAM-SURP-02).
    """
    order(session, "establish-surprise", {})


@command("take-posture", "mam take-posture modre evading", "mam take-posture clone ready_to_counter")
@click.argument("combatant", shell_complete=complete_combatant, help="Who begins the fight that way.")
@click.argument("posture", type=click.Choice(POSTURES), help="How.")
@acting
@pass_session
def take_posture(session: Session, combatant: str, posture: str) -> None:
    """Begin the fight evading, or ready to counter.

    It is for fights that begin without a surprise attack (MAM-SURP-04).
    """
    order(session, "take-posture", {"combatant": combatant, "posture": posture})


@command("skip-turn", "mam skip-turn", 'mam skip-turn giant --reason "It is slow"')
@who_acts
@click.option("--reason", metavar="TEXT", help="Why, if there is something to say.")
@acting
@pass_session
def skip_turn(session: Session, combatant: str | None, reason: str | None) -> None:
    """Let a turn pass.

    Nothing has been done in it, or it has not even begun (MAM-TURN-05).
    """
    order(session, "skip-turn", {"combatant": combatant, "reason": reason}, {"combatant": _whose_or_next})


@command("delay-turn", "mam delay-turn modre clone")
@click.argument("combatant", shell_complete=complete_combatant, help="Whose turn waits.")
@click.argument("after", shell_complete=complete_combatant, help="Until after whose turn.")
@acting
@pass_session
def delay_turn(session: Session, combatant: str, after: str) -> None:
    """Put a turn off until after somebody else's (MAM-TURN-09)."""
    order(session, "delay-turn", {"combatant": combatant, "after": after})


@command(
    "declare-combo", "mam declare-combo 2 --target clone", "mam declare-combo modre 3 --target clone --target wolf"
)
@who_acts
@click.argument("actions", required=False, help="How many quick actions.")
@click.option(
    "--target",
    multiple=True,
    metavar="COMBATANT",
    shell_complete=complete_combatant,
    help="Whom the combo will attack; as often as needed.",
)
@click.option("--modifier", type=Whole(), metavar="POINTS", help="Ready points that help the attacks (0).")
@acting
@pass_session
def declare_combo(
    session: Session, combatant: str | None, actions: str | None, target: tuple[str, ...], modifier: int | None
) -> None:
    """Declare a combo of several quick actions (MAM-COMBO-01).

    It is declared before the first of them, with those whom it will attack.
    """
    who, many = rightmost(combatant, actions)
    said = {
        "combatant": who,
        "actions": whole(required(many, "ACTIONS"), "ACTIONS", 1),
        "target": list(target) or None,
        "modifier": modifier,
    }
    order(session, "declare-combo", said, MINE)


@command("prepare-counterattack", "mam prepare-counterattack", "mam prepare-counterattack clone")
@who_acts
@acting
@pass_session
def prepare_counterattack(session: Session, combatant: str | None) -> None:
    """Wait, and strike back before the next attack.

    The turn is over with it; nothing else may have been done in it (MAM-CTR-01).
    """
    order(session, "prepare-counterattack", {"combatant": combatant}, MINE)


@command("change-action", "mam change-action", "mam change-action clone")
@who_acts
@acting
@pass_session
def change_action(session: Session, combatant: str | None) -> None:
    """Change what was declared, after a counterattack.

    It is taken back, and the turn goes on; what was moved before stays moved (MAM-CTR-03).
    """
    order(session, "change-action", {"combatant": combatant}, {**MINE, "exchange": _declared})
