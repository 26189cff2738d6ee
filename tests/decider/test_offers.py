"""The offers of `legal_commands` in a few fights: combatants, ranges, and reasons why not."""

from __future__ import annotations

from itertools import cycle
from typing import Any, get_args, get_type_hints

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    COMMANDS,
    Act,
    Attack,
    BeginTurn,
    Command,
    EndTurn,
    Initiative,
    Move,
    Ready,
    Resolve,
    Stalk,
)
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Blocked
from mam_events.events import Event
from mam_events.state import Item
from tests.counting import calls
from tests.decider.test_legal_orders import offers, templates
from tests.fighters import CLONE, DUEL, MODRE, SENTRY, duel_orders, with_pools
from tests.rules.fights import fights
from tests.spec import GivenFight, admits, given


def test_illegal_orders_are_listed_with_the_reason() -> None:
    all_offers = list(legal_commands(given(*DUEL).state, given(*DUEL).ruleset))
    blocked = {(offer.do, offer.combatant): offer for offer in all_offers if isinstance(offer, Blocked)}
    assert blocked["attack", "clone"].code == "out_of_turn"
    assert blocked["attack", "clone"].sentence == "Clone cannot do this now: it is Modre's turn."
    assert blocked["begin-turn", "clone"].code == "turn_in_progress"
    assert blocked["initiative", ""].code == "initiative_settled"


def test_a_template_gives_the_ranges_of_its_fields() -> None:
    fight = given(*duel_orders(MODRE, CLONE, SENTRY), Move("modre", points=2))
    attack = next(template for template in templates(fight) if template.do == "attack")
    assert {field.name: (field.choices, field.low, field.high) for field in attack.fields} == {
        "attacker": (("modre",), None, None),
        "target": (("clone", "sentry"), None, None),
        "weapon": (("body", "ice-blade"), None, None),
        "power": (None, 0, 4),
        "modifier": (None, 0, 4),
        "mode": (("quick", "powerful", "strategic", "cautious"), None, None),
        "double_power": ((False, True), None, None),
        "thrown": (("",), None, None),
        "distance": ((None,), None, None),
        "light": (("lit", "very_dim", "total_darkness"), None, None),
        "darkness": (None, None, None),
        "blind": ((False, True), None, None),
        "from_above": ((False, True), None, None),
        "circumstance": (None, None, None),
        "evade": ((False,), None, None),
        "situation": (None, None, None),
    }
    assert admits(attack, Attack("modre", "clone", "body", power=3, modifier=1))
    for outside in (
        Attack("modre", "clone", "body", power=3, modifier=2),
        Attack("modre", "clone", "body", power=1, thrown="quick"),
        Attack("modre", "clone", "body"),
        Attack("modre", "modre", "body", power=1),
        Attack("clone", "modre", "body", power=1),
        EndTurn("modre"),
    ):
        assert not admits(attack, outside)


def test_an_open_attack_offers_the_reactions_of_its_target() -> None:
    fight = given(*duel_orders(MODRE, CLONE, SENTRY), Attack("modre", "clone", "ice-blade", power=1, modifier=1))
    ranges = {
        (template.do, template.combatant, field.name): (field.low, field.high)
        for template in templates(fight)
        for field in template.fields
        if field.high is not None
    }
    assert ranges == {
        ("defend", "clone", "points"): (1, 6),
        ("counterattack", "clone", "power"): (0, 2),
        ("counterattack", "clone", "modifier"): (0, 2),
        ("interfere", "clone", "points"): (1, 2),
        ("interfere", "clone", "power"): (0, 2),
        ("interfere", "clone", "modifier"): (0, 2),
        ("interfere", "sentry", "points"): (1, 2),
        ("interfere", "sentry", "power"): (0, 2),
        ("interfere", "sentry", "modifier"): (0, 2),
        **{("tackle", name, on): (0, 2) for name in ("clone", "sentry") for on in ("points", "power", "modifier")},
    }
    (resolve,) = (template for template in templates(fight) if template.do == "resolve")
    names = ["exchange", "attack_die", "defense_die", "outcome", "situation", "without"]
    assert [field.name for field in resolve.fields] == names
    assert admits(resolve, Resolve(7, attack_die=6, defense_die=1))
    assert not admits(resolve, Resolve(7, attack_die=7, defense_die=1))
    act = given(*DUEL, Act("modre", "shouts"))
    assert {template.do for template in templates(act) if template.combatant == "clone"} == {
        "interfere",
        "tackle",
        "contest",
    }
    (unrolled,) = (template for template in templates(act) if template.do == "resolve")
    assert not admits(unrolled, Resolve(6, attack_die=1))


def test_a_capped_reaction_is_offered_with_its_cap() -> None:
    attack = Attack("modre", "clone", "ice-blade", power=1, modifier=1)
    fight = given(*DUEL, attack, rules={"reaction_hp_cap": "capped_by_attack_hp"})
    (defend,) = (template for template in templates(fight) if template.do == "defend")
    assert [(field.low, field.high) for field in defend.fields if field.name == "points"] == [(1, 2)]


def test_before_initiative_only_setup_and_adjustments_are_offered() -> None:
    assert {template.do for template in templates(given(MODRE, CLONE))} == {
        "join",
        "close",
        "adjust",
        "change-rules",
        "initiative",
        "drop-item",
        "check",
        "contest",
        "heal",
        "modify",
    }


def test_an_exact_refresh_is_offered_before_anything_else() -> None:
    fight = given(
        *duel_orders(), Move("modre", points=5), EndTurn("modre"), rules={"ready_refresh_amount": "exact_maximum"}
    )
    fight.after(*(order for order in (BeginTurn("clone"), EndTurn("clone"), BeginTurn("modre"))))
    own_templates = [template for template in templates(fight) if template.combatant == "modre"]
    assert [template.do for template in own_templates] == ["ready", "drop-item", "contest"]
    assert admits(own_templates[0], Ready("modre", defense=3))
    assert not admits(own_templates[0], Ready("modre", defense=2))


def test_ready_is_offered_up_to_the_free_points_and_the_limit_per_round() -> None:
    """MAM-PHASE-02: at most the free points of each pool, and at most the hit points per round in sum."""
    for defense, other, carried in ((1, 5, 0), (5, 1, 0), (2, 4, 3), (3, 3, 0)):
        joins = with_pools(replace(MODRE, item=(Item("pack", encumbrance=carried),)), defense=defense, other_used=other)
        fight = given(*duel_orders(joins))
        (allowed_templates,) = (template for template in templates(fight) if template.do == "ready")
        highest = {field.name: field.high for field in allowed_templates.fields[1:]}
        assert highest == {"defense": min(3, defense), "other_used": min(3, other - carried)}
        for order in (Ready("modre", defense=min(3, defense)), Ready("modre", 0, min(3, other - carried))):
            assert fight.when(order).error is None


def kinds(hint: Any) -> set[Any]:
    """Return the plain types in the type of a field."""
    return set().union(*map(kinds, get_args(hint))) if get_args(hint) else {hint}


def test_fields_that_are_neither_free_nor_choices_are_numbers() -> None:
    """Check the offers in each fight that shows what a reading changes."""
    results = set()
    for (option, reading), fight in fights().items():
        scene = given(rules={**fight.rules, option: reading}, drawn=cycle((2, 5)), preset=fight.preset)
        for order in fight.orders:
            if isinstance(order, Event) or scene.when(order).error is None:
                scene.after(order)
        for template in (offer.template for offer, _ in offers(scene)):
            results |= {(template.do, one.name) for one in template.fields if one.choices is None and not one.free}
    assert results
    for do, name in results:
        assert int in kinds(get_type_hints(COMMANDS[do])[name]), (do, name)


def work(fight: GivenFight) -> int:
    """Count the function calls that it takes to list the legal orders of a fight."""
    state, ruleset = fight.state, fight.ruleset
    return calls(lambda: list(legal_commands(state, ruleset)))


ORDERS: dict[str, tuple[Command, ...]] = {
    "before": (),
    "between": (Initiative(first="fighter-0", reason="so be it"),),
    "in turn": (Initiative(first="fighter-0", reason="so be it"), BeginTurn("fighter-0")),
}


@pytest.mark.parametrize("preset", ["mam_pools", "mam_speed"])
@pytest.mark.parametrize("orders", ORDERS.values(), ids=ORDERS.keys())
def test_listing_legal_orders_takes_linear_work(preset: str, orders: tuple[Command, ...]) -> None:
    """An order that only the acting combatant may give is not tried for all pairs."""
    some, twice = (
        work(
            given(
                *(replace(MODRE, combatant=f"fighter-{n}", name=f"Fighter {n}", seat=n) for n in range(size)),
                *orders,
                preset=preset,
            )
        )
        for size in (20, 40)
    )
    assert twice < 2.4 * some


def test_the_targets_of_stalking_are_choices_of_one_template() -> None:
    rivals = [
        replace(CLONE, combatant=name, name=name, seat=seat, side="foes")
        for seat, name in enumerate(("clone", "second"), 1)
    ]
    fight = given(MODRE, *rivals, preset="mam_speed")
    stalking = [template for template in templates(fight) if template.do == "stalk"]
    assert [(t.combatant, t.fields[1].choices) for t in stalking] == [
        ("modre", ("clone", "second")),
        ("clone", ("modre",)),
        ("second", ("modre",)),
    ]
    fight.after(Stalk("modre", "clone", die=3))
    assert [t.fields[1].choices for t in templates(fight) if (t.do, t.combatant) == ("stalk", "modre")] == [("second",)]
    fight.after(Stalk("modre", "second", die=3))
    blocked = [b for b in legal_commands(fight.state, fight.ruleset) if isinstance(b, Blocked)]
    assert [b.code for b in blocked if (b.do, b.combatant) == ("stalk", "modre")] == ["already_rolled"]
