"""The secret of an encounter's dice, and how faces are drawn from it.

Its first half is the seed: a drawn face is `HMAC-SHA256(seed, words ‖ key ‖ salt)` read as a stream of bytes with
rejection sampling, so anybody who has the revealed seed and the players' words can check it offline. The second half is
never revealed. From it comes the salt of a die, which stands beside the die: once the seed is revealed, nobody can
compute a die that they may not see.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Sequence

from mam_events.dice import SECRET_BYTES, SIDES, read_key
from mam_events.errors import VerificationFailed


def frame_words(words: Iterable[str]) -> bytes:
    """The players' words as bytes, each with its length before it, so that no two lists read alike."""
    encoded = [word.encode() for word in words]
    return b"".join(len(word).to_bytes(4, "big") + word for word in encoded)


def seed_of(secret: bytes) -> bytes:
    """Return the half of a secret that is committed to and revealed at the end."""
    return secret[: SECRET_BYTES // 2]


def salt_of_die(secret: bytes, key: str) -> str:
    """Return the salt of the die with that key (16 bytes in hex): the same whenever it is drawn."""
    return hmac.digest(secret[SECRET_BYTES // 2 :], key.encode(), "sha256")[:16].hex()


def draw(seed: bytes, words: Iterable[str], key: str, salt: str = "") -> int:
    """The face of the die with that key and salt, from 1 to its sides, each equally likely."""
    sides = SIDES[read_key(key).kind]
    limit = 256 - 256 % sides
    return (
        next(byte for byte in _stream(seed, frame_words(words) + key.encode() + bytes.fromhex(salt)) if byte < limit)
        % sides
        + 1
    )


def _stream(seed: bytes, message: bytes) -> Iterator[int]:
    block = hmac.digest(seed, message, "sha256")
    while True:
        yield from block
        block = hmac.digest(seed, block + message, "sha256")


def commitment_of(seed: bytes) -> str:
    """The SHA-256 of the seed in hex: what the first event shows before any die is drawn."""
    return hashlib.sha256(seed).hexdigest()


def is_committed(secret: object, commitments: Sequence[str]) -> bool:
    """Return True if that is the secret of one of those commitments; a store may hold anything."""
    if not commitments or not isinstance(secret, bytes) or len(secret) != SECRET_BYTES:
        return False
    return commitment_of(seed_of(secret)) in commitments


def check_secret(secret: object, *commitments: str) -> None:
    """Raise VerificationFailed unless that is the secret of one of those commitments."""
    if not is_committed(secret, commitments):
        raise VerificationFailed(
            "The seed that this store keeps for the encounter is not the one committed to: somebody replaced it. No "
            "die comes from it and no closing reveals it; dice thrown at the table still count."
        )
