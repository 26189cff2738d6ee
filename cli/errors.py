"""Errors as a person sees them: one sentence, the rule, the next command, and the exit code."""

from __future__ import annotations

import errno
import json
import os
import re
import traceback
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import click
import msgspec

from cli.exit_codes import ABORTED, BROKEN, EXIT_CODES, UNPRINTED
from cli.hints.remedies import remedy
from cli.hints.usage_errors import usage_advice
from cli.orders.syntax import COMMAND_ALIASES, word_for
from cli.output import render
from cli.session import Session
from cli.streams import discard_stdout
from mam_events.errors import CommandHint, MamError, Refused, StoreUnusable
from mam_events.sanitize import printable

_UNWRITTEN = (errno.ENOSPC, errno.EIO, errno.EBADF, errno.EPIPE, errno.EFBIG, errno.EDQUOT, errno.EAGAIN)
"""The errno of a stream that accepts no more output."""


class Failure(NamedTuple):
    """An error as it is printed; `next` is a command to type, or empty, and `label` stands before it."""

    exit_code: int
    code: str
    sentence: str
    rule: str = ""
    fields: tuple[str, ...] = ()
    next: str = ""
    order: str = ""
    allowed: tuple[str, ...] = ()
    hints: tuple[CommandHint, ...] = ()
    label: str = "next"


def failure_of(error: Exception, session: Session) -> Failure:
    """Return an error as it is printed."""
    if isinstance(error, MamError):
        return _failure_of_mam_error(error, session)
    if isinstance(error, click.Abort):
        return _failure_of_abort(session)
    if isinstance(error, click.ClickException):
        return _failure_of_usage_error(error, session)
    if isinstance(error, OSError) and error.errno in _UNWRITTEN and error.filename is None:
        why = (error.strerror or str(error)).lower()
        if not session.has_written():
            return Failure(UNPRINTED, "unprinted", f"The answer could not be printed: {why}.")
        sentence = f"The order was carried out, but its answer could not be printed: {why}."
        return Failure(UNPRINTED, "unprinted", sentence, next=session.typed("mam log --last 1"))
    if forged := session.doubt():
        return _failure_of_mam_error(forged, session)
    if isinstance(error, msgspec.MsgspecError):
        sentence = StoreUnusable.unreadable("An event of this log", error).sentence
        return Failure(EXIT_CODES["StoreUnusable"], StoreUnusable.code, sentence, next=session.typed("mam verify"))
    sentence = f"mam itself failed, and nothing more was written ({type(error).__name__}: {error})."
    return Failure(BROKEN, "internal", " ".join(sentence.split()))


def _failure_of_abort(session: Session) -> Failure:
    """Return the failure for an interrupt, which may come before or after a ruling is stored."""
    if session.has_written():
        sentence = "Stopped, but the order had already been written and stands."
        return Failure(ABORTED, "aborted", sentence, next=session.typed("mam log --last 1"))
    return Failure(ABORTED, "aborted", "Stopped. Nothing was written.")


def _failure_of_mam_error(error: MamError, session: Session) -> Failure:
    exit_code = next(EXIT_CODES[kind.__name__] for kind in type(error).__mro__ if kind.__name__ in EXIT_CODES)
    sentence, allowed, hints = error.sentence, tuple(error.allowed), error.hints if session.view == "gm" else ()
    # If no redactor can be built, no log was readable, so the error reveals nothing from one.
    if not error.as_known:
        with suppress(Exception):
            sentence, allowed, hints = session.error_sentence(error), session.allowed(error), session.hints(error)
    advice = remedy(error, session)
    return Failure(
        exit_code,
        error.code,
        sentence if session.line else _as_typed(sentence, error),
        getattr(error, "rule", ""),
        tuple(getattr(error, "fields", ())),
        advice.line,
        getattr(error, "order", ""),
        allowed,
        hints,
        advice.label,
    )


def _as_typed(sentence: str, error: MamError) -> str:
    """Return the sentence with the names of its order and field as people type them.

    For example `have no order "act"`, not `"perform"`, and `join: --weapon kind` for `weapon 1, kind`.
    """
    order = getattr(error, "order", "") or getattr(error, "place", "").rpartition(" ")[2]
    alias = COMMAND_ALIASES.get(order, order)
    if sentence.startswith(f"{order}: "):
        field = r"(?<=: )([a-z_]+)(?: [0-9]+)?(?:(?:\.|(?<=[0-9]), )([\w-]+))?(?=[ :])"
        sentence = re.sub(field, partial(_field_as_typed, order), sentence, count=1)
    for named, typed in COMMAND_ALIASES.items():
        sentence = sentence.replace(f"({named})", f"({typed})")
    replacements = {form.format(order): form.format(alias) for form in ("{}", "{}:", '"{}".')}
    return " ".join(replacements.get(word, word) for word in sentence.split(" "))


def _field_as_typed(order: str, field: re.Match[str]) -> str:
    word = word_for(order, field[1])
    return " ".join(filter(None, (word, field[2]))) if word else field[0]


def _failure_of_usage_error(error: click.ClickException, session: Session) -> Failure:
    advice = usage_advice(error, session)
    fields = (error.param.name,) if isinstance(error, click.BadParameter) and error.param and error.param.name else ()
    exit_code = error.exit_code if isinstance(error, click.UsageError) else 2
    return Failure(exit_code, "usage", advice.sentence, "", fields, advice.next)


def report_failure(error: Exception, session: Session, *, as_json: bool) -> int:
    """Print an error on stderr and return its exit code, even if it cannot be printed.

    If MAM_DEBUG is set, the traceback of a bug is printed as well.
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
        discard_stdout()
    sentence = printable(failure.sentence)
    if failure.exit_code == BROKEN and os.environ.get("MAM_DEBUG"):
        traceback.print_exception(error)
    if as_json:
        fields = {
            "code": failure.code,
            "rule": failure.rule,
            "fields": failure.fields,
            "sentence": sentence,
            "order": failure.order,
            "allowed": failure.allowed,
            "hints": [{"do": hint.order, **hint.values} for hint in failure.hints],
        }
        click.echo(json.dumps({"error": fields}, ensure_ascii=False), err=True)
        return failure.exit_code
    rule = f" [{failure.rule}]" if failure.rule else ""
    # A refused insert is refused at its place, not for what is the case now.
    place = f"After ruling {session.after}: " if session.after and isinstance(error, Refused) else ""
    render.print_notice(f"{place}{sentence}{rule}")
    if failure.next and not session.quiet:
        render.print_hint(failure.next, failure.label)
    return failure.exit_code
