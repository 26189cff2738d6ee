"""Remarks over HTTP do not outdate orders and previews."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.service.conftest import Table

MakeTable = Callable[[], Table]
ADJUST = {"do": "adjust", "reason": "the lamp goes out"}


def remark(table: Table, who: str, **said: Any) -> None:
    client = getattr(table, who)
    told = client.post(f"{table.at}/notes", {"text": "look!"} | said, table.version)
    assert told.status == 200, told.body


def test_a_visible_remark_does_not_outdate_an_order(make_table: MakeTable) -> None:
    table = make_table()
    seen = table.version
    remark(table, "ana")
    remark(table, "ana", visibility="side:heroes")
    there = table.ana.post(f"{table.at}/proposals", {"order": {"do": "move", "combatant": "ana", "points": 1}}, seen)
    assert there.status == 200, there.body
    dispute = table.bo.post(f"{table.at}/disputes", {"about": 3, "claim": "no"}, table.version)
    assert dispute.status == 200, dispute.body
    told = table.master.post(f"{table.at}/commands", ADJUST, seen)
    assert told.status == 200, told.body
    # The ETag still includes all new rulings.
    assert told.headers["etag"] == f'"{seen + 5}"'
    late = table.master.post(f"{table.at}/commands", ADJUST, seen)
    assert late.status == 412
    assert [one["number"] for one in late.json["missed"]] == list(range(seen + 1, seen + 6))


def test_a_remark_does_not_outdate_a_preview(make_table: MakeTable) -> None:
    table = make_table()
    told = table.master.order(table.name, ADJUST)
    (adjusted,) = told.json["rulings"]
    look = {"correct": "undo", "ruling": adjusted["number"]}
    preview = table.master.post(f"{table.at}/corrections/preview", look).json
    seen = table.version
    remark(table, "bo")
    remark(table, "bo", visibility="side:thugs")
    done = table.master.post(f"{table.at}/corrections", look | {"expect": preview["expect"]}, seen)
    assert done.status == 200, done.body


def test_a_hidden_remark_outdates_an_order_like_any_hidden_ruling(make_table: MakeTable) -> None:
    table = make_table()
    seen = table.version
    remark(table, "master", visibility="gm")
    order = {"do": "move", "combatant": "ana", "points": 1}
    assert table.ana.post(f"{table.at}/commands", order, seen).status == 412
    table = make_table()
    seen = table.version
    table.master.order(table.name, ADJUST | {"visibility": "gm"})
    assert table.ana.post(f"{table.at}/commands", order, seen).status == 412


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
