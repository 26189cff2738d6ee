"""Refusals as data: what they speak of, the table of their texts, and the sentence that a reader is told."""
