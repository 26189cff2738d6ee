"""The shell for an evening, through a pipe and through a terminal of its own."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pexpect
import pyte
import pytest

from cli.session import Session
from cli.shell.glossary import AS_IN, THINGS, EditionName
from cli.shell.help import HELP
from cli.shell.questions import question_in
from cli.shell.repl import Repl
from cli.shell.toolbar import Toolbar
from mam_events.commands import COMMANDS, name_of
from mam_events.events import Note
from mam_events.fights import FightFile, play
from mam_events.log.combat_log import CombatLog
from mam_events.state import Pools, Turn
from tests.cli.calls import Mam, Rows
from tests.notation.evenings import NAMES, fight, lines

ROOT = Path(__file__).parents[3]
PATIENCE = 60.0
"""Seconds after which a table that says nothing is taken for stuck."""
JOINS = 'new duel\njoin modre "Modre" a pc hp=6 w=(Ice-Blade pow=3 at=1 reach=1)\njoin Clone b hp=6\ninit\n'


def told(log: CombatLog, encounter: str) -> list[tuple[str, str]]:
    """Return the orders that count, in their places, and then the notes, each with the person who gave it."""
    timeline = log.timeline(encounter)
    orders = [(name_of(timeline.command(number)), entry.head.by) for number, entry in timeline.living()]
    return [*orders, *((head.kind, head.by) for head in timeline.heads if isinstance(head, Note))]


def typed_by(log: CombatLog, repl: FightFile, by: str) -> list[tuple[str, str]]:
    """Return the orders and notes of an evening, with `by` as the author of lines after the joins that have none."""
    seated = 1 + len(repl.joins)
    said = told(log, repl.encounter)
    return [*said[:seated], *((what, who if who not in ("", repl.by) else by) for what, who in said[seated:])]


def assert_is_the_evening(table: Path, repl: FightFile, by: str) -> None:
    """Check that the table has the same fight as the file of the evening."""
    there = CombatLog.open("sqlite://")
    play(there, repl)
    with CombatLog.open(table / "mam.db") as here:
        state, wanted = here.at(repl.encounter), there.at(repl.encounter)
        assert state.combatants == wanted.combatants
        assert (state.order, state.round, state.had_turn) == (wanted.order, wanted.round, wanted.had_turn)
        assert (state.turn, state.exchange, state.status) == (wanted.turn, wanted.exchange, wanted.status)
        assert told(here, repl.encounter) == typed_by(there, repl, by)


@pytest.mark.parametrize("name", NAMES)
def test_an_evening_from_a_pipe_is_the_evening(mam: Mam, table: Path, name: str) -> None:
    repl = fight(name)
    with CombatLog.open(table / "mam.db") as log:
        for order in (repl.opening, *repl.joins):
            log.execute(repl.encounter, order.what, by=repl.by if order.by is None else order.by)  # type: ignore[arg-type]  # no remark
    mam("table", "--by", "Nora", stdin="\n".join(lines(name)))
    assert_is_the_evening(table, repl, "Nora")


def test_an_evening_with_mistakes_and_corrections_ends_as_it_should(mam: Mam, table: Path) -> None:
    typed = [
        "attak clone", "a ice p4 m2", "d 6", "2 1", "u", "2 2.", "redo", "n", "st", "amend 6 p3 !", "u", "status",
        "log --last 2", "? parry", "explain 6", "dice ask", "n; a clone p1", "r",
        'note "the lamp goes out"', "quit", "never typed",
    ]  # fmt: skip
    said = mam("table", stdin=JOINS + "\n".join(typed), code=1)
    assert 'Did you mean "attack"' in said.err
    assert '"st" could be stand or stay-mounted. Which' in said.err
    assert "correct ~#6=(power=3)" in said.out
    assert "MAM-INTF-06" in said.out
    assert "duel · mam_pools" in said.out
    assert "never typed" not in said.err
    with CombatLog.open(table / "mam.db") as log:
        timeline = log.timeline("duel")
    pools = {one.id: one.pools for one in timeline.state.combatants.values()}
    assert pools == {"modre": Pools(0, 2, 4, 0, 0), "clone": Pools(0, 6, 0, 0, 0)}
    assert (timeline.number, timeline.state.round, timeline.state.turn) == (15, 1, Turn("clone"))
    assert [number for number, _ in timeline.living()] == [1, 2, 3, 4, 5, 6, 7, 10, 11, 12]


def test_what_joined_as_one_leaves_as_one_and_comes_back(mam: Mam) -> None:
    said = mam("table", stdin="new cave\njoin goblin --count 3 --hp 4\nu\nredo\n")
    assert "correct -#2 -#3 -#4" in said.out
    assert "correct +#5" in said.out
    assert "goblin-3" in mam("pools").out
    assert mam("undo").out.count("undoes 2 (Goblin 1 joins), 3 and 4") == 1


def test_whoever_takes_back_the_last_line_means_the_last_that_was_shown(
    mam: Mam, table: Path, rows: Rows, capsys: pytest.CaptureFixture[str]
) -> None:
    mam("table", stdin=JOINS)
    sessions = [Session(), Session()]
    for session in sessions:
        session.store, session.encounter_name = str(table / "mam.db"), "duel"
    first, second = (Repl(session, lambda: True) for session in sessions)
    first.answer("modre")
    second.answer("log --last 1")
    second.answer("m 1")
    before = rows()
    first.answer("u")
    assert "newest: the newest is 6" in capsys.readouterr().err
    assert rows() == before
    # What others wrote has been seen by then.
    first.mark_shown(6)
    first.answer("u")
    assert "correct -#6" in capsys.readouterr().out
    for session in sessions:
        session.log().close()


def test_a_no_at_the_table_says_how_one_gets_on(mam: Mam) -> None:
    told = mam(
        "table",
        stdin=JOINS + "a ice p4\nn\n6 1\nnew other ron_d6\njoin A a\njoin B b\ninit surprise=a\n",
        code=1,
    )
    assert "next: the dice (Enter draws them), or a reaction" in told.err
    assert told.err.splitlines()[-1] == "next: ro"


def test_whoever_is_put_first_without_a_reason_is_told_the_line_that_does_it(mam: Mam) -> None:
    told = mam("table", stdin=f"{JOINS.replace('init', 'init first=clone')}", code=1).err
    (line,) = re.findall("next: (.*)", told)
    assert line == "init first=clone because …"
    assert "Clone begins" in mam("table", stdin=f"{line}\n").out


def test_a_table_goes_to_another_fight_by_its_name(mam: Mam) -> None:
    typed = f'{JOINS}new cave speed "The cave" by=Mira\nfight duel\na ice p4\nfight cav\nfight cave\njoin Rat b hp=3\n'
    told = mam("table", stdin=typed, code=1)
    assert 'Did you mean "cave"?' in told.err
    assert "modre: attack clone" in told.out
    assert "rat" in mam("pools", "-e", "cave").out
    assert "Mira" in mam("audit", "1", "-e", "cave").out
    assert 'Did you mean "duel"?' in mam("table", "duell", code=4).err


@pytest.mark.parametrize("word", ["new", "u", "amend", "dice", "fight", "gm", "n"])
def test_every_word_of_the_table_is_explained(mam: Mam, word: str) -> None:
    told = mam("table", stdin=f"? {word}\n{word} ?\n").out.splitlines()
    assert len(told) >= 2
    assert told[: len(told) // 2] == told[len(told) // 2 :]


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
def test_a_line_with_a_question_mark_asks_and_stays(line: str, word: str, *, stays: bool) -> None:
    question = question_in(line)
    assert question
    assert (question.word, question.stays) == (word, stays)


@pytest.mark.parametrize("line", ['note "was it?"', 'note "was it? he', "r {why?}", "find a?b", 'note "a \\" b?'])
def test_a_question_mark_in_text_asks_nothing(line: str) -> None:
    assert question_in(line) is None


@pytest.mark.parametrize("line", ["r ?", "r?", "init ?", "? r", "r ? 2 1", "a clone p4?", "u ?", "modre end?"])
def test_nothing_is_given_by_asking(mam: Mam, rows: Rows, line: str) -> None:
    mam("table", stdin=f"{JOINS}a ice p4 m2\n")
    before = rows()
    mam("table", stdin=f"{line}\n", code=None)
    assert rows() == before
    assert "asks and does nothing. Put text with" in mam("do", line, code=2).err
    assert rows() == before


def test_the_options_that_the_help_of_the_table_names_are_options(mam: Mam) -> None:
    told = " ".join(f"{typed} {does}" for typed, does in HELP)
    for command, option in re.findall(r"([a-z-]+) [0-9]+ (--[a-z]+)", told):
        assert option in mam(command, "--help").out


def test_nothing_is_made_where_a_table_is_only_opened(mam: Mam, table: Path) -> None:
    mam("table", stdin="help\n")
    assert not (table / "mam.db").exists()
    assert "The fight opens" in mam("table", stdin="\ufeffnew duel\n").out


def test_looks_at_the_table_see_what_was_written_a_moment_ago_and_other_stores_too(mam: Mam) -> None:
    mam("new", "other", "--store", "other.db")
    typed = f"{JOINS}a ice p4\nlog --last 1\npools --store other.db -e other\nd 6\nlog --last 1\nmam log\n"
    said = mam("table", stdin=typed)
    # The answer, the look behind it, and the whole log.
    for line in ("Modre attacks Clone", "6 points from ready to defense"):
        assert len(re.findall(rf"^#.*{line}", said.out, re.MULTILINE)) == 3


def test_the_table_throws_its_own_dice_where_it_says_so(mam: Mam) -> None:
    said = mam("table", "--dice", "ask", stdin=f"{JOINS}a ice p4 m2\nd 6\nr\n2 1\n", code=1)
    assert "is thrown at the table. Type its face (a d6)" in said.err
    assert "resolve [2 1]" in said.out
    assert "*]" not in said.out


def test_a_fight_that_cannot_be_begun_leaves_the_one_that_is_played(mam: Mam) -> None:
    said = mam("table", stdin=f"{JOINS}new\nnew other preset=nonsense\nlog --last 1\n", code=1)
    assert "What is the fight called?" in said.err
    assert 'no preset "nonsense"' in said.err
    assert said.out.rstrip().endswith("Modre begins (longest reach), then Clone")


def test_nobody_interferes_is_a_setting(mam: Mam) -> None:
    joined = f"{JOINS.replace('init', 'join Wolf b hp=6')}init first=modre reason=so\na clone p4\n"
    assert "Wolf may interfere" in mam("table", stdin=f"{joined}d 6 2 1\n").err
    mam("undo", "2", "--rewind", "--yes")
    more = joined.removeprefix("new duel\n")
    assert "was not used" not in mam("table", stdin=f"nobody interferes\n{more}d 6 2 1\nanybody interferes\n").err


class Terminal:
    """The table on a terminal of its own, and what stands on its screen."""

    def __init__(self, folder: Path, *words: str, rows: int = 24, columns: int = 80) -> None:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("MAM_")}
        environment |= {"TERM": "xterm", "NO_COLOR": "1", "XDG_STATE_HOME": str(folder / "state")}
        self.redactor = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.redactor)
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "cli.app", "table", *words],
            cwd=str(folder),
            env=environment | {"PYTHONPATH": str(Path(__file__).parents[3])},
            encoding="utf-8",
            dimensions=(rows, columns),
        )
        # A terminal is asked where its cursor is, and answers.
        self.redactor.write_process_input = self.child.send

    @property
    def shown(self) -> str:
        return "\n".join(line.rstrip() for line in self.redactor.display)

    def see(self, text: str) -> str:
        """Read on until that stands on the screen."""
        end = time.monotonic() + PATIENCE
        while text not in self.shown:
            assert time.monotonic() < end, f"{text!r} never came:\n{self.shown}"
            with suppress(pexpect.TIMEOUT):
                self.stream.feed(self.child.read_nonblocking(4096, timeout=0.2))
        return self.shown

    def answered(self) -> None:
        """Read on until an empty prompt stands below everything else."""
        end = time.monotonic() + PATIENCE
        while not re.search(r"(?:mam|closed|r[0-9][^\n]*)>\n+[^\n]*", self._below()):
            assert time.monotonic() < end, f"no prompt came:\n{self.shown}"
            with suppress(pexpect.TIMEOUT):
                self.stream.feed(self.child.read_nonblocking(4096, timeout=0.2))

    def _below(self) -> str:
        """Return the cursor's line and the lines below it, or "" if something was typed on that line."""
        rows = [line.rstrip() for line in self.redactor.display]
        quiet = self.redactor.cursor.x == len(rows[self.redactor.cursor.y]) + 1
        return "\n".join(rows[self.redactor.cursor.y :]) if quiet else ""

    def type(self, line: str) -> None:
        """Type a line; until its first letter stands there, none has been answered."""
        self.child.send(f"{line}\r")
        with suppress(pexpect.TIMEOUT):
            self.stream.feed(self.child.read_nonblocking(1, timeout=2))

    def leave(self) -> int:
        end = time.monotonic() + PATIENCE
        while self.child.isalive():
            assert time.monotonic() < end, f"nobody leaves:\n{self.shown}"
            with suppress(pexpect.TIMEOUT, pexpect.EOF, OSError):
                self.child.send("\x04")
                self.stream.feed(self.child.read_nonblocking(4096, timeout=0.5))
        self.child.close()
        return int(self.child.exitstatus or 0)


@pytest.fixture
def duel(table: Path) -> Iterator[Terminal]:
    """Yield a terminal with a fight that has begun."""
    terminal = Terminal(table)
    terminal.see("mam>")
    for line, then in zip(JOINS.splitlines(), ("opens", "Modre joins", "Clone joins", "next Modre>"), strict=True):
        terminal.type(line)
        terminal.see(then)
    yield terminal
    terminal.child.close(force=True)


def test_the_prompt_says_whose_turn_it_is_and_what_is_open_with_the_odds(duel: Terminal) -> None:
    duel.type("a ice p4 m2")
    duel.see("Modre → Clone?>")
    duel.see("attack on Clone: ")
    duel.type("d 6 2 1.")
    duel.see("next Clone>")
    assert duel.leave() == 0


@pytest.mark.slow
def test_a_correction_is_shown_and_asked_for_in_place(duel: Terminal, table: Path) -> None:
    duel.type("a ice p4 m2")
    duel.see("→ Clone?>")
    duel.type("d 6 2 1.")
    duel.see("next Clone>")
    duel.type("amend 6 p3")
    duel.see("Do it? [y/N]")
    duel.type("n")
    duel.see("Nothing was written")
    duel.see("next Clone>")
    duel.type("amend 6 p3")
    duel.see("Do it? [y/N]")
    duel.type("y")
    duel.see("amends 6")
    duel.see("next Clone>")
    assert duel.leave() == 0
    with CombatLog.open(table / "mam.db") as log:
        assert log.timeline("duel").command(6).power == 3  # type: ignore[attr-defined]  # an attack


@pytest.mark.slow
def test_what_another_process_writes_shows_at_once(duel: Terminal, mam: Mam) -> None:
    mam("note", "from elsewhere", "--by", "Ben")
    duel.see("Ben notes: from elsewhere")
    duel.type("n")
    duel.see("r1 Modre>")


@pytest.mark.slow
def test_ctrl_c_leaves_the_line_ctrl_d_the_table_and_a_resize_neither(duel: Terminal) -> None:
    duel.child.send("attack nobody")
    duel.child.send("\x03")
    duel.see("next Modre>")
    duel.child.setwinsize(40, 120)
    duel.type("n")
    duel.see("r1 Modre>")
    assert duel.leave() == 0


@pytest.mark.slow
def test_completion_offers_what_is_legal_and_tells_why_the_rest_is_not(duel: Terminal) -> None:
    duel.type("n")
    duel.see("r1 Modre>")
    duel.child.send("de\t")
    duel.see("declare-combo")
    duel.see("not now")
    duel.child.send("\x03")
    duel.see("r1 Modre>")


@pytest.mark.slow
def test_a_question_mark_explains_the_word_before_it_with_its_rule(duel: Terminal) -> None:
    duel.child.send("parry?")
    duel.see("MAM-INTF-06")
    duel.child.send("\x03")
    duel.child.send('\x15note "why?\r')
    duel.see("notes: why?")


@pytest.mark.slow
def test_a_question_keeps_its_line_and_gives_nothing(duel: Terminal, table: Path) -> None:
    duel.type("a ice p4 m2")
    duel.see("→ Clone?>")
    duel.child.send("clone parry ?")
    duel.see("MAM-INTF-06")
    duel.child.send("\r")
    duel.see("Remove the ? and press Enter to give the line.")
    duel.see("→ Clone?> clone parry ?\n")
    duel.child.send("\x0c\r")
    duel.see("Remove the ? and press Enter to give the line.")
    duel.see("→ Clone?> clone parry ?\n")
    with CombatLog.open(table / "mam.db") as log:
        assert log.timeline("duel").number == 6


@pytest.mark.slow
def test_what_is_typed_behind_a_line_that_was_only_a_question_replaces_it(duel: Terminal, table: Path) -> None:
    duel.type("a ice p4 m2")
    duel.see("→ Clone?>")
    for ended in ("", "\r"):
        duel.child.send("skip?")
        duel.see("Let a turn pass.")
        duel.child.send(f"{ended}status\r")
        duel.see("duel · mam_pools")
        assert "skip?status" not in duel.shown
        duel.child.send("\x0c")
    with CombatLog.open(table / "mam.db") as log:
        assert log.timeline("duel").number == 6
    duel.type("2 1")
    duel.see("resolve [2 1]")


@pytest.mark.slow
def test_enter_alone_asks_before_it_draws(duel: Terminal, table: Path) -> None:
    question = "Draw Modre's attack and Clone's defense? Enter again."
    duel.type("a ice p4 m2")
    duel.see("→ Clone?>")
    duel.type("")
    duel.see(question)
    # Anything else is no answer to that.
    duel.type("odds")
    duel.see("36 ways")
    duel.child.send("\x0c")
    duel.type("")
    duel.see(question)
    with CombatLog.open(table / "mam.db") as log:
        assert log.timeline("duel").number == 6
    duel.type("")
    duel.see("#7 ")
    assert "*]" in duel.shown


@pytest.mark.slow
def test_dice_that_were_typed_too_early_are_kept_while_their_exchange_is_open(duel: Terminal) -> None:
    duel.type("a ice p4 m2 2 1.")
    duel.see("Enter uses 2 1.")
    duel.see("→ Clone?>")
    duel.type("d 3")
    duel.see("Clone reacts")
    duel.see("→ Clone?>")
    duel.type("")
    duel.see("resolve [2 1]; modre: end-turn")
    duel.see("next Modre>")
    # They were used, and are not kept.
    duel.type("")
    duel.see("duel · mam_pools")


@pytest.fixture
def asked(mam: Mam, table: Path) -> Iterator[Repl]:
    """Yield a shell that may ask questions, in a fight with two of the same reach and an ally."""
    mam("table", stdin="new duel\njoin Modre a hp=6\njoin Clone b hp=6\njoin Rook b hp=6 w=(Sabre at=1)\n")
    session = Session()
    session.store, session.encounter_name, session.quiet = str(table / "mam.db"), "duel", True
    yield Repl(session, lambda: True, lambda _: "")
    session.log().close()


def typed_at(repl: Repl, capsys: pytest.CaptureFixture[str], *typed: str) -> str:
    """Type those lines, and return what was answered to the last."""
    for line in typed:
        capsys.readouterr()
        repl.answer(line)
    return "".join(capsys.readouterr())


BEGUN = 'init first=modre reason="he knew"'


@pytest.mark.parametrize(
    ("early", "typed", "answer"),
    [
        # All that are missing are typed.
        ("4", ("2",), "resolve [4 2]"),
        ("4.", ("2",), "resolve [4 2]; modre: end-turn"),
        # Whoever ends the turn uses them.
        ("4 2", (".",), "resolve [4 2]; modre: end-turn"),
        ("4", ("5 2",), "resolve [5 2]"),
        ("4 2", ("6 3",), "resolve [6 3]"),
        # One of those that are kept is replaced where it is said which.
        ("4 2", ("6",), "4 2 is kept, and Enter uses them. To replace a die with 6, type 6 2 or 4 6."),
        ("4 2", ("6", "4 6"), "resolve [4 6]"),
        ("4 2", ("- 6",), "resolve [4 6]"),
        ("4 2", ("6 -",), "resolve [6 2]"),
        ("4 2.", ("6", ""), "resolve [4 2]; modre: end-turn"),
        ("4 2", ("r",), "resolve [4 2]"),
        ("4", ("",), "4 is kept. Draw Clone's defense? Press Enter again, or type the face."),
        ("4", ("", "odds", ""), "4 is kept. Draw Clone's defense? Press Enter again, or type the face."),
        ("4", ("", "2"), "resolve [4 2]"),
        ("4", ("", ""), "resolve [4]"),
        ("4", ("r",), "resolve [4]"),
        # A reaction does not take their place either.
        (
            "4 2",
            ("d 1 6",),
            "Enter uses 4 2. 4 2 is kept, and Enter uses them. To replace a die with 6, type 6 2 or 4 6.",
        ),
        ("4 2", ("d 1 6", ""), "resolve [4 2]"),
        ("4 2", ("d 1 6 3", ""), "resolve [6 3]"),
        ("4", ("d 1 6", ""), "resolve [4 6]"),
        ("4 2", ("nobody interferes", "d 1 6"), "4 2 is kept for this roll."),
        ("4 2", ("nobody interferes", "d 1 6", ""), "resolve [4 2]"),
        ("4 2", ("nobody interferes", "d 1 6 3"), "clone: defend 1; resolve [6 3]"),
        # For somebody else's parry another die falls.
        ("4 2", ("rook parry #7", ""), "4 2 is kept. Draw Rook's interference? Press Enter again, or type the face."),
        ("4 2", ("rook parry #7", "", "5"), "resolve [4 2 #8=5]"),
        ("", ("rook parry #7", "4 2"), "4 2 is kept. Draw Rook's interference? Press Enter again, or type the face."),
        ("", ("rook parry #7", "4 2 5"), "resolve [4 2 #8=5]"),
        # An undone reaction takes its die along, and the others stay.
        ("4 2", ("rook parry #7 5", "u"), "If nobody reacts, Enter uses 4 2."),
        ("4 2.", ("rook parry #7 5", "u"), "If nobody reacts, Enter uses 4 2."),
        ("4 2", ("rook parry #7 5", "u", ""), "resolve [4 2]"),
        ("4 2", ("rook parry #7 5", "u", "rook parry #7 6", ""), "resolve [4 2 #10=6]"),
        # What was refused may have been the reaction that they waited for.
        ("4 2", ("rook parry nothing", ""), "Press Enter again to use 4 2. What was refused is not done."),
        ("4 2", ("rook parry nothing", "", ""), "resolve [4 2]"),
        ("4 2", ("rook parry nothing", "d 1", ""), "resolve [4 2]"),
        # A look says nothing of them, so that they still wait to be offered.
        ("4 2", ("rook parry nothing", "status", ""), "Press Enter again to use 4 2. What was refused is not done."),
        ("4 2", ("rook parry nothing", "", "c nothing", "odds", ""), "Enter again to use 4 2"),
        ("4 2", ("rook parry nothing", "note the lamp falls", ""), "resolve [4 2]"),
        ("4 2", ("explain 99", ""), "Press Enter again to use 4 2. What was refused is not done."),
        # Enter uses what is kept, and draws nothing.
        ("4 2", ("n",), "next: the dice (Enter uses 4 2), or a reaction"),
        ("", ("n",), "next: the dice (Enter draws them), or a reaction"),
    ],
)
def test_a_face_that_was_typed_is_used_or_kept_and_no_other_is_drawn_unasked(
    asked: Repl, capsys: pytest.CaptureFixture[str], early: str, typed: tuple[str, ...], answer: str
) -> None:
    shown = typed_at(asked, capsys, BEGUN, f"modre a clone p1 m1 {early}", *typed)
    assert answer in " ".join(shown.split())
    resolved = "resolve [" in shown
    assert ("*]" in shown) == (answer == "resolve [4]")
    assert bool(asked.session.timeline().state.exchange) != resolved


@pytest.mark.parametrize(
    ("before", "line", "question"),
    [
        ((), "init", "Draw Modre's tie-breaker, Clone's tie-breaker and Rook's tie-breaker? Press Enter again."),
        ((BEGUN,), 'modre check "climb" v8', "Draw Modre's check? Press Enter again."),
        ((BEGUN,), "a clone p1 m1; d 1; 4", "Draw Clone's defense? Press Enter again."),
        ((BEGUN, "nobody interferes"), "a clone p1 m1; pass 4", "Draw Clone's defense? Press Enter again."),
    ],
)
def test_no_die_falls_that_nobody_asked_for(
    asked: Repl, capsys: pytest.CaptureFixture[str], before: tuple[str, ...], line: str, question: str
) -> None:
    typed_at(asked, capsys, *before)
    number = asked.session.timeline().number
    assert typed_at(asked, capsys, line).strip() == question
    assert typed_at(asked, capsys, "status", "").strip() == question
    assert asked.session.timeline().number == number
    typed_at(asked, capsys, "")
    assert asked.session.timeline().number > number
    assert "duel · " in typed_at(asked, capsys, ""), "it is given once"


def test_of_pasted_lines_those_after_a_question_wait(asked: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Not done: modre; m 1" in typed_at(asked, capsys, "init\nmodre\nm 1")


def test_dice_that_are_asked_for_or_typed_at_a_pipe_are_drawn_at_once(mam: Mam) -> None:
    """From a pipe nobody can be asked."""
    assert "*]" in mam("table", stdin=f"{JOINS}a ice p4 m2\nr\n").out
    assert "*]" in mam("table", stdin=f"{JOINS.replace('duel', 'two')}a ice p4 m2\n4\n").out


@pytest.mark.slow
def test_a_ruling_is_picked_with_the_arrows(duel: Terminal) -> None:
    duel.type("a ice p4 m2")
    duel.see("→ Clone?>")
    duel.child.send("\x1bOQ")
    duel.see("Enter, u undo")
    duel.child.send("\x1b[A")
    duel.child.send("d")
    duel.see('dispute 5 "')
    duel.child.send("was it his turn\r")
    duel.see("disputes 5")


@pytest.mark.slow
def test_a_killed_table_loses_nothing_that_it_answered(duel: Terminal, mam: Mam) -> None:
    duel.type("a ice p4 m2")
    duel.see("#6 ")
    duel.see("→ Clone?>")
    duel.child.kill(signal.SIGKILL)
    assert "#6 " in mam("log").out
    mam("verify")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_an_evening_typed_live_with_mistakes_and_corrections_is_the_evening(table: Path, name: str) -> None:
    repl = fight(name)
    with CombatLog.open(table / "mam.db") as log:
        for order in (repl.opening, *repl.joins):
            log.execute(repl.encounter, order.what, by=repl.by if order.by is None else order.by)  # type: ignore[arg-type]  # no remark
    terminal = Terminal(table, "--by", "Nora")
    for at, line in enumerate(lines(name)):
        terminal.answered()
        if at % 4 == 1:
            terminal.type("attak everybody")
            terminal.answered()
        terminal.type(line)
        # Rulings that others speak of by number are not given twice.
        if at % 5 == 2 and "#" not in "".join(lines(name)):
            terminal.answered()
            terminal.type("u")
            terminal.answered()
            terminal.type("redo")
    terminal.answered()
    assert terminal.leave() == 0
    assert_is_the_evening(table, repl, "Nora")


@pytest.mark.slow
@pytest.mark.usefixtures("facing")
def test_a_second_screen_shows_every_change_until_it_is_stopped(mam: Mam, table: Path) -> None:
    watcher = pexpect.spawn(
        sys.executable,
        ["-m", "cli.app", "status", "--watch"],
        cwd=str(table),
        env={**os.environ, "TERM": "xterm", "PYTHONPATH": str(Path(__file__).parents[3])},
        encoding="utf-8",
        timeout=PATIENCE,
    )
    watcher.expect("it is Modre's turn")
    mam("do", "a p4")
    watcher.expect("Modre attacks Clone")
    watcher.sendintr()
    watcher.expect(pexpect.EOF)
    watcher.close()
    assert watcher.exitstatus == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("begins", "example", "least"),
    [("mam> new cellar", "", 6), ("r7 next Cora> amend 24", "the-toll-bridge.score", 4)],
    ids=["a fight", "a correction"],
)
def test_the_readme_shows_the_table_as_it_is(mam: Mam, table: Path, begins: str, example: str, least: int) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = readme.split(f"```text\n{begins}")[1].split("```")[0]
    redactor = f"{begins}{shown}".rstrip()
    if example:
        mam("play", str(ROOT / "examples" / example))
    typed = list(re.finditer(r"^(?:mam>|r[0-9][^>\n]*>|Which\? \[p/s/N\]) (.*)$", redactor, re.MULTILINE))
    assert len(typed) >= least
    terminal = Terminal(table, rows=redactor.count("\n") + 40, columns=100)
    terminal.see(begins.partition(">")[0])
    for line in typed:
        # Until the next prompt stands there, and what stands before it, nobody types on.
        answer, prompt = re.match(
            r"\n?(.*?)\n?((?:mam|r[0-9][^\n]*?)>|Which\? \[p/s/N\]|\Z)", redactor[line.end() :], re.DOTALL
        ).groups()  # type: ignore[union-attr]  # it ends somewhere
        terminal.type(line[1])
        terminal.see(answer.split("\n")[-1].strip())
        terminal.see(f"{answer.split(chr(10))[-1]}\n{prompt}".strip() if prompt else "")
    assert terminal.see(redactor).startswith(redactor)
    terminal.child.close(force=True)


@pytest.mark.parametrize("begun", ["", "modre\n", "modre\na ice p2\n"])
@pytest.mark.parametrize("asked", ["options", "options modre --all"])
def test_the_table_offers_lines_of_the_table_and_every_one_of_them_is_accepted(
    mam: Mam, begun: str, asked: str
) -> None:
    mam("table", stdin=f"{JOINS}{begun}")
    shown = mam("table", stdin=f"{asked}\n").out
    assert "mam " not in shown
    filled = {
        "NAME SIDE hp=POINTS": "wolf c hp=3",
        "REASON": "x",
        "WHAT": '"x"',
        "OPTION=READING": "half_success=never",
    }
    offered = [line for line in shown.split("\n\n")[1].splitlines() if not line.startswith(" ")]
    assert offered
    for line in offered:
        said = f"{line} !" if line == "close" else line
        for blank, value in filled.items():
            said = said.replace(blank, value)
        mam("do", said)
        mam("undo", "--yes")


def test_odds_are_asked_of_a_line_at_the_table_and_at_the_shell(mam: Mam) -> None:
    told = mam("table", stdin=f"{JOINS}modre\nodds a clone ice p2 m2\nodds attack clone 2 2 --weapon ice-blade\n").out
    first = [line for line in told.splitlines() if line.startswith("Modre's attack on Clone: hit")]
    assert len(first) == 2
    assert first[0] == first[1]
    assert first[0] in mam("odds", "a", "clone", "ice", "p2", "m2").out
    assert "Leave 3 4 out" in mam("odds", "a", "clone", "p2", "3", "4", code=2).err


def test_several_of_a_kind_join_by_a_line(mam: Mam, table: Path) -> None:
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


@pytest.mark.parametrize(
    ("line", "id_", "title"),
    [
        ('new --title "Foo Bar"', "foo-bar", "Foo Bar"),
        ('new "Foo Bar"', "foo-bar", "Foo Bar"),
        ('new hut title="The Hut"', "hut", "The Hut"),
        ('new hut --title "The Hut" --preset mam_speed', "hut", "The Hut"),
        ("new Old Mill Ambush", "old-mill-ambush", "Old Mill Ambush"),
        ("new Old Mill Ambush speed", "old-mill-ambush", "Old Mill Ambush"),
        ("new the road from other", "the-road", "the road"),
        ('new "The Road" from other', "the-road", "The Road"),
        ("new Cellar", "cellar", "Cellar"),
        ("new attic pools", "attic", ""),
    ],
)
def test_a_fight_is_begun_with_its_title_however_that_is_said(
    mam: Mam, table: Path, line: str, id_: str, title: str
) -> None:
    mam("table", stdin=f"new other\n{line}\njoin bo hp=3\n")
    with CombatLog.open(table / "mam.db") as log:
        state = log.at(id_)
    assert state.title == title
    assert list(state.combatants) == ["bo"], "it is the one that is meant from then on"


@pytest.mark.parametrize(
    ("line", "preset"),
    [
        ("new alley Ron d6", "ron_d6"),
        ("new the dark alley ron d6", "ron_d6"),
        ("new alley speed", "mam_speed"),
        ("new alley", "mam_pools"),
    ],
)
def test_a_preset_stands_behind_the_id_or_the_title_by_the_name_of_its_game_too(
    mam: Mam, table: Path, line: str, preset: str
) -> None:
    mam("table", stdin=f"{line}\n")
    with CombatLog.open(table / "mam.db") as log:
        (name,) = log.encounters()
        ruleset = log.at(name).ruleset
    assert ruleset
    assert ruleset.preset == preset


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("new alley Mano a Mano", '"Mano a Mano" could be mam_pools, mam_speed or mam_d20. Which'),
        ("new dark alley sped", 'Did you mean "mam_speed"? Put a title with that word in quotes.'),
        ("new the road from nowhere", 'There is no fight and no file "nowhere"'),
    ],
)
def test_a_fight_is_begun_by_no_guess(mam: Mam, line: str, told: str) -> None:
    assert told in mam("table", stdin=f"{line}\n", code=None).err


def test_an_order_of_another_edition_is_answered_alike_everywhere(mam: Mam) -> None:
    mam("table", stdin=JOINS)
    sentence = "There is no stalk under mam_pools, only under mam_speed or mam_d20."
    for said in (
        mam("stalk", "modre", "clone", code=1),
        mam("do", "stalk clone", code=1),
        mam("table", stdin="modre stalk clone\n", code=1),
    ):
        assert sentence in said.err


def test_help_is_of_the_edition(mam: Mam) -> None:
    pools = mam("table", stdin="new a\nhelp\n").out
    rounds = mam("table", stdin="new b ron_d6\nhelp\n").out
    speeds = mam("table", stdin="new c speed\nhelp\n").out
    assert "R D O S X" in pools
    assert "defense, other used" not in rounds + speeds
    assert "declare" not in pools
    assert "begins a turn with two actions" in rounds
    assert "attack; d 6 defends" not in rounds


def test_the_table_says_once_that_one_side_alone_stands(mam: Mam) -> None:
    typed = (
        "new d\njoin ana heroes hp=3\njoin rat foes hp=2\ninit first=ana reason=so\nn\ndamage foes 2\nn\nn\nu\nclose\n"
    )
    said = mam("table", stdin=typed)
    assert said.err.count("Nobody of the foes stands. Type close to end the fight.") == 1
    assert "The fight is over" in said.out
    mam("undo", "-e", "d")
    assert "Nobody of the foes stands: mam close -e d" in mam("do", "heal rat 1; damage rat 1", "-e", "d").err


ALLEY = (
    "new alley ron_d6\njoin Rook a code=(perception=2D brawling=3D agility=2D)\n"
    "join Thug b code=(perception=2D brawling=2D agility=2D)\nro rook 5 4 thug 2 1\n"
    "rook 2; punch thug v5 4 4\nr success\n"
)


def test_a_turn_with_actions_left_is_ended_only_once_that_was_asked(
    mam: Mam, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mam("table", stdin=ALLEY)
    session = Session()
    session.store, session.encounter_name, session.quiet = str(table / "mam.db"), "alley", True
    sure = False
    repl = Repl(session, lambda: sure, lambda _: "")
    said = typed_at(repl, capsys, "thug punch rook v5 3 3")
    assert "It is Rook's turn. Thug must also say how many actions they take before acting (declare)." in said
    number = session.timeline().number
    for line in ("thug 1", "n", "n thug 1", "."):
        told = typed_at(repl, capsys, line)
        assert "It is Rook's turn, with 1 action left that would be lost." in told, line
        assert "Nothing was written." in told
        assert session.timeline().number == number
    sure = True
    assert "Thug takes 1 action; Rook's turn is over with 1 action left" in typed_at(repl, capsys, "thug 1")
    session.log().close()


def test_from_a_pipe_a_turn_with_actions_left_is_ended_by_an_exclamation_mark(mam: Mam) -> None:
    told = mam("table", stdin=f"{ALLEY}thug 1\n", code=1).err
    assert "It is Rook's turn, with 1 action left that would be lost. End the line with ! to end that turn" in told
    assert "Rook's turn is over with 1 action left" in mam("table", stdin="thug 1 !\n").out
    # Whoever waits loses nothing.
    typed = "ro rook 5 4 thug 2 1 !\nrook 2; waits\nthug 1\n"
    assert "Thug takes 1 action\n" in mam("table", stdin=typed).out


@pytest.mark.parametrize("because", ["", "because "])
def test_words_after_a_result_say_why(mam: Mam, because: str) -> None:
    told = mam("table", stdin=f"{ALLEY.removesuffix('r success' + chr(10))}r success {because}he ducks\n").out
    assert "succeeds: he ducks" in told


def test_a_correction_of_what_is_disputed_tells_at_the_table_that_the_dispute_is_open(mam: Mam) -> None:
    joins = JOINS.removesuffix("init\n")
    mam("table", stdin=f"{joins}{BEGUN}\na clone ice p1 m1; d 1; 4 4\n")
    number = len(mam("log", "--json").lines)
    said = mam("table", stdin=f"dispute {number} he was behind cover\namend {number} fail because so !\n")
    about, dispute, amended = number, number + 1, number + 2
    assert "The game master disputes" in said.out
    assert (
        f"Dispute {dispute} about {about} is still open. To settle it, type rule-on {dispute} with {amended}."
        in said.err
    )
    refused = mam("table", stdin=f"rule-on {dispute} uphold\n", code=None).err
    assert f"{about} was amended in {amended} since: is the dispute settled by that?" in refused
    assert f"settled by that? rule-on {dispute} with {amended}." in refused
    assert f"by rule-on {dispute} uphold as-corrected." in refused
    assert f"mam rule-on {dispute} with {amended}." in mam("rule-on", f"{dispute}", "--uphold", code=2).err
    mam("table", stdin=f"rule-on {dispute} uphold as-corrected because it stands\n")
    assert f"upholds {about}" in mam("log", "--last", "1").out


@pytest.mark.parametrize(
    ("begun", "line", "begins"),
    [(JOINS, "a clone ice p2 m2", "modre"), (ALLEY.partition("rook 2")[0], "punch thug v5", "rook 1")],
)
def test_odds_between_turns_are_those_of_the_turn_that_the_line_would_begin(
    mam: Mam, begun: str, line: str, begins: str
) -> None:
    told = mam("table", stdin=f"{begun}odds {line}\n{begins}\nodds {line}\n").out
    between, within = (one for one in told.splitlines() if "needs a die" in one or "on average" in one)
    assert between == within
    assert between in mam("odds", *line.split()).out


def bar_of(table: Path, monkeypatch: pytest.MonkeyPatch, columns: int) -> list[str]:
    """Return the lines of the toolbar on a screen of that width."""
    monkeypatch.setenv("COLUMNS", str(columns))
    session = Session()
    session.store, session.quiet = str(table / "mam.db"), True
    try:
        return "".join(part[1] for part in Toolbar(session).text()).split("\n")
    finally:
        session.log().close()


def test_the_bar_drops_nobody_silently(mam: Mam, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    joins = "".join(f"join Rat{n} foes hp=6\n" for n in range(8))
    mam("table", stdin=f"{JOINS}{joins}damage rat0 6\ndamage rat1 6\ndamage rat2 6\nmodre\na rat3 ice p4 m2\n")
    *people, odds = bar_of(table, monkeypatch, 200)
    assert "Rat0 R0 D0 O0 S0 X6 incapacitated" in " ".join(people)
    assert "…" not in " ".join(people)
    assert "needs" in odds
    # Where there is little room, those who are down are told by name, and then the odds without what they need.
    *people, odds = bar_of(table, monkeypatch, 75)
    assert "✗Rat0 │ ✗Rat1 │ ✗Rat2" in " │ ".join(people)
    assert "Rat7" in people[-1]
    assert bar_of(table, monkeypatch, 60)[-1] == "Modre's attack on Rat3: 83%"
    *people, odds = shown = bar_of(table, monkeypatch, 24)
    assert (len(shown), people[-1][-3:], odds[-1]) == (4, "│ …", "…")
    assert max(map(len, shown)) <= 24


def test_between_rounds_the_prompt_and_the_status_name_the_same_round(mam: Mam) -> None:
    mam("table", stdin=f"{JOINS}modre.\nclone\nend-turn clone\n")
    with Session() as session:
        session.quiet = True
        assert "r2 next Modre" in Toolbar(session).prompt()
    assert "Round 2: Modre is next." in mam("status").out


def test_help_completes_every_order_and_every_word_of_the_log(mam: Mam) -> None:
    mam("table", stdin=JOINS)
    with Session() as session:
        offered = {one.word for one in Toolbar(session).continuations("? ")}
    assert {*COMMANDS, "undo", "gm", "note"} <= offered


def test_in_ron_d6_only_an_attack_says_that_somebody_is_down_already(mam: Mam) -> None:
    mam("table", stdin=ALLEY)
    mam("adjust", "--condition", "thug=incapacitated", "--reason", "a rock")
    mam("do", "rook: punch thug v5 4 4")
    shown = mam("log").out
    assert "Rook: punch at Thug, " in shown
    assert "Rook: punch at Thug (already down), " in shown, shown


def test_the_bar_says_that_actions_are_left(mam: Mam, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mam("table", stdin=ALLEY)
    assert "▸Rook 1/2 left" in bar_of(table, monkeypatch, 80)[0]


@pytest.mark.parametrize(
    ("line", "question", "answer", "given"),
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
def test_an_answer_completes_the_line_that_was_asked_about(
    asked: Repl, capsys: pytest.CaptureFixture[str], line: str, question: str, answer: str, given: str
) -> None:
    begun = ("join goblin foes hp=3 count=2", "join Zed a hp=8 w=(Sword) w=(Axe)", 'init first=zed reason="x"', "n")
    shown = typed_at(asked, capsys, *begun, line)
    assert question in shown
    assert given in typed_at(asked, capsys, answer)


def test_whatever_is_written_drops_the_question(asked: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    typed_at(
        asked, capsys, "join Zed a hp=8 w=(Sword) w=(Axe)", 'init first=zed reason="x"', "n", "a clone p1", "note so"
    )
    assert 'There is no "axe" here' in typed_at(asked, capsys, "axe")
    assert asked.session.timeline().state.exchange is None


@pytest.mark.parametrize(
    ("before", "line", "faces", "given"),
    [
        ((), "init", "5 2 4", "initiative [modre=5 clone=2 rook=4]"),
        ((BEGUN,), 'modre check "climb" v8', "5", "modre: check climb difficulty=8 [5]"),
    ],
)
def test_faces_answer_whether_dice_are_to_be_drawn(
    asked: Repl, capsys: pytest.CaptureFixture[str], before: tuple[str, ...], line: str, faces: str, given: str
) -> None:
    assert "Enter again." in typed_at(asked, capsys, *before, line)
    shown = typed_at(asked, capsys, faces)
    assert given in shown
    assert "*]" not in shown


def test_faces_of_another_number_are_asked_for_again(asked: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed_at(asked, capsys, "init", "5 2")
    assert "3 dice are thrown for this. Type one face for each, in the order in which they were named." in shown
    assert "initiative [modre=5 clone=2 rook=4]" in typed_at(asked, capsys, "5 2 4")


def test_dice_of_one_roll_are_counted_where_they_are_asked_for(asked: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    begun = ("new two ron_d6", "join Ann a perception=3D", "join Bo b perception=2D", "ro")
    shown = typed_at(asked, capsys, *begun, "ri")
    assert "Draw Ann's initiative (3 dice) and Bo's initiative (2 dice)? Press Enter again." in shown
    assert "5 dice are thrown for this: 3 of ann, 2 of bo;" in typed_at(asked, capsys, "5 2")
    assert "roll-initiative ann,bo [ann=5,2,1 bo=3,3]" in typed_at(asked, capsys, "5 2 1 3 3")


def test_more_dice_than_a_few_are_named_too_for_faces_may_follow(
    asked: Repl, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = " ".join(typed_at(asked, capsys, "join Zed a hp=3", "init").split())
    assert "the dice of 4 rolls (Modre's tie-breaker, Clone's tie-breaker, Rook's tie-breaker, Zed's" in shown


def test_who_was_left_out_of_a_roll_is_told_how_to_roll(asked: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    begun = ("new two ron_d6", *(f"join {who} a perception=2D" for who in ("Ann", "Bo", "Cy")))
    shown = typed_at(asked, capsys, *begun, "ro ann 5 2")
    assert "roll for Bo and Cy, type ri, or with their dice: ri bo … cy …." in shown
    assert "ri rolls" not in typed_at(asked, capsys, "bo 4 2 cy 1 1")


@pytest.mark.parametrize("preset", ["mam_pools", "mam_speed", "ron_d6"])
def test_what_a_thing_is_stands_first_and_is_of_the_edition(mam: Mam, preset: str) -> None:
    edition: EditionName = {"mam_pools": "pools", "mam_speed": "speed", "ron_d6": "actions"}[preset]  # type: ignore[assignment]  # one of them
    mam("table", stdin=f"new duel {preset}\n")
    for name, told in THINGS.items():
        shown = " ".join(mam("table", stdin=f"? {name}\n").out.split())
        assert shown.startswith(f"{name[0].upper()}{name[1:]}: {told[edition] or 'this edition has none.'}")
        other = "RD6-" if preset != "ron_d6" else "MAM-"
        assert other not in shown or name in ("round", "turn", "code")
    for do, examples in AS_IN.items():
        shown = " ".join(mam("table", stdin=f"? {do}\n").out.split())
        assert all(f"as in: {line}" in shown for line in examples[edition])
        mam("table", stdin="".join(f"{line}\n" for line in examples[edition]))
    assert "change-rules" in mam("table", stdin="? house rule\n").out


def test_what_a_thing_of_somebody_is_names_the_owner_and_then_the_kind(mam: Mam) -> None:
    shown = mam("table", stdin="new duel\njoin Bosk a hp=6 w=(Shield parry=1)\n? shield\n? bosk\n").out.splitlines()
    at = shown.index("Shield of Bosk: parry 1, in hand. Type ? bosk for everything about Bosk.")
    assert shown[at + 1].startswith("Shield: a weapon that parries.")
    assert any(line.startswith("hp 6") for line in shown[at:])


def test_without_a_fight_a_thing_is_told_for_each_edition(mam: Mam) -> None:
    shown = mam("table", stdin="? stuns\n? sheets\n").out
    assert "Stun in Mano a Mano with pools: " in shown
    assert "Stun in Mano a Mano with speed: " in shown
    assert "Stun in Ron d6" not in shown
    assert "Sheet: a character" in shown


def test_a_seat_that_differs_is_told_in_words(mam: Mam) -> None:
    typed = "new duel\njoin Modre a hp=6\njoin Clone b hp=6\nu\njoin Rook b hp=6\nredo !\n"
    said = mam("table", stdin=typed).out
    assert "Rook joins for b with 6 hit points: 6 ready (in another place around the table)" in " ".join(said.split())


def test_a_fight_begins_from_a_fight_or_from_a_file(mam: Mam, table: Path) -> None:
    (table / "party.toml").write_text('[[combatants]]\nname = "Rat"\nhp = 3\n', encoding="utf-8")
    assert "Rat" in mam("table", stdin="new cellar from=party.toml\n").out
    assert "where cellar left off" in mam("table", stdin="new attic from=cellar\n").out
    mam("table", stdin="join Ann heroes pc hp=4\ndamage rat 9 axe\n")
    behind = mam("table", stdin="new loft from attic\n")
    assert "attic left off (ruling 4: Rat stayed behind)" in behind.out
    assert (
        behind.err == "Rat stays behind because they are down. To bring everybody along, use new ID from=attic all.\n"
    )
    assert "Rat acts after" in mam("table", stdin="new roof from=attic all\n").out
    err = mam("table", stdin="new shed from=partie.toml\n", code=1).err
    assert 'There is no fight and no file "partie.toml". Known: cellar, attic, loft, roof.' in err


def test_without_a_fight_a_line_says_how_one_begins(mam: Mam) -> None:
    told = mam("table", stdin="modre attacks clone\n", code=None)
    assert "No fight is open yet. Type new NAME to begin one" in told.err


def test_play_without_a_file_tells_of_the_table(mam: Mam) -> None:
    err = mam("play", code=2).err
    assert "Missing FILE" in err
    assert "next: mam table" in err


def test_an_empty_roster_says_so_at_the_table(mam: Mam) -> None:
    assert "There is no sheet in roster yet" in mam("table", stdin="new cave\nsheets\n").err


@pytest.mark.parametrize("asked", ["ambush?", "init surprise?", "? ambush"])
def test_whoever_asks_for_an_ambush_reads_the_line_that_says_one(mam: Mam, asked: str) -> None:
    assert "init foes surprise the party" in mam("table", stdin=f"{JOINS}{asked}\n").out


def test_an_answer_completes_the_order_of_two_that_is_asked_about(mam: Mam) -> None:
    lines = ("new cave", "join Ann a hp=6", "join 2 Rats b hp=3", "init first=ann because x")
    out = mam("table", stdin="\n".join((*lines, "move 1, attack rat p1", "rat-2", "")), code=None)
    assert "; ann: attack rat-2 body power=1" in out.out


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("sure", [True, False])
def test_healing_everybody_asks_before_somebody_is_up_again(
    mam: Mam, capsys: pytest.CaptureFixture[str], *, sure: bool
) -> None:
    mam("table", stdin=JOINS + "damage clone 6 axe\n")
    with Session() as session:
        session.quiet = True
        repl = Repl(session, lambda: sure, lambda _: "")
        said = typed_at(repl, capsys, "heal everyone 1")
        assert "This gets Clone up again, who was down. For those who stand only, type `standing`.\n" in said
        assert ("Clone is up again" in said) == sure
        assert (session.timeline().state.combatants["clone"].condition == "able") == sure


@pytest.mark.parametrize(
    ("answer", "given"),
    [
        ("", "modre: ready defense=1 other_used=2; modre: attack clone body power=1"),
        ("all", "modre: ready defense=1 other_used=2; modre: attack clone body power=1"),
        ("o", "modre: ready other_used=2; modre: attack clone body power=1"),
        ("d", "modre: ready defense=2; modre: attack clone body power=1"),
        ("Defense", "modre: ready defense=2"),
    ],
)
def test_the_question_which_points_become_ready_takes_a_letter_or_enter(
    asked: Repl, capsys: pytest.CaptureFixture[str], answer: str, given: str
) -> None:
    """The other orders of the line go on once it is answered."""
    spent = 'gm modre 2 ready>defense 2 ready>other "so"'
    shown = typed_at(asked, capsys, BEGUN, "n", spent, "modre ready; a clone p1")
    assert "become ready from defense or other used. Which: ready all (d1 o2), ready o (o2) or ready d (d2)?" in shown
    assert "Press Enter for all." in shown
    assert given in " ".join(typed_at(asked, capsys, answer).split())


def test_of_a_crowd_those_who_are_down_are_counted_in_the_bar(mam: Mam) -> None:
    mam("table", stdin=JOINS + "join 10 Rats c hp=2\ndamage rat-1 2 axe\ndamage rat-2 2 axe\n")
    with Session() as session:
        session.quiet = True
        shown = "".join(words for _, words, *_ in Toolbar(session).text())
    assert "2 down" in shown
    assert "Rat 1 " not in shown
    assert "Rat 3 R2" in shown


def test_whoever_looks_first_may_still_answer_a_question(asked: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    typed_at(asked, capsys, BEGUN, "join Hob c hp=7 w=(Spear pow=2) w=(Dagger pow=1)", "modre.", "clone.", "rook.")
    said = typed_at(asked, capsys, "hob stabs modre p1 m1 4 3.")
    assert "With the Spear or the Dagger?" in said
    assert "next: hob stabs modre p1 m1 4 3 spear." in said
    assert "hob: attack modre dagger power=1 modifier=1" in typed_at(
        asked, capsys, "modre parries", "status", "? dagger", "dagger"
    )


def test_enter_answers_only_the_question_that_was_asked_last(asked: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    typed_at(asked, capsys, BEGUN, "a clone p1 m1 1 1.", "", "clone.", "rook.")
    assert "Press Enter for other." in typed_at(asked, capsys, "modre readies 1")
    assert "ready" not in typed_at(asked, capsys, "status", "")
    assert "modre: ready defense=1" in typed_at(asked, capsys, "defense")


def test_of_several_who_are_called_alike_one_is_answered_behind_an_article(
    asked: Repl, capsys: pytest.CaptureFixture[str]
) -> None:
    typed_at(asked, capsys, BEGUN, "join 2 Rats c hp=3")
    assert "which?" in typed_at(asked, capsys, "modre hits a rat p1")
    assert "modre: attack rat-2 body power=1" in typed_at(asked, capsys, "rat 2")


def test_in_ron_d6_a_wound_is_what_it_is_there_and_no_code_is_made_up(
    mam: Mam, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mam("table", stdin=ALLEY)
    session = Session()
    session.store, session.encounter_name, session.quiet = str(table / "mam.db"), "alley", True
    repl = Repl(session, lambda: True, lambda _: "")
    for word in ("wound", "wounded"):
        said = typed_at(repl, capsys, f"? {word}")
        assert 'situation="-1D wounded"' in " ".join(said.split())
        assert "ready" not in said
    assert "next: amend 2 code.fighting=…D" in typed_at(repl, capsys, "rook kicks thug v5 4 4")
    session.log().close()


def test_dice_that_are_said_anew_keep_the_full_stop(asked: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Enter uses 6 2." in typed_at(asked, capsys, BEGUN, "modre a clone p1 6 2.")
    assert "resolve [6 4]; modre: end-turn" in typed_at(asked, capsys, "6 4")


def test_whoever_joins_late_is_told_their_place(asked: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Rat acts after" in typed_at(asked, capsys, BEGUN, "join Rat c hp=3")
    typed_at(asked, capsys, "modre.", "clone.", "rook.", "rat")
    assert "Ox is next." in typed_at(asked, capsys, "join Ox c hp=3")


def test_that_nobody_interferes_is_said_again_in_another_fight(asked: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Still" not in typed_at(asked, capsys, "new Loft mam_pools")
    assert "type anybody interferes" in typed_at(asked, capsys, "nobody interferes", "new Attic mam_pools")
    assert "type anybody interferes" in typed_at(asked, capsys, "fight duel")


@pytest.mark.parametrize("line", ["join Finn a hp=6 w=(Bow kind=bow ammo=6)", "join Finn a hp=6 arrows=6", "? ammo"])
def test_ammunition_is_not_counted(asked: Repl, capsys: pytest.CaptureFixture[str], line: str) -> None:
    told = " ".join(typed_at(asked, capsys, line).split())
    assert "not counted: write what is left in a note. A gun or a crossbow has shots=6" in told


@pytest.mark.parametrize("line", ["new round", "begin round 2", "start the next round"])
def test_a_new_round_is_no_new_fight(mam: Mam, line: str) -> None:
    mam("table", stdin=f"{ALLEY}{line}\n", code=None)
    assert [one["encounter"] for one in mam("encounters", "--json").lines] == ["alley"]


@pytest.mark.parametrize(
    ("line", "answer", "given"),
    [
        ("modre lights a torch", "", 'note "modre lights a torch"'),
        ("modre moves", "3", "modre: move points=3"),
        ("modre moves", "4m", "metres=4"),
    ],
)
def test_a_question_is_answered_in_a_word(
    asked: Repl, capsys: pytest.CaptureFixture[str], line: str, answer: str, given: str
) -> None:
    typed_at(asked, capsys, BEGUN, line)
    assert given in typed_at(asked, capsys, answer)


def test_a_name_that_two_have_is_answered_by_the_name(asked: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    typed_at(asked, capsys, BEGUN, "join 2 ghouls c hp=5")
    assert "which?" in typed_at(asked, capsys, "modre attacks ghoul p1")
    assert "modre: attack ghoul-2" in typed_at(asked, capsys, "ghoul 2")


@pytest.mark.parametrize("line", ["the move stands, it was short", "it stands"])
def test_the_only_open_dispute_is_decided_by_what_stands(
    asked: Repl, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    typed_at(asked, capsys, BEGUN, "modre moves 1", "dispute 6 too far")
    assert "upholds 6" in typed_at(asked, capsys, line)
    timeline = asked.session.timeline()
    assert not [number for number, decided in timeline.disputes.items() if not decided]


def test_yes_is_what_enter_is(asked: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    typed_at(asked, capsys, BEGUN, "modre attacks clone p1")
    assert "Enter again" in typed_at(asked, capsys, "yes")
    assert "Modre → Clone" in typed_at(asked, capsys, "y")


def test_faces_answer_whose_dice_are_thrown_at_the_table(asked: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    typed_at(asked, capsys, "dice ask", "join Tad a hp=6")
    assert "Type its face" in typed_at(asked, capsys, "a ambushes b")
    assert "surprise=modre,tad [modre=2 tad=4]" in typed_at(asked, capsys, "2 4")


def test_why_explains_the_last_roll(asked: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    typed_at(asked, capsys, BEGUN, "modre attacks clone p1", "5 2", "modre moves 1")
    assert "power" in typed_at(asked, capsys, "why")
    assert typed_at(asked, capsys, "why") == typed_at(asked, capsys, "explain 8")


@pytest.mark.parametrize(
    "line", ["the rook stands up", "it stands to reason", "the ruling stands not", "that guard stands"]
)
def test_no_sentence_about_standing_decides_a_dispute(
    asked: Repl, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    typed_at(asked, capsys, BEGUN, "modre moves 1", "dispute 6 too far", line)
    timeline = asked.session.timeline()
    assert [number for number, decided in timeline.disputes.items() if not decided]


@pytest.mark.parametrize("answer", ["no", "n", "nope", "u"])
def test_no_refusal_and_no_letter_of_an_order_takes_what_was_offered(
    asked: Repl, capsys: pytest.CaptureFixture[str], answer: str
) -> None:
    typed_at(asked, capsys, BEGUN, "modre lights a torch", answer)
    assert not [one for one in asked.session.timeline().heads if isinstance(one, Note)]


def test_an_outcome_by_word_keeps_it_when_its_dice_are_typed(asked: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    typed_at(asked, capsys, BEGUN, "modre attacks clone p1", "it's a miss")
    assert "outcome=fail" in typed_at(asked, capsys, "6 1")
