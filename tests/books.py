"""Valid replay books as plain values, and functions that change them or the log in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from mam_events.archive import export_ndjson
from mam_events.commands import Check
from mam_events.events import Amend
from mam_events.history.seal import part_hash, without_seal
from mam_events.log.combat_log import CombatLog
from mam_events.verification.export_format import Header, written_end, written_header, written_row
from mam_events.verification.seal_chain import with_ruling_numbers
from projections.pages.replay_page import build_replay_page
from projections.visibility.viewer import Viewer
from tests.verification.forge import Row, drawn_fight, edited, printed_fight, resealed, salted_fight, set_to, version_of

Book = dict[str, Any]
"""A book as plain values; its `rows` are the lines of an export, without the first and the last."""
Edit = Callable[[Book], object]
FIGHTS = ("thrown", "drawn", "open", "public", "salted", "unseen", "written")


def valid_book(fight: str) -> Book:
    """Return a valid replay book.

    `thrown` has dice of the table, two corrections and an amendment, `drawn` has drawn dice and their seed, `open` is
    the same before its seed is revealed. `public` is the public view of `thrown` with a hidden check and note after it.
    `salted` has a hidden and a visible drawn die, and their seed; `unseen` is its public view with a hidden opening.
    `written` is `thrown` with remarks and a check in words that look like dice, and a check inserted after ruling 6.
    """
    book: Book = json.loads(_encoded(fight))
    return book


@cache
def _encoded(fight: str) -> bytes:
    log = CombatLog.open("sqlite://", entropy=Random(1).randbytes)
    if fight in ("drawn", "open"):
        drawn_fight(log)
    elif fight in ("salted", "unseen"):
        salted_fight(log, "public" if fight == "salted" else "gm")
    else:
        printed_fight(log)
        log.undo("fight", 8)
        log.correct("fight", [Amend(17, {"attack_die": 5})])
    if fight == "written":
        for text in ("[6]", "[4]", "the rope [\uff16] ⟦6⟧"):
            log.note("fight", text, about=8)
        log.execute("fight", Check("modre", difficulty=12, die=3, what="leap [4] or [\u200b\uff14]"))
        log.execute("fight", Check("clone", difficulty=12, die=2, what="hide"), after=6)
    view = "public" if fight in ("public", "unseen") else "gm"
    if fight == "public":
        log.execute("fight", Check("modre", difficulty=12, die=3, visibility="gm"))
        log.note("fight", "the bridge is rotten", visibility="gm")
    timeline = log.timeline("fight", as_of=13 if fight == "open" else None)
    lines = [line.decode().rstrip("\n") for line in export_ndjson(log, "fight", view=view)][1:-1]
    lines = lines[: timeline.version] if view == "gm" else lines
    stored = log.application.rows("fight")[: timeline.version]
    book = build_replay_page("fight", timeline, stored, Viewer(view, timeline).redactor, log.rules)
    return msgspec.json.encode(replace(book, rows=tuple(lines)))


def book_for(log: CombatLog, encounter: str, view: str) -> Book:
    """Return the replay book of a fight for that view."""
    timeline = log.timeline(encounter)
    lines = [line.decode().rstrip("\n") for line in export_ndjson(log, encounter, view=view)][1:-1]
    book = build_replay_page(
        encounter, timeline, log.application.rows(encounter), Viewer(view, timeline).redactor, log.rules
    )
    book_fields: Book = json.loads(msgspec.json.encode(replace(book, rows=tuple(lines))))
    return book_fields


def export_of(book: Book) -> bytes:
    """Return the export with the lines of that book, between a valid first and last line."""
    lines = book["rows"]
    rulings = max([1, *(json.loads(line).get("ruling", 0) for line in lines if line.startswith('{"ruling":'))], key=int)
    header = Header("export", 1, "fight", int(rulings), max(len(lines), 1), book["seal"], book["view"])
    begin, end = written_header(header), written_end(max(len(lines), 1), book["seal"])
    return begin + "".join(f"{line}\n" for line in lines).encode() + end


def place_of(book: Book, ruling: int, topic: str = "") -> int:
    """Return the index of the line with the head of a ruling, or of the first row of that kind after it."""
    head = next(n for n, line in enumerate(book["rows"]) if f'"ruling":{ruling},' in line[:40])
    return next(n for n in range(head, len(book["rows"])) if not topic or f'"topic":"{topic}' in book["rows"][n])


def entry_of(book: Book, ruling: int, entries: str = "entries") -> Book:
    """Return what the page shows of a ruling."""
    entry: Book = next(one for one in book[entries] if one["frame"]["number"] == ruling)
    return entry


def change_line(ruling: int, topic: str, change: Callable[[str], str]) -> Edit:
    """Change the line of a row without resealing."""

    def edit(book: Book) -> None:
        place = place_of(book, ruling, topic)
        book["rows"][place] = change(book["rows"][place])

    return edit


def change_list(name: str, change: Callable[[list[Any]], list[Any]]) -> Edit:
    """Change a list in the book."""
    return lambda book: book.update({name: change(book[name])})


def change_log(change: Callable[[list[Row]], Sequence[Row]]) -> Edit:
    """Change the rows of a book that hides none, and reseal all of them."""

    def edit(book: Book) -> None:
        rows = resealed(change(rows_of(book["rows"])))
        book["rows"] = [written_row(row).decode().rstrip("\n") for row in with_ruling_numbers(rows)]
        book["seal"] = [json.loads(state)["seal"] for _, _, state in rows if state.startswith(b'{"seal"')][-1]

    return edit


def change_event(ruling: int, topic: str, **fields: Any) -> Edit:
    """Change fields of an event and reseal all rulings."""
    return change_log(lambda rows: edited(rows, version_of(rows, ruling, topic), set_to(**fields)))


def change_command(ruling: int, **fields: Any) -> Edit:
    """Change fields of the command of a ruling and reseal all rulings."""
    return change_log(lambda rows: edited(rows, version_of(rows, ruling), lambda head: head["command"].update(fields)))


def change_roll_text(old: str, new: str, topic: str = "AttackRolled") -> Edit:
    """Change the text of a roll of ruling 17, wherever the log has it, and reseal all rulings."""

    def change(row: Row) -> Row:
        version, kind, state = row
        own = kind.startswith(topic) and b'"17/' in state
        return (version, kind, state.replace(old.encode(), new.encode())) if own else row

    return change_log(lambda rows: [change(row) for row in rows])


def combine_edits(*edits: Edit) -> Edit:
    """Return an edit that makes several changes."""
    return lambda book: [edit(book) for edit in edits]


def hash_lines(book: Book, ruling: int, first: int = 0, behind: int | None = None) -> None:
    """Replace lines of a public ruling by one hash: all of them, or a range counted from its head."""
    place, lines = place_of(book, ruling), book["rows"]
    end = next((at for at in range(place + 1, len(lines)) if lines[at].startswith('{"ruling":')), len(lines))
    begin, end = place + first, end if behind is None else place + behind
    rows = [
        (topic, state if first or at else without_seal(state))
        for at, (_, topic, state) in enumerate(rows_of(lines[begin:end]))
    ]
    seal = "" if first else f'"ruling":{ruling},"seal":"{json.loads(lines[place])["state"]["seal"]}",'
    lines[begin:end] = [f'{{{seal}"hash":"{part_hash("", rows).hex()}"}}']


def rows_of(lines: Sequence[str]) -> list[Row]:
    """Return the numbered rows of lines that hide none."""
    return [
        (number, json.loads(line)["topic"], line.partition(',"state":')[2][:-1].encode())
        for number, line in enumerate(lines, start=1)
    ]
