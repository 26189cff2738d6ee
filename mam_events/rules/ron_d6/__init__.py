"""Ron d6: rounds, initiative rolled anew in each of them, and many actions at a price (RD6)."""
