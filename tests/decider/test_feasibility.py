"""A declared action goes on after a counterattack exactly if it could be declared now (MAM-CTR-03)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import assume, settings
from hypothesis import given as all_of
from hypothesis import strategies as st
from msgspec.structs import replace

from mam_events.commands import Command, Initiative, Resolve
from mam_events.decider.checks import is_allowed
from mam_events.decider.offers import Template
from mam_events.errors import Refused
from mam_events.events import DeclaredActionChanged
from mam_events.rules.exchanges.feasibility import is_changeable, require_going_on
from mam_events.state import Encounter
from tests.decider.test_legal_orders import fights, templates
from tests.effort import FUZZ
from tests.play import from_template
from tests.spec import GivenFight

ORDERS = 40
HEALTHY = st.tuples(st.integers(4, 9), *[st.just(0)] * 4)
"""Points in each pool."""
PREPARED = {"counterattack_mode": "prepared_turn", "initiative_method": "longest_reach"}
EAGER = {
    "prepare-counterattack": 12,
    "resolve": 10,
    "begin-turn": 8,
    **dict.fromkeys(("attack", "manipulate", "stay-mounted"), 6),
    **dict.fromkeys(("restrain-mount", "begin-heave", "declare-combo"), 3),
    **dict.fromkeys(("act", "aim", "drop", "drop-item"), 2),
}
"""The weight of each order; every other has 1."""
BEFORE = EAGER | {"attack": 20, "manipulate": 20, "drop": 1, "drop-item": 1}
"""The same for combatants who interrupt others."""
LUCK = 0.8
"""How often an interrupting combatant has the best dice, which change the state most."""
NEVER = (
    "open",
    "join",
    "close",
    "adjust",
    "change-rules",
    "initiative",
    "heal",
    "check",
    "contest",
    "stalk",
    "skip-turn",
)
"""Orders that never lead to an interruption of a declared action."""


class Declared(NamedTuple):
    """The order that began an exchange, and the state that it found."""

    order: Command
    before: Encounter


def order(fight: GivenFight, rng: Random) -> Command | None:
    """Return a legal order, or None if only an adjustment by the game master is left."""
    allowed_templates = [template for template in templates(fight) if template.do not in NEVER]
    names = sorted({template.do for template in allowed_templates})
    before = fight.state.turn is not None and fight.state.turn.counter
    eager = BEFORE if before else EAGER
    while names:
        name = rng.choices(names, [eager.get(name, 1) for name in names])[0]
        template = rng.choice([template for template in allowed_templates if template.do == name])
        command = from_template(template, rng)
        if isinstance(command, Resolve) and before and rng.random() < LUCK:
            command = with_best_dice(command, template)
        if is_allowed(fight.ruleset.edition.mechanics[type(command)].check, fight.state, fight.ruleset, command):
            return command
        names.remove(name)
    return None


def with_best_dice(command: Resolve, template: Template) -> Resolve:
    """Return the command with the best dice for the attacker."""
    best = {field.name: field.high if field.name == "attack_die" else field.low for field in template.fields}
    return replace(command, **{name: face for name, face in best.items() if name in ("attack_die", "defense_die")})


def refusal_if_declared_now(fight: GivenFight, declaration: Declared) -> str:
    """Return the error if the declared order were given now, or "" if it would pass."""
    exchange = fight.state.exchange
    assert exchange is not None
    name = exchange.root.actor
    state = DeclaredActionChanged(exchange.id, name).apply(fight.state)
    combatant = state.combatants[name]
    # The cost is already paid, and a passed counterattack is not offered again: undo both.
    points = declaration.before.combatants[name].pools.ready
    pools = replace(combatant.pools, ready=combatant.pools.ready + points)
    turn = replace(state.turn, passed=()) if state.turn else None
    state = replace(state, turn=turn, combatants={**state.combatants, name: replace(combatant, pools=pools)})
    check = fight.ruleset.edition.mechanics[type(declaration.order)].check
    return refusal(partial(check, state, fight.ruleset, declaration.order))


def refusal(question: Callable[[], object]) -> str:
    """Return the sentence of the error, or "" if there is none."""
    try:
        question()
    except Refused as error:
        return error.sentence
    return ""


@pytest.mark.slow
@settings(derandomize=not FUZZ)
@all_of(fights(HEALTHY, PREPARED), st.integers(0, 2**32))
def test_a_declared_action_goes_on_exactly_if_it_could_be_declared_now(fight: GivenFight, seed: int) -> None:
    rng, declarations, checks = Random(seed), dict[int, Declared](), 0
    fight.after(Initiative(first="bob", reason="bob is ready"))
    for _ in range(ORDERS):
        command = order(fight, rng) if fight.state.in_fight else None
        if command is None:
            break
        if command.begins_exchange:
            declarations[fight.ruling + 1] = Declared(command, fight.state)
        fight.after(command)
        exchange, turn = fight.state.exchange, fight.state.turn
        if exchange and turn and is_changeable(fight.state, exchange) and not turn.counter:
            checks += 1
            now = partial(require_going_on, fight.state, fight.ruleset, exchange.id)
            goes_on, new_refusal = refusal(now), refusal_if_declared_now(fight, declarations[exchange.id])
            assert bool(goes_on) == bool(new_refusal), (goes_on, new_refusal)
    # A fight without an interruption proves nothing, so another one is played.
    assume(checks)
