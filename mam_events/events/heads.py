"""The heads of rulings: who gave which command when, sealed; corrections of older rulings; branches."""

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
TurnPolicy = Literal["strict", "as_played"]
"""The turn policy of a correction.

`as_played` keeps the turns that were played, with the bookkeeping that this needs; `strict` adds none.
"""
Bookkeeping = Literal["passed", "ended", "order", "left", "round", "cut", "left_out", "needless", "waived", "unused"]
"""The steps by which a correction lets an older ruling still count.

A turn `passed` or was `ended`, the `order` of the round stays as played, an exchange is `left` without a result, a
`round` begins, an amount is `cut` to the available one, a name is `left_out`, a `needless` ruling has no effect, a roll
that riders owe is `waived`, or an `unused` die belongs to no roll any more.
"""
NoteKind = Literal["comment", "dispute", "proposal", "answer", "decision"]
SEAL = b'"seal":"'
"""The first bytes of a stored head, after its brace; no other event begins with them."""


class Strike(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="step", tag="strike"):
    """A step that undoes a play."""

    ruling: int


class Amend(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="step", tag="amend", omit_defaults=True
):
    """A step that replaces fields of a play's command.

    `do` is the name of that command, which the log fills in for later readers.
    """

    ruling: int
    patch: dict[str, Any]
    do: str = ""


class Restore(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="step", tag="restore"):
    """A step that undoes a correction."""

    ruling: int


Step = Strike | Amend | Restore


class Head(Event, frozen=True, kw_only=True):
    """The base of the first row of every ruling.

    `seal` (hex) is the ruling's own. It stands first, so that it can be left empty without reading the rest. `at` is
    UTC in ISO 8601, `by` who gave the command, `id` the command id, `body` the hash of the request with that id. `salt`
    (hex, only if `visibility` is not public) salts the hash of the rows. `blinding` (hex, only if the ruling may judge
    others again) hides how many outcomes it has. It stands last, so that it can be cut off without reading the rest.
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
    """A command of the fight.

    A play with `after` was inserted after that play; `turns` says how it treats the turns that follow. `raw` is the
    stored command: most commands of a long log are never decoded.
    """

    raw: Raw = field(name="command")
    after: int = 0
    turns: TurnPolicy = "strict"
    blinding: str = ""

    @classmethod
    def of(cls, command: Command, **fields: Any) -> Self:
        """Build the head of that command."""
        head = cls(raw=Raw(encode_command(command)), **fields)
        vars(head)["command"] = command
        return head

    @property
    def kind(self) -> type[Command]:
        """The kind of the command; raises as `command` does."""
        return self._read(kind_of)

    @cached_property
    def command(self) -> Command:
        """The command, decoded at first use; raises StoreUnusable if it is invalid."""
        return self._read(decode_stored_command)

    def _read(self, read: Callable[[bytes], T]) -> T:
        try:
            return read(self.raw)
        except (MsgspecError, UnicodeDecodeError) as error:
            raise StoreUnusable.unreadable(f"The order of ruling {self.ruling}", error) from error


class Correction(Head, frozen=True, kw_only=True):
    """A correction of the past: its steps, its reason and how it treats turns (strictly, in older logs)."""

    steps: Annotated[tuple[Step, ...], Meta(min_length=1)]
    reason: SaidTextField = ""
    turns: TurnPolicy = "strict"
    blinding: str = ""


class Note(Head, frozen=True, kw_only=True):
    """A remark that changes no play.

    It is a comment about a ruling or (0) about the fight, a dispute about a ruling, the proposal of an order, or an
    answer or decision in one of those. A dispute may name the `rule` or option that it relies on; a proposal has the
    fields of its `order`. A decision lists the `corrections` that settled the dispute, or the play that was proposed;
    without any the ruling stands, or the proposal is refused.
    """

    text: SaidTextField
    kind: NoteKind = "comment"
    about: RulingRef = 0
    rule: str = ""
    corrections: tuple[RulingRef, ...] = ()
    order: dict[str, Any] = {}


class Branch(Head, frozen=True, kw_only=True):
    """The beginning of a branch: the log before it is the parent fight's, the log after it is its own.

    `parent` is the parent encounter, `left` the seal of its newest ruling at that time, `behind` the play after which
    the branch continues: everything after that play is undone. `commitment` is the SHA-256 of the seed of every die
    drawn from here on. If a fight only continues without its seed (an import), `parent` and `left` are "" and `behind`
    is 0. `seed` (hex) is the previously committed seed, if it was there; nothing is drawn from it any more.
    """

    commitment: str
    parent: str = ""
    left: str = ""
    behind: int = 0
    seed: str = ""


class RulingRejudged(Event, frozen=True):
    """The new outcome of an older ruling, followed by its events (none if it is void).

    `reason` is the reason why it is void, `code` and `rule` are those of the refusal. `why` is a sentence instead, if
    the cause is no refusal or the row is older than reasons. The undone ruling that caused it is not stored: it can
    change, and the living history shows it.
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
    """Bookkeeping that a correction added so that an older ruling still counts.

    Its events follow, and after all bookkeeping of a ruling its RulingRejudged. Each has its own visibility: the passed
    turn of a hidden combatant doesn't hide the turn of the next actor. `combatant` is whose turn it is about,
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
