"""Bad input gets one sentence and an exit code, and changes nothing."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.app import main
from tests.cli.calls import Mam, Rows
from tests.conftest import Nobody

WEAPON = "id=club,power=2"
AROUND = ("encounter: ", "next: ", "possible now: ")
"""What the lines around the sentence of an error begin with."""


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("attack", "clone", "--power", "7"), 1, "Modre needs 7 ready points and has 6. [MAM-ATK-01]"),
        (("attack", "clone", "modre", "--power", "1"), 1, "it is Modre's turn. [MAM-ORDER-02]"),
        (("move", "7"), 1, "Modre needs 7 ready points and has 6. [MAM-POOL-12]"),
        (("join", "wolf", "--hp", "4", "--pools", "ready=3"), 1, "add up to 3, but must add up to the 4 hit points"),
        (("join", "wolf", "--hp", "4", "--pools", "raedy=4"), 1, 'There is no pool "raedy"'),
        (("attack", "clone", "--power", "-1"), 2, "--power"),
        (("attack", "clone", "--power", "1.5"), 2, "whole number of 0 or more, not '1.5'"),
        (("move", "-1"), 2, "-1 is below 0"),
        (("move", "9" * 20), 2, "POINTS must be a whole number of nine digits at most"),
        (("move", "1.5"), 2, "POINTS must be a whole number of 0 or more, not '1.5'"),
        (("move", "one"), 2, "POINTS is missing"),
        (("move", "clone", "one"), 2, "POINTS must be a whole number"),
        (("move", "1", "--metres", "far"), 2, "metres"),
        (("move", "1", "--metres", "5"), 1, "Modre moves at most 1 m for 1 point, not 5 m. [MAM-POOL-12]"),
        (("attack", "clnoe", "--power", "1"), 1, 'Did you mean "clone"?'),
        (("attack", "Clnoe", "--power", "1"), 1, 'Did you mean "clone"?'),
        (("attack", "modre", "--power", "1"), 1, "cannot be their own target"),
        (("attack", "clone", "--weapon", "ice-balde", "--power", "1"), 1, 'Did you mean "ice-blade"?'),
        (("attack", "clone", "--wepon", "ice-blade"), 2, "Did you mean"),
        (("attack",), 1, "Say how many"),
        (("atack", "clone"), 2, "Did you mean"),
        (("resolve", "2", "1"), 1, "No attack"),
        (("defend", "3"), 1, "No attack"),
        (("begin-turn",), 1, "It is Modre's turn. End it first (end-turn). [MAM-ORDER-01]"),
        (("initiative",), 1, "settled for the whole fight"),
        (("join", "modre", "--hp", "3"), 1, "already in this fight"),
        (("join", "wolf", "--hp", "0"), 2, "whole number of 1 or more"),
        (("join", "wolf", "--hp", "3", "--weapon", "id=club,poewr=2"), 2, 'Did you mean "power"?'),
        (("join", "wolf", "--hp", "3", "--weapon", "club"), 2, "is no pair"),
        (("join", "wolf", "--hp", "3", "--weapon", WEAPON, "--weapon", WEAPON), 1, 'Two things are called "club"'),
        (("join", "wolf", "--hp", "3", "--weapon", "id=club,power=1,power=2"), 2, "--weapon has power twice."),
        (("join", "wolf", "--hp", "3", "--hp", "4"), 2, "--hp is given twice. Give it once."),
        (("attack", "clone", "--power", "1", "-p", "2"), 2, "--power is given twice. Give it once."),
        (("--as", "gm", "--as", "public", "pools"), 2, "--as is given twice. Give it once."),
        (("token", "gm", "--by", "Ana", "--by", "Bob"), 2, "--by is given twice. Give it once."),
        (("join", "wolf", "--hp", "3", "--stride", "-1"), 1, "-1 is not a possible distance"),
        (("join", "wolf", "--hp", "3", "--kind", "npcs"), 2, "--kind npc\n"),
        (("join", "wolf", "--from", "nowhere.toml#wolf"), 2, "nowhere.toml: There is no such file"),
        (("join",), 2, "COMBATANT is missing"),
        (("join", "wolf"), 2, "A combatant needs hit points"),
        (("release", "grip"), 1, 'Modre has no hold "grip"'),
        (("drop-item", "pack"), 1, 'Modre carries no "pack"'),
        (("new", "duel"), 1, 'There is already an encounter "duel"'),
        (("new", "Duel"), 2, '"Duel" is not an id. An id has lower-case letters'),
        (("join", "勇者", "--hp", "3"), 2, "COMBATANT must be a lower-case name: letters a-z"),
        (("new", "Übel"), 2, "For the id ubel and that title, type mam new --title 'Übel'."),
        (("new",), 2, "Missing id of the encounter."),
        (("new", "x", "--preset", "mam_pool"), 1, 'Did you mean "mam_pools"?'),
        (("new", "x", "--set", "half_sucess=never"), 1, 'Did you mean "half_success"?'),
        (("new", "x", "--set", "half_success=nevr"), 1, 'Did you mean "never"?'),
        (
            ("new", "x", "--set", "half_success=never", "--set", "half_success=exact_tie"),
            2,
            "--set half_success=… is given twice",
        ),
        (("new", "x", "--set", "half_success"), 2, "OPTION=READING"),
        (("pools", "-e", "deul"), 4, 'Did you mean "duel"?'),
        (("pools", "--at", "99"), 4, "The newest is 5"),
        (("pools", "--at", "round:7"), 4, "There is no round 7"),
        (("pools", "--at", "later"), 2, "round:2"),
        (("pools", "--at", "9" * 5000), 2, "is not a moment"),
        (("log", "-e", "\udcff"), 2, "No log can hold such a name"),
        (("verify", "duel"), 2, "encounter, use `mam verify -e duel`"),
        (("export", "-o", "x" * 300), 2, "cannot be written"),
        (("export", "-o", "/"), 2, "This is a folder"),
        (("export", "-o", "mam.db", "--force", "--store", "sqlite:///mam.db"), 2, "is the log itself"),
        (("end-turn", "--command-id", "\u202e"), 2, "at least one visible character"),
        (("adjust", "--reason", " "), 2, "Missing reason"),
        (("pools", "--store", ":memory:"), 2, "Name a file"),
        (("amend", "2", "hp=" + "[" * 60_000 + "]" * 60_000), 2, "hp must be a whole number or nothing"),
        (("amend", "2", "hp=5", "hp=6"), 2, "Ruling 2 gets hp twice. Give it once."),
        (
            ("amend", "2", 'body={"reach":1,"re\\u0061ch":2}'),
            2,
            '"reach" is given twice in one pair of braces. Give it once.',
        ),
        (("amend", "2", "hp=" + "[" * 300 + "]" * 300), 2, "hp must be a whole number or nothing, not a list"),
        (("pools", "--as-of", "99"), 4, "The newest is 5"),
        (("pools", "--as", "nobody"), 4, 'There is no side "nobody"'),
        (("options", "clnoe"), 1, 'Did you mean "clone"?'),
        (("end-turn", "--visibility", "GM!"), 2, "the lower-case name of a side"),
        (("end-turn", "--after", "99"), 4, "There is no ruling 99"),
        (("act", "climb", "--after", "3"), 1, "[MAM-"),
        (("rules", "show", "mam_speeds"), 1, "There is no preset"),
        (("rules", "sho"), 2, "No such command 'rules sho'"),
        (("frobnicate",), 2, "No such command"),
        ((), 2, ""),
    ],
)
@pytest.mark.usefixtures("modres_turn")
def test_bad_input_is_refused_with_a_sentence_and_changes_nothing(
    mam: Mam, rows: Rows, words: tuple[str, ...], code: int, message: str
) -> None:
    before = rows()
    result = mam(*words, code=code)
    assert message in result.err + ("" if words else result.out)
    assert "Traceback" not in result.err
    sentences = [line for line in result.err.splitlines() if not line.startswith(AROUND)]
    assert len(sentences) == 1 or not words
    assert rows() == before


@pytest.mark.parametrize(
    "words",
    [
        ("new", "duel", "--set", "half_sucess=never"),
        ("new", "--from", "broken.toml"),
        ("play", "broken.toml"),
        ("import", "broken.toml"),
        ("pools",),
    ],
)
def test_a_refused_first_order_creates_no_store(table: Path, words: tuple[str, ...]) -> None:
    (table / "broken.toml").write_text('encounter = "duel"\n[[combatants]]\nid = "a"\nhp = 3\npools = {ready = 1}\n')
    assert CliRunner().invoke(main, list(words)).exit_code in {1, 2, 4, 5}
    assert [path.name for path in table.iterdir()] == ["broken.toml"]


@pytest.mark.usefixtures("modres_turn")
def test_a_face_that_the_die_does_not_have_is_refused(mam: Mam, rows: Rows) -> None:
    mam("attack", "clone", "--power", "1")
    before = rows()
    assert "The attack die has no face 7: a d6 shows 1 to 6." in mam("resolve", "7", "1", code=1).err
    assert "The attack die has no face 0: a d6 shows 1 to 6." in mam("resolve", "0", "1", code=1).err
    assert "whole number of 0 or more" in mam("resolve", "--attack-die", "-1", code=2).err
    assert "given twice" in mam("resolve", "3", "--attack-die", "3", code=2).err
    assert "Nobody interferes" in mam("resolve", "--interference-die", "6=3", code=1).err
    assert rows() == before


def test_without_a_command_the_help_is_shown(mam: Mam) -> None:
    assert mam(code=2).err.rstrip() == mam("--help").out.rstrip()


@pytest.mark.usefixtures("modres_turn")
def test_an_error_as_json_has_code_rule_fields_and_sentence(mam: Mam) -> None:
    result = mam("attack", "clone", "--power", "7", "--json", code=1)
    assert result.out == ""
    assert result.error == {
        "code": "not_enough_ready",
        "rule": "MAM-ATK-01",
        "order": "attack",
        "fields": ["power", "modifier"],
        "sentence": "Modre needs 7 ready points and has 6.",
        "allowed": [],
        "hints": [],
    }
    assert mam("attack", "clome", "--json", code=1).error["allowed"] == ["modre", "clone"]
    assert mam("--json", "attack", "--powr", "7", code=2).error["code"] == "usage"
    assert mam("--json", "pools", "-e", "x", code=4).error["code"] == "not_found"


@pytest.mark.parametrize("dirty", ["A\x1b[31mna\x07", "A\u202ena\u2066", "Ana\x9b\x00"])
@pytest.mark.usefixtures("modres_turn")
def test_control_characters_are_removed_from_names_and_reasons(mam: Mam, dirty: str) -> None:
    mam("note", f"So says {dirty}", "--by", dirty, "--about", "5")
    mam("join", "cat", "--name", dirty, "--hp", "3")
    mam("undo", "--reason", dirty, "--by", dirty)
    output = mam("log").out + mam("log", "--json").out + mam("report").out + mam("pools").out
    assert not {character for character in output if character != "\n" and not character.isprintable()}
    assert "So says A" in output


@pytest.mark.usefixtures("modres_turn")
def test_an_unknown_name_is_never_printed_raw(mam: Mam) -> None:
    for words in (("pools", "-e", "\x1b[31mduel"), ("attack", "\x1b[31mclone"), ("\x1b[31m",), ("new", "\x1b[31m")):
        assert "\x1b" not in (mam(*words, code={"pools": 4, "attack": 1}.get(words[0], 2)).err)


@pytest.mark.slow
def test_bytes_that_are_not_text_are_refused() -> None:
    program = [sys.executable, "-c", "from cli.app import main; main()"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}

    def run(*words: bytes, **more: str) -> subprocess.CompletedProcess[bytes]:
        process = subprocess.run([*program, *words], capture_output=True, env=environment | more, check=False)
        assert b"Traceback" not in process.stderr
        return process

    assert run(b"new", b"duel", b"--title", b"na\xefve").stderr == b'"na?ve" is not UTF-8 text.\n'
    assert not Path("mam.db").exists()
    assert run(b"new", b"duel", b"--word", b"\xff").returncode == 2
    assert run(b"new", b"\xff").returncode == 2
    assert run(b"new", b"duel").returncode == 0
    for words in (
        (b"note", b"na\xefve"),
        (b"note", b"so", b"--by", b"na\xefve"),
        (b"note", b"so", b"--command-id", b"na\xefve"),
        (b"join", b"ana", b"--hp", b"3", b"--name", b"na\xefve"),
        (b"join", b"ana", b"--hp", b"3", b"--weapon", b"id=axe,name=na\xefve"),
        (b"adjust", b"--reason", b"na\xefve"),
    ):
        assert b'"na?ve" is not UTF-8 text' in run(*words).stderr
    assert run(b"note", b"so", MAM_BY="na\udcefve").returncode == 2
    assert run(b"log").stdout.count(b"#") == 1
    assert run(b"join", b"bo", b"--hp", b"3").returncode == 0
    assert run(b"undo", b"--reason", b"na\xefve").returncode == 2
    assert run(b"log").stdout.count(b"#") == 2


def _foreign(store: Path) -> None:
    with closing(sqlite3.connect(store, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE mine (x)")


def _newer(store: Path) -> None:
    with closing(sqlite3.connect(store, isolation_level=None)) as connection:
        connection.execute("PRAGMA user_version = 99")


def _no_sqlite(store: Path) -> None:
    store.write_bytes(b"Dear diary, today we fought. " * 100)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [(_foreign, "another program"), (_newer, "newer version"), (_no_sqlite, "an SQLite file")],
)
def test_a_foreign_store_is_left_unchanged(
    mam: Mam, table: Path, played_store: Path, spoil: Callable[[Path], None], message: str
) -> None:
    store = table / "mam.db"
    if spoil is _newer:
        store.write_bytes(played_store.read_bytes())
    spoil(store)
    before = store.read_bytes()
    for words in (("log",), ("new", "duel"), ("undo",), ("encounters",)):
        assert message in mam(*words, code=6).err
    assert store.read_bytes() == before
    assert mam("--json", "log", code=6).error["code"] == "store_unusable"


def test_a_directory_or_a_missing_store_is_refused(mam: Mam, table: Path) -> None:
    (table / "mam.db").mkdir()
    assert "is not a file" in mam("log", code=6).err
    assert "`mam new NAME`" in mam("log", "--store", "nowhere.db", code=4).err
    assert not (table / "nowhere.db").exists()


def test_an_invalid_address_of_a_store_is_refused(mam: Mam) -> None:
    assert mam("log", "--store", "http://[::1", code=2).err.startswith('--store: "http://[::1" is not an address')


def test_a_locked_store_says_so(mam: Mam, fight: Path) -> None:
    with closing(sqlite3.connect(fight, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert "is locked by another process" in mam("undo", code=6).err
        other.execute("ROLLBACK")
    mam("undo")


def test_a_read_only_store_can_be_read_but_not_written(
    mam: Mam, played_store: Path, public: Path, as_nobody: Nobody, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(played_store, public / "mam.db")
    (public / "mam.db").chmod(0o444)
    public.chmod(0o555)
    monkeypatch.chdir(public)
    before = (public / "mam.db").read_bytes()
    with as_nobody():
        assert "Modre" in mam("pools").out
        assert "is read-only" in mam("undo", code=6).err
        assert mam("new", "duel", "--json", code=6).error["code"] == "store_unusable"
        mam("new", "duel", "--store", "other.db", code=6)
    assert (public / "mam.db").read_bytes() == before
