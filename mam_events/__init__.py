"""mam-events: an event-sourced combat log for Mano a Mano and Ron d6.

What scripts need is found here (`from mam_events import CombatLog`), each name loaded when it is first asked for. The
commands are in `mam_events.commands`, what people read of a fight in `projections`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mam_events.archive import export_ndjson, import_ndjson
    from mam_events.commands import Command, read_command
    from mam_events.deciding.ruleset import Ruleset
    from mam_events.deciding.templates import Blocked, Template
    from mam_events.errors import (
        BadInput,
        MamError,
        NotFound,
        Refused,
        StoreUnusable,
        VerificationFailed,
        VersionConflict,
    )
    from mam_events.events import Amend, Event, Restore, Strike
    from mam_events.fights import load_fight, play, write_fight
    from mam_events.log.answers import Answer, Preview
    from mam_events.log.combat_log import CombatLog
    from mam_events.rules.rulebook import Rulebook, rulebook
    from mam_events.rulings.history import Ruling
    from mam_events.rulings.timeline import Timeline
    from mam_events.state import Combatant, Encounter, Pools
    from mam_events.verification import verify

__version__ = "0.1.0"

_ROOMS = {
    "archive": ("export_ndjson", "import_ndjson"),
    "commands": ("Command", "read_command"),
    "deciding.ruleset": ("Ruleset",),
    "deciding.templates": ("Blocked", "Template"),
    "errors": (
        "BadInput",
        "MamError",
        "NotFound",
        "Refused",
        "StoreUnusable",
        "VerificationFailed",
        "VersionConflict",
    ),
    "events": ("Amend", "Event", "Restore", "Strike"),
    "fights": ("load_fight", "play", "write_fight"),
    "log.answers": ("Answer", "Preview"),
    "log.combat_log": ("CombatLog",),
    "rules.rulebook": ("Rulebook", "rulebook"),
    "rulings.history": ("Ruling",),
    "rulings.timeline": ("Timeline",),
    "state": ("Combatant", "Encounter", "Pools"),
    "verification": ("verify",),
}
"""The place where the names are at home; those above are the same, for whoever checks types."""
_HOME = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = [
    "Amend",
    "Answer",
    "BadInput",
    "Blocked",
    "CombatLog",
    "Combatant",
    "Command",
    "Encounter",
    "Event",
    "MamError",
    "NotFound",
    "Pools",
    "Preview",
    "Refused",
    "Restore",
    "Rulebook",
    "Ruleset",
    "Ruling",
    "StoreUnusable",
    "Strike",
    "Template",
    "Timeline",
    "VerificationFailed",
    "VersionConflict",
    "__version__",
    "export_ndjson",
    "import_ndjson",
    "load_fight",
    "play",
    "read_command",
    "rulebook",
    "verify",
    "write_fight",
]


def __getattr__(name: str) -> object:
    """The public thing of that name, from the room where it is at home."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
