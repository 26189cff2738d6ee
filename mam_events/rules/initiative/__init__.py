"""Initiative by Perception: who rolls, ties, who acts first and who may act now (RD6-INIT, RD6-TIE)."""
