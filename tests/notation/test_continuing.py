"""The words that a line may go on with, from what is legal now."""

from __future__ import annotations

import pytest

from mam_events.commands import Join
from mam_events.notation.continuing import continuations
from mam_events.notation.lines import give_line
from mam_events.notation.typist import MASTER
from mam_events.rulings.moments import state_at
from tests.notation.test_lines import CLONE, MODRE, WOLF, Table


@pytest.fixture
def three() -> Table:
    table = Table(MODRE, CLONE, Join("ana", name="Ana", side="heroes", hp=6), WOLF)
    table("initiative first=modre reason=so")
    return table


def words(table: Table, text: str) -> list[str]:
    timeline, rules = table.log.timeline("fight"), table.log.rules
    return [
        one.word
        for one in continuations(
            MASTER.fight(timeline, timeline.state, rules),
            text,
            lambda number: MASTER.fight(timeline, state_at(timeline, number), rules),
        )
        if not one.why_not
    ]


def test_whoever_is_next_and_what_he_does_stand_first(three: Table) -> None:
    assert words(three, "")[:2] == ["modre", "attack"]
    assert {"heal", "note", "undo", "gm"} <= set(words(three, "")[10:])
    assert words(three, "att") == ["attack"]


def test_foes_come_before_friends_and_oneself(three: Table) -> None:
    assert words(three, "a ")[:4] == ["clone", "wolf", "ana", "body"]
    assert words(three, "a p")[:1] == ["powerful"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("n ", "attack"),
        ("n a ", "modre"),
        ("n a clone ", "body"),
        ("after 6 ", "attack"),
        ("after 6 a cl", "clone"),
        ("after 6 st", "strict"),
        ("after 6 strict ", "attack"),
        ("after 6 strict a cl", "clone"),
        ("gm ", "clone"),
        ("gm clone ", "dead"),
        ("gm clone 3 dam", "damage>ready"),
        ("a clone p1; ", "check"),
    ],
)
def test_a_line_goes_on_behind_the_words_of_the_log_as_well(three: Table, text: str, found: str) -> None:
    give_line(three.log, "fight", "modre")
    assert found in words(three, text)


@pytest.mark.parametrize(
    "text", [". ", "n; . x", "after 99 ", "after x ", "u ", "zz ", '"', "a [3 ", "note x ", "after 6 a clone; "]
)
def test_where_nothing_is_known_nothing_is_offered(three: Table, text: str) -> None:
    assert words(three, text) == []
