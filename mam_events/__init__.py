"""mam-events: an event-sourced combat log for Mano a Mano and Ron d6.

The names for scripts can be imported from here (`from mam_events import CombatLog`); each is loaded at first use. The
commands are in `mam_events.commands`, the texts that people read about a fight in `projections`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from mam_events.version import __version__

if TYPE_CHECKING:
    from mam_events.archive import export_ndjson as export_ndjson
    from mam_events.archive import import_ndjson as import_ndjson
    from mam_events.commands import Command as Command
    from mam_events.commands import read_command as read_command
    from mam_events.decider.engine import Ruleset as Ruleset
    from mam_events.decider.offers import Blocked as Blocked
    from mam_events.decider.offers import Template as Template
    from mam_events.errors import BadInput as BadInput
    from mam_events.errors import MamError as MamError
    from mam_events.errors import NotFound as NotFound
    from mam_events.errors import Refused as Refused
    from mam_events.errors import StoreUnusable as StoreUnusable
    from mam_events.errors import VerificationFailed as VerificationFailed
    from mam_events.errors import VersionConflict as VersionConflict
    from mam_events.events import Amend as Amend
    from mam_events.events import Event as Event
    from mam_events.events import Restore as Restore
    from mam_events.events import Strike as Strike
    from mam_events.fights import load_fight as load_fight
    from mam_events.fights import play as play
    from mam_events.fights import write_fight as write_fight
    from mam_events.history.timeline.rulings import Ruling as Ruling
    from mam_events.history.timeline.timeline import Timeline as Timeline
    from mam_events.log.combat_log import CombatLog as CombatLog
    from mam_events.log.results import Answer as Answer
    from mam_events.log.results import Preview as Preview
    from mam_events.rules.rulebook import Rulebook as Rulebook
    from mam_events.rules.rulebook import rulebook as rulebook
    from mam_events.state import Combatant as Combatant
    from mam_events.state import Encounter as Encounter
    from mam_events.state import Pools as Pools
    from mam_events.verification import verify as verify

_ROOMS = {
    "archive": ("export_ndjson", "import_ndjson"),
    "commands": ("Command", "read_command"),
    "decider.engine": ("Ruleset",),
    "decider.offers": ("Blocked", "Template"),
    "errors": ("BadInput", "MamError", "NotFound", "Refused", "StoreUnusable", "VerificationFailed", "VersionConflict"),
    "events": ("Amend", "Event", "Restore", "Strike"),
    "fights": ("load_fight", "play", "write_fight"),
    "log.results": ("Answer", "Preview"),
    "log.combat_log": ("CombatLog",),
    "rules.rulebook": ("Rulebook", "rulebook"),
    "history.timeline.rulings": ("Ruling",),
    "history.timeline.timeline": ("Timeline",),
    "state": ("Combatant", "Encounter", "Pools"),
    "verification": ("verify",),
}
"""The modules that define the names; the imports above are the same, for type checkers."""
_HOME = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = ["__version__", *_HOME]  # noqa: PLE0604 - its keys are names


def __getattr__(name: str) -> object:
    """Return the public object of that name from the package that defines it."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
