"""Current activities and conditions of each combatant, without hidden ones."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from mam_events.state import EMPTY_ENCOUNTER, Combatant, Effect, Encounter, Grapple, Pools, Saddle, Status, Weapon
from projections.state.activities import Activity, activities, activity_difference, doing_words
from projections.state.turn_order import project_turn_order
from projections.visibility.redaction import Redactor

GM, PUBLIC = "gm", "public"
BOW = Weapon("bow", name="Longbow", kind="bow")
CROSSBOW = Weapon("crossbow", name="Crossbow", kind="crossbow", winding=2)


def combatant(name: str, *grapples: Grapple, weapons: tuple[Weapon, ...] = (), **more: Any) -> Combatant:
    who = Combatant(
        name, name.title(), "s", "character", 1, 6, 6, Decimal(1), 0, 0, 0, weapons, (), Pools(6), grapples=grapples
    )
    return replace(who, **more)


def fight(*who: Combatant) -> Encounter:
    return replace(EMPTY_ENCOUNTER, combatants={each.id: each for each in who}, order=tuple(each.id for each in who))


def activity_texts(state: Encounter, view: str = GM) -> dict[str, str]:
    return {name: doing_words(activity) for name, activity in activities(state, Redactor(view, state=state)).items()}


def rook(**status: Any) -> Combatant:
    return combatant("rook", weapons=(BOW, CROSSBOW), status=Status(**status))


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ({"position": "on_ground"}, "on the ground"),
        ({"position": "aiming_on_ground", "aiming": "bow"}, "on the ground, aims the Longbow"),
        ({"position": "aiming_standing", "aiming": "bow"}, "aims the Longbow"),
        ({"position": "aiming_standing"}, "aims"),
        ({"position": "aiming_on_ground"}, "on the ground, aims"),
        ({"position": "clinch", "grappling": "rat"}, "in a clinch with Rat"),
        ({"position": "ground_fighting", "grappling": "rat"}, "fights on the ground with Rat"),
        ({"position": "dominant_standing", "grappling": "rat"}, "dominant in a clinch with Rat"),
        ({"position": "dominant_on_ground", "grappling": "rat"}, "dominant on the ground over Rat"),
        ({"mount": "rat"}, "rides Rat"),
        ({"mount": "rat", "saddle": Saddle(riding=1)}, "rides Rat, must roll to stay mounted"),
        ({"mount": "rat", "saddle": Saddle(handling=1)}, "rides Rat, must roll to hold Rat"),
        ({"drawn": "bow"}, "holds the Longbow drawn"),
        ({"heaving": "rock"}, "has begun to heave the rock"),
        ({"prepared": True}, "waits to strike back"),
        ({"effects": (Effect("evasion", 5, "MAM-MNV-01"),)}, "evades (+5)"),
        ({"effects": (Effect("cautious", 5, "MAM-POS-04"),)}, "on guard (+5)"),
        ({"effects": (Effect("manipulation", -2, "MAM-MNP-01", "combat"),)}, "hampered (-2)"),
        ({"held_down_by": ("rat",)}, "held down by Rat"),
    ],
)
def test_activities_are_described_in_a_few_words(status: dict[str, Any], words: str) -> None:
    loading = "is loading the Crossbow (2 turns to go)"
    state = fight(rook(**status), combatant("rat"))
    assert set(activity_texts(state)["rook"].split(", ")) == {*words.split(", "), loading}
    (row, _) = project_turn_order(state).rows
    assert doing_words(row.doing) == activity_texts(state)["rook"]


@pytest.mark.parametrize(
    ("kind", "holds", "participle"),
    [("hold", "holds", "held"), ("choke", "chokes", "choked"), ("wrench", "wrenches", "wrenched")],
)
def test_a_hold_is_listed_for_both_combatants(kind: Any, holds: str, participle: str) -> None:
    state = fight(combatant("rat", Grapple("grip-1", 2, held="rook", kind=kind)), combatant("rook"))
    assert activity_texts(state) == {"rat": f"{holds} Rook (grip-1)", "rook": f"{participle} by Rat (grip-1)"}
    assert activities(state, Redactor(GM))["rook"] == (
        Activity(participle, f"{participle} by Rat (grip-1)", "rat", "grip-1"),
    )


def test_a_mount_is_listed_as_ridden_and_an_idle_combatant_is_not_listed() -> None:
    state = fight(combatant("rook", status=Status(mount="bay")), combatant("bay"), combatant("rat"))
    assert activity_texts(state) == {"rook": "rides Bay", "bay": "ridden by Rook"}


def test_a_combatant_out_of_the_fight_has_no_activities() -> None:
    assert activity_texts(fight(combatant("rook", condition="dead", status=Status(position="on_ground")))) == {}


BY_A_GHOST: dict[str, tuple[Combatant, Combatant, dict[str, str]]] = {
    "held": (combatant("rook"), combatant("ghost", Grapple("hold-7", 2, held="rook")), {"rook": "held"}),
    "holds": (combatant("rook", Grapple("hold-7", 2, held="ghost")), combatant("ghost"), {}),
    "held down": (combatant("rook", status=Status(held_down_by=("ghost",))), combatant("ghost"), {"rook": "held down"}),
    "ridden": (combatant("rook"), combatant("ghost", status=Status(mount="rook")), {}),
    "rides": (combatant("rook", status=Status(mount="ghost", saddle=Saddle(1, 1, 1))), combatant("ghost"), {}),
    "in a clinch": (
        combatant("rook", status=Status("clinch", "ghost")),
        combatant("ghost", status=Status("clinch", "rook")),
        {},
    ),
    "on the ground": (
        combatant("rook", status=Status("ground_fighting", "ghost")),
        combatant("ghost", status=Status("dominant_on_ground", "rook", "rook")),
        {"rook": "on the ground"},
    ),
}


@pytest.mark.parametrize("how", BY_A_GHOST)
def test_a_hidden_combatant_is_in_no_activity_of_a_view(how: str) -> None:
    visible, ghost, public = BY_A_GHOST[how]
    state = fight(visible, replace(ghost, visibility=GM))
    assert "ghost" in str(activities(state, Redactor(GM))).lower()
    assert activity_texts(state, PUBLIC) == public
    redactor = Redactor(PUBLIC, state=state)
    text = str(
        (
            activities(state, redactor),
            project_turn_order(state, redactor),
            activity_difference(fight(combatant("rook")), state, redactor),
        )
    )
    assert "ghost" not in text.lower()
    assert "hold-7" not in text


def test_activity_difference_lists_ended_and_new_activities() -> None:
    riding = fight(combatant("rook", status=Status(mount="bay")), combatant("bay"), combatant("rat"))
    lying = fight(combatant("rook", status=Status("on_ground")), combatant("bay"), combatant("rat"))
    assert activity_difference(riding, lying, Redactor(GM)) == {
        "no longer": "Rook rides Bay; Bay ridden by Rook",
        "then": "Rook on the ground",
    }
    assert activity_difference(riding, riding, Redactor(GM)) == {}
