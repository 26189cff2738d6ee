"""Join lines in common words: items and names; and the shield that is not used to attack."""

from __future__ import annotations

import pytest

from tests.notation.tables import CLONE, MODRE, Table


@pytest.mark.parametrize(
    ("line", "long"),
    [
        (
            "join Mira us hp 8 weapon longbow range=30",
            'join mira "Mira" us npc hp=8 weapon=(longbow kind=bow range=30)',
        ),
        ("join Mira us hp=8 w=Dagger", 'join mira "Mira" us npc hp=8 weapon=(dagger "Dagger")'),
        (
            "join Mira us hp=8 w=(Longbow pow=4 range=60 bow)",
            'join mira "Mira" us npc hp=8 weapon=(longbow "Longbow" power=4 kind=bow range=60)',
        ),
        (
            "join Finn of the Hills, us, hp 7, Shortsword power 2 at 1",
            'join finn-of-the-hills "Finn of the Hills" us npc hp=7 weapon=(shortsword "Shortsword" power=2 attack=1)',
        ),
        (
            "join Bo us hp 7 w=(Short Sword pow 2 at 1)",
            'join bo "Bo" us npc hp=7 weapon=(short-sword "Short Sword" power=2 attack=1)',
        ),
        (
            "join Cy us hp 7 spear pow 2 shield parry=2",
            'join cy "Cy" us npc hp=7 weapon=(spear power=2) weapon=(shield parry=2)',
        ),
        *((f"join Dee us {hp}", 'join dee "Dee" us npc hp=7') for hp in ("hp7", "7hp", "hp:7", "7 hp", "hp 7")),
        ("join Eli us hp=7 weapon=axe pow=3 at=1", 'join eli "Eli" us npc hp=7 weapon=(axe power=3 attack=1)'),
        ("join Fay us hp=7 w=(axe att=1)", 'join fay "Fay" us npc hp=7 weapon=(axe attack=1)'),
        ("join Sniper us hp=4 hidden", 'join sniper "Sniper" us npc hp=4 seen=gm'),
    ],
)
def test_common_join_lines_are_understood(line: str, long: str) -> None:
    assert Table(MODRE).orders(line) == [long]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("join Eve us npc hp=4 gurgle", "w=(gurgle power=1) for a weapon, or a name and = before it, like side=gurgle"),
        ("join Eve us hp=4 w=(Axe gurgle)", 'Say what "gurgle" is'),
        ("join Eve us hp=4 att=1", "For what a weapon adds to its die, type w=(Axe attack=1)."),
        ("add Eve at round 3", "join NAME SIDE hp=6"),
    ],
)
def test_an_error_for_an_unknown_word_in_join_shows_how_to_type_it(line: str, text: str) -> None:
    assert text in Table(MODRE).error(line)


def armed() -> Table:
    """Return a fight of Ann, who is next and holds a sword and a shield, and the Clone."""
    return Table(CLONE).after("join Ann us hp=8 w=(Sword pow=2) shield parry=2", "initiative first=ann reason=x")


def test_a_shield_is_not_used_to_attack_beside_a_weapon() -> None:
    assert armed().orders("attack p1")[-1] == "ann: attack clone sword power=1"


def test_a_parry_with_weapon_and_shield_asks_which() -> None:
    table = armed().after("n.", "n", "clone: attack ann p1")
    assert "With the Sword or the shield?" in table.error("ann parry")
    assert table.orders("ann counter p1") == ["ann: counterattack sword power=1"]
