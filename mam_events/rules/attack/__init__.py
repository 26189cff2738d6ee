"""Attacks: how they are declared, under what terms, how hard they are and how hard they strike."""
