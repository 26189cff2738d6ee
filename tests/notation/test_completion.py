"""Completion: the words that may continue a line, from the legal orders."""

from __future__ import annotations

import pytest

from mam_events.commands import Join
from mam_events.history.timeline.moments import state_at
from mam_events.notation.author import GM_AUTHOR
from mam_events.notation.completion import Continuation, continuations
from mam_events.notation.submit import give_line
from tests.notation.tables import CLONE, MODRE, WOLF, Table


@pytest.fixture
def three() -> Table:
    table = Table(MODRE, CLONE, Join("ana", name="Ana", side="heroes", hp=6), WOLF)
    table("initiative first=modre reason=so")
    return table


def completions(table: Table, text: str) -> list[Continuation]:
    timeline, rules = table.log.timeline("fight"), table.log.rules
    return continuations(
        GM_AUTHOR.fight(timeline, timeline.state, rules),
        text,
        lambda number: GM_AUTHOR.fight(timeline, state_at(timeline, number), rules),
    )


def words(table: Table, text: str) -> list[str]:
    return [one.word for one in completions(table, text) if not one.why_not]


def test_the_next_combatant_and_attack_come_first(three: Table) -> None:
    assert words(three, "")[:2] == ["modre", "attack"]
    assert {"heal", "note", "undo", "gm"} <= set(words(three, "")[10:])
    assert words(three, "att") == ["attack"]


def test_foes_come_before_friends_and_oneself(three: Table) -> None:
    assert words(three, "a ")[:4] == ["clone", "wolf", "ana", "body"]
    assert words(three, "a p")[:1] == ["powerful"]


def test_a_word_is_offered_again_only_if_it_can_be_repeated(three: Table) -> None:
    give_line(three.log, "fight", "modre")
    assert {"wolf", "ana", "body", "ice-blade"} - set(words(three, "a clone ")) == {"wolf", "ana"}
    assert {"body", "ice-blade"}.isdisjoint(words(three, "a clone ice "))
    assert "hostile" in words(three, "a clone unfavourable ")


def test_impossible_words_come_last_with_a_reason(three: Table) -> None:
    give_line(three.log, "fight", "modre")
    give_line(three.log, "fight", 'gm wolf out "fled"')
    assert [one.why_not for one in completions(three, "a ") if one.why_not][:2] == [
        "Modre cannot be target now.",
        "Wolf cannot be target now.",
    ]
    assert completions(three, "a ")[-1].why_not
    assert [(one.word, one.why_not) for one in completions(three, "drop-item ")] == [
        ("ice-blade", ""),
        ("body", "Body cannot be item now."),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
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
def test_correction_keywords_are_completed(three: Table, text: str, expected: str) -> None:
    give_line(three.log, "fight", "modre")
    assert expected in words(three, text)


@pytest.mark.parametrize(
    "text", [". ", "n; . x", "after 99 ", "after x ", "u ", "zz ", '"', "a [3 ", "note x ", "after 6 a clone; "]
)
def test_nothing_is_offered_after_an_unknown_word(three: Table, text: str) -> None:
    assert words(three, text) == []
