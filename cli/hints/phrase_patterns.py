"""Patterns of commands typed by people who don't know the commands yet, and the commands that they mean."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from cli.hints.synonyms import parse_fight_options
from cli.session import Session


class Phrase(NamedTuple):
    """A command as it is typed and as it is meant, and the sentence that answers it if the usual one doesn't do.

    Words in capitals are placeholders for what was typed; what is typed after a phrase stays after it.
    """

    typed: str
    meant: str
    sentence: str = ""


class Suggestion(NamedTuple):
    """The meant command, ready to type, and the sentence with it ("": the usual one)."""

    line: str
    sentence: str


_BY_ACTION = "Name the action with --action, and its target with --target."
_BY_WEAPON = "Name the weapon with --weapon."
_ONE_AT_A_TIME = "A range can't be undone. Undo one ruling, or use --rewind to undo it and everything after it."
_TWO_DASHES = "An option of several letters begins with two dashes."
_WITH_A_SIGN = "Type the change as FIELD=VALUE."
_NO_LAST = 'Nothing was undone: undo takes a number, not "last". To undo the last ruling, leave the number out.'

PHRASE_PATTERNS = (
    Phrase("rewind WORDS", "undo WORDS --rewind"),
    Phrase("undo --ruling N", "undo N"),
    Phrase("undo last", "undo", _NO_LAST),
    Phrase("undo N-N", "undo N --rewind", _ONE_AT_A_TIME),
    Phrase("rule-on N --by N", "rule-on N --with N", "Use --with to name the correction that settles the dispute."),
    Phrase(
        "odds --after N", "odds resolve --after N", "Name the order. For the exchange that was open then, type resolve."
    ),
    Phrase("amend ANY N NAME NAME N", "amend ANY N NAME_NAME=N", _WITH_A_SIGN),
    Phrase("amend ANY N NAME NAME=VALUE", "amend ANY N NAME_NAME=VALUE", _WITH_A_SIGN),
    Phrase("amend ANY N NAME VALUE", "amend ANY N NAME=VALUE", _WITH_A_SIGN),
    Phrase("amend ANY N --FIELD VALUE", "amend ANY N FIELD=VALUE", _WITH_A_SIGN),
    Phrase(
        "whatif NAME=VALUE", "whatif --set NAME=VALUE", "Name the house rule with --set: whatif --set OPTION=READING."
    ),
    Phrase("branch NAME", "branch --id NAME", "Name the new fight with --id: branch --id NAME."),
    Phrase("export VALUE", "export -o VALUE", "Name the file with -o: export -o FILE."),
    Phrase("dispute ruling N", "dispute N"),
    Phrase("new NAME PRESET", "new NAME --preset PRESET", "Name the rules with --preset."),
    Phrase("new NAME from=NAME", "new NAME --from-fight NAME", "Use --from-fight to name the fight to continue."),
    Phrase("join ANY -hp N", "join ANY --hp N", _TWO_DASHES),
    Phrase("join ANY hp N", "join ANY --hp N", "Give the hit points with --hp."),
    Phrase("join ANY --PART NAME", "join ANY --PART id=NAME"),
    Phrase("move WORDS Nm", "move WORDS --metres N", "Give the metres with --metres, without a unit."),
    Phrase("STRIKE ANY --points N", "STRIKE ANY --power N"),
    Phrase("STRIKE WORDS WEAPON WORDS", "STRIKE WORDS WORDS --weapon WEAPON", _BY_WEAPON),
    Phrase("ACT NAME ACTION NAME", "ACT NAME --action ACTION --target NAME", _BY_ACTION),
    Phrase("interrupt NAME ACTION", "interrupt NAME --action ACTION", _BY_ACTION),
    Phrase("initiative roll ANY --dice DICE DICE", "initiative roll ANY --dice DICE --dice DICE"),
)
"""All phrases; the first one that fits is used."""


def _fields(_: Session) -> Iterator[str]:
    """Return the fields of all orders, spelled like options, except those that are options of a correction itself."""
    from mam_events.commands import COMMANDS

    return (
        field.replace("_", "-")
        for kind in COMMANDS.values()
        for field in kind.__struct_fields__
        if field not in ("reason", "outcome")
    )


def _actions(session: Session) -> Iterator[str]:
    """Return the names of the listed actions, if the fight uses the list."""
    from mam_events.rules.rulebook import rulebook

    rows = rulebook().tables.rd6_actions if session.counts_actions() else ()
    return (name for action in rows for name in (action, action.replace("_", "-")))


def _presets(_: Session) -> Iterable[str]:
    """Return the names of all presets."""
    from mam_events.rules.rulebook import rulebook

    return rulebook().presets


def _weapons(session: Session) -> Iterator[str]:
    """Yield the weapons of all visible combatants if the option names none; combatants' names are left out."""
    if "--weapon" in session.arguments:
        return
    state = session.state_then()
    carried = (weapon.id for one in session.redactor().combatants(state) for weapon in one.weapons)
    yield from (weapon for weapon in carried if weapon not in state.combatants)


_END = "\x1f"
_BARE = f"[^-{_END}][^{_END}]*"
_SEVERAL: Mapping[str, str] = {"WORDS": f"(?:{_BARE}{_END})*", "ANY": f"(?:[^{_END}]*{_END})*?"}
"""Placeholders for any number of words: bare ones, or all that follow."""
_ONE: Mapping[str, str | Callable[[Session], Iterable[str]]] = {
    "N": "#?[0-9]+",
    "NAME": "[a-z][a-z0-9_-]*",
    "VALUE": f"[^-={_END}][^={_END}]*",
    "DICE": "[a-z0-9_-]+=[0-9,]+",
    "FIELD": _fields,
    "ACT": "act|interrupt",
    "ACTION": _actions,
    "STRIKE": "attack|parry|counterattack",
    "WEAPON": _weapons,
    "PART": "weapon|item|armor",
    "PRESET": _presets,
}
"""Placeholders for one word or a part of it; some depend on the fight."""
_CAPITALS = re.compile(f"((?:{'|'.join((*_SEVERAL, *_ONE))})(?![A-Z]))")
_BEFORE = re.compile(f"(?:(?:--store|--encounter|-e|--by|--as){_END}[^{_END}]*{_END}|-[^{_END}]*{_END})*")
"""Options before the command, with their values."""


def suggestion_for_phrase(session: Session) -> Suggestion | None:
    """Return the command that was meant; None if no phrase fits, or the fight cannot be read."""
    line = "".join(word + _END for word in session.arguments)
    before = _BEFORE.match(line)
    start = before.end() if before else 0
    try:
        readings = ((phrase, _read(phrase, line[start:], session)) for phrase in PHRASE_PATTERNS)
        return next(
            (_line(line[:start] + phrase_line, phrase) for phrase, phrase_line in readings if phrase_line), None
        )
    except Exception:  # noqa: BLE001 - a broken fight must not hide the original error
        return None


def _line(line: str, phrase: Phrase) -> Suggestion:
    return Suggestion(shlex.join(("mam", *line.split(_END)[:-1])), phrase.sentence)


def _read(phrase: Phrase, line: str, session: Session) -> str:
    """Return the command as that phrase means it, at any place in it; "" if the phrase doesn't fit."""
    if not re.match(_pattern(phrase.typed.split()[0], session), line):
        return ""
    pattern = re.compile("".join(_pattern(word, session) for word in phrase.typed.split()))
    text = line
    # A phrase may occur several times. Limit the passes, because its meaning may match it again.
    for _ in session.arguments:
        if match := pattern.match(text):
            text = _filled(phrase, match) + text[match.end() :]
    return text if text != line else ""


def _pattern(word: str, session: Session) -> str:
    """Return the expression that matches a word of a phrase, with each of its placeholders in a group."""
    if word in _SEVERAL:
        return f"({_SEVERAL[word]})"
    return "".join(f"({_kind(part, session)})" if part in _ONE else part for part in _CAPITALS.split(word)) + _END


def _kind(name: str, session: Session) -> str:
    kind = _ONE[name]
    if isinstance(kind, str):
        return kind
    parse_fight_options(session)
    return "|".join(map(re.escape, kind(session))) or "(?!)"


def _filled(phrase: Phrase, match: re.Match[str]) -> str:
    """Return the meaning of a phrase with the typed words in its placeholders; repeated ones keep their order."""
    values: dict[str, list[str]] = {}
    for name, text in zip(_CAPITALS.findall(phrase.typed), match.groups(), strict=True):
        values.setdefault(name, []).append(text)
    words = (_CAPITALS.sub(lambda name: values[name[0]].pop(0), word) for word in phrase.meant.split())
    return "".join(word if word.endswith(_END) or not word else word + _END for word in words)
