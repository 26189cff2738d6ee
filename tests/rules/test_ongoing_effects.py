"""A complete table of all ongoing effects and everything that can end them, played through the rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Adjust,
    Aim,
    Attack,
    BeginHeave,
    BeginTurn,
    Body,
    Command,
    Counterattack,
    DeclareCombo,
    DrawBow,
    DropItem,
    EndTurn,
    Evade,
    Hold,
    Initiative,
    Interfere,
    Join,
    Manipulate,
    Mount,
    Parry,
    Placement,
    PoolMove,
    PrepareCounterattack,
    Resolve,
    TakePosition,
)
from mam_events.decider.engine import Decision
from mam_events.events import (
    ActionResolved,
    AttackResolved,
    CombatantHeldDown,
    CounterattackRolled,
    DefenseRolled,
    InterferenceRolled,
    ParryRolled,
    RollMade,
)
from mam_events.rules.editions import NAMES, edition
from mam_events.rules.health.wounds import wound
from mam_events.state import Weapon
from tests.spec import GivenFight, given

BOW = Weapon("bow", name="Bow", kind="bow", power=2, range=Decimal(60))
ROCK = Weapon("rock", name="Rock", heft=1, unwieldy=True, throw_reach=Decimal(1))
SWORD = Weapon("sword", name="Sword", power=2)
ANA = Join("ana", name="Ana", hp=12, power=4, hand_reach=Decimal(1), speed=Decimal(3), weapon=(BOW, ROCK, SWORD))
BEN = Join("ben", name="Ben", hp=12, body=Body(power=1))
HORSE = Join("horse", name="Horse", hp=12, training="trained")
GUS = Join("gus", name="Gus", hp=12, size=9, body=Body(attack=9))
BEGUN = (ANA, BEN, HORSE, GUS, Initiative(first="ana", reason="agreed"), BeginTurn("ana"))


def fight_with(*orders: Command, preset: str = "mam_pools") -> GivenFight:
    return given(*BEGUN, *orders, preset=preset)


def given_hold(weapon: str = "body", *more: Command, **points: int) -> GivenFight:
    """Let Ana hold Ben with four points in other used, or choke him."""
    grip = Manipulate("ana", "ben", weapon, follow_up="choke" if "power" in points else "hold", **points)  # type: ignore[arg-type]
    return fight_with(grip, Resolve(8, 6, 1), *more)


def held_down() -> GivenFight:
    """Let Ana hold Ben down in a fight of Ron d6."""
    return given(Join("ana"), Join("ben"), preset="ron_d6").after(CombatantHeldDown("ben", "ana"))


UNDER_WAY: dict[str, tuple[Callable[[], GivenFight], str, str, str]] = {
    "hold": (lambda: given_hold(points=4), "ana", "", "ben"),
    "hold with a weapon": (lambda: given_hold("sword", points=4), "ana", "sword", "ben"),
    "choke": (lambda: given_hold(power=4), "ana", "", "ben"),
    "grapple position": (
        lambda: given_hold("body", TakePosition("ana", "clinch", "ben"), points=4),
        "ana",
        "",
        "ben",
    ),
    "drawn bow": (lambda: fight_with(DrawBow("ana", "bow")), "ana", "bow", ""),
    "heave": (lambda: fight_with(BeginHeave("ana", "rock")), "ana", "rock", ""),
    "aim": (lambda: fight_with(Aim("ana", "bow")), "ana", "bow", ""),
    "aim by word": (
        lambda: fight_with(Adjust("she aims", position=(Placement("ana", "aiming_standing"),))),
        "ana",
        "",
        "",
    ),
    "guard": (lambda: fight_with(Evade("ana")), "ana", "", ""),
    "ride": (lambda: fight_with(Mount("ana", "horse")), "ana", "", "horse"),
    "combo": (
        lambda: fight_with(DeclareCombo("ana", 3), Attack("ana", "ben", "sword", modifier=1), Resolve(9, 1, 6)),
        "ana",
        "",
        "ben",
    ),
    "prepared counterattack": (lambda: fight_with(PrepareCounterattack("ana"), preset="mam_speed"), "ana", "", "ben"),
    "held down": (held_down, "ben", "", "ana"),
}
"""Each ongoing effect: how it begins, its combatant, its thing, and the other combatant."""


Befalls = Callable[[GivenFight, str], object]


def adjust_as(**fields: Any) -> Befalls:
    """Return a function that adjusts a combatant as the game master."""
    return lambda fight, name: fight.after(
        Adjust("so it is", **{field: value(name) for field, value in fields.items()}),
    )


def wounded(stun: int, damage: int) -> Befalls:
    def strike(fight: GivenFight, name: str) -> None:
        desk = Decision(fight.state, fight.ruleset, fight.dice())
        wound(desk, name, 0, stun, damage)
        fight.after(*desk.events)

    return strike


def manipulate_by_gus(fight: GivenFight, order: Manipulate) -> None:
    """Let Gus, who is large and strong, manipulate somebody in a turn that the game master gives him."""
    fight.after(Adjust("gus runs up", turn="gus"), order)
    number = fight.ruling
    if fight.state.turn and fight.state.turn.counter:
        fight.after(EndTurn(fight.state.turn.combatant))
    opposed = fight.ruleset["defense_resolution"] == "opposed_roll"
    fight.after(Resolve(number, *((6, 1) if opposed else (20,))))


def price(fight: GivenFight) -> int:
    """Return the price of two points: 2 if actions cost points."""
    return fight.ruleset.edition.economy.charged(2)


def throw(fight: GivenFight, name: str) -> None:
    manipulate_by_gus(fight, Manipulate("gus", name, follow_up="throw", points=price(fight)))


def disarm(fight: GivenFight, name: str, thing: str) -> None:
    manipulate_by_gus(
        fight,
        Manipulate("gus", name, follow_up="disarm", item=thing, points=price(fight)),
    )


SAID = {
    "is knocked out by word": adjust_as(condition=lambda name: {name: "incapacitated"}),
    "dies by word": adjust_as(condition=lambda name: {name: "dead"}),
    "leaves the fight": adjust_as(condition=lambda name: {name: "out"}),
}
BEFALLS: dict[str, Befalls] = {
    **SAID,
    "is laid down by word": adjust_as(position=lambda name: (Placement(name, "on_ground"),)),
    "is wounded": wounded(1, 0),
    "is wounded by word": adjust_as(move=lambda name: (PoolMove(name, "ready", "stun", 1),)),
    "is struck down": wounded(0, 12),
    "is thrown": throw,
}
"""The events that can happen to a combatant."""
LOSSES: dict[str, Callable[[GivenFight, str, str], object]] = {
    "is dropped": lambda fight, name, thing: fight.after(DropItem(name, thing)),
    "is struck away": disarm,
}
"""The events that can happen to a thing in a combatant's hands."""

E, G = "ends", "goes on"
WOUNDED = ("is wounded", "is wounded by word")
DOWN = dict.fromkeys(("is struck down", *SAID), E)
LYING = ("is thrown", "is laid down by word")
UNHARMED = dict.fromkeys(BEFALLS, G)
GONE = {**UNHARMED, "dies by word": E, "leaves the fight": E}
STANDING = {**UNHARMED, **DOWN, **dict.fromkeys(LYING, E)}
EXPECTED: dict[str, tuple[dict[str, str], dict[str, str], dict[str, str]]] = {
    # A thrown body leaves every grapple (MAM-MNP-09); a held one may be down, but not gone (MAM-MNP-10).
    "hold": ({**UNHARMED, **DOWN, "is thrown": E}, {**GONE, "is thrown": E}, {}),
    "hold with a weapon": ({**UNHARMED, **DOWN, "is thrown": E}, {**GONE, "is thrown": E}, dict.fromkeys(LOSSES, E)),
    "choke": ({**UNHARMED, **DOWN, "is thrown": E}, {**GONE, "is thrown": E}, {}),
    "grapple position": (STANDING, {**GONE, **dict.fromkeys(LYING, E)}, {}),
    "drawn bow": ({**UNHARMED, **DOWN}, {}, dict.fromkeys(LOSSES, E)),
    "heave": ({**STANDING, **dict.fromkeys(WOUNDED, E)}, {}, dict.fromkeys(LOSSES, E)),
    "aim": (dict.fromkeys(BEFALLS, E), {}, dict.fromkeys(LOSSES, E)),
    "aim by word": (dict.fromkeys(BEFALLS, E), {}, {}),
    "guard": ({**UNHARMED, **DOWN}, {}, {}),
    # An incapacitated rider stays mounted until the animal is attacked (MAM-MNT-01).
    "ride": ({**GONE, **dict.fromkeys(LYING, E)}, {**dict.fromkeys(BEFALLS, E), **dict.fromkeys(WOUNDED, G)}, {}),
    # In another combatant's turn, the combo is over.
    "combo": ({**UNHARMED, **DOWN, **dict.fromkeys((*WOUNDED, "is thrown"), E)}, {**UNHARMED, "is thrown": E}, {}),
    # An attack triggers it (MAM-CTR-06).
    "prepared counterattack": ({**UNHARMED, **DOWN, "is thrown": E}, UNHARMED, {}),
    "held down": ({**dict.fromkeys(SAID, E), "is knocked out by word": G}, dict.fromkeys(SAID, E), {}),
}
"""Whether the effect ends after each event to its combatant, to the other combatant, and to the thing."""
CELLS = [
    (row, which, what, expected)
    for row, parts in EXPECTED.items()
    for which, cells in enumerate(parts)
    for what, expected in cells.items()
]


def test_the_table_of_ongoing_effects_is_complete() -> None:
    kinds = {kind.called for name in NAMES for kind in edition(name).ongoing}
    assert kinds <= {row.removesuffix(" with a weapon") for row in UNDER_WAY}
    assert UNDER_WAY.keys() == EXPECTED.keys()
    for row, (_, _, thing, partner) in UNDER_WAY.items():
        anything = SAID if row == "held down" else BEFALLS
        own, others, things = EXPECTED[row]
        assert own.keys() == anything.keys()
        assert others.keys() == (anything.keys() if partner else set())
        assert things.keys() == (LOSSES.keys() if thing else set())


@pytest.mark.parametrize(("row", "which", "what", "expected"), CELLS, ids=lambda value: str(value).replace(" ", "-"))
def test_an_ongoing_effect_ends_as_the_table_says(row: str, which: int, what: str, expected: str) -> None:
    begin, whose, thing, partner = UNDER_WAY[row]
    fight = begin()
    called = {"choke": "hold"}.get(row, re.sub(" (with a weapon|by word)$", "", row))
    (kind,) = [kind for kind in fight.ruleset.edition.ongoing if kind.called == called]
    assert kind.of(fight.state, fight.state.combatants[whose]), "it has not begun"
    if which == 2:
        LOSSES[what](fight, whose, thing)
    else:
        BEFALLS[what](fight, (whose, partner)[which])
    assert (G if kind.of(fight.state, fight.state.combatants[whose]) else E) == expected


@pytest.mark.parametrize("order", [DrawBow("ana", "bow"), BeginHeave("ana", "rock")])
def test_a_two_handed_action_is_refused_while_holding_somebody(order: Command) -> None:
    """MAM-ARC-01, MAM-THR-03, MAM-MNP-05: nobody begins a two-handed action while holding somebody.

    A drawn bow "prevents ... any other actions", and a hold prevents the bow. Somebody who is held by another has free
    hands.
    """
    given_hold(power=4).when(order).raises("grappling", "MAM-POS-01")
    fight = fight_with(Adjust("a grip", hold=(Hold("gus", "grip", 0, held="ana"),)))
    fight.when(order).all()
    given_hold(power=4).when(Attack("ana", "gus", "sword", power=1)).all()


AXE = Weapon("axe", name="Axe", power=3)
CAL = Join("cal", name="Cal", hp=12, weapon=(AXE,))
ARMED = replace(BEN, weapon=(replace(AXE, id="club", name="Club"),))
SWING = Attack("ana", "ben", "sword", power=2)


def swing(*more: Command) -> GivenFight:
    """Let Ana strike at Ben with a powerful attack, which Ben and Cal may answer (ruling 7)."""
    opening = (replace(ANA, weapon=(SWORD,)), ARMED, CAL, Initiative(first="ana", reason="agreed"), BeginTurn("ana"))
    return given(*opening, replace(SWING, mode="powerful"), *more)


def given_skipped_counterattack() -> GivenFight:
    """Return the fight of `swing`, but Ben was prepared and skipped the counterattack (ruling 10)."""
    opening = (replace(ANA, weapon=(SWORD,)), ARMED, CAL, Initiative(first="ben", reason="agreed"), BeginTurn("ben"))
    after = (PrepareCounterattack("ben"), Adjust("ana goes on", turn="ana"))
    return given(*opening, *after, replace(SWING, power=0, mode="powerful"), EndTurn("ben"), preset="mam_speed")


DECLARED: dict[str, tuple[Callable[[], GivenFight], int, str, str]] = {
    "attack": (swing, 7, "ana", "sword"),
    "attack after a counterattack": (given_skipped_counterattack, 9, "ana", "sword"),
    "parry": (lambda: swing(Parry("ben", 7, "club")), 7, "ben", "club"),
    "counterattack": (lambda: swing(Counterattack("ben", 7, "club", power=1)), 7, "ben", "club"),
    "interference": (lambda: swing(Interfere("cal", 7, 7, weapon="axe", power=1)), 7, "cal", "axe"),
    "action": (
        lambda: fight_with(Act("ana", "the machine", points=1)),
        8,
        "ana",
        "sword",
    ),
}
"""Each declared order: how it begins, its exchange, its combatant, and its thing."""
HURT: dict[str, Callable[[str, str], Command]] = {
    "is knocked out": lambda name, _: Adjust("so it is", condition={name: "incapacitated"}),
    "dies": lambda name, _: Adjust("so it is", condition={name: "dead"}),
    "is laid down": lambda name, _: Adjust("so it is", position=(Placement(name, "on_ground"),)),
    "drops it": DropItem,
}
"""The events that can happen to the actor between the order and the dice."""
NO, MUST, GONE_BY, ROLLED = "comes to nothing", "must be changed", "is not made", "is rolled"
CAME: dict[str, dict[str, str]] = {
    "attack": dict.fromkeys(HURT, NO),
    "attack after a counterattack": {"is knocked out": NO, "dies": NO, "is laid down": MUST, "drops it": MUST},
    "parry": {"is knocked out": GONE_BY, "dies": NO, "is laid down": ROLLED, "drops it": GONE_BY},
    "counterattack": {"is knocked out": GONE_BY, "dies": NO, "is laid down": ROLLED, "drops it": GONE_BY},
    "interference": {"is knocked out": GONE_BY, "dies": GONE_BY, "is laid down": ROLLED, "drops it": GONE_BY},
    "action": {"is knocked out": NO, "dies": NO, "is laid down": ROLLED, "drops it": ROLLED},
}


def test_the_table_of_declared_actions_is_complete() -> None:
    assert CAME.keys() == DECLARED.keys()
    assert all(cells.keys() == HURT.keys() for cells in CAME.values())


@pytest.mark.parametrize(
    ("row", "what"), [(row, what) for row in CAME for what in HURT], ids=lambda value: value.replace(" ", "-")
)
def test_a_declared_action_is_checked_again_before_it_takes_effect(row: str, what: str) -> None:
    """MAM-CTR-03, MAM-WND-08, MAM-ATK-06."""
    begin, number, whose, thing = DECLARED[row]
    fight = begin().after(HURT[what](whose, thing))
    expected = CAME[row][what]
    if expected == MUST:
        fight.when(Resolve(number, 20)).raises("must_change", "MAM-CTR-03")
        return
    if expected == NO or row == "action":
        result = fight.when(Resolve(number))
        assert [event.outcome for event in result.all() if isinstance(event, ActionResolved | AttackResolved)] == [
            "fail" if expected == NO else "full"
        ]
        assert not result.all(RollMade)
        return
    thrown_in = {"8": 1} if row == "interference" and expected == ROLLED else {}
    kinds = {type(event) for event in fight.when(Resolve(number, 6, 1, thrown_in)).all(RollMade)}
    answer = {"parry": ParryRolled, "counterattack": CounterattackRolled, "interference": InterferenceRolled}[row]
    assert (answer in kinds) == (expected == ROLLED)
    assert (DefenseRolled in kinds) == (expected == GONE_BY or row == "interference")
