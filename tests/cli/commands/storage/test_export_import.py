"""`mam play`, `export`, `import`, `seal`, `verify` and `backup`."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.calls import Mam, Rows

EXAMPLE = Path(__file__).parents[4] / "examples" / "modre-and-the-clone.toml"
DUEL = "modre-and-the-clone"


def test_a_fight_file_is_played_and_can_be_played_again_under_another_id(mam: Mam) -> None:
    result = mam("play", str(EXAMPLE))
    lines = result.out.splitlines()
    assert lines[31:33] == [
        (
            "#17  r2 t1   Modre → Clone · Ice Blade · [6]+2+1 = 9 vs [4]+2+1 = 7 · hit · stun 2, damage 2 · "
            "the counterattack misses"
        ),
        "             Modre R0 D4 O2 S0 X0   Clone R0 D0 O2 S2 X2",
    ]
    assert lines[-3:] == [
        "modre-and-the-clone: 21 rulings, round 2",
        "  Modre  R0 D4 O2 S0 X0  DDDDOO",
        "  Clone  R0 D3 O0 S1 X2  DDDSXX",
    ]
    assert "--id NAME" in mam("play", str(EXAMPLE), code=1).err
    document = mam("play", str(EXAMPLE), "--id", "again", "--json").lines[0]
    assert (document["encounter"], document["rulings"], document["broken"]) == ("again", 21, None)
    assert mam("play", "-", "-q", "--id", "third", stdin=EXAMPLE.read_bytes()).out.startswith("third: 21 rulings")
    assert "lower-case" in mam("play", str(EXAMPLE), "--id", "Third", code=2).err


def test_play_with_an_error_writes_nothing_or_keeps_the_part_before(mam: Mam, table: Path, rows: Rows) -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    place = next(i for i, line in enumerate(lines) if 'do = "ready"' in line)
    lines[place] = lines[place].replace(" defense = 3", " defense = 4")
    (table / "broken.toml").write_text("\n".join(lines), encoding="utf-8")
    before = rows()
    result = mam("play", "broken.toml", code=1)
    assert f"broken.toml:{place + 1}: At most 3 points can become ready, not 4" in result.err
    assert "[MAM-PHASE-02]" in result.err
    assert rows() == before
    partial = mam("play", "broken.toml", "--keep-going", "--json", code=1)
    assert partial.lines[0]["rulings"] == 10
    assert partial.lines[0]["broken"]["place"] == f"broken.toml:{place + 1}"
    assert partial.error["code"] == "exceeds_maximum"
    assert len(mam("log", "--json").lines) == 10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            b'encounter = "x"\ncommands = [{ do = "atack" }]\n',
            'f.toml:2: "atack" is not an order. Did you mean "attack"?',
        ),
        (b'encounter = "x"\nencoutner = "y"\n', 'f.toml:2: There is no "encoutner" here. Did you mean "encounter"?'),
        (b'encounter = "x\n', "f.toml:1"),
        (b'encounter = "\xff"\n', "f.toml:1: This is not UTF-8 text. Save it as UTF-8 and try again."),
    ],
)
def test_an_unreadable_file_is_refused_with_its_line(mam: Mam, table: Path, text: bytes, message: str) -> None:
    (table / "f.toml").write_bytes(text)
    assert message in mam("play", "f.toml", code=2).err
    assert not (table / "mam.db").exists()


def test_a_missing_file_is_refused(mam: Mam) -> None:
    for words in (("play", "no.toml"), ("import", "no.ndjson"), ("verify", "no.ndjson"), ("rules", "check", "no.toml")):
        assert "There is no such file" in mam(*words, code=2).err


@pytest.mark.usefixtures("fight")
def test_an_export_is_imported_and_exported_byte_for_byte(mam: Mam, table: Path, rows: Rows) -> None:
    mam("undo", "6", "--yes")
    printed = mam("export").out
    assert "21 rulings" not in printed
    mam("export", "-o", "duel.ndjson")
    assert (table / "duel.ndjson").read_text(encoding="utf-8") == printed
    assert mam("import", "duel.ndjson", "--id", "copy").out == "copy: 22 rulings, all seals are right\n"
    assert rows()["copy"] == rows()[DUEL]
    assert "Nothing was written." in mam("import", "duel.ndjson", "--id", "copy").out
    assert mam("import", "-", "--id", "copy", "--json", stdin=printed).lines[0]["repeated"] is True
    mam("undo", "-e", "copy")
    assert "and 1 ruling since" in mam("import", "duel.ndjson", "--id", "copy").out
    mam("undo", "-e", DUEL, "--reason", "otherwise")
    mam("export", "-e", DUEL, "-o", "otherwise.ndjson")
    assert (
        "next: mam import otherwise.ndjson --id NAME\n" in mam("import", "otherwise.ndjson", "--id", "copy", code=1).err
    )
    mam("play", str(EXAMPLE), "--id", "another")
    assert (
        "next: mam import otherwise.ndjson --id NAME\n" in mam("import", "otherwise.ndjson", "--id=another", code=1).err
    )


@pytest.mark.usefixtures("fight")
def test_an_export_overwrites_another_file_only_with_force(mam: Mam, table: Path) -> None:
    (table / "diary.txt").write_text("Dear diary", encoding="utf-8")
    assert "--force" in mam("export", "-o", "diary.txt", code=2).err
    assert (table / "diary.txt").read_text(encoding="utf-8") == "Dear diary"
    mam("export", "-o", "diary.txt", "--force")
    assert "cannot be written" in mam("export", "-o", "no/where.ndjson", code=2).err
    assert sorted(path.name for path in table.iterdir() if not path.name.startswith("mam.db")) == ["diary.txt"]


@pytest.mark.usefixtures("fight")
def test_an_export_ignores_the_leftover_file_of_another_process(mam: Mam, table: Path) -> None:
    leftover = table / f".mam-{os.getpid()}.export"
    leftover.write_text("not mine")
    mam("export", "-o", "duel.ndjson")
    assert leftover.read_text() == "not mine"
    assert sorted(file.name for file in table.iterdir() if file.name.startswith(".mam")) == [leftover.name]


@pytest.mark.usefixtures("fight")
def test_an_exported_fight_file_plays_the_same_fight(mam: Mam) -> None:
    mam.run_all("undo 20 --yes --reason 'He waits'", "export --format toml -o fight.toml", "play fight.toml --id again")
    assert mam("pools", "-e", "again").out == mam("pools", "-e", DUEL).out
    assert "game master" in mam("export", "--format", "toml", "--as", "public", code=2).err


def test_play_as_public_does_not_show_secrets(mam: Mam, table: Path) -> None:
    mam("new", "other")
    (table / "cave.toml").write_text(
        'encounter = "cave"\ntitle = "Beware of Greywolf"\n'
        'combatants = [{id = "rook", hp = 9}, {id = "xw", name = "Greywolf", hp = 9, visibility = "gm"}]\n'
        'commands = [{do = "note", text = "Greywolf howls"}, {do = "close"}]\n'
    )
    result = mam("play", "cave.toml", "--as", "public")
    assert "Greywolf" not in result.out + result.err


@pytest.mark.usefixtures("fight")
def test_a_truncated_export_is_not_imported(mam: Mam, table: Path, rows: Rows) -> None:
    export = mam("export").out.splitlines(keepends=True)
    before = rows()
    (table / "half.ndjson").write_text("".join(export[: len(export) // 2]), encoding="utf-8")
    (table / "torn.ndjson").write_text("".join(export)[:-40], encoding="utf-8")
    for name in ("half.ndjson", "torn.ndjson"):
        assert name in mam("import", name, "--id", "copy", code=2).err
        assert name in mam("verify", name, code=2).err
    assert rows() == before


@pytest.mark.usefixtures("fight")
def test_a_changed_export_fails_and_names_the_ruling(mam: Mam, table: Path, rows: Rows) -> None:
    export = mam("export").out
    before = rows()
    (table / "forged.ndjson").write_text(export.replace('"attack_die":6', '"attack_die":1'), encoding="utf-8")
    assert "17" in mam("verify", "forged.ndjson", code=5).err
    assert mam("import", "forged.ndjson", "--id", "copy", "--json", code=5).error["code"] == "verification_failed"
    assert rows() == before


@pytest.mark.usefixtures("fight")
def test_verify_judge_judges_every_ruling_again(mam: Mam, table: Path) -> None:
    (table / "duel.ndjson").write_text(mam("export").out, encoding="utf-8")
    assert "judged" not in mam("verify").out
    for what in ((), ("duel.ndjson",)):
        assert "every outcome follows from the rules, the" in mam("verify", *what, "--judge").out
        assert mam("verify", *what, "--judge", "--json").lines[0]["judged"] is True
    (table / "public.ndjson").write_text(mam("export", "--as", "public").out, encoding="utf-8")
    assert "Only an export that shows all" in mam("verify", "public.ndjson", "--judge", code=1).err


@pytest.mark.parametrize("state", [b"{", None, b"{}", b"\xff", "{}", 7])
@pytest.mark.usefixtures("fight")
def test_an_unreadable_last_row_fails_verification_with_its_number(mam: Mam, table: Path, state: object) -> None:
    with closing(sqlite3.connect(table / "mam.db", isolation_level=None)) as connection:
        (last,) = connection.execute("SELECT max(originator_version) FROM stored_events").fetchone()
        connection.execute("UPDATE stored_events SET state = ? WHERE originator_version = ?", (state, last))
    for order in ("verify", "log", "undo"):
        assert "Ruling 21" in mam(order, code=5).err


@pytest.mark.usefixtures("modres_turn")
def test_a_noted_seal_proves_the_log_up_to_it(mam: Mam) -> None:
    seal = mam("seal", "-q").out.strip()
    assert mam("seal", "--json").lines[0] == {"encounter": "duel", "rulings": 5, "seal": seal}
    mam("end-turn")
    mam("verify", "--seal", seal)
    assert "noted seal" in mam("verify", "--seal", "0" * 64, code=5).err
    assert "64 hexadecimal digits" in mam("verify", "--seal", "x", code=2).err


@pytest.mark.usefixtures("modres_turn")
def test_drawn_dice_are_proven_once_the_seed_is_revealed(mam: Mam) -> None:
    mam.run_all("attack clone --power 1", "resolve")
    assert "dice drawn: 2, which can be checked once" in mam("verify").out
    mam("close", "--yes")
    assert "2 of 2 drawn dice match the committed seed" in mam("verify").out
    assert mam("verify", "--all", "--json").lines[0]["proven"] == 2


@pytest.mark.usefixtures("modres_turn")
def test_a_missing_or_replaced_seed_is_reported(mam: Mam, table: Path) -> None:
    mam.run_all("attack clone --power 1", "resolve")
    shutil.copy(table / "mam.db", table / "other.db")
    for store, change in (("mam.db", "DELETE FROM seeds"), ("other.db", "UPDATE seeds SET seed = zeroblob(64)")):
        with closing(sqlite3.connect(table / store, isolation_level=None)) as connection:
            connection.execute(change)
    assert "the seed of the dice is not in this store, so the first die drawn here gets a new seed" in mam("verify").out
    assert "There was no seed of the dice to reveal" in mam("close", "--yes").out
    assert "no seed was revealed at the end" in mam("verify").out
    for order in (("verify",), ("close", "--yes")):
        assert "Somebody replaced the dice seed" in mam(*order, "--store", "other.db", code=5).err


@pytest.mark.usefixtures("modres_turn")
def test_a_partial_export_has_hashes_for_hidden_rows_and_verifies(mam: Mam, table: Path) -> None:
    mam("note", "The lamp is a mimic", "--hidden")
    (table / "public.ndjson").write_text(mam("export", "--as", "public").out, encoding="utf-8")
    assert "mimic" not in (table / "public.ndjson").read_text(encoding="utf-8")
    assert "only as a hash" in mam("verify", "public.ndjson").out
    assert "hides some" in mam("import", "public.ndjson", "--id", "copy", code=1).err


@pytest.mark.usefixtures("fight")
def test_a_store_changed_by_hand_fails_verification(mam: Mam, table: Path) -> None:
    mam("verify")
    shutil.copy(table / "mam.db", table / "forged.db")
    with closing(sqlite3.connect(table / "forged.db", isolation_level=None)) as connection:
        connection.execute("UPDATE stored_events SET state = replace(state, '\"face\":6', '\"face\":5')")
    assert mam("verify", "--store", "forged.db", code=5).err


def test_an_open_store_is_backed_up_and_no_other_file_is_overwritten(mam: Mam, table: Path) -> None:
    mam("play", str(EXAMPLE))
    with closing(sqlite3.connect(table / "mam.db")) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM stored_events").fetchone()
        mam("note", "Not yet in the file itself.")
        assert mam("backup", "friday.db").out == "friday.db: 1 encounter, 22 rulings, all seals are right\n"
    assert mam("log", "--json").lines == mam("log", "--json", "--store", "friday.db").lines
    assert (table / "friday.db").stat().st_mode & 0o777 == 0o600
    before = (table / "friday.db").read_bytes()
    assert "friday.db: The file" in mam("backup", "friday.db", code=2).err
    assert (table / "friday.db").read_bytes() == before
    assert "A backup cannot be printed" in mam("backup", "-", code=2).err
    assert mam("backup", "saturday.db", "--json").lines == [{"file": "saturday.db", "encounters": 1, "rulings": 22}]
    assert "no log" in mam("backup", "sunday.db", "--store", "nowhere.db", code=4).err


def test_export_all_writes_every_encounter_into_a_folder_or_none(mam: Mam, table: Path) -> None:
    mam("play", str(EXAMPLE))
    mam("play", str(EXAMPLE), "--id", "again")
    assert "-o FOLDER" in mam("export", "--all", code=2).err
    mam("export", "--all", "-o", "out")
    assert sorted(file.name for file in (table / "out").iterdir()) == ["again.ndjson", f"{DUEL}.ndjson"]
    for file in (table / "out").iterdir():
        assert mam("verify", str(file)).out.startswith(f"{file}: 21 rulings")
    (table / "out" / "again.ndjson").unlink()
    assert "--force to overwrite it" in mam("export", "--all", "-o", "out", code=2).err
    assert not (table / "out" / "again.ndjson").exists()
    mam("export", "--all", "-o", "out", "--force", "--format", "toml")
    assert mam("play", "out/again.toml", "--id", "third", "-q").out.startswith("third: 21 rulings")
    (table / "file").touch()
    assert "is not a folder" in mam("export", "--all", "-o", "file", code=2).err


def test_import_of_a_folder_imports_every_export(mam: Mam, table: Path) -> None:
    mam("play", str(EXAMPLE))
    mam("play", str(EXAMPLE), "--id", "again")
    mam("export", "--all", "-o", "out")
    (table / "out" / "._again.ndjson").write_bytes(b"\x00\x05\x16\x07")
    (table / "out" / "again.score").write_text("mam-score 1 long\n")
    output = mam("import", "out", "--store", "other.db").out
    assert output == f"again: 21 rulings, all seals are right\n{DUEL}: 21 rulings, all seals are right\n"
    mam("export", "--all", "-o", "back", "--store", "other.db")
    for file in ("again.ndjson", f"{DUEL}.ndjson"):
        assert (table / "back" / file).read_bytes() == (table / "out" / file).read_bytes()
    lines = mam("import", "out/again.ndjson", f"out/{DUEL}.ndjson", "--store", "third.db", "--json").lines
    assert [one["encounter"] for one in lines] == ["again", DUEL]
    assert "--id names one encounter, not 2. Leave --id out" in mam("import", "out", "--id", "new", code=2).err
    (table / "empty").mkdir()
    assert "empty: This folder has no exports: no file in it ends in .ndjson." in mam("import", "empty", code=2).err


def test_an_invalid_export_in_a_folder_does_not_stop_the_others(mam: Mam, table: Path) -> None:
    for name in ("a", "b", "c"):
        mam("play", str(EXAMPLE), "--id", name)
    mam("export", "--all", "-o", "out")
    for name, old, new in (("a", b'"rows":57', b'"rows":7'), ("b", b"Modre", b"Madre")):
        file = table / "out" / f"{name}.ndjson"
        file.write_bytes(file.read_bytes().replace(old, new))
    result = mam("import", "out", "--store", "other.db", code=5)
    assert result.out == "c: 21 rulings, all seals are right\n"
    assert "out/a.ndjson:59: This export has 57 rows, but its first line says 7" in result.err
    assert "1 file of 3 imported." in result.err
    assert '"out/b.ndjson" failed verification. Ruling 1 was altered after it was sealed.' in result.err


def test_a_file_of_another_kind_is_refused_with_the_command_for_it(mam: Mam, table: Path) -> None:
    mam("play", str(EXAMPLE))
    mam.run_all("export -o fight.ndjson", "export --format score -o 'a fight.score'")
    mam.run_all("export --format toml -o fight.toml", "backup fight.db", "replay --html fight.html")
    shutil.copy(EXAMPLE.with_name("points.toml"), table / "points.toml")
    (table / "ours.toml").write_text('name = "ours"\nfrom = "mam_pools"\n')
    kinds = {
        "a fight.score": "This is a score. Type `mam play 'a fight.score'` to play it.",
        "fight.toml": "This is a fight file. Type `mam play fight.toml` to play it.",
        "points.toml": "This is a point sheet. Type `mam points points.toml` to price it.",
        "ours.toml": "This is a file of house rules. Type `mam rules check ours.toml` to read it.",
        "fight.db": "This is a store of fights. Type `mam encounters --store fight.db` to list them.",
        "fight.html": "This is a page. Open it in a browser.",
    }
    for file, sentence in kinds.items():
        assert f"{file}: {sentence}" in mam("import", file, code=2).err
        assert f"{file}: {sentence}" in mam("verify", file, code=2).err
    assert "Type `mam import fight.ndjson` to take it in." in mam("play", "fight.ndjson", code=2).err
    assert kinds["fight.db"] in mam("play", "fight.db", code=2).err
    for order in (("play", "points.toml"), ("join", "--from", "points.toml", "ana")):
        assert kinds["points.toml"] in mam(*order, code=2).err
    for file in ("fight.toml", "ours.toml"):
        assert kinds[file] in mam("points", file, code=2).err
    (table / "notes.txt").write_text("hello")
    assert "not an export of mam-events" in mam("import", "notes.txt", code=2).err


def test_an_import_shows_what_is_new(mam: Mam) -> None:
    mam("play", str(EXAMPLE))
    mam.run_all("export -o before.ndjson", "note 'And more.'", "export -o after.ndjson")
    assert "unless you name another" in mam("import", "before.ndjson", "--store", "other.db").err
    result = mam("import", "after.ndjson", "--store", "other.db")
    assert result.out == f"{DUEL}: 1 ruling more, 22 now, all seals are right\n"
    assert "and 1 ruling since. Nothing was written." in mam("import", "before.ndjson", "--store", "other.db").out
    document = mam("import", "before.ndjson", "--json").lines[0]
    assert (document["repeated"], document["added"]) == (True, 0)
    mam.run_all("note 'Another story.' --store other.db", "note 'And yet more.'", "export -o last.ndjson")
    failure = mam("import", "last.ndjson", "--store", "other.db", "--json", code=1)
    assert failure.error["code"] == "diverged"
    assert "from ruling 23 on" in failure.error["sentence"]


def changed(store: Path, statement: str) -> None:
    """Change a store as another program could."""
    with closing(sqlite3.connect(store, isolation_level=None)) as connection:
        connection.execute(statement)


OUT_OF_SIGHT = [
    (
        "DELETE FROM stored_events WHERE originator_id = 'again' AND originator_version = 1",
        '"again" failed verification',
    ),
    (
        "UPDATE stored_events SET originator_version = -1 WHERE originator_id = 'again' AND originator_version = 1",
        "again",
    ),
    ("INSERT INTO stored_events SELECT originator_id, -1, topic, state FROM stored_events LIMIT 1", f"under '{DUEL}'"),
    ("INSERT INTO stored_events SELECT originator_id, NULL, topic, state FROM stored_events LIMIT 1", "1 row under"),
    ("UPDATE stored_events SET originator_id = NULL WHERE originator_id = 'again'", "57 rows under NULL"),
    ("UPDATE stored_events SET originator_id = x'ff00' WHERE originator_id = 'again'", "57 rows under X'FF00'"),
    ("DELETE FROM stored_events WHERE originator_id = 'again'", "a seed under 'again'"),
]


@pytest.mark.parametrize(("statement", "message"), OUT_OF_SIGHT)
@pytest.mark.usefixtures("fight")
def test_verify_backup_and_export_all_refuse_a_store_with_stray_rows(
    mam: Mam, table: Path, statement: str, message: str
) -> None:
    mam("play", str(EXAMPLE), "--id", "again")
    changed(table / "mam.db", statement)
    for words in (["verify", "--all"], ["backup", "friday.db"], ["export", "--all", "-o", "out"]):
        assert message in mam(*words, code=5).err
    assert not (table / "friday.db").exists()
    mam("export", "-e", DUEL, "-o", "intact.ndjson")


@pytest.mark.usefixtures("fight")
def test_the_list_of_encounters_names_one_without_its_first_row(mam: Mam, table: Path) -> None:
    mam("play", str(EXAMPLE), "--id", "again")
    changed(table / "mam.db", "DELETE FROM stored_events WHERE originator_id = 'again' AND originator_version = 1")
    assert '"again" failed verification' in mam("encounters", code=5).err
    assert '"again" failed verification' in mam("pools", code=5).err
    mam("pools", "-e", DUEL)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE stored_events SET state = CAST(state AS TEXT)",
        "UPDATE stored_events SET topic = CAST(topic AS BLOB)",
        "UPDATE stored_events SET state = 5",
    ],
)
@pytest.mark.parametrize("words", [["pools"], ["note", "x"], ["undo", "--yes"], ["verify"], ["encounters"]])
@pytest.mark.usefixtures("fight")
def test_rows_of_another_type_fail_verification(mam: Mam, table: Path, statement: str, words: list[str]) -> None:
    changed(table / "mam.db", statement)
    assert "row 1 has a value of the wrong type" in mam(*words, code=5).err


@pytest.mark.usefixtures("fight")
def test_a_non_text_encounter_name_does_not_stop_other_encounters(mam: Mam, table: Path) -> None:
    mam("play", str(EXAMPLE), "--id", "again")
    changed(table / "mam.db", "UPDATE stored_events SET originator_id = x'ff00' WHERE originator_id = 'again'")
    assert DUEL in mam("encounters").out
    mam("note", "it goes on")
    assert f"Known: {DUEL}." in mam("pools", "-e", "again", code=4).err
