"""Faces that an order needs where no die is drawn, as in a closed fight."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from contextlib import suppress
from itertools import cycle, islice, pairwise
from typing import TYPE_CHECKING, Any

from cli.orders.syntax import format_order, order_syntax

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.dice import Die
    from mam_events.errors import MamError
    from mam_events.state import Encounter

_MOST = 200
"""The maximum number of dice asked for; no order needs more, but a tie could go on forever."""


class RecordingDice:
    """Dice that show something and record which fields would hold their faces."""

    def __init__(self) -> None:
        self.fields: list[str] = []
        # None of these faces causes another throw, and they differ, so that ties end.
        self._faces = islice(cycle((5, 1, 4, 2, 3)), _MOST)
        self.ruling = 0

    def roll(self, slot: str, kind: str, *, field: str, face: int | None = None, index: int = 0) -> Die:
        """Return some die; a die that was thrown is not recorded."""
        from mam_events.dice import Die

        if face is None:
            self.fields.append(field)
        return Die(f"{slot}/{index}", kind, next(self._faces) if face is None else face, "thrown")


def faces_of(state: Encounter, do: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields for the faces that an order leaves out, with placeholders: FACE, or `N,N,N`.

    The result is empty for an order that cannot be judged for any reason, as with the placeholder METRES.
    """
    from mam_events.commands import COMMANDS
    from mam_events.decider.decide import decide
    from mam_events.rules.rulebook import rulebook

    recorder = RecordingDice()
    with suppress(Exception):
        if state.ruleset is not None:
            command = COMMANDS[do](**{name: value for name, value in fields.items() if value is not None})
            decide(state, command, rulebook().in_force(state.ruleset), recorder)
    bare, options = order_syntax(do)
    faces: dict[str, Any] = {}
    for name, _, whose in (field.partition(".") for field in recorder.fields):
        if name not in (*bare, *options):
            continue
        if whose:
            faces.setdefault(name, {}).setdefault(whose, []).append("N")
        elif name == "dice":
            faces.setdefault(name, []).append("N")
        else:
            faces[name] = "FACE"
    return faces


def face_arguments(do: str, faces: Mapping[str, Any]) -> list[str]:
    """Return those faces as they are typed after such an order."""
    return shlex.split(format_order(do, faces))[len(format_order(do, {}).split()) :]


def with_placeholder_faces(_error: MamError, session: Session) -> str | None:
    """Return the command with placeholders for the faces of dice that nothing draws."""
    from msgspec.structs import asdict

    from mam_events.commands import name_of

    command = session.ordered
    if command is None:
        return None
    do = name_of(command)
    words = face_arguments(do, faces_of(session.state_then(), do, asdict(command)))
    return session.again(*words) if words else None


def with_another_face(error: MamError, session: Session) -> str | None:
    """Return the command with a placeholder for a face that its die doesn't have."""
    from mam_events.commands import name_of

    face = error.wrong
    if session.ordered is None:
        return _amended_by_another(session)
    name, _, whose = getattr(error, "fields", ("",))[0].partition(".")
    option = order_syntax(name_of(session.ordered)).options.get(name)
    words = []
    for before, word in pairwise(("mam", *session.arguments)):
        bare = word == face and before[:1] != "-" and option in (None, "--die")
        text = word if before == option else word.removeprefix(f"{option}=")
        if bare or ((before == option or text != word) and text.startswith(f"{whose}=" if whose else "")):
            pattern = rf"(?<![0-9]){re.escape(face)}(?![0-9])(?=[^=]*$)"
            words.append(re.sub(pattern, "N" if "," in word else "FACE", word))
        else:
            words.append(word)
    return shlex.join(("mam", *words))


def _amended_by_another(session: Session) -> str | None:
    """Return the amendment with placeholders for the faces that it gives, or None for another command."""
    if "amend" not in session.arguments:
        return None
    words = []
    for word in session.arguments:
        field, sign, value = word.partition("=")
        of_dice = sign and re.search(r"(^|[_-])(die|dice)\b", field)
        placeholder = "N" if "," in value else "FACE"
        words.append(f"{field}={re.sub('[0-9]+', placeholder, value)}" if of_dice else word)
    return shlex.join(("mam", *words))
