"""Views that people read: pure folds over the rulings of an encounter, and the list of all encounters."""
