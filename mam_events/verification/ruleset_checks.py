"""Checks of the pinned rules of a log: their fingerprint, and the options that this program knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from mam_events.decider.ruleset_data import fingerprint_of
from mam_events.errors import StoreUnusable, VerificationFailed

if TYPE_CHECKING:
    from mam_events.rules.rulebook import Rulebook
    from mam_events.state import PinnedRules


class _Written(Struct, frozen=True):
    """A pinned ruleset as in its row."""

    preset: str
    readings: Mapping[str, str]
    fingerprint: str


class _Row(Struct, frozen=True):
    ruleset: _Written


_written = msgspec.json.Decoder(_Row).decode


def check_pinned(number: int, state: bytes, pinned: PinnedRules, rules: Rulebook) -> None:
    """Check the rules pinned in that ruling: `state` is their row as written, `pinned` its current meaning.

    A fingerprint covers everything that was written, including options that have been removed since. An older program
    may lack options that are newer than the log. Raises VerificationFailed if the fingerprint doesn't match its preset
    and readings, StoreUnusable for an unknown preset, option or reading.
    """
    try:
        recorded = _written(state).ruleset
        honest = recorded.fingerprint == fingerprint_of(recorded.preset, recorded.readings)
    except (msgspec.MsgspecError, UnicodeEncodeError):
        honest = False
    if not honest:
        raise VerificationFailed(f"Ruling {number} has rules with a wrong fingerprint. This program never writes that.")
    unknown = [f'the preset "{pinned.preset}"'] if pinned.preset not in rules.presets else []
    unknown += [
        f'"{option}" read as "{reading}"'
        for option, reading in pinned.readings.items()
        if option not in rules.options or reading not in rules.options[option].readings
    ]
    if unknown:
        raise StoreUnusable(
            f"Ruling {number} pins {unknown[0]}, which this program does not know: another version wrote it, or "
            "somebody forged it and sealed it again."
        )
