"""The secret of an encounter's dice, and the drawing of faces from it.

Its first half is the seed: a drawn face is `HMAC-SHA256(seed, words ‖ key ‖ salt)` read as a stream of bytes with
rejection sampling, so anybody who has the revealed seed and the players' words can check it offline. The second half is
never revealed. It gives the salt of a die, which stands beside the die: so nobody can compute a die that they may not
see, even after the seed is revealed.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Sequence

from mam_events.dice import SECRET_BYTES, SIDES, read_key
from mam_events.errors import VerificationFailed


def frame_words(words: Iterable[str]) -> bytes:
    """Return the players' words as bytes, each preceded by its length, so that no two lists give the same bytes."""
    encoded = [word.encode() for word in words]
    return b"".join(len(word).to_bytes(4, "big") + word for word in encoded)


def seed_of(secret: bytes) -> bytes:
    """Return the half of a secret that is committed to, and revealed at the end."""
    return secret[: SECRET_BYTES // 2]


def salt_of_die(secret: bytes, key: str) -> str:
    """Return the salt of the die with that key (16 bytes in hex); it is always the same."""
    return hmac.digest(secret[SECRET_BYTES // 2 :], key.encode(), "sha256")[:16].hex()


def draw(seed: bytes, words: Iterable[str], key: str, salt: str = "") -> int:
    """Return the face of the die with that key and salt, from 1 to its number of sides, each equally likely."""
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
    """Return the SHA-256 of the seed in hex, which the first event shows before any die is drawn."""
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
            "Somebody replaced the dice seed of this encounter: it is not the committed one. No die is drawn from it, "
            "and closing does not reveal it. Dice thrown at the table still count."
        )
