"""Orders over HTTP: written once, all or none, on the version that the client saw."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.service.conftest import Client, Service

Name = Callable[[], str]
STRIKE = {"do": "attack", "attacker": "ana", "target": "bo", "power": 2}


@pytest.fixture
def duel(master: Client, encounter: Name) -> str:
    name = encounter()
    master.begin(name)
    return name


def test_an_order_returns_its_ruling_and_the_pools(master: Client, duel: str) -> None:
    response = master.order(duel, STRIKE)
    assert response.status == 200
    assert response.headers["etag"] == '"6"'
    assert response.json["version"] == 6
    (ruling,) = response.json["rulings"]
    assert (ruling["number"], ruling["do"]) == (6, "attack")
    assert ruling["events"][0]["topic"] == "AttackDeclared.1"
    assert "exchange 6" in response.json["move"].lower()
    assert response.json["combatants"][0]["pools"]["other_used"] == 2


def test_a_repeated_order_is_written_once(master: Client, duel: str) -> None:
    first = master.order(duel, STRIKE, key="again")
    # The version is checked after the key, because this very order changed the log.
    second = master.post(f"/encounters/{duel}/commands", STRIKE, 5, key="again")
    assert second.status == 200
    assert second.headers["idempotency-replayed"] == "true"
    assert second.json["rulings"] == first.json["rulings"]
    assert master.get(f"/encounters/{duel}").json["version"] == 6
    other = master.post(f"/encounters/{duel}/commands", STRIKE | {"power": 1}, 6, key="again")
    assert (other.status, other.json["code"]) == (422, "key_reused")


def test_a_list_of_orders_is_written_together_or_not_at_all(master: Client, duel: str) -> None:
    response = master.order(duel, STRIKE, {"do": "end-turn", "combatant": "bo"})
    assert response.status == 422
    assert response.json["detail"].startswith("order 2 of 2:")
    assert master.get(f"/encounters/{duel}").json["version"] == 5
    resolve = {"do": "resolve", "exchange": 6, "attack_die": 6, "defense_die": 1}
    batch = master.order(duel, STRIKE, resolve, key="both")
    assert [one["number"] for one in batch.json["rulings"]] == [6, 7]
    retry = master.post(f"/encounters/{duel}/commands", [STRIKE, resolve], 5, key="both")
    assert retry.json["rulings"] == batch.json["rulings"]
    assert retry.headers["idempotency-replayed"] == "true"
    assert master.post(f"/encounters/{duel}/commands", STRIKE, 7, key="both").json["code"] == "key_reused"


def test_an_outdated_order_is_refused_with_the_missed_rulings(master: Client, duel: str) -> None:
    master.order(duel, STRIKE)
    response = master.post(f"/encounters/{duel}/commands", {"do": "end-turn", "combatant": "ana"}, 5)
    assert response.status == 412
    assert response.headers["content-type"] == "application/problem+json"
    assert (response.json["code"], response.json["version"]) == ("version_conflict", 6)
    assert [one["number"] for one in response.json["missed"]] == [6]
    assert response.json["missed"][0]["sentence"].startswith("Ana attacks Bo")


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"Idempotency-Key": "a"}, 428, "say_what_you_saw"),
        ({"Idempotency-Key": "a", "If-Match": "*"}, 428, "say_what_you_saw"),
        ({"Idempotency-Key": "a", "If-Match": "five"}, 400, "bad_input"),
        ({"If-Match": '"5"'}, 400, "bad_input"),
        ({"Idempotency-Key": "a" * 500, "If-Match": '"5"'}, 400, "bad_input"),
        ({"Idempotency-Key": "a", "If-Match": '"5"', "Content-Type": "text/plain"}, 415, "must_be_json"),
    ],
)
def test_invalid_headers_of_an_order_are_refused(
    master: Client, duel: str, headers: dict[str, str], status: int, code: str
) -> None:
    response = master.ask("POST", f"/encounters/{duel}/commands", STRIKE, headers)
    assert (response.status, response.json["code"]) == (status, code)
    assert master.get(f"/encounters/{duel}").json["version"] == 5


def test_a_dry_run_writes_nothing_and_draws_no_die(master: Client, duel: str) -> None:
    strike = [STRIKE, {"do": "resolve", "exchange": 6, "attack_die": 6, "defense_die": 1}]
    response = master.ask("POST", f"/encounters/{duel}/commands?dry_run=true", strike)
    assert response.status == 200
    assert [one["number"] for one in response.json["rulings"]] == [6, 7]
    assert response.json["combatants"][1]["pools"]["damage"] > 0
    dry_run = master.ask(
        "POST", f"/encounters/{duel}/commands?dry_run=true", [STRIKE, {"do": "resolve", "exchange": 6}]
    )
    assert dry_run.json["undrawn"]
    assert [one["number"] for one in dry_run.json["rulings"]] == [6]
    assert master.get(f"/encounters/{duel}").json["version"] == 5


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        (b"{", 400, "not JSON"),
        (b"[]", 400, "1 to 100 orders"),
        (b"7", 400, "An order must be an object"),
        (b'{"do": "atack"}', 400, 'Did you mean "attack"?'),
        (b'{"do": 3}', 400, "is not an order"),
        (b'{"do": "attack", "attacker": "ana", "target": "bo", "power": "two"}', 400, "power"),
        (b'{"do": "attack", "attacker": "ana", "target": "bob", "power": 1}', 422, '"bo"'),
        (b'{"do": "attack", "attacker": "ana", "target": "bo", "power": 99}', 422, "ready points"),
        (b'{"do": "open"}', 400, "POST /encounters"),
        (b'{"do": "attack", "attacker": "ana", "target": "bo", "sped": 1}', 400, "sped"),
        (b'{"do": "attack", "attacker": "ana", "target": "bo", "power": 1, "power": 2}', 400, '"power" is given twice'),
        (b'{"do":"attack","attacker":"ana","target":"bo","power":1,"\\u0070ower":2}', 400, '"power" is given twice'),
        (b'[{"do":"note","do":"attack","attacker":"ana","target":"bo","power":1}]', 400, '"do" is given twice'),
        (b"[" * 3000, 400, "JSON"),
        (b'"\xff"', 400, "JSON"),
    ],
)
def test_an_invalid_body_is_refused_with_what_is_allowed(
    master: Client, duel: str, body: bytes, status: int, says: str
) -> None:
    headers = {"Content-Type": "application/json", "Idempotency-Key": "x", "If-Match": '"5"'}
    response = master.ask("POST", f"/encounters/{duel}/commands", headers=headers, raw=body)
    assert response.status == status, response.body
    assert says in response.json["detail"], response.json
    assert "Traceback" not in response.body.decode()
    assert master.get(f"/encounters/{duel}").json["version"] == 5


def test_a_query_parameter_sent_twice_is_refused(master: Client, duel: str) -> None:
    response = master.get(f"/encounters/{duel}/pools?as=public&as=gm")
    assert (response.status, response.json["detail"]) == (400, "as: This is sent twice. Send it once.")


def test_a_fight_is_corrected_disputed_decided_and_branched(master: Client, duel: str) -> None:
    where = f"/encounters/{duel}"
    master.order(duel, STRIKE, {"do": "resolve", "exchange": 6, "attack_die": 6, "defense_die": 1})
    hurt = master.get(f"{where}/pools").json[1]["pools"]
    look = master.ask("POST", f"{where}/corrections/preview", {"correct": "undo", "ruling": 6}).json
    assert look["struck"] == [6, 7]
    response = master.post(f"{where}/corrections", {"correct": "undo", "ruling": 6, "expect": look["expect"]}, 7)
    assert response.status == 200, response.body
    assert master.get(f"{where}/pools").json[1]["pools"]["ready"] == 9
    assert master.post(f"{where}/corrections", {"correct": "redo"}, 8).json["combatants"][1]["pools"] == hurt
    amend = {"correct": "steps", "steps": [{"step": "amend", "ruling": 7, "patch": {"attack_die": 1}}]}
    assert master.post(f"{where}/corrections", amend, 9).status == 200
    dispute = master.post(f"{where}/disputes", {"about": 7, "claim": "it was a six"}, "*")
    number = dispute.json["version"]
    assert master.get(f"{where}/disputes").json[0]["claim"] == "it was a six"
    assert master.post(f"{where}/disputes/{number}/answers", {"text": "It was not."}, "*").status == 200
    assert master.post(f"{where}/disputes/{number}/ruling", {"corrections": []}, "*").status == 200
    assert master.get(f"{where}/disputes").json == []
    assert master.post(f"{where}/notes", {"text": "The lamp goes out."}, "*").status == 200
    version = master.get(where).json["version"]
    branched = master.post(f"{where}/branches", {"encounter": f"{duel}-again", "at": "5"}, version)
    assert branched.status == 201
    assert branched.headers["location"] == f"/encounters/{duel}-again"
    assert master.get(f"/encounters/{duel}-again/pools").json[1]["pools"]["ready"] == 9


def test_an_unchanged_view_returns_304(master: Client, duel: str) -> None:
    assert master.get(f"/encounters/{duel}/pools").headers["etag"] == '"5"'
    assert master.get(f"/encounters/{duel}/pools", if_none_match='"5"').status == 304
    master.order(duel, STRIKE)
    assert master.get(f"/encounters/{duel}/pools", if_none_match='"5"').status == 200


def test_an_export_is_imported_unchanged(master: Client, duel: str, encounter: Name) -> None:
    lines = master.get(f"/encounters/{duel}/export").body
    name = encounter()
    headers = {"Content-Type": "application/x-ndjson"}
    response = master.ask("POST", f"/imports?encounter={name}", headers=headers, raw=lines)
    assert (response.status, response.json["added"]) == (201, 5)
    assert master.get(f"/encounters/{name}/pools").body == master.get(f"/encounters/{duel}/pools").body
    assert master.ask("POST", f"/imports?encounter={name}", headers=headers, raw=lines).json["repeated"]
    forgery = lines.replace(b'"name":"Bo"', b'"name":"Bu"')
    response = master.ask("POST", f"/imports?encounter={name}-2", headers=headers, raw=forgery)
    assert (response.status, response.json["code"]) == (409, "verification_failed")


@pytest.mark.slow
def test_answered_writes_survive_a_killed_service(tmp_path: Path, encounter: Name) -> None:
    service = Service(tmp_path / "killed.db")
    client, name = service.client(), encounter()
    client.begin(name)
    for turn in range(5):
        response = client.order(name, {"do": "adjust", "reason": f"turn {turn}"})
        assert response.status == 200, response.body
        service.process.kill()
        service.process.communicate()
        service = Service(service.store)
        client = service.client()
        assert client.get(f"/encounters/{name}").json["version"] == response.json["version"]
    assert service.stop() == 0


def test_a_dry_run_of_a_closing_would_reveal_the_seed_and_is_refused(
    master: Client, encounter: Callable[[], str]
) -> None:
    """Its seed would be."""
    name = encounter()
    master.begin(name)
    response = master.post(f"/encounters/{name}/commands?dry_run=true", {"do": "close"}, 5)
    assert (response.status, response.json["code"]) == (422, "not_foretold")
    assert b"seed of the dice" in response.body


def test_odds_accept_exactly_one_order(master: Client, encounter: Name) -> None:
    name = encounter()
    master.begin(name)
    order = {"do": "attack", "attacker": "ana", "target": "bo", "power": 1}
    for orders, status in (([order], 200), ([order] * 2, 400), ([], 400), ([order] * 101, 400)):
        response = master.ask("POST", f"/encounters/{name}/odds", orders)
        assert response.status == status, response.body


def test_orders_that_are_too_long_are_refused(master: Client, duel: str) -> None:
    """They are read where everybody waits."""
    check = {"do": "check", "combatant": "ana", "situation": ["+1 wind"] * 20_000}
    for path in ("odds", "commands"):
        assert master.post(f"/encounters/{duel}/{path}", check, 6).status == 413


@pytest.mark.parametrize("path", ["corrections/preview", "corrections"])
def test_an_amendment_parses_its_fields_like_the_order(master: Client, duel: str, path: str) -> None:
    """MAM-SPD-01: a speed as a fraction, a distance with its unit."""
    join = {"do": "join", "combatant": "cid", "hp": 4, "speed": "1/2", "stride": "2 m", "side": "thugs"}
    assert master.order(duel, join).status == 200
    for version, (speed, stride) in enumerate((("1/4", "3 m"), ("½", "2.5m"), (2, 1)), 6):
        patch = {"speed": speed, "stride": stride}
        steps = {"correct": "steps", "sure": True, "steps": [{"step": "amend", "ruling": 6, "patch": patch}]}
        response = master.post(
            f"/encounters/{duel}/{path}", steps, version if path == "corrections" else None, f"{version}"
        )
        assert response.status == 200, response.body
    correction = {"correct": "steps", "steps": [{"step": "amend", "ruling": 6, "patch": {"speed": "half"}}]}
    response = master.post(f"/encounters/{duel}/{path}", correction, 9 if path == "corrections" else None)
    assert (response.status, response.json["detail"]) == (
        400,
        "amend join: speed must be 1/4, 1/2, 1, 2 or 3, not 'half'.",
    )
    assert master.get(f"/encounters/{duel}").json["version"] == (9 if path == "corrections" else 6)


@pytest.mark.parametrize("display_name", ["勇者", "Mara Stone", "mara-stone"])
def test_a_name_in_place_of_an_id_is_refused_with_the_id(master: Client, duel: str, display_name: str) -> None:
    name = "Mara Stone" if display_name.isascii() else display_name
    join = {"do": "join", "combatant": "m1", "name": name, "hp": 3, "weapon": [{"id": "s", "name": "Säbel"}]}
    master.order(duel, join)
    response = master.post(f"/encounters/{duel}/commands", STRIKE | {"target": display_name}, 6)
    assert response.json["detail"].endswith(f"The id of {name} is m1.")
    mine = {"do": "drop-item", "combatant": "m1", "item": "Säbel"}
    assert master.post(f"/encounters/{duel}/commands", mine, 6).json["detail"].endswith("The id of Säbel is s.")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"correct": None}, "correct: None is not among the choices. Known: undo, redo, steps."),
        ({}, '"correct" is missing.'),
        ({"correct": "steps", "steps": []}, "steps must name at least one."),
        ({"correct": "steps", "steps": [{}]}, 'steps 1: "step" is missing.'),
    ],
)
def test_an_invalid_correction_is_described_by_its_own_kind(
    master: Client, duel: str, body: dict[str, object], message: str
) -> None:
    answer = master.post(f"/encounters/{duel}/corrections", body, 7)
    assert (answer.status, answer.json["detail"]) == (400, f"body: {message}")
