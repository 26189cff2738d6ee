"""A page in a real browser, opened from disk without a network."""

from __future__ import annotations

import base64
import json
import os
import re
import resource
import shutil
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.cli.calls import Mam
from tests.cli.conftest import mam, table

EXAMPLES = Path(__file__).parents[2] / "examples"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
NEEDED = os.environ.get("MAM_BROWSER") == "1"
"""Whether a missing browser fails the test instead of skipping it."""

OpenPage = Callable[..., Page]

__all__ = ["mam", "table"]


# Not for the session: while it is open its event loop runs, and tests without a page could not run their own.
@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if CHROMIUM is None:
        if NEEDED:
            pytest.fail("There is no Chromium here, and MAM_BROWSER=1 asks for one.")
        pytest.skip("There is no Chromium here: the page is not tried in a browser.")
    # A browser reserves more address space than a test may use.
    start = tmp_path_factory.mktemp("browser") / "chromium"
    start.write_text(f'#!/bin/sh\nulimit -S -v unlimited\nexec "{CHROMIUM}" "$@"\n')
    start.chmod(0o755)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    with sync_playwright() as player:
        chromium = player.chromium.launch(executable_path=start)
        yield chromium
        chromium.close()
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Yield a function that opens a page from disk at a width and height; its errors and warnings fail the test."""
    contexts = []
    messages: list[str] = []

    def open_file(file: Path, fragment: str = "", *, width: int = 1440, height: int = 900, **more: object) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, offline=True, **more)  # type: ignore[arg-type]  # as Playwright takes them
        contexts.append(context)
        page = context.new_page()
        page.on(
            "console", lambda message: messages.append(message.text) if message.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.goto(f"{file.as_uri()}{fragment}")
        if more.get("java_script_enabled", True) and page.locator("mam-book").count():
            page.wait_for_selector("mam-book.alive", state="attached")
        return page

    yield open_file
    for context in contexts:
        context.close()
    assert not messages


@pytest.fixture
def duel(mam: Mam, table: Path) -> Path:
    """Play the printed fight, undo an attack and return the replay page."""
    mam("play", str(EXAMPLES / "modre-and-the-clone.toml"), "--id", "duel")
    mam("undo", "8", "--yes", "--by", "Ana", "--reason", "it should have missed")
    mam("replay", "--html", "duel.html")
    return table / "duel.html"


def current_number(page: Page) -> int:
    """Return the number of the ruling that is shown."""
    return int(page.locator("mam-card .card-head b").inner_text().removeprefix("№ "))


def repack_book(file: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """Return a copy of the page with its book changed."""
    before, packed, after = re.split(
        r'(?<=id="book">)(.*?)(?=</script>)', file.read_text(), maxsplit=1, flags=re.DOTALL
    )
    book = json.loads(zlib.decompress(base64.b64decode(packed)))
    change(book)
    other = file.with_name("other.html")
    other.write_text(before + base64.b64encode(zlib.compress(json.dumps(book).encode())).decode() + after)
    return other
