"""Web addresses that people type."""

from __future__ import annotations

import pytest

from mam_events.errors import BadInput
from web.address import parse_address


@pytest.mark.parametrize(
    "address", ["https://log.example", "http://127.0.0.1:8765/", "http://[::1]:80", "http://tisch#mam_x"]
)
def test_a_web_address_is_parsed(address: str) -> None:
    assert parse_address(address, "--at").scheme in ("http", "https")


@pytest.mark.parametrize(
    "address",
    [
        "log.example",
        "ftp://h",
        "http://",
        "http://:80",
        "http://[::1",
        "http://a b",
        "http://h:x",
    ],
)
def test_an_invalid_address_is_refused_with_its_option(address: str) -> None:
    with pytest.raises(BadInput, match="is not an address like") as error:
        parse_address(address, "--at")
    assert error.value.place == "--at"


@pytest.mark.parametrize("address", ["http://h:99999", "http://h:0", "https://h:65536/"])
def test_an_impossible_port_is_refused_with_the_possible_ones(address: str) -> None:
    with pytest.raises(BadInput, match=f'^--at: The port of "{address}" must be 1 to 65535') as error:
        parse_address(address, "--at")
    assert error.value.wrong == address
