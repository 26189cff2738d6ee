"""Typed faces that are kept for their roll, and the question before dice are drawn."""

from __future__ import annotations

import pytest

from cli.shell.repl import Repl
from tests.cli.calls import Mam
from tests.cli.shell.tables import BEGUN, JOINS, typed_at


@pytest.mark.parametrize(
    ("early", "lines", "answer"),
    [
        # The missing faces are typed.
        ("4", ("2",), "resolve [4 2]"),
        ("4.", ("2",), "resolve [4 2]; modre: end-turn"),
        # Ending the turn uses them.
        ("4 2", (".",), "resolve [4 2]; modre: end-turn"),
        ("4", ("5 2",), "resolve [5 2]"),
        ("4 2", ("6 3",), "resolve [6 3]"),
        # A kept face is replaced if its die is named.
        ("4 2", ("6",), "The dice 4 2 are kept, and Enter uses them. To replace a die with 6, type 6 2 or 4 6."),
        ("4 2", ("6", "4 6"), "resolve [4 6]"),
        ("4 2", ("- 6",), "resolve [4 6]"),
        ("4 2", ("6 -",), "resolve [6 2]"),
        ("4 2.", ("6", ""), "resolve [4 2]; modre: end-turn"),
        ("4 2", ("r",), "resolve [4 2]"),
        ("4", ("",), "The die 4 is kept. Draw the die for Clone's defense? Press Enter again, or type the face."),
        (
            "4",
            ("", "odds", ""),
            "The die 4 is kept. Draw the die for Clone's defense? Press Enter again, or type the face.",
        ),
        ("4", ("", "2"), "resolve [4 2]"),
        ("4", ("", ""), "resolve [4]"),
        ("4", ("r",), "resolve [4]"),
        # A reaction does not take their place either.
        (
            "4 2",
            ("d 1 6",),
            "Enter uses 4 2. The dice 4 2 are kept, and Enter uses them. To replace a die with 6, type 6 2 or 4 6.",
        ),
        ("4 2", ("d 1 6", ""), "resolve [4 2]"),
        ("4 2", ("d 1 6 3", ""), "resolve [6 3]"),
        ("4", ("d 1 6", ""), "resolve [4 6]"),
        ("4 2", ("nobody interferes", "d 1 6"), "The dice 4 2 are kept for this roll."),
        ("4 2", ("nobody interferes", "d 1 6", ""), "resolve [4 2]"),
        ("4 2", ("nobody interferes", "d 1 6 3"), "clone: defend 1; resolve [6 3]"),
        # A parry for another combatant needs another die.
        (
            "4 2",
            ("rook parry #7", ""),
            "The dice 4 2 are kept. Draw the die for Rook's interference? Press Enter again, or type the face.",
        ),
        ("4 2", ("rook parry #7", "", "5"), "resolve [4 2 #8=5]"),
        (
            "",
            ("rook parry #7", "4 2"),
            "The dice 4 2 are kept. Draw the die for Rook's interference? Press Enter again, or type the face.",
        ),
        ("", ("rook parry #7", "4 2 5"), "resolve [4 2 #8=5]"),
        # An undone reaction takes its die along, and the others stay.
        ("4 2", ("rook parry #7 5", "u"), "If nobody reacts, Enter uses 4 2."),
        ("4 2.", ("rook parry #7 5", "u"), "If nobody reacts, Enter uses 4 2."),
        ("4 2", ("rook parry #7 5", "u", ""), "resolve [4 2]"),
        ("4 2", ("rook parry #7 5", "u", "rook parry #7 6", ""), "resolve [4 2 #10=6]"),
        # The refused line may have been the reaction that the dice waited for.
        ("4 2", ("rook parry nothing", ""), "Your last line did nothing. Press Enter again to use 4 2."),
        ("4 2", ("rook parry nothing", "", ""), "resolve [4 2]"),
        ("4 2", ("rook parry nothing", "d 1", ""), "resolve [4 2]"),
        # A look doesn't mention the dice, so Enter still asks first.
        ("4 2", ("rook parry nothing", "status", ""), "Your last line did nothing. Press Enter again to use 4 2."),
        ("4 2", ("rook parry nothing", "", "c nothing", "odds", ""), "Enter again to use 4 2"),
        ("4 2", ("rook parry nothing", "note the lamp falls", ""), "resolve [4 2]"),
        ("4 2", ("explain 99", ""), "Your last line did nothing. Press Enter again to use 4 2."),
        # Enter uses the kept dice instead of drawing.
        ("4 2", ("n",), "next: the dice (Enter uses 4 2), or a reaction"),
        ("", ("n",), "next: the dice (Enter draws them), or a reaction"),
    ],
)
def test_typed_faces_are_used_or_kept(
    asking_shell: Repl, capsys: pytest.CaptureFixture[str], early: str, lines: tuple[str, ...], answer: str
) -> None:
    output = typed_at(asking_shell, capsys, BEGUN, f"modre a clone p1 m1 {early}", *lines)
    assert answer in " ".join(output.split())
    is_resolved = "resolve [" in output
    assert ("*]" in output) == (answer == "resolve [4]")
    assert bool(asking_shell.session.timeline().state.exchange) != is_resolved


@pytest.mark.parametrize(
    ("before", "line", "question"),
    [
        (
            (),
            "init",
            "Draw the dice for Modre's tie-breaker, Clone's tie-breaker and Rook's tie-breaker? Press Enter again.",
        ),
        ((BEGUN,), 'modre check "climb" v8', "Draw the die for Modre's check? Press Enter again."),
        ((BEGUN,), "a clone p1 m1; d 1; 4", "Draw the die for Clone's defense? Press Enter again."),
        ((BEGUN, "nobody interferes"), "a clone p1 m1; pass 4", "Draw the die for Clone's defense? Press Enter again."),
    ],
)
def test_no_die_is_drawn_without_a_second_enter(
    asking_shell: Repl, capsys: pytest.CaptureFixture[str], before: tuple[str, ...], line: str, question: str
) -> None:
    typed_at(asking_shell, capsys, *before)
    number = asking_shell.session.timeline().number
    assert typed_at(asking_shell, capsys, line).strip() == question
    assert typed_at(asking_shell, capsys, "status", "").strip() == question
    assert asking_shell.session.timeline().number == number
    typed_at(asking_shell, capsys, "")
    assert asking_shell.session.timeline().number > number
    assert "duel · " in typed_at(asking_shell, capsys, ""), "it is given once"


def test_pasted_lines_after_a_question_are_not_given(asking_shell: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Not done, so type it again: modre; m 1" in typed_at(asking_shell, capsys, "init\nmodre\nm 1")


def test_from_a_pipe_missing_dice_are_drawn_at_once(mam: Mam) -> None:
    """A pipe cannot be asked."""
    assert "*]" in mam("table", stdin=f"{JOINS}a ice p4 m2\nr\n").out
    assert "*]" in mam("table", stdin=f"{JOINS.replace('duel', 'two')}a ice p4 m2\n4\n").out


@pytest.mark.parametrize(
    ("before", "line", "faces", "order"),
    [
        ((), "init", "5 2 4", "initiative [modre=5 clone=2 rook=4]"),
        ((BEGUN,), 'modre check "climb" v8', "5", "modre: check climb difficulty=8 [5]"),
    ],
)
def test_faces_answer_the_question_to_draw(
    asking_shell: Repl, capsys: pytest.CaptureFixture[str], before: tuple[str, ...], line: str, faces: str, order: str
) -> None:
    assert "Enter again." in typed_at(asking_shell, capsys, *before, line)
    output = typed_at(asking_shell, capsys, faces)
    assert order in output
    assert "*]" not in output


def test_a_wrong_number_of_faces_is_refused(asking_shell: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    output = typed_at(asking_shell, capsys, "init", "5 2")
    assert "3 dice are thrown for this. Type 3 faces, in this order: modre, clone, rook." in output
    assert "initiative [modre=5 clone=2 rook=4]" in typed_at(asking_shell, capsys, "5 2 4")


def test_the_question_to_draw_counts_the_dice_of_each_roll(
    asking_shell: Repl, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ("new two ron_d6", "join Ann a perception=3D", "join Bo b perception=2D", "ro")
    output = typed_at(asking_shell, capsys, *lines, "ri")
    assert "Draw the dice for Ann's initiative (3 dice) and Bo's initiative (2 dice)? Press Enter again." in output
    assert "5 dice are thrown for this. Type 5 faces, in this order: 3 of ann, 2 of bo." in typed_at(
        asking_shell, capsys, "5 2"
    )
    assert "roll-initiative ann,bo [ann=5,2,1 bo=3,3]" in typed_at(asking_shell, capsys, "5 2 1 3 3")


def test_the_question_to_draw_names_many_rollers_in_order(
    asking_shell: Repl, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = typed_at(asking_shell, capsys, "join Zed a hp=3", "init")
    assert "Draw the dice for Modre, Clone, Rook and Zed? Press Enter again." in shown


def test_the_question_to_draw_supposes_no_exploding_die(asking_shell: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    begun = ("new two ron_d6", *(f"join {who} a perception=3D" for who in ("Ann", "Bo", "Cy", "Di")), "ro")
    assert "Draw the dice for Ann, Bo, Cy and Di? Press Enter again." in typed_at(asking_shell, capsys, *begun, "ri")
    order = "3 of ann, 3 of bo, 3 of cy, 3 of di"
    assert f"Type 12 faces, in this order: {order}." in typed_at(asking_shell, capsys, "5 2")


def test_a_partial_initiative_roll_shows_how_the_others_roll(
    asking_shell: Repl, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ("new two ron_d6", *(f"join {who} a perception=2D" for who in ("Ann", "Bo", "Cy")))
    output = typed_at(asking_shell, capsys, *lines, "ro ann 5 2")
    assert "roll for Bo and Cy, type ri, or with their dice: ri bo … cy …." in output
    assert "ri rolls" not in typed_at(asking_shell, capsys, "bo 4 2 cy 1 1")


def test_replaced_dice_keep_the_full_stop(asking_shell: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Enter uses 6 2." in typed_at(asking_shell, capsys, BEGUN, "modre a clone p1 6 2.")
    assert "resolve [6 4]; modre: end-turn" in typed_at(asking_shell, capsys, "6 4")


def test_yes_does_what_enter_does(asking_shell: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    typed_at(asking_shell, capsys, BEGUN, "modre attacks clone p1")
    assert "Enter again" in typed_at(asking_shell, capsys, "yes")
    assert "Modre → Clone" in typed_at(asking_shell, capsys, "y")


def test_faces_answer_the_error_for_missing_faces(asking_shell: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    typed_at(asking_shell, capsys, "dice ask", "join Tad a hp=6")
    assert "Type each face after its thrower's name" in typed_at(asking_shell, capsys, "a ambushes b")
    assert "surprise=modre,tad [modre=2 tad=4]" in typed_at(asking_shell, capsys, "2 4")


def test_a_declared_outcome_stays_when_its_dice_are_typed(
    asking_shell: Repl, capsys: pytest.CaptureFixture[str]
) -> None:
    typed_at(asking_shell, capsys, BEGUN, "modre attacks clone p1", "it's a miss")
    assert "outcome=fail" in typed_at(asking_shell, capsys, "6 1")
