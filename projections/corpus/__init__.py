"""A corpus of fights under other rules: how it is collected, judged again and summarized."""
