"""Requests to a log, as data, for a log in this process or elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct

from mam_events.commands import Command
from mam_events.events import Step, TurnPolicy
from mam_events.history.corrections.corrections import SeesRuling
from mam_events.history.corrections.undo import redo_steps, undo_steps
from mam_events.log.validation import check_remark
from mam_events.sanitize import NAME_LENGTH, check_text
from mam_events.visibility import PUBLIC

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline

Reason = Annotated[str, Meta(max_length=2000, description="The reason, kept in the log.")]
Confirmed = Annotated[
    bool,
    Meta(description="Send true to change later rulings without the `expect` from a preview."),
]
TurnPolicyField = Annotated[
    TurnPolicy,
    Meta(
        description="With `as_played` the turns that were played stay as they were and missed turns pass; "
        "with `strict` a turn out of order is void."
    ),
]


def turn_policy_part(turns: TurnPolicy) -> tuple[str, ...]:
    """Return the part of a request about turns: empty for the default, as before there was a choice."""
    return (turns,) if turns == "strict" else ()


class RequestMeta(Struct, frozen=True):
    """The common fields of requests: who makes it, its id, the expected newest ruling, the decision.

    `expected` is None for any ruling; `decides` is the dispute or proposal that it decides (0: none).
    """

    by: str = ""
    command_id: str = ""
    expected: int | None = None
    decides: int = 0

    def check(self) -> None:
        """Raise BadInput for a name or an id that can't be written."""
        if self.by != "":
            check_text(self.by, "by", NAME_LENGTH)
        if self.command_id != "":
            check_text(self.command_id, "command_id", NAME_LENGTH)


class InsertAt(Struct, frozen=True):
    """The place of an order in the past.

    It comes after the play `after` (0: it is the newest). `expect` is the token of a preview ("": none); `turns` says
    how later turns are treated.
    """

    after: int = 0
    expect: str = ""
    turns: TurnPolicy = "as_played"


class _Asked(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Fields of every requested correction; a service asks for confirmation unless it is `sure`."""

    reason: Reason = ""
    expect: str = ""
    sure: Confirmed = False
    turns: TurnPolicyField = "as_played"


class Undo(_Asked, frozen=True, tag_field="correct", tag="undo"):
    """A request to undo a ruling with its exchange, by default the newest.

    With `only` it undoes the ruling alone, with `rewind` everything from it on.
    """

    ruling: int | None = None
    only: bool = False
    rewind: bool = False

    def find_steps(self, timeline: Timeline, sees: SeesRuling) -> tuple[Step, ...]:
        """Return the steps that strike it, for someone who `sees` some rulings; refuse as `undo_steps` does."""
        return undo_steps(timeline, self.ruling, only=self.only, rewind=self.rewind, sees=sees)

    def identity(self) -> list[Any]:
        """Return the content that identifies the request if it is sent again."""
        return ["undo", self.ruling, self.only, self.rewind, self.reason, *turn_policy_part(self.turns)]


class Redo(_Asked, frozen=True, tag_field="correct", tag="redo"):
    """A request to redo what a correction undid, by default the newest undo."""

    ruling: int | None = None

    def find_steps(self, timeline: Timeline, sees: SeesRuling) -> tuple[Step, ...]:
        """Return the step that restores it; refuse as `redo_steps` does."""
        return redo_steps(timeline, self.ruling, sees=sees)

    def identity(self) -> list[Any]:
        """Return the content that identifies the request if it is sent again."""
        return ["redo", self.ruling, self.reason, *turn_policy_part(self.turns)]


class Steps(_Asked, frozen=True, tag_field="correct", tag="steps"):
    """Several steps as one correction: strike plays, amend their fields, restore corrections."""

    steps: Annotated[tuple[Step, ...], Meta(min_length=1, max_length=1000)]

    def find_steps(self, timeline: Timeline, sees: SeesRuling) -> tuple[Step, ...]:
        """Return the steps, possible or not."""
        return self.steps

    def identity(self) -> list[Any]:
        """Return the content that identifies the request if it is sent again."""
        return ["correct", self.steps, self.reason, *turn_policy_part(self.turns)]


CorrectionRequest = Undo | Redo | Steps
"""A requested correction; a log writes it, even if it changes other rulings."""


class NoteRequest(Struct, frozen=True):
    """A request to write a note.

    It is a comment about a ruling or (0) about the fight, a dispute about a ruling, which may name the rule it relies
    on, the proposal of an `order`, or an answer or decision in the dispute or proposal that it is `about`, with the
    corrections that settle it.
    """

    text: str
    kind: str = "comment"
    about: int = 0
    rule: str = ""
    corrections: tuple[int, ...] = ()
    order: Command | None = None
    visibility: str = PUBLIC

    def __post_init__(self) -> None:
        """Raise BadInput for a note without text, or of an unknown kind."""
        check_remark(self.text, self.kind)
