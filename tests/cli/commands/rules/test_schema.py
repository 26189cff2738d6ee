"""`mam schema`, and the validity of every example."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from cli.commands.corrections import adjust
from cli.commands.fight import join
from cli.orders import builder, overrides
from mam_events.commands import COMMANDS, Command, read_command
from mam_events.field_specs import field_specs
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from mam_events.notation.grammar.vocabulary import INFERRED_FIELDS
from mam_events.rules.rulebook import rulebook
from mam_events.sanitize import clean_fields
from mam_events.schema import schema
from projections.rulings.command_text import command_clause
from projections.rulings.index import RulingIndex
from tests.cli.calls import Mam
from tests.fighters import play_printed
from tests.json_schema import problems

GOLDEN = Path(__file__).parents[3] / "golden"
WHOLE = schema()
NAMED = {"combatant": "rook", "n": 1, "id": "knife"}


def stand_in(field_schema: dict[str, Any]) -> object:
    """Return a value for a field that an example leaves out."""
    one = field_schema["enum"][0] if "enum" in field_schema else NAMED[field_schema["x-unit"]]
    return [one] if field_schema.get("type") == "array" else one


def test_mam_schema_prints_the_whole_schema_or_one_order(mam: Mam) -> None:
    assert json.loads(mam("schema").out) == WHOLE
    assert mam("schema", "--json").lines == [WHOLE]
    assert json.loads(mam("schema", "ready-weapon").out) == schema("ready-weapon")
    assert 'Did you mean "attack"?' in mam("schema", "atack", code=2).err


class Typed(NamedTuple):
    """The name and the fields of a typed order."""

    do: str
    said: Mapping[str, Any]


WORDS = dict(line.split(" → ", 1) for line in (GOLDEN / "orders.txt").read_text(encoding="utf-8").splitlines())
"""Every example with its words."""

EXAMPLES = [(do, example) for do, kind in COMMANDS.items() for example in kind.examples if ".toml" not in example]


@pytest.mark.parametrize(("do", "example"), EXAMPLES)
def test_every_example_can_be_typed_and_is_valid(
    do: str, example: str, mam: Mam, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The golden text has the clause of each example, as undo and amend show it."""
    calls: list[Typed] = []

    def order(_: object, name: str, values: Mapping[str, Any], words: Sequence[str] = ()) -> None:
        calls.append(Typed(name, {**values, **dict(zip(COMMANDS[name].bare[1:], words, strict=False))}))

    presets = [name for name in rulebook().presets if COMMANDS[do] in rulebook().edition(name).mechanics]
    mam("new", "yard", "--preset", presets[-1 if "--code" in example else 0])
    for module in (adjust, overrides, join, builder):
        monkeypatch.setattr(module, "submit_order", order)
    mam(*shlex.split(example))
    ((name, values),) = calls
    definition = WHOLE["$defs"][COMMANDS[name].__name__]
    fields = {field: value for field, value in values.items() if value is not None}
    omitted_fields = set(definition["required"]) - fields.keys() - {"do"}
    assert all(field_specs(COMMANDS[name])[field].unsaid or field in INFERRED_FIELDS for field in omitted_fields)
    filled = {field: stand_in(definition["properties"][field]) for field in omitted_fields}
    if "outcome" in fields and name == "adjust":
        fields["outcome"] = {"exchange": 1} | fields["outcome"]
    order_document = {"do": name} | filled | clean_fields(COMMANDS[name], fields)
    assert list(problems(WHOLE, order_document, WHOLE)) == []
    assert WORDS[example] == _words(read_command(order_document))


def test_the_golden_text_has_exactly_the_examples() -> None:
    assert WORDS.keys() == {example for _, example in EXAMPLES}


def _words(command: Command) -> str:
    """Return a command as a clause, as if it were the last ruling of the printed fight.

    A weapon that is left out is the body.
    """
    if getattr(command, "weapon", None) == "":
        command = replace(command, weapon="body")
    with CombatLog.open("sqlite://", entropy=Random(6).randbytes) as log:
        (*_, last) = played_rulings = list(rulings(play_printed(log).timeline("fight")))
        return command_clause(last, RulingIndex(played_rulings, "gm"), replacement=command)
