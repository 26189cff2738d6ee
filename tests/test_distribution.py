"""The wheel and the source distribution are complete, and the program runs from them."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from hatchling.build import build_sdist, build_wheel

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PACKAGES = ("mam_events", "projections", "cli", "web")
RUN = """
import sys
import cli
from cli.app import main
assert cli.__file__.startswith(sys.path[1]), cli.__file__
for line in sys.argv[1:]:
    try:
        main(line.split())
    except SystemExit as end:
        assert not end.code, line
"""
EVENING = (
    "new duel",
    "join ana --hp 6",
    "join bo --hp 6",
    "initiative --first ana --reason quicker",
    "begin-turn ana",
    "attack bo --power 1",
    "resolve 6 1",
    "undo",
    "rule MAM-ATK-02",
    "replay --html page.html",
    "verify --judge",
)


def tracked(*parts: str) -> set[str]:
    """Return the files under those folders that git tracks."""
    process = subprocess.run(("git", "ls-files", *parts), cwd=ROOT, capture_output=True, text=True, check=True)
    return set(process.stdout.split("\n")) - {""}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel and the source distribution, and return their folder."""
    folder, before = tmp_path_factory.mktemp("built"), Path.cwd()
    os.chdir(ROOT)
    try:
        build_wheel(str(folder))
        build_sdist(str(folder))
    finally:
        os.chdir(before)
    return folder


def test_the_wheel_has_every_file_of_the_program_and_runs_elsewhere(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert tracked(*PACKAGES) <= set(archive.namelist())
        archive.extractall(tmp_path / "site")  # noqa: S202 - it was just built here
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAM_")}
    subprocess.run(
        (sys.executable, "-c", RUN, *EVENING),
        cwd=tmp_path,
        env=environment | {"PYTHONPATH": str(tmp_path / "site"), "NO_COLOR": "1", "HOME": str(tmp_path)},
        capture_output=True,
        check=True,
    )
    assert (tmp_path / "page.html").stat().st_size > 100_000


def test_the_source_distribution_has_every_tracked_file(built: Path) -> None:
    (source,) = built.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert tracked() <= names
