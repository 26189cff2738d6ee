"""Remarks over HTTP do not outdate orders and previews."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.service.conftest import Table

MakeTable = Callable[[], Table]
ADJUST = {"do": "adjust", "reason": "the lamp goes out"}


def remark(table: Table, who: str, **fields: Any) -> None:
    client = getattr(table, who)
    response = client.post(f"{table.at}/notes", {"text": "look!"} | fields, table.version)
    assert response.status == 200, response.body


def test_a_visible_remark_does_not_outdate_an_order(make_table: MakeTable) -> None:
    table = make_table()
    version = table.version
    remark(table, "ana")
    remark(table, "ana", visibility="side:heroes")
    response = table.ana.post(
        f"{table.at}/proposals", {"order": {"do": "move", "combatant": "ana", "points": 1}}, version
    )
    assert response.status == 200, response.body
    dispute = table.bo.post(f"{table.at}/disputes", {"about": 3, "claim": "no"}, table.version)
    assert dispute.status == 200, dispute.body
    ruling = table.master.post(f"{table.at}/commands", ADJUST, version)
    assert ruling.status == 200, ruling.body
    # The ETag still includes all new rulings.
    assert ruling.headers["etag"] == f'"{version + 5}"'
    dispute_response = table.master.post(f"{table.at}/commands", ADJUST, version)
    assert dispute_response.status == 412
    assert [one["number"] for one in dispute_response.json["missed"]] == list(range(version + 1, version + 6))


def test_a_remark_does_not_outdate_a_preview(make_table: MakeTable) -> None:
    table = make_table()
    response = table.master.order(table.name, ADJUST)
    (adjusted,) = response.json["rulings"]
    look = {"correct": "undo", "ruling": adjusted["number"]}
    preview = table.master.post(f"{table.at}/corrections/preview", look).json
    version = table.version
    remark(table, "bo")
    remark(table, "bo", visibility="side:thugs")
    correction = table.master.post(f"{table.at}/corrections", look | {"expect": preview["expect"]}, version)
    assert correction.status == 200, correction.body


def test_a_hidden_remark_outdates_an_order_like_any_hidden_ruling(make_table: MakeTable) -> None:
    table = make_table()
    version = table.version
    remark(table, "master", visibility="gm")
    order = {"do": "move", "combatant": "ana", "points": 1}
    assert table.ana.post(f"{table.at}/commands", order, version).status == 412
    table = make_table()
    version = table.version
    table.master.order(table.name, ADJUST | {"visibility": "gm"})
    assert table.ana.post(f"{table.at}/commands", order, version).status == 412


def test_a_decision_is_outdated_by_a_new_answer_to_the_dispute(make_table: MakeTable) -> None:
    table = make_table()
    dispute = table.bo.post(f"{table.at}/disputes", {"about": 3, "claim": "no"}, table.version).json["version"]
    ruling = f"{table.at}/disputes/{dispute}/ruling"
    remark(table, "ana")
    answer = table.ana.post(f"{table.at}/disputes/{dispute}/answers", {"text": "but"}, dispute)
    assert answer.status == 200, answer.body
    assert table.master.post(ruling, {"reason": "so be it"}, dispute).status == 412
    remark(table, "ana")
    assert table.master.post(ruling, {"reason": "so be it"}, dispute + 2).status == 200
