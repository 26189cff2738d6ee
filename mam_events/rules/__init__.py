"""The rules of the game: a module for each section of the rules, editions as values, options as data."""
