"""The kinds of files that the program reads or writes, recognized by their beginnings, and the commands for them."""

from __future__ import annotations

import shlex
from codecs import BOM_UTF8
from typing import Literal

from mam_events.errors import BadInput

FileType = Literal["export", "store", "score", "fight", "rules", "points", "page", ""]
READER_COMMANDS: dict[FileType, str] = {
    "export": "an export. Type `mam import {}` to take it in.",
    "store": "a store of fights. Type `mam encounters --store {}` to list them.",
    "score": "a score. Type `mam play {}` to play it.",
    "fight": "a fight file. Type `mam play {}` to play it.",
    "rules": "a file of house rules. Type `mam rules check {}` to read it.",
    "points": "a point sheet. Type `mam points {}` to price it.",
    "page": "a page. Open it in a browser.",
}
"""How each kind of file is used; the file's name replaces the braces."""
_TOML_TYPES = frozenset[FileType](("fight", "rules", "points"))
_HEADER = b'{"mam":"export"'
_KEYS: dict[str, FileType] = {
    "combatants": "fight",
    "commands": "fight",
    "characters": "points",
    "templates": "points",
    "equipment": "points",
}


def check_file_type(raw: bytes, path: str, *allowed: FileType) -> None:
    """Raise BadInput for a file of another kind than those, with the command that reads it."""
    from mam_events.archive.input_files import TEXT_LIMIT

    kind = _marked(raw)
    if not kind and not _TOML_TYPES.issubset(allowed) and len(raw) <= TEXT_LIMIT:
        kind = _kind_of_toml(raw)
    if kind and kind not in allowed:
        name = "standard input" if path == "-" else path
        raise BadInput(f"This is {READER_COMMANDS[kind].format(shlex.quote(path))}", place=name)


def _marked(raw: bytes) -> FileType:
    """Return the kind of a file from its first bytes, or "" if they don't show it."""
    if raw.startswith(_HEADER):
        return "export"
    if raw.startswith(b"SQLite format 3\0"):
        return "store"
    if raw[:64].lstrip().lower().startswith(b"<!doctype html"):
        return "page"
    # Imported late: most files are exports, which don't need the score reader.
    from mam_events.fights.score_reader import FIRST

    return "score" if raw.removeprefix(BOM_UTF8).startswith(FIRST.encode()) else ""


def _kind_of_toml(raw: bytes) -> FileType:
    from mam_events.fights import TomlText, is_overlay

    try:
        raw_table = TomlText(raw.decode("utf-8-sig"), "").raw
    except (UnicodeDecodeError, BadInput):
        return ""
    keys = (kind for key, kind in _KEYS.items() if key in raw_table)
    return "rules" if is_overlay(raw_table) else next(keys, "")
