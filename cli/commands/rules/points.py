"""The command points: prices of a sheet of templates, characters and equipment, or of a single row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import msgspec

from cli.command_class import command_decorator
from cli.output import render
from cli.param_types import IntRange
from cli.session import Session, pass_session
from cli.shared_options import complete_preset, house_rule, store_options
from mam_events.errors import BadInput, Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mam_events.character_points.price_list import Benchmark
    from mam_events.character_points.prices import BillLine
    from mam_events.character_points.sheets import Bill, PricedThing
    from mam_events.decider.engine import Ruleset

PRESET = "mam_pools"
NO_LIMIT = "no_limit"
_TYPED = {"shots": "--shots", "reload_time": "--reload", "mass_kg": "--mass"}


class ShotsParam(IntRange):
    """A number of shots, or `no_limit`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number or the word; raise a usage error for anything else."""
        return value if value == NO_LIMIT else super().convert(value, param, ctx)


@command_decorator(
    "points",
    "mam points examples/points.toml",
    "mam points sheet.toml --set cp_mass_gap=nearest_printed_value --json",
    "mam points --shots 6 --reload 2 --mass 1.1",
)
@click.argument("file", metavar="FILE", required=False, help="A point sheet (TOML); - for standard input.")
@click.option(
    "--shots", type=ShotsParam(1), metavar="N|no_limit", help="Instead of a file: the price of that many shots."
)
@click.option(
    "--reload", "reload_time", type=IntRange(), metavar="TURNS", help="With --shots: how many turns reloading takes."
)
@click.option("--mass", "mass_kg", metavar="KG", help="Instead of a file: the price of that mass.")
@click.option(
    "--preset",
    default="",
    metavar="PRESET",
    shell_complete=complete_preset,
    help="The preset (the file's, or mam_pools, if left out).",
)
@house_rule("A house rule to add (repeatable).")
@store_options
@pass_session
def points(
    session: Session,
    file: str | None,
    shots: int | str | None,
    reload_time: int | None,
    mass_kg: str | None,
    preset: str,
    house_rules: tuple[tuple[str, str], ...],
) -> None:
    """Price a sheet of templates, characters and equipment in character points.

    It prints every row with its count, price, sum and rule, then compares each character with the benchmarks, and the
    sides with each other. It changes no fight.
    """
    statistics = {"shots": shots, "reload_time": reload_time, "mass_kg": mass_kg}
    values = {name: value for name, value in statistics.items() if value is not None}
    if file and values:
        raise click.UsageError("Give one of FILE, --shots and --mass, and leave the others out.")
    if not file and not values:
        raise click.UsageError("Missing FILE. Name one, or use --shots or --mass.")
    if reload_time is not None and shots is None:
        raise click.UsageError("--reload needs --shots.")
    if file:
        _show_sheet(session, file, preset, dict(house_rules))
    else:
        _show_rows(session, values, preset or PRESET, dict(house_rules))


def _show_rows(session: Session, values: Mapping[str, Any], preset: str, house_rules: Mapping[str, str]) -> None:
    """Print the prices of single rows of equipment."""
    from mam_events.character_points.prices import price, total
    from mam_events.character_points.sheets import price_list
    from mam_events.rules.rulebook import rulebook

    try:
        lines = price(price_list(), "equipment", values, rulebook().ruleset(preset, house_rules))
    except BadInput as wrong:
        raise BadInput(wrong.fault, place=_TYPED[wrong.place]) from None
    if session.json:
        render.json_line(
            {"lines": [msgspec.to_builtins(line) | {"sum": line.sum} for line in lines], "total": total(lines)}
        )
        return
    render.print_table(
        _HEADERS[1:], [cells[1:] for cells in _cells("", lines, total(lines))], right=(1, 2, 3), fold=(0,)
    )


def _show_sheet(session: Session, file: str, preset: str, house_rules: Mapping[str, str]) -> None:
    """Print a whole sheet with its prices."""
    from cli.commands.fight.party import text_in
    from mam_events.character_points.sheets import price_list, price_sheet, read_sheet

    sheet = read_sheet(*text_in(file, "points"))
    prices = price_list()
    ruleset = _ruleset(sheet.preset, sheet.house_rules, sheet.places, preset, house_rules)
    bill = price_sheet(sheet, prices, ruleset)
    if session.json:
        for priced in bill.priced:
            render.json_line(_as_json(priced))
        for side in bill.sides:
            render.json_line({"kind": "side", "id": side.name, "total": side.together} | _numbers(side))
        return
    if sheet.title:
        click.echo(render.paint(sheet.title, "strong"), color=render.uses_colour())
        click.echo()
    rows = [cells for one in bill.priced for cells in _cells(f"{one.kind} {one.id}", one.lines, one.total)]
    render.print_table(_HEADERS, rows, right=(2, 3, 4), fold=(0, 1))
    _show_characters(bill, prices.benchmarks)
    _show_sides(bill)


def _ruleset(
    preset: str,
    house_rules: Mapping[str, str],
    places: Mapping[str, str],
    other_preset: str,
    more_house_rules: Mapping[str, str],
) -> Ruleset:
    """Return the rules of a sheet with the rules that were typed; an error in the file names its place."""
    from mam_events.rules.rulebook import rulebook

    try:
        return rulebook().ruleset(other_preset or preset, {**house_rules, **more_house_rules})
    except Refused as no:
        (field,) = no.fields
        if field in more_house_rules or (field == "preset" and other_preset):
            raise
        raise no.at(places[field]) from None


_HEADERS = ("", "what", "count", "price", "sum", "rule")


def _cells(thing: str, lines: Iterable[BillLine], total: int) -> Iterable[tuple[str, ...]]:
    """Yield the rows of a table: the lines of one thing, then their total."""
    first = thing
    for line in lines:
        yield first, line.what, str(line.count), str(line.price), str(line.sum), line.rule
        first = ""
    yield first, render.paint("total", "strong"), "", "", render.paint(str(total), "strong"), "MAM-CP-08"


def _show_characters(bill: Bill, benchmarks: Mapping[str, Benchmark]) -> None:
    """Print by how much each character is above or below the benchmarks."""
    rows = [
        (one.id, one.name, str(one.total), *(f"{above:+d}" for above in one.benchmarks.values()), str(one.equipment))
        for one in bill.priced
        if one.kind == "character"
    ]
    if not rows:
        return
    click.echo()
    click.echo("Beside the benchmarks, which are advice and leave equipment out [MAM-CP-02]:")
    heads = [
        f"{benchmark.title} ({'to' if benchmark.most else 'about'} {benchmark.points})"
        for benchmark in benchmarks.values()
    ]
    columns = range(2, 4 + len(heads))
    render.print_table(("character", "name", "points", *heads, "equipment"), rows, right=columns, fold=(1, *columns))


def _show_sides(bill: Bill) -> None:
    """Print the sides, the strongest first, and by how much each of them is weaker."""
    if not bill.sides:
        return
    click.echo()
    click.echo("Side against side [MAM-CP-01]:")
    most = bill.sides[0].together
    render.print_table(
        ("side", "characters", "points", "equipment", "together", "behind"),
        [
            (side.name, *map(str, _numbers(side).values()), str(side.together), str(most - side.together))
            for side in bill.sides
        ],
        right=range(1, 6),
        fold=(0,),
    )


def _numbers(side: Any) -> dict[str, int]:
    return {"characters": side.characters, "points": side.points, "equipment": side.equipment}


def _as_json(priced: PricedThing) -> dict[str, Any]:
    lines = [msgspec.to_builtins(line) | {"sum": line.sum} for line in priced.lines]
    own = {"side": priced.side, "equipment": priced.equipment, "benchmarks": priced.benchmarks}
    return {
        "kind": priced.kind,
        "id": priced.id,
        "name": priced.name,
        "lines": lines,
        "total": priced.total,
    } | (own if priced.kind == "character" else {})
