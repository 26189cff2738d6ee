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
from cli.shell.evening import Evening
from cli.shell.help import HELP
from mam_events.commands import name_of
from mam_events.events import Note
from mam_events.fights import Fight, play
from mam_events.log.combat_log import CombatLog
from mam_events.state import Pools, Turn
from tests.cli.typed import Mam, Rows
from tests.notation.evenings import NAMES, fight, lines

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0
"""Seconds after which a table that says nothing is taken for stuck."""
JOINS = 'new duel\njoin modre "Modre" a pc hp=6 w=(Ice-Blade pow=3 at=1 reach=1)\njoin Clone b hp=6\ninit\n'


def told(log: CombatLog, encounter: str) -> list[tuple[str, str]]:
    """What counts of a fight, and who said it: every order in its place, then what was noted."""
    timeline = log.timeline(encounter)
    orders = [(name_of(timeline.command(number)), entry.head.by) for number, entry in timeline.living()]
    return [*orders, *((head.kind, head.by) for head in timeline.heads if isinstance(head, Note))]


def typed_by(log: CombatLog, evening: Fight, by: str) -> list[tuple[str, str]]:
    """The same where everybody was seated before, and then all was typed by that one that nobody else said."""
    seated = 1 + len(evening.joins)
    said = told(log, evening.encounter)
    return [*said[:seated], *((what, who if who not in ("", evening.by) else by) for what, who in said[seated:])]


def assert_is_the_evening(table: Path, evening: Fight, by: str) -> None:
    """At the table stands what the file of the evening tells."""
    there = CombatLog.open("sqlite://")
    play(there, evening)
    with CombatLog.open(table / "mam.db") as here:
        state, wanted = here.at(evening.encounter), there.at(evening.encounter)
        assert state.combatants == wanted.combatants
        assert (state.order, state.round, state.had_turn) == (wanted.order, wanted.round, wanted.had_turn)
        assert (state.turn, state.exchange, state.status) == (wanted.turn, wanted.exchange, wanted.status)
        assert told(here, evening.encounter) == typed_by(there, evening, by)


@pytest.mark.parametrize("name", NAMES)
def test_an_evening_from_a_pipe_is_the_evening(mam: Mam, table: Path, name: str) -> None:
    evening = fight(name)
    with CombatLog.open(table / "mam.db") as log:
        for order in (evening.opening, *evening.joins):
            log.execute(evening.encounter, order.what, by=evening.by if order.by is None else order.by)  # type: ignore[arg-type]  # no remark
    mam("table", "--by", "Nora", stdin="\n".join(lines(name)))
    assert_is_the_evening(table, evening, "Nora")


def test_an_evening_with_mistakes_and_corrections_ends_as_it_should(mam: Mam, table: Path) -> None:
    typed = [
        "attak clone", "a ice p4 m2", "d 6", "2 1", "u", "2 2.", "redo", "n", "st", "amend 6 p3 !", "u", "status",
        "log --last 2", "? parry", "explain 6", "dice ask", "n; a clone p1", "r",
        'note "the lamp goes out"', "quit", "never typed",
    ]  # fmt: skip
    said = mam("table", stdin=JOINS + "\n".join(typed), code=1)
    assert 'did you mean "attack"' in said.err
    assert '"st" is stand or stay-mounted: which?' in said.err
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
    assert mam("undo").out.count("takes back 2 (Goblin 1 joins), 3 and 4") == 1


def test_whoever_takes_back_the_last_line_means_the_last_that_was_shown(
    mam: Mam, table: Path, rows: Rows, capsys: pytest.CaptureFixture[str]
) -> None:
    mam("table", stdin=JOINS)
    sessions = [Session(), Session()]
    for session in sessions:
        session.store, session.encounter_name = str(table / "mam.db"), "duel"
    first, second = (Evening(session, lambda: True) for session in sessions)
    first.answer("modre")
    second.answer("log --last 1")
    second.answer("m 1")
    before = rows()
    first.answer("u")
    assert "not the newest any more" in capsys.readouterr().err
    assert rows() == before
    # What others wrote has been seen by then.
    first.shown(6)
    first.answer("u")
    assert "correct -#6" in capsys.readouterr().out
    for session in sessions:
        session.log().close()


def test_a_no_at_the_table_says_how_one_gets_on(mam: Mam) -> None:
    told = mam(
        "table",
        stdin=JOINS
        + "a ice p4\nn\n6 1\nnew other ron_d6\njoin A a code.perception=2d\njoin B b code.perception=2d\ninit\n",
        code=1,
    )
    assert "next: the dice (Enter draws them), or a reaction" in told.err
    assert told.err.splitlines()[-1] == "next: ro"


def test_a_table_goes_to_another_fight_by_its_name(mam: Mam) -> None:
    typed = f'{JOINS}new cave speed "The cave" by=Mira\nfight duel\na ice p4\nfight cav\nfight cave\njoin Rat b hp=3\n'
    told = mam("table", stdin=typed, code=1)
    assert 'did you mean "cave"?' in told.err
    assert "modre: attack clone" in told.out
    assert "rat" in mam("pools", "-e", "cave").out
    assert "Mira" in mam("audit", "1", "-e", "cave").out
    assert 'did you mean "duel"?' in mam("table", "duell", code=4).err


@pytest.mark.parametrize("word", ["new", "u", "amend", "dice", "fight", "gm", "n"])
def test_every_word_of_the_table_is_explained(mam: Mam, word: str) -> None:
    told = mam("table", stdin=f"? {word}\n{word} ?\n").out.splitlines()
    assert len(told) >= 2
    assert told[: len(told) // 2] == told[len(told) // 2 :]


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
    assert "is thrown at the table: say its face (a d6)" in said.err
    assert "resolve [2 1]" in said.out
    assert "*]" not in said.out


def test_a_fight_that_cannot_be_begun_leaves_the_one_that_is_played(mam: Mam) -> None:
    said = mam("table", stdin=f"{JOINS}new\nnew other nonsense\nlog --last 1\n", code=1)
    assert "what is the fight called?" in said.err
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
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "cli.main", "table", *words],
            cwd=str(folder),
            env=environment | {"PYTHONPATH": str(Path(__file__).parents[2])},
            encoding="utf-8",
            dimensions=(rows, columns),
        )
        # A terminal is asked where its cursor is, and answers.
        self.screen.write_process_input = self.child.send

    @property
    def shown(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

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
        """The line of the cursor, if nothing was typed there, and what stands below it."""
        rows = [line.rstrip() for line in self.screen.display]
        quiet = self.screen.cursor.x == len(rows[self.screen.cursor.y]) + 1
        return "\n".join(rows[self.screen.cursor.y :]) if quiet else ""

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
    """The table, with a fight begun at it."""
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


def test_what_another_process_writes_shows_at_once(duel: Terminal, mam: Mam) -> None:
    mam("note", "from elsewhere", "--by", "Ben")
    duel.see("Ben notes: from elsewhere")
    duel.type("n")
    duel.see("r1 Modre>")


def test_ctrl_c_leaves_the_line_ctrl_d_the_table_and_a_resize_neither(duel: Terminal) -> None:
    duel.child.send("attack nobody")
    duel.child.send("\x03")
    duel.see("next Modre>")
    duel.child.setwinsize(40, 120)
    duel.type("n")
    duel.see("r1 Modre>")
    assert duel.leave() == 0


def test_completion_offers_what_is_legal_and_tells_why_the_rest_is_not(duel: Terminal) -> None:
    duel.type("n")
    duel.see("r1 Modre>")
    duel.child.send("de\t")
    duel.see("declare-combo")
    duel.see("not now")
    duel.child.send("\x03")
    duel.see("r1 Modre>")


def test_a_question_mark_explains_the_word_before_it_with_its_rule(duel: Terminal) -> None:
    duel.child.send("parry?")
    duel.see("MAM-INTF-06")
    duel.child.send("\x03")
    duel.child.send('\x15note "why?\r')
    duel.see("notes: why?")


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


def test_a_killed_table_loses_nothing_that_it_answered(duel: Terminal, mam: Mam) -> None:
    duel.type("a ice p4 m2")
    duel.see("#6 ")
    duel.see("→ Clone?>")
    duel.child.kill(signal.SIGKILL)
    assert "#6 " in mam("log").out
    mam("verify")


@pytest.mark.parametrize("name", NAMES)
def test_an_evening_typed_live_with_mistakes_and_corrections_is_the_evening(table: Path, name: str) -> None:
    evening = fight(name)
    with CombatLog.open(table / "mam.db") as log:
        for order in (evening.opening, *evening.joins):
            log.execute(evening.encounter, order.what, by=evening.by if order.by is None else order.by)  # type: ignore[arg-type]  # no remark
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
    assert_is_the_evening(table, evening, "Nora")


@pytest.mark.usefixtures("facing")
def test_a_second_screen_shows_every_change_until_it_is_stopped(mam: Mam, table: Path) -> None:
    watcher = pexpect.spawn(
        sys.executable,
        ["-m", "cli.main", "status", "--watch"],
        cwd=str(table),
        env={**os.environ, "TERM": "xterm", "PYTHONPATH": str(Path(__file__).parents[2])},
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


@pytest.mark.parametrize(
    ("begins", "example", "least"),
    [("mam> new cellar", "", 6), ("r6 next Cora> amend 24", "the-toll-bridge.score", 4)],
    ids=["a fight", "a correction"],
)
def test_the_readme_shows_the_table_as_it_is(mam: Mam, table: Path, begins: str, example: str, least: int) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = readme.split(f"```text\n{begins}")[1].split("```")[0]
    screen = f"{begins}{shown}".rstrip()
    if example:
        mam("play", str(ROOT / "examples" / example))
    typed = re.findall(r"^(?:mam>|r[0-9][^>\n]*>|Which\? \[p/s/N\]) (.*)$", screen, re.MULTILINE)
    assert len(typed) >= least
    terminal = Terminal(table, rows=screen.count("\n") + 40, columns=100)
    terminal.see(begins.partition(">")[0])
    at = 0
    for line in typed:
        at = screen.index(line, at) + len(line)
        # Until the next prompt stands there, and what stands before it, nobody types on.
        answer, prompt = re.match(
            r"\n?(.*?)\n?((?:mam|r[0-9][^\n]*?)>|Which\? \[p/s/N\]|\Z)", screen[at:], re.DOTALL
        ).groups()  # type: ignore[union-attr]  # it ends somewhere
        terminal.type(line)
        terminal.see(answer.split("\n")[-1].strip())
        terminal.see(f"{answer.split(chr(10))[-1]}\n{prompt}".strip() if prompt else "")
    assert terminal.see(screen).startswith(screen)
    terminal.child.close(force=True)
