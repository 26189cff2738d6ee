"""The long form: every order can be read back from its long line."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import fields, replace

from mam_events.commands import COMMANDS, Close, Command, Open, read_command
from mam_events.errors import BadInput
from mam_events.field_specs import FieldSpec, field_specs
from mam_events.history.timeline.rulings import living_plays
from mam_events.notation.grammar.long_form import is_long, long_form, read_long
from mam_events.notation.grammar.positional_fields import slots_of
from mam_events.notation.lexer.lexer import orders_in
from mam_events.notation.orders.open_references import resolve_open_references
from mam_events.sanitize import clean_text
from mam_events.state import EMPTY_ENCOUNTER, Action, Encounter, Exchange
from tests.fights.corpus import SEEDS, Corpus


def without_log_fields(command: Command) -> Command:
    """Return the command without the fields that only the log fills in."""
    if isinstance(command, Open):
        return replace(command, commitment="")
    return replace(command, seed="") if isinstance(command, Close) else command


def read_line(line: str, state: Encounter = EMPTY_ENCOUNTER) -> Command:
    (written_order,) = orders_in(line)
    order = read_long(written_order)
    assert is_long(order), line
    return resolve_open_references(order.command, order.left_out, state)


@given(SEEDS)
def test_every_order_of_a_fight_can_be_read_from_its_long_form(corpus: Corpus, seed: int) -> None:
    log, encounter = corpus(seed)
    for play in living_plays(log.timeline(encounter)):
        assert play.command is not None
        line = long_form(play.command, play.before.open_exchange)
        assert read_line(line, play.before) == without_log_fields(play.command), line


TEXTS = st.one_of(
    st.sampled_from(
        ["-", "15", "", "a b", 'so "be" it', "back\\", "a; b", "{x}", "end.", "=", "über", "[3]", "(", "2.5"]
    ),
    st.text(
        st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cf", "Zl", "Zp", "Mn", "Mc", "Me"]), max_size=12
    ).map(clean_text),
)


@given(TEXTS, TEXTS)
def test_any_text_in_an_order_can_be_read_from_its_long_form(first: str, second: str) -> None:
    for command in (
        {"do": "act", "combatant": "ann", "what": first, "situation": [f"+1 x{second}"]},
        {"do": "join", "combatant": "ann", "name": first, "word": second, "weapon": [{"id": "axe", "name": second}]},
        {"do": "adjust", "reason": second, "riding": {"ann": "-"}, "turn": "-"},
        {"do": "check", "combatant": "ann", "what": first, "difficulty": "15"},
    ):
        try:
            wanted_command = read_command(command)
        except BadInput:
            continue
        try:
            assert read_line(long_form(wanted_command)) == wanted_command
        except BadInput as error:
            assert "NFC" in str(error)  # noqa: PT017 - lines must be in NFC, which not every text is


SLOTS = """
    open preset; join combatant name side kind; attack target weapon; manipulate target weapon follow_up; act what
    points; defend points; parry weapon; counterattack weapon target; interfere weapon; tackle weapon follow_up;
    escape holder grapple; release grapple; maintain-grapple grapple; ready-weapon weapon; drop-item item;
    pick-up-item item; draw-bow weapon; load weapon; unload weapon; aim weapon; begin-heave thing; mount mount;
    take-position position partner; ram vehicle target collision; check what; contest opponent what; stalk target;
    take-posture posture; delay-turn after; declare-combo actions target; declare actions; perform action target
    skill; interrupt action target skill; move-up because; result outcome text; roll-related skill primary; roll
    what skill; spend point on; roll-initiative combatants; incapacitate combatant; recover combatant; adjust
    reason; modify combatant what until; close reason; begin-turn; change-action; change-rules; dismount; drop;
    end-turn; establish-surprise; evade; heal; initiative; instant-stand; lower-bow; move; pass;
    prepare-counterattack; ready; resolve; rest; restrain-mount; round; skip-turn; stand; stay-mounted; throw-die;
    wait
"""
"""The slots of every order of version 1, which must never change."""


@pytest.mark.parametrize("row", " ".join(SLOTS.split()).split("; "))
def test_the_slots_of_version_1_never_change(row: str) -> None:
    do, *slots = row.split()
    assert slots_of(do) == tuple(slots)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_slot_is_a_field_of_its_order(name: str) -> None:
    assert set(slots_of(name)) <= set(field_specs(COMMANDS[name]))


OPEN = replace(EMPTY_ENCOUNTER, exchange=Exchange(7, (Action(7, "attack", "ann"),)))
LINES: dict[str, dict[str, Any]] = {
    "modre: attack clone ice-blade power=4 modifier=2": {
        "do": "attack", "attacker": "modre", "target": "clone", "weapon": "ice-blade", "power": 4, "modifier": 2,
    },
    "clone: defend 6": {"do": "defend", "combatant": "clone", "exchange": 7, "points": 6},
    "clone: defend 6 exchange=#3": {"do": "defend", "combatant": "clone", "exchange": 3, "points": 6},
    "[15 4 #17=2+6 armor.grob=12]": {
        "do": "resolve", "exchange": 7, "attack_die": 15, "defense_die": 4, "interference_die": {"17": 2},
        "confirmation_die": {"17": 6}, "armor_die": {"grob": 12},
    },
    "resolve [- 4*]": {"do": "resolve", "exchange": 7, "defense_die": 4},
    "storm: move metres=12 straight": {"do": "move", "combatant": "storm", "metres": "12", "straight": True},
    'captain: perform use - melee difficulty=8 what="cuts the rope" [3 3]': {
        "do": "perform", "combatant": "captain", "action": "use", "skill": "melee", "difficulty": 8,
        "what": "cuts the rope", "dice": [3, 3],
    },
    "roll-initiative lio,vera [lio=3,5,2 vera=1,4 again.lio=4]": {
        "do": "roll-initiative", "combatants": ["lio", "vera"], "dice": {"lio": [3, 5, 2], "vera": [1, 4]},
        "again": {"lio": [4]},
    },
    'adjust "oil" move=(grob damage ready 3) answers=#53 outcome=(full stun=2)': {
        "do": "adjust", "reason": "oil", "answers": 53, "outcome": {"exchange": 7, "outcome": "full", "stun": 2},
        "move": [{"combatant": "grob", "source": "damage", "target": "ready", "points": 3}],
    },
    "grob: escape bram hold-15 seen=gm": {
        "do": "escape", "combatant": "grob", "holder": "bram", "grapple": "hold-15", "visibility": "gm",
    },
    "birch: spend character action exchange=#29 [6 4]": {
        "do": "spend", "combatant": "birch", "point": "character", "on": "action", "exchange": 29, "dice": [6, 4],
    },
    'change-rules house_rules=(half_success=never) reason="so"': {
        "do": "change-rules", "house_rules": {"half_success": "never"}, "reason": "so",
    },
    'ana: act "kick the {lamp}" - bonus=-2 {a remark}': {
        "do": "act", "combatant": "ana", "what": "kick the {lamp}", "bonus": -2,
    },
}  # fmt: skip
"""Long lines and their commands, which must never change."""


@pytest.mark.parametrize("line", LINES)
def test_a_long_line_keeps_its_meaning(line: str) -> None:
    assert read_line(line, OPEN) == read_command(LINES[line])


WRONG = {
    "attack clone": "Who does it?",
    "modre: resolve": "does that",
    "modre: attak clone": 'There is no order "attak". Did you mean "attack"',
    "modre: attack clone ice-blade powr=4": 'There is no "powr" here. Did you mean "power"',
    "modre: attack clone ice-blade 4": 'Say what "4" is. Type power=4, modifier=4',
    "modre: attack clone ice-blade power=4 power=4": "power is given twice",
    "modre: attack clone ice-blade power=": "after power=",
    "modre: attack clone ice-blade power= 4": "after power=",
    "modre: attack clone ice-blade [3]": "No dice are thrown here",
    "resolve [3 4 5]": '"5" is one die too many',
    "resolve [x]": '"x" is not the face',
    "resolve [foo=3]": 'There is no die "foo"',
    "ann: stand (": "A parenthesis is not closed",
    "ann: stand )": "There is one ) too many",
    "ann: stand [3": "brackets around the dice are not closed",
    "ann: stand {oh": "A remark must be closed",
    "roll-initiative lio [3]": 'Whose die is "3"?',
    "storm: move metres=12 straight=perhaps": "must be yes or no",
    'adjust "x" move=grob': "Put the value in parentheses",
    'adjust "x" riding=ana': "must be in",
}
"""Lines that are no orders, and their errors."""


@pytest.mark.parametrize("line", WRONG)
def test_an_invalid_long_line_is_refused_in_one_sentence(line: str) -> None:
    with pytest.raises(BadInput) as error:
        read_line(line, OPEN)
    assert WRONG[line] in str(error.value)


def example_value(shape: FieldSpec, n: int) -> Any:
    """Return a value of that kind other than the default."""
    if shape.choices:
        return [shape.choices[-1]] if shape.is_list else shape.choices[-1]
    if isinstance(shape.kind, type) and issubclass(shape.kind, Struct):
        return example_fields(shape.kind, n)
    if shape.is_table:
        key = {"n": "7", "combatant": "ann"}.get(
            shape.key.unit, shape.key.choices[0] if shape.key.choices else "attack"
        )
        return {key: example_value(shape.inner, n)}
    if shape.is_list:
        return [example_value(shape.inner, n), example_value(shape.inner, n)]
    if shape.is_number_or_word:
        return n
    plain: dict[Any, Any] = {bool: True, int: max(n, shape.least or 1), Decimal: f"{n}.25"}
    words = {"combatant": "bob", "code": "3D+1", "id": "hold-7" if "grapple" in shape.names else "axe"}
    text = "+2 so it is" if shape.names == ("situation",) else f"said {n}; {{so}}" if shape.words else "thing"
    return plain.get(shape.kind, words.get(shape.unit, text))


def example_fields(kind: type[Struct], n: int = 3) -> dict[str, Any]:
    """Return a value for every field of that kind."""
    known = {field.name: field.encode_name for field in fields(kind)}
    return {known[name]: example_value(shape, n) for name, shape in field_specs(kind).items()}


@pytest.mark.parametrize("name", COMMANDS)
def test_an_order_with_all_fields_can_be_read_from_its_long_form(name: str) -> None:
    data = example_fields(COMMANDS[name]) | {"do": name, "visibility": "gm"}
    command = read_command(data)
    line = long_form(command)
    assert read_line(line) == without_log_fields(command), line


@pytest.mark.parametrize("name", COMMANDS)
def test_an_order_with_required_fields_can_be_read_from_its_long_form(name: str) -> None:
    kind = COMMANDS[name]
    needed = {field.encode_name for field in fields(kind) if field.required}
    command = read_command({key: value for key, value in example_fields(kind).items() if key in needed} | {"do": name})
    line = long_form(command)
    assert read_line(line) == without_log_fields(command), line
