"""A corpus of fights under other rules: where they are gathered, what they come to, and the page that shows it."""
