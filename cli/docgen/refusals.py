"""The generator of `docs/refusals.md`, which lists the code of each refusal with its sentences.

`make manual` writes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from string import Formatter

from mam_events.refusals.texts import refusals

PAGE = Path(__file__).parents[2] / "docs" / "refusals.md"
HEAD = """\
# Refusals

This page lists every code of a refusal with its sentences. A refusal is an error of the rules. Its `code` never
changes; its sentence may improve. So programs use the code: `--json` prints it, and the [service](service.md) answers
422 with it (403 for `not_yours`). Words in *italics* are placeholders. Readers who may not see a combatant read
"somebody hidden" instead.

"""
SHOWN = {"near": "the nearest known name", "wrong": "what was given"}
"""The words on this page for placeholders that every text may have."""


def refusals_page() -> str:
    """Return the page as the file must have it."""
    return HEAD + "\n".join(_of_code(code, texts) for code, texts in refusals().items())


def _of_code(code: str, texts: list[str]) -> str:
    sentences = dict.fromkeys("".join(_prose(text)) for text in texts)
    return f"## {code}\n\n" + "".join(f"- {sentence}\n" for sentence in sentences)


def _prose(text: str) -> Iterator[str]:
    """Yield the parts of a text, with a description in each placeholder."""
    for literal, name, grammar, _ in Formatter().parse(text):
        yield literal
        if name is None:
            continue
        if name == "near":
            # The text after the bar stands there if no name is known.
            yield " / ".join(filter(None, (f"*{SHOWN[name]}*", (grammar or "").rpartition("|")[2])))
            continue
        ways = [way.partition("=")[2] for way in grammar.split("|")] if grammar and "=" in grammar else []
        count_text = (
            f" {grammar.partition('/')[2] or f'{grammar}s'}" if grammar and grammar[0].isalpha() and not ways else ""
        )
        yield (
            " / ".join(filter(None, ways))
            if ways
            else f"*{SHOWN.get(name, name.replace('_', ' '))}*{_noun(count_text)}"
        )


def _noun(count_text: str) -> str:
    """Return the noun of a count, or "" for a word between names of a list or for a form of a name."""
    return "" if count_text.strip().split(" ")[0].rstrip("s") in LISTING else count_text


LISTING = ("and", "or", "each", "both", "lower", "time")
"""Words of the grammar that are no nouns."""


if __name__ == "__main__":
    PAGE.write_text(refusals_page(), encoding="utf-8")
