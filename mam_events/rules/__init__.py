"""The rules of the game: one module for each section, the editions that list the sections, and the options as data."""
