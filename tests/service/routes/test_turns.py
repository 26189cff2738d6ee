"""Corrections over HTTP with the mode for turns: as played or strict."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from mam_events.commands import Adjust, Attack, BeginTurn, Command, EndTurn, Initiative, Join, Move, Open, Resolve
from mam_events.events import Correction, Play
from mam_events.log.combat_log import CombatLog
from mam_events.state import Weapon
from mam_events.tokens import encode_token, issue
from tests.service.asgi import AsgiRequest, AsgiResponse, send_all

AT = "/encounters/fight"
SWORD = (Weapon("sword", power=20),)
FELLED: tuple[Command, ...] = (
    Open("mam_d20"),
    Join("ana", name="Ana", hp=60, side="heroes", weapon=SWORD),
    Join("zoe", name="Zoe", hp=4, side="foes"),
    Join("bo", name="Bo", hp=4, side="foes"),
    Initiative(first="ana", reason="quick"),
    BeginTurn("ana"),
    Attack("ana", "zoe", weapon="sword"),
    Resolve(7, 20),
    *(order for _ in range(2) for order in (EndTurn("ana"), BeginTurn("bo"), EndTurn("bo"), BeginTurn("ana"))),
)
"""A fight in which Zoe falls in the first turn; it stands in round 3."""
MISSED = {"correct": "undo", "ruling": 7}


@pytest.fixture
def log() -> Iterator[CombatLog]:
    with CombatLog.open("sqlite://") as log:
        log.execute_all("fight", FELLED)
        yield log


def send_request(log: CombatLog, path: str, body: Any, token: str = "") -> Any:
    """Send a request for the newest ruling and return the answer with its status."""
    version = log.timeline("fight").number
    headers = {"Idempotency-Key": f"k{version}", "If-Match": f'"{version}"'}
    headers |= {"Content-Type": "text/plain"} if isinstance(body, bytes) else {}
    response: AsgiResponse = send_all(log, [AsgiRequest("POST", f"{AT}{path}", body, headers, token)])[0]
    return json.loads(response.body) | {"status": response.status}


def verdicts(document: Mapping[str, Any]) -> dict[int, str]:
    return {one["ruling"]: one["verdict"] for one in document["verdicts"]}


def test_a_preview_begins_with_the_summary(log: CombatLog) -> None:
    response = send_request(log, "/corrections/preview", MISSED)
    assert next(iter(response)) == "summary"
    summary = response["summary"]
    assert summary["up"] == {"zoe": 9}
    assert summary["down"] == {}
    assert summary["lost"] == []
    assert summary["passed"] == [
        {"combatant": "zoe", "name": "Zoe", "round": 1, "before": 12, "after": 11},
        {"combatant": "zoe", "name": "Zoe", "round": 2, "before": 16, "after": 15},
    ]
    assert summary["sentences"][0] == "Zoe is up again from ruling 9 on."
    assert "2 turns" in summary["sentences"][1]
    assert summary["void"] == []
    bookkeeping = {one["ruling"]: one["bookkeeping"] for one in response["verdicts"] if one["bookkeeping"]}
    assert bookkeeping.keys() == {10, 12, 14, 16}
    assert "Zoe" in bookkeeping[12][0]


def test_a_strict_correction_does_no_bookkeeping(log: CombatLog) -> None:
    strict = MISSED | {"turns": "strict"}
    response = send_request(log, "/corrections/preview", strict)
    assert set(verdicts(response).values()) >= {"void"}
    assert response["summary"]["passed"] == []
    assert response["summary"]["void"] == [
        number for number, verdict in verdicts(response).items() if verdict == "void"
    ]
    correction = send_request(log, "/corrections", strict | {"expect": response["expect"]})
    assert correction["status"] == 200, correction
    head = log.timeline("fight").heads[-1]
    assert isinstance(head, Correction)
    assert head.turns == "strict"
    assert {n for n, entry in log.timeline("fight").entries.items() if entry.outcome.is_void} == set(
        response["summary"]["void"]
    )


def test_an_expect_of_one_mode_is_refused_for_the_other(log: CombatLog) -> None:
    token = send_request(log, "/corrections/preview", MISSED)["expect"]
    assert send_request(log, "/corrections", MISSED | {"turns": "strict", "expect": token})["status"] == 412
    response = send_request(log, "/corrections", MISSED | {"expect": token})
    assert response["status"] == 200
    head = log.timeline("fight").heads[-1]
    assert isinstance(head, Correction)
    assert head.turns == "as_played"
    assert [one["verdict"] for one in response["rulings"][0]["verdicts"] if one["verdict"] == "void"] == []


@pytest.mark.parametrize("turns", ["strict", "as_played"])
@pytest.mark.parametrize(
    "body",
    [
        {"correct": "undo", "ruling": 8, "only": True},
        {"correct": "steps", "steps": [{"step": "amend", "ruling": 8, "patch": {"attack_die": 19}}]},
        {"correct": "redo"},
    ],
)
def test_every_correction_accepts_a_mode_for_turns(log: CombatLog, body: dict[str, Any], turns: str) -> None:
    if body["correct"] == "redo":
        log.undo("fight", 7)
    response = send_request(log, "/corrections/preview", body | {"turns": turns})
    assert send_request(log, "/corrections", body | {"turns": turns, "expect": response["expect"]})["status"] == 200
    head = log.timeline("fight").heads[-1]
    assert isinstance(head, Correction)
    assert head.turns == turns


def test_only_an_insert_accepts_a_mode_for_turns_among_orders(log: CombatLog) -> None:
    order = {"do": "adjust", "reason": "she stands up", "condition": {"zoe": "able"}}
    assert send_request(log, "/commands?turns=strict", order)["status"] == 400
    assert send_request(log, "/commands?after=9&turns=loosely", order)["status"] == 400
    assert send_request(log, "/commands?after=9&turns=strict", order)["code"] == "needs_expect"
    assert send_request(log, "/commands?after=9&turns=strict&sure=true", order)["status"] == 200
    head = log.timeline("fight").heads[-1]
    assert isinstance(head, Play)
    assert head.turns == "strict"
    assert any(entry.outcome.is_void for entry in log.timeline("fight").entries.values())
    log.undo("fight")
    assert send_request(log, "/commands?after=9&sure=true", order)["status"] == 200
    assert not any(entry.outcome.is_void for entry in log.timeline("fight").entries.values())


def test_every_route_asks_before_it_changes_later_rulings(log: CombatLog) -> None:
    version = log.timeline("fight").number
    order = {"do": "adjust", "reason": "she stands up", "condition": {"zoe": "able"}}
    doors = [("/corrections", MISSED), ("/lines", b"u 7"), ("/commands?after=9", order), ("/lines", b"u 7 strict")]
    responses = [send_request(log, path, body) for path, body in doors]
    assert [one["code"] for one in responses] == ["needs_expect"] * len(doors)
    token = send_request(log, "/corrections/preview", MISSED)["expect"]
    assert token in responses[0]["detail"]
    assert token in responses[1]["detail"]
    assert log.timeline("fight").number == version
    newest = {"correct": "undo"}
    assert send_request(log, "/corrections", newest)["status"] == 200, "of nothing later is anything changed"
    assert (
        send_request(
            log, "/corrections", MISSED | {"expect": send_request(log, "/corrections/preview", MISSED)["expect"]}
        )["status"]
        == 200
    )


def test_a_passed_turn_can_be_played_by_a_line(log: CombatLog) -> None:
    send_request(log, "/corrections", MISSED | {"sure": True})
    preview = send_request(log, "/lines?looks=true", b"after 9 zoe: a ana 20")
    assert (preview["line"][0], preview["line"][-1]) == ("after #9: zoe: begin-turn", "after #20: zoe: end-turn")
    assert preview["preview"]["summary"]["passed"] == []
    response = send_request(log, f"/lines?expect={preview['preview']['expect']}", b"after 9 zoe: a ana 20")
    assert response["status"] == 200, response
    assert response["line"] == preview["line"]
    assert [one["number"] for one in response["rulings"]] == [18, 19, 20, 21]


def test_a_preview_of_a_strict_line_is_strict(log: CombatLog) -> None:
    response = send_request(log, "/lines?looks=true", b"u 7 strict")
    assert response["line"] == ["correct strict -#7 -#8"]
    assert response["preview"]["summary"]["void"]
    assert (
        response["preview"]["expect"]
        == send_request(log, "/corrections/preview", MISSED | {"turns": "strict"})["expect"]
    )


def world(*, hidden: bool) -> CombatLog:
    """Return a fight in which a hidden combatant falls by Ana's sword.

    With `hidden` False, there is no hidden combatant, but the same number of hidden rulings.
    """
    log = CombatLog.open("sqlite://", entropy=Random(1).randbytes)
    nothing = Adjust(reason="nothing", visibility="gm")
    for command in (*FELLED[:8], Move("ana", metres=Decimal(1)), *FELLED[8:]):
        secret = isinstance(command, Join) and command.combatant == "zoe"
        felling = isinstance(command, Attack | Resolve)
        if hidden:
            log.execute("fight", Join("zoe", name="Zoe", hp=4, side="foes", visibility="gm") if secret else command)
        else:
            visibility = "gm" if isinstance(command, Initiative) else "public"
            log.execute("fight", nothing if secret or felling else command, visibility=visibility)
    return log


STEPS: list[dict[str, Any]] = [
    {"correct": "steps", "steps": [{"step": "amend", "ruling": 2, "patch": {"weapon": [{"id": "axe", "power": 20}]}}]},
    {"correct": "steps", "steps": [{"step": "amend", "ruling": 2, "patch": {"hp": 50}}]},
    {"correct": "steps", "steps": [{"step": "amend", "ruling": 9, "patch": {"metres": "2"}}]},
    {"correct": "undo", "ruling": 10, "rewind": True},
]
"""Corrections that a player may preview; the first one undoes the hit that felled a hidden combatant."""


@pytest.mark.parametrize("body", STEPS)
def test_a_preview_hides_passed_turns_of_a_hidden_combatant(body: dict[str, Any]) -> None:
    answers = []
    for hidden in (True, False):
        with world(hidden=hidden) as log:
            token, words = issue(
                "player",
                "Ana",
                encounter="fight",
                combatants=("ana",),
                at="2026-01-01T00:00:00Z",
                entropy=Random(3).randbytes,
            )
            log.application.tokens.keep(token.id, encode_token(token))
            master = send_request(log, "/corrections/preview", body)
            response = send_request(log, "/corrections/preview", body, words)
            answers.append((response | {"expect": ""}, master))
    (one, all_of_it), (other, _) = answers
    if body is STEPS[0]:
        assert [turn["combatant"] for turn in all_of_it["summary"]["passed"]] == ["zoe", "zoe"]
    assert "zoe" not in json.dumps(one).lower()
    for name in one:
        assert one[name] == other[name], name
