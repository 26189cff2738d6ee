"""The tests are the rule book: every rule of the sections that are in has a test that names it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
RULES: dict[str, int | tuple[int, ...]] = {
    "MAM-HP": 3,
    "MAM-POOL": 12,
    "MAM-PHASE": 6,
    "MAM-ORDER": 5,
    "MAM-WND": 10,
    "MAM-ATK": (1, 2, 3, 4, 5, 6, 12),
    "MAM-INTF": 7,
    "MAM-EX": 6,
    "MAM-CP": 8,
    "MAM-GEN": 3,
    "MAM-ROLL": 5,
    "MAM-DICE": 5,
    "MAM-DIFF": 2,
    "MAM-CONT": 4,
    "MAM-CIRC": 5,
    "MAM-REST": 5,
    "MAM-TURN": 10,
    "MAM-SURP": 5,
    "MAM-CTR": 6,
    "MAM-COMBO": 6,
}
"""How many rules each section has, counted from 1, or the numbers of those that are in."""


def rules() -> set[str]:
    """The ids of all rules of these sections."""
    listed = {section: range(1, n + 1) if isinstance(n, int) else n for section, n in RULES.items()}
    return {f"{section}-{number:02}" for section, numbers in listed.items() for number in numbers}


def test_every_rule_is_named_by_a_test() -> None:
    named = {rule for text in sentences() for rule in re.findall(r"MAM-[A-Z]+-\d\d", text)}
    assert sorted(rules() - named) == []


def test_every_test_names_a_rule_that_exists_or_none() -> None:
    named = {rule for text in sentences() for rule in re.findall(r"MAM-[A-Z]+-\d\d", text)}
    assert sorted(named - rules()) == []


def sentences() -> Iterator[str]:
    """What the tests of this directory say of themselves."""
    for file in sorted(HERE.glob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield ast.get_docstring(node) or ""
