"""Closing an unfinished fight needs sure=true on every route."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.service.conftest import Client, Service

CLOSE = {"do": "close"}
SAID = "Ana and Bo still stand and it is Ana's turn. Closing ends the fight and reveals the seed of its dice."


@pytest.fixture
def fight(master: Client, encounter: Callable[[], str]) -> str:
    """Begin a fight of two, in the turn of the first (five rulings), and return its address."""
    name = encounter()
    master.begin(name)
    return f"/encounters/{name}"


def sent(master: Client, address: str, body: Any, expected: int = 5) -> tuple[int, str, str]:
    response = master.post(address, body, expected)
    return response.status, response.json.get("code", ""), response.json.get("detail", "")


@pytest.mark.parametrize("body", [CLOSE, [CLOSE], [{"do": "end-turn", "combatant": "ana"}, CLOSE]])
def test_orders_that_close_need_sure(master: Client, fight: str, body: Any) -> None:
    status, code, detail = sent(master, f"{fight}/commands", body)
    assert (status, code) == (422, "needs_sure")
    assert detail == f"{SAID} Send it with sure=true to close it anyway."
    assert master.get(fight).json["version"] == 5
    assert sent(master, f"{fight}/commands?sure=true", body)[0] == 200
    assert master.get(fight).json["status"] == "closed"


def test_a_rest_in_a_fight_needs_sure(master: Client, fight: str) -> None:
    rest = {"do": "heal", "combatant": "ana", "die": 3, "opposing_die": 2}
    status, code, detail = sent(master, f"{fight}/commands", rest)
    assert (status, code) == (422, "needs_sure")
    assert detail == "Ana and Bo still fight. A rest takes a week. Send it with sure=true to rest anyway."
    assert sent(master, f"{fight}/commands?sure=true", rest)[0] == 200


def test_an_insert_of_a_closing_at_the_end_needs_sure(master: Client, fight: str) -> None:
    assert sent(master, f"{fight}/commands?after=5", CLOSE)[1] == "needs_sure"
    assert sent(master, f"{fight}/commands?after=5&sure=true", CLOSE)[0] == 200


def test_a_repeated_closing_is_answered_by_its_key(master: Client, fight: str) -> None:
    assert master.post(f"{fight}/commands?sure=true", CLOSE, 5, "k-1").status == 200
    response = master.post(f"{fight}/commands", CLOSE, 5, "k-1")
    assert (response.status, response.json["repeated"]) == (200, True)


def test_a_dry_run_of_a_closing_is_refused(master: Client, fight: str) -> None:
    assert sent(master, f"{fight}/commands?dry_run=true", CLOSE)[1] == "not_foretold"


def test_an_accepted_proposal_that_closes_needs_sure(master: Client, fight: str) -> None:
    assert sent(master, f"{fight}/proposals", {"order": CLOSE})[0] == 200
    assert sent(master, f"{fight}/proposals/6/ruling", {"accept": True}, 6)[1] == "needs_sure"
    assert sent(master, f"{fight}/proposals/6/ruling", {"accept": True, "instead": CLOSE}, 6)[1] == "needs_sure"
    assert sent(master, f"{fight}/proposals/6/ruling", {"accept": True, "sure": True}, 6)[0] == 200
    assert master.get(fight).json["status"] == "closed"


def test_a_typed_closing_needs_sure(master: Client, fight: str) -> None:
    def typed(more: str = "", line: bytes = b"close") -> Any:
        headers = {"Content-Type": "text/plain", "If-Match": '"5"', "Idempotency-Key": f"k{more}{len(line)}"}
        return master.ask("POST", f"{fight}/lines{more}", headers=headers, raw=line)

    response = typed()
    assert (response.status, response.json["code"]) == (422, "needs_sure")
    assert response.json["detail"] == f"{SAID} End the line with ! to close it anyway."
    assert typed("?sure=true").status == 200


def test_a_closing_cannot_be_hidden(master: Client, encounter: Callable[[], str]) -> None:
    name = encounter()
    master.begin(name)
    response = master.order(name, {"do": "close", "visibility": "gm"})
    assert (response.status, response.json["code"]) == (422, "seen_by_all")
    assert master.order(name, {"do": "close"}).status == 200


def test_a_game_master_of_one_fight_cannot_create_a_branch(
    shared_service: Service, master: Client, encounter: Callable[[], str]
) -> None:
    name, other = encounter(), encounter()
    master.begin(name)
    token = shared_service.client(shared_service.token("gm", "--by", "Kim", "-e", name))
    version = token.get(f"/encounters/{name}").json["version"]
    assert token.post(f"/encounters/{name}/branches", {"encounter": other}, version).status == 403
    assert master.post(f"/encounters/{name}/branches", {"encounter": other}, version).status == 201
