"""Merging of tables to which many modules contribute."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


def merge_unique(parts: Iterable[Mapping[Key, Value]]) -> dict[Key, Value]:
    """Return the parts merged into one table; raise ValueError for a key that stands in two of them."""
    whole: dict[Key, Value] = {}
    for part in parts:
        if twice := whole.keys() & part.keys():
            raise ValueError(f"{', '.join(sorted(map(str, twice)))}: given twice, and only one of them would count")
        whole.update(part)
    return whole
