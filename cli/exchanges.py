"""Orders of an exchange: an attack or another action, what is done against it, and the dice."""

from __future__ import annotations

from typing import Any

import click

from cli.acting import (
    attacked_one,
    open_exchange,
    order,
    required,
    rightmost,
    who_and_points,
    whole,
    whose_turn,
    with_numbers,
)
from cli.choices import CIRCUMSTANCES, LIGHTS, MODES, THROWS
from cli.meant import bare_words, unnamed_action
from cli.options import Pair, Whole, acting, command, complete_combatant, situated, stacked
from cli.rounds import DEED, deed, on_the_floor, related_of
from cli.session import Session, pass_session

OPEN = {"exchange": open_exchange}
INTERFERING = OPEN | {"action": open_exchange}
REACTING = {"combatant": attacked_one} | OPEN

_DEFENDER = click.argument(
    "combatant", required=False, shell_complete=complete_combatant, help="Who reacts; the one attacked, if left out."
)
_EXCHANGE = click.option(
    "--exchange", type=Whole(1), metavar="N", help="The exchange: the ruling that declared it; the open one."
)
_FLIES = click.option(
    "--distance", metavar="METRES", help="How far a shot goes; as far as the one it answers, if left out (MAM-ATK-08)."
)
AGAINST = stacked(
    click.argument("combatant", shell_complete=complete_combatant, help="Who interferes."),
    click.argument(
        "action",
        required=False,
        type=Whole(1),
        help="The action to stop: the ruling that declared it; the first one.",
    ),
    _EXCHANGE,
)
"""Who interferes with what."""
_WEAPON = click.option("--weapon", metavar="ID", help="What to strike with; the one in hand, or the body, if left out.")
_POWER = click.option("--power", type=Whole(), metavar="POINTS", help="Ready points on power (0).")
_MODIFIER = click.option("--modifier", type=Whole(), metavar="POINTS", help="Ready points on the modifier (0).")
_STRIKE = stacked(_WEAPON, _POWER, _MODIFIER)


@command(
    "attack",
    "mam attack modre clone --weapon ice-blade --power 4 --modifier 2",
    "mam attack lin clone --weapon longbow --power 2 --distance 42 --light very_dim",
    "mam attack lin clone --weapon javelin --thrown quick --modifier 1 --distance 5 --circumstance favourable",
    "mam attack clone --power 2",
    "mam attack modre clone 4 2",
)
@click.argument(
    "attacker",
    required=False,
    shell_complete=complete_combatant,
    help="Who attacks; the one whose turn it is, if left out.",
)
@click.argument("target", required=False, shell_complete=complete_combatant, help="Who is attacked.")
@click.argument("power_points", required=False, metavar="[POWER]", help="The same as --power.")
@click.argument("modifier_points", required=False, metavar="[MODIFIER]", help="The same as --modifier.")
@_STRIKE
@click.option(
    "--mode",
    type=click.Choice(MODES),
    help="How it is made (quick); the others are no part of a combo (MAM-COMBO-05).",
)
@click.option("--double-power", is_flag=True, default=None, help="The weapon's power counts twice (MAM-ATK-10).")
@click.option(
    "--thrown",
    type=click.Choice(THROWS),
    help="Throw the weapon, or heave any object (MAM-THR-01 to -03).",
)
@click.option("--distance", metavar="METRES", help="How far the target of a shot or throw is (MAM-ATK-08).")
@click.option(
    "--light",
    type=click.Choice(LIGHTS),
    help="How much the attacker can see (lit; MAM-ATK-09).",
)
@click.option(
    "--darkness", type=Whole(), metavar="NUMBER", help="What total darkness adds here, where the house lets one choose."
)
@click.option("--blind", is_flag=True, default=None, help="The attacker is blind: the dark does not matter.")
@click.option("--from-above", is_flag=True, default=None, help="It comes from above (MAM-POS-03).")
@click.option(
    "--circumstance",
    "circumstances",
    multiple=True,
    type=click.Choice(CIRCUMSTANCES),
    help="What helps or hinders; repeatable (MAM-CIRC-01 to -05).",
)
@click.option("--evade", is_flag=True, default=None, help="Evade with a quick attack (MAM-MNV-02).")
@situated
@acting
@pass_session
def attack(
    session: Session,
    /,
    attacker: str | None,
    target: str | None,
    power_points: str | None,
    modifier_points: str | None,
    weapon: str | None,
    power: int | None,
    modifier: int | None,
    circumstances: tuple[str, ...],
    **terms: str | int | bool | None,
) -> None:
    """Declare an attack: power points go to other used, modifier points to defense (MAM-ATK-01)."""
    words = (attacker, target, power_points, modifier_points)
    (who, whom), (power, modifier) = with_numbers(session, words, power=power, modifier=modifier)
    aimed = {"attacker": who, "target": required(whom, "TARGET"), "weapon": weapon, "power": power}
    said = aimed | {"modifier": modifier} | terms | {"circumstance": circumstances or None}
    order(session, "attack", said, {"attacker": whose_turn})


@command(
    "act",
    'mam act modre "climb the wall" --points 2',
    'mam act "shout a warning" --points 0',
    "mam act rook --action dodge",
    "mam act rook --action punch --target thug --code 3D+1 --difficulty 10 --dice 4,2,6,3",
)
@click.argument(
    "combatant",
    required=False,
    shell_complete=complete_combatant,
    help="Who acts; the one whose turn it is, if left out.",
)
@click.argument("what", required=False, help="What is done, in words.")
@click.option("--points", type=Whole(), metavar="POINTS", help="Ready points it costs (1).")
@click.option("--bonus", type=Whole(None), metavar="NUMBER", help="The ability modifier, if somebody interferes (0).")
@DEED
@situated
@acting
@pass_session
def act(
    session: Session,
    /,
    combatant: str | None,
    what: str | None,
    points: int | None,
    bonus: int | None,
    action: str | None,
    **said: Any,
) -> None:
    """Do something other than attack, which others may interfere with (MAM-PHASE-04, MAM-INTF-01).

    In a round of Ron d6: do one of the declared actions, named by --action (RD6-LIST); without CODE with the
    combatant's own.
    """
    ctx = click.get_current_context()
    if action is None and session.counts_actions():
        raise unnamed_action(session, (combatant, what))
    idle = [name for name, value in said.items() if value] if action is None else []
    idle += [] if action is None else [n for n, v in (("points", points), ("bonus", bonus)) if v is not None]
    if idle:
        how = "belongs to --action" if action is None else "is of no use with --action"
        raise click.UsageError(f"--{idle[0].replace('_', '-')} {how}.", ctx=ctx)
    if action is None:
        who, deed_words = rightmost(combatant, what)
        fields = {"combatant": who, "what": required(deed_words, "WHAT"), "points": points, "bonus": bonus}
        order(session, "act", fields, {"combatant": whose_turn})
        return
    combatant, what, said["target"] = bare_words(session, action, (combatant, what), said["target"])
    said["action"] = action
    fields = {"combatant": combatant, "what": what} | deed(said)
    order(session, "perform", fields, {"combatant": on_the_floor} | related_of(session, combatant, said))


@command("defend", "mam defend clone 6", "mam defend 6")
@_DEFENDER
@click.argument("points", required=False, help="Ready points that go into defense.")
@_EXCHANGE
@situated
@acting
@pass_session
def defend(session: Session, combatant: str | None, points: str | None, exchange: int | None) -> None:
    """React to an attack by moving ready points into defense (MAM-POOL-11)."""
    who, spent = who_and_points(combatant, points)
    said = {"combatant": who, "points": spent, "exchange": exchange}
    order(session, "defend", said, REACTING)


@command("parry", "mam parry clone", "mam parry --weapon ice-blade")
@_DEFENDER
@click.option("--weapon", metavar="ID", help="What to parry with; the one in hand, or the body, if left out.")
@_EXCHANGE
@situated
@acting
@pass_session
def parry(session: Session, combatant: str | None, weapon: str | None, exchange: int | None) -> None:
    """React to an attack with a parry, which costs one ready point (MAM-INTF-06)."""
    said = {"combatant": combatant, "weapon": weapon, "exchange": exchange}
    order(session, "parry", said, REACTING)


@command("counterattack", "mam counterattack clone --power 2 --modifier 1")
@_DEFENDER
@_STRIKE
@click.option(
    "--target",
    metavar="COMBATANT",
    shell_complete=complete_combatant,
    help="Whom, where the house lets it strike somebody other than the attacker.",
)
@_FLIES
@_EXCHANGE
@situated
@acting
@pass_session
def counterattack(
    session: Session,
    combatant: str | None,
    weapon: str | None,
    power: int | None,
    modifier: int | None,
    target: str | None,
    distance: str | None,
    exchange: int | None,
) -> None:
    """React to an attack by striking back with ready points (MAM-ATK-12)."""
    said = {
        "combatant": combatant,
        "weapon": weapon,
        "power": power,
        "modifier": modifier,
        "target": target,
        "distance": distance,
        "exchange": exchange,
    }
    order(session, "counterattack", said, REACTING)


@command("interfere", "mam interfere wolf --points 2", "mam interfere wolf 15 --weapon teeth --power 1 --modifier 1")
@AGAINST
@click.option("--points", type=Whole(), metavar="POINTS", help="Ready points, unless it strikes with a weapon.")
@click.option("--bonus", type=Whole(None), metavar="NUMBER", help="The ability modifier of the roll (0).")
@click.option("--weapon", metavar="ID", help="What to strike with, if the interference is an attack (MAM-INTF-04).")
@_POWER
@_MODIFIER
@_FLIES
@situated
@acting
@pass_session
def interfere(
    session: Session,
    combatant: str,
    action: int | None,
    points: int | None,
    bonus: int | None,
    weapon: str | None,
    power: int | None,
    modifier: int | None,
    distance: str | None,
    exchange: int | None,
) -> None:
    """Try to stop somebody's action, with points or with a strike (MAM-INTF-01)."""
    said = {
        "combatant": combatant,
        "action": action,
        "points": points,
        "bonus": bonus,
        "weapon": weapon,
        "power": power,
        "modifier": modifier,
        "distance": distance,
        "exchange": exchange,
    }
    order(session, "interfere", said, INTERFERING)


@command(
    "resolve",
    "mam resolve 2 1",
    "mam resolve --attack-die 2",
    "mam resolve 4 3 --interference-die 16=5",
    "mam resolve 15 --armor-die knight=4",
    "mam resolve 10 3 --confirmation-die attack=7",
)
@click.argument("attack_die", required=False, type=Whole(1), help="The face the attacker threw; drawn, if left out.")
@click.argument("defense_die", required=False, type=Whole(1), help="The face the defender threw; drawn, if left out.")
@click.option("--attack-die", "attack_face", type=Whole(1), metavar="FACE", help="The same as ATTACK_DIE.")
@click.option("--defense-die", "defense_face", type=Whole(1), metavar="FACE", help="The same as DEFENSE_DIE.")
@click.option(
    "--into-die",
    "into",
    type=Whole(1),
    metavar="FACE",
    help="The face that whoever a thrown body strikes threw in defense (MAM-MNP-09).",
)
@click.option(
    "--interference-die",
    "interference",
    type=Pair("=", "N", "FACE"),
    multiple=True,
    metavar="N=FACE",
    help="The face of the interference that ruling N declared.",
)
@click.option(
    "--armor-die",
    "armor",
    type=Pair("=", "COMBATANT", "FACE"),
    multiple=True,
    metavar="COMBATANT=FACE",
    help="The die that somebody's armor is compared with, where it takes one of its own (MAM-ARM-02).",
)
@click.option(
    "--confirmation-die",
    "confirmation",
    type=Pair("=", "DIE", "FACE"),
    multiple=True,
    metavar="attack|defense|into|N=FACE",
    help="The second throw of a die that stands for a d20 and came to 20 (MAM-DICE-04).",
)
@_EXCHANGE
@situated
@acting
@pass_session
def resolve(
    session: Session,
    attack_die: int | None,
    defense_die: int | None,
    attack_face: int | None,
    defense_face: int | None,
    into: int | None,
    interference: tuple[tuple[str, str], ...],
    armor: tuple[tuple[str, str], ...],
    confirmation: tuple[tuple[str, str], ...],
    exchange: int | None,
) -> None:
    """Roll the dice of an exchange and judge it; faces thrown at the table go in, missing ones are drawn."""
    for bare, option, name in ((attack_die, attack_face, "attack"), (defense_die, defense_face, "defense")):
        if bare is not None and option is not None:
            raise click.UsageError(f"The {name} die is given twice.", ctx=click.get_current_context())
    said = {
        "attack_die": attack_die if attack_face is None else attack_face,
        "defense_die": defense_die if defense_face is None else defense_face,
        "into_die": into,
        "interference_die": _faces(interference),
        "armor_die": _faces(armor),
        "confirmation_die": _faces(confirmation),
        "exchange": exchange,
    }
    order(session, "resolve", said, OPEN)


def _faces(pairs: tuple[tuple[str, str], ...]) -> dict[str, int] | None:
    return {name: whole(face, "FACE", 1) for name, face in pairs} or None
