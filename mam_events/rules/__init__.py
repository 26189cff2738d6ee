"""The rules of the game, shelved by chapter: a module for each section, editions that list them, options as data."""
