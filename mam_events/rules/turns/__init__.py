"""Rounds and turns: order, surprise, speeds, the contents of a turn, combos, prepared counterattacks."""
