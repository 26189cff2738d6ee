"""The tests as a rule book: every rule of Mano a Mano is named by a test."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
RULES: dict[str, int] = {
    "MAM-GEN": 3,
    "MAM-ROLL": 5,
    "MAM-DICE": 5,
    "MAM-DIFF": 2,
    "MAM-CONT": 4,
    "MAM-CIRC": 5,
    "MAM-ORDER": 5,
    "MAM-TURN": 10,
    "MAM-SURP": 5,
    "MAM-CTR": 6,
    "MAM-COMBO": 6,
    "MAM-HP": 3,
    "MAM-POOL": 12,
    "MAM-PHASE": 6,
    "MAM-WND": 10,
    "MAM-REST": 5,
    "MAM-ATK": 12,
    "MAM-INTF": 7,
    "MAM-MNV": 5,
    "MAM-MNP": 10,
    "MAM-ARM": 7,
    "MAM-THR": 5,
    "MAM-ARC": 3,
    "MAM-POS": 5,
    "MAM-MNT": 4,
    "MAM-VEH": 5,
    "MAM-EX": 6,
    "MAM-CP": 8,
}
"""How many rules each section of the digest has, counted from 1."""


def rules() -> set[str]:
    """Return the ids of all rules."""
    return {f"{section}-{number:02}" for section, count in RULES.items() for number in range(1, count + 1)}


def test_every_rule_is_named_by_a_test() -> None:
    names = {rule for text in sentences() for rule in re.findall(r"MAM-[A-Z]+-\d\d", text)}
    assert sorted(rules() - names) == []


def test_every_rule_named_by_a_test_exists() -> None:
    names = {rule for text in sentences() for rule in re.findall(r"MAM-[A-Z]+-\d\d", text)}
    assert sorted(names - rules()) == []


def sentences() -> Iterator[str]:
    """Yield the docstring of each test in this directory, or "" if it has none."""
    for file in sorted(HERE.rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield ast.get_docstring(node) or ""
