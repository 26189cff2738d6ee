"""The decider: what may be done, what follows from it, and how the past is corrected. Pure, without exception."""
