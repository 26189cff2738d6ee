"""A fight that continues another one with the same combatants."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest

from mam_events.commands import Adjust, Command, DropItem, Join, Open, PoolMove
from mam_events.events import CombatantJoined, EncounterOpened
from mam_events.fights.continuation import continuation
from mam_events.log.combat_log import CombatLog
from mam_events.state import Encounter, Item, Weapon
from mam_events.values import ContinuedFrom, StayedBehind
from tests.fights.tables import Table

SWORD = Weapon("sword", name="sword", power=2)
GUN = Weapon("gun", name="gun", kind="gun", shots=3, loaded=2)
MARA = Join("mara", name="Mara", hp=8, weapon=(SWORD, GUN), item=(Item("pack", name="pack", encumbrance=2),))


@dataclass(frozen=True)
class TwoFights:
    """The fight that was left, and the one that goes on from it."""

    left: Encounter
    opened: Encounter
    orders: list[Command]


def continue_fight(*history: Command, opening: Open | None = None, everybody: bool = False) -> TwoFights:
    with CombatLog.open("sqlite://") as log:
        log.execute_all("bridge", history)
        timeline = log.timeline("bridge")
        left = ContinuedFrom("bridge", timeline.number, timeline.seal)
        orders = continuation(timeline.state, left, opening or Open(), log.rules, everybody=everybody)
        log.execute_all("cave", orders)
        return TwoFights(timeline.state, log.at("cave"), orders)


def test_wounds_and_equipment_continue_and_spent_points_are_back() -> None:
    """MAM-POOL-01, MAM-POOL-06: stun and damage stay; a dropped item is carried, not in hand."""
    moves = (PoolMove("mara", "ready", "damage", 3), PoolMove("mara", "ready", "stun", 1))
    spent = PoolMove("mara", "ready", "defense", 1)
    both = continue_fight(Open(), MARA, Adjust("hit", move=(*moves, spent)), DropItem("mara", "sword"))
    mara = both.opened.combatants["mara"]
    assert (mara.pools.stun, mara.pools.damage, mara.pools.ready, mara.pools.other_used) == (1, 3, 2, 2)
    assert [one.id for one in mara.in_hand] == ["body", "gun"]
    assert not mara.dropped
    gun = mara.weapon("gun")
    assert gun is not None
    assert gun.loaded == 2
    assert mara.carried_encumbrance == 2


def test_a_fallen_combatant_stays_down_and_a_dead_or_gone_one_is_left_out() -> None:
    """MAM-WND-08: by points or by the game master's word, and hidden where it was hidden."""
    condition_by_name = {"cal": "dead", "dan": "out", "eve": "incapacitated", "fay": "incapacitated"}
    conditions = Adjust("the end", condition=condition_by_name)  # type: ignore[arg-type]  # each is a condition
    hit = Adjust("hit", move=(PoolMove("bo", "ready", "damage", 4),))
    people = [Join(name, hp=4) for name in ("bo", "cal", "dan", "eve")]
    both = continue_fight(Open(), *people, Join("fay", hp=4, visibility="gm"), hit, conditions)
    assert {name: one.condition for name, one in both.opened.combatants.items()} == {
        "bo": "incapacitated",
        "eve": "incapacitated",
        "fay": "incapacitated",
    }
    words = [order for order in both.orders if isinstance(order, Adjust)]
    assert [(order.condition, order.visibility) for order in words] == [
        ({"eve": "incapacitated"}, "public"),
        ({"fay": "incapacitated"}, "gm"),
    ]
    assert both.opened.combatants["fay"].visibility == "gm"
    opening = both.orders[0]
    assert isinstance(opening, Open)
    assert opening.continues is not None
    assert opening.continues.behind == (StayedBehind("cal", "dead"), StayedBehind("dan", "out"))


def test_fallen_foes_are_left_out_and_fallen_party_members_continue() -> None:
    """Players carry their own; without players, sides with somebody standing do."""
    down = Adjust("down", condition={"bo": "incapacitated", "rat": "incapacitated", "elk": "incapacitated"})
    people = [Join("bo", side="heroes", hp=4), Join("rat", side="foes", hp=4), Join("ogre", side="foes", hp=9)]
    elk = Join("elk", side="beasts", hp=4)
    ana = Join("ana", side="heroes", kind="pc", hp=4)
    both = continue_fight(Open(), *people, elk, ana, down)
    assert list(both.opened.combatants) == ["bo", "ogre", "ana"]
    opening = both.orders[0]
    assert isinstance(opening, Open)
    assert opening.continues is not None
    assert opening.continues.behind == (StayedBehind("rat", "incapacitated"), StayedBehind("elk", "incapacitated"))
    assert list(continue_fight(Open(), *people, elk, ana, down, everybody=True).opened.combatants) == [
        *("bo", "rat", "ogre", "elk", "ana")
    ]
    people[0] = Join("bo", side="guards", hp=4)
    without_players = continue_fight(Open(), *people, elk, down)
    assert list(without_players.opened.combatants) == ["rat", "ogre"]


def test_the_opening_does_not_name_hidden_combatants_who_left() -> None:
    gone = Adjust("away", condition={"fay": "out"}, visibility="gm")
    both = continue_fight(Open(), MARA, Join("fay", hp=4, visibility="gm"), gone)
    opening = both.orders[0]
    assert isinstance(opening, Open)
    assert opening.continues is not None
    assert opening.continues.behind == ()


def test_the_opening_names_the_previous_fight_its_seal_and_its_rules() -> None:
    rules = {"half_success": "never"}
    both = continue_fight(Open(house_rules=rules, ruleset="ours"), MARA)
    opening = both.orders[0]
    assert isinstance(opening, Open)
    assert opening.continues is not None
    assert (opening.continues.encounter, opening.continues.ruling) == ("bridge", 2)
    assert len(opening.continues.seal) == 64
    assert both.opened.ruleset == both.left.ruleset
    other = continue_fight(Open(), MARA, opening=Open("mam_speed"))
    assert other.opened.ruleset is not None
    assert other.opened.ruleset.preset == "mam_speed"


def test_a_rider_joins_after_their_mount_or_on_foot_if_it_is_dead() -> None:
    """MAM-MNT-01."""
    horse, rider = Join("horse", hp=6, training="trained"), Join("ana", hp=6, mount="horse", ability={"riding": 4})
    assert continue_fight(Open(), horse, rider).opened.combatants["ana"].status.mount == "horse"
    fallen = continue_fight(Open(), horse, rider, Adjust("it fell", condition={"horse": "dead"}))
    assert (list(fallen.opened.combatants), fallen.opened.combatants["ana"].status.mount) == (["ana"], "")


def test_in_ron_d6_points_and_codes_continue() -> None:
    """RD6-INIT-01, RD6-INIT-07."""
    rook = Join("rook", kind="pc", code={"perception": "3D+1"}, character_points=4, fate_points=1, allotment=2)
    both = continue_fight(Open("ron_d6"), rook, Adjust("a club", condition={"rook": "incapacitated"}))
    left, combatant = both.left.combatants["rook"], both.opened.combatants["rook"]
    assert (combatant.faculties, combatant.rd6_character_points, combatant.fate_points) == (left.faculties, 4, 1)
    assert combatant.condition == "incapacitated"


@pytest.mark.parametrize("seed", range(5))
def test_a_continued_combatant_keeps_statistics_things_and_seat(seed: int) -> None:
    """The statistics, things and seats of random fights."""
    play = Table(Random(seed), secrets=False)
    for _ in range(25):
        play.step()
    state = play.log.at(play.encounter)
    timeline = play.log.timeline(play.encounter)
    orders = continuation(state, ContinuedFrom(play.encounter, timeline.number, timeline.seal), Open(), play.log.rules)
    answers = play.log.execute_all("next", orders)
    assert isinstance(answers[0].events[0], EncounterOpened)
    combatants = [
        event.combatant for answer in answers for event in answer.events if isinstance(event, CombatantJoined)
    ]
    for one in combatants:
        combatant = state.combatants[one.id]
        for field in ("statistics", "seat", "hp", "name", "side", "kind", "visibility"):
            assert getattr(one, field) == getattr(combatant, field), field
        assert [thing.id for thing in one.things] == [thing.id for thing in combatant.things]
