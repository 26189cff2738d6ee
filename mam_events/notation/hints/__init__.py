"""Advice for words that mean nothing."""
