"""Remedies after a refusal: the order that mends it, the same line said better, or what is likely now."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING

from cli.said_better import SAID_BETTER, as_meant
from mam_events.errors import MamError, Refused

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.deciding.templates import Template

_NEXT = {
    "already_restored": "mam log",
    "already_struck": "mam log",
    "diverged": "mam encounters",
    "encounter_exists": "mam encounters",
    "initiative_settled": "mam log",
    "key_reused": "mam log --last 5",
    "no_correction": "mam log",
    "no_play": "mam log",
    "nothing_to_redo": "mam log",
    "nothing_to_undo": "mam log",
    "unknown_combatant": "mam pools",
    "unknown_difficulty": "mam check --help",
    "unknown_preset": "mam rules list",
    "verification_failed": "mam verify",
    "version_conflict": "mam log --last 5",
}
_OF_THE_PRESET = frozenset({"option_without_meaning", "options_exclude", "unknown_option", "unknown_reading"})
"""Refusals of a house rule: what the preset has shows what there is."""
_AS_THINGS_STAND = frozenset(
    {
        "below_required_amount",
        "action_open",
        "exchange_open",
        "no_such_exchange",
        "not_in_edition",
        "window_not_open",
        "nobody_joined",
        "out_of_turn",
        "reserve_short",
        "turn_in_progress",
    }
)
"""Refusals of an order that comes at the wrong moment: what is likely now helps more than anything general."""
_MENDED_BY = {
    "not_the_target": ("interfere",),
    "on_the_ground": ("stand", "instant-stand"),
    "weapon_not_in_hand": ("ready-weapon", "pick-up-item"),
    "bow_drawn": ("lower-bow", "drop-item"),
    "bow_not_drawn": ("draw-bow",),
    "not_loaded": ("load", "draw-bow"),
    "roll_owed": ("stay-mounted", "restrain-mount"),
}
"""Orders that must come first, by the refusal of what came too early; the likeliest first."""
_OF_A_THING = frozenset({"bow_drawn", "weapon_not_in_hand"})
"""Refusals of which the order that mends them names the thing at fault, if it names any."""
_THINGS = ("item", "weapon")
_ANSWERS = ("defend", "parry", "counterattack", "interfere", "tackle")
"""Orders that answer what was declared."""
_WITHOUT_NEXT = ("bad_input", "not_found", "store_unusable")
_SAID_AGAIN = {
    "circumstance_needed": ("--circumstance", "NAME"),
    "circumstance_idle": ("--first", "NAME", "--reason", "TEXT"),
    "mass_over_table": ("--set", "cp_mass_over_limit=extrapolate"),
    "needs_rewind": ("--rewind",),
    "reason_missing": ("--reason", "TEXT"),
}
"""Refusals that the same order escapes with something more."""
_EXCLUDED = ("--only",)
"""Options that cannot be said together with that."""


def remedy(error: MamError, session: Session) -> str:
    """The line to type after that error; nothing where its sentence says so itself, or nobody knows."""
    # A log that has just failed to verify will fail again.
    verified = error.code == "verification_failed" and "verify" in session.arguments
    try:
        if line := as_meant(error, session):
            return line
        if error.code in _WITHOUT_NEXT or verified:
            return ""
        if hint := _next_anywhere(error, session):
            return hint
        return _next_in_fight(error, session) if session.in_fight else ""
    except Exception:  # noqa: BLE001 - whatever a hint is read from may be what is broken, and the error is told first
        return ""


def _hinted(error: MamError, session: Session) -> str:
    """The orders by which one gets on, as they are typed; of one of which too little is known how it is typed."""
    import msgspec

    from cli.spelling import TYPED_AS, written
    from mam_events.commands import COMMANDS

    told = []
    for order, values in error.hints:
        kind = COMMANDS.get(order)
        needs = {field.name for field in msgspec.structs.fields(kind) if field.required} if kind else set()
        name = TYPED_AS.get(order, order)
        if kind is None:
            told.append(" ".join((order, *map(str, values.values()))))
        else:
            told.append(written(order, values) if needs <= values.keys() else f"{name} --help")
    return ", or ".join(session.typed(f"mam {line}") for line in told)


def _next_anywhere(error: MamError, session: Session) -> str:
    """The line to type where that asks nothing of a fight; "" else."""
    if error.code in _SAID_AGAIN and not session.reads_fight:
        return session.again(*_SAID_AGAIN[error.code], instead_of=_EXCLUDED)
    if error.code in _OF_THE_PRESET:
        return f"mam rules show {_preset(session)}{' --all' if error.code == 'unknown_reading' else ''}"
    if error.code in {"encounter_exists", "diverged"} and session.arguments[:1] in (["play"], ["import"]):
        return session.again("--id", "NAME")
    hint = _NEXT.get(error.code, "")
    if hint.startswith("mam rules"):
        return hint
    return session.typed(hint) if hint.endswith("--help") or hint == "mam encounters" else ""


def _next_in_fight(error: MamError, session: Session) -> str:
    """The line to type in the fight that was found for this run."""
    way = _BY_CODE.get(error.code)
    if way is not None and (order := way(error, session)) is not None:
        return order
    stands = error.code in _AS_THINGS_STAND
    if error.hints and not (stands or session.after):
        return _hinted(error, session)
    if session.after and isinstance(error, Refused):
        return (stands and _later(session)) or _there(session)
    if not stands and (error.code in _NEXT or not isinstance(error, Refused)):
        return session.typed(_NEXT.get(error.code, "mam options"))
    from cli.suggesting import likely

    return likely(session, session.timeline()) or ("" if stands else session.typed("mam options"))


def _joining(_error: MamError, session: Session) -> str | None:
    """The joining of the mount on which somebody would join and which is not in the fight; of whoever is first, where
    nobody is in it.
    """
    from cli.editions import bears
    from cli.suggesting import likely

    if not session.timeline().state.combatants:
        return likely(session, session.timeline())
    joins = session.arguments[:1] == ["join"]
    mount = next((word for before, word in pairwise(session.arguments) if joins and before == "--mount"), "")
    return session.typed(f"mam join {shlex.quote(mount)} {bears(session.timeline().state)}") if mount else None


def _opened(_error: MamError, session: Session) -> str:
    """The undo that opens the fight again."""
    from cli.suggesting import closing_undone

    return session.typed(f"mam {closing_undone(session.timeline())}")


def _mending(error: MamError, session: Session) -> str | None:
    """The order that makes the refused one possible, where it may be given now."""
    from cli.suggesting import allowed, typed

    state, screen = session.state_then(), session.screen()
    words = set(session.arguments)
    ways = _MENDED_BY[error.code]
    offers = sorted(
        allowed(session.log().rules, state, screen, ways),
        key=lambda offer: ways.index(offer.do),
    )
    mover = state.turn.combatant if state.turn else ""
    said = {name for name in words if name in state.combatants}
    # Who would answer an attack is whoever was named, and not the one whose turn it is.
    acting = said if said and error.code == "not_the_target" else {mover, *said}
    for offer in offers:
        if offer.combatant not in acting or offer.combatant in screen.hidden:
            continue
        at_fault = {state.combatants[offer.combatant].status.drawn} if error.code == "bow_drawn" else words
        things = {choice for field in offer.fields if field.name in _THINGS for choice in field.choices or ()}
        if error.code not in _OF_A_THING or not things or things & at_fault:
            return session.typed(typed(_about(offer, at_fault), state, screen))
    return None


def _about(offer: Template, things: Collection[str]) -> Template:
    """The template with no other choices than those things, wherever it has one of them."""
    from msgspec.structs import replace

    meant = {field.name: tuple(c for c in field.choices or () if c in things) for field in offer.fields}
    return replace(offer, fields=tuple(replace(f, choices=meant[f.name] or f.choices) for f in offer.fields))


def _against_another(_error: MamError, session: Session) -> str | None:
    """Such an order of whoever was named, against each of the actions that it may stop; None where there is none."""
    from cli.suggesting import allowed, typed

    do, *words = session.arguments
    state, screen = session.state_then(), session.screen()
    mine = [
        offer
        for offer in allowed(session.log().rules, state, screen)
        if offer.do == do and offer.combatant in words and offer.combatant not in screen.hidden
    ]
    against = {field.choices: offer for offer in reversed(mine) for field in offer.fields if field.name == "action"}
    return ", or ".join(session.typed(typed(offer, state, screen)) for offer in reversed(against.values())) or None


def _too_late(_error: MamError, session: Session) -> str | None:
    """A reaction that was forgotten, behind the attack it answers, of the exchange that was resolved last, where it was
    allowed there.
    """
    do, *words = session.arguments or [""]
    if do not in _ANSWERS:
        return None
    from cli.suggesting import allowed, typed
    from mam_events.commands import Resolve

    timeline, screen = session.timeline(), session.screen()
    until = timeline.place[session.after] + 1 if session.after else None
    last = next((n for n in reversed(timeline.order[:until]) if timeline.lives(n)), 0)
    command = timeline.command(last) if last else None
    if not isinstance(command, Resolve):
        return None
    state = session.log().at(session.encounter(), command.exchange)
    said = {word for word in words if word in state.combatants}
    offers = list(allowed(session.log().rules, state, screen, (do,)))
    offer = next((offer for offer in offers if not said or offer.combatant in said), None)
    if offer is None:
        return None
    if _within(offer, [word for word in words if word not in said]):
        return _behind(session, command.exchange)
    return session.typed(f"{typed(offer, state, screen)} --after {command.exchange}")


def _within(offer: Template, words: Sequence[str]) -> bool:
    """True if a reaction typed with these words lies in that template, as far as they say points or a weapon."""
    fields = {field.name: field for field in offer.fields}
    points, weapon = fields.get("points"), fields.get("weapon")
    said = list(pairwise(("", *words)))
    numbers = [int(word) for before, word in said if word.isdecimal() and (before == "--points" or before[:1] != "-")]
    named = [word for before, word in said if before == "--weapon"]
    return all(points is None or points.admits(spent) for spent in numbers or [0]) and all(
        weapon is not None and weapon.admits(thing) for thing in named
    )


def _preset(session: Session) -> str:
    """The preset of the encounter, else one that was typed, else the usual one."""
    with suppress(MamError):
        if session.in_fight and (ruleset := session.timeline().state.ruleset):
            return ruleset.preset
    from mam_events.rules.rulebook import rulebook

    told = (session.preset, *session.arguments)
    return next((word for word in told if word in rulebook().presets), "mam_pools")


def _with_a_skill(error: MamError, session: Session) -> str:
    """The same order with the skill that was meant, or with one where none was said; else the code that is missing."""
    if not error.wrong:
        return session.again("--skill", "NAME")
    if error.near:
        return session.instead({error.wrong: error.near}) or session.again("--skill", error.near)
    return _with_the_code(error, session)


def _with_the_code(error: MamError, session: Session) -> str:
    """The code for want of which it was refused, for whoever joined without it."""
    from mam_events.commands import Join

    timeline = session.timeline()
    joins = {told.combatant: n for n in timeline.order if isinstance(told := timeline.command(n), Join)}
    values = error.hints[0].values
    codes = " ".join(f"code.{code}={value}" for code, value in values["code"].items())
    return session.typed(f"mam amend {joins.get(values['combatant'], 'N')} {codes}")


def _later(session: Session) -> str:
    """The same insert behind the ruling that resolves what was open at its place; "" where nothing was."""
    timeline = session.timeline()
    place = timeline.place.get(session.after)
    if place is None or timeline.states[place].exchange is None:
        return ""
    free = next((n for n in timeline.order[place:] if timeline.states[timeline.place[n]].exchange is None), 0)
    return _behind(session, free) if free else ""


def _behind(session: Session, number: int) -> str:
    """The same order inserted behind that ruling."""
    if not session.after:
        return session.again("--after", f"{number}")
    words = [f"{number}" if before == "--after" else word for before, word in pairwise(("mam", *session.arguments))]
    return shlex.join(("mam", *words))


def _there(session: Session) -> str:
    """Such an order as may be given at that place of the past, the log where there is none."""
    from cli.spelling import TYPED_AS
    from cli.suggesting import allowed, typed

    timeline = session.timeline()
    if session.after not in timeline.place or not timeline.lives(session.after):
        return session.typed("mam log")
    state, screen = session.state_then(), session.screen()
    offers = [
        offer
        for offer in allowed(session.log().rules, state, screen)
        if TYPED_AS.get(offer.do, offer.do).split()[0] == session.arguments[0]
    ]
    offers.sort(key=lambda offer: offer.combatant not in session.arguments)
    return session.typed(f"{typed(offers[0], state, screen)} --after {session.after}" if offers else "mam log")


_BY_CODE: dict[str, Callable[[MamError, Session], str | None]] = {
    "code_missing": _with_a_skill,
    "encounter_closed": _opened,
    "no_such_exchange": _too_late,
    "unknown_action": _against_another,
    "unknown_combatant": _joining,
    **SAID_BETTER,
    **dict.fromkeys(("perception_missing", "agility_missing"), _with_the_code),
    **dict.fromkeys(_MENDED_BY, _mending),
}
"""The remedy of a refusal in a fight, by its code; None where it knows of nothing better than what is likely now."""
