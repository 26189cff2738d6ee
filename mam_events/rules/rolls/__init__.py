"""Rolls: dice and their substitutes, difficulties, circumstances, success rolls, contests, modifiers of a roll."""
