"""Seals: the chain of hashes that binds every ruling, including the newest, to all rulings before it.

The seal of ruling n is SHA-256(seal of n-1, hash of n), and stands in the head of n. A hidden ruling is shown only as
its hash, and so is a hidden part of one; nothing reveals the number of rows. The hash of a part covers its salt ("" if
it is public), and topic and state of each of its rows, each preceded by its length. A head is hashed without its seal
and its blinding.

A correction or an insert judges older rulings again, and every outcome is a part with its own visibility. Its hash
covers its own part and a set of hashes: one for everybody who sees some of the outcomes, of all that they see; one of
all outcomes in their order; and hashes of nothing, up to a multiple of `SLOT_COUNT`. Somebody who sees some outcomes
recomputes their hash and gets the others; the number of hashes is the same whatever is hidden. The blinding in the head
makes the hashes of nothing. It also makes the hash of all outcomes reveal nothing, even if no outcome is hidden. Only
the game master gets the blinding.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256

from mam_events.events import SEAL, Event, Head, RulingMended, RulingRejudged
from mam_events.visibility import GAME_MASTER, PUBLIC, can_see

SLOT_COUNT = 8
SeenParts = tuple[str, bytes]
"""An outcome: who may see it, and its hash."""

_length = struct.Struct(">I").pack
_OPENED = b"{" + SEAL
_SEALED = re.compile(re.escape(_OPENED) + b"[0-9a-f]{64}")
_BLINDED = re.compile(rb',"blinding":"([0-9a-f]{32})"}\Z')
_BLINDED_LENGTH = len(b',"blinding":""}') + 32
_NO_SALT = _length(0)


def part_hash(salt: str, rows: Iterable[tuple[str, bytes]]) -> bytes:
    """Return the SHA-256 of rows, given as topic and state, with their salt."""
    framed = [_length(len(salt) // 2) + bytes.fromhex(salt) if salt else _NO_SALT]
    for topic, state in rows:
        framed += (_framed(topic), _length(len(state)), state)
    return sha256(b"".join(framed)).digest()


@cache
def _framed(topic: str) -> bytes:
    return _length(len(topic.encode())) + topic.encode()


def ruling_hash(own: bytes, slots: Iterable[bytes]) -> bytes:
    """Return the hash of a ruling that may judge others again, from the hashes of its own part and of its outcomes."""
    return sha256(b"both" + own + b"".join(sorted(slots))).digest()


def seen_hash(outcomes: Iterable[bytes]) -> bytes:
    """Return the hash of all outcomes that somebody sees, in their order."""
    return sha256(b"seen" + b"".join(outcomes)).digest()


def outcome_hashes(outcomes: Sequence[SeenParts], blinding: str) -> list[bytes]:
    """Return the hashes of the outcomes: one for each view that sees some, one of all, and hashes of nothing."""
    key = bytes.fromhex(blinding)
    views = {PUBLIC, *(visibility for visibility, _ in outcomes)} - {GAME_MASTER}
    hashes = [seen_hash(outcome for visibility, outcome in outcomes if can_see(view, visibility)) for view in views]
    everything = sha256(b"all " + key + b"".join(outcome for _, outcome in outcomes)).digest()
    nothing = (sha256(b"none" + key + _length(at)).digest() for at in range(-(len(hashes) + 1) % SLOT_COUNT))
    return [*hashes, everything, *nothing]


def next_seal(seal: str, hashed: bytes) -> str:
    """Return the seal of a ruling with that hash, given the previous seal."""
    return sha256(bytes.fromhex(seal) + hashed).hexdigest()


def blinding_of(state: bytes) -> str:
    """Return the blinding in the state of a head, or "" if it has none."""
    match = _BLINDED.match(state, max(len(state) - _BLINDED_LENGTH, 0))
    return match[1].decode() if match else ""


def without_blinding(state: bytes) -> bytes:
    """Return the state of a head as others see it: without its blinding."""
    return state[:-_BLINDED_LENGTH] + b"}" if blinding_of(state) else state


def without_seal(state: bytes) -> bytes:
    """Return the state of a head as it is hashed: with its seal left empty, and without its blinding."""
    state = without_blinding(state)
    return _OPENED + state[match.end() :] if (match := _SEALED.match(state)) else state


def seal_rows(
    before: str, events: Sequence[Event], rows: Sequence[tuple[int, str, bytes]]
) -> tuple[str, list[tuple[int, str, bytes]]]:
    """Return the seal of a ruling, given the previous seal, and its rows with the seal in them.

    `rows` are its encoded events, the head first and with an empty seal.
    """
    seal = next_seal(before, _hashed(events, [(topic, state) for _, topic, state in rows]))
    version, topic, state = rows[0]
    return seal, [(version, topic, _OPENED + seal.encode() + state[len(_OPENED) :]), *rows[1:]]


def _hashed(events: Sequence[Event], rows: Sequence[tuple[str, bytes]]) -> bytes:
    head = events[0]
    assert isinstance(head, Head)  # noqa: S101 - a ruling begins with one
    blinding = getattr(head, "blinding", "")
    if not blinding:
        return part_hash(head.salt, rows)
    (_, own), *outcomes = _parts(events, [(rows[0][0], without_blinding(rows[0][1])), *rows[1:]])
    return ruling_hash(own, outcome_hashes(outcomes, blinding))


def _parts(events: Sequence[Event], rows: Sequence[tuple[str, bytes]]) -> Iterator[SeenParts]:
    starts = [0, *(at for at, event in enumerate(events) if isinstance(event, RulingMended | RulingRejudged))]
    for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        lead = events[start]
        assert isinstance(lead, Head | RulingMended | RulingRejudged)  # noqa: S101 - each part begins with one of these
        yield lead.visibility, part_hash(lead.salt, rows[start:end])
