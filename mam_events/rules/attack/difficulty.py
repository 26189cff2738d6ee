"""The difficulty of an attack: range, darkness, circumstances (MAM-ATK-08, MAM-ATK-09, MAM-CIRC-05)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from math import floor

from mam_events.decider.engine import RollContext, RuleModule, Ruleset
from mam_events.decider.rule_tables import InTheDark
from mam_events.errors import Refused
from mam_events.events import Modifier
from mam_events.rules.rolls.modifiers import larger_amount, named_circumstances
from mam_events.state import Terms
from mam_events.values import Light, metres_words

STEPS = 20
"""The number of steps in the maximum range, each a point of difficulty (MAM-ATK-08)."""

DARK: dict[Light, str] = {"very_dim": "very dim light", "total_darkness": "total darkness"}
"""The name of the darkness among the modifiers (MAM-ATK-09)."""


def range_difficulty(max_range: Decimal, distance: Decimal, ruleset: Ruleset) -> int:
    """Return the difficulty that the distance adds, both in metres (MAM-ATK-08).

    Raises Refused with `out_of_range` beyond the maximum, unless the house rules go on counting
    (`range_beyond_maximum`).
    """
    if distance > max_range and ruleset["range_beyond_maximum"] == "forbidden":
        raise Refused("out_of_range", distance=distance, max_range=max_range, rule="MAM-ATK-08", fields=("distance",))
    return floor(Fraction(distance) * STEPS / Fraction(max_range))


def darkness_difficulty(
    kind: InTheDark, light: Light, override: int | None, ruleset: Ruleset, *, blind: bool = False
) -> int:
    """Return the difficulty that darkness adds for an attack of that kind (MAM-ATK-09).

    `kind` is `grapple`, `strike` or `distance`. `override` is the game master's number in total darkness
    (`darkness_values`).
    """
    if light == "lit" or blind:
        return 0
    row = ruleset.tables.darkness[kind]
    if light == "very_dim":
        return row.very_dim
    if override is None or ruleset["darkness_values"] == "fixed":
        return row.total_darkness
    return min(override, row.total_darkness)


def kind_in_the_dark(terms: Terms) -> InTheDark:
    """Return the kind of attack for the difficulty of darkness."""
    if terms.grapple:
        return "grapple"
    return "distance" if terms.missile else "strike"


def difficulties(rolling: RollContext) -> Iterator[Modifier]:
    """Yield the difficulty of an attack: range, darkness and circumstances."""
    terms, ruleset = rolling.action.terms, rolling.ruleset
    if terms.distance is not None and terms.range:
        steps = range_difficulty(terms.range, terms.distance, ruleset)
        if steps:
            yield Modifier(f"{metres_words(terms.distance)} away", steps, "MAM-ATK-08")
    if terms.light == "lit" and not terms.circumstance:
        return
    dark = darkness_difficulty(kind_in_the_dark(terms), terms.light, terms.darkness, ruleset, blind=terms.blind)
    modifiers = (
        Modifier(DARK[terms.light], dark, "MAM-ATK-09") if dark else None,
        named_circumstances(terms.circumstance, ruleset).difficulty,
    )
    if ruleset["darkness_stacks_with_circumstances"] == "no":
        modifiers = (larger_amount(modifiers), None)
    yield from filter(None, modifiers)


def favourable_circumstances(rolling: RollContext) -> Iterator[Modifier]:
    """Yield the circumstances that favour the roll of an attack (MAM-CIRC-05)."""
    terms = rolling.action.terms
    if terms.circumstance and (favour := named_circumstances(terms.circumstance, rolling.ruleset).success):
        yield favour


SECTION = RuleModule(
    attack_modifiers=(favourable_circumstances,),
    difficulty_modifiers=(difficulties,),
)
