"""A pool of worker processes that end when their parent does, even if it is killed."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread


def process_pool(workers: int) -> ProcessPoolExecutor:
    """Return an executor with new worker processes."""
    # A fork would inherit locks of threads that it does not have.
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=end_with_parent)


def end_with_parent() -> None:
    """End this process as soon as its parent is gone, because a killed parent cannot stop its children."""
    parent = parent_process()
    assert parent is not None  # noqa: S101 - only child processes call this
    sentinel = parent.sentinel

    def watch() -> None:
        wait([sentinel])
        os._exit(1)

    Thread(target=watch, name="mam-parent", daemon=True).start()
