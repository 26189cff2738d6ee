"""The sentence of a message for a reader: the table has the words, the reader the names.

A text is a `str.format` template: `{who} stays`. After a colon comes the grammar:

- `{points:ready point}`: "1 ready point" or "3 ready points"; `{dice:die/dice}` for an irregular plural
- `{most:times}`: "once" or "3 times"
- `{those:and}`: a list; `{things:or the}` with articles, `{ids:and ""}` with quotes, `{those:each and}` with that word
  between all, `{those:,}` with commas only
- `{able:yes=may act|no=may not}`: a choice
- `{who:both}`: a name with the id after it
- `{weapon:lower}`: a name in lower case
- `{near}`: a hint at what is allowed; `{near:nobody.}` has the text to use if nothing is
- `{wrong}`: the rejected value
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from string import Formatter
from typing import Any, NamedTuple, Protocol

from msgspec.structs import replace

from mam_events.refusals.arguments import (
    Amount,
    Anything,
    CombatantArgument,
    Id,
    Message,
    RulingArgument,
    Several,
    Term,
    TextArgument,
    ThingArgument,
    Word,
)
from mam_events.refusals.suggestions import KNOWN, NONE, suggestion_text
from mam_events.refusals.texts import text_of, texts


class HintSlot(NamedTuple):
    """The place of the hint at what is allowed."""

    wrong: str
    allowed: Sequence[Anything]


class Reader(Protocol):
    """The reader of a message."""

    def combatant(self, who: CombatantArgument) -> str:
        """Return the name of a combatant as the reader knows it."""

    def combatant_id(self, who: Id) -> str:
        """Return the id of a combatant as the reader knows it."""

    def thing(self, thing: ThingArgument) -> str:
        """Return the name of a thing as the reader knows it."""

    def said(self, argument: TextArgument) -> str:
        """Return the words of an order as the reader may read them."""

    def shows_one(self, one: Anything) -> bool:
        """Return True if the reader may know of that one, so that a list may show it."""


class GmReader:
    """The game master, to whom everything is visible."""

    def combatant(self, who: CombatantArgument) -> str:
        """Return the name."""
        return who.name

    def combatant_id(self, who: Id) -> str:
        """Return the id."""
        return who.id

    def thing(self, thing: ThingArgument) -> str:
        """Return the name."""
        return thing.name

    def said(self, argument: TextArgument) -> str:
        """Return the words unchanged."""
        return argument.text

    def shows_one(self, one: Anything) -> bool:
        """Return True."""
        return True


GM_READER = GmReader()
REDACTED = "/redacted"
"""The end of the key of a text for readers from whom somebody in the message is hidden."""
UNKNOWN_TEXT = "This program is too old to show this message."


def render_message(message: Message, reader: Reader = GM_READER) -> str:
    """Return the sentence of a message for that reader; `UNKNOWN_TEXT` if no text fits it.

    That happens if a newer program wrote the message.
    """
    try:
        return _Words(message, reader).vformat(_text_for(message, reader), (), message.references)
    except (KeyError, ValueError, RecursionError):
        return UNKNOWN_TEXT


def _text_for(message: Message, reader: Reader) -> str:
    """Return the text of a message: that for readers from whom somebody in it is hidden, if there is one."""
    names = [one for one in message.references.values() if isinstance(one, CombatantArgument)]
    if any(reader.combatant(one) != one.name for one in names) and (text := texts().get(f"{message.key}{REDACTED}")):
        return text
    return text_of(message.key)


def id_of(one: Anything) -> str:
    """Return the id of a reference, as people type it in an order."""
    match one:
        case CombatantArgument() | Id() | ThingArgument() | Term():
            return one.id
        case RulingArgument():
            return str(one.number)
        case TextArgument():
            return one.text
        case _:
            return str(one)


def list_words(words: Sequence[str], spec: str = "and") -> str:
    """Return several words as a list in prose: `a, b and c`.

    `and the` puts an article before each word, `and ""` quotes each, `each and` puts that word between all, and a comma
    separates them by commas only.
    """
    if spec == ",":
        return ", ".join(words)
    if spec.startswith("each "):
        return f" {spec.removeprefix('each ')} ".join(words)
    last, _, with_each = spec.partition(" ")
    before, closing = ('"', '"') if with_each == '""' else (f"{with_each} ".lstrip(), "")
    *first, end = (f"{before}{word}{closing}" for word in words or [""])
    return f"{', '.join(first)} {last} {end}" if first else end


class _Words(Formatter):
    """A formatter that fills the places of a text."""

    def __init__(self, message: Message, reader: Reader) -> None:
        self._message = message
        self._reader = reader

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        if key == "near":
            return HintSlot(self._message.wrong, self._message.allowed)
        return TextArgument(self._message.wrong) if key == "wrong" else super().get_value(key, args, kwargs)

    def format_field(self, value: Anything | HintSlot, format_spec: str) -> str:
        match value:
            case CombatantArgument() | Id() | ThingArgument() | TextArgument():
                return self._named(value, format_spec)
            case Word() | bool():
                ways = dict(way.split("=", 1) for way in format_spec.split("|"))
                return ways[value.way if isinstance(value, Word) else "yes" if value else "no"]
            case HintSlot():
                ids = [id_of(one) for one in value.allowed if self._reader.shows_one(one)]
                label, _, nothing = format_spec.rpartition("|")
                return suggestion_text(value.wrong, ids, label=label or KNOWN) if ids else nothing or NONE
            case Several():
                return list_words(self._each(value.ones), format_spec or "and")
            case Message():
                return render_message(value, self._reader)
            case Amount():
                return value.words
            case int():
                return _counted(value, format_spec)
        return id_of(value)

    def _named(self, value: CombatantArgument | Id | ThingArgument | TextArgument, format_spec: str) -> str:
        """Return the words for something that may be hidden from the reader or have another name for them."""
        match value:
            case CombatantArgument():
                both = format_spec == "both"
                return self._reader.combatant(replace(value, name=f"{value.name} ({value.id})") if both else value)
            case Id():
                return self._reader.combatant_id(value)
            case ThingArgument():
                name = self._reader.thing(value)
                return name.lower() if format_spec == "lower" else name
        return self._reader.said(value)

    def _each(self, ones: Iterable[Anything]) -> list[str]:
        """Return the words of each, with hidden ones merged at the end, so that their number and place stay secret."""
        parts = [(self._reader.shows_one(one), self.format_field(one, "")) for one in ones]
        return [word for is_shown, word in parts if is_shown] + list(
            dict.fromkeys(w for is_shown, w in parts if not is_shown)
        )


def _counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 point`, `3 points`; an irregular noun gives both forms: `die/dice`.

    A format of Python is kept: `+d`, `02`.
    """
    if not noun[-1:].isalpha() or noun == "+d":
        return format(number, noun)
    if noun == "times":
        return {1: "once", 2: "twice"}.get(number, f"{number} times")
    one, _, many = noun.partition("/")
    return f"{number} {one if number == 1 else many or f'{one}s'}"
