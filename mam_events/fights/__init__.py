"""Fight files: a fight typed into a TOML file, played into the log, and written out of it again."""

from __future__ import annotations

from mam_events.fights.document import Document, text_of
from mam_events.fights.file import load_fight, read_fight
from mam_events.fights.orders import Fight, Order, Remark
from mam_events.fights.playing import Broken, PlayReport, play
from mam_events.fights.writing import write_fight

__all__ = [
    "Broken",
    "Document",
    "Fight",
    "Order",
    "PlayReport",
    "Remark",
    "load_fight",
    "play",
    "read_fight",
    "text_of",
    "write_fight",
]
