"""The shell for an evening: lines typed at a prompt, with the fight at hand."""
