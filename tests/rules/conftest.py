"""The vectors that are tests: those of the file in this folder, or of every file given with `--vectors`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

OURS = Path(__file__).with_name("vectors.json")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--vectors",
        action="append",
        metavar="FILE",
        type=Path,
        help="run every vector of this file instead of those of tests/rules/vectors.json (repeatable)",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "vector" in metafunc.fixturenames:
        vectors = vectors_of(metafunc.config)
        metafunc.parametrize("vector", vectors, ids=[vector["id"] for vector in vectors])


def vectors_of(config: pytest.Config) -> list[dict[str, Any]]:
    """Return the vectors of this run, in the order of their files."""
    files: list[Path] | None = config.getoption("--vectors", default=None)
    if files:
        return [vector for file in files for vector in read(file)]
    return read(OURS)


def read(file: Path) -> list[dict[str, Any]]:
    """Return the vectors of one file, or raise a usage error if it has none."""
    try:
        vectors = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise pytest.UsageError(f"{file} holds no vectors: {error}") from error
    if not isinstance(vectors, list) or not all(
        isinstance(v, dict) and {"id", "rule", "do"} <= v.keys() for v in vectors
    ):
        raise pytest.UsageError(
            f"{file} holds no vectors: it must be a list of objects with id, rule, given, do, expect"
        )
    return vectors
