"""The `mam` program: all else is imported in here, so that an interrupt ends it without a traceback at any moment."""

from __future__ import annotations

import gc
import sys

_ABORTED = 130


def main() -> None:
    """Run the command line of this process and exit with its code."""
    sys.unraisablehook = _pass_over
    # A process of a command is over before it has made a circle worth collecting, and looking for one takes a while.
    gc.disable()
    try:
        try:
            from cli.app import main as run

            run()
        finally:
            _hear_no_more()
    except KeyboardInterrupt:
        _hear_no_more()
        sys.exit(_ABORTED)


def _hear_no_more() -> None:
    """Let no further interrupt count: all is done by now, and the interpreter would tell of one on its way out."""
    from signal import SIG_IGN, SIGINT, signal

    signal(SIGINT, SIG_IGN)


def _pass_over(unraisable: sys.UnraisableHookArgs) -> None:
    """An interrupt may meet an object on its way out, which cannot stop, or leave one half made, which cannot close:
    Python would show a traceback of either.
    """
    from os import environ

    if environ.get("MAM_DEBUG"):
        sys.__unraisablehook__(unraisable)
