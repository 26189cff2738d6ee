"""The log, its fights and what comes in."""

TEXTS: dict[str, str] = {
    "needs_bookkeeping": "Ruling {number} counts only by bookkeeping of correction {rejudged_by}, which a fight file can't say. Export it as a score as it was played.",
}
