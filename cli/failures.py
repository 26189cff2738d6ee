"""Errors as a person meets them: one sentence, the rule, what to type next, and the exit code."""

from __future__ import annotations

import json
import os
import re
import traceback
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import click

from cli.main import ABORTED
from mam_events.errors import (
    BadInput,
    MamError,
    NotFound,
    Refused,
    StoreUnusable,
    VerificationFailed,
    VersionConflict,
)
from mam_events.text import clean_text

if TYPE_CHECKING:
    from cli.session import Session

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

_NEXT = {
    "already_amended": "mam log",
    "already_joined": "mam pools",
    "already_restored": "mam log",
    "already_struck": "mam log",
    "encounter_exists": "mam encounters",
    "key_reused": "mam log --last 5",
    "no_correction": "mam log",
    "no_play": "mam log",
    "not_in_edition": "mam rules list",
    "nothing_to_redo": "mam log",
    "nothing_to_undo": "mam log",
    "option_without_meaning": "mam rules show mam_pools",
    "unknown_combatant": "mam pools",
    "unknown_option": "mam rules show mam_pools",
    "unknown_preset": "mam rules list",
    "unknown_reading": "mam rules show mam_pools",
    "version_conflict": "mam log --last 5",
}
_OF_A_FIGHT = ("mam options", "mam log", "mam pools")
_WITHOUT_NEXT = ("bad_input", "not_found", "store_unusable", "verification_failed")


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
        return Failure(ABORTED, "aborted", "Stopped; nothing more was written.")
    if isinstance(error, click.ClickException):
        return _usage(error)
    sentence = f"mam itself failed, and nothing more was written ({type(error).__name__}: {error})."
    return Failure(BROKEN, "internal", " ".join(sentence.split()))


def _told(error: MamError, session: Session) -> Failure:
    exit_code = next(code for kind, code in EXIT_CODES.items() if isinstance(error, kind))
    hint = "" if error.code in _WITHOUT_NEXT or "`mam " in error.sentence else _NEXT.get(error.code, "mam options")
    if hint.startswith(_OF_A_FIGHT) and not session.in_fight:
        hint = ""
    return Failure(
        exit_code,
        error.code,
        error.sentence,
        getattr(error, "rule", ""),
        tuple(getattr(error, "fields", ())),
        session.typed(hint) if hint else "",
    )


def _usage(error: click.ClickException) -> Failure:
    sentence = " ".join(error.format_message().split())
    if isinstance(error, click.NoSuchOption) and re.match(r"-\d", error.option_name):
        sentence = f"{error.option_name} is below 0; numbers here are whole and 0 or more."
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "mam"
    fields = (error.param.name,) if isinstance(error, click.BadParameter) and error.param and error.param.name else ()
    sentence = sentence if sentence.endswith((".", "?", "?)", ".)")) else f"{sentence}."
    return Failure(
        error.exit_code if isinstance(error, click.UsageError) else 2, "usage", sentence, "", fields, f"{path} --help"
    )


def report_failure(error: Exception, session: Session, *, as_json: bool) -> int:
    """Tell of an error on stderr and return its exit code; with MAM_DEBUG set, the traceback of a fault as well."""
    failure = failure_of(error, session)
    sentence = clean_text(failure.sentence)
    with suppress(MamError):
        sentence = session.screened(sentence)
    if failure.exit_code == BROKEN and os.environ.get("MAM_DEBUG"):
        traceback.print_exception(error)
    if as_json:
        told = {"code": failure.code, "rule": failure.rule, "fields": failure.fields, "sentence": sentence}
        click.echo(json.dumps({"error": told}, ensure_ascii=False), err=True)
        return failure.exit_code
    rule = f" [{failure.rule}]" if failure.rule else ""
    click.echo(f"{sentence}{rule}", err=True)
    if failure.next and not session.quiet:
        click.echo(f"next: {failure.next}", err=True)
    return failure.exit_code
