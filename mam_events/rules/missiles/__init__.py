"""Missiles: bows, crossbows and guns, and whatever is thrown."""
