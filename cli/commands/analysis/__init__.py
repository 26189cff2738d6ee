"""Commands that explain a fight: odds, luck, what if."""
