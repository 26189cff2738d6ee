"""The rulings of an encounter as its living history: what stands, what a correction changes, what is judged again."""
