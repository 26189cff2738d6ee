"""Character points: price lists, prices, sheets."""
