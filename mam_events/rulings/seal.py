"""Seals: the chain of hashes that ties every ruling to all before it, the newest one too.

The seal of ruling n is SHA-256(seal of n-1, row hashes of n), and stands in the head of n, which is hashed with its
seal left empty. A row hash covers version, topic and state, each with its length before it; where a row is not public
also a salt, so that its hash can be shown without its content.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256

from mam_events.events import SEAL, Correction, Event, Note, Play, RulingMended, RulingRejudged

_length = struct.Struct(">I").pack
_OPENED = b"{" + SEAL
_SEALED = re.compile(re.escape(_OPENED) + b"[0-9a-f]{64}")

_SALTED = frozenset({Play, Correction, Note, RulingMended, RulingRejudged})


def row_hash(version: int, topic: str, state: bytes, salt: bytes = b"") -> bytes:
    """The SHA-256 of one row, each part framed by its length; a head's state with its seal left empty."""
    number = b"%d" % version
    row = _length(len(number)) + number + _framed(topic) + _length(len(state)) + state
    return sha256(row + _length(len(salt)) + salt if salt else row).digest()


@cache
def _framed(topic: str) -> bytes:
    return _length(len(topic.encode())) + topic.encode()


def salt_of(leading_salt: str, version: int) -> bytes:
    """The salt of one row: 16 bytes derived from the salt in the head, or in the re-judgement, that it stands under;
    empty under none.
    """
    if not leading_salt:
        return b""
    return sha256(bytes.fromhex(leading_salt) + str(version).encode()).digest()[:16]


def chained(seal: str, hashes: Iterable[bytes]) -> str:
    """The seal of a ruling with those row hashes, behind one with that seal."""
    return sha256(bytes.fromhex(seal) + b"".join(hashes)).hexdigest()


def unsealed(state: bytes) -> bytes:
    """The state of a head as it is hashed: with its seal left empty."""
    return _OPENED + state[found.end() :] if (found := _SEALED.match(state)) else state


def sealed(
    before: str, events: Sequence[Event], rows: Sequence[tuple[int, str, bytes]]
) -> tuple[str, list[tuple[int, str, bytes]]]:
    """The seal of a ruling behind one with the seal `before`, and its rows with the seal in them.

    `rows` are its events encoded, the head first and with an empty seal.
    """
    salt = ""
    hashes = []
    for row, event in zip(rows, events, strict=True):
        if type(event) in _SALTED:
            salt = event.salt  # type: ignore[attr-defined]  # all of those have one
        hashes.append(row_hash(*row, salt_of(salt, row[0])) if salt else row_hash(*row))
    seal = chained(before, hashes)
    version, topic, state = rows[0]
    return seal, [(version, topic, _OPENED + seal.encode() + state[len(_OPENED) :]), *rows[1:]]
