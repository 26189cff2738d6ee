"""Lines of Ron d6 in common words."""

from __future__ import annotations

import pytest

from mam_events.commands import Join
from tests.notation.tables import Table


@pytest.fixture
def alley() -> Table:
    """Return a fight in the turn of Kess, who has her pistols and one action, against a thug."""
    table = Table(
        Join("kess", name="Kess", code={"perception": "3D", "agility": "2D", "pistols": "5D"}),
        Join("thug", name="Thug", code={"perception": "2D", "agility": "2D"}),
        preset="ron_d6",
    )
    table.after("round 1", "ro kess 3 4 5 thug 1 2", "kess 1")
    return table


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("shoots thug pistols 10 3 4 5 2 1", "No die shows 10. If it is the difficulty, type v10."),
        ("pistols thug v10 3 4 5 2 1", "the action first: shoot NAME pistols v10."),
        ("gm kess fp 1", "Fate or Character Points, amend how they joined"),
        ("ri", "Everybody who can act has already rolled. Type ro to begin the next round."),
    ],
)
def test_an_error_for_an_unreadable_line_shows_how_to_type_it(alley: Table, line: str, text: str) -> None:
    assert text in alley.error(line)
    assert "ready>damage" not in alley.error(line)


@pytest.mark.parametrize("versus", ["vs 10", "vs. 10", "versus 10", "against 10"])
def test_a_difficulty_may_follow_versus(alley: Table, versus: str) -> None:
    long = "kess: perform shoot thug pistols difficulty=10 [3 4 5 2 1]"
    assert alley.orders(f"shoots thug pistols {versus} 3 4 5 2 1") == [long]


def test_a_fate_point_is_spent_in_several_words(alley: Table) -> None:
    assert alley.error("kess spends a fate point") == alley.error("kess spend fate")


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("hits him in the arm", ['result success "him in the arm"']),
        ("misses", ["result failure"]),
        ("hit, damage 4D 3 4 5 1", ["result success", "kess: roll damage code=4D [3 4 5 1]"]),
    ],
)
def test_results_can_be_given_in_words(alley: Table, line: str, orders: list[str]) -> None:
    assert alley.orders("kess fires pistols at thug diff 12, 3 4 5 2 1") == [
        "kess: perform shoot thug pistols difficulty=12 [3 4 5 2 1]"
    ]
    assert alley.orders(line) == orders


def test_a_roll_in_the_words_of_a_result_is_refused(alley: Table) -> None:
    alley("shoot thug pistols v9 3 4 5 2 1")
    assert "roll is an order of its own" in alley.error("hits for damage 4D 3 4 5 1")


def test_a_result_without_an_open_action_is_refused(alley: Table) -> None:
    assert "Name the action itself" in alley.error("hits him in the arm")


def test_the_number_of_the_next_round_is_not_a_die(alley: Table) -> None:
    assert alley.orders("round 2!")[0] == "round"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("thug moves up because she saw it coming", "move-up gm_allows because …"),
        ("thug moves up", "move-up gm_allows because …"),
        ("thug moves up to dodge", "have waited"),
        ("thug is wounded", "incapacitate thug because …"),
        ("damage thug 1 6", "incapacitate thug because …"),
        ("modify thug -1 wounded", 'situation="-1D wounded"'),
        ("incapacitate thug knocked cold", "a reason after because: … because knocked …"),
    ],
)
def test_an_error_for_an_order_of_another_edition_suggests_an_alternative(alley: Table, line: str, text: str) -> None:
    assert text in alley.error(line)
    assert alley.orders("incapacitate thug because knocked cold") == ['incapacitate thug cause="knocked cold"']


def test_move_up_accepts_a_reason_in_words() -> None:
    table = Table(
        Join("kess", name="Kess", code={"perception": "3D", "throwing": "5D"}),
        Join("thug", name="Thug", code={"perception": "2D", "athletics": "2D"}),
        preset="ron_d6",
    )
    table.after("ro kess 3 4 5 thug 1 2", "kess throws at thug throwing v10 3 4 5 2 1")
    assert table.orders("thug moves up to catch") == ["thug: move-up catch"]


def test_the_question_for_the_actor_keeps_the_words_of_the_order() -> None:
    codes = {"perception": "2D"}
    people = (
        Join(who, side=side, code=codes, fate_points=1, character_points=1)
        for who, side in (("rook", "a"), ("bo", "b"))
    )
    table = Table(*people, preset="ron_d6").after("ro rook 5 4 bo 2 1")
    assert table.error("spend fate") == "Say who does it: rook spend fate or bo spend fate."
    assert table.orders("spend bo character 3") == ["bo: spend character initiative [3]"]
    table.after("n")
    assert table.error("rook spend character") == (
        "rook has no open action, and initiative is settled: the first turn of this round has begun."
    )
