"""A vocabulary package exports every name that its files define, and is imported once per file."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.syntax import statements

ROOT = Path(__file__).parents[1]
VOCABULARIES = ("mam_events.state", "mam_events.commands", "mam_events.events")
NO_WORDS = {"mam_events.state.updates"}
"""Functions that change a state, used only by events."""
STATEMENTS = (ast.stmt, ast.excepthandler, ast.match_case)
"""The kinds of node that may contain an import."""


def files_of(vocabulary: str) -> list[Path]:
    folder = ROOT.joinpath(*vocabulary.split("."))
    return [file for file in sorted(folder.glob("*.py")) if file.stem != "__init__"]


def defined(file: Path) -> Iterator[str]:
    """Yield the public names that a file defines at its top level."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        names = [node.name] if isinstance(node, ast.ClassDef | ast.FunctionDef) else []
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        names += [target.id for target in targets if isinstance(target, ast.Name)]
        yield from (name for name in names if not name.startswith("_"))


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_a_package_exports_every_name_of_its_files_once(vocabulary: str) -> None:
    package = import_module(vocabulary)
    words: Counter[str] = Counter()
    for file in files_of(vocabulary):
        module = import_module(f"{vocabulary}.{file.stem}")
        if module.__name__ in NO_WORDS:
            continue
        for name in defined(file):
            words[name] += 1
            assert getattr(package, name, None) is getattr(module, name), (
                f"{vocabulary} exports no {name} of {file.stem}"
            )
    assert max(words.values()) == 1
    assert not set(words) & {file.stem for file in files_of(vocabulary)}


def imports(scope: ast.AST) -> Iterator[str]:
    """Yield the module of each import in a scope, but not of imports in its functions or for types alone."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, STATEMENTS) and not isinstance(node, ast.FunctionDef | ast.If):
            yield from imports(node)


@pytest.mark.parametrize("part", ["mam_events", "projections", "cli", "web", "tests", "benchmarks"])
def test_vocabulary_is_imported_from_its_package_in_one_import(part: str) -> None:
    for file in sorted((ROOT / part).rglob("*.py")):
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        if name.startswith("tests.example_order."):
            # Its file belongs to a package only in a copy of the project.
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        nodes = [*statements(tree)]
        others = [one for one in VOCABULARIES if not name.startswith(f"{one}.")]
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and node.module not in NO_WORDS:
                assert not (node.module or "").startswith(tuple(f"{one}." for one in others)), f"{name}: {node.module}"
        for scope in (tree, *(node for node in nodes if isinstance(node, ast.FunctionDef))):
            times = Counter(imports(scope))
            assert not [one for one in others if times[one] > 1], name
