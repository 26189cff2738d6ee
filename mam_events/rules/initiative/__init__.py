"""The order of turns: by reach and seat, by Perception, by the game master; ties and ambushes (MAM-ORDER, RD6-INIT)."""
