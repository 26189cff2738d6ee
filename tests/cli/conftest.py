"""The command line in a directory of its own, in this process or on a terminal."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.app import main
from mam_events.log.encounters import Encounters
from tests.cli.calls import Begin, Mam, Rows

EXAMPLE = Path(__file__).parents[2] / "examples" / "modre-and-the-clone.toml"


@pytest.fixture(autouse=True)
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Enter an empty directory, with no environment variable set that mam reads."""
    for name in [name for name in os.environ if name.startswith("MAM_") or name in {"NO_COLOR", "COLUMNS"}]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def mam() -> Mam:
    """Return the real `main`, called as a shell calls it."""
    return Mam()


@pytest.fixture(scope="session")
def played_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play the printed fight once per test session and return the store."""
    store = tmp_path_factory.mktemp("played") / "mam.db"
    result = CliRunner().invoke(main, ["play", str(EXAMPLE), "--store", str(store)])
    assert result.exit_code == 0, result.output
    return store


@pytest.fixture
def fight(played_store: Path, table: Path) -> Path:
    """Copy the store with the printed fight (21 rulings) into the working directory."""
    store = table / "mam.db"
    shutil.copy(played_store, store)
    return store


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Callable[[tuple[str, ...]], Path]:
    """Return a function that runs commands in a new store, the same ones once per test session."""

    @cache
    def store_of(lines: tuple[str, ...]) -> Path:
        store = tmp_path_factory.mktemp("store") / "mam.db"
        Mam().run_all(*(f"{line} --store {store}" for line in lines))
        return store

    return store_of


@pytest.fixture
def begin(stores: Callable[[tuple[str, ...]], Path], table: Path) -> Begin:
    """Return a function that puts a store into the working directory in which the commands in these lines were run."""
    return lambda *lines: shutil.copy(stores(lines), table / "mam.db")


@pytest.fixture
def modres_turn(begin: Begin) -> None:
    """Join Modre and the Clone with six points each, and begin Modre's first turn: five rulings."""
    begin(
        "new duel",
        "join modre --name Modre --hp 6 --weapon id=ice-blade,power=3,attack=1,sharpness=-2,reach=1",
        "join clone --name Clone --hp 6 --body attack=2",
        "initiative",
        "begin-turn",
    )


@pytest.fixture
def rows(table: Path) -> Rows:
    """Return a function that reads every row of every encounter in the store of this directory."""

    def read() -> dict[str, list[tuple[int, str, bytes]]]:
        if not (table / "mam.db").exists():
            return {}
        with Encounters.at(table / "mam.db") as store:
            return {name: store.rows(name) for name in store.encounters()}

    return read
