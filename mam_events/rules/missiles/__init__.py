"""Missiles: bows, crossbows and guns, and thrown things."""
