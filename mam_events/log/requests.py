"""Requests to a log, as data: what somebody wants to have written, wherever the log is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct

from mam_events.commands import Command
from mam_events.events import Step, Turns
from mam_events.history.corrections.corrections import SeesRuling, redo_steps, undo_steps
from mam_events.log.validation import check_remark
from mam_events.sanitize import NAME_LENGTH, check_text
from mam_events.visibility import PUBLIC

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline

Reason = Annotated[str, Meta(max_length=2000, description="Why; it stands in the log.")]
Confirmed = Annotated[
    bool,
    Meta(description="Send true to change later rulings without the `expect` that a preview tells."),
]
Treated = Annotated[
    Turns,
    Meta(
        description="With `as_played` the turns that were played stay as they were and missed turns pass; "
        "with `strict` a turn out of order is void."
    ),
]


def said_of_turns(turns: Turns) -> tuple[str, ...]:
    """Return what a request says of turns: nothing by default, as it was before there was a choice."""
    return (turns,) if turns == "strict" else ()


class RequestMeta(Struct, frozen=True):
    """Words said beside a request: who makes it, its id, which ruling must be the newest (None: any), and the dispute
    or proposal that it decides (0: none).
    """

    by: str = ""
    command_id: str = ""
    expected: int | None = None
    decides: int = 0

    def check(self) -> None:
        """Raise BadInput for a name or an id that cannot be written."""
        if self.by != "":
            check_text(self.by, "by", NAME_LENGTH)
        if self.command_id != "":
            check_text(self.command_id, "command_id", NAME_LENGTH)


class InsertAt(Struct, frozen=True):
    """The place of an order in the past: the play that it comes after (0: it is the newest), the preview that it is
    held to ("": none), and how the turns behind it are treated.
    """

    after: int = 0
    expect: str = ""
    turns: Turns = "as_played"


class _Asked(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Words of every correction that somebody asks for; a service asks back unless one is `sure`."""

    reason: Reason = ""
    expect: str = ""
    sure: Confirmed = False
    turns: Treated = "as_played"


class Undo(_Asked, frozen=True, tag_field="correct", tag="undo"):
    """Take back a ruling with its exchange (`only` it, or with `rewind` all from it on); the newest, if left out."""

    ruling: int | None = None
    only: bool = False
    rewind: bool = False

    def find_steps(self, timeline: Timeline, sees: SeesRuling) -> tuple[Step, ...]:
        """Return the steps that strike it, for somebody who `sees` some rulings; refused as `undo_steps` is."""
        return undo_steps(timeline, self.ruling, only=self.only, rewind=self.rewind, sees=sees)

    def identity(self) -> list[Any]:
        """Return what is asked for, by which the request is known again."""
        return ["undo", self.ruling, self.only, self.rewind, self.reason, *said_of_turns(self.turns)]


class Redo(_Asked, frozen=True, tag_field="correct", tag="redo"):
    """Bring back what a correction took; the newest, if left out."""

    ruling: int | None = None

    def find_steps(self, timeline: Timeline, sees: SeesRuling) -> tuple[Step, ...]:
        """Return the step that restores it; refused as `redo_steps` is."""
        return redo_steps(timeline, self.ruling, sees=sees)

    def identity(self) -> list[Any]:
        """Return what is asked for, by which the request is known again."""
        return ["redo", self.ruling, self.reason, *said_of_turns(self.turns)]


class Steps(_Asked, frozen=True, tag_field="correct", tag="steps"):
    """Several steps as one correction: strike plays, amend their fields, restore corrections."""

    steps: Annotated[tuple[Step, ...], Meta(min_length=1, max_length=1000)]

    def find_steps(self, timeline: Timeline, sees: SeesRuling) -> tuple[Step, ...]:
        """Return them, whether they can be taken or not."""
        return self.steps

    def identity(self) -> list[Any]:
        """Return what is asked for, by which the request is known again."""
        return ["correct", self.steps, self.reason, *said_of_turns(self.turns)]


CorrectionRequest = Undo | Redo | Steps
"""A correction that somebody asks for; a log writes it whatever it changes."""


class NoteRequest(Struct, frozen=True):
    """A note that somebody wants to write: a comment about a ruling or (0) about the fight, a dispute about a ruling,
    which may name the rule it goes by, the proposal of an `order`, an answer or the decision in the dispute or proposal
    that it is `about`, with the corrections that settle it.
    """

    text: str
    kind: str = "comment"
    about: int = 0
    rule: str = ""
    corrections: tuple[int, ...] = ()
    order: Command | None = None
    visibility: str = PUBLIC

    def __post_init__(self) -> None:
        """Raise BadInput for a note that says nothing, or is of a kind that there is not."""
        check_remark(self.text, self.kind)
