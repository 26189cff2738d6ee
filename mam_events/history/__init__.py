"""The rulings of an encounter as its living history: what stands, what corrections change, what is judged again."""
