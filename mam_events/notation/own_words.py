"""The log's own words: taking back, bringing back, saying anew, inserting, notes, and the game master's word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from mam_events.commands import Adjust, Command, amended, name_of
from mam_events.errors import BadInput, nearest
from mam_events.events import Amend, Head, Note, Play, Restore, Step, Strike
from mam_events.log.arguments import nth_id
from mam_events.notation.long_form import SEEN, LongOrder, actor_field, order_of, plain, read_parts, write_patch
from mam_events.notation.meaning import Fight, either, person, unclear
from mam_events.notation.parts import check_table, field_named, short_part
from mam_events.notation.short_form import Filling
from mam_events.notation.words import Quoted, Said, Written, quoted_text, whole
from mam_events.rulings import corrections
from mam_events.shapes import shapes
from mam_events.state import POOLS

if TYPE_CHECKING:
    from mam_events.rulings.timeline import Timeline
    from mam_events.state import Encounter

UNDO, REDO, AMEND, CORRECT = ("u", "undo"), ("redo",), ("amend",), ("correct",)
CORRECTING = (*UNDO, *REDO, *AMEND, *CORRECT)
INSERTING = "after"
NOTES = {"note": "comment", "dispute": "dispute", "answer": "answer"}
ADJUSTING = "gm"

_RULING = re.compile(r"#?([0-9]{1,9})\Z")
_STEP = re.compile(r"([-+~])#([0-9]{1,9})\Z")
_STEPS = "such are -#6 (struck), +#24 (brought back), ~#17=(attack_die=5) (said anew)"
_MOVED = re.compile(r"([a-z_]+)>([a-z_]+)\Z")


class Corrected(Struct, frozen=True):
    """A correction as a line says it; one that `passes_note` takes back something older than what was written last,
    which is a note and stays.
    """

    steps: tuple[Step, ...]
    reason: str = ""
    passes_note: bool = False

    def long(self, kind_of: Callable[[int], type[Command]]) -> str:
        """Its long form, `correct -#6 -#7 "it should have missed"`; `kind_of` tells what the ruling of a number
        ordered.
        """
        told = ["correct", *(_step(step, kind_of) for step in self.steps)]
        return " ".join([*told, quoted_text(self.reason)] if self.reason else told)


class Noted(Struct, frozen=True):
    """A note, a dispute or an answer as a line says it."""

    text: str
    kind: str = "comment"
    about: int = 0
    rule: str = ""
    visibility: str = "public"
    corrections: tuple[int, ...] = ()

    @property
    def long(self) -> str:
        """Its long form: `dispute "…" about=#47`."""
        word = next((word for word, kind in NOTES.items() if kind == self.kind), "note")
        told = [word, quoted_text(self.text)]
        told += [f"about=#{self.about}"] if self.about else []
        told += [f"kind={self.kind}"] if self.kind not in NOTES.values() else []
        told += [f"rule={self.rule}"] if self.rule else []
        told += [f"corrections={','.join(f'#{number}' for number in self.corrections)}"] if self.corrections else []
        return " ".join([*told, *([f"{SEEN}={self.visibility}"] if self.visibility != "public" else ())])


def _step(step: Step, kind_of: Callable[[int], type[Command]]) -> str:
    if isinstance(step, Amend):
        return f"~#{step.ruling}=({write_patch(kind_of(step.ruling), step.patch)})"
    return f"{'-' if isinstance(step, Strike) else '+'}#{step.ruling}"


def corrected(
    timeline: Timeline,
    fight_at: Callable[[Encounter], Fight],
    written: Written,
    sees: corrections.Sight = corrections.everything,
) -> Corrected:
    """The correction that a line means to somebody who `sees` the rulings of some numbers; raises as the corrections of
    the log do, and BadInput.
    """
    word = written.words[0].word.lower()
    rest = list(written.words[1:])
    if word in AMEND:
        return _amended(timeline, fight_at, rest)
    reason = _reason(rest)
    if word in REDO:
        number = _number(rest)
        _nothing_else(rest, word)
        return Corrected(corrections.redo_steps(timeline, number), reason)
    if word in CORRECT:
        return Corrected(tuple(_long_step(timeline, said) for said in rest), reason)
    number = _number(rest)
    flags = {said.word.lower() for said in rest}
    if unknown := flags - {"only", "rewind"}:
        raise BadInput(f'"{min(unknown)}" means nothing here: undo, undo 6, undo 6 only, undo 6 rewind.', place="undo")
    if number is None and not flags:
        return Corrected(last_line(timeline, sees), reason, isinstance(timeline.heads[-1], Note))
    steps = corrections.undo_steps(timeline, number, only="only" in flags, rewind="rewind" in flags)
    return Corrected(steps, reason)


def last_line(timeline: Timeline, sees: corrections.Sight = corrections.everything) -> tuple[Step, ...]:
    """The steps that take back all that came of the line with the newest living step that somebody `sees`."""
    last = corrections.last_step(timeline, sees)
    steps = corrections.undo_steps(timeline, sees=sees)
    head = timeline.heads[last - 1] if last else None
    if not isinstance(head, Play) or not head.id:
        return steps
    return tuple(Strike(number) for number in _of_line(timeline, head) if timeline.lives(number)) or steps


def _of_line(timeline: Timeline, head: Head) -> Iterator[int]:
    """The plays that came of the same line: its first ruling has the line's id, the others the same with a number
    behind it, and all of them the hash of the line.
    """
    begun = re.sub(r"\.[0-9]+\Z", "", head.id)
    first = timeline.given(begun)
    line = begun if first is not None and first.body == head.body else head.id
    for at in count(1):
        part = timeline.given(nth_id(line, at))
        if part is None or part.body != head.body:
            return
        if isinstance(part, Play):
            yield part.ruling


def _reason(rest: list[Said]) -> str:
    """The text among those words, which is taken out of them."""
    texts = [said for said in rest if isinstance(said.value, Quoted) and said.key in ("", "reason")]
    for said in texts:
        rest.remove(said)
    if len(texts) > 1:
        raise BadInput("one reason is enough.", place="reason", wrong=str(texts[1].value))
    return str(texts[0].value) if texts else ""


def _number(rest: list[Said]) -> int | None:
    """The number of a ruling at the front of those words, which is taken out of them."""
    match = _RULING.match(rest[0].word) if rest else None
    if match is None:
        return None
    rest.pop(0)
    return int(match[1])


def _nothing_else(rest: Sequence[Said], place: str) -> None:
    if rest:
        raise BadInput(f'"{rest[0].word or rest[0].key}" means nothing here.', place=place, wrong=rest[0].word)


def _long_step(timeline: Timeline, said: Said) -> Step:
    match = _STEP.match(said.key or said.word)
    if match and match[1] == "~" and isinstance(said.value, tuple):
        kind = type(timeline.command(int(match[2])))
        patch = read_parts(kind, said.value, (), f"#{match[2]}")
        amended(timeline.command(int(match[2])), patch)
        return Amend(int(match[2]), patch)
    if match is None or said.key or match[1] == "~":
        raise BadInput(f'"{said.key or said.word}" is no step; {_STEPS}.', place="correct", wrong=said.key or said.word)
    return Strike(int(match[2])) if match[1] == "-" else Restore(int(match[2]))


def _amended(timeline: Timeline, fight_at: Callable[[Encounter], Fight], rest: list[Said]) -> Corrected:
    """A ruling said anew, in part, in the short words of its order, read with the fight as it stood there."""
    reason = _reason(rest)
    number = _number(rest)
    if number is None:
        raise BadInput("which ruling? amend 17 5 says its die anew.", place="amend")
    if not rest:
        raise BadInput(f"what is said anew of {number}? Only that is typed: amend {number} p3.", place="amend")
    corrections.check_strike(timeline, number)
    command = timeline.command(number)
    place = timeline.place[number]
    fight = fight_at(timeline.state_before(place))
    kind = type(command)
    field = actor_field(kind)
    filling = Filling(fight, name_of(command), getattr(command, field) if field else "", {})
    for said in rest:
        filling.take(said)
    if left := filling.left_over():
        raise BadInput(f"{left[0]} is nothing that this order says.", place="amend", wrong=left[0])
    patch = {name: value for name, value in filling.fields.items() if name != field}
    amended(command, _plain(patch))
    return Corrected((Amend(number, _plain(patch)),), reason)


def _plain(value: Any) -> Any:
    """The same with lists for tuples, as JSON has it."""
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def noted(written: Written) -> Noted:
    """The note that a line means; raises BadInput."""
    word = written.words[0].word.lower()
    rest = list(written.words[1:])
    said: dict[str, Any] = {"kind": NOTES[word]}
    about = _number(rest)
    if about is not None:
        said["about"] = about
    for one in rest:
        if isinstance(one.value, Quoted) and one.key in ("", "text") and "text" not in said:
            said["text"] = str(one.value)
        elif one.key == "corrections" and isinstance(one.value, str):
            said["corrections"] = tuple(_ruling(number, word) for number in one.value.split(","))
        elif one.key in ("about", "rule", SEEN) and ("visibility" if one.key == SEEN else one.key) in said:
            raise BadInput(f"{one.key} is said twice.", place=word, wrong=one.key)
        elif one.key in ("about", "rule", "kind", SEEN) and isinstance(one.value, str):
            said["visibility" if one.key == SEEN else one.key] = one.value
        else:
            raise BadInput(
                f'"{one.word or one.key}" means nothing here: {word} 47 "…", or {word} "…" about=#47.', place=word
            )
    if isinstance(said.get("about"), str):
        said["about"] = _ruling(said["about"], word)
    if NOTES[word] == "answer" and not said.get("about"):
        raise BadInput(f'in which dispute? {word} 48 "…".', place=word)
    if "text" not in said:
        raise BadInput(f'a {word} says something: {word} "…".', place=word)
    return Noted(**said)


def _ruling(word: str, place: str) -> int:
    match = _RULING.match(word)
    if match is None:
        raise BadInput(f'a ruling is named by its number, like #47, not "{word}".', place=place, wrong=word)
    return int(match[1])


def adjusted(fight: Fight, rest: Sequence[Said]) -> LongOrder:
    """The game master's word as it is typed: `gm #53 grob 3 dam>ready "oil"`, `gm grob dead "…"`."""
    adjusting = _Adjusting(fight)
    for said in rest:
        adjusting.take(said)
    if adjusting.pending:
        raise BadInput(f'what is to become of {adjusting.pending}? gm grob 3 dam>ready "…', place=ADJUSTING)
    return order_of(Adjust, adjusting.fields)


class _Adjusting:
    """The game master's word being read: whom it is about, then how many points from where to where, or how he is."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.who = ""
        self.points = 0
        self.pending = ""
        """The one, or the points, of whom nothing was said yet."""
        self.fields: dict[str, Any] = {}

    def take(self, said: Said) -> None:
        """Take in one word; raises BadInput."""
        word = said.word.lower()
        if said.key:
            self._field(said)
        elif isinstance(said.value, Quoted):
            self._once("reason", str(said.value))
        elif match := re.match(r"#([0-9]{1,9})\Z", word):
            self._once("answers", int(match[1]))
        elif word.isdecimal() and self.who and not self.points:
            self.points = whole(word)
            self.pending = f"{word} points of {self.fight.named(self.who)}"
        elif (moved := _MOVED.match(word)) and self.points:
            self._move(moved[1], moved[2])
        elif self.who and (condition := self._condition(word)):
            if self.who in self.fields.setdefault("condition", {}):
                raise BadInput(f"how {self.fight.named(self.who)} is, is said twice.", place=ADJUSTING, wrong=word)
            self.fields["condition"][self.who] = condition
            self.pending = ""
        elif self.pending:
            raise BadInput(f"what is to become of {self.pending}, before {word}?", place=ADJUSTING, wrong=word)
        else:
            self.who = person(self.fight, word)
            self.pending = self.fight.named(self.who)

    def _once(self, name: str, value: Any) -> None:
        if name in self.fields:
            raise BadInput(f"{name} is said twice.", place=ADJUSTING, wrong=name)
        self.fields[name] = value

    def _move(self, source: str, target: str) -> None:
        found = {"combatant": self.who, "source": _pool(source), "target": _pool(target), "points": self.points}
        self.fields.setdefault("move", []).append(found)
        self.points, self.pending = 0, ""

    def _condition(self, word: str) -> str:
        words = shapes(Adjust)["condition"].inner.choices
        found = [one for one in words if one == word] or [
            one for one in words if len(word) > 1 and one.startswith(word)
        ]
        if len(found) > 1:
            raise unclear(f'"{word}" is {either(found)}: which?', found)
        return found[0] if found else ""

    def _field(self, said: Said) -> None:
        key, _, part = said.key.partition(".")
        name = field_named(Adjust, key, ADJUSTING)
        shape = shapes(Adjust)[name]
        if part:
            check_table(shape, name, ADJUSTING)
            who = person(self.fight, part)
            self.fields.setdefault(name, {})[who] = plain(said.value, shape.inner, f"{ADJUSTING}: {name}")
        elif shape.several:
            self.fields.setdefault(name, []).append(short_part(shape.inner, said.value, f"{ADJUSTING}: {name}"))
        else:
            self.fields[name] = short_part(shape, said.value, f"{ADJUSTING}: {name}")


def _pool(word: str) -> str:
    found = [pool for pool in POOLS if pool.startswith(word)]
    if len(found) != 1:
        raise BadInput(f'"{word}" is no pool; {nearest(word, POOLS)}', place=ADJUSTING, wrong=word, allowed=POOLS)
    return str(found[0])
