"""HTML pages that open from disk."""
