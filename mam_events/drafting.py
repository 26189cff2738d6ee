"""A ruling before it is written: its head, its facts, and what it changes, as rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from mam_events.commands import amended
from mam_events.encounter.judging import Judging
from mam_events.encounter.seal import next_seal
from mam_events.errors import BadInput
from mam_events.events import Amend, CombatantJoined, Correction, Event, Head, Play, RulingRejudged, Step
from mam_events.state import Encounter
from mam_events.store import decoders, encode
from mam_events.visibility import PUBLIC, narrowest, of_command, of_facts, secrets_of

if TYPE_CHECKING:
    from mam_events.encounter.rejudging import Rejudged
    from mam_events.encounter.timeline import Timeline

H = TypeVar("H", bound=Head)
SALT_BYTES = 16


class Draft:
    """The rows of one ruling that is about to be appended; `seed` only for the one that opens the encounter."""

    def __init__(
        self, timeline: Timeline, at: str, by: str, command_id: str, body: str, entropy: Callable[[int], bytes]
    ) -> None:
        self.timeline = timeline
        self.entropy = entropy
        self.rows: list[tuple[int, str, bytes]] = []
        self.facts: tuple[Event, ...] = ()
        self.rejudged: tuple[Rejudged, ...] = ()
        self.seed: bytes | None = None
        self._followed: tuple[Play, Encounter, str] | None = None
        self._common: dict[str, Any] = {
            "ruling": timeline.number + 1,
            "at": at,
            "by": by,
            "seal": timeline.seal,
            "id": command_id,
            "body": body if command_id else "",
        }

    def head(self, kind: type[H], /, **fields: Any) -> H:
        """The head of the next ruling; salted where it is not public. Raises BadInput for what cannot be read."""
        visibility = fields.setdefault("visibility", PUBLIC)
        head = kind(**self._common, **fields, salt=self._salt(visibility))
        if kind is not Play:
            # A play's command was checked before it was judged; of the others the head is all there is.
            try:
                decoders()[kind.topic](encode(head)[1])
            except (msgspec.ValidationError, TypeError) as error:
                raise BadInput(str(error)) from None
        return head

    def correction(self, steps: tuple[Step, ...], reason: str) -> Correction:
        """The head of a correction: as hidden as the most hidden ruling it strikes or amends."""
        timeline = self.timeline
        named = (timeline.entries.get(step.ruling) for step in steps)
        patched = (amended(timeline.command(s.ruling), s.patch) for s in steps if isinstance(s, Amend))
        visibility = narrowest(
            *(entry.head.visibility for entry in named if entry),
            *(of_command(command, timeline.state) for command in patched),
        )
        return self.head(Correction, steps=steps, reason=reason, visibility=visibility)

    def write(self, head: Head, facts: Sequence[Event], found: Sequence[Rejudged]) -> None:
        """The rows: head, facts, and every ruling whose outcome differs from that on record, with its new facts."""
        self.facts = tuple(facts)
        self.rejudged = tuple(entry for entry in found if entry.verdict != "stands")
        events: list[Event] = [head, *facts]
        if self.rejudged:
            secret = self._secrets()
            for entry in self.rejudged:
                events += (self._rejudgement(entry, secret), *entry.facts)
        first = self.timeline.version + 1
        self.rows = [(version, *row) for version, row in enumerate(map(encode, events), first)]

    def _secrets(self) -> dict[str, str]:
        """Everybody who is hidden, before this ruling or because of it."""
        told = (*self.facts, *(fact for entry in self.rejudged for fact in entry.facts))
        joined = (fact.combatant for fact in told if isinstance(fact, CombatantJoined))
        return secrets_of((*self.timeline.state.combatants.values(), *joined))

    def _rejudgement(self, entry: Rejudged, secret: Mapping[str, str]) -> RulingRejudged:
        visibility = narrowest(self.timeline.entries[entry.ruling].head.visibility, of_facts(entry.facts, secret))
        assert entry.verdict is not None  # noqa: S101 - only a preview leaves a die undrawn
        return RulingRejudged(
            entry.ruling,
            entry.verdict,
            why=entry.why,
            code=entry.code,
            rule=entry.rule,
            because=entry.because,
            visibility=visibility,
            salt=self._salt(visibility),
        )

    def play(self, head: Play, judged: Judging) -> None:
        """The rows of a play at the end of the order.

        The next seal is found now, so that nothing but bookkeeping is left once it is durable.
        """
        self.write(head, judged.facts, ())
        self._followed = (head, judged.state, next_seal(head.seal, self.rows, head, decoders()))

    def accept(self) -> None:
        """The rows are in the store: let the timeline take them in."""
        if self._followed is None:
            self.timeline.extend(self.rows)
        else:
            head, state, seal = self._followed
            self.timeline.extend_by_play(head, self.rows, self.facts, state, seal)

    def _salt(self, visibility: str) -> str:
        return "" if visibility == PUBLIC else self.entropy(SALT_BYTES).hex()
