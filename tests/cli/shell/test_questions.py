"""Questions about words, and questions about a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.session import Session
from cli.shell.questions import question_in
from cli.shell.repl import Repl
from mam_events.events import Note
from tests.cli.calls import Mam, Rows
from tests.cli.shell.tables import ALLEY, BEGUN, JOINS, typed_at


@pytest.mark.parametrize(
    ("line", "word", "stays"),
    [
        ("r ?", "r", True),
        ("init?", "init", True),
        ("a clone? p4 m2", "clone", True),
        ("a clone ? p4 ?", "clone", True),
        ("n; r ?; n", "r", True),
        ("?", "", False),
        ("? parry", "parry", False),
        ("r \t??", "r", True),
    ],
)
def test_a_question_mark_asks_about_the_word_before_it(line: str, word: str, *, stays: bool) -> None:
    question = question_in(line)
    assert question
    assert (question.word, question.stays) == (word, stays)


@pytest.mark.parametrize("line", ['note "was it?"', 'note "was it? he', "r {why?}", "find a?b", 'note "a \\" b?'])
def test_a_question_mark_in_text_asks_nothing(line: str) -> None:
    assert question_in(line) is None


@pytest.mark.parametrize("line", ["r ?", "r?", "init ?", "? r", "r ? 2 1", "a clone p4?", "u ?", "modre end?"])
def test_a_line_with_a_question_mark_writes_nothing(mam: Mam, rows: Rows, line: str) -> None:
    mam("table", stdin=f"{JOINS}a ice p4 m2\n")
    before = rows()
    mam("table", stdin=f"{line}\n", code=None)
    assert rows() == before
    assert "asks and does nothing. To write a text with" in mam("do", line, code=2).err
    assert rows() == before


def test_the_table_asks_before_a_turn_with_actions_left_ends(
    mam: Mam, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mam("table", stdin=ALLEY)
    session = Session()
    session.store, session.encounter_name, session.quiet = str(table / "mam.db"), "alley", True
    sure = False
    repl = Repl(session, lambda: sure, lambda _: "")
    output = typed_at(repl, capsys, "thug punch rook v5 3 3")
    assert "It is Rook's turn. Before acting, Thug must also say how many actions they take (declare)." in output
    number = session.timeline().number
    for line in ("thug 1", "n", "n thug 1", "."):
        answer = typed_at(repl, capsys, line)
        assert "It is Rook's turn. Ending it now loses 1 action." in answer, line
        assert "Nothing was written." in answer
        assert session.timeline().number == number
    sure = True
    assert "Thug takes 1 action; Rook's turn is over with 1 action left" in typed_at(repl, capsys, "thug 1")
    session.log().close()


@pytest.mark.parametrize(
    ("line", "question", "answer", "order"),
    [
        ("a clone p1", "With the Sword or the Axe?", "the axe", "zed: attack clone axe power=1"),
        ("a clone p1", "With the Sword or the Axe?", "Sw", "zed: attack clone sword power=1"),
        ("m 1; a clone p1", "With the Sword or the Axe?", "with the axe", "zed: attack clone axe power=1"),
        ("a clone p1; clone d 1", "With the Sword or the Axe?", "with sw", "zed: attack clone sword power=1"),
        ("a goblin p1 sword; r", '"goblin" could be', "goblin 2", "zed: attack goblin-2 sword power=1"),
        (
            "a goblin p1 sword",
            '"goblin" could be goblin-1 or goblin-2',
            "goblin 2",
            "zed: attack goblin-2 sword power=1",
        ),
    ],
)
def test_an_answer_completes_the_line_in_question(
    asking_shell: Repl, capsys: pytest.CaptureFixture[str], line: str, question: str, answer: str, order: str
) -> None:
    lines = ("join goblin foes hp=3 count=2", "join Zed a hp=8 w=(Sword) w=(Axe)", 'init first=zed reason="x"', "n")
    assert question in typed_at(asking_shell, capsys, *lines, line)
    assert order in typed_at(asking_shell, capsys, answer)


def test_a_new_ruling_closes_the_question(asking_shell: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    typed_at(
        asking_shell,
        capsys,
        "join Zed a hp=8 w=(Sword) w=(Axe)",
        'init first=zed reason="x"',
        "n",
        "a clone p1",
        "note so",
    )
    assert 'There is no "axe" here' in typed_at(asking_shell, capsys, "axe")
    assert asking_shell.session.timeline().state.exchange is None


def test_an_answer_completes_the_order_in_question_of_two(mam: Mam) -> None:
    lines = ("new cave", "join Ann a hp=6", "join 2 Rats b hp=3", "init first=ann because x")
    out = mam("table", stdin="\n".join((*lines, "move 1, attack rat p1", "rat-2", "")), code=None)
    assert "; ann: attack rat-2 body power=1" in out.out


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("sure", [True, False])
def test_the_table_asks_before_healing_everybody_raises_somebody(
    mam: Mam, capsys: pytest.CaptureFixture[str], *, sure: bool
) -> None:
    mam("table", stdin=JOINS + "damage clone 6 axe\n")
    with Session() as session:
        session.quiet = True
        repl = Repl(session, lambda: sure, lambda _: "")
        output = typed_at(repl, capsys, "heal everyone 1")
        assert (
            "Clone is down, and this brings them up again. To name only those who stand, type `standing`.\n" in output
        )
        assert ("Clone is up again" in output) == sure
        assert (session.timeline().state.combatants["clone"].condition == "able") == sure


@pytest.mark.parametrize(
    ("answer", "order"),
    [
        ("", "modre: ready defense=1 other_used=2; modre: attack clone body power=1"),
        ("all", "modre: ready defense=1 other_used=2; modre: attack clone body power=1"),
        ("o", "modre: ready other_used=2; modre: attack clone body power=1"),
        ("d", "modre: ready defense=2; modre: attack clone body power=1"),
        ("Defense", "modre: ready defense=2"),
    ],
)
def test_the_question_about_pools_takes_a_letter_or_enter(
    asking_shell: Repl, capsys: pytest.CaptureFixture[str], answer: str, order: str
) -> None:
    """The other orders of the line go on once it is answered."""
    line = 'gm modre 2 ready>defense 2 ready>other "so"'
    output = typed_at(asking_shell, capsys, BEGUN, "n", line, "modre ready; a clone p1")
    assert "Type ready all (1 from defense and 2 from other used), ready o (2 " in output
    assert 'Press Enter for "all".' in output
    assert order in " ".join(typed_at(asking_shell, capsys, answer).split())


def test_a_look_does_not_close_the_question(asking_shell: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    typed_at(
        asking_shell, capsys, BEGUN, "join Hob c hp=7 w=(Spear pow=2) w=(Dagger pow=1)", "modre.", "clone.", "rook."
    )
    output = typed_at(asking_shell, capsys, "hob stabs modre p1 m1 4 3.")
    assert "With the Spear or the Dagger?" in output
    assert "next: hob stabs modre p1 m1 4 3 spear." in output
    assert "hob: attack modre dagger power=1 modifier=1" in typed_at(
        asking_shell, capsys, "modre parries", "status", "? dagger", "dagger"
    )


def test_enter_answers_only_the_last_question(asking_shell: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    typed_at(asking_shell, capsys, BEGUN, "a clone p1 m1 1 1.", "", "clone.", "rook.")
    assert 'Press Enter for "other".' in typed_at(asking_shell, capsys, "modre readies 1")
    assert "ready" not in typed_at(asking_shell, capsys, "status", "")
    assert "modre: ready defense=1" in typed_at(asking_shell, capsys, "defense")


def test_an_answer_may_follow_an_article(asking_shell: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    typed_at(asking_shell, capsys, BEGUN, "join 2 Rats c hp=3")
    assert "Which one?" in typed_at(asking_shell, capsys, "modre hits a rat p1")
    assert "modre: attack rat-2 body power=1" in typed_at(asking_shell, capsys, "rat 2")


@pytest.mark.parametrize(
    ("line", "answer", "order"),
    [
        ("modre lights a torch", "", 'note "modre lights a torch"'),
        ("modre moves", "3", "modre: move points=3"),
        ("modre moves", "4m", "metres=4"),
    ],
)
def test_a_question_is_answered_in_a_word(
    asking_shell: Repl, capsys: pytest.CaptureFixture[str], line: str, answer: str, order: str
) -> None:
    typed_at(asking_shell, capsys, BEGUN, line)
    assert order in typed_at(asking_shell, capsys, answer)


def test_an_ambiguous_name_is_answered_by_a_full_name(asking_shell: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    typed_at(asking_shell, capsys, BEGUN, "join 2 ghouls c hp=5")
    assert "Which one?" in typed_at(asking_shell, capsys, "modre attacks ghoul p1")
    assert "modre: attack ghoul-2" in typed_at(asking_shell, capsys, "ghoul 2")


@pytest.mark.parametrize("answer", ["no", "n", "nope", "u"])
def test_no_and_letters_of_orders_do_not_answer_a_question(
    asking_shell: Repl, capsys: pytest.CaptureFixture[str], answer: str
) -> None:
    typed_at(asking_shell, capsys, BEGUN, "modre lights a torch", answer)
    assert not [one for one in asking_shell.session.timeline().heads if isinstance(one, Note)]
