"""What a refusal says is the same at every door: its sentence names no command line, and no door reads it back."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def texts(file: Path) -> Iterator[str]:
    """Every text of a file but for docstrings and patterns, also within f-strings."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    told = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value


DOMAIN = [file for file in sorted((ROOT / "mam_events").rglob("*.py")) if "commands" not in file.parts]
"""All but the orders: sentences of their fields, and examples, are help texts."""


@pytest.mark.parametrize("file", DOMAIN, ids=lambda file: file.stem)
def test_no_sentence_speaks_of_the_command_line(file: Path) -> None:
    assert not [text for text in texts(file) if re.search(r"\bmam [a-z]|(?<![\w-])--[a-z]", text)]


@pytest.mark.parametrize("file", sorted((ROOT / "cli").glob("*.py")), ids=lambda file: file.stem)
def test_no_door_reads_a_sentence_back(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and node.attr == "sentence":
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            read = ast.unparse(node.func.value)
            taken = node.func.attr in ("partition", "rpartition", "split", "startswith", "endswith", "search", "match")
            assert not (taken and read.endswith(("error.sentence", "no.sentence"))), ast.unparse(node)
            said = [ast.unparse(argument) for argument in node.args]
            assert not (node.func.attr in ("search", "match", "findall") and "error.sentence" in said), ast.unparse(
                node
            )
