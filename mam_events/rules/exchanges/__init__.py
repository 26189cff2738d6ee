"""Exchanges: who answers an attack and how, the dice that fall in it, and what it comes to."""
