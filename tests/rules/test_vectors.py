"""The printed rules as numbers: every vector is a test, named by its id."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.rules.adapters import ADAPTERS, play


def test_vector(vector: dict[str, Any]) -> None:
    op = vector["do"]["op"]
    assert op in ADAPTERS, f'{vector["id"]}: there is no adapter for the operation "{op}"'
    expected = play(vector)
    wrong = {
        name: expected.get(name, "nothing")
        for name, value in vector["expect"].items()
        if not agree(expected, name, value)
    }
    assert not wrong, f"{vector['id']} ({vector['rule']}) expects {vector['expect']}, and came to {expected}"


def agree(outcome: dict[str, Any], name: str, expected: Any) -> bool:
    """Return True if a value is as expected; metres compare as numbers, however they are written."""
    if name not in outcome:
        return False
    if name.endswith("_m"):
        return Fraction(str(outcome[name])) == Fraction(str(expected))
    return bool(outcome[name] == expected)
