"""Normalization: lines with the quotes, dashes and spaces of phones and editors are read like plain ones."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mam_events.notation.lexer.lexer import quoted_text
from mam_events.notation.lexer.normalize import lines_in, normalize_line
from tests.notation.tables import CLONE, MODRE, Table


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("note \u201cthe lamp\u201d", 'note "the lamp"'),
        ("note \u201ethe lamp\u201c", 'note "the lamp"'),
        ("note \u201dthe lamp\u201d", 'note "the lamp"'),
        ("note \u00abthe lamp\u00bb", 'note "the lamp"'),
        ("note \u00ab\u00a0the lamp\u202f\u00bb", 'note "the lamp"'),
        ("note \u00bbthe lamp\u00ab", 'note "the lamp"'),
        ("note \u201cthe lamp", 'note "the lamp'),
        ('note \u201cthe lamp"', 'note "the lamp"'),
        ('note "the lamp\u201d', 'note "the lamp"'),
        ('note \u201cthe "old" lamp\u201d', 'note "the \\"old\\" lamp"'),
        ('note "the \u201cold\u201d lamp"', 'note "the \u201cold\u201d lamp"'),
        ('note "the \u201cold\u201d lamp', 'note "the \u201cold\u201d lamp'),
        ("note \u201ca \u201cb\u201d\u201d", 'note "a \u201cb\u201d"'),
        ("note \u201ca \u201cb\u201d, c\u201d seen=gm", 'note "a \u201cb\u201d, c" seen=gm'),
        ("note \u201ca \u201eb\u201c c\u201d seen=gm", 'note "a \u201eb\u201c c" seen=gm'),
        ("note \u00aba \u00abb\u00bb\u00bb", 'note "a \u00abb\u00bb"'),
        ("note \u201ca \u201cb\u201d", 'note "a \u201cb\u201d'),
        ("a\u00a0clone\u2009ice p4", "a clone ice p4"),
        ("\ufeffa cl\u200bone ice p4\u2060", "a clone ice p4"),
        ("a clone v\u22122", "a clone v-2"),
        ("join O\u2019Neil hp=4", "join O'Neil hp=4"),
        ("join Zoe\u0308 hp=4", "join Zoë hp=4"),
        ("a \u2068clone\u2069 p4", "a clone p4"),
        ("a clone\uff1b\u3000d 6", "a clone; d 6"),
        ("mam> a clone p4", "a clone p4"),
        ("r2 Mara \u2192 Goblin 2?> d 6", "d 6"),
        ("$ mam do 'a clone p4'", "a clone p4"),
        ('$ mam do "note \\"so\\""', 'note "so"'),
        ("$ mam do a clone p4", "a clone p4"),
        ("gm grob 3 dam> ready", "gm grob 3 dam> ready"),
        ("a clone p4\r\n", "a clone p4"),
        ("\n\na clone p4\n\n", "a clone p4"),
    ],
)
def test_a_line_is_normalized(text: str, expected: str) -> None:
    assert lines_in(text) == [expected]


def test_several_lines_are_split() -> None:
    assert lines_in("a clone\nd 6\r\n\r\n  2 1\n") == ["a clone", "d 6", "2 1"]
    table = Table(MODRE, CLONE)
    assert table.error("initiative\nn") == "These are 2 lines. Type them one by one."
    assert table.orders("\ufeffinitiative\r\n")[-1].startswith("initiative")
    assert table.orders("mam> n\n") == ["modre: begin-turn"]
    assert table.orders("note \u201chi there\u201d\n") == ['note "hi there"']


@given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Cf", "Zl", "Zp"]), max_size=40))
def test_text_in_plain_quotes_is_unchanged(text: str) -> None:
    line = f"note {quoted_text(normalize('NFC', text))}"
    assert normalize_line(line) == line


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("note \u201ca \u201cb\u201d\u201d", "a \u201cb\u201d"),
        ('note "a "b""', 'a "b"'),
        ('note "a "b" c"', 'a "b" c'),
        ('note "no" he said', '"no" he said'),
        ('note "a \\"b\\""', 'a "b"'),
        ('note so, "no"', 'so, "no"'),
    ],
)
def test_quotes_around_a_note_are_removed_and_quotes_inside_are_kept(words: str, text: str) -> None:
    table = Table(MODRE, CLONE)
    assert table.orders(words) == [f"note {quoted_text(text)}"]


def test_an_error_for_an_unescaped_quote_shows_how_to_escape_it() -> None:
    table = Table(MODRE, CLONE)
    assert table.error('gm modre dead "a "b""') == (r'Type a quote inside a text as \", as in "he said \"no\"".')
    assert table.orders(r'gm modre dead "he said \"no\""') == [r'adjust "he said \"no\"" condition=(modre=dead)']
