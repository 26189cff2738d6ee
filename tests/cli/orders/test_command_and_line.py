"""Every order as a command and as a line: both parse alike, in full and without each optional field."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, cast

import click
import pytest
from msgspec import NODEFAULT, to_builtins
from msgspec.structs import FieldInfo, fields, replace

from cli.app import main
from cli.orders.syntax import COMMAND_ALIASES, format_order
from cli.session import Session
from mam_events.commands import COMMANDS, Command, Move, Open, Ready, name_of
from mam_events.dice import DieNotDrawn, NewSeedNeeded
from mam_events.errors import MamError
from mam_events.fights import FightNote, FightOrder, load_fight
from mam_events.log.combat_log import CombatLog
from mam_events.notation.context import LineContext
from mam_events.notation.grammar.dice import dice_fields, write_dice
from mam_events.notation.grammar.long_form import actor_field, long_form
from mam_events.notation.lexer.lexer import orders_in, quoted_text
from mam_events.notation.line_log import LineLog
from mam_events.notation.orders.grip_points import MANIPULATION_ORDERS
from mam_events.notation.orders.open_references import resolve_open_references
from mam_events.notation.orders.parser import complete_order, parse_order
from tests.effort import EXAMPLES as TRIES
from tests.fights.tables import ERRORS, Table
from tests.rules.fights import fights

OTHERWISE = ("open", "join", "adjust", "change-rules", "close")
"""Orders whose commands have their own grammar."""
EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.toml"))
NO_FIGHTS = {"party", "points", "layers", "toughness"}
"""Examples that are no fights."""
MOST = 6
"""The maximum number of orders tried of each kind; more are seldom useful."""


def default_of(field: FieldInfo) -> Any:
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def given_fields(command: Command) -> dict[str, Any]:
    """Return the required fields of a command and the fields that differ from their defaults."""
    return {
        field.name: to_builtins(getattr(command, field.name))
        for field in fields(type(command))
        if field.required or getattr(command, field.name) != default_of(field)
    }


def as_command(log: CombatLog, do: str, values: Mapping[str, Any]) -> Command | str:
    """Return the command that the command line builds from those fields, or the error."""
    kind = COMMANDS[do]
    situation = [word for text in values.get("situation", ()) for word in ("--situation", text)]
    hidden = ["--visibility", values["visibility"]] if "visibility" in values else []
    own = {name: one for name, one in values.items() if name not in ("situation", "visibility")}
    bare = shlex.split(format_order(do, {name: one for name, one in own.items() if name in kind.bare}))
    more = {name: f"--{name.replace('_', '-')}" for name in own if name not in kind.bare}
    options = [word for name, option in more.items() for word in typed(name, option, own[name])]
    words = [*bare, *options, *situation, *hidden]
    commands: list[Command] = []
    session = Session()
    session.encounter_name, session.quiet = "fight", True
    session._log, session._lent = cast("LineLog", log), True  # noqa: SLF001 - no store is named in memory
    session.arguments, session.instead_of_giving = words, lambda _, command: commands.append(command)
    try:
        with main.make_context("mam", list(words), obj=session) as outer:
            name, subcommand, rest = main.resolve_command(outer, list(words))
            assert subcommand is not None
            with subcommand.make_context(name, rest, parent=outer) as inner:
                subcommand.invoke(inner)
    except MamError as error:
        return error.sentence
    except click.ClickException as error:
        return error.format_message()
    return commands[0]


def typed(name: str, option: str, value: Any) -> list[str]:
    """Return an option and its value as typed words.

    The option is repeated for each of several values. The faces of dice are joined by commas.
    """
    if value is True:
        return [option]
    if isinstance(value, Mapping):
        return [word for key, one in value.items() for word in (option, f"{key}={joined(one)}")]
    if isinstance(value, list | tuple) and name != "dice":
        return [word for one in value for word in (option, str(one))]
    return [option, joined(value)]


def joined(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def as_line(log: CombatLog, line: str) -> Command | str:
    """Return the command that a line means, or the sentence of the error or question."""
    state = log.at("fight")
    fight = LineContext(state, log.rules.in_force(state.ruleset))  # type: ignore[arg-type]  # it is open
    try:
        parsed, _ = parse_order(fight, orders_in(line)[0])
        order, remainder = complete_order(fight, parsed)
        assert not remainder, line
        return resolve_open_references(order.command, order.left_out, state)
    except ERRORS as error:
        return error.sentence


def short_line(command: Command, without: str) -> str:
    """Write a short line that names every field but the dice, and leaves out the field `without`."""
    kind, actor = type(command), actor_field(type(command))
    skip = {actor, "visibility", without, *dice_fields(kind)}
    words = [word for name, one in given_fields(command).items() if name not in skip for word in in_line(name, one)]
    if without in dice_fields(kind):
        default = {field.name: default_of(field) for field in fields(kind)}[without]
        command = replace(command, **{without: default})
    faces = [f"[{write_dice(command)}]"] if write_dice(command) else []
    who = [getattr(command, actor)] if actor and without != actor else []
    return " ".join([*who, name_of(kind), *words, *faces])


def in_line(name: str, value: Any) -> list[str]:
    if isinstance(value, bool):
        return [f"{name}={'yes' if value else 'no'}"]
    if isinstance(value, Mapping):
        return [f"{name}=({' '.join(f'{key}={one}' for key, one in value.items())})"]
    if isinstance(value, list | tuple):
        numbers = all(isinstance(one, int) for one in value)
        return [f"{name}={joined(value)}"] if numbers else [f"{name}={quoted_text(one)}" for one in value]
    return [f"{name}={value if isinstance(value, int) else quoted_text(value)}"]


def outcome(log: CombatLog, command: Command | str) -> object:
    """Return the events of an order and the state after it, or the error.

    For an order that draws a die, return the first die that it draws, or `NewSeedNeeded`, with the order.
    """
    if isinstance(command, str):
        return command
    judge = log.trial("fight")
    try:
        ruling = judge(log.at("fight"), command, judge.timeline.number + 1)
    except DieNotDrawn as die:
        return die.key, command
    except NewSeedNeeded:
        return NewSeedNeeded, command
    except ERRORS as error:
        return error.sentence
    return ruling.events, ruling.state


class Compared:
    """Orders that were tried both ways, and those that differed, by name."""

    def __init__(self) -> None:
        self.tried: dict[str, int] = defaultdict(int)
        self.otherwise: dict[str, list[str]] = defaultdict(list)

    def compare(self, log: CombatLog, command: Command) -> None:
        """Give nothing, and read an order both ways: whole, then without each field that may go without saying."""
        do = name_of(type(command))
        right = outcome(log, command)
        if do in OTHERWISE or self.tried[do] == MOST or isinstance(right, str):
            return
        self.tried[do] += 1
        state, values = log.at("fight"), given_fields(command)
        idle = command == Ready(values.get("combatant", "")) or (
            isinstance(command, Move) and not command.points and command.metres is None
        )
        if not idle:
            # Only the long form can ready no points, or move no distance.
            self._same(log, command, do, values, long_form(command, state.open_exchange), right)
        for name in values:
            if name in ("visibility", "situation") or (
                name in COMMANDS[do].bare and name != actor_field(type(command))
            ):
                continue
            if name == "points" and do in MANIPULATION_ORDERS:
                # Without points of a manipulation a line asks, but a command only warns.
                continue
            rest = {key: one for key, one in values.items() if key != name}
            self._same(log, command, do, rest, short_line(command, name))

    def _same(
        self, log: CombatLog, command: Command, do: str, values: Mapping[str, Any], line: str, right: object = None
    ) -> None:
        field_command, line_command = as_command(log, do, values), as_line(log, line)
        outcomes = outcome(log, field_command), outcome(log, line_command)
        if right is None and isinstance(outcomes[0], str):
            # A line may infer more, such as the only possible combatant. Don't compare it with a refused command.
            return
        if outcomes[0] != outcomes[1] or (right is not None and outcomes[0] != right):
            self.otherwise[do].append(f"{command}\n  {values}: {field_command}\n  {line}: {line_command}")


class Watched(Table):
    """A random player who parses each legal order both ways first."""

    def __init__(self, random: Random, counts: Compared) -> None:
        self.compared = counts
        super().__init__(random, secrets=False)

    def order(self, command: Command, **how: Any) -> None:
        if not how and not isinstance(command, Open):
            self.compared.compare(self.log, command)
        super().order(command, **how)


SCENES: tuple[tuple[Open, tuple[str, ...]], ...] = (
    (
        Open("mam_pools"),
        (
            "join lin x hp=9 weapon=(gun kind=gun power=3 range=9 shots=1 loaded=1)",
            "join ben y hp=9",
            "join car y hp=9 training=vehicle",
            "initiative first=lin reason=so",
            "lin: begin-turn",
            "lin: aim gun",
            "lin: unload gun",
            "lin: end-turn",
            "ben: begin-turn",
            "ben: end-turn",
            "car: begin-turn",
            "car: end-turn",
            "lin: begin-turn",
            "lin: load gun",
            "lin: end-turn",
            "ben: begin-turn",
            "ben: mount car",
            "ben: dismount",
        ),
    ),
    (
        Open("mam_pools", {"hold_maintenance": "respend_each_round"}),
        (
            "join lin x hp=9",
            "join ben y hp=9",
            "initiative first=lin reason=so",
            'adjust "so" hold=(lin grip 1 held=ben)',
            "lin: begin-turn",
            "lin: maintain-grapple grip",
            "lin: take-position dominant_standing ben",
        ),
    ),
    (
        Open("mam_pools"),
        (
            "join lin x hp=9 weapon=(axe readied=no)",
            "join ben y hp=9",
            "join cid y hp=9",
            "initiative first=lin reason=so",
            'adjust "so" hold=(lin grip 1 held=ben)',
            "lin: begin-turn",
            "lin: release grip",
            "lin: ready-weapon axe",
            "lin: drop-item axe",
            "lin: pick-up-item axe",
            "lin: drop points=1",
            "lin: stand points=1",
            "lin: attack ben body power=1",
            "cid: tackle body points=1",
            "ben: pass",
            "lin: throw-die roll=attack [4]",
            'modify ben "outreached" modifier=-2 until=turn',
        ),
    ),
    (
        Open("mam_speed"),
        (
            "join lin x hp=9 speed=2 movement=5 body=(power=1)",
            "join ben y hp=9 movement=5 body=(power=2)",
            "initiative first=ben reason=so",
            "ben: begin-turn",
            "ben: prepare-counterattack",
            "lin: begin-turn",
            "lin: declare-combo 2 target=ben",
            "ben: attack lin body",
            "resolve [15]",
            "ben: end-turn",
            "lin: change-action",
        ),
    ),
    (
        Open("ron_d6"),
        (
            "join ana x code=(perception=2D search=5D tracking=5D)",
            "join ben y code=(perception=2D agility=3D)",
            "round",
            "roll-initiative ana,ben [ana=5,5 ben=1,1]",
            "ana: declare 2",
            "ana: roll-related search tracking difficulty=2 [4 3 3 3]",
            "ana use tracking v15",
            "ben: roll resistance - code=2D",
        ),
    ),
)
"""Openings with lines, for rare orders."""


def played() -> Iterator[tuple[CombatLog, Sequence[Command | FightNote | FightOrder | str]]]:
    """Yield open logs, each with the orders to give in it."""
    for fight in fights().values():
        log = CombatLog.open("sqlite://", entropy=Random(1).randbytes)
        log.execute("fight", Open(fight.preset, dict(fight.rules)))
        yield log, [order for order in fight.orders if isinstance(order, Command)]
    for path in EXAMPLES:
        if path.stem not in NO_FIGHTS:
            fight_file = load_fight(path)
            log = CombatLog.open("sqlite://", entropy=Random(1).randbytes)
            log.execute("fight", fight_file.opening.what)  # type: ignore[arg-type]  # no remark
            yield log, (*fight_file.joins, *fight_file.lines)
    for opening, lines in SCENES:
        log = CombatLog.open("sqlite://", entropy=Random(1).randbytes)
        log.execute("fight", opening)
        yield log, lines


def given(log: CombatLog, order: Command | FightNote | FightOrder | str) -> Command | FightNote:
    """Return an order as a command or note, as it reads in the current state."""
    if isinstance(order, str):
        command = as_line(log, order)
        assert isinstance(command, Command), command
        return command
    if isinstance(order, FightOrder):
        return (
            order.what
            if isinstance(order.what, FightNote)
            else resolve_open_references(order.what, order.left_out, log.at("fight"))
        )
    return order


@pytest.fixture(scope="module")
def compared() -> Compared:
    """Compare all orders of some random fights, of the fights for options, and of the examples."""
    counts = Compared()
    for seed in range(TRIES // 2):
        table = Watched(Random(seed), counts)
        for _ in range(40):
            table.step()
    for log, orders in played():
        with log:
            for order in orders:
                what = given(log, order)
                try:
                    if isinstance(what, FightNote):
                        log.note("fight", what.text)
                        continue
                    counts.compare(log, what)
                    log.execute("fight", what)
                except ERRORS:
                    continue
    return counts


@pytest.mark.parametrize("do", sorted(set(COMMANDS) - set(OTHERWISE)))
def test_an_order_is_parsed_alike_as_a_command_and_as_a_line(compared: Compared, do: str) -> None:
    assert compared.tried[do], f"no fight has a legal {COMMAND_ALIASES.get(do, do)}"
    assert not compared.otherwise[do], "\n".join(compared.otherwise[do][:3])
