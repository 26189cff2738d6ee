"""The reader of scores: fights in the lines of the notation."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import BeginTurn, Command, Declare, EndTurn, Join, Open
from mam_events.deserializer import encounter_id, read_as
from mam_events.errors import BadInput, MamError
from mam_events.field_specs import FieldSpec, field_specs
from mam_events.fights.orders import FightFile, FightNote, FightOrder
from mam_events.fights.score_writer import LONG, PLAYED, SHORT
from mam_events.notation.grammar.long_form import is_long, make_long_order, read_long
from mam_events.notation.lexer.lexer import ParsedOrder, WordToken, orders_in
from mam_events.notation.lexer.normalize import MAX_LINE_LENGTH, normalize_line
from mam_events.notation.lines.note_line import NOTE_WORDS, parse_note_line
from mam_events.notation.orders.resolver import TURN_HEAD, turn_head
from mam_events.refusals.suggestions import suggestion_text

FIRST = "mam-score"
"""The first word of a score."""
READ = ("encounter", "title", "rules", "ruleset", "word", "seen", "by")
PASSED_OVER = ("date", "place", "seal", "commitment", "seed")
SEEN_BY = "seen-by"

_LABEL = re.compile(r"#([0-9]{1,9}) ")
_HOLD = re.compile(r"(hold|choke|wrench)-([0-9]{1,9})\Z")
_TAG = re.compile(r"([a-z][a-z0-9-]*)(?: (.*))?\Z")
_KEYED = ("interference_die", "confirmation_die")
"""Tables whose keys may be numbers of rulings."""
_MARKS = ("+ ", "~ ")
_UNCOUNTED = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|\{[^}]*\}')
"""Texts and remarks, whose parentheses don't count."""
_REMARK = re.compile(r"\{[^}]*\}")


class ScriptLine(Struct, frozen=True):
    """One line of a script, with its place and who gives it (None: nothing says who)."""

    place: str
    line: str
    by: str | None
    number: int = 0
    """The number of its ruling according to the line (0: the line has none)."""

    def place_of(self, fields: tuple[str, ...]) -> str:
        """Return the place of the line, whatever the fields."""
        del fields
        return self.place


class Script(Struct, frozen=True):
    """A score whose lines are given one after the other, as if typed.

    It is a fight as it was played, or the notes of an evening in short lines.
    """

    opening: FightOrder
    lines: tuple[ScriptLine, ...]
    encounter: str = ""
    by: str = ""

    @property
    def orders(self) -> tuple[FightOrder | ScriptLine, ...]:
        """Everything in the order in which it is played."""
        return (self.opening, *self.lines)


def is_score(text: str) -> bool:
    """Return True if a text begins like a score."""
    return text.removeprefix("\ufeff").startswith(FIRST)


def read_score(text: str, name: str = "score") -> FightFile | Script:
    """Read the fight in a score; raise BadInput naming `name` and the line of anything invalid."""
    return _Reader(text, name).score()


class _Reader:
    """One score being read, from its first line to its last."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.lines = [normalize_line(line) for line in text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")]
        self.tags: dict[str, str] = {}
        self.numbers = {1: 1}
        """The new number of each ruling that has a label, by that label."""
        self.usual: str | None = None
        self.turn = ""
        self.orders: list[FightOrder] = []

    def place(self, at: int) -> str:
        return f"{self.name}:{at + 1}"

    def score(self) -> FightFile | Script:
        kind = self.lines[0].strip()
        if kind not in (LONG, PLAYED, SHORT):
            tags = (LONG, PLAYED, SHORT)
            raise BadInput(f'There is no kind of score "{kind}". {suggestion_text(kind, tags)}', place=self.place(0))
        end = next((at for at, line in enumerate(self.lines) if not line.strip()), len(self.lines))
        for at in range(1, end):
            self._tag(at)
        encounter = self.tags.get("encounter", "")
        if SEEN_BY in self.tags:
            raise BadInput(
                f"This score leaves out what {self.tags[SEEN_BY]} may not see, so it can be read but not played.",
                place=self.name,
            )
        opening = self._opening()
        by = self._word(self.tags.get("by", ""))
        if kind != LONG:
            return Script(opening, tuple(self._script(end)), encounter, by)
        for at, line in self._logical(end):
            self._line(at, line)
        first = next((n for n, order in enumerate(self.orders) if not isinstance(order.what, Join)), len(self.orders))
        return FightFile(opening, encounter, tuple(self.orders[:first]), tuple(self.orders[first:]), by)

    def _tag(self, at: int) -> None:
        match = _TAG.match(self.lines[at].strip())
        tag, value = (match[1], match[2] or "") if match else ("", "")
        tags = (*READ, *PASSED_OVER, SEEN_BY)
        if not match or (tag not in tags and not tag.startswith("x-")):
            word = self.lines[at].split(" ")[0]
            raise BadInput(f'There is no tag "{word}". {suggestion_text(word, tags)}', place=self.place(at), wrong=word)
        if tag in self.tags:
            raise BadInput(f"{tag} is given twice. Give it once.", place=self.place(at), wrong=tag)
        self.tags[tag] = value

    def _word(self, value: str) -> str:
        """Return the single word or text in the value of a tag."""
        if not value:
            return ""
        tokens = [word for order in orders_in(value) for word in order.words]
        if len(tokens) != 1 or tokens[0].key or not isinstance(tokens[0].value, str):
            raise BadInput(f'"{value}" is more than one word. Put text in quotes.', place=self.name, wrong=value)
        return str(tokens[0].value)

    def _opening(self) -> FightOrder:
        tags, fields = self.tags, dict[str, Any]()
        if encounter := tags.get("encounter", ""):
            encounter_id(encounter)
        preset, *readings = tags.get("rules", "").split() or [Open().preset]
        rules = dict[str, str]()
        for reading in readings:
            option, sign, value = reading.partition("=")
            if not sign:
                raise BadInput(
                    f'"{reading}" must be a house rule, like half_success=never.', place=self.name, wrong=reading
                )
            rules[option] = value
        fields |= {"preset": preset, "house_rules": rules}
        fields |= {tag: self._word(tags[tag]) for tag in ("title", "ruleset", "word") if tag in tags}
        if "seen" in tags:
            fields["visibility"] = tags["seen"]
        try:
            return FightOrder(self.place(0), make_long_order(Open, fields).command)
        except BadInput as no:
            raise BadInput(no.fault, place=self.name) from None

    def _logical(self, first: int) -> Iterator[tuple[int, str]]:
        """Yield the lines of the body, without remarks; a line that continues in parentheses is joined into one."""
        begun, parts, depth, long = 0, list[str](), 0, 0
        for at in range(first, len(self.lines)):
            line = self.lines[at].strip()
            if not parts and (not line or line == "-" or line.startswith("- ")):
                continue
            begun = begun if parts else at
            parts.append(line)
            long += len(line) + 1
            # The closing quote of a text may be missing.
            bare = _UNCOUNTED.sub("", line)
            depth += bare.count("(") - bare.count(")")
            if depth > 0 and long <= MAX_LINE_LENGTH:
                continue
            yield begun, " ".join(filter(None, parts))
            parts, depth, long = [], 0, 0
        if parts:
            raise BadInput("A parenthesis is not closed. Add a ).", place=self.place(begun))

    def _script(self, first: int) -> Iterator[ScriptLine]:
        by = self._word(self.tags["by"]) if "by" in self.tags else None
        for at, line in self._logical(first):
            number, text = _labelled(line)
            if not text or _REMARK.fullmatch(text):
                continue
            if text.startswith("by "):
                by = self._word(text.removeprefix("by "))
                continue
            yield ScriptLine(self.place(at), text, by, number)

    def _line(self, at: int, line: str) -> None:
        number, line = _labelled(line)
        if number:
            if number in self.numbers:
                raise BadInput(
                    f"#{number} is given twice. Give each number once.", place=self.place(at), wrong=f"#{number}"
                )
            # In a line that begins a turn, the number belongs to the first order in that turn.
            headed = re.match(r"[0-9]+\.[0-9]+ [^:;]+: ", line)
            self.numbers[number] = len(self.orders) + 2 + bool(headed)
        if _REMARK.fullmatch(line):
            return
        try:
            for parsed in orders_in(line, most=None):
                self._order(at, parsed)
        except MamError as no:
            sentence = no.fault if isinstance(no, BadInput) else no.sentence
            raise BadInput(sentence, place=self.place(at), wrong=no.wrong, allowed=no.allowed) from None

    def _order(self, at: int, parsed: ParsedOrder) -> None:
        words = list(parsed.words)
        if words and words[0].word == "by" and len(words) == 2:  # noqa: PLR2004 - by, and a name
            self.usual = str(words[1].value)
            return
        if words and TURN_HEAD.match(words[0].word):
            words = self._head(at, words[1:])
        by = next((str(word.value) for word in words if word.key == "by"), self.usual)
        rest = parsed._replace(words=tuple(word for word in words if word.key != "by"))
        if rest.words:
            self._add_order(at, rest, by)
        if parsed.ends and not self.turn:
            raise BadInput("No turn is running that a full stop could end. Leave the full stop out.", wrong=".")
        if parsed.ends:
            self._add(at, EndTurn(self.turn), self.usual)

    def _head(self, at: int, words: list[WordToken]) -> list[WordToken]:
        """Begin the turn that the front of a line names, and return the words after it."""
        self.turn, actions, rest = turn_head(words)
        fields = {"combatant": self.turn} | ({} if actions is None else {"actions": actions})
        kind: type[Command] = BeginTurn if actions is None else Declare
        self._add(at, make_long_order(kind, fields).command, self.usual)
        return list(rest)

    def _add_order(self, at: int, parsed: ParsedOrder, by: str | None) -> None:
        if parsed.words[0].word in NOTE_WORDS:
            note = parse_note_line(parsed)
            fields = {"text": note.text, "kind": note.kind, "rule": note.rule, "visibility": note.visibility}
            remark = read_as(FightNote, fields | {"about": self._number(note.about)}, place="note")
            self.orders.append(FightOrder(self.place(at), remark, by))
            return
        order = read_long(parsed)
        if not is_long(order):
            raise BadInput(
                f'"{parsed.text}" is not complete. A line of a long score gives every part, or - for nothing.'
            )
        if isinstance(order.command, BeginTurn | Declare):
            self.turn = order.command.combatant
        self._add(at, renumber(order.command, self._mapping(), order.left_out), by, order.left_out)

    def _add(self, at: int, command: Command, by: str | None, left_out: tuple[str, ...] = ()) -> None:
        self.orders.append(FightOrder(self.place(at), command, by, left_out))

    def _number(self, number: int) -> int:
        return self._mapping()[number] if number else 0

    def _mapping(self) -> Mapping[int, int]:
        return _Numbers(self.numbers)


class _Numbers(dict[int, int]):
    """Numbers of the old log, with their numbers in the new one."""

    def __missing__(self, number: int) -> int:
        raise BadInput(f"No line above is called #{number}.", wrong=f"#{number}")


def _labelled(line: str) -> tuple[int, str]:
    """Return the number at the beginning of a line (0: none), and the line without the number and its mark."""
    for mark in _MARKS:
        line = line.removeprefix(mark)
    label = _LABEL.match(line)
    return (int(label[1]), line[label.end() :]) if label else (0, line)


def renumber(command: Command, numbers: Mapping[int, int], left_out: Collection[str]) -> Command:
    """Return the command with new numbers for the rulings and holds that it names, except in the fields it leaves out.

    Raises BadInput for a ruling without a new number.
    """
    kind = type(command)
    fields: dict[str, Any] = {}
    for name, shape in field_specs(kind).items():
        value = getattr(command, name)
        if name not in left_out and value:
            new = (
                _keys(value, numbers)
                if name in _KEYED and isinstance(value, dict)
                else _renumbered(value, shape, numbers)
            )
            fields |= {name: new} if new != value else {}
    return replace(command, **fields) if fields else command


def _renumbered(value: Any, shape: FieldSpec, numbers: Mapping[int, int]) -> Any:
    if shape.names == ("ruling",):
        return tuple(numbers[one] for one in value) if shape.is_list else numbers[value]
    if "grapple" in shape.names and isinstance(value, str):
        return _hold(value, numbers)
    if isinstance(value, tuple):
        return tuple(_renumbered(one, shape.inner, numbers) if isinstance(one, Struct) else one for one in value)
    if isinstance(value, Struct):
        specs = field_specs(type(value))
        parts = {name: getattr(value, name) for name in specs if getattr(value, name)}
        return replace(value, **{name: _renumbered(part, specs[name], numbers) for name, part in parts.items()})
    return value


def _keys(faces: Mapping[str, Any], numbers: Mapping[int, int]) -> dict[str, Any]:
    return {str(numbers[int(key)]) if key.isdecimal() else key: face for key, face in faces.items()}


def _hold(name: str, numbers: Mapping[int, int]) -> str:
    """Return the new name of a hold.

    A hold has the number of the ruling that declared it; one that the game master named keeps its name.
    """
    match = _HOLD.match(name)
    return f"{match[1]}-{numbers[int(match[2])]}" if match and int(match[2]) in numbers else name
