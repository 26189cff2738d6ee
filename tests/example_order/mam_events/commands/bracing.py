"""Orders about setting one's feet."""

from __future__ import annotations

from mam_events.commands.base import Command
from mam_events.commands.fields import Actor, Price


class Brace(Command, frozen=True):
    """Set one's feet.

    It adds 1 to the defense until the end of the next turn.
    """

    bare = ("combatant",)
    examples = (
        "brace modre",
        "brace --points 2",
    )

    combatant: Actor
    points: Price = None
