"""The short form of orders: from words to commands."""
