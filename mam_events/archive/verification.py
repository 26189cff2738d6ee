"""Whether a log is what it was when it was written: its seals, its numbers, its story and every drawn die."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from mam_events.archive.chain import Part, chain, parts_of, shipped
from mam_events.archive.drawn import DrawnDice
from mam_events.archive.lines import Export, Shipped, read_lines
from mam_events.archive.names import check_names
from mam_events.encounter.timeline import Timeline
from mam_events.errors import BadInput, MamError, Refused, StoreUnusable, VerificationFailed
from mam_events.events import Correction, Event, Note, Play, RulingRejudged, is_head
from mam_events.state import Encounter
from mam_events.store import decode, decode_rows, decoders
from mam_events.visibility import GAME_MASTER

if TYPE_CHECKING:
    from mam_events.store import SQLiteStore

# What following a log may stumble over that was sealed, but never written by this program.
_IMPOSSIBLE = (
    msgspec.MsgspecError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    ArithmeticError,
    RecursionError,
    BadInput,
)


class Verification(Struct, frozen=True):
    """What was found right: `seal` covers all of it and is what to note down, `hidden` rows came as hashes only.

    Of the `drawn` dice so many are `proven`: recomputed from the seed that a closed encounter has `revealed`; where its
    store had no seed, it is `closed` without that.
    """

    rulings: int
    rows: int
    seal: str
    hidden: int = 0
    drawn: int = 0
    proven: int = 0
    revealed: bool = False
    closed: bool = False


def verify(rows: Sequence[tuple[int, str, bytes]], *, noted: str = "", seed: bytes | None = None) -> Verification:
    """Check the rows of an encounter; `noted` is a seal that somebody wrote down: one of its rulings must have it.

    `seed` is the secret that the store keeps for its dice: it must be the one committed to.

    Nothing that is stored is trusted but what the noted seal covers: who can write to the store can seal anew what he
    has changed. Raises VerificationFailed naming the first ruling that does not check, StoreUnusable where a newer
    program wrote, BadInput for what is no seal.
    """
    return _verified(shipped(rows), noted, seed)


def check_strays(store: SQLiteStore) -> None:
    """Raise VerificationFailed for rows and seeds of no encounter, which the reading of none would come upon."""
    if found := store.strays():
        raise VerificationFailed(f"This store holds what belongs to no encounter: {', '.join(found)}.")


def verify_export(lines: Iterable[bytes], *, noted: str = "", name: str = "export") -> Verification:
    """Check the lines of an export in the same way, also of one that hides rows."""
    return verify_read(read_lines(lines, name), noted=noted, name=name)


def stored(export: Export, *, name: str = "export") -> list[tuple[int, str, bytes]]:
    """The rows of an export as a store keeps them; refused with `partial_export` where it hides any."""
    if export.header.view != GAME_MASTER or any(row.hash for row in export.rows):
        raise Refused(
            "partial_export",
            f"{name} hides some of its rulings; only an export that shows all of them (view gm) can be imported or "
            "judged again.",
        )
    return [(row.version, row.topic, row.state) for row in export.rows]


def verify_read(export: Export, *, noted: str = "", name: str = "export") -> Verification:
    """Check an export that was read."""
    found = _verified(export.rows, noted)
    if not found.seal == export.header.seal == export.end_seal:
        raise VerificationFailed(f"The first and the last line of {name} do not have the seal of its last ruling.")
    if export.header.rulings != found.rulings:
        raise VerificationFailed(f"{name} has {found.rulings} rulings, and {export.header.rulings} by its first line.")
    return found


def _verified(rows: Sequence[Shipped], noted: str, seed: bytes | None = None) -> Verification:
    if not rows:
        raise VerificationFailed("There is nothing here: an encounter has at least its opening.")
    parts = list(parts_of(rows))
    seals = chain(parts)
    _compare_noted(noted, seals)
    hidden = sum(1 for row in rows if row.hash)
    events = [[None if row.hash else _decoded(row) for row in part.rows] for part in parts]
    _check_heads(parts, events)
    if not hidden:
        _check_story(parts)
    dice = DrawnDice(parts, events)
    if seed is not None:
        dice.check(seed)
    return Verification(
        rulings=len(parts),
        rows=len(rows),
        seal=seals[-1],
        hidden=hidden,
        drawn=dice.drawn,
        proven=dice.proven,
        revealed=dice.seed is not None,
        closed=dice.closed,
    )


def why_unfollowed(rows: Sequence[tuple[int, str, bytes]], fault: Exception) -> MamError:
    """What to tell of rows that no timeline could be made of.

    Somebody is said to have changed them only where their seals say so.
    """
    try:
        chain(list(parts_of(shipped(rows))))
        decode_rows(rows)
    except MamError as found:
        return found
    return StoreUnusable(
        f"This log is as it was sealed, and yet mam cannot follow it ({type(fault).__name__}: {fault}): another "
        "version wrote it, or somebody forged it and sealed it anew."
    )


def _compare_noted(noted: str, seals: Sequence[str]) -> None:
    if not noted:
        return
    seal = noted.strip().lower()
    if not re.fullmatch("[0-9a-f]{64}", seal):
        raise BadInput("a seal is 64 hexadecimal digits.", place="seal")
    if seal not in seals:
        raise VerificationFailed(
            "No ruling of this log has the noted seal: its end was cut off, its past was rewritten, or the seal is one "
            "of another encounter."
        )


def _decoded(row: Shipped) -> Event:
    try:
        return decode(row.topic, row.state)
    except (ValueError, RecursionError) as error:
        raise StoreUnusable(f"Row {row.version}, of the kind {row.topic}, cannot be read: {error}.") from None


def _check_heads(parts: Sequence[Part], events: Sequence[Sequence[Event | None]]) -> None:
    """A ruling begins with a head and has no other; a command id is used once."""
    ids: dict[str, int] = {}
    for part, facts in zip(parts, events, strict=True):
        if any(row.topic and is_head(row.topic) != bool(row.ruling) for row in part.rows):
            raise VerificationFailed(f"Ruling {part.number} does not consist of one head and its facts.")
        follows = facts[1] if len(facts) > 1 else None
        idle = not isinstance(follows, RulingRejudged) if isinstance(facts[0], Correction) else True
        if follows is not None and isinstance(facts[0], Note | Correction) and idle:
            raise VerificationFailed(f"Ruling {part.number} is no play, and yet has facts of its own.")
        id_ = getattr(facts[0], "id", "")
        if id_ and ids.setdefault(id_, part.number) != part.number:
            raise VerificationFailed(f"Rulings {ids[id_]} and {part.number} have the same command id.")


def _check_story(parts: Sequence[Part]) -> None:
    """The rulings make a timeline: nothing refers to what is not there, every fact can be applied."""
    timeline = Timeline(decoders())
    seen: dict[int, Encounter] = {}
    for part in parts:
        try:
            timeline.extend([(row.version, row.topic, row.state) for row in part.rows])
        except _IMPOSSIBLE:
            raise VerificationFailed(f"Ruling {part.number} does not follow from those before it.") from None
        for state in reversed(timeline.states):
            # A state that was there before the ruling has only such before it.
            if id(state) in seen:
                break
            seen[id(state)] = state
            _check_points(part.number, state)
            if not _hangs_together(state):
                raise VerificationFailed(
                    f"Ruling {part.number} tells of somebody who is not in the fight: no log writes that."
                )
    if not isinstance(timeline.heads[0], Play) or timeline.states[0].status == "unopened":
        raise VerificationFailed("Ruling 1 does not open the encounter.")
    check_names(timeline)


def _check_points(number: int, fight: Encounter) -> None:
    """No point comes from nowhere or goes nowhere (MAM-POOL-01), under whatever rules."""
    for one in fight.combatants.values():
        if one.pools.total != one.hp or min(msgspec.structs.astuple(one.pools)) < 0:
            raise VerificationFailed(
                f"By ruling {number} the points of {one.id} are {one.pools.total} in all, and should be {one.hp}, with "
                "none below 0 in any pool."
            )


def _hangs_together(fight: Encounter) -> bool:
    """Whether everybody who has a place in the order, a turn or a part in an exchange is in the fight."""
    actions = fight.exchange.actions if fight.exchange else ()
    named = {*fight.order, *fight.had_turn, *((fight.turn.combatant,) if fight.turn else ())}
    named |= {action.combatant for action in actions} | {action.target for action in actions if action.target}
    return named <= fight.combatants.keys()
