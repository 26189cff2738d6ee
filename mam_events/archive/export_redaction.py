"""Redaction of exports: a row that names someone who is hidden from the view now is not exported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import COMMANDS, Join, read_command
from mam_events.errors import BadInput
from mam_events.events import Amend, Correction, Event, Head, Note, Play, RulingRejudged
from mam_events.references import messages_in, names_in, read_field, words_in
from mam_events.refusals.arguments import Message
from mam_events.store import decode
from mam_events.visibility import PUBLIC, can_see, name_pattern, of_message

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.verification.export_format import ExportRow

_OF_DIE = re.compile(rb'"[0-9]+/[^/".]*\.([^/"]+)/[0-9]+/d[0-9]+"')
"""The owner of a die, in the key of the die."""


class Secrets:
    """The combatants hidden from a view by their joins as amended, with every id and name they ever had.

    Ids are looked for where ids stand; names in people's words and in the rules' sentences, as whole words. A name that
    a visible combatant also has is no secret.
    """

    def __init__(self, view: str, timeline: Timeline) -> None:
        called = list(_called(timeline))
        self._hidden = [one for one in called if not can_see(view, one.visibility)]
        self._joins = {
            number for number in timeline.index.joins if not can_see(view, _joined(timeline, number).visibility)
        }
        joins = [one for one in called if can_see(view, one.visibility)]
        self._ids = {one.combatant for one in self._hidden} - {one.combatant for one in joins}
        known_words = {*_words(joins)}
        self._words = {*_words(self._hidden)} - known_words
        longer = {word for word in known_words if any(part in word for part in self._words)}
        self._naming = name_pattern(self._words | longer)

    def __bool__(self) -> bool:
        return bool(self._hidden)

    def are_in(self, rows: Iterable[ExportRow]) -> bool:
        """Return True if one of those rows names someone hidden."""
        return bool(self) and any(
            self._names_removed(decode(row.topic, row.state), row.state) for row in rows if row.topic
        )

    def _names_removed(self, event: Event, state: bytes) -> bool:
        if any(match.decode() in self._ids for match in _OF_DIE.findall(state)):
            return True
        if isinstance(event, Head) and self._is_named_in(event.by):
            return True
        match event:
            case Play():
                return self._are_named(event.command)
            case Correction():
                return self._is_named_in(event.reason) or any(map(self._is_amended, event.steps))
            case Note():
                return self._are_named(event) or (bool(event.order) and self._is_proposed(event.order))
            case RulingRejudged():
                return self._is_named_in(event.why) or (event.reason is not None and self._is_in(event.reason))
        return self._are_named(event)

    def _are_named(self, part: Struct) -> bool:
        """Return True if a command or an event names someone hidden, as a combatant or in words."""
        if any("combatant" in name.kinds and name.value in self._ids for name in names_in(part)):
            return True
        return any(map(self._is_named_in, words_in(part))) or any(map(self._is_in, messages_in(part)))

    def _is_named_in(self, text: str) -> bool:
        return any(match.casefold() in self._words for match in self._naming.findall(text))

    def _is_in(self, message: Message) -> bool:
        return of_message(message, (one for one in self._hidden if one.combatant in self._ids)) != PUBLIC

    def _is_amended(self, step: Any) -> bool:
        """Return True if a correction step amends the join of someone hidden or puts in something that names them."""
        if not isinstance(step, Amend):
            return False
        return step.ruling in self._joins or self._is_patched(step)

    def _is_patched(self, step: Amend) -> bool:
        kind, fields = COMMANDS.get(step.do), list[bool]()

        def look(text: str) -> str:
            fields.append(text in self._ids or self._is_named_in(text))
            return text

        for path, value in step.patch.items():
            field, dot, key = path.partition(".")
            fields.append(key in self._ids)
            if dot or kind is None:
                fields.append(isinstance(value, str) and (value in self._ids or self._is_named_in(value)))
            else:
                read_field(kind, field, value, {"said": look, "combatant": look})
        return any(fields)

    def _is_proposed(self, order: dict[str, Any]) -> bool:
        try:
            return self._are_named(read_command(order))
        except BadInput:
            return True


def _called(timeline: Timeline) -> Iterator[Join]:
    """Yield every combatant who ever joined, under each id and name, with their visibility now."""
    now = {}
    for number in timeline.index.joins:
        join, first = _joined(timeline, number), timeline.head(number)
        now[number] = join
        yield join
        if isinstance(first, Play) and isinstance(first.command, Join):
            yield replace(first.command, visibility=join.visibility)
    for head in timeline.heads:
        for step in head.steps if isinstance(head, Correction) else ():
            if isinstance(step, Amend) and step.ruling in now:
                join = now[step.ruling]
                combatant, name = (step.patch.get(field, getattr(join, field)) for field in ("combatant", "name"))
                yield replace(join, combatant=str(combatant), name=str(name or ""))


def _joined(timeline: Timeline, number: int) -> Join:
    join = timeline.command(number)
    assert isinstance(join, Join)  # noqa: S101 - the numbers are those of joins
    return join


def _words(called: Iterable[Join]) -> Iterator[str]:
    return (word.casefold() for one in called for word in (one.combatant, one.name) if word)
