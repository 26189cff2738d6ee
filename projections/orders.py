"""What was asked, in words: a clause for every command, and the sentences of corrections and notes.

A void ruling has no facts to tell of, and a correction speaks of rulings by what they asked for: `21 (Clone moves for
3 points)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from mam_events import commands as c
from mam_events import events as e
from projections.casebook import Scene
from projections.sentences import CLAUSES
from projections.wording import because_of, ended, listed, spanned, who

if TYPE_CHECKING:
    from mam_events.history import Ruling
    from projections.casebook import Casebook


def asked(ruling: Ruling, casebook: Casebook, *, at_first: bool = False, instead: c.Command | None = None) -> str:
    """What a play asks for now (asked for `at_first`, or would ask for `instead`), as a clause: `Clone moves for 3
    points`; "" for no play.
    """
    head = ruling.head
    command = instead or (head.command if at_first and isinstance(head, e.Play) else ruling.command)
    return casebook.screen.text(CLAUSES[type(command)](command, Scene(casebook, ruling))) if command else ""


def named(number: int, casebook: Casebook) -> str:
    """A ruling by its number and, where it is at hand and may be seen, by what it asked for at first."""
    ruling = casebook.shown(number)
    clause = asked(ruling, casebook, at_first=True) if ruling else ""
    return f"{number} ({clause})" if clause else f"{number}"


def correction_sentence(ruling: Ruling, casebook: Casebook) -> str:
    """What a correction does, who made it and why."""
    head = ruling.head
    assert isinstance(head, e.Correction)  # noqa: S101 - asked for corrections only
    parts = [*_struck(head, casebook), *(_STEPS[type(step)](step, casebook) for step in _others(head))]
    return casebook.screen.text(ended(f"{who(head.by)} {listed(parts)}{because_of(head.reason)}"))


def note_sentence(ruling: Ruling, casebook: Casebook) -> str:
    """What a note says, about which ruling."""
    head = ruling.head
    assert isinstance(head, e.Note)  # noqa: S101 - asked for notes only
    verb = "disputes" if head.kind == "dispute" else "notes"
    about = f" {'on ' if head.kind == 'comment' else ''}{named(head.about, casebook)}" if head.about else ""
    return casebook.screen.text(ended(f"{who(head.by)} {verb}{about}: {head.text}"))


def _struck(head: e.Correction, casebook: Casebook) -> list[str]:
    numbers = [step.ruling for step in head.steps if isinstance(step, e.Strike)]
    if not numbers:
        return []
    return [f"takes back {listed([named(numbers[0], casebook), *spanned(numbers[1:])])}"]


def _others(head: e.Correction) -> list[e.Amend | e.Restore]:
    return [step for step in head.steps if not isinstance(step, e.Strike)]


def _amend(step: e.Amend, casebook: Casebook) -> str:
    changes = ", ".join(f"{field.replace('_', ' ')} {value_words(value)}" for field, value in step.patch.items())
    return f"amends {named(step.ruling, casebook)} to read {changes}"


def value_words(value: Any) -> str:
    """A field's value in words: a list as a list, a table by its keys, an empty one as "nothing", none as "open", a
    switch as "yes" or "no".
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {value_words(inner)}" for key, inner in value.items()) or "nothing"
    if isinstance(value, list | tuple):
        return listed([value_words(inner) for inner in value]) or "nothing"
    return "open" if value is None else str(value) or "nothing"


def _restore(step: e.Restore, casebook: Casebook) -> str:
    head = casebook.head(step.ruling)
    if isinstance(head, e.Correction) and all(isinstance(undone, e.Strike) for undone in head.steps):
        first, *others = (undone.ruling for undone in head.steps)
        return f"brings back {listed([named(first, casebook), *spanned(others)])}"
    return f"undoes correction {step.ruling}"


_STEPS: dict[type[e.Step], Callable[[Any, Casebook], str]] = {e.Amend: _amend, e.Restore: _restore}
