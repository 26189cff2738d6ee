"""Pages for a browser, whole in one file: nothing is loaded from elsewhere, and nothing is built."""
