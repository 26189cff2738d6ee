"""Views that people read: pure folds over the rulings of an encounter, and the one list of all encounters."""
