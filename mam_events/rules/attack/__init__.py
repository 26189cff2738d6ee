"""Attacks: declaration, terms, difficulty and power."""
