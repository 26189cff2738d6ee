"""The line that begins a fight at the table: `new Old Mill Ambush ron_d6 from cellar`."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from mam_events.notation.lexer.lexer import WordToken

NEW_OPTIONS = {"by": "--by", "from": "--from-fight", "title": "--title", "preset": "--preset"}
"""The options that `new` takes at the table by name."""
ALL = "all"
"""The word after the fight to continue from, by which the fallen of other sides come along."""
GAMES = {"ron d6": ("ron_d6",), "mano a mano": ("mam_pools", "mam_speed", "mam_d20")}
"""Presets by the name of their game."""


def new_command_words(line: str, fights: Collection[str]) -> list[str]:
    """Return the command for such a line; raise BadInput, or NotFound for a fight to continue from.

    Several bare words are a title, from which the id is made. A preset may follow them, then `from` with a fight or a
    file.
    """
    from mam_events.errors import BadInput
    from mam_events.notation.lexer.lexer import TextToken, orders_in
    from mam_events.sanitize import make_id

    if "--" in line:
        return _by_options(line, fights)
    tokens = [word for order in orders_in(line) for word in order.words[1:]]
    if not tokens:
        raise click.UsageError(
            "The fight needs a name. Type for example new cellar, or new cellar speed for a fight with speeds."
        )
    bare = [str(word.value) for word in tokens if word.word]
    everybody = len(bare) > 1 and bare[-1].lower() == ALL and any(_is_from(word) for word in tokens)
    bare = bare[:-1] if everybody else bare
    texts = [str(word.value) for word in tokens if not word.key and isinstance(word.value, TextToken)]
    # Don't search the bare words for something that has a key (`from=`).
    keys = {word.key for word in tokens}
    bare, option = (bare, []) if "from" in keys else _without_from(bare, fights, int(not texts))
    bare, preset = (bare, "") if "preset" in keys else _without_preset(bare)
    if not bare and preset and not texts:
        bare, preset = [preset], ""
    title = texts[0] if texts else ""
    if not title and (len(bare) > 1 or (bare and make_id(bare[0]) != bare[0])):
        title = " ".join(bare)
    name = bare[0] if len(bare) == 1 and make_id(bare[0]) == bare[0] else make_id(" ".join(bare) or title)
    if not name:
        raise BadInput(f'"{title}" has no letter a-z for an id. Type new fight "{title}".', place="new", wrong=title)
    titled = ["--title", title] if title and "title" not in keys else []
    preset_said = ["--preset", preset] if preset else []
    everybody_said = ["--all"] if everybody else []
    return ["new", name, *preset_said, *titled, *option, *_keyed(tokens, fights), *everybody_said]


def _is_from(word: WordToken) -> bool:
    return "from" in (word.key, word.word.lower())


def _keyed(tokens: Sequence[WordToken], fights: Collection[str]) -> Iterator[str]:
    from mam_events.errors import BadInput

    for word in (one for one in tokens if one.key):
        if word.key not in NEW_OPTIONS:
            raise BadInput(
                f'{word.key}= does not belong here. Type new ID PRESET "TITLE" from=FIGHT all, or from=FILE, by=NAME.',
                place="new",
            )
        text = str(word.value)
        if word.key == "preset":
            text = _preset([text]) or text
        yield from (_from_what(text, fights), text) if word.key == "from" else (NEW_OPTIONS[word.key], text)


def _without_from(words: Sequence[str], fights: Collection[str], first: int) -> tuple[list[str], list[str]]:
    """Return the words before `from`, at least that many, and the option for the words after it."""
    from mam_events.sanitize import make_id

    at = next((at for at, word in enumerate(words) if at >= first and word.lower() == "from"), len(words))
    after = list(words[at + 1 :])
    for run in range(len(after), 0, -1):
        name = " ".join(after[:run])
        source = next((one for one in (name, make_id(name)) if one in fights), name if Path(name).is_file() else "")
        if source:
            return [*words[:at], *after[run:]], [_from_what(source, fights), source]
    if after:
        _from_what(after[0], fights)
    return list(words), []


def _without_preset(words: Sequence[str]) -> tuple[list[str], str]:
    """Return the words before a preset at the end, and that preset; "" if there is none."""
    longest = max(len(name.split()) for name in GAMES)
    for run in range(min(longest, len(words) - 1), 0, -1):
        if preset := _preset(words[len(words) - run :], titled=len(words) - run > 1):
            return list(words[: len(words) - run]), preset
    return list(words), ""


def _preset(words: Sequence[str], *, titled: bool = False) -> str:
    """Return the preset that those words name, which may be shortened to a unique part; "" if they name none.

    After a title it must be a whole part of the preset's name. Raises BadInput if it is ambiguous or misspelled.
    """
    from mam_events.errors import BadInput
    from mam_events.notation.grammar.names import either_or
    from mam_events.refusals.suggestions import is_mistyped
    from mam_events.rules.rulebook import rulebook

    text = " ".join(words).lower()
    presets = list(rulebook().presets)
    if text in presets:
        return text
    games = GAMES.get(text, ())
    if len(words) == 1:
        games = games or tuple(one for one in presets if (text in one.split("_") if titled else text in one))
    if len(games) > 1:
        raise BadInput(
            f'"{" ".join(words)}" could be {either_or(games)}. Which one?', place="new", wrong=text, allowed=games
        )
    parts = {part: one for one in presets for part in (one, *one.split("_")[1:])}
    if not games and len(words) == 1 and (near := next((part for part in parts if is_mistyped(text, part)), "")):
        message = f'Did you mean "{parts[near]}"? If it belongs to the title, put the title in quotes.'
        raise BadInput(f'There is no preset "{words[0]}". {message}', place="new", wrong=words[0], allowed=presets)
    return games[0] if games else ""


def _from_what(name: str, fights: Collection[str]) -> str:
    """Return the option for the start of a fight: a fight of the store, else a file; raise NotFound."""
    from mam_events.errors import NotFound
    from mam_events.refusals.suggestions import suggestion_text

    if name in fights:
        return "--from-fight"
    if Path(name).is_file():
        return "--from"
    hint = f". {suggestion_text(name, fights)}" if fights else "."
    raise NotFound(f'There is no fight or file called "{name}"{hint}', wrong=name, allowed=fights)


def _by_options(line: str, fights: Collection[str]) -> list[str]:
    """Return the command with options; several words before them are read as a line without options.

    An id that is left out is made from the title.
    """
    from mam_events.sanitize import make_id

    try:
        words = shlex.split(line)[1:]
    except ValueError:
        words = line.split()[1:]
    first = next((at for at, word in enumerate(words) if word.startswith("-")), len(words))
    if first > 1:
        bare = new_command_words(line[: line.index(" -")], fights)
        if "--title" in bare and "--title" in words[first:]:
            at = bare.index("--title")
            del bare[at : at + 2]
        return [*bare, *words[first:]]
    if not first and "--title" in words[:-1]:
        words = [make_id(words[words.index("--title") + 1]), *words]
    return ["new", *words]
