"""Armour: which piece blocks, what it absorbs, layers (MAM-ARM)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from mam_events.rules.ruleset import Ruleset
from mam_events.state import ArmorPiece, Combatant

REVISION = 1

COMPLETE = 10
"""What complete cover counts as where it is a number (`complete_cover`)."""


class Check(NamedTuple):
    """What armour does against one strike: the face it was compared with, and the piece that blocks (None: none)."""

    face: int | None = None
    piece: ArmorPiece | None = None

    @property
    def absorption(self) -> int:
        """What that piece takes off the power (MAM-ARM-03)."""
        return self.piece.absorption if self.piece else 0


def worn(combatant: Combatant) -> tuple[ArmorPiece, ...]:
    """The pieces of armour that a combatant wears: with cover, and not dropped (MAM-ARM-01)."""
    pieces = combatant.statistics.armor
    return tuple(p for p in pieces if (p.cover or p.complete) and p.id not in combatant.dropped)


def fold_layers(pieces: Sequence[ArmorPiece]) -> tuple[ArmorPiece, ...]:
    """The pieces as they count beside each other: layers folded, from the smallest cover outwards (MAM-ARM-05).

    Each gains the absorption of every piece that covers it, and loses the cover of the next smaller one beneath; what
    is left with no cover drops out.
    """
    by_id = {piece.id: piece for piece in pieces}
    folded = []
    for piece in pieces:
        gained = sum(over.absorption for over in _above(piece, by_id))
        beneath = [other for other in pieces if other is not piece and piece in _above(other, by_id)]
        lost = max((other.cover for other in beneath), default=0)
        rest = replace(piece, cover=max(0, piece.cover - lost), absorption=piece.absorption + gained)
        if rest.cover or rest.complete:
            folded.append(rest)
    return tuple(sorted(folded, key=lambda piece: -piece.absorption))


def _above(piece: ArmorPiece, by_id: dict[str, ArmorPiece]) -> list[ArmorPiece]:
    """The pieces that lie over that one, from the next outwards."""
    above: list[ArmorPiece] = []
    while (over := by_id.get(piece.overlapped_by)) is not None and over not in above:
        above.append(over)
        piece = over
    return above


def check(combatant: Combatant, face: int | None, ruleset: Ruleset) -> Check:
    """Which piece blocks a strike, by that unmodified face (MAM-ARM-02)."""
    if face is None:
        return Check()
    return Check(face, blocking(worn(combatant), face, ruleset))


def blocking(pieces: Sequence[ArmorPiece], face: int, ruleset: Ruleset) -> ArmorPiece | None:
    """The first piece, by absorption, whose running cover reaches the face (MAM-ARM-02, MAM-ARM-04)."""
    running = 0
    for piece in fold_layers(pieces):
        if piece.complete and ruleset["complete_cover"] == "always_blocks":
            return piece
        running += COMPLETE if piece.complete else piece.cover
        blocks = {
            "cover_ge_roll": running >= face,
            "cover_gt_roll": running > face,
            "inverted": face > running,
        }
        if blocks[ruleset["armour_block_comparison"]]:
            return piece
    return None


def absorbed(target: Combatant, found: Check, ruleset: Ruleset) -> int:
    """What body and armour together take off the power (MAM-ARM-03, MAM-ARM-06, `body_absorption_stacks`)."""
    return absorption(target.absorption, found.absorption, ruleset)


def absorption(body: int, armor: int, ruleset: Ruleset) -> int:
    """A body's absorption and that of the piece that blocked, together or the larger of them."""
    return body + armor if ruleset.yes("body_absorption_stacks") else max(body, armor)


def source(ruleset: Ruleset) -> str:
    """The die that armour is compared with (`armour_roll_source`); without a defence die that means one of its own."""
    reading = ruleset["armour_roll_source"]
    fixed = ruleset["defense_resolution"] == "fixed_difficulty"
    return "separate_die" if reading == "defense_die" and fixed else reading
