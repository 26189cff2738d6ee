"""The keys that an evening takes, Enter included: lines of notation against `mam` commands."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import fields

from benchmarks.measure import Line
from mam_events.commands import COMMANDS, Command, name_of
from mam_events.field_specs import field_specs
from mam_events.fights import FightNote, FightOrder
from mam_events.fights.orders import FightFile
from mam_events.log.combat_log import CombatLog
from mam_events.notation.grammar.long_form import default_of
from tests.notation.evenings import NAMES, fight, joins, lines, typed_lines

THIRD = 1 / 3
LOOKS = ("options", "pools", "order", "log", "audit", "explain", "help", "rules", "disputes", "report", "encounters")
"""Commands that only show something: their keys do not count."""


def keys() -> Iterator[Line]:
    """Yield for each evening the keys of its fight in notation against the commands for the same fight.

    The commands are the shortest ones, then those that a newcomer really typed. A third line compares joining.
    """
    for name in NAMES:
        told = fight(name)
        yield _line(f"{name}: the fight in lines", "a command each, at best", lines(name), list(_commands(told)), THIRD)
        before, setup = _typed(name)
        if before:
            yield _line(f"{name}: the fight in lines", "as really typed, mistakes too", lines(name), before, THIRD)
            yield _line(f"{name}: who joins, in lines", "as really typed, mistakes too", joins(name), setup, None)


def _line(work: str, limit: str, now: list[str], before: list[str], bar: float | None) -> Line:
    here, there = (sum(len(line) + 1 for line in said) for said in (now, before))
    return Line(work, limit, here / there, bar, None, here, there, "keys")


def _typed(name: str) -> tuple[list[str], list[str]]:
    """Return the commands really typed, for the fight and for joining it; both are empty where there is no record.

    Commands that only show something are left out.
    """
    commands = [line for line in typed_lines(name) if line.strip() and line.split()[1] not in LOOKS]
    setup = [line for line in commands if line.split()[1] in ("new", "join")]
    return [line for line in commands if line not in setup], [line for line in setup if line.split()[1] == "join"]


def _commands(told: FightFile) -> Iterator[str]:
    """Yield the shortest command for each order of a fight after everybody has joined."""
    log = CombatLog.open("sqlite://")
    for order in told.orders:
        assert isinstance(order, FightOrder)  # noqa: S101 - what a fight is made of
        if isinstance(order.what, FightNote):
            remark = order.what
            yield f'mam {remark.kind} {remark.about} "{remark.text}"'
            log.note(told.encounter, remark.text, kind=remark.kind, about=remark.about)
            continue
        state = log.at(told.encounter) if order is not told.opening else None
        command = order.command(state) if state else order.what
        if order not in (told.opening, *told.joins):
            yield _command(command)
        log.execute(told.encounter, command)


def _command(command: Command) -> str:
    """Return a command as it is typed, without options that have their default."""
    kind = type(command)
    bare = dict.fromkeys((*kind.bare, *kind.also_bare))
    words = ["mam", name_of(command)]
    options: list[str] = []
    for field in fields(kind):
        name, value = field.name, getattr(command, field.name)
        shape = field_specs(COMMANDS[name_of(command)])[name]
        if shape.unsaid or value == default_of(field) or value is None:
            continue
        if name in bare:
            words.append(str(value))
        elif shape.kind is bool:
            options.append(f"--{name}")
        elif isinstance(value, dict):
            options += [f"--{name} {key}={_said(one)}" for key, one in value.items()]
        else:
            options.append(f"--{name} {_said(value)}")
    return " ".join([*words, *options])


def _said(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return f'"{value}"' if " " in str(value) else str(value)
