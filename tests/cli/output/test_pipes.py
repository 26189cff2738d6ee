"""The command line among other programs: pipes, encodings, completion and interrupts."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.app import main
from cli.exit_codes import ABORTED, READER_GONE, UNPRINTED

ROOT = Path(__file__).parents[3]
# -P as for the installed program: with the current directory on its path, Python 3.13.0 fails if that was deleted.
PROGRAM = [sys.executable, "-P", "-c", "from cli.app import main; main()"]
LEAVING = (["replay", "--json"], ["export"], ["--help"], ["log", "--help"])


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


@pytest.mark.usefixtures("fight")
@pytest.mark.parametrize("words", [["log"], *(pytest.param(words, marks=pytest.mark.slow) for words in LEAVING)])
def test_a_reader_that_leaves_early_causes_no_traceback(words: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.run([*PROGRAM, *words], stdout=writer, stderr=subprocess.PIPE, env=environment(), check=False)
    os.close(writer)
    assert process.returncode == READER_GONE
    assert b"Traceback" not in process.stderr
    assert b"Broken" not in process.stderr


@pytest.mark.usefixtures("fight")
def test_an_order_whose_output_cannot_be_printed_is_written_and_reported() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [*PROGRAM, "end-turn"], stdout=full, stderr=subprocess.PIPE, env=environment(), check=False
        )
    assert result.returncode == UNPRINTED
    assert "was carried out, but its answer could not be printed" in result.stderr.decode()
    assert "Traceback" not in result.stderr.decode()
    process = subprocess.run([*PROGRAM, "log", "--last", "1"], capture_output=True, env=environment(), check=False)
    assert process.stdout.decode().startswith("#22")


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
@pytest.mark.parametrize("words", [["report", "-q"], ["log", "-q"], ["export", "-q"], ["undo", "6", "-q"], ["--help"]])
def test_a_view_that_cannot_be_printed_does_not_claim_to_have_written(words: list[str]) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    with Path("/dev/full").open("wb") as full:
        process = subprocess.run(
            [*PROGRAM, *words], stdout=full, stderr=subprocess.PIPE, env=environment(), check=False
        )
    assert process.returncode == UNPRINTED
    assert process.stderr.decode() == "The answer could not be printed: no space left on device.\n"


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
@pytest.mark.parametrize(
    ("words", "code"), [(["end-turn"], 0), (["pools", "-e", "nosuch"], 4), (["move", "9"], 1), (["frobnicate"], 2)]
)
def test_the_exit_code_is_right_even_if_errors_cannot_be_printed(words: list[str], code: int) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    with Path("/dev/full").open("wb") as full:
        process = subprocess.run(
            [*PROGRAM, *words], stdout=subprocess.PIPE, stderr=full, env=environment(), check=False
        )
    assert process.returncode == code


@pytest.mark.slow
def test_a_deleted_working_directory_is_reported(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    line = f"cd gone && rmdir ../gone && {shlex.join([*PROGRAM, 'new', 'duel'])}"
    process = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True, check=False
    )
    assert process.returncode == 6
    assert "Traceback" not in process.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_do_not_stop_an_order(closed: str) -> None:
    line = f"{shlex.join([*PROGRAM, 'end-turn'])} {closed}"
    assert subprocess.run(["bash", "-c", line], env=environment(), check=False).returncode == 0
    process = subprocess.run([*PROGRAM, "log", "--last", "1"], capture_output=True, env=environment(), check=False)
    assert process.stdout.decode().startswith("#22")


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
@pytest.mark.parametrize("words", [["export"], ["export", "--format", "toml"]])
def test_an_export_to_a_closed_standard_output_fails(words: list[str]) -> None:
    line = f"{shlex.join([*PROGRAM, *words])} >&-"
    process = subprocess.run(["bash", "-c", line], env=environment(), stderr=subprocess.PIPE, text=True, check=False)
    assert process.returncode == 2
    assert "Standard output is closed. Name a file to write to.\n" in process.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
def test_signs_missing_in_the_encoding_cause_no_traceback() -> None:
    for words in (["log"], ["--help"], ["pools"], ["attack", "Ω"]):
        process = subprocess.run(
            [*PROGRAM, *words], capture_output=True, env=environment(PYTHONIOENCODING="ascii"), check=False
        )
        assert process.returncode in {0, 1}, process.stderr
        assert b"Traceback" not in process.stderr


def completed(line: str) -> list[str]:
    variables = {"_MAM_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    result = CliRunner(env=variables).invoke(main, prog_name="mam")
    assert result.stderr == ""
    return [completion.split(",", 1)[1] for completion in result.stdout.splitlines() if completion]


@pytest.mark.usefixtures("fight")
@pytest.mark.parametrize(
    ("line", "completions"),
    [
        ("mam und", ["undo"]),
        ("mam attack ", ["modre", "clone"]),
        ("mam attack modre cl", ["clone"]),
        ("mam -e mo", ["modre-and-the-clone"]),
        ("mam pools --encounter ", ["modre-and-the-clone"]),
        ("mam --store nowhere.db pools -e ", []),
        ("mam attack --wea", ["--weapon"]),
        ("mam rules s", ["show"]),
        ("mam rules show mam_p", ["mam_pools"]),
        ("mam new --preset r", ["ron_d6"]),
        ("mam attack --light ", ["lit", "very_dim", "total_darkness"]),
        ("mam take-posture ", ["modre", "clone"]),
        ("mam take-position c", ["clone", "clinch"]),
        ("mam take-posture clone e", ["evading"]),
        ("mam spend modre f", ["fate"]),
        ("mam result ", ["success", "failure"]),
        ("mam adjust --outcome f", ["full", "fail"]),
        ("mam join --kind ", ["pc", "npc", "boss_npc"]),
        ("mam schema ready", ["ready", "ready-weapon"]),
    ],
)
def test_a_shell_completes_commands_options_their_choices_and_names(line: str, completions: list[str]) -> None:
    assert completed(line) == completions
    assert not Path("nowhere.db").exists()


INTERRUPTED = """\
import os, signal, sys
moments = sys.argv.pop(1).split(",")
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name in moments:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
from cli.entry import main
main()
"""
"""The program, interrupted when it imports one of the modules in the first argument."""


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
@pytest.mark.parametrize(
    "moments",
    [
        "cli.app",
        "click",
        "cli.session",
        "cli.orders.builder",
        "mam_events.log.combat_log",
        "mam_events.log.combat_log,cli.errors",
    ],
)
def test_an_interrupt_at_any_moment_causes_no_traceback(moments: str) -> None:
    program = [sys.executable, "-c", INTERRUPTED, moments, "end-turn"]
    process = subprocess.run(program, capture_output=True, env=environment(), text=True, check=False)
    assert process.returncode == ABORTED
    assert "Traceback" not in process.stderr
    assert len(process.stderr.split("\n", 1)[-1].splitlines()) <= 1


MEETING = """\
import os, signal
import cli.app
from mam_events.store.sqlite_connections import Connections
def interrupt(*_, **__):
    os.kill(os.getpid(), signal.SIGINT)
class Gone:
    __del__ = interrupt
{}
from cli.entry import main
main()
"""
"""The program, interrupted while an object is deleted, or half created."""


@pytest.mark.slow
@pytest.mark.usefixtures("fight")
@pytest.mark.parametrize(
    ("moment", "code"),
    [("cli.app.replace_closed_streams = Gone", 0), ("Connections.__init__ = interrupt", ABORTED)],
)
def test_an_interrupt_during_cleanup_or_setup_causes_no_traceback(moment: str, code: int) -> None:
    program = [sys.executable, "-c", MEETING.format(moment), "pools"]
    process = subprocess.run(program, capture_output=True, env=environment(), text=True, check=False)
    assert process.returncode == code
    assert "Traceback" not in process.stderr
    assert "Exception ignored" not in process.stderr
