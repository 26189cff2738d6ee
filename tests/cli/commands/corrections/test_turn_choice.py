"""The choice between passing and stopping at turns that nobody played, at the table, a terminal and in a script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click import Abort

from cli.commands.corrections.passed_turns import TURN_LIMIT
from cli.commands.corrections.turn_choice import QUESTION, TurnChoice, next_round
from cli.output.verdicts import VOID_ROWS
from cli.session import Session
from cli.shell.repl import Repl
from mam_events.history.timeline.entries import BookkeepingEntry
from mam_events.log.combat_log import CombatLog
from tests.cli.calls import Begin, Mam, Rows
from tests.cli.shell.tables import Terminal
from tests.notation.tables import CLONE, MODRE, Table

SCORE = Path(__file__).parents[4] / "examples" / "the-toll-bridge.score"
FELLED = "amend 24 fail"
"""The line that lets the blow that felled Anka in round 1 miss."""
SENTENCES = ["Anka is up again from ruling 24 on.", "Anka has 5 turns that nobody played (rounds 1 to 5)."]


@pytest.fixture
def bridge(begin: Begin) -> None:
    """Play a fight of three against four up to round 6, in which Anka is down since round 1."""
    begin(f"play {SCORE} -q")


@pytest.fixture
def evening(bridge: None, table: Path) -> Iterator[Callable[..., Repl]]:
    """Yield a function that opens a shell whose questions get the given answers."""
    sessions: list[Session] = []

    def begin(*answers: str) -> Repl:
        session = Session()
        session.store, session.encounter_name, session.quiet = str(table / "mam.db"), "toll-bridge", True
        sessions.append(session)
        replies = iter(answers)
        return Repl(session, lambda: False, lambda _: next(replies))

    del bridge
    yield begin
    for session in sessions:
        session.log().close()


def fight_of(table: Path) -> tuple[int, int, str | None]:
    """Return the number of rulings, the round and the next combatant."""
    with CombatLog.open(table / "mam.db") as log:
        timeline = log.timeline("toll-bridge")
    return timeline.number, timeline.state.round, timeline.state.next_up


@pytest.mark.usefixtures("bridge")
def test_a_preview_begins_with_a_summary_of_the_changes(mam: Mam) -> None:
    lines = mam("amend", "24", "outcome=fail", "--preview").out.splitlines()
    assert lines[1] == f"{' '.join(SENTENCES)} 1 ruling changes, none becomes void."
    assert "  33, 55, 69, 84, 99 and 109: another turn is now the last of the round." in lines
    assert "  Bookkeeping: 5 turns pass, 2 rounds keep their order." in lines
    assert [line.split()[0] for line in lines if line.endswith("cannot act)")] == ["24"]
    summary = mam("amend", "24", "outcome=fail", "--preview", "--json").lines[0]["summary"]
    assert summary["sentences"][:2] == SENTENCES
    assert (summary["up"], summary["down"], summary["lost"]) == ({"anka": 24}, {}, [])
    assert (summary["changed"], summary["carried"], summary["void"]) == ([24], [33, 55, 69, 84, 99, 109], [])
    assert [(turn["round"], turn["before"]) for turn in summary["passed"]] == [
        (1, 34),
        (2, 56),
        (3, 70),
        (4, 85),
        (5, 100),
    ]


def test_at_the_table_p_lets_turns_pass(
    evening: Callable[..., Repl], table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evening("p").answer(FELLED)
    output = capsys.readouterr()
    assert "  s  stop before 34 and play on from there; undoes 76 rulings (34 to 109)" in output.err
    assert "  p  let them pass, and go on in round 6" in output.err
    assert "  after 33 anka: a bandit-1 m1; r\n" in output.out
    assert output.out.count("  after ") == TURN_LIMIT
    assert "  and 2 turns more\n" in output.out
    assert fight_of(table) == (110, 6, "anka")


def test_at_the_table_s_stops_before_the_first_missing_turn(
    evening: Callable[..., Repl], table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    encounter = evening("s")
    encounter.answer(FELLED)
    output = capsys.readouterr().out
    assert "undoes 34 (Cora's turn begins) and 35 to 109" in output
    assert "To play a turn" not in output, "there is none that passed any more"
    assert fight_of(table) == (111, 1, "anka")
    encounter.answer("redo")
    assert fight_of(table) == (112, 6, "anka"), "that is the fight as it was played"


@pytest.mark.parametrize("answers", [("",), ("n",), ("q",), ("maybe", "")])
def test_an_unclear_answer_writes_nothing(
    evening: Callable[..., Repl], rows: Rows, capsys: pytest.CaptureFixture[str], answers: tuple[str, ...]
) -> None:
    before = rows()
    evening(*answers).answer(FELLED)
    error = capsys.readouterr().err
    assert "Nothing was written." in error
    assert ('"maybe" is no answer, so nothing was done. Type p, s or n.' in error) is (len(answers) > 1)
    assert rows() == before


def test_a_suggested_line_plays_the_passed_turn_in_its_round(evening: Callable[..., Repl], table: Path) -> None:
    encounter = evening("y")
    encounter.answer(FELLED)
    encounter.confirm = lambda: True
    encounter.answer("after 99 anka: a bandit-4 m1 2 5")
    assert fight_of(table) == (114, 6, "anka")
    with CombatLog.open(table / "mam.db") as log:
        rounds = [step.round for one in _bookkeeping(log) for step in one if step.what == "passed"]
    assert rounds == [1, 2, 3, 4]


def _bookkeeping(log: CombatLog) -> list[tuple[BookkeepingEntry, ...]]:
    timeline = log.timeline("toll-bridge")
    return [entry.outcome.bookkeeping(timeline.decoders) for _, entry in timeline.living()]


@pytest.mark.usefixtures("bridge")
def test_in_a_script_yes_lets_turns_pass_and_strict_does_not(mam: Mam, rows: Rows, table: Path) -> None:
    before = rows()
    error = mam("amend", "24", "outcome=fail", code=2).err
    assert "To stop before 34 and play on from there, add --strict, then type `mam undo 34 --rewind`" in error
    assert rows() == before
    strictly = mam("amend", "24", "outcome=fail", "--strict", "--preview", "--json").lines[0]["summary"]
    assert (strictly["passed"], len(strictly["void"])) == ([], 80)
    mam("amend", "24", "outcome=fail", "--yes")
    assert fight_of(table) == (110, 6, "anka")
    mam("undo", "34", "--rewind", "--yes")
    assert fight_of(table) == (111, 1, "anka")


@pytest.mark.usefixtures("bridge")
def test_a_strict_preview_shows_which_turns_are_due_again(mam: Mam) -> None:
    mam("amend", "24", "outcome=fail", "--yes")
    strict_summary = mam("undo", "28", "--strict", "--preview", "--json").lines[0]["summary"]
    assert strict_summary["sentences"][0] == "Strict: 5 turns that passed since correction 110 are due again."
    summary = mam("undo", "28", "--preview", "--json").lines[0]["summary"]
    assert not any(sentence.startswith("Strict") for sentence in summary["sentences"])


@pytest.mark.usefixtures("bridge")
def test_amend_in_a_line_accepts_strict(mam: Mam) -> None:
    document = mam("do", "amend 24 fail strict", "--preview", "--json").lines[0]
    assert len(document["summary"]["void"]) == 80


@pytest.mark.usefixtures("bridge")
def test_void_rulings_of_a_combatant_who_falls_earlier_are_listed(mam: Mam) -> None:
    result = mam("adjust", "--condition", "bandit-4=out", "--reason", "fled", "--after", "33", "--preview")
    first, gone = result.out.splitlines()[:2]
    assert "Bandit 4 is down from ruling 34 on and loses 5 turns." in first
    assert "Bram has 3 turns that nobody played (rounds 3 to 5)." in first, "they felled Bram in the third"
    assert gone.startswith(
        "gone: 48 (Bandit 4 attacks Bram with the Club), 66 (Bandit 4 readies 3 points from defense), "
    )
    assert "are void: Bandit 4 can't act any more then." in result.out


@pytest.mark.slow
def test_a_terminal_asks_with_keys(bridge: None, table: Path) -> None:
    del bridge
    terminal = Terminal(table, rows=60, columns=100)
    terminal.see("r7 next Cora>")
    terminal.type(FELLED, QUESTION)
    terminal.type("p", "r6 next Anka>")
    terminal.child.close(force=True)
    assert fight_of(table) == (110, 6, "anka")


@pytest.mark.parametrize(("answer", "stops"), [("p", 0), ("Pass", 0), ("y", 0), ("s", 34), ("stop", 34)])
def test_a_key_or_its_word_chooses(answer: str, stops: int) -> None:
    assert TurnChoice(34, (34, 35), passes=True, goes_on_in=6).ask(lambda _: answer) == stops


def test_enter_chooses_nothing() -> None:
    with pytest.raises(Abort):
        TurnChoice(34, (34,), passes=True, goes_on_in=6).ask(lambda _: "")


@pytest.mark.usefixtures("bridge")
def test_many_void_rulings_are_summed_up_in_one_line_after_the_first(mam: Mam) -> None:
    output = mam("amend", "24", "outcome=fail", "--strict", "--yes").out
    assert "  72 more are void: 38 to 109.\n" in output
    assert sum("  void  " in line for line in output.splitlines()) == VOID_ROWS
    assert "  30 to 109 are possible again.\n" in mam("undo", "--yes").out


@pytest.mark.usefixtures("bridge")
@pytest.mark.parametrize("view", ["public", "heroes"])
def test_only_the_game_master_sees_whose_turn_ends_a_round(mam: Mam, view: str) -> None:
    # The turn that passes might be a hidden combatant's.
    output = mam("amend", "24", "outcome=fail", "--preview", "--as", view).out
    assert "the last of the round" not in output
    assert "  85 later rulings stand as before.\n" in output
    document = mam("amend", "24", "outcome=fail", "--preview", "--as", view, "--json").lines[0]
    assert document["summary"]["carried"] == []
    assert [one["ruling"] for one in document["verdicts"] if one["verdict"] != "stands"] == [24]
    row = mam("amend", "24", "outcome=fail", "--yes", "--as", view, "--json").lines[0]
    assert not {33, 55, 69, 84, 99, 109} & {one["ruling"] for one in row["rulings"][-1]["verdicts"]}
    assert {one["verdict"] for one in row["rulings"][-1]["verdicts"] if one["bookkeeping"]} == {"stands"}
    # Rulings that stand look the same, even with hidden bookkeeping before them.
    verdicts = [one for one in row["rulings"][-1]["verdicts"] if one["verdict"] == "stands"]
    assert {(one["differs"], one["why"]) for one in verdicts} == {("", "")}


def test_next_round_increases_once_the_round_is_over() -> None:
    table = Table(MODRE, CLONE)
    rounds = []
    for line in ("init first=modre reason=x", "n", ".", "n", "."):
        table(line)
        rounds.append(next_round(table.log.timeline("fight").state))
    assert rounds == [1, 1, 1, 1, 2]
