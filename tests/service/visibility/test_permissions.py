"""Permissions of the game master, players and viewers; revoked tokens."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.service.conftest import Client, Service, Table, run_mam
from tests.service.routes.test_lines import sent
from web.service.endpoints import ENDPOINTS
from web.service.routes import load_routes

Name = Callable[[], str]
load_routes()
STRIKE = {"do": "attack", "attacker": "ana", "target": "bo", "power": 2}


@pytest.fixture(scope="session")
def table(make_table: Callable[[], Table]) -> Table:
    return make_table()


def test_me_returns_the_rank_name_and_combatants_of_a_token(table: Table) -> None:
    assert table.master.get("/me").json["rank"] == "gm"
    assert table.ana.get("/me").json == {
        "rank": "player",
        "name": "Ana",
        "encounter": table.name,
        "combatants": ["ana"],
    }
    assert table.viewer.get("/me").json["rank"] == "viewer"


def test_a_player_may_act_for_their_own_and_undo_only_their_last_ruling(make_table: Callable[[], Table]) -> None:
    table = make_table()
    others = table.bo.order(table.name, STRIKE)
    assert (others.status, others.json["code"]) == (403, "not_yours")
    own = table.ana.order(table.name, STRIKE)
    assert own.status == 200, own.body
    assert own.json["rulings"][0]["by"] == "Ana"
    version = own.json["version"]
    assert table.bo.post(f"{table.at}/corrections", {"correct": "undo"}, version).status == 403
    response = table.ana.post(f"{table.at}/corrections", {"correct": "undo"}, version)
    assert response.status == 200, response.body
    assert table.ana.order(table.name, STRIKE).status == 200
    assert table.bo.order(table.name, {"do": "defend", "combatant": "bo", "points": 1}).status in (200, 400, 422)
    newest = table.master.get(table.at).json["version"]
    late_undo = table.ana.post(f"{table.at}/corrections", {"correct": "undo", "ruling": newest - 1}, newest)
    assert late_undo.status == 403
    assert "Dispute anything older" in late_undo.json["detail"]
    assert table.ana.post(f"{table.at}/disputes", {"about": newest, "claim": "no"}, "*").status == 200


@pytest.mark.parametrize(
    "body",
    [
        {"do": "adjust", "reason": "because"},
        {"do": "join", "combatant": "eve", "name": "Eve", "hp": 3},
        {"do": "close"},
        {"do": "change-rules", "house_rules": {"half_success": "never"}, "reason": "x"},
        STRIKE | {"situation": [{"modifier": 6, "reason": "I like it"}]},
        STRIKE | {"visibility": "gm"},
        {"do": "check", "combatant": "bo", "difficulty": "hard"},
    ],
)
def test_orders_of_the_game_master_are_refused_to_players_and_viewers(table: Table, body: dict[str, Any]) -> None:
    response = table.ana.order(table.name, body)
    assert response.status in (400, 403), response.body
    assert table.viewer.order(table.name, body).status == 403


def test_every_endpoint_checks_the_rank_of_the_token(table: Table, shared_service: Service) -> None:
    """Try every role on every call; too low a rank is refused before the body is read."""
    nobody = shared_service.client("mam_000000000000_nothing")
    for call in ENDPOINTS:
        path = call.path.format(
            **{"encounter": table.name, "rerun": "x", "preset": "mam_pools"}
            | dict(call.example.path)
            | {"encounter": table.name}
        )
        ranks = {"viewer": table.viewer, "player": table.ana}
        for rank, client in ranks.items():
            if call.kind == "stream":
                continue
            response = client.ask(
                call.method, path, {} if call.method == "POST" else None, {"Idempotency-Key": "m", "If-Match": "*"}
            )
            below = (rank == "viewer" and call.rank in ("player", "gm")) or (rank == "player" and call.rank == "gm")
            assert (response.status == 403) == below, (call.name, rank, response)
        response = nobody.ask(call.method, path)
        assert response.status == 401, (call.name, response)


def test_a_token_is_valid_for_one_encounter(table: Table, make_table: Callable[[], Table]) -> None:
    other = make_table()
    for path in ("", "/pools", "/events", "/export", "/replay.html"):
        response = table.ana.get(f"{other.at}{path}")
        assert response.status == 404
        assert other.name not in response.json["detail"].replace(f'"{other.name}" here', "")
    assert [row["encounter"] for row in table.ana.get("/encounters").json] == [table.name]
    assert table.ana.post("/encounters", {"encounter": "mine"}).status == 403
    assert table.ana.get("/metrics").status == 403


def test_a_view_can_only_be_narrowed(table: Table) -> None:
    assert table.ana.get(f"{table.at}/pools?as=public").status == 200
    assert table.ana.get(f"{table.at}/pools?as=gm").status == 403
    assert table.ana.get(f"{table.at}/pools?as=side:thugs").status == 403
    assert table.viewer.get(f"{table.at}/pools?as=side:heroes").status == 403
    assert len(table.master.get(f"{table.at}/pools").json) == 3
    assert len(table.master.get(f"{table.at}/pools?as=side:heroes").json) == 2


def test_a_revoked_token_is_refused(make_table: Callable[[], Table], shared_service: Service) -> None:
    table = make_table()
    assert table.viewer.get(f"{table.at}/pools").status == 200
    name = table.viewer.token.split("_")[1]
    assert json.loads(run_mam("token", "revoke", name, "--store", str(shared_service.store), "--json"))["revoked_at"]
    response = table.viewer.get(f"{table.at}/pools")
    assert (response.status, response.json["code"]) == (401, "unknown_token")


def test_no_answer_to_a_player_contains_anything_hidden(make_table: Callable[[], Table]) -> None:
    table = make_table()
    table.master.order(
        table.name, {"do": "check", "combatant": "ana", "difficulty": "hard", "die": 3, "visibility": "gm"}
    )
    table.master.post(f"{table.at}/notes", {"text": "Zqxwvkj waits under the stairs", "visibility": "gm"}, "*")
    for call in ENDPOINTS:
        if call.method != "GET" or call.kind == "stream" or call.rank == "gm":
            continue
        fields = {"encounter": table.name, "ruling": "2", "preset": "mam_pools"}
        for more in ("", "?as=public"):
            if more and "as" not in call.query.__struct_encode_fields__:
                continue
            answer = table.ana.get(call.path.format(**fields) + more)
            assert b"Zqxwvkj" not in answer.body, (call.name, answer.body)
            assert b"zqxwvkj" not in answer.body, (call.name, answer.body)
            assert b"stairs" not in answer.body, call.name
    for body in (
        STRIKE | {"target": "zqxwvkj"},
        {"do": "defend", "combatant": "ana", "exchange": 99, "points": 1},
    ):
        answer = table.ana.order(table.name, body)
        assert answer.status == 422
        # An answer may repeat what the player wrote.
        assert b"Zqxwvkj" not in answer.body
        nobody = table.ana.order(table.name, body | {"target": "nobody"} if "target" in body else body)
        assert answer.body.replace(b"zqxwvkj", b"?") == nobody.body.replace(b"nobody", b"?")
    with table.ana.stream(f"{table.at}/events/stream?after=0", Accept="application/x-ndjson") as response:
        lines = [response.readline() for _ in range(8)]
    assert b'hidden":true' in b"".join(lines)
    assert b"qx" not in b"".join(lines)


def test_a_link_sets_a_cookie_that_scripts_cannot_read(table: Table) -> None:
    response = table.viewer.ask("POST", "/session", {"token": table.ana.token}, {"Authorization": ""})
    assert response.status == 204
    cookie = response.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    headers = {"Cookie": cookie.partition(";")[0], "Authorization": ""}
    stranger = Client(table.master.port)
    assert stranger.ask("GET", "/me", headers={"Cookie": headers["Cookie"]}).json["name"] == "Ana"
    assert stranger.ask("POST", "/session", {"token": "mam_1_2"}).status == 401
    assert stranger.ask("POST", "/session", {"token": ""}).status == 401


POTION = {"do": "adjust", "condition": {"ana": "able"}, "reason": "a potion"}


def test_a_proposal_is_accepted_or_refused_by_the_game_master(make_table: Callable[[], Table]) -> None:
    table = make_table()
    at = f"{table.at}/proposals"
    proposal = table.ana.post(at, {"order": POTION, "text": "I drank it."}, "*")
    assert proposal.status == 200, proposal.body
    number = proposal.json["version"]
    assert "proposes" in proposal.json["rulings"][0]["sentence"]
    waiting = table.bo.get(at).json
    assert [(one["ruling"], one["by"], one["order"]["do"]) for one in waiting] == [(number, "Ana", "adjust")]
    assert table.ana.post(f"{at}/{number}/ruling", {"accept": True}, number).status == 403
    assert table.viewer.post(at, {"order": POTION}, "*").status == 403
    accepted = table.master.post(f"{at}/{number}/ruling", {"accept": True, "reason": "she did"}, number)
    assert accepted.status == 200, accepted.body
    assert [ruling["do"] for ruling in accepted.json["rulings"]] == ["adjust", "decision"]
    assert "accepts proposal" in accepted.json["rulings"][1]["sentence"]
    response = table.master.post(f"{at}/{number}/ruling", {"accept": False}, number + 2)
    assert (response.status, response.json["code"]) == (422, "dispute_closed")
    assert table.bo.get(at).json == []
    (closed,) = table.bo.get(f"{at}?all=true").json
    assert (closed["open"], closed["accepted_as"]) == (False, number + 1)


def test_a_proposal_may_be_accepted_with_another_order_and_only_once(make_table: Callable[[], Table]) -> None:
    table = make_table()
    at = f"{table.at}/proposals"
    number = table.ana.post(at, {"order": POTION}, "*").json["version"]
    instead = POTION | {"condition": {"ana": "out"}}
    body = {"accept": True, "instead": instead}
    first = table.master.post(f"{at}/{number}/ruling", body, number, key="once")
    second = table.master.post(f"{at}/{number}/ruling", body, number, key="once")
    assert (first.status, second.status) == (200, 200), first.body + second.body
    assert second.json["repeated"]
    assert second.json["version"] == number + 2
    assert table.bo.post(at, {"order": {"do": "open", "preset": "mam_pools"}}, "*").status == 400


def test_an_illegal_proposed_order_leaves_its_proposal_open(make_table: Callable[[], Table]) -> None:
    table = make_table()
    at = f"{table.at}/proposals"
    number = table.ana.post(at, {"order": {"do": "begin-turn", "combatant": "ana"}}, "*").json["version"]
    response = table.master.post(f"{at}/{number}/ruling", {"accept": True}, number)
    assert response.status == 422, response.body
    assert table.master.get(table.at).json["version"] == number
    assert [one["ruling"] for one in table.master.get(at).json] == [number]
    rejection = table.master.post(f"{at}/{number}/ruling", {"accept": False, "reason": "not your turn"}, number)
    assert "refuses proposal" in rejection.json["rulings"][0]["sentence"]


def test_a_proposal_about_a_hidden_combatant_is_refused_like_unknown_ones(make_table: Callable[[], Table]) -> None:
    table = make_table()
    of_the_hidden = {"order": POTION | {"condition": {"zqxwvkj": "out"}}}
    of_nobody = {"order": POTION | {"condition": {"yqxwvkj": "out"}}}
    first, second = (table.ana.post(f"{table.at}/proposals", body, "*") for body in (of_the_hidden, of_nobody))
    assert (first.status, first.body.replace(b"zqxwvkj", b"yqxwvkj")) == (422, second.body)
    assert table.master.post(f"{table.at}/proposals", of_the_hidden, "*").status == 200
    assert table.ana.get(f"{table.at}/proposals").json == []
    assert b"zqxwvkj" not in table.ana.get(f"{table.at}/proposals").body


def test_an_attack_waits_for_the_target(make_table: Callable[[], Table]) -> None:
    table = make_table()
    strike = table.ana.order(table.name, STRIKE).json["version"]
    resolve = {"do": "resolve", "exchange": strike}
    at = f"{table.at}/commands"
    for orders in (resolve, [resolve], resolve | {"attack_die": 3}):
        answer = table.ana.post(at, orders, strike)
        assert (answer.status, answer.json["code"]) == (422, "awaits_reaction"), answer.body
    # Another order in between doesn't help, and Ana can't pass for Bo.
    assert table.ana.order(table.name, {"do": "pass", "combatant": "bo", "exchange": strike}).status == 403
    assert table.bo.order(table.name, {"do": "pass", "combatant": "bo", "exchange": strike}).status == 200
    response = table.bo.order(table.name, {"do": "pass", "combatant": "bo", "exchange": strike})
    assert response.json["code"] == "already_answered"
    assert table.ana.order(table.name, resolve | {"defense_die": 3}).status == 403
    assert table.ana.order(table.name, resolve | {"outcome": "full"}).status == 403
    # Only Bo's player and the game master throw for Bo.
    waits = table.ana.post(at, resolve, table.version)
    assert (waits.status, waits.json["code"]) == (422, "awaits_die")
    assert "Bo has not thrown yet" in waits.json["detail"]
    throw = {"do": "throw-die", "combatant": "bo", "exchange": strike}
    assert table.ana.order(table.name, throw).status == 403
    assert table.bo.order(table.name, throw).status == 200
    answer = table.ana.order(table.name, resolve)
    assert answer.status == 200, answer.body
    assert "does not wait" not in answer.json["rulings"][0]["sentence"]


def test_a_die_thrown_by_its_player_counts_for_any_resolver(make_table: Callable[[], Table]) -> None:
    table = make_table()
    strike = table.ana.order(table.name, STRIKE).json["version"]
    throw = {"do": "throw-die", "combatant": "bo", "exchange": strike, "die": 5}
    early_response = table.ana.order(table.name, throw | {"combatant": "ana"})
    assert (early_response.status, early_response.json["code"]) == (422, "awaits_reaction")
    response = table.bo.order(table.name, throw)
    assert response.json["rulings"][0]["sentence"] == "Bo throws 5 in defense."
    # A thrown die stays, and no reaction may change after it.
    correction = table.bo.post(f"{table.at}/corrections", {"correct": "undo"}, response.json["version"])
    assert (correction.status, correction.json["code"]) == (403, "not_yours")
    parry = table.bo.order(table.name, {"do": "parry", "combatant": "bo", "exchange": strike})
    assert parry.json["code"] == "dice_thrown"
    other = table.master.order(table.name, {"do": "resolve", "exchange": strike, "defense_die": 1})
    assert (other.status, other.json["code"]) == (422, "die_given")
    # Ana's line is a resolve with her own die.
    answer = sent(table.ana, table.name, "2", response.json["version"])
    assert answer.status == 200, answer.body


@pytest.mark.parametrize("door", ["command", "batch", "line"])
def test_the_log_names_players_the_game_master_did_not_wait_for(make_table: Callable[[], Table], door: str) -> None:
    table = make_table()
    strike = table.ana.order(table.name, STRIKE).json["version"]
    resolve = {"do": "resolve", "exchange": strike, "attack_die": 3, "defense_die": 3}
    if door == "line":
        response = sent(table.master, table.name, "3 3", strike)
    else:
        response = table.master.post(f"{table.at}/commands", [resolve] if door == "batch" else resolve, strike)
    assert response.status == 200, response.body
    assert "The game master does not wait for Bo." in response.json["rulings"][0]["sentence"]
    assert "without waiting for Bo" in table.ana.get(f"{table.at}/log").json[-1]["text"]


def test_nobody_waits_for_a_player_who_has_passed_and_thrown(
    make_table: Callable[[], Table], shared_service: Service
) -> None:
    table = make_table()
    strike = table.ana.order(table.name, STRIKE).json["version"]
    throw = {"do": "throw-die", "combatant": "bo", "exchange": strike}
    # The game master may answer for Bo, and draw for Ana without asking her player.
    ruling = table.master.order(table.name, throw).json["rulings"][0]
    assert "The game master answers for Bo." in [ruling["sentence"], *ruling["follows"]]
    response = table.master.order(table.name, {"do": "resolve", "exchange": strike})
    assert "does not wait for Ana." in response.json["rulings"][0]["sentence"]
    local_client = shared_service.client()
    local_client.begin(f"{table.name}-alone")
    strike = local_client.order(f"{table.name}-alone", STRIKE).json["version"]
    response = local_client.order(f"{table.name}-alone", {"do": "resolve", "exchange": strike})
    assert "wait" not in response.json["rulings"][0]["sentence"]


def test_an_undone_reaction_is_waited_for_again(make_table: Callable[[], Table]) -> None:
    table = make_table()
    strike = table.ana.order(table.name, STRIKE).json["version"]
    defended = table.bo.order(table.name, {"do": "defend", "combatant": "bo", "exchange": strike, "points": 1})
    assert table.bo.post(f"{table.at}/corrections", {"correct": "undo"}, defended.json["version"]).status == 200
    resolve = {"do": "resolve", "exchange": strike}
    assert table.ana.order(table.name, resolve).json["code"] == "awaits_reaction"
    # The target may not set the die of the attack, and the game master may go on without waiting.
    assert table.bo.order(table.name, resolve | {"attack_die": 3}).status == 403
    response = table.master.order(table.name, resolve)
    assert "The game master does not wait for Bo and Ana." in response.json["rulings"][0]["sentence"]


@pytest.mark.parametrize(
    "reaction", [{"do": "defend", "points": 1}, {"do": "parry"}, {"do": "counterattack", "power": 1}]
)
def test_an_attack_waits_for_one_reaction_only(make_table: Callable[[], Table], reaction: dict[str, Any]) -> None:
    table = make_table()
    strike = table.ana.order(table.name, STRIKE).json["version"]
    response = table.bo.order(table.name, {"combatant": "bo", "exchange": strike} | reaction)
    assert response.status == 200, response.body
    throw = {"do": "throw-die", "combatant": "bo", "exchange": strike}
    assert table.bo.order(table.name, throw).status == 200
    assert table.ana.order(table.name, {"do": "resolve", "exchange": strike}).status == 200


def test_nobody_waits_for_a_target_who_cannot_react(make_table: Callable[[], Table]) -> None:
    table = make_table()
    strike = table.ana.order(table.name, STRIKE).json["version"]
    felled = {"do": "adjust", "reason": "he faints", "condition": {"bo": "incapacitated"}}
    assert table.master.order(table.name, felled).status == 200
    assert table.ana.order(table.name, {"do": "resolve", "exchange": strike}).status == 200
