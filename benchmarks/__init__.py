"""Benchmarks of the service: each reports the ratio of its cost to a limit that the same run measures."""
