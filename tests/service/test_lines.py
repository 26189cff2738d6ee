"""Lines over HTTP: plain text in, long lines out, the game master's alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.service.conftest import Client, Told
from web.client.log import RemoteLog

Name = Callable[[], str]


@pytest.fixture
def duel(master: Client, encounter: Name) -> str:
    name = encounter()
    master.begin(name)
    return name


def sent(client: Client, duel: str, line: str, seen: int, key: str = "k", query: str = "") -> Told:
    headers = {"Content-Type": "text/plain", "Idempotency-Key": key, "If-Match": f'"{seen}"'}
    return client.ask("POST", f"/encounters/{duel}/lines{query}", headers=headers, raw=line.encode())


def test_a_line_is_answered_with_its_long_lines_and_its_rulings(master: Client, duel: str) -> None:
    told = sent(master, duel, "a p2; d 1; 6 1.", 5)
    assert told.status == 200, told.body
    assert told.json["line"] == ["ana: attack bo body power=2", "bo: defend 1", "resolve [6 1]", "ana: end-turn"]
    assert [one["number"] for one in told.json["rulings"]] == [6, 7, 8, 9]
    assert told.headers["etag"] == '"9"'


def test_a_line_stops_where_somebody_may_react(master: Client, duel: str) -> None:
    told = sent(master, duel, "a p2 6 1", 5).json
    assert told["unused"] == "6 1"
    assert "defend" in told["may"]["bo"]


def test_a_line_sent_again_is_written_once(master: Client, duel: str) -> None:
    first = sent(master, duel, "a p2; d 1", 5)
    again = sent(master, duel, "a p2; d 1", 5)
    assert again.json["line"] == first.json["line"]
    assert again.headers["idempotency-replayed"] == "true"
    assert sent(master, duel, "a p1", 7).json["code"] == "key_reused"


def test_a_line_that_cannot_be_given_is_a_problem_and_writes_nothing(master: Client, duel: str) -> None:
    told = sent(master, duel, "a p2; flub", 5)
    assert (told.status, told.json["code"]) == (400, "bad_input")
    assert "flub" in told.json["detail"]
    assert sent(master, duel, "a p2", 4).status == 412
    assert master.get(f"/encounters/{duel}").json["version"] == 5


def test_a_correction_that_changes_more_wants_to_be_meant(master: Client, duel: str) -> None:
    sent(master, duel, "a p2; d 1; 6 1.", 5)
    told = sent(master, duel, "amend 6 p1", 9, "other")
    assert (told.status, told.json["code"]) == (422, "needs_expect")
    assert "expect=9:" in told.json["detail"]
    assert sent(master, duel, "amend 6 p1", 9, "third", "?sure=true").json["line"] == ["correct ~#6=(power=1)"]


def test_a_line_is_text_and_the_game_masters(master: Client, duel: str) -> None:
    assert (
        master.ask("POST", f"/encounters/{duel}/lines", {"a": 1}, {"Idempotency-Key": "k", "If-Match": '"5"'}).status
        == 415
    )
    plain = {"Content-Type": "text/plain", "Idempotency-Key": "k"}
    assert master.ask("POST", f"/encounters/{duel}/lines", headers=plain, raw=b"n").status == 428
    bad = plain | {"If-Match": '"5"'}
    assert master.ask("POST", f"/encounters/{duel}/lines", headers=bad, raw=b"\xff").status == 400


def test_the_command_line_gives_lines_at_a_service(master: Client, duel: str) -> None:
    log = RemoteLog.at_address(f"http://127.0.0.1:{master.port}/", "")
    given = log.give_line(duel, "a p2 6 1")
    assert given.said == ("ana: attack bo body power=2",)
    assert given.stopped is not None
    assert given.stopped.unused == "6 1"
    assert [answer.number for answer in log.give_line(duel, "d 1; 6 1.").answers] == [7, 8, 9]
