"""Fights played on a terminal."""

from __future__ import annotations

import os
import re
import signal
import sys
from pathlib import Path

import pexpect
import pytest

from mam_events.log.combat_log import CombatLog
from tests.cli.calls import Mam
from tests.cli.shell.tables import PATIENCE, Terminal, assert_same_fight
from tests.notation.evenings import NAMES, fight, lines

ROOT = Path(__file__).parents[3]


def test_the_prompt_shows_the_turn_the_open_exchange_and_the_odds(duel: Terminal) -> None:
    duel.type("a ice p4 m2", "Modre → Clone?>", "attack on Clone: ")
    duel.type("d 6 2 1.", "next Clone>")
    assert duel.leave() == 0


@pytest.mark.slow
def test_a_correction_is_previewed_and_confirmed(duel: Terminal, table: Path) -> None:
    duel.type("a ice p4 m2", "→ Clone?>")
    duel.type("d 6 2 1.", "next Clone>")
    duel.type("amend 6 p3", "Do it? [y/N]")
    duel.type("n", "Nothing was written", "next Clone>")
    duel.type("amend 6 p3", "Do it? [y/N]")
    duel.type("y", "amends 6", "next Clone>")
    assert duel.leave() == 0
    with CombatLog.open(table / "mam.db") as log:
        assert log.timeline("duel").command(6).power == 3  # type: ignore[attr-defined]  # an attack


@pytest.mark.slow
def test_rulings_of_another_process_are_shown_at_once(duel: Terminal, mam: Mam) -> None:
    mam("note", "from elsewhere", "--by", "Ben")
    duel.see("Ben notes: from elsewhere")
    duel.type("n", "r1 Modre>")


@pytest.mark.slow
def test_ctrl_c_drops_the_line_and_ctrl_d_leaves(duel: Terminal) -> None:
    duel.child.send("attack nobody")
    duel.child.send("\x03")
    duel.see("next Modre>")
    duel.child.setwinsize(40, 120)
    duel.type("n", "r1 Modre>")
    assert duel.leave() == 0


@pytest.mark.slow
def test_completion_offers_legal_words_and_explains_the_others(duel: Terminal) -> None:
    duel.type("n", "r1 Modre>")
    duel.child.send("de\t")
    duel.see("declare-combo")
    duel.see("not now")
    duel.child.send("\x03")
    duel.see("r1 Modre>")


@pytest.mark.slow
def test_a_question_mark_explains_the_word_before_it(duel: Terminal) -> None:
    duel.child.send("parry?")
    duel.see("MAM-INTF-06")
    duel.child.send("\x03")
    duel.child.send('\x15note "why?\r')
    duel.see("notes: why?")


@pytest.mark.slow
def test_a_line_with_a_question_mark_stays_and_is_not_given(duel: Terminal, table: Path) -> None:
    duel.type("a ice p4 m2", "→ Clone?>")
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
def test_the_next_key_replaces_a_line_that_is_only_a_question(duel: Terminal, table: Path) -> None:
    duel.type("a ice p4 m2", "→ Clone?>")
    for ended in ("", "\r"):
        duel.child.send("skip?")
        duel.see("Skip a turn.")
        duel.child.send(f"{ended}status\r")
        duel.see("duel · mam_pools")
        assert "skip?status" not in duel.shown
        duel.child.send("\x0c")
    with CombatLog.open(table / "mam.db") as log:
        assert log.timeline("duel").number == 6
    duel.type("2 1", "resolve [2 1]")


@pytest.mark.slow
def test_enter_asks_before_it_draws(duel: Terminal, table: Path) -> None:
    question = "Draw the dice for Modre's attack and Clone's defense? Press Enter again."
    duel.type("a ice p4 m2", "→ Clone?>")
    duel.type("", question)
    # Any other line drops the question.
    duel.type("odds", "36 ways")
    duel.child.send("\x0c")
    duel.type("", question)
    with CombatLog.open(table / "mam.db") as log:
        assert log.timeline("duel").number == 6
    duel.type("", "#7 ")
    assert "*]" in duel.shown


@pytest.mark.slow
def test_dice_typed_too_early_are_kept_while_their_exchange_is_open(duel: Terminal) -> None:
    duel.type("a ice p4 m2 2 1.", "Enter uses 2 1.", "→ Clone?>")
    duel.type("d 3", "Clone reacts", "→ Clone?>")
    duel.type("", "resolve [2 1]; modre: end-turn", "next Modre>")
    # The used dice are not kept.
    duel.type("", "duel · mam_pools")


@pytest.mark.slow
def test_a_ruling_is_picked_with_the_arrows(duel: Terminal) -> None:
    duel.type("a ice p4 m2", "→ Clone?>")
    duel.child.send("\x1bOQ")
    duel.see("Enter, u undo")
    duel.child.send("\x1b[A")
    duel.child.send("d")
    duel.see('dispute 5 "')
    duel.child.send("was it his turn\r")
    duel.see("disputes 5")


@pytest.mark.slow
def test_a_killed_table_loses_no_answered_line(duel: Terminal, mam: Mam) -> None:
    duel.type("a ice p4 m2", "#6 ", "→ Clone?>")
    duel.child.kill(signal.SIGKILL)
    assert "#6 " in mam("log").out
    mam("verify")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_fight_typed_with_mistakes_gives_the_same_fight(table: Path, name: str) -> None:
    fight_file = fight(name)
    with CombatLog.open(table / "mam.db") as log:
        for order in (fight_file.opening, *fight_file.joins):
            log.execute(fight_file.encounter, order.what, by=fight_file.by if order.by is None else order.by)  # type: ignore[arg-type]  # no remark
    terminal = Terminal(table, "--by", "Nora")
    for at, line in enumerate(lines(name)):
        terminal.answered()
        if at % 4 == 1:
            terminal.type("attak everybody")
            terminal.answered()
        terminal.type(line)
        # Don't repeat rulings if later lines name rulings by number.
        if at % 5 == 2 and "#" not in "".join(lines(name)):
            terminal.answered()
            terminal.type("u")
            terminal.answered()
            terminal.type("redo")
    terminal.answered()
    assert terminal.leave() == 0
    assert_same_fight(table, fight_file, "Nora")


@pytest.mark.slow
@pytest.mark.usefixtures("modres_turn")
def test_status_watch_shows_every_change(mam: Mam, table: Path) -> None:
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
    session = readme.split(f"```text\n{begins}")[1].split("```")[0]
    screen = f"{begins}{session}".rstrip()
    if example:
        mam("play", str(ROOT / "examples" / example))
    prompts = list(re.finditer(r"^(?:mam>|r[0-9][^>\n]*>|Which\? \[p/s/N\]) (.*)$", screen, re.MULTILINE))
    assert len(prompts) >= least
    terminal = Terminal(table, rows=screen.count("\n") + 40, columns=100)
    terminal.see(begins.partition(">")[0])
    for line in prompts:
        # Wait for the next prompt and the lines before it.
        answer, prompt = re.match(
            r"\n?(.*?)\n?((?:mam|r[0-9][^\n]*?)>|Which\? \[p/s/N\]|\Z)", screen[line.end() :], re.DOTALL
        ).groups()  # type: ignore[union-attr]  # it ends somewhere
        terminal.type(line[1], answer.split("\n")[-1].strip())
        terminal.see(f"{answer.split(chr(10))[-1]}\n{prompt}".strip() if prompt else "")
    assert terminal.see(screen).startswith(screen)
    terminal.child.close(force=True)
