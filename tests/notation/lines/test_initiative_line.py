"""Lines about initiative: surprise in a sentence, and dice after names."""

from __future__ import annotations

from decimal import Decimal

import pytest

from mam_events.commands import Join
from mam_events.history.timeline.rulings import rulings
from mam_events.state import Weapon
from projections.rulings.log_lines import log_line_text, log_lines
from tests.notation.tables import Table

FOUR = (
    Join("bosk", name="Bosk", side="heroes", kind="pc", hp=7),
    Join("mira", name="Mira", side="heroes", kind="pc", hp=7),
    Join("bandit-1", name="Bandit 1", side="foes", hp=4),
    Join("bandit-2", name="Bandit 2", side="foes", hp=4),
)


@pytest.fixture
def pools() -> Table:
    """Return a fight of two against two, before initiative."""
    return Table(*FOUR)


@pytest.fixture
def actions() -> Table:
    """Return a fight of three in Ron d6, before the first round."""
    return Table(
        *(
            Join(name, side="a", code={"perception": code})
            for name, code in (("ann", "3D"), ("bo", "2D"), ("cy", "1D"))
        ),
        preset="ron_d6",
    )


def newest(table: Table) -> str:
    """Return the log line about the newest ruling."""
    return log_line_text(log_lines(rulings(table.log.timeline("fight")))[-1])


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("init heroes surprise the bandits", "initiative surprise=bosk,mira"),
        ("init heroes surprise everybody", "initiative surprise=bosk,mira"),
        ("init bosk and mira surprise the foes", "initiative surprise=bosk,mira"),
        ("init the bandits surprise", "initiative surprise=bandit-1,bandit-2"),
        ("init bosk, mira surprised bandit 1 and bandit 2", "initiative surprise=bosk,mira"),
        ("init heroes surprise the foes mira 5 bosk 2", "initiative surprise=bosk,mira [mira=5 bosk=2]"),
        ("init heroes surprise mira 5 bosk 2", "initiative surprise=bosk,mira [mira=5 bosk=2]"),
        ("init mira surprises everybody", "initiative surprise=mira"),
        ("init the bandits ambush", "initiative surprise=bandit-1,bandit-2"),
        ("the bandits ambush the heroes", "initiative surprise=bandit-1,bandit-2"),
        ("mira surprises everybody", "initiative surprise=mira"),
    ],
)
def test_a_sentence_can_declare_surprise(pools: Table, line: str, long: str) -> None:
    assert pools.orders(line) == [long]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("init mira surprises the bandits", "Bosk too. If that is right, type init surprise=mira."),
        ("init heroes surprise bandit 1", "Bandit 2 too. If that is right, type init surprise=bosk,mira."),
        ("init grob surprises the heroes", 'No combatant and no side is called "grob". The sides are foes, heroes.'),
        ("init bandit surprises the heroes", '"bandit" could be Bandit 1 or Bandit 2'),
        ("init heroes surprise mira", "Mira cannot surprise themselves."),
        ("init ambush foes", "Say who surprises the others: init foes surprise or init surprise=bosk,mira."),
    ],
)
def test_an_unclear_surprise_is_refused(pools: Table, line: str, text: str) -> None:
    assert text in pools.error(line)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (
            "init surprise=heroes 5 2",
            "Whose dice are 5 2? These throw: Bosk, Mira. Put the names before the faces: bosk 5",
        ),
        (
            "init heroes surprise the bandits 5",
            "These throw: Bosk, Mira. Put the names before the faces: bosk … mira ….",
        ),
        ("init surprise=mira 5", "No dice are thrown for this. Leave 5 out."),
        ("5 2", "These throw: Bosk, Mira, Bandit 1, Bandit 2."),
    ],
)
def test_an_error_for_dice_without_names_lists_who_throws(pools: Table, line: str, text: str) -> None:
    assert text in pools.error(line)


def test_names_with_dice_are_tie_dice_of_initiative(pools: Table) -> None:
    dice = "mira=5 bosk=2 bandit-1=3 bandit-2=1"
    assert pools.orders("mira 5 bosk 2 bandit 1 3 bandit 2 1") == [f"initiative [{dice}]"]


def test_the_log_shows_dice_that_decided_nothing(pools: Table) -> None:
    table = Table(*FOUR, Join("pike", name="Pike", side="heroes", hp=4, weapon=(Weapon("pike", reach=Decimal(3)),)))
    table("init mira 4 bosk 2")
    assert "The dice of Mira and Bosk decided nothing" in newest(table)
    table.after("u", "init surprise=mira,bosk mira 4 bosk 2 pike 3")
    assert "The die of Pike decided nothing" in newest(table)
    pools("init surprise=heroes mira 4 bosk 2")
    assert "decided nothing" not in newest(pools)


def test_names_with_dice_are_initiative_rolls(actions: Table) -> None:
    actions("round")
    assert "These throw: ann, bo, cy" in actions.error("4 3 2")
    assert actions.orders("ann 4 3 3 bo 5 2") == ["roll-initiative ann,bo [ann=4,3,3 bo=5,2]"]
    # One number could also be the number of declared actions.
    assert "no place in the order" in actions.error("cy 2")
    assert actions.orders("ri cy 2") == ["roll-initiative cy [cy=2]"]
    actions("u")
    assert actions.orders("ro cy 2") == ["roll-initiative cy [cy=2]"], "no other round"


def test_one_die_is_a_roll_if_nothing_else_is_possible(actions: Table) -> None:
    actions("round")
    assert actions.orders("cy 2") == ["roll-initiative cy [cy=2]"]


def test_names_with_dice_begin_the_first_round(actions: Table) -> None:
    assert actions.orders("ann 4 3 3, bo 5 2") == ["round", "roll-initiative ann,bo [ann=4,3,3 bo=5,2]"]


def test_a_name_with_a_number_declares_actions(actions: Table) -> None:
    actions("ro ann 4 3 3 bo 5 2 cy 1")
    assert actions.orders("ann 1") == ["ann: declare 1"]


def test_an_ambush_after_initiative_is_refused(pools: Table) -> None:
    pools("init first=mira because x")
    assert "before the first turn. Type init mira surprise." in pools.error("mira ambushes bandit 1")
