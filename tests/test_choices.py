"""Each set of choices is written once, in its Literal; lists come from `typing.get_args`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]


READ = (ast.Subscript, ast.Compare, ast.Tuple, ast.List, ast.Set)
"""The kinds of nodes that are read. All nodes of the program together take 400 MB."""


@cache
def program_nodes() -> list[tuple[Path, list[ast.AST]]]:
    """Return every file of the program with the nodes of its syntax tree that are read."""
    return [
        (file, [node for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, READ)])
        for part in ("mam_events", "projections", "cli", "web")
        for file in sorted((ROOT / part).rglob("*.py"))
    ]


def words(nodes: Sequence[ast.expr]) -> frozenset[str]:
    """Return the strings in a list of several strings and nothing else, or an empty set."""
    literal_words = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return frozenset(literal_words) if len(literal_words) == len(nodes) > 1 else frozenset()


def inside_literals(nodes: Sequence[ast.AST]) -> Iterator[ast.expr]:
    for node in nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Literal":
            yield node.slice


def literals() -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the place of each Literal and the values that it allows."""
    for file, nodes in program_nodes():
        for choices in inside_literals(nodes):
            if isinstance(choices, ast.Tuple) and (allowed := words(choices.elts)):
                yield f"{file.relative_to(ROOT)}:{choices.lineno}", allowed


def lists() -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the place of each list of several strings outside a Literal.

    Lists after `in` don't count: mypy uses them to tell kinds apart.
    """
    for file, nodes in program_nodes():
        passed = {id(choices) for choices in inside_literals(nodes)}
        passed |= {id(one) for node in nodes if isinstance(node, ast.Compare) for one in node.comparators}
        for node in nodes:
            if isinstance(node, ast.Tuple | ast.List | ast.Set) and id(node) not in passed and words(node.elts):
                yield f"{file.relative_to(ROOT)}:{node.lineno}", words(node.elts)


def test_no_literal_is_repeated() -> None:
    places: dict[frozenset[str], str] = {}
    assert [
        (place, places[allowed]) for place, allowed in literals() if places.setdefault(allowed, place) != place
    ] == []
    assert len(places) > 30


def test_no_list_of_choices_repeats_a_literal() -> None:
    places = {allowed: place for place, allowed in literals()}
    assert [(place, places[choice]) for place, choice in lists() if choice in places] == []
