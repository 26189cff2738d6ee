"""The judge of rulings: judging again, verdicts, bookkeeping, hypothetical fights."""
