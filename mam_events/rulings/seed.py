"""The secret seed of an encounter, and how faces are drawn from it.

A drawn face is `HMAC-SHA256(seed, words ‖ key)` read as a stream of bytes with rejection sampling, so anybody who has
the revealed seed and the players' words can check it offline.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator

from mam_events.dice import SIDES, read_key
from mam_events.errors import VerificationFailed


def framed(words: Iterable[str]) -> bytes:
    """The players' words as bytes, each with its length before it, so that no two lists read alike."""
    encoded = [word.encode() for word in words]
    return b"".join(len(word).to_bytes(4, "big") + word for word in encoded)


def draw(seed: bytes, words: Iterable[str], key: str) -> int:
    """The face of the die with that key, from 1 to its sides, each equally likely."""
    sides = SIDES[read_key(key).kind]
    limit = 256 - 256 % sides
    return next(byte for byte in _stream(seed, framed(words) + key.encode()) if byte < limit) % sides + 1


def _stream(seed: bytes, message: bytes) -> Iterator[int]:
    block = hmac.digest(seed, message, "sha256")
    while True:
        yield from block
        block = hmac.digest(seed, block + message, "sha256")


def commitment_of(seed: bytes) -> str:
    """The SHA-256 of the seed in hex: what the first event shows before any die is drawn."""
    return hashlib.sha256(seed).hexdigest()


def check_seed(seed: object, commitment: str) -> None:
    """Raise VerificationFailed unless that is the seed that was committed to; a store may hold anything."""
    if not isinstance(seed, bytes) or commitment_of(seed) != commitment:
        raise VerificationFailed(
            "The seed that this store keeps for the encounter is not the one committed to: somebody replaced it. No "
            "die comes from it and no closing reveals it; dice thrown at the table still count."
        )
