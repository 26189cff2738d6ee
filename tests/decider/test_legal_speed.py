"""Offers in rounds with speed and of Ron d6 are exactly what is accepted."""

from __future__ import annotations

from decimal import Decimal
from itertools import cycle

import pytest
from hypothesis import given as all_of
from hypothesis import strategies as st
from msgspec.structs import replace

from mam_events.commands import BeginTurn, DeclareCombo, Initiative, Manipulate, Move
from tests.decider.test_legal_orders import (
    assert_accepted_orders_are_offered,
    assert_offered_orders_are_accepted,
    draw_command,
    draw_template,
    offers,
    templates,
)
from tests.decider.test_legal_rounds import random_fights as random_ron_d6_fights
from tests.rules.fights.speed import ALVA, BIRK, CORA
from tests.spec import GivenFight, given

STEPS = 14
HOUSE_RULES = {
    "nested_counterattacks": ("allowed", "forbidden"),
    "counterattack_target": ("any_target", "attacker_only"),
    "counterattack_mode": ("prepared_turn", "reactive_hit_points"),
    "speed_skip_basis": ("after_acting", "fixed_pattern"),
    "delay_persistence": ("permanent_reorder", "this_round_only"),
    "stun_recovery_for_counterattack": ("at_preparation", "after_counter"),
}
FIGHTERS = (replace(ALVA, combatant="ann"), replace(BIRK, speed=Decimal("0.5")), CORA)


@st.composite
def random_fights(draw: st.DrawFn) -> tuple[GivenFight, st.DataObject]:
    """Draw a fight of three, some way into it, under random house rules."""
    rules = {option: draw(st.sampled_from(readings)) for option, readings in HOUSE_RULES.items()}
    preset = draw(st.sampled_from(["mam_speed", "mam_d20"]))
    fight = given(*FIGHTERS, Initiative(circumstance="ann"), rules=rules, drawn=cycle((5, 2, 6, 4)), preset=preset)
    fight.after(BeginTurn("ann"))
    data = draw(st.data())
    for _ in range(draw(st.integers(0, STEPS))):
        if fight.state.in_fight:
            order = draw_command(data, draw_template(data, templates(fight)))
            # The distance of a move is free in a template, but limited in a turn.
            order = replace(order, metres=Decimal(2)) if isinstance(order, Move) else order
            if not (isinstance(order, Move) and fight.when(order).error):
                fight.after(order)
    return fight, data


Fights = st.SearchStrategy[tuple[GivenFight, st.DataObject]]
either = pytest.mark.parametrize(
    "fights", [pytest.param(random_fights(), marks=pytest.mark.slow), random_ron_d6_fights()], ids=["speed", "ron_d6"]
)


def test_a_combo_allows_a_hold_but_no_other_manipulation() -> None:
    rules = {"quick_action_list": "extended"}
    fight = given(*FIGHTERS, Initiative(circumstance="ann"), BeginTurn("ann"), rules=rules, preset="mam_speed")
    fight.after(DeclareCombo("ann", 2))
    stand = [offer.least for offer, stands in offers(fight) if stands]
    assert {least.follow_up for least in stand if isinstance(least, Manipulate)} == {"hold"}
    fight.when(Manipulate("ann", "birk", follow_up="hold")).all()


@either
@all_of(data=st.data())
def test_the_least_command_of_every_template_fits_it_and_is_accepted(fights: Fights, data: st.DataObject) -> None:
    assert_offered_orders_are_accepted(data.draw(fights)[0])


@either
@all_of(data=st.data())
def test_every_accepted_order_fits_a_template(fights: Fights, data: st.DataObject) -> None:
    assert_accepted_orders_are_offered(*data.draw(fights))
