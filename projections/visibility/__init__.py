"""What a view may know."""
