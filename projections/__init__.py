"""What people read: pure folds over the rulings of an encounter, and the one driver that keeps tables of them."""
