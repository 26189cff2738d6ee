"""Rows go in all or none, behind the last one, and come out as they went in."""

from __future__ import annotations

import sqlite3
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mam_events.errors import BadInput, StoreUnusable, VersionConflict
from mam_events.store import Notification, Row, SQLiteStore, open_store
from mam_events.store.failures import unusable


def rows(first: int, count: int = 1, *, state: bytes = b"{}") -> list[Row]:
    return [Row(version, "Probe.1", state) for version in range(first, first + count)]


def test_a_new_store_is_empty(store: SQLiteStore) -> None:
    assert store.encounters() == []
    assert store.latest() is None
    assert store.last_notification() == 0
    assert store.notifications(0, 10) == []
    assert store.read("fight") == []
    assert store.last_version("fight") == 0
    assert store.seed("fight") is None


def test_rows_come_out_as_they_went_in(store: SQLiteStore) -> None:
    first = [Row(1, "Play.1", b'{"ruling":1}'), Row(2, "CombatantJoined.1", '{"name":"Modr\u00e9"}'.encode())]
    assert store.append("modre-and-the-clone", first, seed=b"\0\xff" * 16) == 2
    assert store.append("\u00e9t\u00e9", rows(1)) == 3
    assert store.append("modre-and-the-clone", rows(3, 2)) == 5
    assert store.read("modre-and-the-clone") == [*first, *rows(3, 2)]
    assert store.read("modre-and-the-clone", after=3) == rows(4)
    assert store.last_version("modre-and-the-clone") == 4
    assert store.encounters() == ["modre-and-the-clone", "\u00e9t\u00e9"]
    assert store.latest() == "modre-and-the-clone"
    assert store.seed("modre-and-the-clone") == b"\0\xff" * 16
    assert store.seed("\u00e9t\u00e9") is None
    assert store.last_notification() == 5
    assert store.notifications(1, 3) == [
        Notification(2, "modre-and-the-clone", *first[1]),
        Notification(3, "\u00e9t\u00e9", *rows(1)[0]),
        Notification(4, "modre-and-the-clone", *rows(3)[0]),
    ]
    assert store.notifications(1, 1)[0].encounter == "modre-and-the-clone"


def test_a_closed_log_is_found_again_by_its_address(path: Path) -> None:
    with open_store(path) as store:
        store.append("fight", rows(1, 40), seed=b"s" * 32)
    for address in (path, str(path), f"sqlite:///{path}", store.url):
        with open_store(address, create=False) as again:
            assert again.read("fight") == rows(1, 40)
            assert again.path == path
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_two_stores_in_memory_are_two(path: Path) -> None:
    with open_store("sqlite://") as one, open_store(":memory:") as other:
        one.append("fight", rows(1))
        assert other.encounters() == []
        assert one.path is None
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("count", [1, 2, 3, 31, 32, 33, 100])
def test_groups_of_any_size_go_in_whole_and_stay_out_whole(store: SQLiteStore, count: int) -> None:
    assert store.append("fight", rows(1, count)) == count
    assert store.append("fight", rows(count + 1, count)) == 2 * count
    for first in (1, count, count + 1, 2 * count):
        with pytest.raises(VersionConflict, match='"fight" has moved on'):
            store.append("fight", rows(first, count))
    with pytest.raises(VersionConflict, match="moved on"):
        store.append("fight", rows(1, count), seed=b"s" * 32)
    assert store.read("fight") == rows(1, 2 * count)
    assert store.seed("fight") is None
    assert store.last_notification() == 2 * count
    assert store.append("fight", rows(2 * count + 1)) == 2 * count + 1


def test_a_writer_that_is_ahead_of_the_log_is_refused(path: Path) -> None:
    with open_store(path) as store:
        for first in (2, 3, 100):
            with pytest.raises(VersionConflict, match=f"no version {first - 1}"):
                store.append("fight", rows(first))
        store.append("fight", rows(1, 3))
        with pytest.raises(VersionConflict, match="no version 4"):
            store.append("fight", rows(5))
    with open_store(path) as store:
        with pytest.raises(VersionConflict, match="no version 4"):
            store.append("fight", rows(5))
        assert store.append("fight", rows(4)) == 4
        assert store.read("fight") == rows(1, 4)


def test_what_another_store_has_written_is_neither_missed_nor_overwritten(path: Path) -> None:
    with open_store(path) as one, open_store(path) as other:
        one.append("fight", rows(1, 2, state=b"1"))
        other.append("fight", rows(3, 2, state=b"2"))
        with pytest.raises(VersionConflict):
            one.append("fight", rows(3, 1, state=b"3"))
        assert one.read("fight", after=2) == rows(3, 2, state=b"2")
        assert one.append("fight", rows(5, 1, state=b"1")) == 5
        assert other.last_version("fight") == 5


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        rows(0),
        rows(-1, 3),
        [*rows(1), *rows(3)],
        [*rows(1), *rows(1)],
        [*rows(2), *rows(1)],
        [*rows(1, 40), *rows(42)],
    ],
)
def test_rows_that_are_no_append_are_refused(store: SQLiteStore, wrong: list[Row]) -> None:
    with pytest.raises(ValueError, match=r"version|row"):
        store.append("fight", wrong)
    assert store.last_notification() == 0


def test_a_seed_comes_with_the_first_version_and_is_never_told(store: SQLiteStore) -> None:
    secret = b"never to be seen in any message!"
    store.append("fight", rows(1), seed=secret)
    told = [repr(store), str(vars(store))]
    for version, seed in ((1, secret), (3, secret), (2, secret[:31]), (1, secret * 2)):
        with pytest.raises((ValueError, VersionConflict)) as refusal:
            store.append("fight", rows(version), seed=seed)
        told += [str(refusal.value), repr(refusal.value), *traceback.format_exception(refusal.value)]
    told += [str(notification) for notification in store.notifications(0, 100)] + [str(store.read("fight"))]
    store.close()
    with pytest.raises(StoreUnusable) as closed:
        store.append("other", rows(1), seed=secret)
    told += traceback.format_exception(closed.value)
    for text in told:
        assert "never to be seen" not in text
        assert secret.hex() not in text


def test_a_closed_store_says_so(store: SQLiteStore) -> None:
    store.append("fight", rows(1))
    store.close()
    store.close()
    with pytest.raises(StoreUnusable, match="has been closed"):
        store.read("fight")
    with pytest.raises(StoreUnusable, match="has been closed"):
        store.append("fight", rows(2))


@pytest.mark.parametrize("encounter", ["\udc80", "a\ud800b"])
def test_a_name_that_is_no_text_is_refused(store: SQLiteStore, encounter: str) -> None:
    with pytest.raises(BadInput, match="no log can hold"):
        store.append(encounter, rows(1))
    with pytest.raises(BadInput, match="no log can hold"):
        store.read(encounter)
    assert store.append("fight", rows(1)) == 1


def test_a_number_beyond_what_the_file_can_hold_is_refused(store: SQLiteStore) -> None:
    with pytest.raises(BadInput, match="no log can hold"):
        store.notifications(2**63, 10)
    with pytest.raises(BadInput, match="no log can hold"):
        store.read("fight", after=2**63)


@given(
    st.lists(st.tuples(st.sampled_from(["a", "b", "c'; --"]), st.integers(1, 40), st.binary(max_size=20)), max_size=12)
)
def test_the_store_holds_what_a_dict_of_lists_holds(groups: list[tuple[str, int, bytes]]) -> None:
    model: dict[str, list[Row]] = {}
    order: list[tuple[str, Row]] = []
    with open_store("sqlite://") as store:
        for encounter, count, state in groups:
            known = model.setdefault(encounter, [])
            new = rows(len(known) + 1, count, state=state)
            known += new
            order += [(encounter, row) for row in new]
            assert store.append(encounter, new) == len(order)
        assert store.encounters() == list(model)
        assert {encounter: store.read(encounter) for encounter in model} == model
        assert store.latest() == (order[-1][0] if order else None)
        newest = {name: row.version for name, row in order}
        assert store.versions() == [(name, newest[name]) for name in model]
        last_played = dict.fromkeys(name for name, _ in reversed(order))
        assert store.versions(last_played=True) == [(name, newest[name]) for name in last_played]
        assert store.notifications(0, 1000) == [(i, name, *row) for i, (name, row) in enumerate(order, 1)]


def test_threads_share_a_store(store: SQLiteStore) -> None:
    def play(name: str) -> list[tuple[int, str, bytes]]:
        for first in range(1, 61, 3):
            store.append(name, rows(first, 3, state=name.encode()))
            assert store.last_version(name) == first + 2
            assert store.latest() is not None
        return store.read(name)

    names = [f"fight-{number}" for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        for name, found in zip(names, pool.map(play, names), strict=True):
            assert found == rows(1, 60, state=name.encode())
    assert [item.id for item in store.notifications(0, 1000)] == list(range(1, 481))


def test_threads_that_meet_on_one_encounter_lose_nothing(store: SQLiteStore) -> None:
    def play(number: int) -> None:
        done = 0
        while done < 20:
            try:
                store.append("fight", rows(store.last_version("fight") + 1, 2, state=b"%d" % number))
            except VersionConflict:
                continue
            done += 1

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(play, range(4)))
    found = store.read("fight")
    assert [version for version, _, _ in found] == list(range(1, 161))
    assert all(a[2] == b[2] for a, b in zip(found[::2], found[1::2], strict=True))


def test_readers_do_not_queue_behind_a_writer(path: Path) -> None:
    with open_store(path) as store, ThreadPoolExecutor(2) as pool:
        store.append("fight", rows(1))
        with store.connections.writing():
            assert pool.submit(store.read, "fight").result(timeout=4) == rows(1)
            assert pool.submit(store.latest).result(timeout=4) == "fight"


def test_a_write_inside_a_write_is_refused_and_harms_neither(store: SQLiteStore) -> None:
    store.append("fight", rows(1))
    store.keep("seen", [("fight", 0, b"0")])
    with store.connections.writing() as cursor:
        cursor.execute("UPDATE projected SET version = 1")
        with pytest.raises(StoreUnusable, match="another transaction"):
            store.keep("seen", [("fight", 2, b"2")])
        for count in (1, 40):
            with pytest.raises(StoreUnusable, match="another transaction"):
                store.append("fight", rows(2, count))
        assert store.read("fight") == rows(1)
    assert store.kept("seen", ["fight"]) == {"fight": (1, b"0")}
    assert store.append("fight", rows(2)) == 2


def test_the_writer_waits_for_the_disk_unless_told_otherwise(path: Path) -> None:
    for synchronous, number in (("FULL", 2), ("NORMAL", 1), ("EXTRA", 3)):
        with (
            open_store(path, synchronous=synchronous) as store,
            store.connections.writing() as cursor,
        ):
            assert cursor.execute("PRAGMA synchronous").fetchone() == (number,)
            assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_an_error_without_a_code_is_told_in_its_own_words() -> None:
    assert str(unusable(sqlite3.ProgrammingError("It broke."), "fights.mam")) == "fights.mam cannot be used: It broke."


def head(version: int, ruling: int) -> Row:
    return Row(version, "Note.1", b'{"ruling":%d,"at":"","by":"","seal":"5e","text":"\\"seal\\":\\""}' % ruling)


def test_a_ruling_out_of_its_turn_is_never_written(path: Path) -> None:
    event = b'{"ruling":9,"why":"\\"seal\\":\\"","said":{"seal":"no head"}}'
    with open_store(path) as store:
        with pytest.raises(ValueError, match="only ruling 1 can follow ruling 0"):
            store.append("fight", [head(1, 2)])
        store.append("fight", [head(1, 1), Row(2, "RulingRejudged.1", event), head(3, 2)])
        store.append("fight", rows(4, 40, state=event))
    for _ in range(2):
        with open_store(path) as store:
            for wrong in (1, 2, 4):
                with pytest.raises(ValueError, match="only ruling 3 can follow ruling 2"):
                    store.append("fight", [head(44, wrong), *rows(45)])
            with pytest.raises(ValueError, match="only ruling 3"):
                store.append("fight", [head(44, 3), head(45, 5)])
            assert store.last_version("fight") == 43
    with open_store(path) as store:
        store.append("fight", [head(44, 3), *rows(45, 40)])
        with pytest.raises(VersionConflict):
            store.append("fight", [head(44, 3)])
        store.append("fight", [head(85, 4), head(86, 5)])
        store.append("fight", [head(87, 6)])
