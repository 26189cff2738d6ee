"""Commands that show a fight."""
