"""How much a run of the tests tries, as set by environment variables."""

from __future__ import annotations

import os

LONG = os.environ.get("MAM_LONG") == "1"
"""Whether this is a run of CI: more repetitions, the same examples in each run, and an error for a skipped test."""
FUZZ = os.environ.get("MAM_FUZZ") == "1"
"""Whether `make fuzz` looks for errors with new examples."""
EXAMPLES = int(os.environ.get("MAM_EXAMPLES") or 25)
"""How many examples hypothesis tries for each property."""
