"""The combat log: all rulings are written and read here."""
