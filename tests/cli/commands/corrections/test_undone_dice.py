"""Drawn and undone dice in the log and the report."""

from __future__ import annotations

import json
import re

from tests.cli.calls import Mam


def test_log_and_report_list_dice_drawn_and_undone(mam: Mam) -> None:
    mam.run_all("new fight", "join ann --hp 6", "check ann")
    assert "Drawn and undone" not in mam("log").out + mam("report").out
    mam("undo", "3")
    for words in (("log",), ("report",)):
        assert re.search(r"Drawn and undone: d20 \d+ \(ruling 3\)\.", mam(*words).out)
    assert "Drawn and undone" not in mam("log", "--last", "1").out
    assert [one["ruling"] for one in json.loads(mam("report", "--json").out)["undone"]] == [3]
