"""The cost of work in function calls, which is the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def calls(work: Callable[[], object]) -> int:
    """Count the calls of Python functions during `work`."""
    count = 0

    def called(frame: FrameType, event: str, argument: object) -> None:  # noqa: ARG001 - the signature of a profiler
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
