"""`mam verify` refuses every forgery of an export in the list that it shares with the page (`tests/web`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.books import FIGHTS, export_of, valid_book
from tests.cli.calls import Mam
from tests.cli.conftest import mam, table
from tests.forgeries import FORGERIES, UNPROVEN

__all__ = ["mam", "table"]


@pytest.mark.parametrize("fight", FIGHTS)
def test_an_unchanged_export_passes_verification(mam: Mam, table: Path, fight: str) -> None:
    (table / "fight.ndjson").write_bytes(export_of(valid_book(fight)))
    assert "all seals are right" in mam("verify", "fight.ndjson").out


@pytest.mark.parametrize("name", [name for name, forgery in FORGERIES.items() if not forgery.shows])
def test_verify_refuses_every_forgery_of_an_export(mam: Mam, table: Path, name: str) -> None:
    (table / "fight.ndjson").write_bytes(export_of(FORGERIES[name].forged()))
    result = mam("verify", "fight.ndjson", code=None)
    assert result.code in (2, 5, 6), result.out
    assert "Traceback" not in result.err


@pytest.mark.parametrize("name", UNPROVEN)
def test_verify_counts_what_it_cannot_prove(mam: Mam, table: Path, name: str) -> None:
    (table / "honest.ndjson").write_bytes(export_of(valid_book(UNPROVEN[name].fight)))
    (table / "forged.ndjson").write_bytes(export_of(UNPROVEN[name].forged()))
    for file in ("honest.ndjson", "forged.ndjson"):
        output = mam("verify", file).out
        assert "0 of 2 drawn dice match the committed seed" in output
        assert "dice whose only proof is a seal that was noted before the seed was revealed: 2" in output
        report = mam("verify", file, "--json").lines[0]
        assert (report["drawn"], report["proven"], report["salted"]) == (2, 0, 2)
    seal = valid_book(UNPROVEN[name].fight)["seal"]
    assert "noted seal" in mam("verify", "forged.ndjson", "--seal", seal, code=5).err
