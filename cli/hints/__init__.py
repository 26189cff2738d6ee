"""Suggestions: likely next commands, and commands that fix an error."""
