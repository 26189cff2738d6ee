"""Corrections, notes and branches: their meaning, and what they may do."""
