"""The `mam` program: all else is imported in here, so that an interrupt ends it without a traceback at any moment."""

from __future__ import annotations

import sys
from signal import SIG_IGN, SIGINT, signal
from typing import NoReturn

_ABORTED = 130


def main() -> NoReturn:
    """Run the command line of this process and exit with its code."""
    try:
        try:
            from cli.main import main as run

            run()
        finally:
            # All is done by now, and the interpreter would tell of an interrupt on its way out.
            signal(SIGINT, SIG_IGN)
    except KeyboardInterrupt:
        signal(SIGINT, SIG_IGN)
        sys.exit(_ABORTED)
    sys.exit(0)
