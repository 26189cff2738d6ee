"""Refusals as data: their arguments, the table of their texts, and the sentence for a reader."""
