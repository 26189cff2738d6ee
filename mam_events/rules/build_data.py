"""Build the data files that a start reads: `rules.json` from the TOML files, the texts of the rules from the docs.

Reading TOML takes longer than everything else that a start does with the rules, so `make rules` does it beforehand.
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
    """Return the contents that `rules.json` must have for the TOML files in the folder.

    Raises as `build_rulebook` does, and BadInput for a file that is not TOML.
    """
    files = {}
    for file in sorted(folder.rglob("*.toml")):
        name = file.relative_to(folder).as_posix()
        try:
            files[name] = tomllib.loads(file.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise BadInput(f"{error}.", place=name) from None
    build_rulebook(files)
    # Write one line per file, so that changes to different files can be merged.
    lines = (msgspec.json.encode(name) + b": " + msgspec.json.encode(content) for name, content in files.items())
    return b"{\n" + b",\n".join(lines) + b"\n}\n"


def build_sources_json(page: Path = PAGE) -> bytes:
    """Return the contents that `sources.json` must have for the page: what each rule settles, by rule id."""
    rows = re.findall(r"^\| ((?:MAM|RD6)-[A-Z]+-\w+) \| ([^|]*) \|", page.read_text(encoding="utf-8"), re.MULTILINE)
    return msgspec.json.format(msgspec.json.encode(dict(rows)), indent=1) + b"\n"


def build_rule_texts_json(page: Path = DOCS / "rules.md", origins: Path = PAGE) -> bytes:
    """Return the contents that `rule_texts.json` must have for the two pages.

    Each rule id maps to what the rule settles, what it says in our own words, and where it comes from.
    Raises BadInput for a rule without words.
    """
    rows = re.findall(
        r"^\| ((?:MAM|RD6)-[A-Z]+-\w+) \| ([^|]*) \| ([^|]*) \|", origins.read_text("utf-8"), re.MULTILINE
    )
    text = page.read_text(encoding="utf-8")
    words = dict(re.findall(r"^- \*\*((?:MAM|RD6)-[A-Z]+-\w+)\*\* (.*(?:\n  .*)*)", text, re.MULTILINE))
    texts = {}
    for rule, settles, source in rows:
        if rule not in words:
            raise BadInput(f"there is no text for {rule}. Add a line `- **{rule}** {settles}: …`.", place=page.name)
        rule_text = " ".join(words[rule].split()).removeprefix(f"{settles}: ")
        texts[rule] = {"settles": settles, "text": rule_text, "source": source}
    return msgspec.json.format(msgspec.json.encode(texts), indent=1) + b"\n"


if __name__ == "__main__":
    try:
        (DATA / "rules.json").write_bytes(build_rules_json())
        (DATA / "sources.json").write_bytes(build_sources_json())
        (DATA / "rule_texts.json").write_bytes(build_rule_texts_json())
    except (BadInput, ValueError) as no:
        sys.exit(f"error: {no}")
