"""Lines over HTTP, by the game master and by players."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.service.conftest import PARTY, Client, Service, ServiceResponse
from web.client.remote_log import RemoteLog

Name = Callable[[], str]


HIDDEN = {"do": "join", "combatant": "wolf", "name": "Wolf", "hp": 9, "side": "cult", "visibility": "gm"}


@pytest.fixture
def duel(master: Client, encounter: Name) -> str:
    name = encounter()
    master.begin(name)
    return name


def sent(client: Client, duel: str, line: str, version: int, key: str = "k", query: str = "") -> ServiceResponse:
    headers = {"Content-Type": "text/plain", "Idempotency-Key": key, "If-Match": f'"{version}"'}
    return client.ask("POST", f"/encounters/{duel}/lines{query}", headers=headers, raw=line.encode())


def test_a_line_returns_its_long_form_and_its_rulings(master: Client, duel: str) -> None:
    response = sent(master, duel, "a p2; d 1; 6 1.", 5)
    assert response.status == 200, response.body
    assert response.json["line"] == ["ana: attack bo body power=2", "bo: defend 1", "resolve [6 1]", "ana: end-turn"]
    assert [one["number"] for one in response.json["rulings"]] == [6, 7, 8, 9]
    assert response.headers["etag"] == '"9"'


def test_a_line_stops_where_somebody_may_react(master: Client, duel: str) -> None:
    document = sent(master, duel, "a p2 6 1", 5).json
    assert document["unused"] == "6 1"
    assert "defend" in document["may"]["bo"]


def test_a_repeated_line_is_written_once(master: Client, duel: str) -> None:
    first = sent(master, duel, "a p2; d 1", 5)
    response = sent(master, duel, "a p2; d 1", 5)
    assert response.json["line"] == first.json["line"]
    assert response.headers["idempotency-replayed"] == "true"
    assert sent(master, duel, "a p1", 7).json["code"] == "key_reused"


def test_an_invalid_line_is_a_problem_and_writes_nothing(master: Client, duel: str) -> None:
    response = sent(master, duel, "a p2; flub", 5)
    assert (response.status, response.json["code"]) == (400, "bad_input")
    assert "flub" in response.json["detail"]
    assert sent(master, duel, "a p2", 4).status == 412
    assert master.get(f"/encounters/{duel}").json["version"] == 5


def test_a_line_may_have_as_many_orders_as_a_list(master: Client, duel: str) -> None:
    line = "; ".join(['note "x"'] * 101)
    for client in (sent(master, duel, line, 5), sent(master, duel, f"after 5 {line}", 5, query="?looks=true")):
        assert (client.status, client.json["code"]) == (400, "bad_input")
        assert "at most 100 orders, not 101" in client.json["detail"]
    response = master.post(f"/encounters/{duel}/commands", [{"do": "end-turn", "combatant": "ana"}] * 101, 5)
    assert "1 to 100 orders" in response.json["detail"]
    assert master.get(f"/encounters/{duel}").json["version"] == 5


def test_a_correction_that_changes_later_rulings_needs_expect_or_sure(master: Client, duel: str) -> None:
    sent(master, duel, "a p2; d 1; 6 1.", 5)
    response = sent(master, duel, "amend 6 p1", 9, "other")
    assert (response.status, response.json["code"]) == (422, "needs_expect")
    assert "expect=9:" in response.json["detail"]
    assert sent(master, duel, "amend 6 p1", 9, "third", "?sure=true").json["line"] == ["correct ~#6=(power=1)"]


def test_looks_previews_a_correction_and_writes_nothing(master: Client, duel: str) -> None:
    sent(master, duel, "a p2; d 1; 6 1.", 5)
    response = sent(master, duel, "amend 6 p1", 9, "other", "?looks=true")
    assert response.status == 200, response.body
    assert (response.json["version"], response.json["line"]) == (9, ["correct ~#6=(power=1)"])
    preview = response.json["preview"]
    assert preview["touches_more"]
    assert {one["ruling"]: one["verdict"] for one in preview["verdicts"]}[8] == "changed"
    assert master.get(f"/encounters/{duel}").json["version"] == 9
    # The key can be used again. The correction is written only as it was previewed.
    query = f"?expect={preview['expect']}"
    assert sent(master, duel, "amend 6 p2", 9, "other", query).status == 412
    assert sent(master, duel, "amend 6 p1", 9, "other", query).json["line"] == ["correct ~#6=(power=1)"]
    assert sent(master, duel, "u", 9, "late", "?looks=true").status == 412


def test_looks_previews_an_insert_and_is_refused_for_an_order(master: Client, duel: str) -> None:
    sent(master, duel, "a p2; d 1; 6 1.", 5)
    document = sent(master, duel, "after 5 m 1", 9, "insert", "?looks=true").json
    assert document["line"] == ["after #5: ana: move points=1"]
    assert [one["ruling"] for one in document["preview"]["verdicts"]] == [6, 7, 8, 9]
    assert sent(master, duel, "n", 9, "order", "?looks=true").json["place"] == "expect"
    assert master.get(f"/encounters/{duel}").json["version"] == 9


def test_a_line_must_be_plain_text(master: Client, duel: str) -> None:
    assert (
        master.ask("POST", f"/encounters/{duel}/lines", {"a": 1}, {"Idempotency-Key": "k", "If-Match": '"5"'}).status
        == 415
    )
    plain = {"Content-Type": "text/plain", "Idempotency-Key": "k"}
    assert master.ask("POST", f"/encounters/{duel}/lines", headers=plain, raw=b"n").status == 428
    bad = plain | {"If-Match": '"5"'}
    assert master.ask("POST", f"/encounters/{duel}/lines", headers=bad, raw=b"\xff").status == 400


@pytest.fixture
def ana(shared_service: Service, master: Client, encounter: Name) -> tuple[str, Client]:
    """Begin a fight with a hidden wolf in Ana's turn, and return its name and the client of Ana's player."""
    name = encounter()
    master.begin(name, HIDDEN, *PARTY)
    return name, shared_service.client(shared_service.token("player", "ana", "--by", "Ana", "-e", name))


def test_a_player_may_order_only_their_own_combatants(ana: tuple[str, Client]) -> None:
    duel, player = ana
    response = sent(player, duel, "a p2", 6)
    assert response.json["line"] == ["ana: attack bo body power=2"]
    assert response.json["rulings"][0]["by"] == "Ana"
    for line in ("d 1", "bo: defend 1", 'gm bo dead "x"', "join Eve heroes hp=3", "init"):
        assert sent(player, duel, line, 7, line).status == 403, line
    assert sent(player, duel, 'note "x"; bo: defend 1', 7, "both").status == 403
    assert player.get(f"/encounters/{duel}").json["version"] == 7


def test_a_players_line_stops_before_its_dice_without_naming_reactors(ana: tuple[str, Client], master: Client) -> None:
    duel, player = ana
    document = sent(player, duel, "a p2 6", 6).json
    assert (document["may"], document["unused"]) == ({}, "6")
    # The hidden wolf could interfere, and the answer must not show it.
    waits = sent(player, duel, "6", 7, "dice")
    assert (waits.status, waits.json["code"]) == (422, "awaits_reaction")
    assert sent(master, duel, "bo: pass", 7, "pass").json["rulings"][0]["sentence"] == "Bo lets it come."
    assert sent(player, duel, "6", 8, "dice").json["code"] == "awaits_die"
    body = sent(master, duel, "bo: throw-die 4", 8, "throw").json
    assert (body["line"], body["rulings"][0]["sentence"]) == (["bo: throw-die [4]"], "Bo throws 4 in defense.")
    assert sent(player, duel, "6", 9, "dice").json["line"][0].startswith("resolve [6")


def test_a_players_line_treats_a_hidden_name_like_an_unknown_one(ana: tuple[str, Client]) -> None:
    duel, player = ana
    nobody, hidden = (sent(player, duel, f"a {name} p2", 6, name).json for name in ("bear", "wolf"))
    assert hidden["detail"] == nobody["detail"].replace("bear", "wolf")
    assert "wolf" not in " ".join(hidden["allowed"])
    # Only one foe is visible, so the target may be left out.
    assert sent(player, duel, "a p2", 6, "one").json["line"] == ["ana: attack bo body power=2"]


def test_a_player_can_undo_only_their_newest_line(ana: tuple[str, Client], master: Client) -> None:
    duel, player = ana
    sent(player, duel, "m 1; a p2", 6)
    assert sent(player, duel, 'u "so said"', 8, "u").json["line"] == ['correct -#7 -#8 "so said"']
    for line in ("u 5", "redo", "amend 7 p1", "after 6 m 1", "correct -#7"):
        assert sent(player, duel, line, 9, line).json["code"] == "not_yours", line
    sent(player, duel, "a p2", 9, "again")
    document = sent(player, duel, "u", 10, "look", "?looks=true").json
    assert (document["line"], document["preview"]["struck"]) == (["correct -#10"], [10])
    assert "wolf" not in [one["combatant"] for one in document["preview"]["combatants"]]
    for line in ("u 5", "redo", "amend 10 p1", "after 6 m 1", "correct -#10"):
        assert sent(player, duel, line, 10, line, "?looks=true").json["code"] == "not_yours", line
    sent(master, duel, 'note "wait"', 10)
    assert sent(player, duel, "u", 11, "look still", "?looks=true").status == 200
    sent(master, duel, 'gm bo 1 ready>damage "a stone"', 11, "gm")
    assert sent(player, duel, "u", 12, "look late", "?looks=true").status == 403
    assert sent(player, duel, "u", 12, "late").status == 403


def test_undo_of_a_player_skips_their_own_remark(ana: tuple[str, Client]) -> None:
    duel, player = ana
    sent(player, duel, "a p2", 6)
    sent(player, duel, 'note "wait"', 7, "note")
    assert sent(player, duel, "u", 8, "u").json["line"] == ["correct -#7"]


def test_a_player_cannot_undo_rulings_that_are_not_theirs(ana: tuple[str, Client], master: Client) -> None:
    duel, player = ana
    # The reactions of others can't be undone.
    sent(player, duel, "a p2", 6)
    sent(master, duel, "d 1; bo: throw-die", 7, "d")
    sent(player, duel, "r", 9, "r")
    undo = {"correct": "undo", "ruling": 10}
    # Only the game master can undo a die that was thrown.
    for response in (
        player.post(f"/encounters/{duel}/corrections", undo, 10),
        sent(player, duel, "u !", 10, "fishing"),
    ):
        assert (response.status, response.json["code"]) == (403, "not_yours")
        assert "A die" in response.json["detail"]
    version = sent(player, duel, "m 1", 10, "move").json["version"]
    undo = {"correct": "undo", "ruling": version}
    sentence = player.post(f"/encounters/{duel}/corrections", undo, version).json["rulings"][0]["sentence"]
    assert sentence.startswith("Ana undoes 11 (")
    # A ruling that the game master wrote in the player's name belongs to the game master.
    line = 'gm ana 1 ready>damage "hurt"; gm bo 1 ready>damage "too"'
    sent(master, duel, line, 12, "gm", "?by=Ana")
    assert sent(player, duel, "u !", 14, "u").status == 403
    # The player's own remark blocks nothing.
    sent(player, duel, "m 1", 14, "again")
    sent(player, duel, 'note "ouch"', 15, "note")
    assert sent(player, duel, "u !", 16, "own").json["line"] == ["correct -#15"]


def test_a_player_cannot_undo_a_ruling_hidden_from_them(
    shared_service: Service, master: Client, encounter: Name
) -> None:
    name = encounter()
    joins = [
        {"do": "join", "combatant": who, "code": {"perception": "1D"}, "side": who, "character_points": 1}
        for who in ("ash", "elm")
    ]
    ghost = {"do": "join", "combatant": "ghost", "code": {"perception": "1D"}, "visibility": "gm"}
    rolls = {
        "do": "roll-initiative",
        "combatants": ["ash", "elm", "ghost"],
        "dice": {"ash": [2], "elm": [5], "ghost": [4]},
    }
    assert master.post("/encounters", {"encounter": name, "open": {"preset": "ron_d6"}}).status == 201
    assert master.order(name, *joins, ghost, {"do": "round"}, rolls).status == 200
    player = shared_service.client(shared_service.token("player", "ash", "--by", "Ash", "-e", name))
    assert sent(player, name, "ash: spend character initiative [2]", 6).status == 200
    for line in ("u", "u !"):
        assert sent(player, name, line, 7, line).status == 403
    spending = {
        "do": "spend",
        "combatant": "ash",
        "point": "character",
        "on": "initiative",
        "dice": [3],
        "again": {"ash": [5]},
    }
    assert player.post(f"/encounters/{name}/commands", spending, 7).status == 403


def test_a_player_may_not_set_author_id_or_visibility(ana: tuple[str, Client]) -> None:
    duel, player = ana
    for line, query in (("m 1 by=Bo", ""), ("m 1 id=line-1", ""), ("m 1", "?ask_dice=true")):
        assert sent(player, duel, line, 6, line + query, query).json["code"] == "not_yours"
    assert sent(player, duel, 'note "x" seen=gm', 6, "seen").status == 403
    assert sent(player, duel, 'dispute 6 "not so', 6, "dispute").json["line"] == ['dispute "not so" about=#6']


def test_a_remote_log_gives_lines(master: Client, duel: str) -> None:
    log = RemoteLog.at_address(f"http://127.0.0.1:{master.port}/", "")
    line_answer = log.give_line(duel, "a p2 6 1")
    assert line_answer.said == ("ana: attack bo body power=2",)
    assert line_answer.stopped is not None
    assert line_answer.stopped.unused == "6 1"
    assert [answer.number for answer in log.give_line(duel, "d 1; 6 1.").answers] == [7, 8, 9]
    assert log.give_line(duel, 'note "x" id=mine').answers[0].number == 10
    assert log.give_line(duel, 'note "x" id=mine').answers[0].repeated
