"""Projections that are cached beside the log."""
