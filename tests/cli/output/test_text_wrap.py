"""Text in the cells of a terminal: wide signs, combining ones, and names that are written from right to left."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.output.render import wrap_lines
from cli.output.text_wrap import ISOLATE, POP_ISOLATE, isolate_rtl, text_width, truncate, wrap
from cli.shell.ruling_picker import _cut


@given(st.text("ab -.", min_size=1, max_size=60), st.integers(8, 20), st.integers(0, 4))
def test_plain_text_is_folded_as_the_library_folds_it(text: str, columns: int, indent: int) -> None:
    text = text.lstrip()
    plain = textwrap.wrap(text, columns, subsequent_indent=" " * indent, break_on_hyphens=False, drop_whitespace=True)
    if text.strip():
        assert [line.strip() for line in wrap(text, columns, indent)] == [line.strip() for line in plain]


@given(st.text("a勇者🐉e\u0301\u200d ", min_size=1, max_size=60), st.integers(8, 20), st.integers(0, 4))
def test_no_line_takes_more_cells_than_there_are_and_nothing_is_lost(text: str, columns: int, indent: int) -> None:
    lines = wrap(text, columns, indent)
    assert all(text_width(line) <= columns for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert not any(line.lstrip().startswith("\u0301") for line in lines[1:] if not text.startswith("\u0301")) or (
        " \u0301" in text
    )


def test_wide_names_fold_by_the_cells_that_they_take() -> None:
    assert wrap_lines("勇者ロト 勇者ロト 勇者ロト", 20, indent=2) == ["勇者ロト 勇者ロト", "  勇者ロト"]


@pytest.mark.parametrize(
    ("text", "columns", "beginning"), [("勇者ロト", 5, "勇者"), ("e\u0301a", 1, "e\u0301"), ("abc", 9, "abc")]
)
def test_a_text_is_cut_between_signs(text: str, columns: int, beginning: str) -> None:
    assert truncate(text, columns) == beginning


def test_what_is_picked_from_takes_no_more_than_its_line() -> None:
    assert _cut("勇者ロト joins", 8) == "勇者ロ…"


def test_names_from_right_to_left_are_apart_on_a_terminal() -> None:
    told = isolate_rtl("אבי → דנה · hit")
    assert told == f"{ISOLATE}אבי{POP_ISOLATE} → {ISOLATE}דנה{POP_ISOLATE} · hit"
    assert text_width(told) == text_width("אבי → דנה · hit")
    assert isolate_rtl("Ana → Bo") == "Ana → Bo"
