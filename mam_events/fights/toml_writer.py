"""The writer of fight files: the living fight in order, with the face of every die."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import msgspec
from msgspec.structs import replace

from mam_events.commands import (
    ActionOrder,
    Adjust,
    Close,
    Command,
    Interrupt,
    Join,
    MoveUp,
    Open,
    Resolve,
    ThrowDie,
    resolve_kind,
)
from mam_events.errors import Refused
from mam_events.events import Note
from mam_events.fights.normalize import (
    command_as_given,
    first_bookkeeping,
    plays_in_story_order,
    recorded_faces,
    written_visibility,
)
from mam_events.fights.orders import FightNote
from mam_events.history.timeline.rulings import Ruling, living_plays
from mam_events.history.timeline.timeline import Timeline
from mam_events.refusals import arguments
from mam_events.visibility import PUBLIC

WIDE = 118
"""The length from which on the weapons and equipment of a combatant have lines of their own."""

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\"}


def write_fight(timeline: Timeline, encounter: str = "") -> str:
    """Write the fight as it now counts as the text of a fight file; when played, it gives the same events.

    Undone and void rulings are left out and references are renumbered. Commands are written as amended and in their
    places, drawn faces as thrown ones. Notes stay if they are about the fight or about a ruling that stays, except
    disputes that a correction settled. Hidden rulings are included. Thrown faces can't express one thing: a tie for
    initiative that was drawn and drawn again is written as the game master's word for the winner.

    Refused with `needs_bookkeeping` if a ruling counts only with bookkeeping of a correction.
    """
    rulings = {ruling.number: ruling for ruling in living_plays(timeline)}
    if ruling := first_bookkeeping(rulings):
        raise Refused(
            "needs_bookkeeping/file",
            number=arguments.RulingArgument(ruling.number),
            correction=arguments.RulingArgument(ruling.rejudged_by),
        )
    order = list(plays_in_story_order(timeline, rulings))
    numbers = {old: new for new, old in enumerate(order, start=1)}
    opening, rest = rulings[order[0]], order[1:]
    first = next(
        (i for i, n in enumerate(rest) if n not in rulings or not isinstance(rulings[n].command, Join)), len(rest)
    )
    lines = toml_lines(_opening(opening, encounter))
    if first:
        lines += ["", "# Rulings from 2 on, in this order.", "combatants = ["]
        lines += [f"    {_combatant(_play(rulings[n], numbers, opening.head.by))}," for n in rest[:first]]
        lines += ["]"]
    if rest[first:]:
        lines += [
            "",
            "# The number after a line is that of its ruling when this file is played.",
            "commands = [",
        ]
        for number in rest[first:]:
            ruling = rulings.get(number)
            fields = _play(ruling, numbers, opening.head.by) if ruling else _note(timeline, number, numbers, opening)
            lines.append(f"    {_value(fields)},  # {numbers[number]}")
        lines += ["]"]
    return "\n".join(lines) + "\n"


def write_sheet(ruling: Ruling) -> str:
    """Write a combatant, as they joined, as the text of a party file."""
    fields = _play(ruling, {}, ruling.head.by)
    return f"combatants = [\n    {_combatant(fields)},\n]\n"


def _opening(ruling: Ruling, encounter: str) -> dict[str, Any]:
    command = ruling.command
    assert isinstance(command, Open)  # noqa: S101 - ruling 1 is always the opening
    fields = {
        "encounter": encounter,
        "title": command.title,
        "preset": command.preset,
        "ruleset": command.ruleset,
        "by": ruling.head.by,
        "word": command.word,
        "visibility": "" if ruling.visibility == PUBLIC else ruling.visibility,
        "house_rules": command.house_rules,
    }
    return {name: value for name, value in fields.items() if value}


def _play(ruling: Ruling, numbers: Mapping[int, int], usual_by: str) -> dict[str, Any]:
    """Return a play as the fields of a line."""
    command = command_as_given(ruling)
    if isinstance(command, Join) and command.kind == resolve_kind(bare_join := replace(command, kind=None)) == "npc":
        command = bare_join
    fields: dict[str, Any] = msgspec.to_builtins(command, builtin_types=(Decimal,))
    fields |= recorded_faces(command, ruling)
    fields |= _renumbered(command, ruling, numbers)
    if isinstance(command, Close):
        fields.pop("seed", None)
    values = {name: fields[name] for name in ("do", *command.__struct_fields__) if fields.get(name) not in (None, {})}
    visibility = written_visibility(ruling)
    return values | _by(ruling.head.by, usual_by) | ({"visibility": visibility} if visibility else {})


def _note(timeline: Timeline, number: int, numbers: Mapping[int, int], opening: Ruling) -> dict[str, Any]:
    head = timeline.heads[number - 1]
    assert isinstance(head, Note)  # noqa: S101 - only plays and notes are written
    remark = FightNote(head.text, head.kind, numbers.get(head.about, 0), head.rule, head.visibility)
    fields: dict[str, Any] = msgspec.to_builtins(remark)
    return fields | _by(head.by, opening.head.by)


def _by(by: str, usual: str) -> dict[str, str]:
    return {} if by == usual else {"by": by}


def _renumbered(command: Command, ruling: Ruling, numbers: Mapping[int, int]) -> dict[str, Any]:
    """Return the references of a command with the numbers of the file; None for those that can be left out."""
    fields: dict[str, Any] = {}
    if hasattr(command, "exchange"):
        # Orders refer to the open exchange, except points spent on an earlier roll.
        fields["exchange"] = None if command.exchange in (0, ruling.before.open_exchange) else numbers[command.exchange]
    if hasattr(command, "grapple"):
        fields["grapple"] = _hold(command.grapple, ruling, numbers)
    fields |= _acting(command, ruling, numbers)
    if command.interferes:
        against = getattr(command, "action", 0)
        fields["action"] = None if against in (0, getattr(command, "exchange", 0)) else numbers[against]
    elif isinstance(command, Resolve):
        for name in ("interference_die", "confirmation_die"):
            faces = recorded_faces(command, ruling).get(name, {})
            new = {str(numbers[int(key)]) if key.isdecimal() else key: face for key, face in faces.items()}
            fields[name] = new or None
    elif isinstance(command, ThrowDie):
        fields["action"] = numbers.get(command.action)
    elif isinstance(command, Adjust):
        fields["answers"] = numbers.get(command.answers)
        if command.outcome:
            outcome = msgspec.to_builtins(command.outcome)
            fields["outcome"] = {name: value for name, value in outcome.items() if name != "exchange"}
    return fields


def _acting(command: Command, ruling: Ruling, numbers: Mapping[int, int]) -> dict[str, Any]:
    """Return the references of an order in a round of Ron d6."""
    fields: dict[str, Any] = {}
    if isinstance(command, ActionOrder):
        fields["related"] = [numbers[number] for number in command.related] or None
    if isinstance(command, Interrupt):
        fields["against"] = None if command.against == ruling.before.open_exchange else numbers[command.against]
    elif isinstance(command, MoveUp):
        fields["against"] = numbers.get(command.against)
    return fields


def _hold(name: str, ruling: Ruling, numbers: Mapping[int, int]) -> str:
    """Return the name of a hold in the file.

    A hold has the number of the ruling that declared it; one that the game master named keeps its name.
    """
    for holder in ruling.before.combatants.values():
        for grapple in holder.grapples:
            if grapple.id == name == f"{grapple.kind}-{grapple.exchange}":
                return f"{grapple.kind}-{numbers.get(grapple.exchange, grapple.exchange)}"
    return name


def _combatant(fields: Mapping[str, Any]) -> str:
    """Return a combatant as an inline table, with one line per thing if a single line is too long."""
    values = {"id" if name == "combatant" else name: value for name, value in fields.items() if name != "do"}
    short = _value(values)
    if len(short) <= WIDE:
        return short
    pairs = []
    for name, value in values.items():
        if isinstance(value, Sequence) and not isinstance(value, str) and value and isinstance(value[0], Mapping):
            things = "".join(f"        {_value(thing)},\n" for thing in value)
            pairs.append(f"{name} = [\n{things}    ]")
        else:
            pairs.append(f"{name} = {_value(value)}")
    return f"{{ {', '.join(pairs)} }}"


def toml_lines(values: Mapping[str, Any]) -> list[str]:
    """Return plain values by key, one line of TOML each."""
    return [f"{_key(name)} = {_value(value)}" for name, value in values.items()]


def _value(value: Any) -> str:
    """Return a plain value as TOML, on one line."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_key(name)} = {_value(part)}" for name, part in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, Sequence):
        return f"[{', '.join(_value(element) for element in value)}]"
    return str(value)


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else _text(name)


def _text(text: str) -> str:
    return f'"{"".join(_ESCAPES.get(c) or (c if c.isprintable() else _escaped(c)) for c in text)}"'


def _escaped(character: str) -> str:
    return f"\\U{ord(character):08X}"
