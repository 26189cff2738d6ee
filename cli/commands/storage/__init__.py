"""Commands for stores, exports and seals."""
