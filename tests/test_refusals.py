"""Refusals name no command line, and no code parses their sentences."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def texts(file: Path) -> Iterator[str]:
    """Yield every text of a file but for docstrings and patterns, also within f-strings."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    statements = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in statements:
            yield node.value


DOMAIN = [file for file in sorted((ROOT / "mam_events").rglob("*.py")) if "commands" not in file.parts]
"""All modules but the orders, whose descriptions and examples are help texts."""


@pytest.mark.parametrize("file", DOMAIN, ids=lambda file: file.stem)
def test_no_refusal_text_mentions_the_command_line(file: Path) -> None:
    assert not [text for text in texts(file) if re.search(r"\bmam [a-z]|(?<![\w-])--[a-z]", text)]


@pytest.mark.parametrize("file", sorted((ROOT / "cli").rglob("*.py")), ids=lambda file: file.stem)
def test_the_command_line_does_not_parse_sentences(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            receiver, arguments = ast.unparse(node.func.value), map(ast.unparse, node.args)
            # The sentence of an option is data of the rules.
            assert not receiver.endswith(".sentence") or receiver == "option.sentence", ast.unparse(node)
            is_search = node.func.attr in ("search", "match", "fullmatch", "findall", "finditer", "split", "sub")
            assert not (is_search and any(one.endswith(".sentence") for one in arguments)), ast.unparse(node)
