"""Corrections of a refused command: with the nearest name, a point, another weapon or other faces."""

from __future__ import annotations

import re
import shlex
from contextlib import suppress
from itertools import count, pairwise
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from cli.orders.legal import is_legal, legal_templates
from mam_events.errors import MamError, Refused
from mam_events.refusals.renderer import id_of
from mam_events.refusals.suggestions import closest_name

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.commands import Join


def with_nearest_name(error: MamError, session: Session) -> str | None:
    """Return the command with the nearest name in place of an unknown one.

    Returns None if no name is near, or the view may not know it.
    """
    near = closest_name(error.wrong, session.allowed(error))
    if not near:
        return None
    # Underscores may have been typed as dashes.
    dashed = {error.wrong.replace("_", "-"): near.replace("_", "-")}
    return session.instead({error.wrong: near}) or session.instead(dashed) or None


def with_a_point(error: MamError, session: Session) -> str | None:
    """Return the command with one point, if it takes points and there is one to spend."""
    from cli.hints.next_steps import next_actor
    from cli.orders.syntax import order_syntax

    do, *words = session.arguments
    lacking = sorted(getattr(error, "fields", ()), key=lambda name: name != "points")
    option = order_syntax(do).options.get(lacking[0]) if lacking else None
    if option is None:
        return None
    whose = {*words, next_actor(session.state_then())}
    takes = (
        field.name == lacking[0] and field.high
        for offer in legal_templates(session, do)
        if offer.combatant in whose
        for field in offer.fields
    )
    return session.again(option, "1") if any(takes) else None


def by_points(_error: MamError, session: Session) -> str | None:
    """Return the command with its power as points, if the rules allow that."""
    from mam_events.commands import Manipulate

    command = session.ordered
    if not isinstance(command, Manipulate) or command.points:
        return None
    corrected = replace(command, points=command.power, power=0)
    return (is_legal(session, corrected) and session.instead({"--power": "--points"})) or None


def with_free_id(_error: MamError, session: Session) -> str | None:
    """Return the joining with a free id, if the rules allow that, or a correction of the first joining."""
    from mam_events.commands import Join

    command = session.ordered
    if not isinstance(command, Join) or session.reads_fight:
        return None
    return ", or ".join(filter(None, (_under_another_id(command, session), _first_corrected(command, session)))) or None


def with_renamed_item(error: MamError, session: Session) -> str | None:
    """Return the joining with another id for the second of two things that share one, or None if it was typed once."""
    if not isinstance(error, Refused) or session.reads_fight:
        return None
    words, name = list(session.arguments), id_of(error.message.references["thing"])
    typed = re.compile(rf"(?<![\w.-])id={re.escape(name)}(?![\w-])")
    places = [at for at, word in enumerate(words) if typed.search(word)]
    if len(places) < 2:  # noqa: PLR2004 - the first one keeps its id
        return None
    words[places[-1]] = typed.sub(f"id={name}-2", words[places[-1]])
    return shlex.join(("mam", *words))


def _under_another_id(join: Join, session: Session) -> str:
    from cli.orders.edition import toughness_options

    do, *words = session.arguments
    if do != "join" or join.combatant not in words:
        return ""
    state = session.state_then()
    free = next(name for name in (f"{join.combatant}-{n}" for n in count(2)) if name not in state.combatants)
    words[words.index(join.combatant)] = free
    other = replace(join, combatant=free)
    if join.hp is None and join.toughness is None and not join.athletic and not session.counts_actions():
        words += toughness_options(state).split()
        other = replace(other, hp=1)
    return shlex.join(("mam", do, *words)) if is_legal(session, other) else ""


def _first_corrected(join: Join, session: Session) -> str:
    """Return the amendment that gives the first joining the values of the second; its undo, if lists differ."""
    from cli.commands.corrections.amend import amendments
    from mam_events.commands import Join

    if session.after or session.view != "gm":
        return ""
    timeline = session.timeline()
    joins = ((n, timeline.command(n)) for n in timeline.order if timeline.lives(n))
    first = next((n, one) for n, one in joins if isinstance(one, Join) and one.combatant == join.combatant)
    was, now = map(msgspec.to_builtins, (first[1], join))
    other: dict[str, object] = {}
    for field, value in now.items():
        entries = (
            {f"{field}.{key}": entry for key, entry in value.items()} if isinstance(value, dict) else {field: value}
        )
        other |= entries if was.get(field) != value else {}
    if not other:
        return ""
    if any(not isinstance(value, int | str) for value in other.values()):
        return session.typed(f"mam undo {first[0]}")
    changes = [f"{field}={value}" for field, value in other.items()]
    with suppress(MamError):
        # The amendment may be refused as well.
        session.log().preview(session.encounter(), amendments(timeline, [f"{first[0]}", *changes]))
        return session.typed(shlex.join(("mam", "amend", f"{first[0]}", *changes)))
    return ""


def with_a_code(error: MamError, session: Session) -> str | None:
    """Return the joining with a dice code in place of hit points, in an edition without those."""
    if session.reads_fight or not isinstance(error, Refused):
        return None
    option = f"--{error.fields[0]}"
    pairs = list(pairwise(("mam", *session.arguments)))
    words = [word for before, word in pairs if option not in (before, word) and not word.startswith(f"{option}=")]
    code = () if "--code" in words else ("--code", "perception=3D")
    return shlex.join(("mam", *words, *code))


def with_matching_dice(_error: MamError, session: Session) -> str | None:
    """Return `resolve` with the dice of its exchange: the faces that were typed bare, as far as they fit.

    Returns None if anything else was typed.
    """
    from cli.orders.syntax import format_order

    _, *faces = session.arguments if session.arguments[:1] == ["resolve"] else [""]
    offer = next(legal_templates(session, "resolve"), None)
    if offer is None or not faces or not all(map(str.isdecimal, faces)):
        return None
    fields = {field.name: field for field in offer.fields}
    arguments: dict[str, object] = {
        name: face for name, face in zip(("attack_die", "defense_die"), faces, strict=False) if name in fields
    }
    if arguments and (worn := fields.get("armor_die")):
        arguments["armor_die"] = dict.fromkeys(worn.keys or (), "FACE")
    return session.typed(f"mam {format_order('resolve', arguments)}")


def with_a_weapon(error: MamError, session: Session) -> str | None:
    """Return the command with the first of the weapons that it may name."""
    return session.again("--weapon", error.allowed[0]) if len(error.allowed) > 1 else None


def with_a_face(error: MamError, session: Session) -> str:
    """Return the command with a face for the armor, or "" for the armor of somebody hidden."""
    wearer = error.fields[0].partition(".")[2] if isinstance(error, Refused) else ""
    return "" if wearer in session.redactor().hidden else session.again("--armor-die", f"{wearer}=FACE")


def with_more_faces(error: MamError, session: Session) -> str:
    """Return the command with the missing faces after those that were given.

    Returns "" if the missing faces are unknown, because dice that are left out would be drawn.
    """
    option, _, roller = error.fields[0].partition(".") if isinstance(error, Refused) else ("", "", "")
    if not error.allowed:
        return ""
    prefix = f"{roller}=" if roller else ""
    lacks = ",N" * error.allowed[0].count(",N")
    words = [
        f"{word}{lacks}"
        if (before == f"--{option}" and word.startswith(prefix)) or word.startswith(f"--{option}={prefix}")
        else word
        for before, word in pairwise(("mam", *session.arguments))
    ]
    return shlex.join(("mam", *words)) if words != list(session.arguments) else ""
