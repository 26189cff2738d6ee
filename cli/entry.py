"""The `mam` program; it imports what takes time inside, so that an interrupt never causes a traceback."""

from __future__ import annotations

import gc
import sys

from cli.exit_codes import ABORTED


def main() -> None:
    """Run the command line of this process and exit with its code."""
    sys.unraisablehook = _pass_over
    # A command ends before garbage collection is worth its time.
    gc.disable()
    try:
        try:
            from cli.app import main as run

            run()
        finally:
            _hear_no_more()
    except KeyboardInterrupt:
        _hear_no_more()
        sys.exit(ABORTED)


def _hear_no_more() -> None:
    """Ignore further interrupts, because all work is done and Python would print a traceback at its exit."""
    from signal import SIG_IGN, SIGINT, signal

    signal(SIGINT, SIG_IGN)


def _pass_over(unraisable: sys.UnraisableHookArgs) -> None:
    """Ignore an exception that Python cannot raise, unless MAM_DEBUG is set.

    An interrupt during cleanup can cause one, and Python would print its traceback.
    """
    from os import environ

    if environ.get("MAM_DEBUG"):
        sys.__unraisablehook__(unraisable)
