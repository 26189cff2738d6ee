"""Odds, luck, explanations, comparisons."""
