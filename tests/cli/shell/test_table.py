"""Fights played through a pipe."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mam_events.log.combat_log import CombatLog
from mam_events.state import Pools, Turn
from tests.cli.calls import Mam
from tests.cli.shell.tables import ALLEY, BEGUN, JOINS, assert_same_fight
from tests.notation.evenings import NAMES, fight, lines


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_fight_typed_through_a_pipe_gives_the_same_fight(mam: Mam, table: Path, name: str) -> None:
    fight_file = fight(name)
    with CombatLog.open(table / "mam.db") as log:
        for order in (fight_file.opening, *fight_file.joins):
            log.execute(fight_file.encounter, order.what, by=fight_file.by if order.by is None else order.by)  # type: ignore[arg-type]  # no remark
    mam("table", "--by", "Nora", stdin="\n".join(lines(name)))
    assert_same_fight(table, fight_file, "Nora")


def test_a_fight_with_mistakes_and_corrections(mam: Mam, table: Path) -> None:
    typed_lines = [
        "attak clone", "a ice p4 m2", "d 6", "2 1", "u", "2 2.", "redo", "n", "st", "amend 6 p3 !", "u", "status",
        "log --last 2", "? parry", "explain 6", "dice ask", "n; a clone p1", "r",
        'note "the lamp goes out"', "quit", "never typed",
    ]  # fmt: skip
    result = mam("table", stdin=JOINS + "\n".join(typed_lines), code=1)
    assert 'Did you mean "attack"' in result.err
    assert '"st" could be stand or stay-mounted. Which' in result.err
    assert "correct ~#6=(power=3)" in result.out
    assert "MAM-INTF-06" in result.out
    assert "duel · mam_pools" in result.out
    assert "never typed" not in result.err
    with CombatLog.open(table / "mam.db") as log:
        timeline = log.timeline("duel")
    pools = {one.id: one.pools for one in timeline.state.combatants.values()}
    assert pools == {"modre": Pools(0, 2, 4, 0, 0), "clone": Pools(0, 6, 0, 0, 0)}
    assert (timeline.number, timeline.state.round, timeline.state.turn) == (15, 1, Turn("clone"))
    assert [number for number, _ in timeline.living()] == [1, 2, 3, 4, 5, 6, 7, 10, 11, 12]


def test_a_preview_shows_a_declared_result_that_the_new_dice_contradict(mam: Mam) -> None:
    said = " ".join(mam("table", stdin=f"{ALLEY}amend 7 1 2\n").out.split())
    assert "Ruling 8 calls 7 a success, but it would be 3 against 5." in said
    assert "To change that too, type amend 8 outcome=failure." in said
    said = mam("table", stdin="amend 7 1 2 !\namend 8 outcome=failure !\namend 7 2 1\namend 7 4 4\n").out
    assert "Ruling 8 calls 7 a failure, but it would be 8 against 5." in " ".join(said.split())
    assert said.count("To change that too") == 1


def test_combatants_who_joined_together_are_undone_together(mam: Mam) -> None:
    result = mam("table", stdin="new cave\njoin goblin --count 3 --hp 4\nu\nredo\n")
    assert "correct -#2 -#3 -#4" in result.out
    assert "correct +#5" in result.out
    assert "goblin-3" in mam("pools").out
    assert mam("undo").out.count("undoes 2 (Goblin 1 joins), 3 and 4") == 1


def test_an_error_shows_what_to_type_next(mam: Mam) -> None:
    result = mam(
        "table",
        stdin=JOINS + "a ice p4\nn\n6 1\nnew other ron_d6\njoin A a\njoin B b\ninit surprise=a\n",
        code=1,
    )
    assert "next: the dice (Enter draws them), or a reaction" in result.err
    assert result.err.splitlines()[-1] == "next: ro"


def test_the_error_for_a_missing_reason_shows_the_line_with_one(mam: Mam) -> None:
    error = mam("table", stdin=f"{JOINS.replace('init', 'init first=clone')}", code=1).err
    (line,) = re.findall("next: (.*)", error)
    assert line == "init first=clone because …"
    assert "Clone begins" in mam("table", stdin=f"{line}\n").out


def test_opening_a_table_creates_no_store(mam: Mam, table: Path) -> None:
    mam("table", stdin="help\n")
    assert not (table / "mam.db").exists()
    assert "The fight opens" in mam("table", stdin="\ufeffnew duel\n").out


def test_looks_show_the_newest_rulings_and_other_stores(mam: Mam) -> None:
    mam("new", "other", "--store", "other.db")
    typed_lines = f"{JOINS}a ice p4\nlog --last 1\npools --store other.db -e other\nd 6\nlog --last 1\nmam log\n"
    result = mam("table", stdin=typed_lines)
    # In the answer, in `log --last 1`, and in the whole log.
    for line in ("Modre attacks Clone", "6 points from ready to defense"):
        assert len(re.findall(rf"^#.*{line}", result.out, re.MULTILINE)) == 3


def test_dice_ask_draws_no_dice(mam: Mam) -> None:
    result = mam("table", "--dice", "ask", stdin=f"{JOINS}a ice p4 m2\nd 6\nr\n2 1\n", code=1)
    assert "(a d6) is thrown at the table. Type its face." in result.err
    assert "resolve [2 1]" in result.out
    assert "*]" not in result.out


@pytest.mark.parametrize("beginning", ["", "modre\n", "modre\na ice p2\n"])
@pytest.mark.parametrize("view", ["options", "options modre --all"])
def test_every_line_that_options_shows_is_accepted(mam: Mam, beginning: str, view: str) -> None:
    mam("table", stdin=f"{JOINS}{beginning}")
    output = mam("table", stdin=f"{view}\n").out
    assert "mam " not in output
    filled = {
        "NAME SIDE hp=POINTS": "wolf c hp=3",
        "REASON": "x",
        "WHAT": '"x"',
        "OPTION=READING": "half_success=never",
    }
    suggestions = [line for line in output.split("\n\n")[1].splitlines() if not line.startswith(" ")]
    assert suggestions
    for line in suggestions:
        filled_line = f"{line} !" if line == "close" else line
        for blank, value in filled.items():
            filled_line = filled_line.replace(blank, value)
        mam("do", filled_line)
        mam("undo", "--yes")


def test_odds_of_a_line_are_the_same_at_the_table_and_in_mam_odds(mam: Mam) -> None:
    output = mam("table", stdin=f"{JOINS}modre\nodds a clone ice p2 m2\nodds attack clone 2 2 --weapon ice-blade\n").out
    first = [line for line in output.splitlines() if line.startswith("Modre's attack on Clone: hit")]
    assert len(first) == 2
    assert first[0] == first[1]
    assert first[0] in mam("odds", "a", "clone", "ice", "p2", "m2").out
    assert "Leave 3 4 out" in mam("odds", "a", "clone", "p2", "3", "4", code=2).err


def test_several_combatants_join_by_one_line(mam: Mam, table: Path) -> None:
    mam(
        "table",
        stdin='new cave\njoin rat foes hp=2 count=2\njoin "Giant Bat" foes count=1 hp=3\njoin rat hp=1 count=1 foes\n',
    )
    with CombatLog.open(table / "mam.db") as log:
        people = log.at("cave").combatants
    assert [(one.id, one.name, one.side, one.hp) for one in people.values()] == [
        ("rat-1", "Rat 1", "foes", 2),
        ("rat-2", "Rat 2", "foes", 2),
        ("giant-bat-1", "Giant Bat 1", "foes", 3),
        ("rat-3", "Rat 3", "foes", 1),
    ]
    assert "count must be one number, 1 to 100" in mam("do", "join rat hp=1 count=0", code=2).err


def test_the_error_for_an_order_of_another_edition_is_the_same_everywhere(mam: Mam) -> None:
    mam("table", stdin=JOINS)
    sentence = 'The rules of this fight, mam_pools, have no order "stalk". It works only under mam_speed and mam_d20.'
    for result in (
        mam("stalk", "modre", "clone", code=1),
        mam("do", "stalk clone", code=1),
        mam("table", stdin="modre stalk clone\n", code=1),
    ):
        assert sentence in result.err


def test_the_notice_that_a_side_is_down_is_printed_once(mam: Mam) -> None:
    typed_lines = (
        "new d\njoin ana heroes hp=3\njoin rat foes hp=2\ninit first=ana reason=so\nn\ndamage foes 2\nn\nn\nu\nclose\n"
    )
    result = mam("table", stdin=typed_lines)
    assert result.err.count("Nobody on side foes can still fight. Type close to end the fight.") == 1
    assert "The fight is over" in result.out
    mam("undo", "-e", "d")
    assert (
        "Nobody on side foes can still fight. To end the fight: mam close -e d"
        in mam("do", "heal rat 1; damage rat 1", "-e", "d").err
    )


def test_from_a_pipe_an_exclamation_mark_ends_a_turn_with_actions_left(mam: Mam) -> None:
    error = mam("table", stdin=f"{ALLEY}thug 1\n", code=1).err
    assert "It is Rook's turn. Ending it now loses 1 action. End the line with ! to end that turn" in error
    assert "Rook's turn is over with 1 action left" in mam("table", stdin="thug 1 !\n").out
    # A combatant who waits loses nothing.
    typed_lines = "ro rook 5 4 thug 2 1 !\nrook 2; waits\nthug 1\n"
    assert "Thug takes 1 action\n" in mam("table", stdin=typed_lines).out


@pytest.mark.parametrize("because", ["", "because "])
def test_words_after_a_result_are_its_story(mam: Mam, because: str) -> None:
    output = mam("table", stdin=f"{ALLEY.removesuffix('r success' + chr(10))}r success {because}he ducks\n").out
    assert "succeeds: he ducks" in output


def test_a_correction_of_a_disputed_ruling_mentions_the_open_dispute(mam: Mam) -> None:
    joins = JOINS.removesuffix("init\n")
    mam("table", stdin=f"{joins}{BEGUN}\na clone ice p1 m1; d 1; 4 4\n")
    number = len(mam("log", "--json").lines)
    result = mam("table", stdin=f"dispute {number} he was behind cover\namend {number} fail because so !\n")
    about, dispute, amended = number, number + 1, number + 2
    assert "The game master disputes" in result.out
    assert (
        f"Dispute {dispute} about ruling {about} is still open. To settle it, type rule-on {dispute} with {amended}."
        in result.err
    )
    error = mam("table", stdin=f"rule-on {dispute} uphold\n", code=None).err
    assert f"{about} was amended in {amended}, after dispute {dispute} began." in error
    assert f"If ruling {amended} settles the dispute, type rule-on {dispute} with {amended}." in error
    assert f"type rule-on {dispute} uphold as-corrected." in error
    assert f"mam rule-on {dispute} --with {amended}." in mam("rule-on", f"{dispute}", "--uphold", code=2).err
    mam("table", stdin=f"rule-on {dispute} uphold as-corrected because it stands\n")
    assert f"upholds {about}" in mam("log", "--last", "1").out


@pytest.mark.parametrize(
    ("beginning", "line", "begins"),
    [(JOINS, "a clone ice p2 m2", "modre"), (ALLEY.partition("rook 2")[0], "punch thug v5", "rook 1")],
)
def test_odds_between_turns_are_those_of_the_next_turn(mam: Mam, beginning: str, line: str, begins: str) -> None:
    output = mam("table", stdin=f"{beginning}odds {line}\n{begins}\nodds {line}\n").out
    between, within = (one for one in output.splitlines() if "needs a die" in one or "on average" in one)
    assert between == within
    assert between in mam("odds", *line.split()).out


def test_in_ron_d6_only_an_attack_mentions_that_its_target_is_down(mam: Mam) -> None:
    mam("table", stdin=ALLEY)
    mam.run_all("adjust --condition thug=incapacitated --reason 'a rock'", "do 'rook: punch thug v5 4 4'")
    output = mam("log").out
    assert "Rook: punch at Thug, " in output
    assert "Rook: punch at Thug (already down), " in output, output


def test_a_redo_mentions_a_changed_seat(mam: Mam) -> None:
    typed_lines = "new duel\njoin Modre a hp=6\njoin Clone b hp=6\nu\njoin Rook b hp=6\nredo !\n"
    output = mam("table", stdin=typed_lines).out
    assert "Rook joins for b with 6 hit points: 6 ready (in another place around the table)" in " ".join(output.split())


def test_the_error_without_a_fight_mentions_new(mam: Mam) -> None:
    result = mam("table", stdin="modre attacks clone\n", code=None)
    assert "No fight is open yet. Type new NAME to begin one" in result.err


def test_the_error_of_play_without_a_file_mentions_the_table(mam: Mam) -> None:
    err = mam("play", code=2).err
    assert "Missing FILE" in err
    assert "next: mam table" in err


def test_an_export_at_the_table_needs_a_file(mam: Mam, table: Path) -> None:
    mam.run_all("new duel", "join ana --hp 6")
    error = mam("table", stdin="export\n", code=1).err
    assert "An export is too long for the table. Name a file for it with -o FILE.\n" in error
    mam("table", stdin="export -o duel.ndjson\n")
    assert (table / "duel.ndjson").exists()
