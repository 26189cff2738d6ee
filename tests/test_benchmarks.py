"""`make bench`: each part runs once."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.effort import LONG

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


@pytest.mark.skipif(not LONG, reason="It takes a minute or two; MAM_LONG=1 runs it.")
def test_every_part_of_the_benchmarks_runs() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    # The path of a test's own directory is longer than a browser's socket may have.
    with TemporaryDirectory() as short:
        process = subprocess.run(
            [sys.executable, "-m", "benchmarks"],
            cwd=ROOT,
            env=os.environ | {"MAM_BENCH": "short", "TMPDIR": short, "COLUMNS": "200"},
            capture_output=True,
            text=True,
            check=False,
            # A browser reserves more address space than a test may use.
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (hard, hard)),
        )
    assert process.returncode == 0, process.stderr
    assert "lines, each measured as briefly as it runs" in process.stdout
