"""Rolls: dice and their substitutes, difficulties, circumstances, success rolls, contests, what is added to a roll."""
