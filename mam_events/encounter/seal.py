"""Seals: the chain of hashes that ties every ruling to all before it.

The seal of ruling n is SHA-256(seal of n-1, row hashes of n-1). A row hash covers version, topic and state, each with
its length before it; where a row is not public also a salt, so that its hash can be shown without its content.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any

from mam_events.events import Head, RulingRejudged

_length = struct.Struct(">I").pack

FIRST_SEAL = sha256(b"mam-events").hexdigest()
"""The seal of ruling 1, before which there is nothing."""


def row_hash(version: int, topic: str, state: bytes, salt: bytes = b"") -> bytes:
    """The SHA-256 of one row, each part framed by its length."""
    number = b"%d" % version
    row = _length(len(number)) + number + _framed(topic) + _length(len(state)) + state
    return sha256(row + _length(len(salt)) + salt if salt else row).digest()


@cache
def _framed(topic: str) -> bytes:
    return _length(len(topic.encode())) + topic.encode()


@cache
def is_rejudgement(topic: str) -> bool:
    """Whether a row begins the new outcome of an older ruling, in whichever version of the format."""
    return topic.partition(".")[0] == RulingRejudged.topic.partition(".")[0]


def salt_of(leading_salt: str, version: int) -> bytes:
    """The salt of one row: 16 bytes derived from the salt in the head, or in the re-judgement, that it stands under;
    empty under none.
    """
    if not leading_salt:
        return b""
    return sha256(bytes.fromhex(leading_salt) + str(version).encode()).digest()[:16]


def chained(seal: str, hashes: Iterable[bytes]) -> str:
    """The next seal after a ruling with that seal and those row hashes."""
    return sha256(bytes.fromhex(seal) + b"".join(hashes)).hexdigest()


def next_seal(
    seal: str, rows: Sequence[tuple[int, str, bytes]], head: Head, decoders: Mapping[str, Callable[[bytes], Any]]
) -> str:
    """The seal that the next ruling will carry."""
    salt = head.salt
    hashes = []
    for version, topic, state in rows:
        if is_rejudgement(topic):
            salt = decoders[topic](state).salt
        hashes.append(
            row_hash(version, topic, state, salt_of(salt, version)) if salt else row_hash(version, topic, state)
        )
    return chained(seal, hashes)
