"""A service that is killed: answered writes are kept, and repeated ones are written once."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path
from threading import Event

import pytest

from tests.postgres import shared
from tests.service.conftest import Service

pytestmark = pytest.mark.slow

CALLERS = 8
EACH = 12


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "fights.db") if request.param == "sqlite" else shared().database()


def test_answered_writes_survive_kills_and_repeated_ones_are_written_once(store: str) -> None:
    """Answered writes are there after a kill, and repeated ones are there once.

    Each caller sends notes under its own keys, again and again until it has an answer, while the service is killed and
    restarted three times.
    """
    services = [Service(store)]  # type: ignore[arg-type]  # an address in place of a path
    services[0].client().begin("duel")
    coming, over = Event(), Event()
    coming.set()
    answers: list[tuple[str, int, bool]] = []

    def call(caller: int) -> None:
        for number in range(EACH):
            key, status = f"{caller}-{number}", 0
            while status != 200 and not over.is_set():
                coming.wait()
                try:
                    response = services[-1].client().post("/encounters/duel/notes", {"text": key}, "*", key=key)
                except (OSError, HTTPException):
                    continue
                status = response.status
                if status == 200:
                    answers.append((key, response.json["rulings"][0]["number"], response.json["repeated"]))

    try:
        with ThreadPoolExecutor(CALLERS) as pool:
            going = [pool.submit(call, caller) for caller in range(CALLERS)]
            try:
                for part in range(1, 4):
                    while len(answers) < part * CALLERS * EACH // 4:
                        assert not any(one.done() and one.exception() for one in going)
                    coming.clear()
                    services[-1].process.kill()
                    services[-1].process.communicate()
                    services.append(Service(store))  # type: ignore[arg-type]  # as above
                    coming.set()
                for one in going:
                    one.result()
            finally:
                over.set()
                coming.set()
        master = services[-1].client()
        texts = {row["number"]: row["asked"].get("text", "") for row in master.get("/encounters/duel/audit").json}
        assert [texts[number] for _, number, _ in answers] == [key for key, _, _ in answers]
        notes = Counter(text for text in texts.values() if text)
        assert notes == {f"{caller}-{number}": 1 for caller in range(CALLERS) for number in range(EACH)}
        assert master.get("/encounters/duel/verify").json["rulings"] == len(texts)
    finally:
        assert services[-1].stop() == 0


def test_a_repeated_order_gets_the_first_answer_after_a_kill(tmp_path: Path) -> None:
    """This holds after others wrote more, and on another service."""
    store = tmp_path / "fights.db"
    first = Service(store)
    client = first.client()
    client.begin("duel")
    strike = {"do": "attack", "attacker": "ana", "target": "bo", "power": 2}
    response = client.post("/encounters/duel/commands", strike, 5, key="strike")
    assert response.status == 200, response.body
    client.order("duel", {"do": "adjust", "reason": "so it is"})
    assert first.stop() == 0
    second = Service(store)
    retry = second.client().post("/encounters/duel/commands", strike, 5, key="strike")
    assert (retry.status, retry.headers["idempotency-replayed"]) == (200, "true")
    assert retry.json["rulings"][0]["number"] == response.json["rulings"][0]["number"]
    assert retry.json["version"] == 7
    other = second.client().post("/encounters/duel/commands", strike | {"power": 1}, 5, key="strike")
    assert (other.status, other.json["code"]) == (422, "key_reused")
    assert second.stop() == 0
