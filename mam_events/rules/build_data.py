"""The data of the rules, gathered from the TOML that people edit into the one file that a start reads; and the names of
all rules, from the page of sources.

To read TOML takes longer than all else that a start does with the rules: `make rules` does it beforehand.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import msgspec

from mam_events.errors import BadInput
from mam_events.rules.rulebook import DATA, build_rulebook

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "sources.md"


def build_rules_json(folder: Path = DATA) -> bytes:
    """The contents that `rules.json` must have by the TOML of that folder.

    Raises as `read` does, and BadInput for what is no TOML.
    """
    files = {}
    for file in sorted(folder.rglob("*.toml")):
        name = file.relative_to(folder).as_posix()
        try:
            files[name] = tomllib.loads(file.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise BadInput(f"{error}.", place=name) from None
    build_rulebook(files)
    # A line for each file: changes to different files can be merged.
    lines = (msgspec.json.encode(name) + b": " + msgspec.json.encode(content) for name, content in files.items())
    return b"{\n" + b",\n".join(lines) + b"\n}\n"


def build_sources_json(page: Path = PAGE) -> bytes:
    """The contents that `sources.json` must have by that page: the matter that each rule settles, by its id."""
    rows = re.findall(r"^\| ((?:MAM|RD6)-[A-Z]+-\w+) \| ([^|]*) \|", page.read_text(encoding="utf-8"), re.MULTILINE)
    return msgspec.json.format(msgspec.json.encode(dict(rows)), indent=1) + b"\n"


def build_rule_texts_json(page: Path = DOCS / "rules.md", origins: Path = PAGE) -> bytes:
    """The contents that `told.json` must have by those pages: of each rule what it settles, what it says in our own
    words, and where it comes from. Raises BadInput for a rule without words.
    """
    rows = re.findall(
        r"^\| ((?:MAM|RD6)-[A-Z]+-\w+) \| ([^|]*) \| ([^|]*) \|", origins.read_text("utf-8"), re.MULTILINE
    )
    text = page.read_text(encoding="utf-8")
    words = dict(re.findall(r"^- \*\*((?:MAM|RD6)-[A-Z]+-\w+)\*\* (.*(?:\n  .*)*)", text, re.MULTILINE))
    found = {}
    for rule, settles, source in rows:
        if rule not in words:
            raise BadInput(f"there is no text for {rule}. Add a line `- **{rule}** {settles}: …`.", place=page.name)
        said = " ".join(words[rule].split()).removeprefix(f"{settles}: ")
        found[rule] = {"settles": settles, "told": said, "source": source}
    return msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"


if __name__ == "__main__":
    try:
        (DATA / "rules.json").write_bytes(build_rules_json())
        (DATA / "sources.json").write_bytes(build_sources_json())
        (DATA / "told.json").write_bytes(build_rule_texts_json())
    except (BadInput, ValueError) as no:
        sys.exit(f"error: {no}")
