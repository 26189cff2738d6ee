"""Fight files and scores: fights as text, read from files, played into the log, and written from the log."""

from __future__ import annotations

from mam_events.fights.file import load_fight, read_fight, read_played
from mam_events.fights.house_rule_file import Overlay, is_overlay, load_overlay, overlay_of, read_overlay, write_overlay
from mam_events.fights.orders import FightFile, FightNote, FightOrder
from mam_events.fights.playback import PlayFailure, PlayReport, play
from mam_events.fights.round_trip_check import check_played
from mam_events.fights.score_reader import Script
from mam_events.fights.score_writer import write_played, write_score
from mam_events.fights.toml_text import TomlText
from mam_events.fights.toml_writer import write_fight

__all__ = [
    "FightFile",
    "FightNote",
    "FightOrder",
    "Overlay",
    "PlayFailure",
    "PlayReport",
    "Script",
    "TomlText",
    "check_played",
    "is_overlay",
    "load_fight",
    "load_overlay",
    "overlay_of",
    "play",
    "read_fight",
    "read_overlay",
    "read_played",
    "write_fight",
    "write_overlay",
    "write_played",
    "write_score",
]
