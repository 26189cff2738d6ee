"""Synonyms of commands and options, for people who don't know the commands yet."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from itertools import pairwise
from typing import get_args

import click

from cli.command_class import MissingArgument
from cli.registry import COMMANDS_BY_NAME
from cli.session import Session
from cli.shared_options import global_options
from mam_events.notation.grammar.vocabulary import OTHER_WORDS, SYNONYMS
from mam_events.state import Encounter, FollowUp

SHORT_WORD_LENGTH = 2
"""The maximum length of words in lines that are not synonyms of commands."""

_DEEDS = {deed: f"manipulate --follow-up {deed}" for deed in get_args(FollowUp) if deed not in ("none", "escape")}
"""Kinds of manipulation, as they are typed."""
COMMAND_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    **{word: orders for word, orders in SYNONYMS.items() if len(word) > SHORT_WORD_LENGTH},
    **{
        word: tuple(_DEEDS.get(order, order) for order in orders if order in COMMANDS_BY_NAME or order in _DEEDS)
        for word, orders in OTHER_WORDS.items()
    },
    **{deed: (typed,) for deed, typed in _DEEDS.items()},
    **dict.fromkeys(("kick", "punch"), ("attack",)),
    **dict.fromkeys(("go", "run", "walk"), ("move", "begin-turn")),
    **dict.fromkeys(("back", "cancel"), ("undo",)),
    **dict.fromkeys(("find", "search"), ("help",)),
    "add": ("join",),
    "ambush": ("stalk", "initiative --surprise"),
    "block": ("parry", "defend"),
    "draw": ("draw-bow", "ready-weapon"),
    "get-up": ("stand",),
    "history": ("log",),
    "init": ("initiative",),
    "ride": ("mount",),
    "start": ("new",),
    "turn": ("begin-turn", "declare", "end-turn"),
    "why": ("explain",),
}
"""Words that are no command, and what they mean: the first of the orders that may be given now. Most are those of a
line.
"""


def command_for_synonym(word: str, session: Session) -> str:
    """Return the command that a word means in this fight, without `mam`, or "" if it means none."""
    matches = COMMAND_SYNONYMS.get(word, ())
    # If no fight can be read, use the first meaning.
    with suppress(Exception):
        parse_fight_options(session)
        if (action := _listed_action(word)) and session.counts_actions():
            return f"act --action {action}"
        if len(matches) > 1:
            now = open_now(session)
            return next((order for order in matches if order.split()[0] in now), matches[0])
    return matches[0] if matches else ""


def hyphenated_command(word: str, session: Session) -> str:
    """Return the command that a word and the next one form (`end-turn` from `end turn`), or "" if they form none."""
    words = list(session.arguments)
    name = "-".join(words[words.index(word) :][:2])
    return name if name in COMMANDS_BY_NAME else ""


def with_hyphenated_command(word: str, name: str, session: Session) -> str:
    """Return the command line with that command in place of its two parts."""
    words = list(session.arguments)
    place = words.index(word)
    return shlex.join(("mam", *words[:place], name, *words[place + 2 :]))


ONE_LETTER_OPTIONS = ("-e", "-q")
"""The options of one letter that may stand in every line."""


@click.command(add_help_option=False, context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@global_options
def _any() -> None:
    """Parse only the options that name the fight, whatever the command line means."""


def parse_fight_options(session: Session) -> None:
    """Pass the options that name the fight to the session, for a command line that cannot be parsed."""
    # Which options of an unknown command take values is unknown, and a value may begin with a dash ("-2 the smoke").
    words = [word for word in session.arguments if word in ONE_LETTER_OPTIONS or word[:1] != "-" or word[:2] == "--"]
    _any.make_context("mam", words, obj=session)


def _listed_action(word: str) -> str:
    """Return the listed action of Ron d6 with that name, or "" if there is none."""
    from mam_events.rules.rulebook import rulebook

    name = "_".join(word.lower().split("-"))
    return name if name in rulebook().tables.rd6_actions else ""


def open_now(session: Session) -> set[str]:
    """Return the orders that are allowed now; none if the fight cannot be read for any reason."""
    from cli.orders.legal import legal_templates

    with suppress(Exception):
        parse_fight_options(session)
        return {offer.do for offer in legal_templates(session)}
    return set()


def line_for_phrase(word: str, order: str, session: Session) -> str:
    """Return the command line with the order in place of the word that means it.

    A bare word after a listed action is its target.
    """
    from cli.hints.examples import UNTARGETED_ACTIONS

    place = list(session.arguments).index(word)
    before, after = session.arguments[:place], list(session.arguments[place + 1 :])
    name, *words = order.split()
    aimed = name == "act" and words[-1] not in UNTARGETED_ACTIONS
    if aimed and after and not after[0].startswith("-"):
        after.insert(0, "--target")
    # If the order ends with an option, the next typed word is its value.
    is_complete = not words or "--" not in words[-1]
    bare = next((i for i, text in enumerate(after) if text.startswith("-")), len(after)) if is_complete else 0
    return shlex.join(("mam", *before, name, *after[:bare], *words, *after[bare:]))


def bare_words(
    session: Session, action: str, words: Sequence[str | None], target: str | None
) -> tuple[str | None, str | None, str | None]:
    """Return the actor, the description and the target of an action from its bare words.

    A combatant named after another one, or after an option without being the actor, is the target, unless `target` is
    given. A word that names no combatant there is the description.
    """
    from cli.hints.examples import UNTARGETED_ACTIONS

    first, what = words
    state = session.state_then()
    if what is None and first and (" " in first or (action == "use" and not _is_name_in_fight(first, session, state))):
        # A text with blanks is no combatant, nor is an unknown name after `use`: it describes the action.
        return None, first, target
    last, before = (first, None) if what is None else (what, first)
    if not last or target or action in UNTARGETED_ACTIONS or last == state.acting or not session.viewer().knows(last):
        return first, what, target
    arguments = list(session.arguments)
    optioned = any(word[:1] == "-" for word in arguments[: arguments.index(last)])
    if not optioned and not (before and session.viewer().knows(before)):
        return first, what, target
    return (before, None, last) if before is None or _is_name_in_fight(before, session, state) else (None, before, last)


def _is_name_in_fight(word: str, session: Session, state: Encounter) -> bool:
    """Return True if somebody in the fight has that name, or nearly that one."""
    return session.viewer().knows(word) or bool(get_close_matches(word, state.combatants))


def missing_action_hint(session: Session, words: Sequence[str | None]) -> MissingArgument:
    """Return the error for an action of Ron d6 without --action; its hint names the action if a bare word does."""
    for word in filter(None, words):
        if action := _listed_action(word):
            line = [
                part
                for argument in session.arguments
                for part in (("--action", action) if argument == word else (argument,))
            ]
            message = f"Name the action with --action. Did you mean '--action {action}'?"
            return MissingArgument(message, shlex.join(("mam", *line)))
    message = "Name the action: --action dodge, punch, shoot …, or --action use for anything else."
    return MissingArgument(message, _line_of_action(session, words))


def _line_of_action(session: Session, words: Sequence[str | None]) -> str:
    """Return the command line with an action that is allowed now, or "" if the combatant may do none."""
    from cli.hints.examples import example_line, example_of
    from cli.orders.legal import legal_templates

    state = session.state_then()
    who = next((word for word in words if word and session.viewer().knows(word)), state.acting)
    offer = next((offer for offer in legal_templates(session, "perform") if offer.combatant == who), None)
    if offer is None:
        return ""
    if any(word and not session.viewer().knows(word) for word in words):
        return session.again("--action", "use")
    fields = example_of(offer, state)
    # Nobody can target themselves: show how they may act on somebody else.
    if dict(pairwise(session.arguments)).get("--target") in (None, who):
        return session.typed(example_line(offer, state, session.redactor()))
    return session.again("--action", fields["action"], *(["--skill", fields["skill"]] if fields.get("skill") else []))


def option_for_choice(error: click.NoSuchOption) -> str:
    """Return the option that has the unknown one as a choice: `--follow-up hold` for `--hold`; "" if none has."""
    choice = error.option_name.lstrip("-").replace("-", "_")
    for param in error.ctx.command.params if error.ctx else ():
        if isinstance(param.type, click.Choice) and isinstance(param, click.Option) and choice in param.type.choices:
            return f"{param.opts[0]} {choice}"
    return ""
