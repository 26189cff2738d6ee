"""The replay on a terminal."""
