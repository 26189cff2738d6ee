"""The printed tables: read once, by the names of their files, and the same in every ruleset."""

from __future__ import annotations

from mam_events.rules.rulebook import rulebook


def test_a_table_goes_by_the_name_of_its_file() -> None:
    assert rulebook().tables["difficulties"]["hard"] == 15


def test_every_ruleset_has_the_tables_also_one_that_a_log_pinned() -> None:
    fresh = rulebook().ruleset("mam_pools", {"half_success": "never"})
    assert fresh.tables is rulebook().tables
    assert rulebook().in_force(fresh.pinned).tables is rulebook().tables
