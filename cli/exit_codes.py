"""Exit codes of the program; nothing is imported here, so that every start can afford it."""

EXIT_CODES = {
    "Refused": 1,
    "BadInput": 2,
    "VersionConflict": 3,
    "NotFound": 4,
    "VerificationFailed": 5,
    "StoreUnusable": 6,
}
"""The exit code for each class of error."""
BROKEN = 70
"""The exit code for a bug of the program."""
UNPRINTED = 74
"""The exit code for an answer that could not be printed; the order was executed."""
ABORTED = 130
"""The exit code after an interrupt (128 + SIGINT)."""
READER_GONE = 141
"""The exit code if the reader of the output went away (128 + SIGPIPE)."""
