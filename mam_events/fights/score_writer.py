"""The writer of scores: a fight in the long lines of the notation, which people read and any tool can play."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from decimal import Decimal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import (
    Adjust,
    BeginTurn,
    Close,
    Command,
    Declare,
    EndTurn,
    Join,
    MoveUp,
    Open,
    Round,
    actor_of,
    read_command,
)
from mam_events.errors import Refused
from mam_events.events import Branch, Correction, Head, Note, Play
from mam_events.fights.normalize import (
    command_as_given,
    first_bookkeeping,
    plays_in_story_order,
    recorded_faces,
    written_visibility,
)
from mam_events.history.judge.verdicts import reason_words
from mam_events.history.timeline.entries import StoredRow
from mam_events.history.timeline.rulings import Ruling, as_first_written, living_plays, play_ruling
from mam_events.history.timeline.timeline import Timeline
from mam_events.notation.grammar.long_form import long_form
from mam_events.notation.lexer.lexer import quoted_text
from mam_events.notation.lines.correction_line import CorrectionLine, insert_long_form
from mam_events.notation.lines.note_line import NoteLine
from mam_events.refusals import arguments

LONG = "mam-score 1 long"
PLAYED = f"{LONG} played"
SHORT = "mam-score 1 short"
WIDE = 120
"""The most columns that a writer fills."""

_NAMED = re.compile(r"#([0-9]+)|(?<![a-z0-9_-])(?:hold|choke|wrench)-([0-9]+)")
_BARE = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\Z")
_ABOUT = ("answers", "against")
_ALONE = (Adjust, Close, Join)
"""Orders that have a line of their own; a round begins one."""


class _Line(Struct, frozen=True):
    """One ruling of a score: its order in long form, who gave it, and the mark before its line."""

    number: int
    text: str
    by: str
    command: Command | None = None
    round: int = 0
    mark: str = ""
    remark: str = ""


def write_score(timeline: Timeline, encounter: str = "", rows: Sequence[StoredRow] = ()) -> str:
    """Write the fight as it now counts as a score; when played, it gives the same events.

    Undone and void rulings, and previous versions of amended ones, become remarks. Drawn faces have no star: they count
    as thrown. Numbers are those of this log. Hidden rulings are included.

    If a ruling counts only with bookkeeping of a correction, no order can express that: then the fight is written as it
    was played, from the `rows` of its log. Refused with `needs_bookkeeping` if that isn't possible either.
    """
    rulings = {ruling.number: ruling for ruling in living_plays(timeline)}
    if ruling := first_bookkeeping(rulings):
        return _played_instead(timeline, rows, encounter, ruling)
    numbers = list(plays_in_story_order(timeline, rulings))
    opening, *rest = numbers
    lines = [
        _living(rulings[n], numbers[:at]) if n in rulings else _noted(timeline, n) for at, n in enumerate(rest, start=1)
    ]
    lines = _with_the_struck(timeline, lines)
    usual = _usual(line.by for line in lines if line.mark != "-")
    head = _header(rulings[opening], timeline, encounter, LONG)
    return "\n".join([*head, *_body(lines, rulings[opening].head.by, usual)]) + "\n"


def write_played(timeline: Timeline, rows: Sequence[StoredRow], encounter: str = "") -> str:
    """Write the fight as it was played, corrections included, one ruling per line; `rows` are those of its log.

    Refused with `not_as_played` for a branch, for a fight whose dice were drawn from a new seed, and for one with a
    proposal. `check_played` checks that the lines give the same result.
    """
    if missing := _inexpressible_head(timeline):
        raise Refused(
            "not_as_played/new_seed" if isinstance(missing, Branch) else "not_as_played/proposal",
            number=arguments.RulingArgument(missing.ruling),
        )
    return _played(timeline, rows, encounter)


def _inexpressible_head(timeline: Timeline) -> Branch | Note | None:
    """Return the head that no line can express: a new seed of the dice, or a proposal; None if there is none."""
    if branched := next((head for head in timeline.heads if isinstance(head, Branch)), None):
        return branched
    notes = (head for head in timeline.heads if isinstance(head, Note))
    return next((note for note in notes if note.kind == "proposal"), None)


def _played_instead(timeline: Timeline, rows: Sequence[StoredRow], encounter: str, ruling: Ruling) -> str:
    """Return the fight as it was played, with a remark that explains why it isn't written as it now counts."""
    number, correction = arguments.RulingArgument(ruling.number), arguments.RulingArgument(ruling.rejudged_by)
    if missing := _inexpressible_head(timeline):
        raise Refused(
            "needs_bookkeeping/new_seed" if isinstance(missing, Branch) else "needs_bookkeeping/proposal",
            number=number,
            correction=correction,
            unsaid=arguments.RulingArgument(missing.ruling),
        )
    if not rows:
        raise Refused("needs_bookkeeping/score", number=number, correction=correction)
    reason = f"ruling {ruling.number} counts only because of correction {ruling.rejudged_by}"
    return _played(timeline, rows, encounter, f"{{Written as it was played: {reason}, which no order can say.}}")


def _played(timeline: Timeline, rows: Sequence[StoredRow], encounter: str, *remarks: str) -> str:
    opening, *rest = as_first_written(timeline, rows)
    usual = _usual(ruling.head.by for ruling in rest)
    lines = [f"#{ruling.number} {_with_by(_as_given(timeline, ruling), ruling.head.by, usual)}" for ruling in rest]
    parts = [f"by {_name(usual)}"] if usual != opening.head.by else []
    return "\n".join([*_header(opening, timeline, encounter, PLAYED), *remarks, *parts, *lines]) + "\n"


def _header(opening: Ruling, timeline: Timeline, encounter: str, kind: str) -> list[str]:
    command = opening.command
    assert isinstance(command, Open)  # noqa: S101 - ruling 1 is always the opening
    rules = " ".join([command.preset, *(f"{option}={reading}" for option, reading in command.house_rules.items())])
    last = timeline.heads[-1]
    tags = {
        "encounter": encounter,
        "title": command.title and quoted_text(command.title),
        "date": opening.head.at[:10],
        "rules": rules,
        "ruleset": command.ruleset,
        "word": command.word and quoted_text(command.word),
        "seen": "" if opening.visibility == "public" else opening.visibility,
        "by": opening.head.by and _name(opening.head.by),
        "seal": f"{timeline.number} {last.seal}",
        "commitment": command.commitment,
    }
    return [kind, *(f"{tag} {value}" for tag, value in tags.items() if value), ""]


def _name(by: str) -> str:
    return by if _BARE.match(by) else quoted_text(by)


def _usual(names: Iterable[str]) -> str:
    """Return the name of the person who gave most of the orders."""
    counts = Counter(names)
    return counts.most_common(1)[0][0] if counts else ""


def _with_by(order: str, by: str, usual: str) -> str:
    """Return the order with the name of who gave it before its dice, unless that is the usual person."""
    if by == usual:
        return order
    before, bracket, faces = order.rpartition(" [") if order.endswith("]") else (order, "", "")
    return f"{before} by={_name(by)}{bracket}{faces}"


def _living(ruling: Ruling, above: Collection[int]) -> _Line:
    command, note = with_recorded_faces(ruling), ""
    # Drop references to rulings that no longer count or that come later.
    names = [name for name in _ABOUT if getattr(command, name, 0) and getattr(command, name) not in above]
    command = replace(command, **dict.fromkeys(names, 0)) if isinstance(command, Adjust | MoveUp) else command
    head = ruling.head
    mark = ""
    if isinstance(head, Play) and head.after:
        mark, note = "+", f"#{ruling.number} inserted behind #{head.after}, {_who_and_when(head)}"
    elif ruling.amended and isinstance(head, Play):
        mark, note = "~", f"before: {long_form(head.command, ruling.before.open_exchange)}"
    text = long_form(command, ruling.before.open_exchange)
    return _Line(ruling.number, text, head.by, command, ruling.after.round, mark, note)


def with_recorded_faces(ruling: Ruling) -> Command:
    """Return the command of a play with the face of every die, and its visibility if that doesn't follow from it."""
    command = command_as_given(ruling)
    fields = msgspec.to_builtins(command, builtin_types=(Decimal,)) | recorded_faces(command, ruling)
    if isinstance(command, Close):
        fields.pop("seed", None)
    if visibility := written_visibility(ruling):
        fields["visibility"] = visibility
    return read_command({name: value for name, value in fields.items() if value is not None})


def _who_and_when(head: Head) -> str:
    return f"{head.by or '(no name)'}, {head.at[:16]}Z"


def _noted(timeline: Timeline, number: int) -> _Line:
    head = timeline.heads[number - 1]
    assert isinstance(head, Note)  # noqa: S101 - only plays and notes are written
    return _Line(number, _note(head), head.by)


def _note(head: Note) -> str:
    return NoteLine(head.text, head.kind, head.about, head.rule, head.visibility, head.corrections).long


def _with_the_struck(timeline: Timeline, lines: Sequence[_Line]) -> list[_Line]:
    """Return the lines with every undone or void play in its place, as a remark."""
    dead: dict[int, list[_Line]] = {}
    numbers = {line.number for line in lines}
    before = 1
    for number in timeline.order:
        if number in numbers or number == timeline.order[0]:
            before = number
            continue
        ruling = play_ruling(timeline, number)
        if ruling.command is None:
            continue
        text = long_form(ruling.command, ruling.before.open_exchange)
        line = _Line(number, text, ruling.head.by, mark="-", remark=_fate(timeline, ruling))
        dead.setdefault(before, []).append(line)
    result = list(dead.get(1, ()))
    for line in lines:
        result += [line, *dead.get(line.number, ())]
    return result


def _fate(timeline: Timeline, ruling: Ruling) -> str:
    if ruling.struck_by:
        head = timeline.heads[ruling.struck_by - 1]
        reason = getattr(head, "reason", "")
        return f"#{ruling.struck_by} struck, {_who_and_when(head)}" + (f": {reason}" if reason else "")
    return f"void: {reason_words(ruling.rejudged)}" if ruling.rejudged else "void"


def _body(lines: Sequence[_Line], by: str, usual: str) -> list[str]:
    """Return the lines of a score: turns begin with round and turn, and each line holds as many orders as fit."""
    numbers = {int(one or other) for line in lines if line.mark != "-" for one, other in _NAMED.findall(line.text)}
    page = _Page(numbers, usual)
    if usual != by:
        page.lines.append(f"by {_name(usual)}")
    for line in lines:
        page.add(line)
    return page.lines


class _Page:
    """The lines of a score as they are written."""

    def __init__(self, numbers: set[int], usual: str) -> None:
        self.lines: list[str] = []
        self.named = numbers
        self.usual = usual
        self.round = self.turn = 0
        self.began = ""
        """The combatant whose turn began on a previous line."""
        self.open = False
        """True while another order may be added to the last line."""
        self.head = ""
        """The combatant whose turn the last line began, with no action in it yet."""

    def add(self, line: _Line) -> None:
        """Write one ruling on the last line if it fits, otherwise on a new one."""
        label = f"#{line.number} " if line.number in self.named and line.mark != "-" else ""
        order = line.text if line.mark == "-" else _with_by(line.text, line.by, self.usual)
        order = order.removeprefix("resolve ") if order.startswith("resolve [") else order
        command = line.command
        if line.mark:
            self._alone(f"{line.mark} {label}{order} {{{_remark(line.remark)}}}", line)
        elif isinstance(command, BeginTurn | Declare) and command.visibility == "public" and line.by == self.usual:
            self._begin(label, command, line)
        elif self._is_turn_end(line, label):
            self.lines[-1] += "."
            self.open, self.head = False, ""
        elif self.head and command and actor_of(command) == self.head and not self.lines[-1].startswith("#"):
            self.lines[-1] = f"{label}{self.lines[-1]}: {order.partition(': ')[2]}"
            self.open, self.head = True, ""
        elif self._fits(line, label, order):
            self.lines[-1] += f"; {order}"
        else:
            self.turn = 0 if isinstance(command, Round) else self.turn
            self.lines.append(f"{label or '    ' * bool(self.turn)}{order}")
            self.open, self.head = command is not None and not isinstance(command, _ALONE), ""

    def _alone(self, text: str, line: _Line) -> None:
        self.lines.append(text)
        self.open, self.head = False, ""
        if isinstance(line.command, BeginTurn | Declare):
            self.began = line.command.combatant

    def _begin(self, label: str, command: BeginTurn | Declare, line: _Line) -> None:
        self.turn = self.turn + 1 if line.round == self.round else 1
        self.round = line.round
        actions = f" {command.actions}" if isinstance(command, Declare) else ""
        self.lines.append(f"{label}{self.round}.{self.turn} {command.combatant}{actions}")
        self.began = self.head = command.combatant
        self.open = False

    def _is_turn_end(self, line: _Line, label: str) -> bool:
        """Return True for a plain end of the last turn, which is written as a full stop."""
        plain = isinstance(line.command, EndTurn) and line.command == EndTurn(self.began)
        on_a_line = self.open or bool(self.head)
        return plain and on_a_line and not label and line.by == self.usual

    def _fits(self, line: _Line, label: str, order: str) -> bool:
        if not self.open or label or line.command is None or isinstance(line.command, (Round, *_ALONE)):
            return False
        return len(self.lines[-1]) + len(order) + 3 <= WIDE


def _remark(text: str) -> str:
    """Return the text for a remark, without braces: one would end it."""
    return text.replace("}", ")").replace("{", "(")


def _as_given(timeline: Timeline, ruling: Ruling) -> str:
    """Return a ruling as it was given, in its long form."""
    head = ruling.head
    if isinstance(head, Play):
        text = long_form(with_recorded_faces(ruling), ruling.before.open_exchange)
        return insert_long_form(head.after, head.turns, text) if head.after else text
    if isinstance(head, Correction):
        return CorrectionLine(head.steps, head.reason, turns=head.turns).long(timeline)
    assert isinstance(head, Note)  # noqa: S101 - branches were refused
    return _note(head)
