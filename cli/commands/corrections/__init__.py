"""Commands that change what was ruled, and notes about it."""
