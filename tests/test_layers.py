"""The layers of the program: imports go one way, and the core does no input or output."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import mam_events
from tests.syntax import statements

ROOT = Path(__file__).parents[1]
PARTS = ("mam_events", "projections", "web", "cli")
PLAN = re.findall(
    r"^((?:mam_events/|projections|web|cli)\S*) {2,}\S", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE
)
"""The layers as `CONTRIBUTING.md` lists them, the lowest first."""
OUTSIDE_WORLD = {"time", "random", "secrets", "uuid", "os", "sys", "pathlib", "io", "tempfile", "socket", "subprocess"}
PURE = PLAN[: PLAN.index("mam_events/rules/rulebook")]
"""The layers without input and output; `history` is among them except for its judge, which reads the store."""

LIBRARY = ("mam_events/store", "mam_events/log", "projections", "web/client")
"""The folders that use the event-sourcing library; in `web/client` only the recorders of a remote log."""


@cache
def parse(text: str) -> ast.Module:
    """Return the syntax tree of a file's text, which several tests read."""
    return ast.parse(text)


def imported_modules(file: Path) -> tuple[str, ...]:
    """Return the full name of each module that a file imports, in functions and for type checking too."""
    return _imported_in(file.read_text(encoding="utf-8"))


@cache
def _imported_in(text: str) -> tuple[str, ...]:
    return tuple(_imports(parse(text)))


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def find_import_cycle(modules: Mapping[str, Path]) -> str:
    """Return a sentence that names an import cycle of those modules, or ""."""
    # An imported name is a module, or something in one.
    imports = {
        name: {one if one in modules else one.rpartition(".")[0] for one in imported_modules(file)}
        for name, file in modules.items()
    }
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        chain = list(reversed(error.args[1]))
        return (
            f"{chain[0]} imports {', which imports '.join(chain[1:])}. Move what both need into a module that imports "
            "neither (checks that several rules share are in mam_events/decider/checks.py), or type the upper one as a "
            "Protocol."
        )
    return ""


@cache
def layer_of(name: str) -> str:
    """Return the layer of a module or of a name in it, or "" for one outside of this project."""
    path = name.replace(".", "/")
    return next((room for room in PLAN if path == room or path.startswith(f"{room}/")), "")


def name_of(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def layer_of_file(file: Path) -> str:
    return layer_of(name_of(file))


def calls(file: Path) -> Iterator[str]:
    for node in ast.walk(parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)


@cache
def files(*parts: str) -> list[Path]:
    files_of_layer = sorted((ROOT.joinpath(*parts)).rglob("*.py"))
    assert files_of_layer, parts
    return files_of_layer


def pure() -> list[Path]:
    core = [file for file in files("mam_events") if layer_of_file(file) in PURE]
    return core + [file for file in files("mam_events", "history") if file.name != "judge.py"]


def test_the_plan_names_every_layer() -> None:
    entries = {file: layer_of_file(file) for part in PARTS for file in files(part)}
    assert [file for file, room in entries.items() if not room] == [
        ROOT / "mam_events" / "__init__.py",
        ROOT / "mam_events" / "rules" / "__init__.py",
    ]
    assert set(entries.values()) - {""} == set(PLAN)


@pytest.mark.parametrize("room", PLAN)
def test_a_layer_imports_only_layers_above_it(room: str) -> None:
    above = PLAN[: PLAN.index(room) + 1]
    for file in (file for part in PARTS for file in files(part)):
        if layer_of_file(file) == room:
            violations = [name for name in imported_modules(file) if layer_of(name) not in ("", *above)]
            assert not violations, (
                f"{file.relative_to(ROOT)} imports {' and '.join(violations)}: {layer_of(violations[0])} stands below "
                f"{room} in CONTRIBUTING.md. Move what both need to the upper room. Checks that rules share are "
                "in mam_events/decider/checks.py."
            )
            assert not [name for name in imported_modules(file) if name.split(".")[0] in ("tests", "benchmarks")], file


def test_there_are_no_import_cycles() -> None:
    circle = find_import_cycle({name_of(file): file for part in PARTS for file in files(part)})
    assert not circle, circle


@pytest.mark.parametrize(
    "text",
    [
        "from one import a",
        "import one",
        "def later():\n    from one import a",
        "if TYPE_CHECKING:\n    from one import a",
    ],
)
def test_an_import_cycle_is_found_wherever_the_import_is(tmp_path: Path, text: str) -> None:
    modules = {name: tmp_path / f"{name}.py" for name in ("one", "two", "three")}
    modules["one"].write_text("from two import b")
    modules["two"].write_text("from three import c")
    modules["three"].write_text("")
    assert not find_import_cycle(modules)
    modules["three"].write_text(text)
    message = find_import_cycle(modules).replace(", which", "")
    assert "one imports two" in message
    assert "three imports one" in message


def test_only_modules_that_store_or_follow_events_import_the_library() -> None:
    """Only the modules that store and follow events know the library.

    Modules that save, read, project or follow events use the library's names. The decider doesn't depend on it.
    """
    files_of_house = files("mam_events") + files("projections") + files("web") + files("cli")
    knows = {
        file for file in files_of_house if "eventsourcing" in {name.split(".")[0] for name in imported_modules(file)}
    }
    assert knows.isdisjoint(pure())
    places = {file: next((place for place in LIBRARY if file.is_relative_to(ROOT / place)), None) for file in knows}
    assert [file for file, place in places.items() if place is None] == []
    assert set(places.values()) == set(LIBRARY)


@pytest.mark.parametrize("part", ["cli", "web", "projections"])
def test_no_caller_checks_the_type_of_a_log(part: str) -> None:
    """What differs is in the log (`LineLog`)."""
    for file in files(part):
        assert not re.search(r"isinstance\([^()]*\w+Log\b", file.read_text(encoding="utf-8")), file


def test_the_program_does_not_import_from_its_public_package() -> None:
    door = {f"mam_events.{name}" for name in mam_events.__all__}
    for file in files("mam_events") + files("projections") + files("web") + files("cli"):
        assert door.isdisjoint(imported_modules(file)), file


def test_the_domain_does_not_import_terminal_libraries() -> None:
    for file in files("mam_events") + files("projections") + files("web"):
        assert not {name.split(".")[0] for name in imported_modules(file)} & {"click", "rich"}, file


@pytest.mark.parametrize("file", pure(), ids=lambda file: str(file.relative_to(ROOT)))
def test_the_core_has_no_input_or_output(file: Path) -> None:
    assert not {name.split(".")[0] for name in imported_modules(file)} & OUTSIDE_WORLD
    names = set(calls(file))
    assert not {call for call in names if call in ("open", "print", "input") or call.endswith((".now", ".today"))}


@pytest.mark.parametrize(
    "part", ["cli", "web", "mam_events/notation", "mam_events/fights", "mam_events/character_points"]
)
def test_json_from_people_is_parsed_without_duplicate_keys(part: str) -> None:
    """JSON from people is read by `parse_json`, or with `unique_keys` as hook; the program's own JSON is exempt."""
    own = (ROOT / "web" / "client").rglob("*.py")
    for file in {*ROOT.glob(f"{part}/**/*.py"), *ROOT.glob(f"{part}.py")} - {*own}:
        for line in file.read_text().splitlines():
            if re.search(r"\bjson\.(decode|loads?)\(", line):
                assert "object_pairs_hook=unique_keys" in line, (file, line)
