"""The operations of the vectors that ask what something costs in character points: all through the price list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mam_events.errors import BadInput
from mam_events.points import price_list
from mam_events.rules.character_points import Kind, character_price, price, total
from tests.rules.scene import Case, Values


def cp_mass(case: Case) -> dict[str, Any]:
    return priced(case, "equipment", {"mass_kg": case.given["mass_kg"]})


def cp_shots(case: Case) -> dict[str, Any]:
    return priced(case, "equipment", {row: case.given[row] for row in ("shots", "reload_time") if row in case.given})


def cp_total(case: Case) -> dict[str, Any]:
    return priced(case, case.given["kind"], {row: value for row, value in case.given.items() if row != "kind"})


def priced(case: Case, kind: Kind, rows: Values) -> dict[str, Any]:
    """What the rows cost; what cannot be read as a row is not accepted."""
    try:
        if kind == "character":
            return {"cp": total(character_price(price_list(), rows, {}, case.ruleset))}
        return {"cp": total(price(price_list(), kind, rows, case.ruleset))}
    except BadInput as wrong:
        return {"accepted": False, "reason": wrong.code}


ADAPTERS: dict[str, Callable[[Case], dict[str, Any]]] = {
    function.__name__: function for function in (cp_mass, cp_shots, cp_total)
}
