"""The sessions and scripts in README and docs print what they show, and links have targets.

A block ```console is a session: lines with `$ ` are typed, the rest is what they print. A line `…` stands for any
number of lines. All sessions of one page run in one empty folder, one after another. The blocks ```python of
`docs/python.md` are one script, and a block ```text after one is its output.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.app import main

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
SLOW = ("house-rules.md", "service.md")
"""Pages whose sessions start services or play hundreds of fights."""
SESSIONS = [page for page in PAGES if "```console" in page.read_text(encoding="utf-8")]


def sessions(page: Path) -> list[tuple[str, str]]:
    """Return every typed line of a page with what the page shows below it."""
    pairs: list[tuple[str, str]] = []
    for block in re.findall(r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        assert block.startswith("$ "), block
        for entry in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = entry.partition("\n")
            pairs.append((command, output))
    return pairs


DIGEST = re.compile(r"(expect\\? \d+:)[0-9a-f]{12}")
"""Digests, which depend on every byte of the output."""


def pattern(output: str) -> str:
    """Return a pattern for an example output.

    A line with only `…` matches any lines, and a digest matches any digest.
    """
    lines = [
        r"(?:.*\n)*" if line.strip() == "…" else DIGEST.sub(r"\1[0-9a-f]{12}", re.escape(line.rstrip())) + r"[ ]*\n"
        for line in output.splitlines()
    ]
    return "".join(lines)


MAM = re.compile(r"""mam((?:[^|<>;&$`"']|"[^"$`]*"|'[^']*')*)(?:\|(.*))?""")
"""A call of `mam`, perhaps piped into filters, that needs nothing else of a shell."""


def run_in_shell(command: str, folder: Path, environment: Mapping[str, str], stdin: str = "") -> str:
    """Run a line in a shell and return what a terminal shows."""
    process = subprocess.run(
        ["bash", "-c", command],
        check=False,
        cwd=folder,
        env=environment,
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return process.stdout


def run_in_process(command: str, folder: Path, environment: Mapping[str, str]) -> str:
    """Run `mam` in this process and any filters in a shell; return what a terminal shows."""
    match = MAM.fullmatch(command)
    if match is None:
        return run_in_shell(command, folder, environment)
    removed_variables = dict.fromkeys(os.environ.keys() - environment.keys())
    with chdir(folder):
        result = CliRunner(env={**environment, **removed_variables}).invoke(main, shlex.split(match[1]))
    return result.stderr + run_in_shell(match[2], folder, environment, result.stdout) if match[2] else result.output


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=pytest.mark.slow) if page.name in SLOW else page for page in SESSIONS],
    ids=lambda page: page.name,
)
def test_sessions_on_a_page_print_what_it_shows(page: Path, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MAM_")}
    environment |= {"PATH": f"{Path(sys.executable).parent}:{environment['PATH']}", "COLUMNS": "110", "NO_COLOR": "1"}
    # The README starts the program as its reader does; starts for every page take minutes.
    run = run_in_shell if page == SESSIONS[0] else run_in_process
    for command, output in sessions(page):
        result = run(command, tmp_path, environment)
        assert re.fullmatch(pattern(output), result), f"$ {command}\n{result}\n-- shown:\n{output}"


def test_the_script_on_the_python_page_prints_what_it_shows(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == page.count("```python")
    script = "print('\\0', end='')\n".join(code for code, _ in blocks)
    process = subprocess.run(
        [sys.executable, "-c", script],
        check=False,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stderr
    assert process.stdout.split("\0") == [output for _, output in blocks]


def test_the_readme_is_short_and_shows_the_shell() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    assert page.count("\n") <= 150
    assert len(re.findall(r"^(?:mam|r[0-9][^>\n]*)> ", page, re.MULTILINE)) >= 9
    assert SESSIONS[:1] == [ROOT / "README.md"]
    assert ROOT / "docs" / "tour.md" in SESSIONS


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_has_a_target(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        name, _, heading = target.partition("#")
        if not re.match(r"\w+:", name):
            file = page.parent / name if name else page
            assert file.exists(), target
            titles = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE) if heading else [""]
            assert heading in {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}, target
