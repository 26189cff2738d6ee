"""Commands for rules, house rules and character points."""
