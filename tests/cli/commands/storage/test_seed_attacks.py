"""Attacks on the seed of the dice, and the check that catches each."""

from __future__ import annotations

import base64
import json
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from mam_events.commands import Attack, BeginTurn, Close, Command, Initiative, Join, Open, Resolve
from mam_events.history.seed import draw
from mam_events.log.combat_log import CombatLog
from tests.cli.calls import Mam
from tests.cli.commands.storage.attacks import PAGE, check_verification, replace_rows
from tests.verification.forge import Row, edited, resealed, set_to, version_of


def drawing(log: CombatLog, *more: Command) -> list[Row]:
    """Play a fight in which only ruling 7 draws dice, for its single attack, and return its rows."""
    joins = (Join("ana", hp=6, word="mellon"), Join("bo", hp=6, word="swordfish"))
    commands = (Initiative(first="ana", reason="quick"), BeginTurn("ana"), Attack("ana", "bo", power=1), Resolve(6))
    for command in (Open(), *joins, *commands, *more):
        log.execute("fight", command)
    return log.application.rows("fight")


def faces(rows: Sequence[Row]) -> list[int]:
    return [
        json.loads(state)["die"]["face"] for _, topic, state in rows if topic in ("AttackRolled.1", "DefenseRolled.1")
    ]


def seed_of(store: Path, encounter: str = "fight") -> bytes:
    with closing(sqlite3.connect(store)) as connection:
        (seed,) = connection.execute("SELECT seed FROM seeds WHERE encounter = ?", (encounter,)).fetchone()
    assert isinstance(seed, bytes)
    return seed


def luckier(rows: Sequence[Row], *more: Command) -> tuple[list[Row], bytes]:
    """Play the same fight under a seed that makes the attack luckier, and return its rows and that seed."""
    for number in range(1000):
        seed = Random(number).randbytes
        with CombatLog.open("sqlite://", entropy=seed) as log:
            drawn_faces = drawing(log, *more)
            if faces(drawn_faces)[0] > faces(rows)[0] and len(drawn_faces) == len(rows):
                stored_seed = log.application.seeds.get("fight")
                assert stored_seed
                return drawn_faces, stored_seed
    raise AssertionError


@pytest.fixture
def drawn_fight(mam: Mam, table: Path) -> list[Row]:
    """Play a fight with drawn dice, note its seal in a notebook and return its rows."""
    with CombatLog.open(table / "mam.db", entropy=Random(3).randbytes) as log:
        rows = drawing(log)
    assert faces(rows)[0] < 6
    mam("seal", "--to", "notebook.txt")
    return rows


def test_a_replaced_or_swapped_seed_is_caught(mam: Mam, table: Path, drawn_fight: list[Row]) -> None:
    assert drawn_fight
    with CombatLog.open(table / "mam.db", entropy=Random(4).randbytes) as log:
        log.execute("other", Open())
    whole = shutil.copy(table / "mam.db", table / "whole.db")
    for change, message in (
        ("UPDATE seeds SET seed = zeroblob(64) WHERE encounter = 'fight'", "fight"),
        ("UPDATE seeds SET seed = (SELECT seed FROM seeds AS b WHERE b.encounter <> seeds.encounter)", "fight"),
    ):
        shutil.copy(whole, table / "mam.db")
        with closing(sqlite3.connect(table / "mam.db")) as connection, connection:
            connection.execute(change)
        error = mam("verify", "--all", code=5).err
        assert "Somebody replaced the dice seed of this encounter: it is not the committed one" in error
        assert message in error
        # No die comes from it either.
        mam("attack", "bo", "--power", "1", "-e", "fight")
        assert "Somebody replaced the dice seed" in mam("resolve", "-e", "fight", code=5).err


def test_revealing_another_seed_than_the_committed_one_is_caught(mam: Mam, table: Path, drawn_fight: list[Row]) -> None:
    assert drawn_fight
    mam("close", "--yes")
    with CombatLog.open(table / "mam.db") as log:
        rows = log.application.rows("fight")
    forgery = resealed(edited(rows, version_of(rows, 8, "EncounterClosed"), set_to(seed="00" * 32)))
    replace_rows(table / "mam.db", forgery)
    check_verification(mam, "Ruling 8 reveals a seed of the dice that the log never committed to")


def test_dice_of_another_seed_are_caught_once_the_fight_is_closed(
    mam: Mam, table: Path, drawn_fight: list[Row]
) -> None:
    """Keep the commitment, take everything else from a luckier seed, and reseal it."""
    commitment = json.loads(drawn_fight[1][2])["commitment"]

    def forged(*more: Command) -> list[Row]:
        rows, _ = luckier(drawn_fight if not more else closed, *more)
        ordered = edited(rows, 1, lambda head: head["command"].update(commitment=commitment))
        return resealed(edited(ordered, 2, set_to(commitment=commitment)))

    shutil.copy(table / "mam.db", table / "open.db")
    mam("close", "--yes")
    with CombatLog.open(table / "mam.db") as log:
        closed = log.application.rows("fight")
    seed = json.loads(closed[-1][2])["seed"]
    replace_rows(table / "open.db", forged())
    check_verification(mam, "", "--store", "open.db")
    check_verification(mam, "", "--judge", "--store", "open.db")
    check_verification(
        mam, "No ruling of this log has the noted seal", "--notebook", "notebook.txt", "--store", "open.db"
    )
    rows = forged(Close())
    replace_rows(table / "mam.db", resealed(edited(rows, version_of(rows, 8, "EncounterClosed"), set_to(seed=seed))))
    check_verification(mam, "In ruling 7 the die 7/attack.ana/0/d6 shows")


def test_a_seed_chosen_after_the_words_is_caught_by_an_earlier_seal(mam: Mam, table: Path) -> None:
    """The commitment is written before anybody joins with a word, and a seal noted then proves it."""
    with CombatLog.open(table / "mam.db", entropy=Random(3).randbytes) as log:
        log.execute("fight", Open())
        mam("seal", "--to", "notebook.txt")
        assert '"word":"mellon"' not in str(log.application.rows("fight"))
    with CombatLog.open("sqlite://", entropy=Random(3).randbytes) as log:
        honest = drawing(log, Close())
    chosen, seed = luckier(honest, Close())
    replace_rows(table / "mam.db", chosen)
    with closing(sqlite3.connect(table / "mam.db")) as connection, connection:
        connection.execute("UPDATE seeds SET seed = ?", (seed,))
    check_verification(mam, "")
    check_verification(mam, "", "--judge")
    check_verification(mam, "No ruling of this log has the noted seal", "--notebook", "notebook.txt")


def test_undo_and_redo_do_not_reroll_a_die(mam: Mam, table: Path, drawn_fight: list[Row]) -> None:
    """The same attack, undone and redone, has the same die; after another attack the first stays visible."""
    for _ in range(3):
        mam.run_all("undo 7", "redo")
    with CombatLog.open(table / "mam.db") as log:
        assert log.history("fight")[6].events == log.history("fight", as_of=7)[6].events
    mam.run_all("undo 6 --yes", "attack bo --power 1", "resolve")
    before = {line["number"]: line for line in mam("log", "--json").lines}
    assert before[7]["struck"]
    assert f"[{faces(drawn_fight)[0]}*]" in before[7]["text"]


def test_drawn_dice_do_not_depend_on_the_command_id() -> None:
    """The key of a die has the number of its ruling, not the command id."""
    messages = set()
    for command_id in ("a", "b", "lucky-7"):
        with CombatLog.open("sqlite://", entropy=Random(3).randbytes) as log:
            drawing(log)
            log.execute("fight", Attack("ana", "bo", power=1), command_id=command_id)
            log.execute("fight", Resolve(8), command_id=f"{command_id}-die")
            messages.add(tuple(faces(log.application.rows("fight"))))
    assert len(messages) == 1


def test_anybody_with_the_seed_can_compute_future_dice_as_the_page_warns(table: Path, drawn_fight: list[Row]) -> None:
    assert drawn_fight
    seed = seed_of(table / "mam.db")
    ahead = draw(seed, ("mellon", "swordfish"), "9/attack.ana/0/d6")
    with CombatLog.open(table / "mam.db") as log:
        log.execute("fight", Attack("ana", "bo", power=1))
        log.execute("fight", Resolve(8))
        assert faces(log.application.rows("fight"))[2] == ahead
    assert "**Anybody who can read the store file can read the seed**" in PAGE


LOOKS = (
    "log",
    "pools",
    "order",
    "audit",
    "replay",
    "report",
    "options",
    "odds attack bo --power 1",
    "whatif --set half_success=never",
    "undo 6 --preview",
    "rules show",
    "encounters",
    "seal",
    "verify",
    "verify --judge",
    "export",
    "export --as public",
)


@pytest.mark.parametrize("look", LOOKS)
def test_no_output_shows_the_seed_of_an_open_fight(mam: Mam, table: Path, drawn_fight: list[Row], look: str) -> None:
    seed = seed_of(table / "mam.db")
    assert mam(*look.split()).out
    for words in (look.split(), [*look.split(), "--json"], [*look.split(), "--as", "public"]):
        result = mam(*words, code=None)
        for form in (seed.hex(), base64.b64encode(seed).decode(), repr(seed), str(list(seed))):
            assert form not in result.out + result.err
    assert seed.hex() not in str(drawn_fight)
