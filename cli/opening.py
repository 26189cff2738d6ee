"""Orders about the encounter as a whole: begin it, bring combatants in, close it."""

from __future__ import annotations

import os
import re
import shlex
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import click

from cli.acting import order, required, whole
from cli.options import Whole, acting, command, house_rule, opening, repeatable
from cli.session import Session, clean, pass_session

if TYPE_CHECKING:
    from mam_events.fights import Overlay

ID = r"[a-z0-9][a-z0-9_-]{0,63}"
"""What everything is called that can be named: encounters, combatants, weapons."""

_YES_OR_NO = ("readied", "attached", "unwieldy", "lever", "holds", "complete", "quick")

_WORDS = {"yes": True, "true": True, "no": False, "false": False}


@command(
    "new",
    "mam new duel",
    'mam new duel --title "Modre and the clone" --set half_success=never',
    "mam new duel --rules our-table.toml",
    "mam new --from party.toml",
)
@click.argument("name", required=False, help="The encounter's id, lower case; made from the title, if left out.")
@click.option("--title", default="", metavar="TEXT", help="What people call it.")
@click.option("--preset", metavar="NAME", help="The edition of the rules (`mam rules list`); mam_pools.")
@click.option(
    "--rules", "source", metavar="FILE", help="A file of house rules (`mam rules new`), in place of a preset."
)
@house_rule("A house rule (`mam rules show`); as often as needed.")
@click.option("--from", "party", metavar="FILE", help="Take rules and combatants from a fight or party file.")
@click.option("--word", metavar="TEXT", help="A word of the table's own that goes into every drawn die.")
@repeatable
@opening
@pass_session
def new(
    session: Session,
    name: str | None,
    title: str,
    preset: str | None,
    source: str | None,
    house_rules: tuple[tuple[str, str], ...],
    party: str | None,
    word: str | None,
) -> None:
    """Begin a fight: an empty encounter, or one with a party."""
    from cli.parties import open_with_party
    from cli.readings import readings_of
    from cli.ruled import show_ruling
    from mam_events.commands import Open, read_command
    from mam_events.fights import Overlay
    from mam_events.rules.rulebook import rulebook

    given = {"title": clean(title), "preset": preset, "house_rules": dict(house_rules), "word": word and clean(word)}
    fields = {field: value for field, value in given.items() if value}
    overlay = rules_of(preset, source)
    if party:
        open_with_party(session, name or session.encounter_name, party, fields, overlay)
        return
    if overlay:
        fields |= {"preset": overlay.preset, "ruleset": overlay.name}
        fields["house_rules"] = overlay.house_rules | dict(house_rules)
    encounter = slug(name or session.encounter_name or slug_of(title))
    command = read_command({"do": "open"} | fields, place="new")
    assert isinstance(command, Open)  # noqa: S101 - it has just been read as one
    # Before there is a store: rules that do not exist leave nothing behind.
    readings_of(rulebook(), overlay or Overlay(command.preset), dict(house_rules))
    answer = session.log(create=True).execute(encounter, command, by=session.author, command_id=session.order_id)
    show_ruling(session, answer)
    other = os.environ.get("MAM_ENCOUNTER", encounter)
    if other != encounter:
        session.say(f"MAM_ENCOUNTER still says {other}.")


def rules_of(preset: str | None, source: str | None) -> Overlay | None:
    """The house rules in a file; a usage error where a preset is named as well, which the file does by itself."""
    if source is None:
        return None
    from mam_events.fights import load_overlay

    if preset:
        raise click.UsageError(
            "--preset and --rules exclude each other: the file names its preset.", ctx=click.get_current_context()
        )
    return load_overlay(source)


def slug(name: str) -> str:
    """The id of an encounter, exactly as given; raises BadInput for what is none."""
    if not re.fullmatch(ID, name):
        from mam_events.errors import BadInput

        said = f'"{clean(name)}" is not one' if name else "none was given"
        instead = slug_of(name)
        hint = f" (`mam new --title {shlex.quote(clean(name))}` makes {instead} of it)" if instead else ""
        raise BadInput(
            "An encounter's id is a lower-case name of letters, digits, - and _ (like modre-and-the-clone); "
            f"{said}{hint}."
        )
    return name


def slug_of(title: str) -> str:
    """An id made of a title: `modre-and-the-clone`; empty where nothing of it can be used."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:64]


@command(
    "join",
    'mam join modre --name "Modre" --hp 6 --weapon id=ice-blade,power=3,attack=1,sharpness=-2,reach=1',
    "mam join goblin --hp 6 --side foes --seat 2 --body attack=2",
    "mam join knight --hp 8 --speed 1/2 --armor id=mail,cover=4,absorption=3 --ability riding=4",
    "mam join rook --kind pc --code perception=3D+1 --code agility=3D --code dodge=4D --search-ranks 3 --fate-points 1",
    "mam join --from party.toml#goblin",
)
@click.argument("combatant", required=False, help="Its id in this fight, lower case.")
@click.option("--name", metavar="TEXT", help="What it is called.")
@click.option("--side", metavar="NAME", help="Which side it is on, lower case (all).")
@click.option("--hp", type=Whole(1), metavar="POINTS", help="Its hit points.")
@click.option(
    "--athletic",
    type=Whole(None),
    multiple=True,
    metavar="NUMBER",
    help="An athletic ability modifier; hit points are the best two together (MAM-HP-01).",
)
@click.option("--stride", metavar="METRES", help="How far a point carries it, in metres (1).")
@click.option("--seat", type=Whole(), metavar="N", help="Its seat, clockwise from 0; the next free one.")
@click.option(
    "--weapon",
    "weapons",
    multiple=True,
    metavar="KEY=VALUE,…",
    help="A weapon: id, name, power, attack, defense, sharpness, class, reach (metres), parry, encumbrance, readied; "
    "kind (hand, thrown, bow, crossbow, gun), range (metres), heft, unwieldy, throw_reach, launcher_reach (metres), "
    "lever, holds, attached.",
)
@click.option(
    "--body", metavar="KEY=VALUE,…", help="The bare body as a weapon: attack, defense, power, sharpness, reach."
)
@click.option(
    "--item",
    "items",
    multiple=True,
    metavar="KEY=VALUE,…",
    help="A piece of equipment: id, name, encumbrance; quick, uses (how often in a round of Ron d6).",
)
@click.option("--absorption", type=Whole(None), metavar="NUMBER", help="What its body takes off a hit (0).")
@click.option("--parry", type=Whole(None), metavar="NUMBER", help="Its parry modifier (0).")
@click.option("--encumbrance", type=Whole(), metavar="POINTS", help="What else it carries, in points (0).")
@click.option(
    "--armor",
    "armors",
    multiple=True,
    metavar="KEY=VALUE,…",
    help="A piece of armor: id, name, cover, absorption, complete, under (the piece that covers it whole), "
    "encumbrance, attached.",
)
@click.option("--speed", metavar="NUMBER", help="1/4, 1/2, 1, 2 or 3 (1).")
@click.option("--movement", metavar="METRES", help="How far it moves in a turn, in metres; not known, if left out.")
@click.option("--size", type=Whole(None), metavar="NUMBER", help="Its size modifier (0).")
@click.option("--power", type=Whole(None), metavar="NUMBER", help="The power it throws and lifts with (0).")
@click.option("--toughness", type=Whole(), metavar="NUMBER", help="What it bears unhurt.")
@click.option("--hand-reach", metavar="METRES", help="How far its hand reaches, in metres.")
@click.option("--length", "lengths", multiple=True, metavar="METRES", help="Its height, length or wingspan, in metres.")
@click.option("--ability", "abilities", multiple=True, metavar="NAME=NUMBER,…", help="Its abilities.")
@click.option("--training", metavar="NAME", help="Of what is ridden or driven: trained, untrained or vehicle.")
@click.option(
    "--code",
    "codes",
    multiple=True,
    metavar="NAME=CODE,…",
    help="Ron d6: the dice codes of attributes and skills (perception, search, agility and dodge break ties).",
)
@click.option("--search-ranks", type=Whole(), metavar="N", help="Ron d6: ranks of search (0).")
@click.option("--quickness-ranks", type=Whole(), metavar="N", help="Ron d6: ranks of quickness (0).")
@click.option("--allotment", type=Whole(1), metavar="N", help="Ron d6: the actions of a round without penalty (1).")
@click.option("--go-first", is_flag=True, default=None, help="Ron d6: it has an ability to go first in a tie.")
@click.option("--special", is_flag=True, default=None, help="Ron d6: its equipment puts it first in a tie.")
@click.option("--group", metavar="NAME", help="Ron d6: the group with which it shares its initiative roll.")
@click.option(
    "--character-points", "character_points", type=Whole(), metavar="N", help="Ron d6: its Character Points (0)."
)
@click.option("--fate-points", type=Whole(), metavar="N", help="Ron d6: its Fate Points (0).")
@click.option("--pools", metavar="POOL=POINTS,…", help="Its pools at the start; together its hit points.")
@click.option("--kind", metavar="pc|npc|boss_npc", help="Whether a player plays it (npc).")
@click.option("--mount", metavar="NAME", help="Whom it rides from the start; it sits in the same seat.")
@click.option("--word", metavar="TEXT", help="A word of the player's own that goes into every die drawn from now on.")
@click.option("--from", "party", metavar="FILE#NAME", help="Take it from a fight or party file.")
@acting
@pass_session
def join(
    session: Session,
    /,
    combatant: str | None,
    weapons: tuple[str, ...],
    body: str | None,
    items: tuple[str, ...],
    armors: tuple[str, ...],
    lengths: tuple[str, ...],
    abilities: tuple[str, ...],
    codes: tuple[str, ...],
    athletic: tuple[int, ...],
    speed: str | None,
    pools: str | None,
    party: str | None,
    **said: Any,
) -> None:
    """Bring a combatant into the fight, with its hit points, statistics, weapons and armor (MAM-HP-01)."""
    fields: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
    typed = {
        "weapon": [table(weapon, "--weapon") for weapon in weapons],
        "item": [table(item, "--item") for item in items],
        "armor": [table(piece, "--armor") for piece in armors],
        "body": table(body, "--body") if body else {},
        "athletic": list(athletic),
        "length": list(lengths),
        "ability": {name: whole(number, f"--ability {name}", None) for name, number in entries(abilities, "--ability")},
        "code": {name: code.upper() for name, code in entries(codes, "--code")},
        "pools": _pools(pools) if pools else {},
        "speed": speed_of(speed) if speed else "",
    }
    fields |= {name: value for name, value in typed.items() if value}
    if party:
        from cli.parties import member

        fields = member(party, combatant) | fields
    if combatant:
        fields["combatant"] = combatant
    named = required(fields.get("combatant"), "COMBATANT")
    _check_id(session, named)
    said_so = party or fields.get("athletic") or fields.get("hp") is not None
    if not said_so and not session.counts_actions():
        _check_bears(session, fields)
    order(session, "join", fields)


def _check_id(session: Session, named: str) -> None:
    """A usage error for a name with capitals or blanks, of which an id can be made; how else one is none is told by
    the order itself.
    """
    plain = slug_of(named)
    if not plain or re.fullmatch(ID, named):
        return
    called = () if "--name" in session.arguments else ("--name", named)
    words = [plain if word == named else word for word in session.arguments]
    error = click.UsageError(
        f'"{clean(named)}" cannot be an id, which is a lower-case name like {plain}; what people call it is --name.',
        ctx=click.get_current_context(),
    )
    error.next = shlex.join(("mam", *words, *called))  # type: ignore[attr-defined]  # as every usage error may have one
    raise error


def _check_bears(session: Session, fields: dict[str, Any]) -> None:
    """A usage error where nothing says how much the newcomer bears."""
    from cli.editions import bears_toughness

    state = session.state_then()
    tough = bears_toughness(state)
    if tough and fields.get("toughness"):
        return
    if state.status == "closed" or fields.get("combatant") in state.combatants:
        # Whatever it bears, nobody joins so: the rules say why.
        return
    toughness = "the toughness (--toughness NUMBER), " if tough else ""
    error = click.UsageError(
        f"Say {toughness}the hit points (--hp POINTS), the modifiers they come from (--athletic), or a file (--from).",
        ctx=click.get_current_context(),
    )
    error.next = session.again(*(("--toughness", "NUMBER") if tough else ("--hp", "POINTS")))  # type: ignore[attr-defined]  # as every usage error may have one
    raise error


def entries(said: tuple[str, ...], option: str) -> Iterator[tuple[str, str]]:
    """`riding=4,stealth=3`, said once or several times, entry by entry; a usage error for a name that is said twice."""
    names = set()
    for part in (part.strip() for text in said for part in text.split(",")):
        name, sign, value = part.partition("=")
        if not (name and sign and value):
            told = f"{option} reads name=value,name=value; {part!r} is neither."
            raise click.UsageError(told, ctx=click.get_current_context())
        if name in names:
            raise click.UsageError(f"{option} gives {name} twice.", ctx=click.get_current_context())
        names.add(name)
        yield name, value


def _pools(text: str) -> dict[str, int]:
    return {pool: whole(str(points), f"--pools {pool}") for pool, points in table(text, "--pools").items()}


def table(text: str, option: str) -> dict[str, Any]:
    """`id=club,power=2` as a table, with whole numbers and yes or no read as such; a usage error for anything else."""
    fields: dict[str, Any] = {}
    for part in text.split(","):
        key, sign, value = part.strip().partition("=")
        if not sign or not key:
            raise click.UsageError(
                f"{option} reads key=value,key=value; {part!r} is neither.", ctx=click.get_current_context()
            )
        key = key.replace("-", "_")
        numeric = re.fullmatch(r"[+-]?[0-9]{1,9}", value) and key not in ("id", "name")
        fields[key] = int(value) if numeric else _WORDS.get(value, value) if key in _YES_OR_NO else value
    return fields


def speed_of(text: str) -> str:
    """A speed as the rules write it, 1/4 or ½, as a number; whether there is such a speed is left to the rules."""
    over, sign, under = {"¼": "1/4", "½": "1/2"}.get(text, text).partition("/")
    try:
        return str(Decimal(over) / Decimal(under if sign else 1))
    except ArithmeticError:
        told = f"--speed reads 1/4, 1/2, 1, 2 or 3, not {text!r}."
        raise click.UsageError(told, ctx=click.get_current_context()) from None
