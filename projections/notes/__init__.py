"""Disputes and proposals."""
