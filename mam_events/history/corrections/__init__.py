"""Corrections, notes and branches: what they mean and what they may do."""
