"""The start page lists the fights of its reader."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.service.conftest import PARTY, Service
from tests.web.conftest import browser

__all__ = ["browser"]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    found = Service(tmp_path_factory.mktemp("start") / "fights.db")
    yield found
    assert found.stop() == 0


@pytest.mark.slow
def test_fights_with_one_title_differ_by_id_and_origin(browser: Browser, service: Service) -> None:
    master = service.client()
    opening = {"preset": "mam_pools", "title": "The ogre bridge"}
    assert master.post("/encounters", {"encounter": "bridge", "open": opening}).status == 201
    assert master.order("bridge", *PARTY).status == 200
    answer = master.post("/encounters/bridge/branches", {"encounter": "second-try"}, '"5"')
    assert answer.status == 201, answer.body
    page = browser.new_context().new_page()
    page.goto(f"http://127.0.0.1:{service.port}/")
    fights = page.locator("#fights li")
    expect(fights).to_have_count(2)
    expect(fights.nth(0)).to_have_text("The ogre bridge (bridge) — open, round 1, 5 rulings")
    expect(fights.nth(1)).to_have_text(
        "The ogre bridge (second-try) — open, round 1, 6 rulings, branch of bridge after 5"
    )
