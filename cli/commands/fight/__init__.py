"""Commands that begin a fight and play it."""
