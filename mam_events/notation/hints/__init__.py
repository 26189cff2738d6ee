"""Advice for words without a meaning."""
