"""The texts of refusals and their uses in the code match, and no name is passed as a text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from cli.docgen import refusals as refusals_page
from mam_events.refusals.renderer import REDACTED
from mam_events.refusals.texts import refusals, texts

ROOT = Path(__file__).parents[2]
FILES = [file for part in ("mam_events", "projections", "cli", "web") for file in sorted((ROOT / part).rglob("*.py"))]
OPTIONS = {"rule", "fields", "wrong", "allowed", "hints"}
"""Arguments that are not placeholders of a text."""


def calls(file: Path) -> Iterator[ast.Call]:
    """Yield every call in a file that builds a refusal or a part of one."""
    source = file.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)) if "Refused(" in source or "text_fragment(" in source else ():
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("Refused", "text_fragment")
        ):
            yield node


def keys(call: ast.Call) -> list[str]:
    """Return the keys that a refusal may have, where the code spells them out."""
    return list(keys_in(call.args[0]))


def keys_in(key: ast.expr) -> Iterator[str]:
    """Yield the keys in an expression: one, either of two, or those of a table."""
    match key:
        case ast.Constant(value=str() as text):
            yield text
        case ast.IfExp():
            yield from (*keys_in(key.body), *keys_in(key.orelse))
        case ast.Subscript(value=ast.Dict() as table):
            for value in table.values:
                yield from keys_in(value)


def places(key: str) -> set[str]:
    """Return the names of the placeholders in a text."""
    return {name for _, name, _, _ in Formatter().parse(texts()[key]) if name is not None}


MADE = [(file, call) for file in FILES for call in calls(file)]
DATA = [(file, call) for file, call in MADE if len(call.args) == 1]


@pytest.mark.parametrize(("file", "call"), DATA, ids=lambda part: part.stem if isinstance(part, Path) else part.lineno)
def test_a_refusal_passes_exactly_the_arguments_of_its_text(file: Path, call: ast.Call) -> None:
    arguments = {word.arg for word in call.keywords}
    assert keys(call), f"{file}:{call.lineno}: write the keys out"
    for key in keys(call):
        needed = places(key)
        assert arguments - OPTIONS == needed - {"near", "wrong"}, (file, call.lineno, key)
        assert "near" not in needed or {"allowed", "wrong"} <= arguments, (file, call.lineno, key)
        assert "wrong" not in needed or "wrong" in arguments, (file, call.lineno, key)


@pytest.mark.parametrize(("file", "call"), DATA, ids=lambda part: part.stem if isinstance(part, Path) else part.lineno)
def test_no_name_is_passed_as_a_text(file: Path, call: ast.Call) -> None:
    for word in call.keywords:
        for node in ast.walk(word.value):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Said", "Term", "Word", "Amount"):
                names = [one for one in ast.walk(node) if isinstance(one, ast.Attribute) and one.attr == "name"]
                assert not names, f"{file}:{call.lineno}: pass the thing itself, not {ast.unparse(names[0])}"


def test_every_text_is_used() -> None:
    used = {key for _, call in DATA for key in keys(call)}
    assert texts().keys() - used - {f"{key}{REDACTED}" for key in used} == set()


def test_a_text_for_other_readers_has_the_same_arguments() -> None:
    for key in texts():
        if key.endswith(REDACTED):
            assert places(key) == places(key.removesuffix(REDACTED))


def test_the_page_has_every_code_and_sentence() -> None:
    assert refusals_page.PAGE.read_text(encoding="utf-8") == refusals_page.refusals_page(), "run make manual"
    assert "{" not in refusals_page.refusals_page()


def test_texts_for_use_in_other_texts_are_not_codes() -> None:
    assert not {"placed", "quoted", "so_amended"} & refusals().keys()
    assert {"out_of_turn", "not_yours", "no_token"} < refusals().keys()
