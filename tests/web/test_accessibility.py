"""The accessibility of the pages by axe, at each width, in light and dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.cli.calls import Mam
from tests.web.conftest import EXAMPLES, NEEDED, OpenPage

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
"""One of the tools that `make pages` installs."""

WIDTHS = (320, 360, 768, 1440)

SCHEMES = {"light": "", "dark": "['color-contrast', 'link-in-text-block']"}
"""The rules to check in each colour scheme: the dark one differs in its colours only."""


def violations(page: Page, rules: str = "") -> list[Any]:
    """Return every violation of these rules (of all, if none are named) that axe finds, with its places."""
    if not AXE.exists() and not NEEDED:
        pytest.skip("The tools of the pages are not installed: make pages installs them.")
    page.evaluate(AXE.read_text())
    only = f", runOnly: {rules}" if rules else ""
    result = page.evaluate(f"axe.run(document, {{ resultTypes: ['violations']{only} }})")
    return [(one["id"], [node["target"] for node in one["nodes"]]) for one in result["violations"]]


@pytest.mark.slow
@pytest.mark.parametrize("fight", ["modre-and-the-clone", "the-footbridge"])
def test_axe_finds_nothing(mam: Mam, table: Path, open_page: OpenPage, fight: str) -> None:
    mam("play", str(EXAMPLES / f"{fight}.toml"))
    mam("undo", "--yes")
    mam("replay", "--html", "fight.html")
    for width in WIDTHS:
        for scheme, rules in SCHEMES.items():
            for fragment in ("", "#at=17&reading=both", "#at=9&reading=stands"):
                page = open_page(table / "fight.html", fragment, width=width, color_scheme=scheme)
                assert not violations(page, rules), (width, scheme, fragment)
        for key in ("?", "v"):
            page.keyboard.press(key)
            assert not violations(page), (width, key)
            page.keyboard.press("Escape")


@pytest.mark.slow
def test_axe_finds_nothing_on_other_pages(mam: Mam, table: Path, open_page: OpenPage) -> None:
    mam("play", str(EXAMPLES / "archers-in-the-dark.toml"))
    mam("whatif", "--set", "half_success=never", "--html", "what-if.html")
    mam("rerun", "mam.db", "--set", "half_success=never", "--html", "trial.html")
    for name in ("what-if", "trial"):
        for width in WIDTHS:
            for scheme, rules in SCHEMES.items():
                page = open_page(table / f"{name}.html", width=width, color_scheme=scheme)
                assert not violations(page, rules), (name, width, scheme)
