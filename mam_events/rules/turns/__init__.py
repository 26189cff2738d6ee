"""Rounds and turns: order, surprise, speeds, what a turn may contain, combos, prepared counterattacks."""
