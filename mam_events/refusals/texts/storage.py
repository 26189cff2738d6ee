"""Stores, exports, checks of them."""

TEXTS: dict[str, str] = {}
