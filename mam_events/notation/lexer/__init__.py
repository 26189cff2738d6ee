"""Lines into words, before their meaning is known."""
