"""Short orders into commands."""
