"""Rulings as people read them."""
