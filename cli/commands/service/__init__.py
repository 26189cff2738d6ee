"""Commands for the HTTP service."""
