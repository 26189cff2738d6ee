"""Hit points and health: pools, wounds, armor, condition, rest."""
