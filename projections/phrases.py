"""Phrases that all sentences share: points, pools, lists, signs."""

from __future__ import annotations

from collections.abc import Sequence

from mam_events.state import POOLS, Combatant, Pools
from mam_events.values import ContinuedFrom


def points(count: int) -> str:
    """Return a number of points in words: `1 point`, `3 points`, `no points`."""
    if count == 1:
        return "1 point"
    return f"{count} points" if count else "no points"


def pool(name: str) -> str:
    """Return the name of a pool as people write it: `other used`."""
    return name.replace("_", " ")


def with_sign(value: int) -> str:
    """Return a modifier with its sign: `+2`, `+0`, `-1`."""
    return f"{value:+d}"


def winner_sentence(side: str) -> str:
    """Return how a fight ended: `side` alone stands, or `undecided` if there is no single side."""
    return f"{side} alone stands" if side else "undecided"


def join_words(words: Sequence[str]) -> str:
    """Return words as a list: `6, 7 and 8`."""
    if len(words) < 2:  # noqa: PLR2004 - one word needs no "and"
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


NAME_LIMIT = 8
"""The most names that a list shows; of a longer one the rest is counted."""


def first_of(names: Sequence[str]) -> str:
    """Return the first names and the number of the others: `Ana, Bo and 4 more`."""
    return join_words(
        names if len(names) <= NAME_LIMIT else [*names[: NAME_LIMIT - 1], f"{len(names) - NAME_LIMIT + 1} more"]
    )


def left_off(before: ContinuedFrom) -> str:
    """Return the ruling after which a fight was left, and who stayed away: `ruling 10: Grey left, Old and Red died`."""
    verbs = {"out": "left", "dead": "died", "incapacitated": "stayed behind"}
    names = {verb: [one.name for one in before.behind if one.condition == how] for how, verb in verbs.items()}
    departures = ", ".join(f"{first_of(those)} {verb}" for verb, those in names.items() if those)
    return f"ruling {before.ruling}{because_of(departures)}"


def weapon_name(owner: Combatant | None, item: str) -> str:
    """Return the name of a combatant's weapon or piece of equipment, or its id if it is unknown."""
    name = next((thing.name for thing in (owner.things if owner else ()) if thing.id == item), "")
    return (name.lower() if item == "body" else name) or item


def non_empty_pools(pools: Pools) -> str:
    """Return the pools that hold points: `3 ready, 2 defense, 1 other used`."""
    amounts = ((getattr(pools, name), pool(name)) for name in POOLS)
    return ", ".join(f"{count} {name}" for count, name in amounts if count) or "nothing left"


def remaining_points(pools: Pools) -> str:
    """Return the hit points left and the wounds, for fights without spent points: `5 left, 2 stun`."""
    amounts = ((pools.available, "left"), (pools.stun, "stun"), (pools.damage, "damage"))
    return ", ".join(f"{count} {name}" for count, name in amounts if count) or "nothing left"


def count_words(count: int, thing: str) -> str:
    """Return a number of things: `1 ruling`, `2 rulings`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def short_moment(round_number: int, turn: int) -> str:
    """Return a moment in short form: `r2 t1`.

    It is `r2` before the first turn of a round, and "" before the first round.
    """
    return " ".join(f"{sign}{count}" for sign, count in (("r", round_number), ("t", turn)) if round_number and count)


def moment_words(round_number: int, turn: int) -> str:
    """Return a moment in words: `round 2, turn 1`, `round 2`, or "" before the first round."""
    places = (("round", round_number), ("turn", turn))
    return ", ".join(f"{name} {count}" for name, count in places if round_number and count)


def join_numbers(numbers: Sequence[int]) -> str:
    """Return numbers as a list, with three or more in a row as a span: `6, 8 and 11 to 14`."""
    return join_words(number_spans(numbers))


def number_spans(numbers: Sequence[int]) -> list[str]:
    """Return numbers in words, with three or more in a row as a span: `6`, `8`, `11 to 14`."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][-1] + 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    words: list[str] = []
    for span in spans:
        words += [f"{span[0]} to {span[-1]}"] if len(span) > 2 else map(str, span)  # noqa: PLR2004 - two are no span
    return words


def from_pools(amounts: Sequence[tuple[str, int]]) -> str:
    """Return the pools that points came from: `2 points from defense and 1 point from other used`."""
    return join_words([f"{points(count)} from {pool(name)}" for name, count in amounts if count])


def to_pools(amounts: Sequence[tuple[str, int]]) -> str:
    """Return the pools that points went to: `2 points into defense and 4 points into other used`."""
    return join_words([f"{points(count)} into {pool(name)}" for name, count in amounts if count])


def attack_points_split(power: int, modifier: int) -> str:
    """Return how the points of an attack were split: `4 points on power, 2 on the modifier` (MAM-ATK-01)."""
    if not modifier:
        return f"{points(power)} on power"
    if not power:
        return f"{points(modifier)} on the modifier"
    return f"{points(power)} on power, {modifier} on the modifier"


def author_words(by: str) -> str:
    """Return the author of a command as a list shows them."""
    return by or "(no name)"


def author_says(by: str, *, begins: bool = True) -> str:
    """Return an author as the subject of a sentence; without a name it is the game master."""
    return by or ("The game master" if begins else "the game master")


def end_sentence(sentence: str) -> str:
    """Return the sentence with a full stop, unless it already has an end mark."""
    return sentence if sentence.endswith((".", "!", "?", "…")) else f"{sentence}."


def capitalize(clause: str) -> str:
    """Return the clause with a capital letter."""
    return clause[:1].upper() + clause[1:]


def because_of(reason: str) -> str:
    """Return a reason to append to a sentence: `: tie rule`, or "" without a reason."""
    return f": {reason}" if reason else ""
