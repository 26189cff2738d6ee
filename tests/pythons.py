"""Print the newest Python of each other minor version on this machine that can run the program."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

OLDEST = (3, 11)
NEWEST = (3, 19)
_ASK = "import ensurepip, json, sys, venv; print(json.dumps([sys.version_info[:3], sys.implementation.name]))"


def candidates() -> Iterator[str]:
    """Yield the paths at which a Python may be, whether it works or not."""
    for minor in range(OLDEST[1], NEWEST[1] + 1):
        if found := shutil.which(f"python3.{minor}"):
            yield found
    yield from map(str, sorted(Path.home().glob(".pyenv/versions/*/bin/python")))


def version(python: str) -> tuple[int, ...]:
    """Return the release of that Python.

    Return () if it can't run or can't create virtual environments.
    """
    try:
        output = subprocess.run([python, "-c", _ASK], capture_output=True, check=True, timeout=30).stdout
    except (OSError, subprocess.SubprocessError):
        return ()
    release, implementation = json.loads(output)
    return tuple(release) if implementation == "cpython" else ()


def others() -> dict[tuple[int, ...], str]:
    """Return the newest Python of each other minor version that is supported, by minor version."""
    found: dict[tuple[int, ...], tuple[tuple[int, ...], str]] = {}
    for python in candidates():
        release = version(python)
        minor = release[:2]
        if minor >= OLDEST and minor != sys.version_info[:2] and release > found.get(minor, ((), ""))[0]:
            found[minor] = (release, python)
    return {minor: python for minor, (_, python) in sorted(found.items())}


if __name__ == "__main__":
    sys.stdout.write("".join(f"{python}\n" for python in others().values()))
