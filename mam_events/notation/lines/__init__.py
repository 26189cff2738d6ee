"""Lines with a form of their own: joins, corrections, notes, idioms."""
