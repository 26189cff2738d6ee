"""Export and import of whole encounters, row by row and byte by byte."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mam_events.archive.export_redaction import Secrets
from mam_events.deserializer import encounter_id
from mam_events.errors import BadInput, Refused, VersionConflict
from mam_events.events import Branch, event_kind
from mam_events.history.seal import without_blinding
from mam_events.history.timeline.rulings import visibility_now
from mam_events.history.timeline.timeline import Timeline
from mam_events.refusals.arguments import RulingArgument, TextArgument
from mam_events.store import build_events, decode
from mam_events.verification import stored_rows, verify_read
from mam_events.verification.export_format import (
    FORMAT,
    ExportRow,
    Header,
    read_lines,
    written_end,
    written_header,
    written_row,
)
from mam_events.verification.seal_chain import RowGroup, parts_of, with_ruling_numbers
from mam_events.visibility import GAME_MASTER, can_see, check_visibility

if TYPE_CHECKING:
    from mam_events.log.encounters import Encounters
    from mam_events.log.readable_log import ReadableLog


class ImportReport(Struct, frozen=True):
    """The result of an import.

    It holds the encounter and its number of rulings and rows. `added` counts the new rulings; `repeated` is true if the
    log already had all of them.
    """

    encounter: str
    rulings: int
    rows: int
    repeated: bool = False
    added: int = 0


class _About(Struct, frozen=True):
    ruling: int = 0


_about = msgspec.json.Decoder(_About).decode


def export_ndjson(log: ReadableLog, encounter: str, *, view: str = GAME_MASTER) -> Iterator[bytes]:
    """Return the lines of an export, each with its line break.

    Rows that `view` may not see are exported as hashes. The seed of the dice is never exported. Raises NotFound,
    BadInput if `view` is not a view, StoreUnusable for rows that another program wrote.
    """
    check_visibility(view, place="view")
    timeline = log.timeline(encounter)
    seal, number, version = timeline.seal, timeline.number, timeline.version
    rows = _hidden_from(view, with_ruling_numbers(log.application.rows(encounter)[:version]), timeline)
    header = Header("export", FORMAT, encounter, number, len(rows), seal, view)
    return iter([written_header(header), *map(written_row, rows), written_end(len(rows), seal)])


def _hidden_from(view: str, rows: Sequence[ExportRow], timeline: Timeline) -> list[ExportRow]:
    """Return the rows as `view` may see them; a row has the visibility of the ruling it belongs to.

    Visibility is what it is now: a ruling that a later amendment hid is hidden too, though its hash has no salt, and
    one that an amendment revealed is shown. A row that names someone hidden is hidden, even if it is public text or
    uses a previous name.
    """
    if view == GAME_MASTER:
        return list(rows)
    visible_rows: list[ExportRow] = []
    shows = {n: can_see(view, visibility_now(timeline, n)) for n in range(1, timeline.number + 1)}
    secrets = Secrets(view, timeline)
    parts = list(parts_of(rows))
    for part in parts:
        shows[part.number] = shows[part.number] and not secrets.are_in(part.sections[0].rows)
    for part in parts:
        own, *outcomes = part.sections
        # A new outcome may hold a reason in words, so it stays hidden from views that could not see it when it was
        # written.
        row_groups = [_shown(one, shows, secrets) for one in outcomes if can_see(view, one.lead.visibility)]
        number, head = part.number, own.rows[0]
        if shows[number]:
            visible_rows += (replace(head, state=without_blinding(head.state)), *own.rows[1:])
        else:
            none = all(row.hash for outcome in row_groups for row in outcome)
            visible_rows.append(ExportRow(0, number, hash=part.hash if none else own.hash, seal=part.seal))
            if none:
                continue
        visible_rows += chain.from_iterable(row_groups)
        if part.blinding:
            visible_rows.append(ExportRow(0, 0, rest=tuple(part.rest_for(view))))
    return visible_rows


def _shown(outcome: RowGroup, shows: Mapping[int, bool], secrets: Secrets) -> Sequence[ExportRow]:
    """Return the rows of an outcome, or its hash if its ruling was hidden later or if it names someone hidden."""
    if shows.get(rejudged_ruling(outcome.rows[0].state), True) and not secrets.are_in(outcome.rows):
        return outcome.rows
    return (ExportRow(0, 0, hash=outcome.hash),)


def rejudged_ruling(state: bytes) -> int:
    """Return the ruling that a row of a re-judgement is about, or 0 if the row can't be read."""
    try:
        return _about(state).ruling
    except msgspec.MsgspecError:
        return 0


def import_ndjson(
    log: ReadableLog, lines: Iterable[bytes], encounter: str | None = None, *, name: str = "export"
) -> ImportReport:
    """Write the encounter of an export into the log, exactly as it was, in one transaction; or write nothing.

    If the log already has the first rulings, only the rulings after them are written. `encounter` gives the encounter
    another id; `name` names the export in errors.

    Raises BadInput if the export is malformed or incomplete, VerificationFailed naming the first ruling that differs
    from its seal, StoreUnusable if a newer program wrote the export. Refused with `partial_export`, with
    `encounter_exists` if another fight has that id, with `diverged` if the log's fight continues differently or if the
    export is a branch of it.

    An export doesn't contain the seed of the dice: a new commitment comes before the first die drawn here.
    """
    export = read_lines(lines, name)
    rows = stored_rows(export, name=name)
    verification = verify_read(export, name=name, rules=log.rules)
    target = encounter or export.header.encounter
    try:
        encounter_id(target)
    except BadInput as error:
        raise BadInput(f"{error.sentence.rstrip('.')}. Give the import another id.", place=name) from None
    first_row = _appended(log.application, target, rows)
    new_rulings = sum(1 for row in export.rows[first_row:] if row.ruling)
    return ImportReport(target, verification.rulings, verification.rows, repeated=not new_rulings, added=new_rulings)


def _appended(application: Encounters, encounter: str, rows: Sequence[tuple[int, str, bytes]]) -> int:
    """Write the rows that the log doesn't have yet, and return the number of rows that it already had.

    Refused if the log's rows differ.
    """
    while True:
        there = application.rows(encounter)
        same = next((at for at, pair in enumerate(zip(there, rows, strict=False)) if pair[0] != pair[1]), None)
        if same is not None:
            raise _otherwise(encounter, rows, same)
        if there:
            _check_no_branch(encounter, rows[len(there) :])
        if len(there) < len(rows):
            try:
                application.save(*build_events(encounter, rows[len(there) :]))
            except VersionConflict:
                # Another writer was first: compare again with what is stored now.
                continue
        return min(len(there), len(rows))


def _check_no_branch(encounter: str, rows: Sequence[tuple[int, str, bytes]]) -> None:
    """Refuse with `diverged` if the new rows would turn a fight into the branch that left it."""
    heads = (decode(topic, state) for _, topic, state in rows if event_kind(topic) is Branch)
    branch = next((head for head in heads if isinstance(head, Branch) and head.parent), None)
    if branch is not None:
        raise Refused(
            "diverged/left",
            encounter=TextArgument(encounter),
            number=RulingArgument(branch.ruling),
            fields=("encounter",),
        )


def _otherwise(encounter: str, rows: Sequence[tuple[int, str, bytes]], at: int) -> Refused:
    """Return the refusal for a row that differs from the row at the same place in the log."""
    ruling = sum(1 for row in with_ruling_numbers(rows[: at + 1]) if row.ruling)
    if ruling == 1:
        return Refused("encounter_exists/imported", encounter=TextArgument(encounter), fields=("encounter",))
    return Refused(
        "diverged/otherwise",
        encounter=TextArgument(encounter),
        last=RulingArgument(ruling - 1),
        number=RulingArgument(ruling),
        fields=("encounter",),
    )
