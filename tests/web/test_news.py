"""A served replay page announces new visible rulings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.service.conftest import HIDDEN, PARTY, Client, Service
from tests.web.conftest import browser

__all__ = ["browser"]
ATTACK = {"do": "attack", "attacker": "ana", "target": "bo", "power": 1}
REMARK = {"text": "the lamp goes out"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    news_service = Service(tmp_path_factory.mktemp("news") / "fights.db", "--public-replays")
    yield news_service
    assert news_service.stop() == 0


def open_fight_page(browser: Browser, service: Service, name: str, token: str = "") -> Page:
    """Open the page of that fight, with the token if there is one."""
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    at = f"http://127.0.0.1:{service.port}"
    if token:
        page.goto(f"{at}/#{token}")
        page.get_by_role("link", name=name).click()
    else:
        page.goto(f"{at}/encounters/{name}/replay.html")
    page.wait_for_selector("mam-book.alive", state="attached")
    return page


def note(master: Client, name: str, visibility: str = "public") -> None:
    response = master.post(f"/encounters/{name}/notes", REMARK | {"visibility": visibility}, "*")
    assert response.status == 200, response.body


@pytest.mark.slow
def test_an_open_page_counts_new_visible_rulings_and_shows_them(browser: Browser, service: Service) -> None:
    master = service.client()
    master.begin("goes-on", HIDDEN, *PARTY)
    token = service.token("player", "ana", "--by", "Ana", "-e", "goes-on")
    player, owner = open_fight_page(browser, service, "goes-on", token), open_fight_page(browser, service, "goes-on")
    expect(player.locator("mam-new-rulings")).to_be_empty()
    note(master, "goes-on", "gm")
    expect(owner.get_by_role("button", name="1 new ruling: show")).to_be_visible()
    assert master.order("goes-on", ATTACK).status == 200
    note(master, "goes-on")
    expect(owner.get_by_role("button", name="3 new rulings: show")).to_be_visible()
    button = player.get_by_role("button", name="2 new rulings: show")
    expect(button).to_be_visible()
    button.click()
    player.wait_for_selector("mam-book.alive", state="attached")
    expect(player.locator("mam-new-rulings")).to_be_empty()
    # The page opens at the first new ruling, the attack; the one before it is hidden.
    expect(player.locator("mam-card")).to_contain_text("№ 8")
    # The count starts again from there.
    note(master, "goes-on")
    expect(player.get_by_role("button", name="1 new ruling: show")).to_be_visible()
    player.context.close()
    owner.context.close()


def test_a_page_for_readers_without_access_to_the_fight_does_not_poll(service: Service) -> None:
    master = service.client()
    master.begin("over")
    assert master.order("over", {"do": "end-turn", "combatant": "ana"}, {"do": "close"}).status == 200
    viewer = service.client(service.token("viewer", "--by", "Screen", "-e", "over"))
    path = "/encounters/over/replay.html"
    for _ in range(2):
        assert b"<mam-book data-live>" in viewer.get(path).body
        response = master.ask("GET", path, headers={"Origin": "https://club.example"})
        assert response.status == 200
        assert b"data-live" not in response.body.split(b"</header>")[0]
        assert b"connect-src" not in response.body
