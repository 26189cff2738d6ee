"""Ron d6: rounds, initiative rolled again in each of them, and multiple actions at a price (RD6)."""
