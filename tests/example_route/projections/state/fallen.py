"""Combatants who cannot act any more."""

from __future__ import annotations

from msgspec import Struct

from mam_events.state import Encounter
from projections.visibility.redaction import Redactor


class Fallen(Struct, frozen=True):
    """A combatant who is down, dead or gone."""

    combatant: str
    name: str
    condition: str


def fallen_in(state: Encounter, redactor: Redactor) -> list[Fallen]:
    """Return everybody who cannot act, except those hidden from the view of `redactor`."""
    return [
        Fallen(one.id, one.name, one.condition)
        for one in state.combatants.values()
        if one.condition != "able" and one.id not in redactor.hidden
    ]
