"""Docstrings open with what a thing is, not with a riddle: a noun, or what is true of it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted(
    file
    for room in ("mam_events", "projections", "cli", "web", "benchmarks")
    for file in (ROOT / room).rglob("*.py")
    if "node_modules" not in file.parts
)
RIDDLES = {"What", "Whether", "Who", "Whom", "Whose", "How", "Which", "Where", "When", "Why"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_docstring_opens_with_a_riddle(file: Path) -> None:
    texts = [
        node.value.value
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]
    openings = [text.strip().split("\n")[0] for text in texts]
    assert not [text for text in openings if text and text.split()[0].rstrip(",:") in RIDDLES]
