"""Commands in words: a clause for each command, and the sentences of corrections and notes.

A void ruling has no events to describe, and corrections name rulings by what they asked for: `21 (Clone moves for 3
points)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import fields

from mam_events import commands as c
from mam_events import events as e
from mam_events.errors import BadInput
from mam_events.history.timeline.rulings import Ruling
from projections.phrases import author_says, because_of, capitalize, end_sentence, join_words, number_spans
from projections.rulings.index import RulingContext, RulingIndex
from projections.sentences import CLAUSES
from projections.sentences.types import phrase_for


def command_clause(
    ruling: Ruling, index: RulingIndex, *, at_first: bool = False, replacement: c.Command | None = None
) -> str:
    """Return the command of a play as a clause: `Clone moves for 3 points`; "" if it is not a play.

    The command is the current one, the original if `at_first` is set, or `replacement`.
    """
    head = ruling.head
    command = replacement or (head.command if at_first and isinstance(head, e.Play) else ruling.command)
    if not command:
        return ""
    announced = ", announced" if isinstance(command, c.Announceable) and command.announced else ""
    return f"{phrase_for(CLAUSES, index.redactor.read(command), RulingContext(index, ruling))}{announced}"


def capitalized_command_clause(ruling: Ruling, index: RulingIndex) -> str:
    """Return the same clause with a capital letter, unless a combatant's name begins it."""
    clause = command_clause(ruling, index)
    names = {*index.names.values(), *(one.name for one in ruling.before.combatants.values())}
    starts_with_name = any(clause.startswith((f"{name} ", f"{name}'")) for name in names)
    return clause if starts_with_name else capitalize(clause)


def ruling_words(number: int, index: RulingIndex) -> str:
    """Return the number of a ruling and, if it is visible and loaded, what it first asked for."""
    ruling = index.visible_ruling(number)
    clause = command_clause(ruling, index, at_first=True) if ruling else ""
    return f"{number} ({clause})" if clause else f"{number}"


def correction_sentence(ruling: Ruling, index: RulingIndex) -> str:
    """Return a sentence on a correction: who made it, its steps and its reason."""
    head = ruling.head
    assert isinstance(head, e.Correction)  # noqa: S101 - asked for corrections only
    parts = step_words(head.steps, index)
    return end_sentence(f"{author_says(head.by)} {join_words(parts)}{because_of(index.redactor.text(head.reason))}")


def step_words(steps: Sequence[e.Step], index: RulingIndex) -> list[str]:
    """Return a clause for each step of a correction: `undoes 6 (Modre attacks Clone), 7 and 8`.

    If a step undoes another correction, its clauses say what becomes of the rulings of that correction, through any
    number of undos in between. What is undone twice is done again.
    """
    parts = []
    # Corrections may undo each other to any depth, and reach the same one by many ways, which all say the same.
    waiting = [_Part(part, 0, 0) for part in reversed(_parts(steps))]
    step_texts = set()
    while waiting:
        part, of, is_marked = waiting.pop()
        back, again = is_marked % 2 == 1, "again " if is_marked > 1 else ""
        if isinstance(part, list):
            which = join_words([ruling_words(part[0], index), *number_spans(part[1:])])
            parts.append(f"{again}{'redoes' if back else 'undoes'} {which}")
        elif isinstance(part, e.Amend) and back:
            parts.append(f"{again}undoes amendment {of} of {ruling_words(part.ruling, index)}")
        elif isinstance(part, e.Amend):
            patch = index.redactor.patch(part)
            values = ", ".join(f"{field.replace('_', ' ')} {value_words(value)}" for field, value in patch.items())
            parts.append(f"{again}amends {ruling_words(part.ruling, index)} to read {values}")
        elif (way := (part.ruling, back, again)) not in step_texts:
            step_texts.add(way)
            head = index.head(part.ruling)
            if isinstance(head, e.Correction):
                waiting += [_Part(inner, part.ruling, is_marked + 1) for inner in reversed(_parts(head.steps))]
            else:
                parts.append(f"undoes correction {part.ruling}")
    return parts


class _Part(NamedTuple):
    """A part of correction `of` (rulings struck, or one step), undone `undone` times."""

    part: list[int] | e.Amend | e.Restore
    of: int
    undone: int


def _parts(steps: Sequence[e.Step]) -> list[list[int] | e.Amend | e.Restore]:
    """Return the steps of a correction, with all struck rulings together and first."""
    numbers = [step.ruling for step in steps if isinstance(step, e.Strike)]
    return [*([numbers] if numbers else []), *(step for step in steps if not isinstance(step, e.Strike))]


def note_sentence(ruling: Ruling, index: RulingIndex) -> str:
    """Return a sentence on a note: its author, the ruling or dispute that it is about, and its text."""
    head = ruling.head
    assert isinstance(head, e.Note)  # noqa: S101 - asked for notes only
    text = index.redactor.text(head.text)
    return end_sentence(f"{author_says(head.by)} {_NOTED[head.kind](head, index)}{because_of(text)}")


def _commented(note: e.Note, index: RulingIndex) -> str:
    return f"notes on {ruling_words(note.about, index)}" if note.about else "notes"


def _disputed(note: e.Note, index: RulingIndex) -> str:
    rule = f", about {note.rule}" if note.rule else ""
    return f"disputes {ruling_words(note.about, index)}{rule}"


def _proposed(note: e.Note, index: RulingIndex) -> str:
    return f"proposes: {proposal_words(note, index)}"


def proposal_words(note: e.Note, index: RulingIndex) -> str:
    """Return the order that a note proposes as a clause, with its optional fields.

    Accepting the order accepts the optional fields too.
    """
    ruling, order = index.visible_ruling(note.ruling), _order(note)
    if ruling is None or order is None:
        return "an order that is no longer valid"
    clause = command_clause(ruling, index, replacement=order)
    names = {"do", "reason", "visibility", *(one.name for one in fields(type(order)) if one.required)}
    rest = {name: value for name, value in proposal_fields(note, index).items() if name not in names}
    return f"{clause} ({', '.join(f'{name} {value_words(value)}' for name, value in rest.items())})" if rest else clause


def proposal_fields(note: e.Note, index: RulingIndex) -> dict[str, Any]:
    """Return the fields of the order that a note proposes, redacted for the view; {} if it is no longer valid."""
    order = _order(note)
    plain_fields: dict[str, Any] = index.redactor.plain(order) if order else {}
    return plain_fields


def _order(note: e.Note) -> c.Command | None:
    try:
        return c.read_command(note.order, place="order")
    except BadInput:
        return None


def _answered(note: e.Note, index: RulingIndex) -> str:
    return f"answers in {'proposal' if note.about in index.proposals else 'dispute'} {note.about}"


def _decided(note: e.Note, index: RulingIndex) -> str:
    dispute = index.head(note.about)
    if isinstance(dispute, e.Note) and dispute.kind == "proposal":
        whose = f"proposal {note.about} of {author_says(dispute.by, begins=False)}"
        return f"accepts {whose} by {note.corrections[0]}" if note.corrections else f"refuses {whose}"
    what = ruling_words(dispute.about, index) if isinstance(dispute, e.Note) else "the ruling"
    if not note.corrections:
        return f"upholds {what} in dispute {note.about}"
    return f"settles dispute {note.about} about {what} by {join_words([str(number) for number in note.corrections])}"


_NOTED: dict[e.NoteKind, Callable[[e.Note, RulingIndex], str]] = {
    "comment": _commented,
    "dispute": _disputed,
    "proposal": _proposed,
    "answer": _answered,
    "decision": _decided,
}


def branch_sentence(ruling: Ruling, index: RulingIndex) -> str:
    """Return a sentence on a branch: the fight and the ruling that it left, or only that its dice have a new seed."""
    head = ruling.head
    assert isinstance(head, e.Branch)  # noqa: S101 - asked for branches only
    if not head.parent:
        before = "is revealed" if head.seed else "was revealed, or is in another store"
        return f"From here on dice are drawn from a new seed. The one before {before}."
    place = ruling_words(head.behind, index)
    return end_sentence(
        f"{author_says(head.by)} branches off {head.parent} after {place} and goes on here with its own dice"
    )


def value_words(value: Any) -> str:
    """Return a field's value in words.

    Lists are joined, tables and structs show their keys, an empty value is "nothing", None is "open", and a bool is
    "yes" or "no".
    """
    if isinstance(value, Struct):
        value = {
            field.name.replace("_", " "): field_value
            for field in fields(value)
            if (field_value := getattr(value, field.name)) not in (field.default, "")
        }
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {value_words(inner)}" for key, inner in value.items()) or "nothing"
    if isinstance(value, list | tuple):
        return join_words([value_words(inner) for inner in value]) or "nothing"
    return "open" if value is None else str(value) or "nothing"
