"""The combat log: the one door through which rulings are written and read."""
