"""Character points as people ask for them: the price list that comes with the program, and sheets of what is priced."""

from __future__ import annotations

from mam_events.points.bill import Bill, Priced, bill
from mam_events.points.prices import price_list
from mam_events.points.sheet import Sheet, load_sheet, read_sheet

__all__ = ["Bill", "Priced", "Sheet", "bill", "load_sheet", "price_list", "read_sheet"]
