"""The state of a fight as people read it."""
