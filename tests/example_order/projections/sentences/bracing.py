"""Sentences about setting one's feet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.commands import Brace
from mam_events.events import FeetSet
from projections.wording import signed

if TYPE_CHECKING:
    from projections.casebook import Scene
    from projections.sentences.tables import Clauses, Sentences


def _feet_set(event: FeetSet, scene: Scene) -> str:
    bonus = signed(event.effect.value)
    return f"{scene.name(event.combatant)} braces: {bonus} to defense until the end of their next turn."


def _brace_order(command: Brace, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} braces"


SENTENCES: Sentences = {FeetSet: _feet_set}
CLAUSES: Clauses = {Brace: _brace_order}
