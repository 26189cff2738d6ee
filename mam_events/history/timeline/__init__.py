"""The timeline of rulings: the aggregate of an encounter, and look-ups in it."""
