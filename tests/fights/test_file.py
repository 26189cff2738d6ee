from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mam_events.commands import Act, Adjust, Attack, DeclaredOutcome, Interfere, Join, Open, Resolve
from mam_events.errors import BadInput, MamError
from mam_events.fights import FightNote, load_fight, play, read_fight
from mam_events.log.combat_log import CombatLog
from mam_events.state import Action, Encounter, Exchange, Weapon

EXAMPLES = Path(__file__).parents[2] / "examples"
EXAMPLE = (EXAMPLES / "modre-and-the-clone.toml").read_text(encoding="utf-8")


def test_the_example_has_an_opening_two_combatants_and_the_rulings_up_to_21() -> None:
    fight = load_fight(EXAMPLES / "modre-and-the-clone.toml")
    assert fight.encounter == "modre-and-the-clone"
    assert fight.opening.what == Open(title="Modre and the Clone")
    blade = Weapon("ice-blade", "Ice Blade", power=3, attack=1, sharpness=-2, reach=Decimal(1))
    modre = fight.joins[0].what
    assert isinstance(modre, Join)
    assert (modre.combatant, modre.kind, modre.weapon) == ("modre", "pc", (blade,))
    assert len(fight.orders) == 21
    assert fight.orders[5].what == Attack("modre", "clone", "ice-blade", power=4, modifier=2)


def test_every_command_of_the_example_has_its_line_number() -> None:
    places = [order.place for order in read_fight(EXAMPLE, "x.toml").lines]
    numbered = {int(m[1]): n for n, line in enumerate(EXAMPLE.splitlines(), 1) if (m := re.search(r"# (\d+)$", line))}
    assert places == [f"x.toml:{numbered[ruling]}" for ruling in range(4, 22)]


def test_tables_and_inline_lists_are_equivalent() -> None:
    inline = 'combatants = [{ id = "a", hp = 3 }]\ncommands = [{ do = "initiative" }, { do = "note", text = "x" }]'
    tables = '[[combatants]]\nid = "a"\nhp = 3\n[[commands]]\ndo = "initiative"\n[[commands]]\ndo = "note"\ntext = "x"'
    one, other = read_fight(inline), read_fight(tables)
    assert [order.what for order in one.orders] == [order.what for order in other.orders]
    assert one.lines[1].what == FightNote("x")


def test_a_party_has_combatants_only() -> None:
    party = load_fight(EXAMPLES / "party.toml")
    assert (party.encounter, party.lines, len(party.joins)) == ("", (), 2)
    assert isinstance(wolf := party.joins[1].what, Join)
    assert (wolf.stride, wolf.athletic) == (Decimal("1.5"), (4, 2, 3))


WRONG = {
    "syntax": ("title = \n", 1, "This is not TOML: Invalid value (column 9)."),
    "a quotation that never ends": ('title = "a\n', 1, "the line ends inside a text, so a quotation mark is missing"),
    "a list that never ends": ("\n\ncommands = [\n{ do = 'note'", 4, "This is not TOML: Unclosed inline table"),
    "a key twice": ("title = 'a'\ntitle = 'b'\n", 2, "This is not TOML: Cannot overwrite a value"),
    "a top-level key": ("\ntitel = 'x'", 2, 'There is no "titel" here. Did you mean "title"?'),
    "an encounter that is no name": ("encounter = 'A b'", 1, "encounter must be a lower-case name"),
    "a preset that is no name": ("preset = 3", 1, "preset must be text, not a whole number."),
    "a house rule that is no text": (
        "[house_rules]\n\ncombat_die = 20",
        3,
        'combat_die must be "d6_face", "d20" or "d20_substitute", not 20.',
    ),
    "one table of commands": ("title='x'\n[commands]\ndo = 'initiative'", 2, "commands must be a list, not a table."),
    "no command at all": ("commands = [\n1,\n]", 2, "commands 1 must be a table, not a whole number."),
    "an unknown command": (
        "commands = [\n\n{ do = 'atack' },\n]",
        3,
        '"atack" is not an order. Did you mean "attack"?',
    ),
    "a missing command": ("commands = [{ points = 1 }]", 1, '"do" must name an order. Known:'),
    "a command that is a number": ("commands = [{ do = 1 }]", 1, '"do" must name an'),
    "an opening": ("commands = [{ do = 'open' }]", 1, "The file already opens the encounter, with"),
    "an unknown field": (
        "[[commands]]\ndo = 'move'\ncombatant = 'a'\npoint = 1",
        4,
        'There is no "point" here. Did you mean "points"?',
    ),
    "a missing field": ("\n[[commands]]\ndo = 'move'\npoints = 1", 2, '"combatant" is missing.'),
    "negative points": (
        "[[commands]]\ndo = 'move'\ncombatant = 'a'\npoints = -1",
        4,
        "a whole number of 0 or more, not -1.",
    ),
    "half a point": (
        "[[commands]]\ndo='move'\ncombatant='a'\npoints=1.5",
        4,
        "points must be a whole number, not a fraction.",
    ),
    "points in words": (
        "commands = [{do='move',combatant='a',points='two'}]",
        1,
        "points must be a whole number, not the text 'two'.",
    ),
    "points that are true": ("commands = [{do='move',combatant='a',points=true}]", 1, "not true or false."),
    "a date for a name": ("commands = [{do='begin-turn',combatant=1979-05-27}]", 1, "combatant must be text"),
    "a face no die has": (
        "commands = [\n{do='resolve',attack_die=-1}]",
        2,
        "attack_die must be a whole number of 0 or more",
    ),
    "control characters in a name": (
        'commands = [{do="begin-turn",combatant="a\\u0007"}]',
        1,
        "must be a lower-case name",
    ),
    "a field of a weapon": (
        "[[combatants]]\nid = 'a'\n[[combatants.weapon]]\nid = 'x'\npowr = 1",
        5,
        'weapon 1: There is no "powr" here. Did you mean "power"?',
    ),
    "a weapon on its own line": (
        "combatants = [{ id = 'a', weapon = [\n{ id = 'x' },\n{ id = 'y', power = 'z' },\n] }]",
        3,
        "weapon 2, power must be a whole number, not the text 'z'.",
    ),
    "a combatant without an id": ("[[combatants]]\nhp = 3", 1, '"id" is missing.'),
    "a combatant with a strange id": ("[[combatants]]\nhp = 3\nid = '!'", 3, "id must be a lower-case name"),
    "a combatant who is called so": (
        "[[combatants]]\ncombatant = 'a'",
        2,
        'There is no "combatant" here. Did you mean "id"?',
    ),
    "a combatant with a command": ("[[combatants]]\nid = 'a'\ndo = 'join'", 3, 'There is no "do" here'),
    "a combatant with a pool of text": ("[[combatants]]\nid='a'\n[combatants.pools]\nready='x'", 4, "a whole number"),
    "a note of no kind": ("commands = [{do='note',text='x',kind='joke'}]", 1, "'joke' is not among the choices"),
    "a note without text": ("commands = [{do='note'}]", 1, '"text" is missing.'),
    "a secret for nobody": (
        "commands = [{do='note',text='x',visibility='me'}]",
        1,
        'visibility must be "public", "gm" or',
    ),
    "somebody who is a number": ("commands = [{do='initiative',by=3}]", 1, "by must be text, not a whole number."),
    "a seed": ("commands = [{do='close',seed='00'}]", 1, "the log shows it when"),
    "a text without end": (f"title = '{'x' * 3000}'", 1, "title must be at most 2000 characters long"),
    "a key without end": (f"{'x' * 9000} = 1", 1, "There is no"),
    "a command without end": (f"commands = [{{do='{'x' * 9000}'}}]", 1, "is not an order"),
    "lists in lists": ("a = " + "[" * 10_000, None, "This is nested too deeply for a fight."),
    "a key of keys": (f"title = 'x'\n{'.'.join(['a'] * 20_000)} = 1", 2, "This name has too many dots for a fight"),
    "a quoted key of keys": ("[" + ".".join(['"a"'] * 20_000) + "]\n", 1, "This name has too many dots for a fight"),
    "a number without end in hexadecimal": ("[[combatants]]\nid='a'\nhp=0x" + "f" * 4000, 3, "a number without end"),
    "a number without end": ("\na = " + "9" * 10_000, 2, "This number is too large."),
    "a power without end": ("\na = 1e9999999999999999999999", 2, "This number is too large."),
}


@pytest.mark.parametrize(("text", "line", "sentence"), WRONG.values(), ids=WRONG)
def test_an_invalid_file_is_refused_with_file_and_line(text: str, line: int | None, sentence: str) -> None:
    with pytest.raises(BadInput) as error:
        read_fight(text, "sad.toml")
    assert error.value.place == (f"sad.toml:{line}" if line else "sad.toml")
    assert sentence in error.value.sentence
    assert len(error.value.sentence) < 1000


def test_control_characters_are_removed_from_free_text() -> None:
    text = 'title = "a\\u001b[31m \\u202eb\\nc"\n[[commands]]\ndo = "act"\ncombatant = "a"\nwhat = "Ω\\u0000 opens"'
    fight = read_fight(text)
    assert fight.opening.what == Open(title="a[31m b c")
    assert isinstance(act := fight.lines[0].what, Act)
    assert act.what == "Ω opens"


def test_a_missing_reference_is_filled_in_and_a_written_one_is_kept() -> None:
    text = """commands = [
        { do = "resolve", exchange = 7 },
        { do = "interfere", combatant = "a", points = 1 },
        { do = "interfere", combatant = "a", points = 1, action = 9 },
        { do = "adjust", reason = "so", outcome = { outcome = "fail" } },
    ]"""
    state = Encounter(exchange=Exchange(5, (Action(5, "action", "b"),)))
    assert [order.command(state) for order in read_fight(text).lines] == [
        Resolve(7),
        Interfere("a", 5, 5, points=1),
        Interfere("a", 5, 9, points=1),
        Adjust("so", outcome=DeclaredOutcome(5, "fail")),
    ]


def test_a_missing_or_unreadable_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="There is no such file"):
        load_fight(tmp_path / "nowhere.toml")
    with pytest.raises(BadInput, match="This is a directory"):
        load_fight(tmp_path)
    strange = tmp_path / "strange.toml"
    strange.write_bytes(b"title = 'x'\n# \xff\xfe\n")
    with pytest.raises(BadInput, match=r"strange\.toml:2: This is not UTF-8 text"):
        load_fight(strange)


def test_a_file_with_a_byte_order_mark_and_crlf_is_read(tmp_path: Path) -> None:
    path = tmp_path / "windows.toml"
    path.write_bytes(b"\xef\xbb\xbftitle = 'x'\r\n\r\ncommands = [\r\n{ do = 'initiative' }]\r\n")
    assert load_fight(path).lines[0].place == f"{path}:4"


@given(st.integers(0, 2**32))
def test_a_random_typo_is_refused_with_a_sentence_and_a_line(seed: int) -> None:
    random, text = Random(seed), EXAMPLE
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(text))
        characters = random.choice(["", text[at] * 2, *"\"'[]{},=#\n-.x0\\\x00"])
        text = text[:at] + characters + text[at + 1 :]
    log = CombatLog.open("sqlite://")
    error = answer_to(log, text)
    if error is not None:
        match = re.match(r"typo\.toml:(\d+): .*[.?…]$", str(error), re.DOTALL)
        assert match, str(error)
        assert 1 <= int(match[1]) <= text.count("\n") + 1
        assert log.encounters() == []


def answer_to(log: CombatLog, text: str) -> MamError | None:
    """Return the error for a fight, or None if the log takes it."""
    try:
        play(log, read_fight(text, "typo.toml"), "fight")
    except MamError as error:
        return error
    return None
