"""Events are encoded as rows and decoded, also from former topics; other rows raise a clear error."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from mam_events.errors import StoreUnusable
from mam_events.events import TYPES, UPCASTS, Event, Upcast
from mam_events.store import decode, decode_rows, decoders, encode


@pytest.fixture(scope="module")
def probed_event() -> Iterator[type[Event]]:
    class MapperProbed(Event, frozen=True):
        topic = "MapperProbed.2"
        points: int
        metres: Decimal = Decimal(0)

    yield MapperProbed
    del TYPES["MapperProbed.2"]


def test_an_event_is_decoded_from_its_topic_and_json(probed_event: type[Event]) -> None:
    event = probed_event(points=3, metres=Decimal("1.50"))
    assert encode(event) == ("MapperProbed.2", b'{"points":3,"metres":"1.50"}')
    assert decode(*encode(event)) == event
    assert decoders()["MapperProbed.2"](b'{"points":3,"metres":"1.50"}') == event
    assert decode_rows([(1, *encode(event)), (2, *encode(probed_event(points=4)))]) == [event, probed_event(points=4)]


def test_a_former_topic_is_decoded_through_its_upcast(
    probed_event: type[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    def from_feet(old: dict[str, Any]) -> dict[str, Any]:
        return {"points": old.get("points", 0), "metres": str(old["feet"] * Decimal("0.3"))}

    monkeypatch.setitem(UPCASTS, "MapperProbed.1", Upcast("MapperProbed.2", from_feet))
    assert decode("MapperProbed.1", b'{"feet":5,"points":2}') == probed_event(points=2, metres=Decimal("1.5"))
    assert decoders()["MapperProbed.1"](b'{"feet":1}') == probed_event(points=0, metres=Decimal("0.3"))
    with pytest.raises(StoreUnusable, match=r"MapperProbed\.1"):
        decode("MapperProbed.1", b'{"yards":5}')


def test_an_unknown_topic_is_refused_and_imports_no_module() -> None:
    for topic in ("BroomstickMounted.7", "os:system", "mam_events.errors:Refused", ""):
        with pytest.raises(StoreUnusable, match="newer mam-events") as refusal:
            decode(topic, b"{}")
        assert f'"{topic}"' in str(refusal.value)
        with pytest.raises(StoreUnusable, match="newer mam-events"):
            decoders()[topic]


@pytest.mark.usefixtures("probed_event")
@pytest.mark.parametrize(
    "state", [b"", b"{", b"\xff\xfe", b"[]", b'{"points":"three"}', b'{"points":3,"wings":2}', b"{}", None, 7]
)
def test_a_state_that_does_not_match_its_topic_is_refused(state: bytes) -> None:
    with pytest.raises(StoreUnusable, match=r"MapperProbed\.2"):
        decode("MapperProbed.2", state)
    with pytest.raises(StoreUnusable, match=r"Event 2, of the kind MapperProbed\.2"):
        decode_rows([(1, "MapperProbed.2", b'{"points":1}'), (2, "MapperProbed.2", state)])


def test_every_topic_of_the_program_has_a_decoder() -> None:
    assert TYPES
    for topic in TYPES:
        assert callable(decoders()[topic])
