"""Maneuvering: evasion, movement, positions, resting and aiming."""
