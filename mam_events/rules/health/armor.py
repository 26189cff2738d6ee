"""Armor: which piece blocks, what it absorbs, layers (MAM-ARM)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from mam_events.decider.engine import Ruleset
from mam_events.dice import SIDES
from mam_events.errors import Refused
from mam_events.refusals.arguments import TextArgument, list_argument
from mam_events.rules.rolls.dice_substitutes import die_of
from mam_events.state import ArmorPiece, Combatant

COMPLETE = 10
"""The cover that complete cover counts as, if it counts as a number (`complete_cover`)."""


class ArmorCheck(Struct, frozen=True):
    """The effect of armor on one strike.

    `face` is the face that cover was compared with, and `piece` blocks the strike (None: no piece does). `asked` are
    the pieces in the order in which they were compared, each with the running sum of cover. `layers` are the pieces
    worn where the strike landed: the blocking piece and those that it is folded with.
    """

    face: int | None = None
    piece: ArmorPiece | None = None
    asked: tuple[tuple[ArmorPiece, int], ...] = ()
    layers: tuple[str, ...] = ()

    @property
    def absorption(self) -> int:
        """The power that the piece takes off (MAM-ARM-03)."""
        return self.piece.absorption if self.piece else 0


def worn_armor(combatant: Combatant) -> tuple[ArmorPiece, ...]:
    """Return the pieces of armor that a combatant wears: with cover, and not dropped (MAM-ARM-01)."""
    armor = combatant.statistics.armor
    if not armor:
        return armor
    still = {p.id: p for p in armor if (p.cover or p.complete) and p.id not in combatant.dropped}
    if len(still) == len(armor):
        return armor
    by_id = {piece.id: piece for piece in armor}
    pieces = []
    for piece in still.values():
        # A piece that lay over a removed one now lies over the next piece below it.
        over = next((above.id for above in _above(piece, by_id) if above.id in still), "")
        pieces.append(replace(piece, under=over))
    return tuple(pieces)


def check_layers(armor: Sequence[ArmorPiece]) -> None:
    """Raise Refused with `unknown_armor` or `circular_layers` for a piece under a missing one, or under itself."""
    pieces = {piece.id: piece for piece in armor}
    for piece in armor:
        under, over = [piece.id], piece.under
        while over:
            if over not in pieces:
                raise Refused(
                    "unknown_armor",
                    piece=TextArgument(under[-1]),
                    rule="MAM-ARM-05",
                    fields=("armor",),
                    wrong=over,
                    allowed=map(TextArgument, pieces),
                )
            if under == [over]:
                raise Refused("circular_layers/itself", piece=TextArgument(over), rule="MAM-ARM-05", fields=("armor",))
            if over in under:
                raise Refused(
                    "circular_layers",
                    pieces=list_argument(map(TextArgument, under)),
                    rule="MAM-ARM-05",
                    fields=("armor",),
                )
            under.append(over)
            over = pieces[over].under


def check_blocking(armor: Sequence[ArmorPiece]) -> None:
    """Raise Refused with `idle_armor` for a piece that never blocks, or absorbs nothing when it blocks.

    A piece without cover never blocks (MAM-ARM-02, MAM-ARM-03). Layers absorb what the larger ones do (MAM-ARM-05).
    """
    layers = {piece.under for piece in armor} | {piece.id for piece in armor if piece.under}
    for piece in armor:
        covers = bool(piece.cover or piece.complete)
        if covers and (piece.absorption or piece.id in layers):
            continue
        raise Refused(
            "idle_armor/absorbs_nothing" if covers else "idle_armor/covers_nothing",
            piece=piece,
            cover=piece.cover or 4,
            absorption=piece.absorption or 2,
            rule="MAM-ARM-03" if covers else "MAM-ARM-02",
            fields=("armor",),
        )


def worn_under(combatant: Combatant) -> dict[str, ArmorPiece]:
    """Return each piece of armor that lies under another one still worn, by id, with the piece above it."""
    still = {piece.id: piece for piece in combatant.statistics.armor if piece.id not in combatant.dropped}
    return {piece.id: still[piece.under] for piece in combatant.statistics.armor if piece.under in still}


def fold_layers(pieces: Sequence[ArmorPiece]) -> tuple[ArmorPiece, ...]:
    """Return the pieces after layers are folded into each other, the most absorbing first (MAM-ARM-05).

    Of two layers the one with less cover gains the absorption of the other, and the other loses its cover. So each
    piece gains the absorption of every larger layer, and loses the cover of the next smaller ones. A piece without any
    cover left drops out.
    """
    by_id = {piece.id: piece for piece in pieces}
    larger = {piece.id: [other for other in pieces if _is_larger(other, piece, by_id)] for piece in pieces}
    folded = []
    for piece in pieces:
        smaller = [other for other in pieces if piece in larger[other.id]]
        # A piece beneath another of these is already part of that one's cover.
        lost = sum(other.cover for other in smaller if not any(between in larger[other.id] for between in smaller))
        gained = sum(over.absorption for over in larger[piece.id])
        rest = replace(piece, cover=max(0, piece.cover - lost), absorption=piece.absorption + gained)
        if rest.cover or rest.complete:
            folded.append(rest)
    return tuple(sorted(folded, key=lambda piece: -piece.absorption))


def layers_at(piece: str, pieces: Sequence[ArmorPiece]) -> tuple[str, ...]:
    """Return the layers worn where that piece is: itself, and the larger ones that it is folded with (MAM-ARM-05)."""
    by_id = {one.id: one for one in pieces}
    return (piece, *(other.id for other in pieces if _is_larger(other, by_id[piece], by_id)))


def _is_larger(over: ArmorPiece, under: ArmorPiece, by_id: dict[str, ArmorPiece]) -> bool:
    """Return True if two pieces are layers and the first has more cover; of equal ones the outer is the larger."""
    lies_over = over in _above(under, by_id)
    if not lies_over and under not in _above(over, by_id):
        return False
    first, second = (over.complete, over.cover), (under.complete, under.cover)
    return first > second or (first == second and lies_over)


def _above(piece: ArmorPiece, by_id: dict[str, ArmorPiece]) -> list[ArmorPiece]:
    """Return the pieces that lie over that one, from the next one outwards."""
    above: list[ArmorPiece] = []
    while (over := by_id.get(piece.under)) is not None and over not in above:
        above.append(over)
        piece = over
    return above


def check_armor(pieces: Sequence[ArmorPiece], face: int, ruleset: Ruleset) -> ArmorCheck:
    """Return the piece that blocks for an unmodified face, with the pieces that were compared.

    The first piece, by absorption, whose running cover reaches the face blocks (MAM-ARM-02, MAM-ARM-04,
    `armour_block_comparison`).
    """
    if ruleset["complete_cover"] == "cover_ten":
        pieces = [replace(piece, cover=COMPLETE, complete=False) if piece.complete else piece for piece in pieces]
    running = 0
    layers: list[tuple[ArmorPiece, int]] = []
    for piece in fold_layers(pieces):
        running += piece.cover
        layers.append((piece, running))
        blocks = {
            "cover_ge_roll": running >= face,
            "cover_gt_roll": running > face,
            "inverted": face > running,
        }
        if piece.complete or blocks[ruleset["armour_block_comparison"]]:
            return ArmorCheck(face, piece, tuple(layers), layers_at(piece.id, pieces))
    return ArmorCheck(face, None, tuple(layers))


def blocks_always(piece: ArmorPiece, ruleset: Ruleset) -> bool | None:
    """Return True if a piece alone blocks on any face, False if it never blocks, None if the die decides.

    Only a piece whose cover is a number is judged; any other returns None.
    """
    if piece.complete or not piece.cover or "combat_die" not in ruleset:
        return None
    faces = range(1, SIDES[die_of(ruleset)] + 1)
    results = {check_armor((piece,), face, ruleset).piece is not None for face in faces}
    return results.pop() if len(results) == 1 else None


def still_absorbed(target: Combatant, layers: Sequence[str], ruleset: Ruleset) -> int:
    """Return the power that a body absorbs when it is hit again in the same place.

    Only those of the layers there that the target still wears count.
    """
    return absorption(target.absorption, sum(p.absorption for p in worn_armor(target) if p.id in layers), ruleset)


def absorption(body: int, armor: int, ruleset: Ruleset) -> int:
    """Return the power that a body and the piece that blocks absorb: the sum, or the larger of them.

    MAM-ARM-03, MAM-ARM-06, `body_absorption_stacks`.
    """
    return body + armor if ruleset.is_yes("body_absorption_stacks") else max(body, armor)


def absorption_source(ruleset: Ruleset) -> str:
    """Return the die that armor is compared with (`armour_roll_source`).

    If there is no defense die, armor has a die of its own.
    """
    reading = ruleset["armour_roll_source"]
    fixed = ruleset["defense_resolution"] == "fixed_difficulty"
    return "separate_die" if reading == "defense_die" and fixed else reading
