"""Character points: the worth of templates, characters and equipment (MAM-CP).

No rule of a fight uses them; they help to build characters and to compare sides (MAM-CP-01). The prices are passed in:
this module reads no files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from itertools import chain
from typing import Any

from msgspec import Struct

from mam_events.character_points.price_list import (
    AnyOf,
    Band,
    Cover,
    Mark,
    Mass,
    OneOf,
    PerLevel,
    PerNumber,
    PerStep,
    PriceList,
    PriceRule,
    SheetKind,
    Shots,
)
from mam_events.decider.engine import Ruleset
from mam_events.deserializer import SHORTENER
from mam_events.errors import BadInput, Refused
from mam_events.refusals.arguments import Term, TextArgument, list_argument
from mam_events.refusals.suggestions import suggestion_text

MAX_LEVEL = 1_000_000
"""The highest level or number allowed; the lowest level is its negative."""

HEAVIEST = 1_000_000_000
MASS_DECIMALS = 9
"""The greatest mass in kilograms that is read, and the most decimals of one."""


class BillLine(Struct, frozen=True):
    """One line of a calculation: the row, its description, the number and the price of each."""

    row: str
    what: str
    count: int
    price: int
    rule: str

    @property
    def sum(self) -> int:
        """The points of the line."""
        return self.count * self.price


Values = Mapping[str, Any]
"""The amounts given for the rows of a thing, by name."""

COMPANION: dict[type[PriceRule], str] = {Cover: "absorption", Shots: "reload_time"}
"""The second value that goes with a row's own value."""


def total(lines: Iterable[BillLine]) -> int:
    """Return the sum of all rows (MAM-CP-08)."""
    return sum(line.sum for line in lines)


def price(
    prices: PriceList, kind: SheetKind, values: Values, ruleset: Ruleset, keys: Iterable[str] = ()
) -> list[BillLine]:
    """Price a template, the rows of a character or a piece of equipment (MAM-CP-03 to -07), line by line.

    The lines are in the order of the table. A row that is not given costs nothing. `keys` are names that are allowed
    beside the rows; the hint for a misspelled row suggests them too. Raises BadInput, with the row as its place, for an
    invalid row; refused like `mass_price`.
    """
    table = prices.table(kind)
    companions = {COMPANION[type(row)] for row in table.rows.values() if type(row) in COMPANION}
    for name in values:
        if name not in table.rows and name not in companions:
            hint = suggestion_text(name, chain(table.rows, sorted(companions), keys))
            raise BadInput(f"There is no such row for {_KINDS[kind]}. {hint}", place=name)
    lines: list[BillLine] = []
    for name, row in table.rows.items():
        if name in values or COMPANION.get(type(row)) in values:
            rule = row.rule if isinstance(row, Shots | Mass) else table.rule
            lines += (BillLine(name, *sold, rule) for sold in _PRICING[type(row)](row, name, values, ruleset))
    return lines


_KINDS: dict[SheetKind, str] = {
    "template": "a template",
    "character": "a character",
    "equipment": "a piece of equipment",
}

RowCost = tuple[str, int, int]
"""A row's description, number and price."""


def character_price(
    prices: PriceList, values: Values, template: Values, ruleset: Ruleset, keys: Iterable[str] = ()
) -> list[BillLine]:
    """Price the rows of a character that was built on this template (MAM-CP-04).

    Raises and is refused like `price`, and with `speed_off_the_ladder` if the template's speed has no such step.
    """
    lines = price(prices, "character", values, ruleset, keys)
    up, down = values.get("more_speed", 0), values.get("less_speed", 0)
    if up and down:
        raise BadInput("A character is either faster or slower than its template, not both.", place="less_speed")
    speeds = prices.template.rows["speed"]
    ladder = list(speeds.prices) if isinstance(speeds, OneOf) else []
    if "speed" not in template:
        highest, lowest, speed = len(ladder) - 1, len(ladder) - 1, ""
    else:
        speed = _known("speed", template["speed"], dict.fromkeys(ladder, 0))
        lowest = ladder.index(speed)
        highest = len(ladder) - 1 - lowest
    for name, steps in (("more_speed", up), ("less_speed", -down)):
        if not -lowest <= steps <= highest:
            raise Refused(
                "speed_off_the_ladder",
                field=Term(name),
                given=bool(speed),
                speed=Term(speed),
                ladder=list_argument(map(Term, ladder)),
                highest=highest,
                lowest=lowest,
                steps=abs(steps),
                up=steps > 0,
                rule="MAM-CP-04",
                fields=(name,),
            )
    return lines


def _per_level(row: PerLevel, name: str, values: Values, ruleset: Ruleset) -> Iterator[RowCost]:
    yield _words(name), parse_whole(name, values[name], -MAX_LEVEL), row.price


def _per_number(row: PerNumber, name: str, values: Values, ruleset: Ruleset) -> Iterator[RowCost]:
    yield row.what or _words(name), parse_whole(name, values[name]), row.price


def _per_step(row: PerStep, name: str, values: Values, ruleset: Ruleset) -> Iterator[RowCost]:
    steps = parse_whole(name, values[name], -MAX_LEVEL)
    # speed_step: the price counts for each step of speed, or once for being faster or slower.
    steps_counted = steps if ruleset["speed_step"] == "per_step" else max(-1, min(steps, 1))
    yield _words(name), steps_counted, row.price


def _mark(row: Mark, name: str, values: Values, ruleset: Ruleset) -> Iterator[RowCost]:
    if not isinstance(values[name], bool):
        raise BadInput(f"must be true or false, not {SHORTENER.repr(values[name])}.", place=name)
    if values[name]:
        yield _words(name), 1, row.price


def _one_of(row: OneOf, name: str, values: Values, ruleset: Ruleset) -> Iterator[RowCost]:
    chosen = _known(name, values[name], row.prices)
    yield f"{_words(name)} {chosen}", 1, row.prices[chosen]


def _any_of(row: AnyOf, name: str, values: Values, ruleset: Ruleset) -> Iterator[RowCost]:
    value = values[name]
    if not isinstance(value, list | tuple):
        raise BadInput(f"must be a list of names, not {SHORTENER.repr(value)}.", place=name)
    chosen = [_known(name, one, row.prices) for one in value]
    if twice := next((one for one, times in Counter(chosen).items() if times > 1), None):
        raise BadInput(f'"{twice}" is listed twice. Each counts once.', place=name)
    yield from ((_words(one), 1, row.prices[one]) for one in row.prices if one in chosen)


def _cover(row: Cover, name: str, values: Values, ruleset: Ruleset) -> Iterator[RowCost]:
    companion = COMPANION[Cover]
    absorption = parse_whole(companion, values.get(companion, 0))
    value = values.get(name, 0)
    if value == "complete":
        yield f"complete cover, absorption {absorption}", absorption, row.complete
        return
    if isinstance(value, str):
        raise BadInput(f'must be a whole number or "complete", not {SHORTENER.repr(value)}.', place=name)
    cover = parse_whole(name, value)
    yield f"cover {cover}, absorption {absorption}", cover * absorption, row.partial


def _shots(row: Shots, name: str, values: Values, ruleset: Ruleset) -> Iterator[RowCost]:
    companion = COMPANION[Shots]
    turns = parse_whole(companion, values.get(companion, 0))
    if name not in values:
        raise BadInput(f'Without "{name}" nothing is reloaded. Give it too.', place=companion)
    value = values[name]
    if value == "no_limit":
        yield "shots without limit", 1, row.no_limit
        return
    if isinstance(value, str):
        raise BadInput(f'must be a whole number or "no_limit", not {SHORTENER.repr(value)}.', place=name)
    shots = parse_whole(name, value, 1)
    yield (
        f"{shots} {'shot' if shots == 1 else 'shots'} before reloading",
        1,
        row.prices[min(shots, len(row.prices)) - 1],
    )
    yield _words(companion), turns, row.reload_time


def _mass(row: Mass, name: str, values: Values, ruleset: Ruleset) -> Iterator[RowCost]:
    mass = kilograms(name, values[name])
    yield f"{mass.normalize():f} kg", 1, mass_price(row, mass, ruleset)


_PRICING: dict[type[PriceRule], Callable[[Any, str, Values, Ruleset], Iterator[RowCost]]] = {
    PerLevel: _per_level,
    PerNumber: _per_number,
    PerStep: _per_step,
    Mark: _mark,
    OneOf: _one_of,
    AnyOf: _any_of,
    Cover: _cover,
    Shots: _shots,
    Mass: _mass,
}


def mass_price(row: Mass, mass: Decimal, ruleset: Ruleset) -> int:
    """Return the points for a mass in kilograms; refuse with `mass_over_table` above the last band (MAM-CP-07)."""
    heaviest = row.bands[-1].last
    # cp_mass_over_limit: a mass above the table has no price, or the bands go on.
    if mass > heaviest and ruleset["cp_mass_over_limit"] == "reject":
        raise Refused(
            "mass_over_table",
            mass=TextArgument(f"{mass:f}"),
            heaviest=Term(f"{heaviest:,}"),
            rule=row.rule,
            fields=("mass_kg",),
        )
    lighter: Band | None = None
    for band in chain(row.bands, _further(row.bands[-1])):
        if mass <= band.last:
            break
        lighter = band
    # cp_mass_gap: between two bands the heavier one counts, or the nearer one.
    nearer = ruleset["cp_mass_gap"] == "nearest_printed_value"
    if nearer and lighter is not None and mass - lighter.last < band.first - mass:
        return lighter.price
    return band.price


def _further(last: Band) -> Iterator[Band]:
    """Yield the bands above the table: limits 1, 2, 5, 10 …, each one point cheaper."""
    while True:
        factor = Decimal("2.5") if str(last.last)[0] == "2" else Decimal(2)
        last = Band(last.last + 1, (last.last * factor).quantize(Decimal(1)), last.price - 1)
        yield last


def parse_whole(name: str, value: object, least: int = 0) -> int:
    """Return a whole number of at least `least`; raise BadInput, with `name` as its place, for anything else."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        enough = "" if least == -MAX_LEVEL and not isinstance(value, int) else f" of {least} or more"
        raise BadInput(f"must be a whole number{enough}, not {_shown(value)}.", place=name)
    if value > MAX_LEVEL:
        raise BadInput(f"must be at most {MAX_LEVEL:,}, not {_shown(value)}.", place=name)
    return value


def kilograms(name: str, value: object) -> Decimal:
    """Return a mass given as a whole number, a decimal or text; raise BadInput, with `name` as its place."""
    mass = Decimal(-1)
    if isinstance(value, int | str | Decimal) and not isinstance(value, bool):
        with suppress(InvalidOperation):
            mass = Decimal(value)
    if not mass.is_finite() or not 0 <= mass <= HEAVIEST or int(mass.as_tuple().exponent) < -MASS_DECIMALS:
        requirement = f"must be kilograms from 0 to {HEAVIEST:,} with at most {MASS_DECIMALS} decimals"
        raise BadInput(f"{requirement}, not {_shown(value)}.", place=name)
    return abs(mass)


def _shown(value: object) -> str:
    return SHORTENER.repr(str(value)).strip("'") if isinstance(value, Decimal) else SHORTENER.repr(value)


def _known(name: str, value: object, prices: Mapping[str, int]) -> str:
    # A file may give a speed as the number 2.
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str) or text not in prices:
        hint = suggestion_text(text, prices) if isinstance(text, str) else f"Known: {', '.join(prices)}."
        raise BadInput(f"{SHORTENER.repr(value)} is not among the choices. {hint}", place=name)
    return text


def _words(name: str) -> str:
    return name.replace("_", " ")


class SideWorth(Struct, frozen=True):
    """The worth of one side of a fight: its number of characters, their points and those of their equipment."""

    name: str
    characters: int
    points: int
    equipment: int

    @property
    def together(self) -> int:
        """Characters and equipment."""
        return self.points + self.equipment


def sides(worth: Iterable[tuple[str, int, int]]) -> Sequence[SideWorth]:
    """Group characters by side and return the sides, the strongest first (MAM-CP-01).

    A character is given as side, points and points of equipment. Equipment is counted separately (MAM-CP-08); sides are
    compared by both together.
    """
    worths: dict[str, SideWorth] = {}
    for name, points, equipment in worth:
        side = worths.get(name, SideWorth(name, 0, 0, 0))
        worths[name] = SideWorth(name, side.characters + 1, side.points + points, side.equipment + equipment)
    return sorted(worths.values(), key=lambda side: -side.together)
