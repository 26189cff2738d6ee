"""The TOML of the rules and the JSON file that is generated from it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mam_events.errors import BadInput
from mam_events.rules.build_data import build_rules_json
from mam_events.rules.rulebook import DATA


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Copy the data to a folder in which a test may edit them."""
    return Path(shutil.copytree(DATA, tmp_path / "data"))


def test_the_generated_rules_are_current() -> None:
    assert (DATA / "rules.json").read_bytes() == build_rules_json(), "the TOML of the rules has changed: run make rules"


def test_loading_the_rulebook_parses_no_toml() -> None:
    start = "import sys; from mam_events.rules.rulebook import rulebook; rulebook(); sys.exit('tomllib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", start], check=False).returncode == 0


@pytest.mark.parametrize(
    ("file", "line", "instead", "sentence"),
    [
        ("tables/difficulties.toml", "easy = 5", "", 'tables/difficulties.toml: "easy" is missing.'),
        ("tables/difficulties.toml", "easy = 5", "easy = ", "tables/difficulties.toml: Invalid value (at line 2, "),
        ("options/opening.toml", "rules =", "rule =", 'option same_seat_order: There is no "rule" here. Did you mean '),
        ("presets.toml", "title =", "titel =", 'preset mam_pools: There is no "titel" here. Did you mean "title"?'),
        ("exclusions.toml", "why =", "because =", 'exclusions: exclusion 1: There is no "because" here. Known: '),
    ],
)
def test_invalid_rule_data_is_refused(folder: Path, file: str, line: str, instead: str, sentence: str) -> None:
    text = (folder / file).read_text("utf-8")
    (folder / file).write_text(text.replace(line, instead, 1), "utf-8")
    with pytest.raises(BadInput) as error:
        build_rules_json(folder)
    assert error.value.sentence.startswith(sentence)
