"""The help of the table, and explanations of words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.session import Session
from cli.shell.glossary import AS_IN, THINGS, EditionName
from cli.shell.help import HELP
from cli.shell.repl import Repl
from cli.shell.toolbar import Toolbar
from mam_events.commands import COMMANDS
from tests.cli.calls import Mam
from tests.cli.shell.tables import ALLEY, JOINS, typed_at


@pytest.mark.parametrize("word", ["new", "u", "amend", "reveal", "hidden", "seen", "dice", "fight", "gm", "n"])
def test_every_word_of_the_table_is_explained(mam: Mam, word: str) -> None:
    lines = mam("table", stdin=f"? {word}\n{word} ?\n").out.splitlines()
    assert len(lines) >= 2
    assert lines[: len(lines) // 2] == lines[len(lines) // 2 :]


def test_the_options_in_the_help_exist(mam: Mam) -> None:
    text = " ".join(f"{example} {does}" for example, does in HELP)
    for command, option in re.findall(r"([a-z-]+) [0-9]+ (--[a-z]+)", text):
        assert option in mam(command, "--help").out


def test_the_help_depends_on_the_edition(mam: Mam) -> None:
    pools = mam("table", stdin="new a\nhelp\n").out
    rounds = mam("table", stdin="new b ron_d6\nhelp\n").out
    speeds = mam("table", stdin="new c speed\nhelp\n").out
    assert "R D O S X" in pools
    assert "defense, other used" not in rounds + speeds
    assert "declare" not in pools
    assert "begins a turn with two actions" in rounds
    assert "attack; d 6 defends" not in rounds


def test_a_question_mark_completes_every_order_and_log_keyword(mam: Mam) -> None:
    mam("table", stdin=JOINS)
    with Session() as session:
        suggestions = {one.word for one in Toolbar(session).continuations("? ")}
    assert {*COMMANDS, "undo", "gm", "note"} <= suggestions


@pytest.mark.parametrize("preset", ["mam_pools", "mam_speed", "ron_d6"])
def test_a_term_is_explained_for_the_edition(mam: Mam, preset: str) -> None:
    edition: EditionName = {"mam_pools": "pools", "mam_speed": "speed", "ron_d6": "actions"}[preset]  # type: ignore[assignment]  # one of them
    mam("table", stdin=f"new duel {preset}\n")
    for name, meaning in THINGS.items():
        text = " ".join(mam("table", stdin=f"? {name}\n").out.split())
        assert text.startswith(f"{name[0].upper()}{name[1:]}: {meaning[edition] or 'this edition has none.'}")
        other = "RD6-" if preset != "ron_d6" else "MAM-"
        assert other not in text or name in ("round", "turn", "code")
    for do, examples in AS_IN.items():
        text = " ".join(mam("table", stdin=f"? {do}\n").out.split())
        assert all(f"as in: {line}" in text for line in examples[edition])
        mam("table", stdin="".join(f"{line}\n" for line in examples[edition]))
    assert "change-rules" in mam("table", stdin="? house rule\n").out


def test_the_explanation_of_a_thing_begins_with_its_owner(mam: Mam) -> None:
    lines = mam("table", stdin="new duel\njoin Bosk a hp=6 w=(Shield parry=1)\n? shield\n? bosk\n").out.splitlines()
    at = lines.index("Shield of Bosk: parry 1, in hand. Type ? bosk for everything about Bosk.")
    assert lines[at + 1].startswith("Shield: a weapon that parries.")
    assert any(line.startswith("hp 6") for line in lines[at:])


def test_without_a_fight_a_term_is_explained_for_each_edition(mam: Mam) -> None:
    output = mam("table", stdin="? stuns\n? sheets\n").out
    assert "Stun in Mano a Mano with pools: " in output
    assert "Stun in Mano a Mano with speed: " in output
    assert "Stun in Ron d6" not in output
    assert "Sheet: a character" in output


@pytest.mark.parametrize("question", ["ambush?", "init surprise?", "? ambush"])
def test_the_explanation_of_ambushes_shows_a_line(mam: Mam, question: str) -> None:
    assert "init foes surprise the party" in mam("table", stdin=f"{JOINS}{question}\n").out


def test_the_explanation_of_wounds_in_ron_d6(mam: Mam, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mam("table", stdin=ALLEY)
    session = Session()
    session.store, session.encounter_name, session.quiet = str(table / "mam.db"), "alley", True
    repl = Repl(session, lambda: True, lambda _: "")
    for word in ("wound", "wounded"):
        output = typed_at(repl, capsys, f"? {word}")
        assert 'situation="-1D wounded"' in " ".join(output.split())
        assert "ready" not in output
    assert "next: amend 2 code.fighting=…D" in typed_at(repl, capsys, "rook kicks thug v5 4 4")
    session.log().close()


@pytest.mark.parametrize("line", ["join Finn a hp=6 w=(Bow kind=bow ammo=6)", "join Finn a hp=6 arrows=6", "? ammo"])
def test_the_explanation_of_ammunition(asking_shell: Repl, capsys: pytest.CaptureFixture[str], line: str) -> None:
    text = " ".join(typed_at(asking_shell, capsys, line).split())
    assert "counted only in guns and crossbows: shots=6" in text
