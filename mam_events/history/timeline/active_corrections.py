"""The corrections in force: a correction is active unless an active one restores it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Protocol

from mam_events.events import Amend, Correction, Head, Restore, Strike


class CorrectionLog(Protocol):
    """The heads of a log, and what it knows of its corrections: a timeline."""

    @property
    def heads(self) -> Sequence[Head]:
        """The heads of all rulings, in the order of their numbers."""

    @property
    def active(self) -> Mapping[int, bool]:
        """True for each correction that is in force."""

    @property
    def restored_by(self) -> Mapping[int, tuple[int, ...]]:
        """The corrections that restore a correction."""


def toggled_by(log: CorrectionLog, heads: Sequence[Correction]) -> dict[int, bool]:
    """Return the corrections that become active or inactive when those heads are added, and the heads themselves.

    Each is mapped to its new state, and visited once, however many heads there are.
    """
    new = {head.ruling: head for head in heads}
    naming: dict[int, list[int]] = {}
    for head in heads:
        for number in restored_rulings(head):
            naming.setdefault(number, []).append(head.ruling)
    toggled: dict[int, bool] = {}
    waiting = [-number for number in reversed(new)]
    while waiting:
        # Begin with the highest number: only a later correction can restore one.
        number = -heappop(waiting)
        restorers = (*log.restored_by.get(number, ()), *naming.get(number, ()))
        active = not any(toggled[other] if other in toggled else log.active[other] for other in restorers)
        if number in toggled or (number not in new and active == log.active[number]):
            continue
        toggled[number] = active
        for restored in restored_rulings(new.get(number) or log.heads[number - 1]):
            heappush(waiting, -restored)
    return toggled


def touched_by(log: CorrectionLog, corrections: Iterable[int]) -> set[int]:
    """Return the plays that those corrections strike or amend."""
    steps = (step for number in corrections for step in _steps(log.heads[number - 1]))
    return {step.ruling for step in steps if not isinstance(step, Restore)}


def restored_rulings(head: Head) -> list[int]:
    """Return the corrections that a correction restores."""
    return [step.ruling for step in _steps(head) if isinstance(step, Restore)]


def _steps(head: Head) -> tuple[Strike | Amend | Restore, ...]:
    assert isinstance(head, Correction)  # noqa: S101 - only corrections can be toggled
    return head.steps
