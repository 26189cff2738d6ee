"""Advice for command lines that cannot be parsed: what is wrong, and what was meant."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from contextlib import suppress
from difflib import SequenceMatcher, get_close_matches
from itertools import pairwise
from typing import NamedTuple

import click

from cli.hints.phrase_patterns import Suggestion, suggestion_for_phrase
from cli.hints.synonyms import (
    command_for_synonym,
    hyphenated_command,
    line_for_phrase,
    open_now,
    option_for_choice,
    parse_fight_options,
    with_hyphenated_command,
)
from cli.orders.syntax import COMMAND_ALIASES
from cli.registry import COMMANDS_BY_NAME
from cli.session import Session
from mam_events.notation.grammar.vocabulary import LOG_KEYWORDS, SYNONYMS
from mam_events.refusals.suggestions import closest_name

_GOES_WITHOUT_SAYING = {
    "--charge": "an attack after a straight run is already a charge (`mam move METRES --straight`, then the attack)"
}
"""Options that people give though the order infers their values."""


_NEAR = 0.67
"""The minimum likeness, without dashes, of a name that is suggested."""
_MEANT = 0.75
"""The minimum likeness for taking the nearest of several names as the meant one."""


class UsageAdvice(NamedTuple):
    """A sentence, and the next command to type."""

    sentence: str
    next: str


def usage_advice(error: click.ClickException, session: Session) -> UsageAdvice:
    """Return the advice for a usage error."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "mam"
    _drop_far_names(error)
    sentence = _sentence(error, session)
    if isinstance(error, click.exceptions.NoSuchCommand) and path != "mam":
        whole_command = f"'{path.removeprefix('mam ')} {error.command_name}'"
        sentence = sentence.replace(f"'{error.command_name}'", whole_command, 1)
    # At the table, a line without a context of its own is no command that has a help.
    usual = "" if session.at_table and not context else f"{path} --help"
    advice = UsageAdvice(sentence, getattr(error, "next", "") or usual)
    if suggestion := suggestion_for_phrase(session):
        return _advice_for_suggestion(error, suggestion, advice)
    if near := _nearest(error):
        advice = advice._replace(next=session.instead(near) or advice.next)
    if isinstance(error, click.NoSuchOption):
        return _no_such_option(error, session, advice)
    if isinstance(error, click.exceptions.NoSuchCommand) and path == "mam":
        return _no_such_command(error, session, advice)
    if isinstance(error, click.BadOptionUsage):
        return _without_value(error, session, advice)
    if isinstance(error, click.MissingParameter) and isinstance(error.param, click.Option) and error.ctx:
        option, value = _long_name(error.param), error.param.make_metavar(error.ctx)
        text = missing_argument_text(f"{option} {value}", error.param.help)
        return UsageAdvice(text, session.again(option, value))
    if isinstance(error, click.MissingParameter) and isinstance(error.param, click.Argument) and error.ctx:
        return advice._replace(sentence=missing_argument_text(_bare_name(error.param, error.ctx), error.param.help))
    return advice


def _drop_far_names(error: click.ClickException) -> None:
    """Remove the names that an unknown option or command is not like."""
    if isinstance(error, click.NoSuchOption) and error.possibilities:
        error.possibilities[:] = (name for name in error.possibilities if _likeness(error.option_name, name) > _NEAR)
    if isinstance(error, click.exceptions.NoSuchCommand) and error.possibilities:
        error.possibilities[:] = (name for name in error.possibilities if closest_name(error.command_name, [name]))


def _sentence(error: click.ClickException, session: Session) -> str:
    """Return the message of a usage error as one plain sentence."""
    context = getattr(error, "ctx", None)
    if (
        isinstance(error, click.BadParameter)
        and error.param
        and context
        and error.message.startswith(("must ", "takes "))
    ):
        param = error.param
        name = _long_name(param) if isinstance(param, click.Option) else _bare_name(param, context)
        return f"{name} {error.message}"
    if isinstance(error, click.BadParameter) and error.param and isinstance(error.param.type, click.Choice):
        value, (*first, last) = error.message.partition("' is not")[0][1:], error.param.type.choices
        name = _long_name(error.param) if isinstance(error.param, click.Option) else error.param.human_readable_name
        return f"{name} can't be '{value}'. Choose {', '.join(first)} or {last}."
    if isinstance(error, click.exceptions.NoSuchCommand | click.NoSuchOption) and len(error.possibilities or ()) > 1:
        near = [f"'{name}'" for name in sorted(error.possibilities or ())]
        return f"{error.message.rstrip('.')}. Did you mean {', '.join(near[:-1])} or {near[-1]}?"
    sentence = " ".join(error.format_message().split())
    if context and (extra := re.fullmatch(r"Got unexpected extra arguments? \((.*)\)\.?", sentence)):
        return _too_many_words(extra[1], context, session)
    return sentence if sentence.endswith((".", "?", "?)", ".)")) else f"{sentence}."


def _long_name(option: click.Parameter) -> str:
    return max(option.opts, key=len)


def _bare_name(param: click.Parameter, context: click.Context) -> str:
    """Return the name of an argument as the help shows it, without brackets and dots."""
    return re.sub(r"[\[\]]|\.\.\.$", "", param.make_metavar(context)).strip()


def _too_many_words(extra: str, context: click.Context, session: Session) -> str:
    """Return the sentence about words for which the command has no place.

    An option that took the next option as its value is named instead.
    """
    params = context.command.params
    options = {name: param for param in params if isinstance(param, click.Option) for name in param.opts}
    for word, value in pairwise(session.arguments):
        if word in options and not options[word].is_flag and value in options:
            return f"{word} needs {options[word].make_metavar(context)} after it."
    if "--target" in options and "--target" not in session.arguments:
        return f"'{extra}' is too much. If it is the target, type --target {extra}."
    takes = [_bare_name(param, context) for param in params if isinstance(param, click.Argument)]
    has = f"only {' and '.join(takes)}" if takes else "only options"
    return f"'{extra}' is too much: {context.command_path} takes {has}."


def _advice_for_suggestion(error: click.ClickException, suggestion: Suggestion, advice: UsageAdvice) -> UsageAdvice:
    """Return the advice for a command line whose meaning is known."""
    if suggestion.sentence or not isinstance(error, click.NoSuchOption | click.exceptions.NoSuchCommand):
        return UsageAdvice(suggestion.sentence or advice.sentence, suggestion.line)
    return UsageAdvice(
        f"{error.message.rstrip('.')}. Did you mean '{suggestion.line.removeprefix('mam ')}'?", suggestion.line
    )


def _nearest(error: click.ClickException) -> dict[str, str]:
    """Return the unknown word with the nearest option, command or choice; an empty dict if none is near."""
    if isinstance(error, click.NoSuchOption):
        option, near = error.option_name, _one_of(error.option_name, error.possibilities)
    elif isinstance(error, click.exceptions.NoSuchCommand):
        option, near = error.command_name, _one_of(error.command_name, error.possibilities)
    elif isinstance(error, click.BadParameter) and error.param and isinstance(error.param.type, click.Choice):
        option = error.message.partition("' is not")[0][1:]
        near = get_close_matches(option, error.param.type.choices)
    else:
        return {}
    return {option: near[0]} if near else {}


def _one_of(option: str, near: Sequence[str] | None) -> Sequence[str]:
    """Return the nearest of several names alone; none if it isn't near enough."""
    if not near or len(near) == 1:
        return near or ()
    nearest = max(near, key=lambda name: _likeness(option, name))
    return [nearest] if _likeness(option, nearest) > _MEANT else ()


def _likeness(option: str, name: str) -> float:
    # All options share their dashes.
    return SequenceMatcher(None, option.lstrip("-"), name.lstrip("-")).ratio()


def missing_argument_text(name: str, description: str | None) -> str:
    """Return the sentence about a missing argument, with its help text."""
    description = re.sub(r" \([^()]*if left out\)", "", description or "")
    about = f": {description[:1].lower()}{description[1:]}" if description else "."
    return f"{name} is missing{about}"


def _no_such_option(error: click.NoSuchOption, session: Session, advice: UsageAdvice) -> UsageAdvice:
    option = error.option_name
    if re.match(r"-\d", option):
        return advice._replace(sentence=f"{option} is below 0. Type a whole number of 0 or more.")
    if hint := _GOES_WITHOUT_SAYING.get(option):
        return advice._replace(sentence=f"No such option '{option}': {hint}.")
    if option in ("-e", "--encounter") and error.ctx:
        path = error.ctx.command_path
        return UsageAdvice(f"{path} is not about one fight, so it takes no {option}.", f"{path} --help")
    if bare := _as_argument(error, session):
        return bare
    replacement = option_for_choice(error)
    if not replacement or option not in session.arguments:
        return advice
    words = [part for word in session.arguments for part in (replacement.split() if word == option else (word,))]
    return UsageAdvice(f"No such option '{option}'. Did you mean '{replacement}'?", shlex.join(("mam", *words)))


def _as_argument(error: click.NoSuchOption, session: Session) -> UsageAdvice | None:
    """Return the advice for an argument that was typed as an option, such as `--difficulty 9`; None for others."""
    option, context = error.option_name, error.ctx
    arguments = [one for one in context.command.params if isinstance(one, click.Argument)] if context else []
    param = next((one for one in arguments if option in _spellings(one, context)), None)
    if context is None or param is None:
        return None
    sentence = f"{_bare_name(param, context)} is typed without {option}."
    words = list(session.arguments)
    at = words.index(option) if option in words else len(words)
    before = words[len(context.command_path.split()) - 1 : at]
    if any(word.startswith("-") for word in before) or len(before) != arguments.index(param):
        return UsageAdvice(sentence, f"{context.command_path} --help")
    return UsageAdvice(sentence, shlex.join(("mam", *words[:at], *words[at + 1 :])))


def _spellings(argument: click.Argument, context: click.Context | None) -> tuple[str, ...]:
    shown = _bare_name(argument, context) if context else ""
    return f"--{argument.name}".replace("_", "-"), f"--{shown}".lower()


def _no_such_command(error: click.exceptions.NoSuchCommand, session: Session, advice: UsageAdvice) -> UsageAdvice:
    word = error.command_name
    if hyphenated := hyphenated_command(word, session):
        return UsageAdvice(
            f"No such command '{word}'. Did you mean '{hyphenated}'?",
            with_hyphenated_command(word, hyphenated, session),
        )
    begun = [name for name in COMMANDS_BY_NAME if name.startswith(word)]
    if len(begun) > 1 and len(word) > 1:
        now = next((name for name in begun if name in open_now(session)), "")
        message = f"'{word}' could be {', '.join(begun[:-1])} or {begun[-1]}. Which one?"
        return UsageAdvice(message, line_for_phrase(word, now, session) if now else "")
    if alias := COMMAND_ALIASES.get(word):
        words = " ".join(("mam", alias, *session.arguments[list(session.arguments).index(word) + 1 :]))
        return UsageAdvice(f"No such command '{word}'. The command is '{alias}'.", words)
    order = command_for_synonym(word, session)
    if not order and (word in SYNONYMS or word in LOG_KEYWORDS):
        rest = list(session.arguments[list(session.arguments).index(word) :])
        line = " ".join(rest[: next((at for at, one in enumerate(rest) if one.startswith("-")), len(rest))])
        with suppress(Exception):
            parse_fight_options(session)
        message = f"No such command '{word}'. It is a word of short lines, which `mam do` takes."
        return UsageAdvice(message, session.typed(f"mam do {shlex.quote(line)}"))
    if not order:
        return advice
    return UsageAdvice(f"No such command '{word}'. Did you mean '{order}'?", line_for_phrase(word, order, session))


def _without_value(error: click.BadOptionUsage, session: Session, advice: UsageAdvice) -> UsageAdvice:
    """Return the advice for an option without its value at the end of a command line."""
    context = error.ctx
    params = context.command.params if context else ()
    option = next((p for p in params if isinstance(p, click.Option) and error.option_name in p.opts), None)
    if option is None or context is None or session.arguments[-1:] != [error.option_name]:
        return advice
    value = option.make_metavar(context)
    about = f": {option.help[:1].lower()}{option.help[1:]}" if option.help else "."
    return UsageAdvice(f"{error.option_name} needs {value} after it{about}", session.again(value))
