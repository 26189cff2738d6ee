"""The check of a web address that somebody typed."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

from mam_events.errors import BadInput

_HIGHEST_PORT = 65535
_PORT = re.compile(r":([0-9]{1,9})/?$")
_HOST = re.compile(r"[^\s\"'<>\\^`{|}]+")


def parse_address(address: str, option: str) -> SplitResult:
    """Return the parts of an address like `https://log.example`.

    Raises BadInput that names the option if it has another scheme, no valid host, or no valid port.
    """
    if (port := _PORT.search(address)) and not 0 < int(port[1]) <= _HIGHEST_PORT:
        raise BadInput(f'The port of "{address}" must be 1 to {_HIGHEST_PORT}.', place=option, wrong=address)
    try:
        parts = urlsplit(address)
        has_port = parts.port is None or parts.port > 0
        if parts.scheme in ("http", "https") and parts.hostname and _HOST.fullmatch(parts.hostname) and has_port:
            return parts
    except ValueError:
        # An unclosed bracket or an invalid port.
        pass
    raise BadInput(
        f'"{address}" is not an address like https://log.example or http://127.0.0.1:8765.', place=option, wrong=address
    )
