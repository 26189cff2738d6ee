"""Rows are written completely or not, only at the end, and read unchanged."""

from __future__ import annotations

import sqlite3
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mam_events.errors import BadInput, StoreUnusable, VersionConflict
from mam_events.log import encounters
from mam_events.log.encounters import Encounters
from mam_events.store import Notification, StoredEventRow, build_events, sqlite
from mam_events.store.sqlite_errors import store_unusable
from tests.conftest import in_sqlite


def rows(first: int, count: int = 1, *, state: bytes = b"{}") -> list[tuple[int, str, bytes]]:
    return [(version, "Probe.1", state) for version in range(first, first + count)]


def test_a_new_store_is_empty(store: Encounters) -> None:
    assert store.encounters() == []
    assert store.recorder.latest() is None
    assert store.recorder.max_notification_id() == 0
    assert store.recorder.select_notifications(0, 10, inclusive_of_start=False) == []
    assert store.rows("fight") == []
    assert store.recorder.last_version("fight") == 0
    assert store.seeds.get("fight") is None


def test_rows_are_read_as_they_were_written(store: Encounters) -> None:
    first = [(1, "Play.1", b'{"ruling":1}'), (2, "CombatantJoined.1", '{"name":"Modr\u00e9"}'.encode())]
    assert store.save(*build_events("modre-and-the-clone", first), seed=b"\0\xff" * 32)[-1] == 2
    assert store.save(*build_events("\u00e9t\u00e9", rows(1)))[-1] == 3
    assert store.save(*build_events("modre-and-the-clone", rows(3, 2)))[-1] == 5
    assert store.rows("modre-and-the-clone") == [*first, *rows(3, 2)]
    assert store.rows("modre-and-the-clone", after=3) == rows(4)
    assert store.recorder.last_version("modre-and-the-clone") == 4
    assert store.encounters() == ["modre-and-the-clone", "\u00e9t\u00e9"]
    assert store.recorder.latest() == "modre-and-the-clone"
    assert store.seeds.get("modre-and-the-clone") == b"\0\xff" * 32
    assert store.seeds.get("\u00e9t\u00e9") is None
    assert store.recorder.max_notification_id() == 5
    assert store.recorder.select_notifications(1, 3, inclusive_of_start=False) == [
        Notification(2, "modre-and-the-clone", *first[1]),
        Notification(3, "\u00e9t\u00e9", *rows(1)[0]),
        Notification(4, "modre-and-the-clone", *rows(3)[0]),
    ]
    assert store.recorder.select_notifications(1, 1, inclusive_of_start=False)[0].originator_id == "modre-and-the-clone"


def test_a_closed_log_can_be_opened_by_every_form_of_its_address(path: Path) -> None:
    with Encounters.at(path) as store:
        store.save(*build_events("fight", rows(1, 40)), seed=b"s" * 64)
    for address in (path, str(path), f"sqlite:///{path}", store.factory.url):
        with Encounters.at(address, create=False) as second_store:
            assert second_store.rows("fight") == rows(1, 40)
            assert second_store.factory.path == path
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_two_stores_in_memory_are_separate(path: Path) -> None:
    with Encounters.at("sqlite://") as one, Encounters.at(":memory:") as other:
        one.save(*build_events("fight", rows(1)))
        assert other.encounters() == []
        assert one.factory.path is None
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("count", [1, 2, 3, 31, 32, 33, 100])
def test_groups_of_any_size_are_written_completely_or_not(store: Encounters, count: int) -> None:
    assert store.save(*build_events("fight", rows(1, count)))[-1] == count
    assert store.save(*build_events("fight", rows(count + 1, count)))[-1] == 2 * count
    for first in (1, count, count + 1, 2 * count):
        with pytest.raises(VersionConflict, match='Somebody else has written to "fight"'):
            store.save(*build_events("fight", rows(first, count)))
    with pytest.raises(VersionConflict, match="Somebody else has written"):
        store.save(*build_events("fight", rows(1, count)), seed=b"s" * 64)
    assert store.rows("fight") == rows(1, 2 * count)
    assert store.seeds.get("fight") is None
    assert store.recorder.max_notification_id() == 2 * count
    assert store.save(*build_events("fight", rows(2 * count + 1)))[-1] == 2 * count + 1


def test_a_gap_in_versions_is_refused(path: Path) -> None:
    with Encounters.at(path) as store:
        for first in (2, 3, 100):
            with pytest.raises(VersionConflict, match=f"no version {first - 1}"):
                store.save(*build_events("fight", rows(first)))
        store.save(*build_events("fight", rows(1, 3)))
        with pytest.raises(VersionConflict, match="no version 4"):
            store.save(*build_events("fight", rows(5)))
    with Encounters.at(path) as store:
        with pytest.raises(VersionConflict, match="no version 4"):
            store.save(*build_events("fight", rows(5)))
        assert store.save(*build_events("fight", rows(4)))[-1] == 4
        assert store.rows("fight") == rows(1, 4)


def test_rows_of_another_store_are_read_and_not_overwritten(path: Path) -> None:
    with Encounters.at(path) as one, Encounters.at(path) as other:
        one.save(*build_events("fight", rows(1, 2, state=b"1")))
        other.save(*build_events("fight", rows(3, 2, state=b"2")))
        with pytest.raises(VersionConflict):
            one.save(*build_events("fight", rows(3, 1, state=b"3")))
        assert one.rows("fight", after=2) == rows(3, 2, state=b"2")
        assert one.save(*build_events("fight", rows(5, 1, state=b"1")))[-1] == 5
        assert other.recorder.last_version("fight") == 5


@pytest.mark.parametrize(
    "wrong_rows",
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
def test_rows_that_are_not_an_append_are_refused(store: Encounters, wrong_rows: list[tuple[int, str, bytes]]) -> None:
    with pytest.raises(ValueError, match=r"version|row"):
        store.save(*build_events("fight", wrong_rows))
    assert store.recorder.max_notification_id() == 0


def test_events_of_two_encounters_are_never_saved_together(store: Encounters) -> None:
    for first in (1, 2):
        with pytest.raises(ValueError, match='"other" cannot be saved with "fight"'):
            store.save(*build_events("fight", rows(1)), *build_events("other", rows(first)))
    assert store.recorder.max_notification_id() == 0


def test_a_seed_is_saved_with_the_first_version_and_never_shown(store: Encounters) -> None:
    secret = b"never to be seen in any message!" * 2
    store.save(*build_events("fight", rows(1)), seed=secret)
    texts = [repr(store), str(vars(store))]
    for version, seed in ((1, secret), (3, secret), (2, secret[:63]), (1, secret * 2)):
        with pytest.raises((ValueError, VersionConflict)) as refusal:
            store.save(*build_events("fight", rows(version)), seed=seed)
        texts += [str(refusal.value), repr(refusal.value), *traceback.format_exception(refusal.value)]
    texts += [
        str(notification) for notification in store.recorder.select_notifications(0, 100, inclusive_of_start=False)
    ] + [str(store.rows("fight"))]
    store.close()
    with pytest.raises(StoreUnusable) as error:
        store.save(*build_events("other", rows(1)), seed=secret)
    texts += traceback.format_exception(error.value)
    for text in texts:
        assert "never to be seen" not in text
        assert secret.hex() not in text


def test_a_closed_store_raises_an_error(store: Encounters) -> None:
    store.save(*build_events("fight", rows(1)))
    store.close()
    store.close()
    with pytest.raises(StoreUnusable, match="has been closed"):
        store.rows("fight")
    with pytest.raises(StoreUnusable, match="has been closed"):
        store.save(*build_events("fight", rows(2)))


@pytest.mark.parametrize("encounter", ["\udc80", "a\ud800b"])
def test_a_name_with_invalid_text_is_refused(store: Encounters, encounter: str) -> None:
    with pytest.raises(BadInput, match="No log can hold"):
        store.save(*build_events(encounter, rows(1)))
    with pytest.raises(BadInput, match="No log can hold"):
        store.rows(encounter)
    assert store.save(*build_events("fight", rows(1)))[-1] == 1


def test_a_number_too_large_for_the_file_is_refused(store: Encounters) -> None:
    with pytest.raises(BadInput, match="No log can hold"):
        store.recorder.select_notifications(2**63, 10, inclusive_of_start=False)
    with pytest.raises(BadInput, match="No log can hold"):
        store.rows("fight", after=2**63)


@given(
    st.lists(st.tuples(st.sampled_from(["a", "b", "c'; --"]), st.integers(1, 40), st.binary(max_size=20)), max_size=12)
)
def test_the_store_behaves_like_a_dict_of_lists(groups: list[tuple[str, int, bytes]]) -> None:
    model: dict[str, list[tuple[int, str, bytes]]] = {}
    order: list[tuple[str, tuple[int, str, bytes]]] = []
    with Encounters.at("sqlite://") as store:
        for encounter, count, state in groups:
            known_rows = model.setdefault(encounter, [])
            new = rows(len(known_rows) + 1, count, state=state)
            known_rows += new
            order += [(encounter, row) for row in new]
            assert store.save(*build_events(encounter, new))[-1] == len(order)
        assert store.encounters() == list(model)
        assert {encounter: store.rows(encounter) for encounter in model} == model
        assert store.recorder.latest() == (order[-1][0] if order else None)
        newest = {name: version for name, (version, _, _) in order}
        assert store.recorder.versions() == [(name, newest[name]) for name in model]
        last_played = dict.fromkeys(name for name, _ in reversed(order))
        assert store.recorder.versions(last_played=True) == [(name, newest[name]) for name in last_played]
        assert store.recorder.select_notifications(0, 1000, inclusive_of_start=False) == [
            (i, name, *row) for i, (name, row) in enumerate(order, 1)
        ]


def test_threads_share_a_store(store: Encounters) -> None:
    def play(name: str) -> list[tuple[int, str, bytes]]:
        for first in range(1, 61, 3):
            store.save(*build_events(name, rows(first, 3, state=name.encode())))
            assert store.recorder.last_version(name) == first + 2
            assert store.recorder.latest() is not None
        return store.rows(name)

    names = [f"fight-{number}" for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        for name, stored_rows in zip(names, pool.map(play, names), strict=True):
            assert stored_rows == rows(1, 60, state=name.encode())
    assert [item.id for item in store.recorder.select_notifications(0, 1000, inclusive_of_start=False)] == list(
        range(1, 481)
    )


def test_threads_on_one_encounter_lose_nothing(store: Encounters) -> None:
    def play(number: int) -> None:
        writes = 0
        while writes < 20:
            try:
                store.save(
                    *build_events("fight", rows(store.recorder.last_version("fight") + 1, 2, state=b"%d" % number))
                )
            except VersionConflict:
                continue
            writes += 1

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(play, range(4)))
    stored_rows = store.rows("fight")
    assert [version for version, _, _ in stored_rows] == list(range(1, 161))
    assert all(a[2] == b[2] for a, b in zip(stored_rows[::2], stored_rows[1::2], strict=True))


def test_readers_do_not_wait_for_a_writer(path: Path) -> None:
    with Encounters.at(path) as store, ThreadPoolExecutor(2) as pool:
        store.save(*build_events("fight", rows(1)))
        with in_sqlite(store).writing():
            assert pool.submit(store.rows, "fight").result(timeout=4) == rows(1)
            assert pool.submit(store.recorder.latest).result(timeout=4) == "fight"


def test_a_nested_write_is_refused_and_changes_nothing(store: Encounters) -> None:
    store.save(*build_events("fight", rows(1)))
    store.projection_recorder("seen").keep([("fight", 0, b"0")])
    with in_sqlite(store).writing() as cursor:
        cursor.execute("UPDATE projected SET version = 1")
        with pytest.raises(StoreUnusable, match="another transaction"):
            store.projection_recorder("seen").keep([("fight", 2, b"2")])
        for count in (1, 40):
            with pytest.raises(StoreUnusable, match="another transaction"):
                store.save(*build_events("fight", rows(2, count)))
        assert store.rows("fight") == rows(1)
    assert store.projection_recorder("seen").rows(["fight"]) == {"fight": (1, b"0")}
    assert store.save(*build_events("fight", rows(2)))[-1] == 2


def test_after_an_interrupt_the_store_knows_if_the_newest_events_are_written(
    store: Encounters, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    assert not store.has_written()
    store.save(*build_events("fight", rows(1, 2)))
    assert store.has_written()
    for module, moment, is_written in (
        (encounters, "begun_rulings", False),
        (sqlite, "insert", False),
        (sqlite, "check_count", True),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(module, moment, interrupted)
            with pytest.raises(KeyboardInterrupt):
                store.save(*build_events("fight", rows(3, 2)))
        assert store.has_written() is is_written
    assert store.rows("fight") == rows(1, 4)


def test_a_write_waits_for_the_disk_by_default(path: Path) -> None:
    for synchronous, number in (("FULL", 2), ("NORMAL", 1), ("EXTRA", 3)):
        with (
            Encounters.at(path, synchronous=synchronous) as store,
            in_sqlite(store).writing() as cursor,
        ):
            assert cursor.execute("PRAGMA synchronous").fetchone() == (number,)
            assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_an_error_without_a_code_keeps_its_message() -> None:
    assert (
        str(store_unusable(sqlite3.ProgrammingError("It broke."), "fights.mam"))
        == "fights.mam cannot be used: It broke."
    )


def head(version: int, ruling: int) -> tuple[int, str, bytes]:
    return (version, "Note.1", b'{"ruling":%d,"at":"","by":"","seal":"5e","text":"\\"seal\\":\\""}' % ruling)


def test_a_ruling_with_a_wrong_number_is_never_written(path: Path) -> None:
    event = b'{"ruling":9,"why":"\\"seal\\":\\"","said":{"seal":"no head"}}'
    with Encounters.at(path) as store:
        with pytest.raises(ValueError, match="only ruling 1 can follow ruling 0"):
            store.save(*build_events("fight", [head(1, 2)]))
        store.save(*build_events("fight", [head(1, 1), (2, "RulingRejudged.1", event), head(3, 2)]))
        store.save(*build_events("fight", rows(4, 40, state=event)))
    for _ in range(2):
        with Encounters.at(path) as store:
            for wrong in (1, 2, 4):
                with pytest.raises(ValueError, match="only ruling 3 can follow ruling 2"):
                    store.save(*build_events("fight", [head(44, wrong), *rows(45)]))
            with pytest.raises(ValueError, match="only ruling 3"):
                store.save(*build_events("fight", [head(44, 3), head(45, 5)]))
            assert store.recorder.last_version("fight") == 43
    with Encounters.at(path) as store:
        store.save(*build_events("fight", [head(44, 3), *rows(45, 40)]))
        with pytest.raises(VersionConflict):
            store.save(*build_events("fight", [head(44, 3)]))
        store.save(*build_events("fight", [head(85, 4), head(86, 5)]))
        store.save(*build_events("fight", [head(87, 6)]))


def test_a_snapshot_replaces_the_last_and_is_skipped_if_it_cannot_be_written(
    path: Path,
) -> None:
    def recorder_of(store: Encounters) -> Any:
        assert store.snapshots is not None
        return store.snapshots.recorder

    def kept_rows(store: Encounters) -> list[StoredEventRow]:
        stored_rows: list[StoredEventRow] = recorder_of(store).select_events("fight")
        return stored_rows

    with Encounters.at(path, busy_timeout=0.05) as store, Encounters.at(path) as other:
        recorder = recorder_of(store)
        assert kept_rows(store) == []
        first, second = StoredEventRow("fight", 3, "Snapshot.1", b"3"), StoredEventRow("fight", 6, "Snapshot.1", b"6")
        recorder.insert_events([first, second])
        recorder.insert_events([StoredEventRow("another", 6, "Snapshot.1", b"")])
        assert kept_rows(store) == [first, second]
        second_row = StoredEventRow("fight", 6, "Snapshot.1", b"again")
        recorder.insert_events([second_row])
        with in_sqlite(other).writing():
            recorder.insert_events([StoredEventRow("fight", 9, "Snapshot.1", b"never")])
        assert kept_rows(other) == [first, second_row]
        newer_row = StoredEventRow("fight", 5, "Snapshot.2", b"newer")
        recorder.insert_events([newer_row])
        assert kept_rows(other) == [newer_row]
        assert [one.state for one in recorder.select_events("another")] == [b""]
        store.factory.forget()
        assert kept_rows(other) == []
    with pytest.raises(StoreUnusable, match="closed"):
        kept_rows(store)
