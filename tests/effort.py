"""How much a run of the tests tries, as set by environment variables."""

from __future__ import annotations

import os

LONG = os.environ.get("MAM_LONG") == "1"
"""Whether this is a run of CI, which tries the same examples each time and counts a skipped test as an error."""
FUZZ = os.environ.get("MAM_FUZZ") == "1"
"""Whether this is `make fuzz`, which repeats, kills and compares as often as may find something."""
EXAMPLES = int(os.environ.get("MAM_EXAMPLES") or 25)
"""How many examples hypothesis tries for each property."""
