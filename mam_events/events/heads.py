"""The heads of rulings: who gave which command when, sealed; what a correction made of older rulings; where a fight
leaves another.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Annotated, Any, Literal, Self, TypeVar

from msgspec import Meta, MsgspecError, Raw, Struct, field

from mam_events.commands import Command, decode_stored_command, encode_command, kind_of
from mam_events.errors import StoreUnusable
from mam_events.events.base import Event
from mam_events.refusals.arguments import Message
from mam_events.state import Encounter
from mam_events.values import CombatantRef, RulingRef, SaidTextField

T = TypeVar("T")
Verdict = Literal["stands", "carried", "changed", "void"]
Turns = Literal["strict", "as_played"]
"""Ways in which a correction treats turns: `as_played` keeps those that were played, with the bookkeeping that takes;
`strict` does none.
"""
Bookkeeping = Literal["passed", "ended", "order", "left", "round", "cut", "left_out", "needless", "waived", "unused"]
"""Steps by which a correction lets an older ruling still count.

A turn `passed` or was `ended`, the `order` of the round stays as played, an exchange is `left` without a result, a
`round` begins, an amount is `cut` to what is there, a name is `left_out`, nothing comes of a `needless` ruling, what
those who ride owe is `waived`, or a die is `unused` that nobody rolls any more.
"""
NoteKind = Literal["comment", "dispute", "proposal", "answer", "decision"]
SEAL = b'"seal":"'
"""The beginning of a head as it is stored, behind its brace, and of no other event."""


class Strike(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="step", tag="strike"):
    """Take a play out of the living history."""

    ruling: int


class Amend(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="step", tag="amend", omit_defaults=True
):
    """Give some fields of a play's command anew; `do` is that command, which the log fills in for later readers."""

    ruling: int
    patch: dict[str, Any]
    do: str = ""


class Restore(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="step", tag="restore"):
    """Make a correction as if it had not been."""

    ruling: int


Step = Strike | Amend | Restore


class Head(Event, frozen=True, kw_only=True):
    """The base of the first row of every ruling.

    `seal` is the ruling's own (hex) and stands first, where it can be left empty without reading the rest; `at` is UTC
    in ISO 8601, `by` who gave the command, `id` the command id and `body` the hash of what it was given for, `salt`
    (hex, only where `visibility` is not public) salts the hash of the rows. Where the ruling may judge others again,
    `blinding` (hex) hides how many outcomes it has; it stands last, where it can be cut off without reading the rest.
    """

    topic = ""
    seal: str
    ruling: int
    at: str
    by: str
    id: str = ""
    body: str = ""
    visibility: str = "public"
    salt: str = ""


class Play(Head, frozen=True, kw_only=True, dict=True, gc=True):
    """A command of the fight; one with `after` was inserted and stands after that play, and `turns` tells how it treats
    the turns of those that follow.

    `raw` is the command as it is stored: a long log holds many whose fields nobody asks for again.
    """

    raw: Raw = field(name="command")
    after: int = 0
    turns: Turns = "strict"
    blinding: str = ""

    @classmethod
    def of(cls, command: Command, **fields: Any) -> Self:
        """The head of that command."""
        head = cls(raw=Raw(encode_command(command)), **fields)
        vars(head)["command"] = command
        return head

    @property
    def kind(self) -> type[Command]:
        """The kind of command that it is; raises as `command` does."""
        return self._read(kind_of)

    @cached_property
    def command(self) -> Command:
        """The command, read when first asked for; raises StoreUnusable for what is none."""
        return self._read(decode_stored_command)

    def _read(self, read: Callable[[bytes], T]) -> T:
        try:
            return read(self.raw)
        except (MsgspecError, UnicodeDecodeError) as error:
            raise StoreUnusable(f"The order of ruling {self.ruling} cannot be read: {error}.") from error


class Correction(Head, frozen=True, kw_only=True):
    """A correction of the past: one or more steps, why, and how it treats turns (strictly, in older logs)."""

    steps: Annotated[tuple[Step, ...], Meta(min_length=1)]
    reason: SaidTextField = ""
    turns: Turns = "strict"
    blinding: str = ""


class Note(Head, frozen=True, kw_only=True):
    """A remark that changes no play: a comment about a ruling or (0) about the fight, a dispute about a ruling, the
    proposal of an order, an answer or the decision in one of those.

    A dispute may name the `rule` that it goes by, or an option; a proposal has the fields of its `order`. A decision
    tells the `corrections` by which the dispute was settled, or the play that was proposed; without any the ruling
    stands, or what was proposed is refused.
    """

    text: SaidTextField
    kind: NoteKind = "comment"
    about: RulingRef = 0
    rule: str = ""
    corrections: tuple[RulingRef, ...] = ()
    order: dict[str, Any] = {}


class Branch(Head, frozen=True, kw_only=True):
    """A fight's leaving of another: what stands before it is that fight's own log, and from here on there are two.

    `parent` is the encounter that it leaves, `left` the seal of that one's newest ruling then, `behind` the play behind
    which the fight goes on: whatever stood behind that is struck. `commitment` is the SHA-256 of the seed that every
    die comes from which is drawn from here on. A fight that only goes on where its seed is not (an import) leaves none:
    then `parent` and `left` are "" and `behind` is 0. `seed` (hex) is one that was committed to before and draws
    nothing any more, where it was there.
    """

    commitment: str
    parent: str = ""
    left: str = ""
    behind: int = 0
    seed: str = ""


class RulingRejudged(Event, frozen=True):
    """The new outcome of an older ruling, followed by its events (none when it is void).

    `reason` is why it is void, `code` and `rule` are the refusal's; of what is no refusal, or is older than reasons,
    `why` is a sentence instead. Which lost ruling made it so is not kept: that changes, and the living history tells
    it.
    """

    ruling: int
    verdict: Verdict
    why: str = ""
    code: str = ""
    rule: str = ""
    reason: Message | None = None
    visibility: str = "public"
    salt: str = ""

    def apply(self, state: Encounter) -> Encounter:
        return state


class RulingMended(Event, frozen=True):
    """Bookkeeping that a correction did so that an older ruling still counts.

    Its events follow, and after all bookkeeping of a ruling its RulingRejudged. Each has a visibility of its own: the
    passed turn of somebody hidden does not hide the turn of whoever acts next. `combatant` is whose turn it is about,
    `exchange` the one that is left, `round` the round in which it happens.
    """

    ruling: int
    what: Bookkeeping
    combatant: CombatantRef = ""
    exchange: RulingRef = 0
    round: int = 0
    visibility: str = "public"
    salt: str = ""

    def apply(self, state: Encounter) -> Encounter:
        return state
