"""Remedies for refusals in a fight, by the code of the refusal."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec.structs import replace

from cli.hints.corrected_command import (
    by_points,
    with_a_code,
    with_a_face,
    with_a_point,
    with_a_weapon,
    with_free_id,
    with_matching_dice,
    with_more_faces,
    with_renamed_item,
)
from cli.hints.missing_dice import with_another_face, with_placeholder_faces
from cli.orders.legal import is_legal, legal_templates
from cli.orders.syntax import COMMAND_ALIASES
from mam_events.errors import MamError, Refused

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.decider.offers import Template
    from mam_events.state import Encounter


RemedyRule = Callable[[MamError, "Session"], "str | None"]
"""A function from an error to the command to type; "" if no command helps, None if it knows of none."""


_THINGS = ("item", "weapon")


_ANSWERS = ("defend", "parry", "counterattack", "interfere", "tackle")
"""Orders that answer what was declared."""


def _look(line: str) -> RemedyRule:
    """Return a remedy that shows something.

    It gives none if the error has hints of its own, or is a refusal of an insert into the past.
    """
    return lambda error, session: (
        None if error.hints or (session.after and isinstance(error, Refused)) else session.typed(line)
    )


def _either(first: RemedyRule, second: RemedyRule) -> RemedyRule:
    def way(error: MamError, session: Session) -> str | None:
        line = first(error, session)
        return second(error, session) if line is None else line

    return way


def _verified(_error: MamError, session: Session) -> str:
    """Return the check of the log, or "" after one, which would only fail again."""
    return "" if "verify" in session.arguments else session.typed("mam verify")


def look_now(session: Session) -> str:
    """Return the orders that are likely now."""
    from cli.hints.next_steps import likely_orders

    return likely_orders(session, session.timeline())


def _as_things_stand(_error: MamError, session: Session) -> str:
    """Return the commands that are likely now, for an order at the wrong moment."""
    return (_later(session) or look_there(session)) if session.after else look_now(session)


def _joining(_error: MamError, session: Session) -> str | None:
    """Return the joining of a mount that is not in the fight yet, or of the first combatant if nobody is."""
    from cli.orders.edition import toughness_options

    if not session.timeline().state.combatants:
        return look_now(session)
    joins = session.arguments[:1] == ["join"]
    mount = next((word for before, word in pairwise(session.arguments) if joins and before == "--mount"), "")
    return (
        session.typed(f"mam join {shlex.quote(mount)} {toughness_options(session.timeline().state)}") if mount else None
    )


def _opened(_error: MamError, session: Session) -> str:
    """Return the undo that opens the fight again."""
    from cli.hints.next_steps import undo_of_closing

    return session.typed(f"mam {undo_of_closing(session.timeline())}")


def _mended_by(*ways: str, of_a_thing: bool = False) -> RemedyRule:
    """Return a remedy: the first of those orders that is allowed now and makes the refused one possible.

    With `of_a_thing` the order must be about the thing at fault, if it names any.
    """

    def way(error: MamError, session: Session) -> str | None:
        state, words = session.state_then(), set(session.arguments)
        offers = sorted(legal_templates(session, *ways), key=lambda offer: ways.index(offer.do))
        mover = state.turn.combatant if state.turn else ""
        names = {name for name in words if name in state.combatants}
        # If the named combatant is not the target, only those named may react, not the one with the turn.
        acting = names if names and error.code == "not_the_target" else {mover, *names}
        for offer in offers:
            if offer.combatant not in acting:
                continue
            at_fault = {state.combatants[offer.combatant].status.drawn} if error.code == "bow_drawn" else words
            things = {choice for field in offer.fields if field.name in _THINGS for choice in field.choices or ()}
            if not of_a_thing or not things or things & at_fault:
                return _line(session, _about(offer, at_fault), state)
        return None

    return way


def _line(session: Session, offer: Template, state: Encounter, more: str = "") -> str:
    from cli.hints.examples import example_line

    return session.typed(example_line(offer, state, session.redactor()) + more)


def _about(offer: Template, things: Collection[str]) -> Template:
    """Return the template with its choices limited to those things, in each field that has one of them."""
    mentioned = {field.name: tuple(c for c in field.choices or () if c in things) for field in offer.fields}
    return replace(offer, fields=tuple(replace(f, choices=mentioned[f.name] or f.choices) for f in offer.fields))


def _against_another(_error: MamError, session: Session) -> str | None:
    """Return the same order against each action that it may stop, or None if there is none.

    A number that was typed becomes its points.
    """
    do, *words = session.arguments
    mine = [offer for offer in legal_templates(session, do) if offer.combatant in words]
    against = {field.choices: offer for offer in reversed(mine) for field in offer.fields if field.name == "action"}
    number = next((int(word) for word in words if word.isdecimal() and "--points" not in words), 0)
    lines = []
    for offer in reversed(against.values()):
        fields = (
            replace(one, low=max(one.low or 0, number)) if one.name == "points" and one.admits(number) else one
            for one in offer.fields
        )
        lines.append(_line(session, replace(offer, fields=tuple(fields)), session.state_then()))
    return ", or ".join(lines) or None


def _too_late(_error: MamError, session: Session) -> str | None:
    """Return a forgotten reaction, inserted after the attack that it answers, in the last resolved exchange.

    Returns None if it was not allowed there.
    """
    do, *words = session.arguments or [""]
    if do not in _ANSWERS:
        return None
    from mam_events.commands import Resolve
    from projections.visibility.legal_orders import allowed_templates

    timeline = session.timeline()
    until = timeline.place[session.after] + 1 if session.after else None
    redactor = session.redactor()
    counting = (n for n in reversed(timeline.order[:until]) if timeline.lives(n) and not redactor.veils(n))
    last = next(counting, 0)
    command = timeline.command(last) if last else None
    if not isinstance(command, Resolve):
        return None
    state = session.log().at(session.encounter(), command.exchange)
    names = {word for word in words if word in state.combatants}
    offers = allowed_templates(session.log().rules, state, redactor, (do,))
    offer = next((offer for offer in offers if not names or offer.combatant in names), None)
    if offer is None:
        return None
    if _fits_template(offer, [word for word in words if word not in names]):
        return _inserted_after(session, command.exchange)
    return _line(session, offer, state, f" --after {command.exchange}")


def _fits_template(offer: Template, words: Sequence[str]) -> bool:
    """Return True if the points and the weapon in those words fit a reaction's template."""
    fields = {field.name: field for field in offer.fields}
    points, weapon = fields.get("points"), fields.get("weapon")
    pairs = list(pairwise(("", *words)))
    numbers = [int(word) for before, word in pairs if word.isdecimal() and (before == "--points" or before[:1] != "-")]
    weapons = [word for before, word in pairs if before == "--weapon"]
    return all(points is None or points.admits(amount) for amount in numbers or [0]) and all(
        weapon is not None and weapon.admits(thing) for thing in weapons
    )


def _with_a_skill(error: MamError, session: Session) -> str:
    """Return the command with the meant skill, with a placeholder for a missing one, or an amendment with the code."""
    if not error.wrong:
        return session.again("--skill", "NAME")
    if error.near:
        return session.instead({error.wrong: error.near}) or session.again("--skill", error.near)
    return _with_what_is_missing(error, session)


def _with_what_is_missing(error: MamError, session: Session) -> str:
    """Return the amendment that gives a combatant what is missing, like a code."""
    from mam_events.commands import Join

    timeline = session.timeline()
    joins = {command.combatant: n for n in timeline.order if isinstance(command := timeline.command(n), Join)}
    values = error.hints[0].values
    fields = [
        f"{name}.{key}={one}" if key else f"{name}={one}"
        for name, value in values.items()
        if name != "combatant"
        for key, one in (value.items() if isinstance(value, Mapping) else (("", value),))
    ]
    return session.typed(f"mam amend {joins.get(values['combatant'], 'N')} {' '.join(fields)}")


def _amended_join(error: MamError, session: Session) -> str | None:
    """Return the amendment that makes a throw possible; None if the weapon has no range."""
    return _with_what_is_missing(error, session) if error.hints else None


def _later(session: Session) -> str:
    """Return the insert moved after the ruling that resolves what was open at its place; "" if not allowed there."""
    timeline = session.timeline()
    place = timeline.place.get(session.after)
    if place is None or timeline.states[place].exchange is None:
        return ""
    free = next((n for n in timeline.order[place:] if timeline.states[timeline.place[n]].exchange is None), 0)
    is_still_legal = (
        free and session.ordered and is_legal(session, session.ordered, timeline.states[timeline.place[free]])
    )
    return _inserted_after(session, free) if is_still_legal else ""


def _inserted_after(session: Session, number: int) -> str:
    """Return the command inserted after that ruling."""
    if not session.after:
        return session.again("--after", f"{number}")
    words = [f"{number}" if before == "--after" else word for before, word in pairwise(("mam", *session.arguments))]
    return shlex.join(("mam", *words))


def look_there(session: Session) -> str:
    """Return a similar order that is allowed at that place of the past, or the log if there is none."""
    timeline = session.timeline()
    if session.after not in timeline.place or not timeline.lives(session.after):
        return session.typed("mam log")
    words = session.arguments
    offers = [
        offer for offer in legal_templates(session) if COMMAND_ALIASES.get(offer.do, offer.do).split()[0] == words[0]
    ]
    offer = min(offers, key=lambda offer: offer.combatant not in words, default=None)
    return (
        _line(session, offer, session.state_then(), f" --after {session.after}") if offer else session.typed("mam log")
    )


FIGHT_REMEDIES: dict[str, RemedyRule] = {
    "action_open": _as_things_stand,
    "already_joined": with_free_id,
    "already_restored": _look("mam log"),
    "already_struck": _look("mam log"),
    "below_required_amount": _either(with_a_point, _as_things_stand),
    "bow_drawn": _mended_by("lower-bow", "drop-item", of_a_thing=True),
    "bow_not_drawn": _mended_by("draw-bow"),
    "code_missing": _with_a_skill,
    "dice_idle": with_more_faces,
    "dice_missing": with_more_faces,
    "dice_tied": with_more_faces,
    "die_needed": with_a_face,
    "duplicate_item": with_renamed_item,
    "encounter_closed": _opened,
    "exchange_open": _as_things_stand,
    "idle_die": with_matching_dice,
    "idle_power": by_points,
    "impossible_face": with_another_face,
    "initiative_settled": _look("mam log"),
    "key_reused": _look("mam log --last 5"),
    "no_correction": _look("mam log"),
    "no_dispute": _look("mam disputes"),
    "no_draw": with_placeholder_faces,
    "no_hit_points": with_a_code,
    "no_play": _look("mam log"),
    "no_range": _amended_join,
    "no_proposal": _look("mam proposals"),
    "no_such_exchange": _either(_too_late, _as_things_stand),
    "nobody_joined": _as_things_stand,
    "not_in_edition": _as_things_stand,
    "not_loaded": _mended_by("load", "draw-bow"),
    "not_the_target": _mended_by("interfere"),
    "nothing_to_redo": _look("mam log"),
    "nothing_to_undo": _look("mam log"),
    "on_the_ground": _mended_by("stand", "instant-stand"),
    "out_of_turn": _as_things_stand,
    "perception_missing": _with_what_is_missing,
    "reserve_short": _as_things_stand,
    "roll_initiative": _as_things_stand,
    "roll_owed": _mended_by("stay-mounted", "restrain-mount"),
    "too_many_dice": with_more_faces,
    "turn_in_progress": _as_things_stand,
    "unknown_action": _against_another,
    "unknown_combatant": _either(_joining, _look("mam pools")),
    "verification_failed": _verified,
    "version_conflict": _look("mam log --last 5"),
    "weapon_needed": with_a_weapon,
    "weapon_not_in_hand": _mended_by("ready-weapon", "pick-up-item", of_a_thing=True),
    "window_not_open": _as_things_stand,
}
"""Remedies by error code that need the fight of this run."""
