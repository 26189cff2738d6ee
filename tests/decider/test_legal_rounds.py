"""Invariants of every round of Ron d6."""

from __future__ import annotations

from itertools import cycle
from random import Random

from hypothesis import given as all_of
from hypothesis import strategies as st

from mam_events.commands import Command, Declare, Interrupt, Perform, RollInitiative, Round
from mam_events.rules.rulebook import rulebook
from tests.decider.test_legal_orders import draw_any_order, offers
from tests.play import PATROL, random_command
from tests.spec import GivenFight, given

STEPS = 25
EVERYBODY = tuple(join.combatant for join in PATROL)


@st.composite
def random_fights(draw: st.DrawFn) -> tuple[GivenFight, st.DataObject]:
    """Draw a fight of four, some way into it, under random house rules."""
    book = rulebook()
    options = draw(st.lists(st.sampled_from(sorted(book.defaults("ron_d6"))), max_size=4, unique=True))
    rules = {name: draw(st.sampled_from(sorted(book.options[name].readings))) for name in options}
    fight = given(*PATROL, rules=rules, drawn=cycle((5, 2, 6, 4, 1, 3)), preset="ron_d6")
    fight.after(Round(), RollInitiative(EVERYBODY))
    random = Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, STEPS))):
        command = random_command(fight.state, fight.ruleset, random)
        if command is not None:
            fight.after(command)
    return fight, draw(st.data())


@all_of(random_fights())
def test_actions_never_exceed_the_declared_and_only_waiters_interrupt(
    fight_and_data: tuple[GivenFight, st.DataObject],
) -> None:
    fight, _ = fight_and_data
    for combatant in fight.state.combatants.values():
        assert combatant.actions.used <= combatant.actions.declared
        for order in (Perform(combatant.id, "communicate"), *interrupts(fight, combatant.id)):
            if fight.when(order).error is None:
                assert combatant.actions.left
                window = fight.state.window
                assert combatant.actions.waiting or combatant.id in (window.floor, *window.early, turn(fight))
        if fight.when(Declare(combatant.id)).error is None:
            assert combatant.id not in (*fight.state.had_turn, turn(fight))


@all_of(random_fights())
def test_every_refusal_names_a_rule_of_ron_d6(fight_and_data: tuple[GivenFight, st.DataObject]) -> None:
    fight, data = fight_and_data
    orders = [draw_any_order(data, fight.state) for _ in range(3)] + [offer.least for offer, _ in offers(fight)]
    for result in map(fight.when, orders):
        if result.error is not None:
            assert not result.error.rule.startswith("MAM-"), (result.error.code, result.error.sentence)


def turn(fight: GivenFight) -> str:
    """Return the combatant whose turn it is, or ""."""
    return fight.state.turn.combatant if fight.state.turn else ""


def interrupts(fight: GivenFight, name: str) -> list[Command]:
    """Return an interruption of each open action by that combatant."""
    return [Interrupt(name, "communicate", against=action.id) for action in fight.state.window.open]
