"""Remedies after an error: the order that helps, the same command corrected, or what is likely now."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cli.hints.corrected_command import (
    with_nearest_name,
)
from cli.hints.fight_remedies import FIGHT_REMEDIES, RemedyRule, look_now, look_there
from cli.hints.phrase_patterns import suggestion_for_phrase
from cli.orders.legal import is_legal
from cli.orders.syntax import COMMAND_ALIASES, format_order, line_with
from mam_events.errors import MamError, NotFound, Refused

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.commands import Command


_EXCLUDED = ("--only",)
"""Options that exclude others that correct a command."""


class Advice(NamedTuple):
    """What to type after an error, and the label in front of it; empty if nothing is known."""

    line: str = ""
    label: str = "next"


def remedy(error: MamError, session: Session) -> Advice:
    """Return the command to type after that error, or none if its sentence says so itself or nothing is known.

    The orders that are likely now do not repair the refused one, so they have a label of their own.
    """
    try:
        ways = [_phrase, with_nearest_name, _ANYWHERE.get(error.code)]
        ways += [FIGHT_REMEDIES.get(error.code), _in_general] if session.is_in_fight else []
        line = next((line for way in ways if way and (line := way(error, session)) is not None), "")
        return Advice(line, "possible now" if _is_general(line, session) else "next")
    except Exception:  # noqa: BLE001 - a failing hint must not hide the original error
        return Advice()


def _is_general(line: str, session: Session) -> bool:
    with suppress(MamError):
        return session.is_in_fight and line == look_now(session)
    return False


def _phrase(error: MamError, session: Session) -> str | None:
    # Rephrasing the line does not help if nothing has that name.
    suggestion = None if isinstance(error, NotFound) else suggestion_for_phrase(session)
    return suggestion.line if suggestion else None


def _in_general(error: MamError, session: Session) -> str:
    """Return a command for an error without a remedy of its own: from its hints, its place, or what is likely now."""
    if error.hints and not session.after:
        return _hinted(error, session) or look_now(session)
    if not isinstance(error, Refused):
        return session.typed("mam options")
    if session.after:
        return look_there(session)
    return look_now(session) or session.typed("mam options")


def _hinted(error: MamError, session: Session) -> str:
    """Return the orders that the error hints at, ready to type, without those that would be refused too.

    An order with unknown required fields becomes its `--help`.
    """
    from mam_events.commands import COMMANDS

    hints = []
    for order, values in error.hints:
        kind = COMMANDS.get(order)
        needs = {field.name for field in msgspec.structs.fields(kind) if field.required} if kind else set()
        name = COMMAND_ALIASES.get(order, order)
        if kind is None:
            hints.append(" ".join((order, *map(str, values.values()), *_TO_SAY.get(order, ()))))
        elif not needs <= values.keys():
            hints.append(f"{name} --help")
        elif _may_follow(session, kind, values):
            hints.append(format_order(order, values))
    return ", or ".join(session.typed(f"mam {line}", names_encounter=line not in _OF_THE_STORE) for line in hints)


def _may_follow(session: Session, kind: type[Command], values: Mapping[str, Any]) -> bool:
    """Return False for an order that the rules refuse in the fight now; outside a fight every order may follow."""
    if not session.is_in_fight or session.reads_fight:
        return True
    return is_legal(session, msgspec.convert(values, kind))


_OF_THE_STORE = ("migrate", "projections rebuild")
"""Hinted commands that are not about one encounter."""


_TO_SAY = {"dispute": ("--claim", "WHY")}
"""The words to add to a hinted command that is no order."""


def _with_words(*more: str) -> RemedyRule:
    """Return a remedy that adds words to the command; it gives none for a fight file."""

    def way(_error: MamError, session: Session) -> str | None:
        if session.reads_fight:
            return None
        if session.line:
            return session.typed(shlex.join(("mam", "do", line_with(session.line, *more))))
        return session.again(*more, instead_of=_EXCLUDED)

    return way


def _nothing(_error: MamError, _session: Session) -> str:
    return ""


def _of_the_preset(error: MamError, session: Session) -> str:
    """Return the command that lists all options of the preset."""
    return f"mam rules show {_preset(session)}{' --all' if error.code == 'unknown_reading' else ''}"


def _earlier(error: MamError, session: Session) -> str:
    """Return the branch from the last earlier ruling that is allowed."""
    options = ("--at", error.wrong, f"--at={error.wrong}")
    return session.again("--at", error.allowed[0], instead_of=options) if error.allowed else ""


def _under_another_name(_error: MamError, session: Session) -> str:
    if session.arguments[:1] in (["play"], ["import"], ["branch"]):
        words = list(session.arguments)
        if "--id" in words[:-1]:
            words[words.index("--id") + 1] = "NAME"
            return shlex.join(("mam", *words))
        return session.again("--id", "NAME", instead_of=[word for word in words if word.startswith("--id=")])
    return session.typed("mam encounters")


def _preset(session: Session) -> str:
    """Return the preset of the encounter, else one that was typed, else the usual one."""
    with suppress(MamError):
        if session.is_in_fight and (ruleset := session.timeline().state.ruleset):
            return ruleset.preset
    from mam_events.rules.rulebook import rulebook

    words = (session.preset, *session.arguments)
    return next((word for word in words if word in rulebook().presets), "mam_pools")


def _as_asked(error: MamError, session: Session) -> str:
    """Return the order with one of the possible answers, or "" for input that cannot be read."""
    return _hinted(error, session) if error.hints and session.is_in_fight else ""


_ANYWHERE: dict[str, RemedyRule] = {
    "bad_input": _as_asked,
    "cannot_branch": _earlier,
    "circumstance_idle": _with_words("--first", "NAME", "--reason", "TEXT"),
    "circumstance_needed": _with_words("--circumstance", "NAME"),
    "diverged": _under_another_name,
    "encounter_exists": _under_another_name,
    "mass_over_table": _with_words("--set", "cp_mass_over_limit=extrapolate"),
    "needs_bookkeeping": lambda _error, session: (
        None if session.reads_fight else session.typed("mam export --format played")
    ),
    "needs_rewind": _with_words("--rewind"),
    "no_face": _nothing,
    "not_as_played": lambda _error, session: session.typed("mam export"),
    "not_found": _nothing,
    "option_without_meaning": _of_the_preset,
    "options_exclude": _of_the_preset,
    "reason_missing": _with_words("--reason", "TEXT"),
    "store_unusable": lambda error, session: _hinted(error, session) if error.hints else _nothing(error, session),
    "unknown_difficulty": lambda _error, session: session.typed("mam check --help"),
    "unknown_option": _of_the_preset,
    "unknown_preset": lambda _error, _session: "mam rules list",
    "unknown_reading": _of_the_preset,
    "verification_failed": lambda error, session: _hinted(error, session) if error.hints else None,
}
"""Remedies by error code that need no fight."""
