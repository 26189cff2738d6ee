"""Exchanges: the answers to an attack, the dice rolled in it, and its result."""
