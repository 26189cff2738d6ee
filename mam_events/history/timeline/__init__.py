"""The timeline of rulings: the aggregate of an encounter, and queries on it."""
