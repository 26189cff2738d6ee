"""Style sheets: every class is used, and every variable is defined."""

from __future__ import annotations

import re
from pathlib import Path

WEB = Path(__file__).parents[2] / "web"


def test_every_class_of_a_style_sheet_is_on_a_page() -> None:
    styled = {
        name
        for sheet in (WEB / "replay").glob("*.css")
        for selectors in re.findall(r"([^{}]*)\{", sheet.read_text())
        for name in re.findall(r"\.([a-zA-Z][\w-]*)", selectors)
    }
    text = " ".join(
        file.read_text()
        for ending in ("*.js", "*.html", "*.py", "*.svg")
        for file in (*WEB.glob(ending), *(WEB / "replay").glob(ending))
    )
    # The classes of pools are single letters, which come from the data.
    assert {name for name in styled if len(name) > 1} <= set(re.findall(r"[\w-]+", text))


def test_every_variable_of_a_style_sheet_is_defined() -> None:
    """A declaration with an undefined variable is ignored without any error."""
    text = " ".join(
        file.read_text()
        for ending in ("*.css", "*.js", "*.html", "*.py")
        for file in WEB.rglob(ending)
        if "node_modules" not in file.parts
    )
    used = set(re.findall(r"var\((--[\w-]+)\)", text))
    assert used
    assert used <= set(re.findall(r"(--[\w-]+)\s*:", text)) | set(re.findall(r"setProperty\(\s*[\"'](--[\w-]+)", text))
