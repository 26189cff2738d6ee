"""Text in terminal cells: wide and combining characters, right-to-left names."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.output.render import wrap_lines
from cli.output.text_wrap import ISOLATE, POP_ISOLATE, isolate_rtl, text_width, truncate, wrap
from cli.shell.ruling_picker import _cut


@given(st.text("ab -.", min_size=1, max_size=60), st.integers(8, 20), st.integers(0, 4))
def test_plain_text_wraps_as_in_textwrap(text: str, columns: int, indent: int) -> None:
    text = text.lstrip()
    plain = textwrap.wrap(text, columns, subsequent_indent=" " * indent, break_on_hyphens=False, drop_whitespace=True)
    if text.strip():
        assert [line.strip() for line in wrap(text, columns, indent)] == [line.strip() for line in plain]


@given(st.text("a勇者🐉e\u0301\u200d ", min_size=1, max_size=60), st.integers(8, 20), st.integers(0, 4))
def test_wrapped_lines_fit_their_cells_and_lose_nothing(text: str, columns: int, indent: int) -> None:
    lines = wrap(text, columns, indent)
    assert all(text_width(line) <= columns for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert not any(line.lstrip().startswith("\u0301") for line in lines[1:] if not text.startswith("\u0301")) or (
        " \u0301" in text
    )


def test_wide_names_wrap_by_their_cells() -> None:
    assert wrap_lines("勇者ロト 勇者ロト 勇者ロト", 20, indent=2) == ["勇者ロト 勇者ロト", "  勇者ロト"]


@pytest.mark.parametrize(
    ("text", "columns", "beginning"), [("勇者ロト", 5, "勇者"), ("e\u0301a", 1, "e\u0301"), ("abc", 9, "abc")]
)
def test_text_is_cut_between_grapheme_clusters(text: str, columns: int, beginning: str) -> None:
    assert truncate(text, columns) == beginning


def test_an_entry_of_the_picker_fits_its_line() -> None:
    assert _cut("勇者ロト joins", 8) == "勇者ロ…"


def test_right_to_left_names_are_isolated_on_a_terminal() -> None:
    sentence = isolate_rtl("אבי → דנה · hit")
    assert sentence == f"{ISOLATE}אבי{POP_ISOLATE} → {ISOLATE}דנה{POP_ISOLATE} · hit"
    assert text_width(sentence) == text_width("אבי → דנה · hit")
    assert isolate_rtl("Ana → Bo") == "Ana → Bo"
