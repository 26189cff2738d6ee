"""`legal_commands` offers exactly what `decide` accepts; invariants of every fight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import cycle
from types import MappingProxyType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import assume
from hypothesis import given as all_of
from hypothesis import strategies as st
from msgspec.structs import replace

from mam_events import events as e
from mam_events.commands import (
    COMMANDS,
    ActionOrder,
    Adjust,
    Attack,
    Attempt,
    Body,
    Check,
    Close,
    Command,
    Counterattack,
    DeclareCombo,
    FreeRoll,
    Heal,
    Hold,
    Initiative,
    Interfere,
    Interrupt,
    Join,
    Open,
    Perform,
    PoolMove,
    Quality,
    Resolve,
    Roll,
    RollInitiative,
    RollRelated,
    TieKind,
)
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Field, Offer, Template
from mam_events.errors import Refused
from mam_events.rules.initiative.by_roll import has_rolled
from mam_events.rules.rulebook import rulebook
from mam_events.state import POOLS, ArmorPiece, Encounter, FollowUp, Item, Pool, Weapon
from mam_events.values import LIGHTS, MODES, DieKind
from tests.spec import GivenFight, admits, given

STEPS = 16
LIKELY = {
    "check": 1,
    "contest": 1,
    "heal": 1,
    "drop-item": 1,
    "release": 1,
    "act": 1,
    "end-turn": 1,
    "resolve": 1,
    "attack": 6,
    "counterattack": 6,
}
KIT: dict[str, Any] = {
    "weapon": (
        Weapon("club", power=2, encumbrance=1),
        Weapon("knife", power=1, readied=False, reach=Decimal(1)),
        Weapon("bow", kind="bow", range=Decimal(40), power=2),
        Weapon("javelin", kind="thrown", power=2, heft=1),
        Weapon("crossbow", kind="crossbow", range=Decimal(40), power=3, reload=1),
    ),
    "item": (Item("pack", encumbrance=1), Item("boulder", heft=1, unwieldy=True, power=4)),
    "armor": (ArmorPiece("coat", cover=3, absorption=1), ArmorPiece("shirt", cover=2, under="coat")),
    "power": 3,
    "size": 2,
    "movement": Decimal(6),
    "hand_reach": Decimal(1),
    "ability": {"riding": 2, "animal_handling": 1, "driving": 1, "agility": 1, "throwing": 1},
}
FREE_FIELDS: dict[str, dict[str, Any]] = {
    "act": {"what": "something"},
    "initiative": {"reason": "so be it"},
    "modify": {"what": "smoke", "modifier": 1},
    "move": {"metres": Decimal(0)},
}
"""Values of fields that may be anything."""
ROUND_ROLLS = (Perform, Interrupt, Roll, RollRelated)
NEARLY: dict[str, dict[str, Any]] = {
    "roll-related": {"skill": "stealth", "difficulty": 9, "primary": "dodge", "code": "4D"}
}
OWN_TURN = (
    e.ReadyPoolRefreshed,
    e.AttackDeclared,
    e.ActionDeclared,
    e.CombatantMoved,
    e.WeaponReadied,
    e.EquipmentPickedUp,
    e.StunRecovered,
    e.TurnEnded,
)
OWN_TURN_PURPOSES = ("attack", "action", "move", "equipment")


ANY_POOLS = st.tuples(*[st.integers(0, 3)] * 5).filter(any)


@st.composite
def fights(
    draw: st.DrawFn,
    /,
    points: st.SearchStrategy[tuple[int, ...]] = ANY_POOLS,
    always: Mapping[str, str] = MappingProxyType({}),
) -> GivenFight:
    """Draw a fight of two or three fighters with random pools and equipment, under random house rules.

    The house rules in `always` hold in every fight.
    """
    with_points = [preset for preset in rulebook().presets if preset != "ron_d6"]
    preset = draw(st.sampled_from(["mam_pools", *with_points]))
    defaults = dict(rulebook().defaults(preset))
    options = draw(st.lists(st.sampled_from(sorted(defaults)), max_size=4, unique=True))
    rules = {name: draw(st.sampled_from(sorted(rulebook().options[name].readings))) for name in options}
    rules |= always
    assume(not any(exclusion.holds(defaults | rules) for exclusion in rulebook().exclusions))
    faces = draw(st.permutations(range(1, 7)))
    joins = [
        Join(
            name,
            hp=sum(pools),
            pools=dict(zip(POOLS, pools, strict=True)),
            code={"perception": "2D"},
            **(KIT if draw(st.booleans()) else {}),
        )
        for name in draw(st.sampled_from([("ann", "bob"), ("ann", "bob", "cid")]))
        if (pools := draw(points))
    ]
    ridden: Any = draw(st.sampled_from(["", "trained", "untrained", "vehicle"]))
    if ridden:
        steed = {"perception": "1D"}
        joins.insert(0, Join("steed", hp=4, code=steed, training=ridden, body=Body(power=2), movement=Decimal(9)))
        joins[1] = replace(joins[1], mount=draw(st.sampled_from(["", "steed"])))
    return given(*joins, rules=rules, drawn=cycle(faces), preset=preset)


def offers(fight: GivenFight) -> Iterator[tuple[Offer, bool]]:
    """Yield every offer, and True if its least command passes its check: those become templates."""
    for mechanic in fight.ruleset.edition.mechanics.values():
        for offer in mechanic.offers(fight.state, fight.ruleset):
            try:
                mechanic.check(fight.state, fight.ruleset, offer.least)
            except Refused:
                yield offer, False
            else:
                yield offer, True


def templates(fight: GivenFight) -> list[Template]:
    """Return the templates of the orders that are legal now."""
    return [offer for offer in legal_commands(fight.state, fight.ruleset) if isinstance(offer, Template)]


def draw_command(data: st.DataObject, template: Template) -> Command:
    """Draw a command that fits the template and its sums.

    Free fields keep their defaults unless they are needed.
    """
    fields = {field.name: data.draw(values_of(field), label=field.name) for field in template.fields if not field.free}
    fields |= {field.name: "so be it" for field in template.fields if field.needed}
    for total in template.sums:
        first, second = total.names
        wanted = data.draw(st.integers(total.low, total.high), label="sum")
        tops = {field.name: field.high for field in template.fields}
        fields[first] = data.draw(st.integers(max(0, wanted - (tops[second] or 0)), min(wanted, tops[first] or 0)))
        fields[second] = wanted - fields[first]
    fields |= FREE_FIELDS.get(template.do, {})
    return COMMANDS[template.do](**fields)


def values_of(field: Field) -> st.SearchStrategy[Any]:
    """Return a strategy for the values that the field admits."""
    if field.choices is not None and field.keys is not None:
        return st.dictionaries(st.sampled_from(field.keys), st.sampled_from(field.choices))
    if field.choices is not None:
        return st.sampled_from(field.choices)
    return st.integers(-3 if field.low is None else field.low, 3 if field.high is None else field.high)


def draw_adjustment(data: st.DataObject, state: Encounter) -> Adjust:
    """Draw an adjustment by the game master: some points moved, a hold or a condition."""
    name = data.draw(st.sampled_from(sorted(state.combatants)))
    pools = state.combatants[name].pools
    source, target = data.draw(st.permutations(get_args(Pool)))[:2]
    points = getattr(pools, source)
    moves = (PoolMove(name, source, target, data.draw(st.integers(1, points))),) if points else ()
    other = next(held for held in state.combatants if held != name)
    holds = data.draw(
        st.sampled_from([(), (Hold(name, "grip", 1, 1),), (Hold(name, "choke", 1, 1, other, "choke", 1),)])
    )
    conditions: dict[str, Any] = data.draw(st.sampled_from([{}, {}, {name: "able"}, {name: "out"}]))
    return Adjust("so be it", move=moves, hold=holds, condition=conditions)


def draw_any_order(data: st.DataObject, state: Encounter) -> Command:
    """Draw any order, legal or not, that names things in the fight or others."""
    kind = data.draw(st.sampled_from([kind for kind in COMMANDS.values() if kind not in (Open, Adjust, Close, Join)]))
    exchange = state.exchange
    numbers = [1, *(action.id for action in exchange.actions)] if exchange else [1]
    open_actions = [action.id for action in state.window.open]
    numbers += open_actions
    names = st.sampled_from([*state.combatants, "nobody"])
    faces = st.none() | st.integers(1, 7)
    dice = st.dictionaries(st.sampled_from([str(number) for number in numbers]), st.integers(1, 6), max_size=2)
    known: dict[str, st.SearchStrategy[Any]] = {
        "weapon": st.sampled_from(["body", "club", "knife", "" if kind is Interfere else "axe"]),
        "house_rules": st.sampled_from([{}, {"half_success": "never"}, {"half_success": "nevr"}]),
        "item": st.sampled_from(["club", "knife", "pack", "axe"]),
        "grapple": st.sampled_from(["grip", "choke"]),
        "what": st.just("something") if kind is not Roll else st.sampled_from(get_args(FreeRoll)),
        "reason": st.sampled_from(["", "so be it"]),
        "metres": st.none() | st.sampled_from([Decimal(1), Decimal("0.5"), Decimal(9)]),
        "exchange": st.sampled_from(numbers),
        "action": st.sampled_from(("dodge", "ready", "tackle") if issubclass(kind, ActionOrder) else numbers),
        "bonus": st.integers(-2, 2),
        "attack_die": faces,
        "defense_die": faces,
        "interference_die": dice,
        "surprise": st.lists(names, max_size=2, unique=True).map(tuple),
        "first": st.just("") | names,
        "tie_die": st.just({}) | st.dictionaries(names, st.integers(1, 6), max_size=3),
        "difficulty": st.sampled_from([12] if kind in ROUND_ROLLS else [None, 12, "hard", "very hard"]),
        "against": st.none() | st.integers(-3, 3) if kind is Check else st.sampled_from([0, 1, *open_actions]),
        "circumstance": st.just("") | names
        if kind is Initiative
        else st.sampled_from([(), ("hostile",), ("favourable", "unfavourable")]),
        "attempt": st.sampled_from(get_args(Attempt)),
        "situation": st.sampled_from([(), ("+1 higher ground",), ("nobody -1 smoke", "+2 outreached")]),
        "tie": st.sampled_from(get_args(TieKind)),
        "kind": st.sampled_from(get_args(DieKind)) if kind is not Heal else st.sampled_from((None, *get_args(DieKind))),
        "quality": st.sampled_from(get_args(Quality)),
        "opposition": st.lists(st.integers(0, 6), max_size=2).map(tuple),
        **dict.fromkeys(("die", "opponent_die", "opponent_confirmation_die"), faces),
        **dict.fromkeys(("opposing_die", "opposing_confirmation_die"), faces),
        "mode": st.sampled_from(MODES),
        "thrown": st.sampled_from(["", "quick", "powerful", "heave"] if kind is Attack else ["", "quick", "powerful"]),
        "light": st.sampled_from(LIGHTS),
        "distance": st.none() | st.sampled_from([Decimal(1), Decimal(9)]),
        "darkness": st.none() | st.integers(0, 4),
        **dict.fromkeys(("double_power", "blind", "from_above", "straight"), st.booleans()),
        "follow_up": st.sampled_from(get_args(FollowUp)[:-1]),
        "surface": st.sampled_from(["", "a wall"]),
        "surface_sharpness": st.none() | st.integers(-2, 2),
        "surface_class": st.sampled_from([None, "sharp"]),
        "holder": names,
        "evade": st.booleans(),
        "position": st.sampled_from(("clinch", "dominant_standing", "ground_fighting")),
        "partner": names,
        "opponent": names,
        "code": st.sampled_from([None, "4D", "1D+2"]),
        "dice": st.just({} if kind is RollInitiative else ()),
        "combatant": names,
        "attacker": names,
        "target": st.lists(names, max_size=2).map(tuple)
        if kind is DeclareCombo
        else st.just("") | names
        if kind is Counterattack
        else names,
        "after": names,
        "posture": st.sampled_from(["evading", "ready_to_counter"]),
        "same_seat": st.just(()) | st.lists(names, max_size=2).map(tuple),
        "straight": st.booleans(),
        "double_power": st.booleans(),
        "blind": st.booleans(),
        "from_above": st.booleans(),
        "armor_die": st.just({}),
        "confirmation_die": st.just({}) if kind is Resolve else faces,
    }
    hints = get_type_hints(kind, include_extras=True)
    fields = [name for name in kind.__struct_fields__ if name != "visibility"]
    return kind(**{name: data.draw(known.get(name, values_of_type(hints[name], names)), label=name) for name in fields})


def values_of_type(hint: Any, names: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    """Return a strategy for small values of a field's type."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        least = next((meta.ge for meta in inner[1:] if getattr(meta, "ge", None) is not None), 0)
        bounded = {str: names, int: st.integers(least, least + 5)}
        return bounded[inner[0]] if inner[0] in bounded else values_of_type(inner[0], names)
    if origin is Literal:
        return st.sampled_from(inner)
    if origin in (Union, UnionType):
        return st.one_of(*(values_of_type(one, names) for one in inner))
    if origin is tuple:
        return st.lists(values_of_type(inner[0], names), max_size=2).map(tuple)
    if origin is dict:
        return st.just({})
    plain: dict[Any, st.SearchStrategy[Any]] = {
        bool: st.booleans(),
        int: st.integers(0, 5),
        str: names,
        Decimal: st.sampled_from([Decimal(1), Decimal("0.5"), Decimal(9)]),
        type(None): st.none(),
    }
    return plain[hint]


def draw_near_order(data: st.DataObject, fight: GivenFight) -> Command:
    """Draw an order that fits an offered template or almost does, legal or not."""
    template = draw_template(data, [offer.template for offer, _ in offers(fight)])
    fields: dict[str, Any] = {"what": "something"} if template.do == "act" else {}
    for field in template.fields:
        if field.keys is not None:
            keys, faces = st.sampled_from((*field.keys, "99")), st.sampled_from((*(field.choices or ()), 7))
            fields[field.name] = data.draw(st.dictionaries(keys, faces), label=field.name)
        elif field.choices is not None:
            fields[field.name] = data.draw(st.sampled_from(field.choices or ("nobody",)), label=field.name)
        elif field.needed:
            fields[field.name] = "so be it"
        elif not field.free:
            top = 3 if field.high is None else field.high
            fields[field.name] = data.draw(st.integers(0, max(0, top) + 1), label=field.name)
    if template.do == "roll-initiative":
        fields["combatants"] = tuple(data.draw(st.lists(st.sampled_from(sorted(fight.state.combatants)), max_size=3)))
    fields |= NEARLY.get(template.do, {})
    if template.do in ("initiative", "modify"):
        fields |= FREE_FIELDS[template.do]
    return COMMANDS[template.do](**fields)


def draw_step(data: st.DataObject, fight: GivenFight) -> Command:
    """Draw one more legal order: mostly from a template, sometimes an adjustment by the game master."""
    if not fight.state.order and fight.ruleset["initiative_method"] == "ron_d6":
        present = tuple(name for name, combatant in fight.state.combatants.items() if not combatant.is_gone)
        return RollInitiative(present) if present else draw_adjustment(data, fight.state)
    if not fight.state.order:
        return Initiative(first="bob", reason="bob is ready")
    if data.draw(st.integers(0, 9), label="word") == 0 or not fight.state.in_fight:
        return draw_adjustment(data, fight.state)
    template = draw_template(data, templates(fight))
    if template.do == "roll-initiative":
        everybody = fight.state.combatants.items()
        rolling = (
            n for n, combatant in everybody if not combatant.is_gone and not has_rolled(fight.state, fight.ruleset, n)
        )
        return RollInitiative(tuple(rolling))
    return draw_command(data, template)


def draw_template(data: st.DataObject, among: list[Template]) -> Template:
    """Draw a template that players use in a fight, more often the more its command moves the fight on."""
    names = sorted({template.do for template in among} - {"open", "join", "close", "adjust", "change-rules"})
    weighed = [name for name in names for _ in range(LIKELY.get(name, 3))]
    name = data.draw(st.sampled_from(weighed), label="command")
    return data.draw(st.sampled_from([template for template in among if template.do == name]), label="template")


def begin_fight(data: st.DataObject, fight: GivenFight) -> GivenFight:
    """Give some legal orders and return the fight."""
    for _ in range(data.draw(st.integers(0, STEPS), label="steps")):
        fight.after(draw_step(data, fight))
    return fight


def assert_accepted_orders_are_offered(fight: GivenFight, data: st.DataObject) -> None:
    """Check that orders of all kinds are refused or fit a template."""
    for _ in range(6):
        for order in (draw_any_order(data, fight.state), draw_near_order(data, fight)):
            if fight.when(order).error is None:
                assert any(admits(template, order) for template in templates(fight)), order


def assert_offered_orders_are_accepted(fight: GivenFight) -> None:
    """Check that the least command of every template fits the template and is accepted."""
    legal_offers = [offer for offer, stands in offers(fight) if stands]
    assert [offer.template for offer in legal_offers] == templates(fight)
    for offer in legal_offers:
        assert admits(offer.template, offer.least), offer
        fight.when(offer.least).all()


@all_of(fights(), st.data())
def test_every_accepted_order_fits_a_template(fight: GivenFight, data: st.DataObject) -> None:
    assert_accepted_orders_are_offered(begin_fight(data, fight), data)


@all_of(fights(), st.data())
def test_the_least_command_of_every_template_fits_it_and_is_accepted(fight: GivenFight, data: st.DataObject) -> None:
    assert_offered_orders_are_accepted(begin_fight(data, fight))


@all_of(fights(), st.data())
def test_points_are_conserved_and_nobody_acts_out_of_turn(fight: GivenFight, data: st.DataObject) -> None:
    totals = {name: fighter.hp for name, fighter in fight.state.combatants.items()}
    for _ in range(STEPS):
        order = draw_step(data, fight)
        for state, event in with_state_before(fight.state, fight.when(order).events):
            for fighter in event.apply(state).combatants.values():
                assert fighter.pools.total == totals[fighter.id], event
                assert all(getattr(fighter.pools, pool) >= 0 for pool in POOLS), event
            if isinstance(event, OWN_TURN) or getattr(event, "purpose", "") in OWN_TURN_PURPOSES:
                assert state.turn is not None, event
                assert state.turn.combatant == getattr(event, "attacker", getattr(event, "combatant", None)), event
        fight.after(order)


def with_state_before(state: Encounter, events: tuple[e.Event, ...]) -> Iterator[tuple[Encounter, e.Event]]:
    """Yield each event with the state before it."""
    for event in events:
        yield state, event
        state = event.apply(state)
