"""The page of sources has every rule that the code names, with the right files."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
ROWS = {
    rule: re.findall(r"`([^`]+)`", where)
    for rule, where in re.findall(r"^\| ((?:MAM|RD6)-[A-Z]+-\w+) \|[^|]*\|[^|]*\|([^|]*)\|$", PAGE, re.MULTILINE)
}
_CITED = re.compile(r"(MAM|RD6)-([A-Z]+)-(\d+)((?:,? (?:and |to )?-\d+)*)")
_LISTED = re.compile(r"RD6-LIST-[a-z_]+")

_RANGE = re.compile(r"\b(MAM|RD6)-([A-Z]+)-(\d+)\s+to\s+\1-\2-(\d+)")


def cited(text: str) -> set[str]:
    """Return the rules that a text names, also in short: `MAM-ATK-01 to -06, -12`."""
    rules = set(_LISTED.findall(text))
    for system, family, first, last in _RANGE.findall(text):
        rules |= {f"{system}-{family}-{number:02}" for number in range(int(first), int(last) + 1)}
    for system, family, first, rest in _CITED.findall(text):
        last = int(first)
        numbers = {last}
        for word, number in re.findall(r"(,? (?:and |to )?)-(\d+)", rest):
            numbers |= set(range(last if "to" in word else int(number), int(number) + 1))
            last = int(number)
        rules |= {f"{system}-{family}-{number:02}" for number in numbers}
    return rules


def test_every_rule_that_the_code_names_has_a_row() -> None:
    where: defaultdict[str, list[str]] = defaultdict(list)
    for file in (ROOT / "mam_events").rglob("*.py"):
        for rule in cited(file.read_text(encoding="utf-8")):
            where[rule].append(file.name)
    assert len(where) > 50
    assert {rule: files for rule, files in where.items() if rule not in ROWS} == {}


def test_every_row_names_a_file_that_names_the_rule() -> None:
    assert len(ROWS) > 200
    for rule, files in ROWS.items():
        assert files, rule
        for file in files:
            assert (ROOT / file).is_file(), (rule, file)
            if file.endswith(".py"):
                assert rule in cited((ROOT / file).read_text(encoding="utf-8")), (rule, file)


def test_every_rule_of_ron_d6_has_a_test_that_names_it() -> None:
    actions = tomllib.loads((ROOT / "mam_events" / "rules" / "data" / "tables" / "rd6_actions.toml").read_text("utf-8"))
    rules = {rule for rule in ROWS if rule.startswith("RD6-")} | {
        f"RD6-LIST-{action}" for action, row in actions.items() if "free" not in row
    }
    rule_ids = set()
    for file in (ROOT / "tests" / "rules").rglob("test_*.py"):
        text = file.read_text(encoding="utf-8")
        # A list of actions is cited in short: `RD6-LIST-bash, -catch`.
        rule_ids |= cited(text) | {f"RD6-LIST-{action}" for action in re.findall(r"[,\n] +-([a-z_]+)", text)}
    assert len(rules) > 60
    assert rules - rule_ids == set()
