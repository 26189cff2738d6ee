"""The operations of the vectors that ask what something costs in character points: all through the price list."""

from __future__ import annotations

from mam_events.errors import BadInput
from mam_events.points import price_list
from mam_events.rules.character_points.price_list import Kind
from mam_events.rules.character_points.worth import character_price, price, total
from tests.rules.scene import Answer, Case, Values, adapters_of


def cp_mass(case: Case) -> Answer:
    return priced(case, "equipment", {"mass_kg": case.given["mass_kg"]})


def cp_shots(case: Case) -> Answer:
    return priced(case, "equipment", {row: case.given[row] for row in ("shots", "reload_time") if row in case.given})


def cp_total(case: Case) -> Answer:
    return priced(case, case.given["kind"], {row: value for row, value in case.given.items() if row != "kind"})


def priced(case: Case, kind: Kind, rows: Values) -> Answer:
    """What the rows cost; what cannot be read as a row is not accepted."""
    try:
        if kind == "character":
            return {"cp": total(character_price(price_list(), rows, {}, case.ruleset))}
        return {"cp": total(price(price_list(), kind, rows, case.ruleset))}
    except BadInput as wrong:
        return {"accepted": False, "reason": wrong.code}


ADAPTERS = adapters_of(globals())
