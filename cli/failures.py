"""Errors as a person meets them: one sentence, the rule, what to type next, and the exit code."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import traceback
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import click
import msgspec

from cli import output
from cli.exits import ABORTED, print_no_more
from cli.usage import misread
from mam_events.errors import (
    BadInput,
    MamError,
    NotFound,
    Refused,
    StoreUnusable,
    VerificationFailed,
    VersionConflict,
)
from mam_events.text import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.session import Session
    from mam_events.encounter.templates import Template

EXIT_CODES: dict[type[MamError], int] = {
    Refused: 1,
    BadInput: 2,
    VersionConflict: 3,
    NotFound: 4,
    VerificationFailed: 5,
    StoreUnusable: 6,
}
BROKEN = 70
"""For a fault of the program itself."""
UNPRINTED = 74
"""For an answer that could not be printed: what was ordered is done all the same."""

_NEXT = {
    "already_joined": "mam pools",
    "already_restored": "mam log",
    "already_struck": "mam log",
    "encounter_closed": "mam undo",
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
"""What must be done first, by the refusal of what came too early; the likeliest first."""
_CODES = {"perception_missing": "perception", "agility_missing": "agility"}
"""Refusals for want of a code that was to be given on joining."""
_OF_A_THING = frozenset({"weapon_not_in_hand"})
"""Refusals of which the order that mends them names the same thing."""
_UNWRITTEN = (errno.ENOSPC, errno.EIO, errno.EBADF, errno.EPIPE, errno.EFBIG, errno.EDQUOT, errno.EAGAIN)
"""What a stream says that takes no more."""
_ORDER = re.compile(r"(?<=^There is no )[a-z-]+(?= under )|(?<=^amend )[a-z-]+(?=:)|^[a-z-]+(?=: )")
"""Where a sentence names an order."""
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
"""What cannot be said together with that."""


class Failure(NamedTuple):
    """What is told of an error; `next` is a command to type, or empty."""

    exit_code: int
    code: str
    sentence: str
    rule: str = ""
    fields: tuple[str, ...] = ()
    next: str = ""


def failure_of(error: Exception, session: Session) -> Failure:
    """What to tell of that error."""
    if isinstance(error, MamError):
        return _told(error, session)
    if isinstance(error, click.Abort):
        return _stopped(session)
    if isinstance(error, click.ClickException):
        return _usage(error, session)
    if isinstance(error, OSError) and error.errno in _UNWRITTEN and error.filename is None:
        why = (error.strerror or str(error)).lower()
        if not session.has_written():
            return Failure(UNPRINTED, "unprinted", f"The answer could not be printed: {why}.")
        sentence = f"What was done stands, but it could not be printed: {why}."
        return Failure(UNPRINTED, "unprinted", sentence, next=session.typed("mam log --last 1"))
    if isinstance(error, msgspec.MsgspecError):
        sentence = f"An event of this log cannot be read: {error}."
        return Failure(EXIT_CODES[StoreUnusable], StoreUnusable.code, sentence, next=session.typed("mam verify"))
    sentence = f"mam itself failed, and nothing more was written ({type(error).__name__}: {error})."
    return Failure(BROKEN, "internal", " ".join(sentence.split()))


def _stopped(session: Session) -> Failure:
    """What an interrupt left behind, which may come before a ruling is in the store or after."""
    if session.has_written():
        sentence = "Stopped; but the order was written before that, and stands."
        return Failure(ABORTED, "aborted", sentence, next=session.typed("mam log --last 1"))
    return Failure(ABORTED, "aborted", "Stopped; nothing was written.")


def _told(error: MamError, session: Session) -> Failure:
    exit_code = next(code for kind, code in EXIT_CODES.items() if isinstance(error, kind))
    return Failure(
        exit_code,
        error.code,
        _as_typed(error.sentence),
        getattr(error, "rule", ""),
        tuple(getattr(error, "fields", ())),
        _hint(error, session),
    )


def _as_typed(sentence: str) -> str:
    """The sentence with an order that it names as people type it: `There is no act under`, not `no perform`."""
    from cli.spelling import TYPED_AS

    return _ORDER.sub(lambda found: TYPED_AS.get(found[0], found[0]), sentence)


def _hint(error: MamError, session: Session) -> str:
    """What to type after that error; nothing where its sentence says so itself, or nobody knows."""
    says_so = "`mam " in error.sentence
    # A log that has just failed to verify will fail again.
    verified = error.code == "verification_failed" and "verify" in session.arguments
    if error.code in _WITHOUT_NEXT or says_so or verified:
        return ""
    try:
        if hint := _next_anywhere(error, session):
            return hint
        return _next_in_fight(error, session) if session.in_fight else ""
    except Exception:  # noqa: BLE001 - whatever a hint is read from may be what is broken, and the error is told first
        return ""


def _next_anywhere(error: MamError, session: Session) -> str:
    """What to type where that asks nothing of a fight; "" else."""
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
    """What to type in the fight that was found for this run."""
    if error.code == "no_such_exchange" and (order := _too_late(session)):
        return order
    if error.code == "below_required_amount" and (order := _with_a_point(error, session)):
        return order
    if error.code in _AS_THINGS_STAND:
        from cli.suggesting import likely

        return _later(session) if session.after else likely(session, session.timeline())
    if error.code == "weapon_needed" and (weapon := _of_several(error)):
        return session.again("--weapon", weapon)
    if error.code == "die_needed" and isinstance(error, Refused):
        wearer = error.fields[0].partition(".")[2]
        return "" if wearer in session.screen().hidden else session.again("--armor-die", f"{wearer}=FACE")
    if error.code in _CODES:
        return session.typed(f"mam amend {_joined_without(session, _CODES[error.code])} codes.{_CODES[error.code]}=2D")
    if error.code in _MENDED_BY and (order := _mending(error, session)):
        return session.typed(order)
    if error.code == "idle_die" and (order := _as_it_rolls(session)):
        return session.typed(order)
    if error.code in _NEXT or not isinstance(error, Refused) or session.after:
        return session.typed(_mount_first(error, session) or _NEXT.get(error.code, "mam options"))
    from cli.suggesting import likely

    return likely(session, session.timeline()) or session.typed("mam options")


def _mount_first(error: MamError, session: Session) -> str:
    """The joining of the mount on which somebody would join and which is not in the fight; "" in any other case."""
    from cli.suggesting import bears

    joins = error.code == "unknown_combatant" and session.arguments[:1] == ["join"]
    mount = next((word for before, word in pairwise(session.arguments) if joins and before == "--mount"), "")
    return f"mam join {shlex.quote(mount)} {bears(session.timeline().state)}" if mount else ""


def _with_a_point(error: MamError, session: Session) -> str:
    """The same order with one point where it takes any; "" where there is none to spend."""
    from cli.spelling import SPELLINGS
    from cli.suggesting import allowed, mover

    do, *words = session.arguments
    lacking = sorted(getattr(error, "fields", ()), key=lambda name: name != "points")
    option = SPELLINGS[do].options.get(lacking[0]) if do in SPELLINGS and lacking else None
    if option is None:
        return ""
    state = session.state_then()
    for offer in allowed(session.log().rules, state, session.screen()):
        takes = any(field.name == lacking[0] and field.high for field in offer.fields)
        if offer.do == do and takes and (offer.combatant in words or offer.combatant == mover(state)):
            return session.again(option, "1")
    return ""


def _mending(error: MamError, session: Session) -> str:
    """The order that makes the refused one possible, where it may be given now; "" where it may not."""
    from cli.suggesting import allowed, typed

    state, screen = session.state_then(), session.screen()
    words = set(session.arguments)
    ways = _MENDED_BY[error.code]
    offers = sorted(
        (offer for offer in allowed(session.log().rules, state, screen) if offer.do in ways),
        key=lambda offer: ways.index(offer.do),
    )
    mover = state.turn.combatant if state.turn else ""
    acting = {mover, *(name for name in words if name in state.combatants)}
    for offer in offers:
        things = {choice for field in offer.fields for choice in field.choices or ()}
        mine = offer.combatant in acting and offer.combatant not in screen.hidden
        if mine and (error.code not in _OF_A_THING or things & words):
            return typed(offer, state, screen)
    return ""


def _as_it_rolls(session: Session) -> str:
    """The same `resolve` with the dice that its exchange takes: the faces typed bare, as far as they are for any; ""
    where more than those was typed.
    """
    from cli.spelling import written
    from cli.suggesting import allowed

    _, *faces = session.arguments if session.arguments[:1] == ["resolve"] else [""]
    state, screen = session.state_then(), session.screen()
    offer = next((offer for offer in allowed(session.log().rules, state, screen) if offer.do == "resolve"), None)
    if offer is None or not faces or not all(map(str.isdecimal, faces)):
        return ""
    fields = {field.name: field for field in offer.fields}
    said: dict[str, object] = {
        name: face for name, face in zip(("attack_die", "defense_die"), faces, strict=False) if name in fields
    }
    if said and (worn := fields.get("armor_dice")):
        said["armor_dice"] = {wearer: "FACE" for wearer in worn.keys or () if wearer not in screen.hidden}
    return f"mam {written('resolve', said)}"


def _too_late(session: Session) -> str:
    """A reaction that was forgotten, behind the attack it answers: of the exchange that was resolved last; "" where it
    was not allowed there.
    """
    do, *words = session.arguments or [""]
    if session.after or do not in ("defend", "parry", "counterattack"):
        return ""
    from cli.suggesting import allowed, typed
    from mam_events.commands import Resolve

    timeline, screen = session.timeline(), session.screen()
    last = next((n for n in reversed(timeline.order) if timeline.lives(n)), 0)
    command = timeline.command(last) if last else None
    if not isinstance(command, Resolve):
        return ""
    state = session.log().at(session.encounter(), command.exchange)
    said = {word for word in words if word in state.combatants}
    offers = [offer for offer in allowed(session.log().rules, state, screen) if offer.do == do]
    offer = next((offer for offer in offers if not said or offer.combatant in said), None)
    if offer is None:
        return ""
    after = ("--after", str(command.exchange))
    if _within(offer, [word for word in words if word not in said]):
        return session.again(*after)
    return session.typed(f"{typed(offer, state, screen)} {shlex.join(after)}")


def _within(offer: Template, words: Sequence[str]) -> bool:
    """Whether a reaction typed with these words lies in that template, as far as they say points or a weapon."""
    fields = {field.name: field for field in offer.fields}
    points, weapon = fields.get("points"), fields.get("weapon")
    bare = [int(word) for before, word in pairwise(("", *words)) if word.isdecimal() and not before.startswith("-")]
    named = [word for before, word in pairwise(("", *words)) if before == "--weapon"]
    return all(points is None or points.admits(spent) for spent in bare) and all(
        weapon is not None and weapon.admits(thing) for thing in named
    )


def _of_several(error: MamError) -> str:
    """The first of the weapons among which that refusal wants one named; "" where there is none."""
    return error.sentence.rpartition("name the weapon, ")[2].partition(" or ")[0] if " or " in error.sentence else ""


def _preset(session: Session) -> str:
    """The preset of the encounter, else one that was typed, else the usual one."""
    with suppress(MamError):
        if session.in_fight and (ruleset := session.timeline().state.ruleset):
            return ruleset.preset
    from mam_events.rulebook import rulebook

    told = (session.preset, *session.arguments)
    return next((word for word in told if word in rulebook().presets), "mam_pools")


def _joined_without(session: Session, code: str) -> str:
    """The ruling by which somebody joined who has no such code: one who is named, or is next, before any other."""
    from mam_events.commands import Join

    timeline = session.timeline()
    joined = ((number, timeline.command(number)) for number in timeline.order if timeline.lives(number))
    lacking = [(number, told.combatant) for number, told in joined if isinstance(told, Join) and code not in told.codes]
    meant = {*session.arguments, timeline.state.next_up}
    return str(next((number for number, who in lacking if who in meant), lacking[0][0] if lacking else "N"))


def _later(session: Session) -> str:
    """The same insert behind the ruling that resolves what was open at its place; "" where nothing was."""
    timeline = session.timeline()
    place = timeline.place.get(session.after)
    if place is None or timeline.states[place].exchange is None:
        return ""
    free = next((n for n in timeline.order[place:] if timeline.states[timeline.place[n]].exchange is None), 0)
    words = [str(free) if before == "--after" else word for before, word in pairwise(("mam", *session.arguments))]
    return shlex.join(("mam", *words)) if free else ""


def _usage(error: click.ClickException, session: Session) -> Failure:
    told = misread(error, session)
    fields = (error.param.name,) if isinstance(error, click.BadParameter) and error.param and error.param.name else ()
    code = error.exit_code if isinstance(error, click.UsageError) else 2
    return Failure(code, "usage", told.sentence, "", fields, told.next)


def report_failure(error: Exception, session: Session, *, as_json: bool) -> int:
    """Tell of an error on stderr and return its exit code, also where it cannot be told.

    With MAM_DEBUG set, the traceback of a fault is told as well.
    """
    try:
        return _report(error, session, as_json=as_json)
    except OSError:
        return failure_of(error, session).exit_code


def _report(error: Exception, session: Session, *, as_json: bool) -> int:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.format_message(), err=True)
        return error.exit_code
    failure = failure_of(error, session)
    if failure.exit_code == UNPRINTED:
        print_no_more()
    sentence = printable(failure.sentence)
    # Where no screen can be made there is no log that could be read, and then no sentence was taken from one.
    with suppress(Exception):
        sentence = session.screened(sentence)
    if failure.exit_code == BROKEN and os.environ.get("MAM_DEBUG"):
        traceback.print_exception(error)
    if as_json:
        told = {"code": failure.code, "rule": failure.rule, "fields": failure.fields, "sentence": sentence}
        click.echo(json.dumps({"error": told}, ensure_ascii=False), err=True)
        return failure.exit_code
    rule = f" [{failure.rule}]" if failure.rule else ""
    output.talk(f"{sentence}{rule}")
    if failure.next and not session.quiet:
        output.hint(failure.next)
    return failure.exit_code
