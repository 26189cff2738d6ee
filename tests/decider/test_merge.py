"""Tables that are merged from several modules."""

from __future__ import annotations

import pytest

from mam_events.decider.merge import merge_unique


def test_parts_are_merged_and_duplicates_are_refused() -> None:
    assert merge_unique(({"parry": 1}, {}, {"dodge": 2})) == {"parry": 1, "dodge": 2}
    with pytest.raises(ValueError, match=r"parry: given twice"):
        merge_unique(({"parry": 1}, {"parry": 1, "dodge": 2}))
