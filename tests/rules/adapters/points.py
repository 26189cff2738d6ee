"""Operations of the vectors about prices in character points, all by the price list."""

from __future__ import annotations

from mam_events.character_points.prices import character_price, price, total
from mam_events.character_points.sheets import price_list
from tests.rules.scene import Answer, Case


def cp_total(case: Case) -> Answer:
    rows = {row: value for row, value in case.given.items() if row != "kind"}
    kind = case.get("kind", "equipment")
    if kind == "character":
        return {"cp": total(character_price(price_list(), rows, {}, case.ruleset))}
    return {"cp": total(price(price_list(), kind, rows, case.ruleset))}


ADAPTERS = dict.fromkeys(("cp_mass", "cp_shots", "cp_total"), cp_total)
