"""The JSON Schema of the orders: complete, in its dialect, and true of every order."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mam_events.commands import COMMANDS, Command
from mam_events.errors import BadInput
from mam_events.fights import load_fight
from mam_events.fights.file import FILE_ORDERS
from mam_events.schema import DIALECT, schema
from tests.json_schema import problems

WHOLE = schema()
FIGHTS = [file for file in (Path(__file__).parents[1] / "examples").glob("*.toml") if "commands" in file.read_text()]


def pieces(part: Any, name: str = "$") -> Iterator[tuple[str, Any]]:
    """Yield every keyword of a schema with its value."""
    if isinstance(part, dict):
        for word, value in part.items():
            yield word, value
            yield from pieces(value, word)
    elif isinstance(part, list):
        for one in part:
            yield from pieces(one, name)


def test_orders_are_discriminated_by_their_name() -> None:
    assert WHOLE["$schema"] == DIALECT
    discriminator = WHOLE["discriminator"]
    assert (discriminator["propertyName"], set(discriminator["mapping"])) == ("do", set(COMMANDS))
    for name, at in discriminator["mapping"].items():
        assert {"$ref": at} in WHOLE["anyOf"]
        assert WHOLE["$defs"][at.removeprefix("#/$defs/")]["properties"]["do"]["enum"] == [name]


@pytest.mark.parametrize("do", COMMANDS)
def test_an_order_has_the_fields_of_its_command(do: str) -> None:
    kind = COMMANDS[do]
    definition = WHOLE["$defs"][kind.__name__]
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    assert set(definition["properties"]) == {"do", *fields}
    assert set(definition["required"]) == {"do", *(name for name, field in fields.items() if field.required)}
    assert definition["additionalProperties"] is False
    assert definition["x-examples"] == [f"mam {example}" for example in kind.examples] if kind.examples else True
    assert "  " not in definition["description"]
    if do != "open":
        assert FILE_ORDERS[do].__struct_encode_fields__ == tuple(fields)


def test_every_field_has_a_description() -> None:
    for name, part in WHOLE["$defs"].items():
        for field in part["properties"].keys() - {"do"}:
            assert part["properties"][field]["description"].endswith("."), (name, field)


def test_the_schema_of_one_order_is_part_of_the_whole() -> None:
    for do, kind in COMMANDS.items():
        command_schema = schema(do)
        assert command_schema["$ref"] == f"#/$defs/{kind.__name__}"
        assert command_schema["$defs"].items() <= WHOLE["$defs"].items()
    assert json.loads(json.dumps(WHOLE)) == WHOLE
    with pytest.raises(BadInput, match=r'"atack" is not an order. Did you mean "attack"\?'):
        schema("atack")


def test_the_schema_has_units_choices_and_defaults() -> None:
    attack = WHOLE["$defs"]["Attack"]["properties"]
    assert attack["attacker"]["x-unit"] == "combatant"
    assert attack["attacker"]["x-unsaid"] == "whose turn"
    assert attack["power"]["x-unit"] == "points"
    assert attack["distance"]["x-unit"] == "metres"
    assert "x-unsaid" not in attack["target"]
    assert set(attack["light"]["enum"]) == {"lit", "very_dim", "total_darkness"}
    assert WHOLE["$defs"]["Weapon"]["properties"]["reach"]["x-unit"] == "metres"


def test_patterns_use_only_portable_regex_syntax() -> None:
    patterns = {value for word, value in pieces(WHOLE) if word == "pattern"}
    assert patterns
    for pattern in patterns:
        assert pattern.startswith("^")
        assert pattern.endswith("$")
        assert not re.search(r"\\[AZz]|\(\?P", pattern), pattern


def wrong_with(order: Command | dict[str, Any]) -> list[str]:
    document = json.loads(msgspec.json.encode(order))
    return list(problems(WHOLE, document, WHOLE))


@pytest.mark.parametrize("file", FIGHTS, ids=lambda file: file.stem)
def test_every_order_of_the_examples_is_valid(file: Path) -> None:
    commands = [order.what for order in load_fight(file).orders if isinstance(order.what, Command)]
    assert commands
    assert [problem for order in commands for problem in wrong_with(order)] == []


@pytest.mark.parametrize(
    "order",
    [
        {"do": "attack", "attacker": "rook"},
        {"do": "attack", "attacker": "Rook", "target": "rat"},
        {"do": "attack", "attacker": "rook", "target": "rat", "power": -1},
        {"do": "attack", "attacker": "rook", "target": "rat", "power": 1.5},
        {"do": "attack", "attacker": "rook", "target": "rat", "light": "dusk"},
        {"do": "attack", "attacker": "rook", "target": "rat", "distance": True},
        {"do": "attack", "attacker": "rook", "target": "rat", "why": "so"},
        {"do": "resolve", "exchange": 4, "interference_die": {"x": 3}},
        {"do": "join", "combatant": "rat", "weapon": [{"name": "Teeth"}]},
        {"do": "dance"},
    ],
)
def test_an_invalid_order_is_invalid_under_the_schema(order: dict[str, Any]) -> None:
    assert wrong_with(order)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(order, COMMANDS.get(order["do"], Command))


@pytest.mark.parametrize("metres", [4, 2.5, "2.5"])
def test_a_distance_is_a_number_or_a_string_of_digits(metres: float | str) -> None:
    order = {"do": "move", "combatant": "rook", "metres": metres}
    assert wrong_with(order) == []
    assert msgspec.convert(order, COMMANDS["move"])
