"""The sessions that README and docs show are run, and print what they show.

A block ```console is a session: lines with `$ ` are typed, the rest is what they print. A line `…` stands for any
number of lines. All sessions of one page run in one empty folder, one after another.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [
    page for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if "```console" in page.read_text()
]


def sessions(page: Path) -> list[tuple[str, str]]:
    """Every typed line of a page with what the page shows below it."""
    found: list[tuple[str, str]] = []
    for block in re.findall(r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        assert block.startswith("$ "), block
        for typed in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = typed.partition("\n")
            found.append((command, shown))
    return found


DIGEST = re.compile(r"(expect\\? \d+:)[0-9a-f]{12}")
"""What names exactly what was shown: it hangs on every byte of it, so that nobody reads it."""


def pattern(shown: str) -> str:
    """What is shown as a pattern in which `…` alone on a line stands for anything, and a digest for any digest."""
    lines = [
        r"(?:.*\n)*" if line.strip() == "…" else DIGEST.sub(r"\1[0-9a-f]{12}", re.escape(line.rstrip())) + r"[ ]*\n"
        for line in shown.splitlines()
    ]
    return "".join(lines)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_shows_is_what_is_printed(page: Path, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MAM_")}
    environment |= {"PATH": f"{Path(sys.executable).parent}:{environment['PATH']}", "COLUMNS": "110", "NO_COLOR": "1"}
    for command, shown in sessions(page):
        ran = subprocess.run(
            ["bash", "-c", command],
            check=False,
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert re.fullmatch(pattern(shown), ran.stdout), f"$ {command}\n{ran.stdout}\n-- shown:\n{shown}"


def test_the_python_that_the_readme_shows_runs(tmp_path: Path) -> None:
    blocks = re.findall(
        r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert blocks
    for block in blocks:
        subprocess.run(
            [sys.executable, "-c", block], check=True, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}
        )


def test_the_readme_shows_a_session() -> None:
    assert ROOT / "README.md" in PAGES
