"""Merging of tables to which many modules contribute."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


def merge_unique(parts: Iterable[Mapping[Key, Value]]) -> dict[Key, Value]:
    """Return the parts merged into one table; raise ValueError for a key that stands in two of them."""
    merged: dict[Key, Value] = {}
    for part in parts:
        if twice := merged.keys() & part.keys():
            raise ValueError(f"{', '.join(sorted(map(str, twice)))}: given twice, and only one of them would count")
        merged.update(part)
    return merged
