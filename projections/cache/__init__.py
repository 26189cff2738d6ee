"""Projections that are kept beside the log."""
