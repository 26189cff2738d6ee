"""The command line: parse, ask the log or a view, print."""
