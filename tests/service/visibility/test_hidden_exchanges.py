"""Previews, what-ifs, odds and the status reveal no hidden dice and reactions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.service.conftest import PARTY, Table
from tests.service.routes.test_lines import sent
from tests.service.visibility.test_permissions import STRIKE


def throw(exchange: int, **more: Any) -> dict[str, Any]:
    return {"do": "throw-die", "combatant": "bo", "exchange": exchange} | more


@pytest.fixture
def table(make_table: Callable[[], Table]) -> Table:
    return make_table()


def test_a_player_may_preview_only_what_they_may_do(table: Table) -> None:
    patch = {"armor": [{"id": "mail", "name": "Mail", "cover": 3, "absorption": 9}]}
    steps = {"correct": "steps", "steps": [{"step": "amend", "ruling": 3, "patch": patch}]}
    for path in ("corrections/preview", "corrections"):
        response = table.bo.post(f"{table.at}/{path}", steps, table.version)
        assert (response.status, response.json["code"]) == (403, "not_yours"), path
    assert table.master.post(f"{table.at}/corrections/preview", steps).status == 200


def test_only_the_game_master_may_ask_whatif_of_a_fight_with_secrets(table: Table) -> None:
    rules = {"house_rules": {"half_success": "never"}}
    for client in (table.viewer, table.ana):
        response = client.post(f"{table.at}/whatif", rules)
        assert (response.status, response.json["code"]) == (422, "hidden")
    assert table.master.post(f"{table.at}/whatif", rules).status == 200
    branch = f"{table.name}-seen"
    table.master.begin(branch, *PARTY)
    assert table.master.post(f"/encounters/{branch}/whatif?as=public", rules).status == 200


def test_a_player_gets_odds_and_dry_runs_of_their_own_orders(table: Table) -> None:
    for order in (STRIKE, {"do": "check", "combatant": "ana", "what": "strength"}):
        for path in ("odds", "commands?dry_run=true"):
            response = table.ana.post(f"{table.at}/{path}", order)
            assert response.status == 200, (path, response.body)


@pytest.mark.parametrize("order", [throw(7, die=5), {"do": "pass", "combatant": "bo", "exchange": 7}])
def test_a_pass_or_throw_in_a_visible_exchange_cannot_be_hidden(table: Table, order: dict[str, Any]) -> None:
    assert table.ana.order(table.name, STRIKE).json["version"] == 7
    response = table.master.order(table.name, order | {"visibility": "gm"})
    assert (response.status, response.json["code"]) == (422, "seen_by_all"), response.body
    assert table.master.order(table.name, order).status == 200


def test_odds_proposals_and_dry_runs_reveal_no_hidden_interference(table: Table) -> None:
    exchange = table.ana.order(table.name, STRIKE).json["version"]
    resolve = {"do": "resolve", "exchange": exchange}
    requests = (
        (table.viewer, "odds", resolve),
        (table.ana, "odds", resolve),
        (table.viewer, "odds", {"do": "defend", "combatant": "bo", "exchange": exchange, "points": 1}),
        (table.viewer, "odds", {"do": "initiative"}),
        (table.ana, "commands?dry_run=true", throw(exchange, die=3) | {"combatant": "ana"}),
    )
    before = [client.post(f"{table.at}/{path}", order) for client, path, order in requests]
    for order in (
        {"do": "join", "combatant": "spy", "hp": 6, "visibility": "gm"},
        {"do": "interfere", "combatant": "spy", "exchange": exchange, "action": exchange, "points": 1, "bonus": 1},
    ):
        assert table.master.order(table.name, order).status == 200, order
    for (client, path, order), first in zip(requests, before, strict=True):
        response = client.post(f"{table.at}/{path}", order)
        assert (response.status, response.json) == (first.status, first.json), order
    for order in (resolve, {"do": "initiative"}, {"do": "join", "combatant": "spy", "hp": 3}):
        response = table.ana.post(f"{table.at}/proposals", {"order": order}, table.version)
        assert (response.status, table.viewer.get(f"{table.at}/rulings/{table.version}").status) == (200, 200), (
            response.body
        )


def test_the_status_line_hides_a_hidden_attack(table: Table) -> None:
    assert table.ana.order(table.name, STRIKE | {"visibility": "side:heroes"}).status == 200
    assert "Ana attacks Bo" in table.ana.get(f"{table.at}/order").json["move"]
    assert table.viewer.get(f"{table.at}/order").json["move"] == "An action waits for its result."


def test_odds_during_an_exchange_are_those_of_the_given_order(table: Table) -> None:
    exchange = table.ana.order(table.name, STRIKE).json["version"]
    for order in (
        {"do": "check", "combatant": "ana", "what": "strength"},
        {"do": "defend", "combatant": "bo", "exchange": exchange, "points": 1},
        {"do": "resolve", "exchange": exchange},
    ):
        response = table.master.post(f"{table.at}/odds", order)
        assert response.status == 200, (order, response.body)


def test_an_exchange_that_a_player_resolves_does_not_name_the_game_master(table: Table) -> None:
    exchange = table.ana.order(table.name, STRIKE).json["version"]
    assert table.bo.order(table.name, throw(exchange)).status == 200
    assert table.ana.order(table.name, {"do": "resolve", "exchange": exchange}).status == 200
    assert "does not wait" not in table.master.get(f"{table.at}/rulings/{table.version}").json["sentence"]


def test_a_player_may_undo_their_reactions_one_by_one(table: Table) -> None:
    exchange = table.ana.order(table.name, STRIKE).json["version"]
    defend = {"do": "defend", "combatant": "bo", "exchange": exchange, "points": 1}
    for _ in range(2):
        assert table.bo.order(table.name, defend).status == 200
    for status in (200, 200, 403):
        assert table.bo.post(f"{table.at}/corrections", {"correct": "undo"}, table.version).status == status


def test_a_throw_typed_by_a_player_is_their_own(table: Table) -> None:
    table.ana.order(table.name, STRIKE)
    response = sent(table.bo, table.name, "throw-die 4", table.version)
    assert response.status == 200, response.body
    assert "bo" in response.json["rulings"][0]["sentence"].lower()


def test_a_throw_belongs_to_the_combatant_named_after_it(table: Table) -> None:
    table.ana.order(table.name, STRIKE)
    response = sent(table.master, table.name, "throw-die bo 4", table.version)
    assert response.status == 200, response.body
    assert response.json["line"] == ["bo: throw-die [4]"]
    retry = sent(table.bo, table.name, "throw-die ana 4", table.version, key="k-2")
    assert (retry.status, retry.json["code"]) == (403, "not_yours")


@pytest.mark.parametrize("line", ["pass", "d 1", "bo: d 1", "bo: pass"])
def test_a_player_attacked_in_secret_may_type_a_reaction(table: Table, line: str) -> None:
    strike = STRIKE | {"visibility": "side:heroes"}
    exchange = table.ana.order(table.name, strike).json["version"]
    response = sent(table.bo, table.name, line, exchange)
    assert response.status == 200, response.body
    assert response.json["line"][0].startswith("bo: ")


def test_others_cannot_react_in_a_hidden_exchange(table: Table) -> None:
    exchange = table.ana.order(table.name, STRIKE | {"visibility": "side:heroes"}).json["version"]
    assert sent(table.viewer, table.name, "d 1", exchange).status == 403


@pytest.mark.parametrize("order", [{}, {"attack_die": 3}])
def test_a_hidden_exchange_cannot_be_resolved_by_those_who_do_not_see_it(table: Table, order: dict[str, Any]) -> None:
    exchange = table.master.order(table.name, STRIKE | {"visibility": "gm"}).json["version"]
    resolve = {"do": "resolve", "exchange": exchange} | order
    for client in (table.ana, table.bo):
        for path in ("commands", "commands?dry_run=true"):
            response = client.post(f"{table.at}/{path}", resolve, exchange)
            assert (response.status, response.json["code"]) == (422, "no_such_exchange"), response.body


def test_reactions_reveal_no_hidden_interference(table: Table) -> None:
    exchange = table.ana.order(table.name, STRIKE).json["version"]
    requests = (
        (table.bo, {"do": "defend", "combatant": "bo", "exchange": exchange, "points": 1}),
        (table.bo, {"do": "pass", "combatant": "bo", "exchange": exchange}),
        (
            table.bo,
            {"do": "interfere", "combatant": "bo", "exchange": exchange + 2, "action": exchange + 2, "points": 1},
        ),
    )
    table.master.order(table.name, {"do": "join", "combatant": "spy", "hp": 6, "visibility": "gm"})
    before = [client.post(f"{table.at}/commands?dry_run=true", order) for client, order in requests]
    interfere = {
        "do": "interfere",
        "combatant": "spy",
        "exchange": exchange,
        "action": exchange,
        "points": 1,
        "bonus": 1,
    }
    assert table.master.order(table.name, interfere).status == 200
    for (client, order), first in zip(requests, before, strict=True):
        response = client.post(f"{table.at}/commands?dry_run=true", order)
        assert (response.status, response.json.get("code")) == (first.status, first.json.get("code")), response.body


def test_a_repeated_line_hides_a_combatant_hidden_since(table: Table) -> None:
    first = sent(table.ana, table.name, "a p1", table.version, key="k")
    assert first.json["line"] == ["ana: attack bo body power=1"]
    hide = {"correct": "steps", "steps": [{"step": "amend", "ruling": 3, "patch": {"visibility": "gm"}}], "sure": True}
    assert table.master.post(f"{table.at}/corrections", hide, first.json["version"]).status == 200
    response = sent(table.ana, table.name, "a p1", table.version, key="k")
    assert (response.json["rulings"][0]["hidden"], response.json["line"]) == (True, [""])
