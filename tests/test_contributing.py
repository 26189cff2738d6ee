"""The files that `CONTRIBUTING.md` lists for a new command, option, route and projection match the examples.

The examples are laid over a copy of the code: their files, and the lines that go into existing files (`places.toml`).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "tests" / "example_order"
FILES = [file.relative_to(EXAMPLE) for file in sorted(EXAMPLE.rglob("*.*")) if file.parent != EXAMPLE]
ROUTE = ROOT / "tests" / "example_route"
ROUTE_FILES = [file.relative_to(ROUTE) for file in sorted(ROUTE.rglob("*.py"))]
PLACES = tomllib.loads((EXAMPLE / "places.toml").read_text(encoding="utf-8"))
HOUSE = (
    "mam_events",
    "projections",
    "cli",
    "web",
    "docs",
    "examples",
    "tests",
    "README.md",
    "CONTRIBUTING.md",
    "pyproject.toml",
)


def listed(section: str) -> list[str]:
    """Return the files that a section of the page lists, each as a pattern."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split(f"\n## {section}\n")[1].split("\n## ")[0]
    return [
        re.sub("MATTER|FOLDER|EDITION|TOPIC", r"\\w+", re.escape(file))
        for file in re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)
    ]


COMMAND, OPTION = listed("A new command"), listed("A new option")
PROJECTED = [*listed("A new projection"), *listed("A new route")]


def matching(patterns: list[str]) -> set[str]:
    """Return the files of the example that match one of those patterns."""
    names = {*map(str, FILES), *PLACES}
    return {name for name in names if any(re.fullmatch(pattern, name) for pattern in patterns)}


@pytest.fixture(scope="module")
def project_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the project and add the example order to it."""
    copy = tmp_path_factory.mktemp("house")
    for name in HOUSE:
        if (ROOT / name).is_dir():
            copytree(ROOT / name, copy / name, ignore=ignore_patterns("__pycache__", "node_modules", "example_*"))
        else:
            (copy / name).write_bytes((ROOT / name).read_bytes())
    for example, files in ((EXAMPLE, FILES), (ROUTE, ROUTE_FILES)):
        for file in files:
            assert (copy / file).parent.is_dir(), file
            assert not (copy / file).exists(), file
            (copy / file).write_bytes((example / file).read_bytes())
    for name, lines in PLACES.items():
        text = (copy / name).read_text(encoding="utf-8")
        for before, added in lines.items():
            assert text.count(f"{before}\n") == 1, (name, before)
            text = text.replace(f"{before}\n", f"{before}\n{added}\n")
        (copy / name).write_text(text, encoding="utf-8")
    for module in (
        "mam_events.rules.build_data",
        "cli.docgen.registry",
        "cli.docgen.commands",
        "cli.docgen.permissions",
        "cli.docgen.refusals",
    ):
        run(copy, "-m", module)
    return copy


def run(house: Path, *words: str, cwd: Path | None = None) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAM_", "PYTEST_"))}
    process = subprocess.run(
        [sys.executable, *words],
        check=False,
        cwd=cwd or house,
        env=environment | {"PYTHONPATH": str(house), "COLUMNS": "110", "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.returncode == 0, process.stdout
    return process.stdout


def test_the_example_has_exactly_the_listed_files() -> None:
    assert len(COMMAND) <= 8
    assert matching([*COMMAND, *OPTION]) == {*map(str, FILES), *PLACES}
    for pattern in (*COMMAND, *OPTION):
        assert matching([pattern]), f"the example has nothing of {pattern}"


@pytest.mark.parametrize("pattern", [*COMMAND, *OPTION])
def test_every_listed_pattern_matches_a_file_of_the_project(pattern: str) -> None:
    names = (str(file.relative_to(ROOT)) for folder in HOUSE for file in (ROOT / folder).rglob("*.*"))
    assert (ROOT / pattern.replace("\\", "")).is_file() or any(re.fullmatch(pattern, name) for name in names)


def test_a_route_with_its_projection_takes_three_short_files() -> None:
    assert {str(file) for file in ROUTE_FILES if any(re.fullmatch(one, str(file)) for one in PROJECTED)} == {
        *map(str, ROUTE_FILES)
    }
    assert len(ROUTE_FILES) == 3
    assert sum(len((ROUTE / file).read_text(encoding="utf-8").splitlines()) for file in ROUTE_FILES) <= 60


@pytest.mark.slow
def test_the_example_order_can_be_typed_judged_exported_and_imported(project_copy: Path, tmp_path: Path) -> None:
    def mam(line: str) -> str:
        return run(project_copy, "-c", "from cli.entry import main; main()", *line.split(), cwd=tmp_path)

    mam("new yard --set bracing_bonus=two")
    for line in ("join modre --hp 6", "join clone --hp 6", "initiative --first modre --reason agreed", "begin-turn"):
        mam(line)
    assert "mam brace modre" in mam("options")
    assert "modre braces: +2 to defense until the end of their next turn" in mam("brace")
    assert "bracing (+2)" in mam("order")
    assert "6 (modre braces)" in mam("undo")
    assert "modre: brace" in mam("do modre braces")
    assert '"Brace"' in mam("schema brace")
    mam("export --format score -o yard.score")
    assert "modre: brace" in (tmp_path / "yard.score").read_text(encoding="utf-8")
    assert "bracing (+2)" in mam("play yard.score --id scored")
    assert '{ do = "brace", combatant = "modre" }' in mam("export --format toml -e yard")
    mam("export -e yard -o yard.ndjson")
    assert "all seals are right" in mam("import yard.ndjson --id again")
    mam("verify -e again --judge")
    assert "brace" in mam("--help")


@pytest.mark.slow
def test_the_checks_of_the_project_pass_with_the_example_order(project_copy: Path) -> None:
    checks = (
        "tests/cli/docgen/test_commands.py",
        "tests/decider/test_offers.py",
        "tests/projections/sentences/test_sentences.py",
        "tests/rules/maneuvering/test_bracing.py",
        "tests/service/routes/test_fallen.py",
        "tests/service/test_openapi.py",
        "tests/rules/test_options.py",
        "tests/test_layers.py",
        "tests/test_contract.py",
        "tests/test_build_data.py",
        "tests/test_sources.py",
        "tests/test_vocabulary.py",
    )
    run(project_copy, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "", *checks)
