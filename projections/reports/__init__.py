"""Reports about a whole fight."""
