"""Visibility: the limits of what each view may know."""
