"""Other processes that compute: they end when the one that began them does, however that ends."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread


def process_pool(workers: int) -> ProcessPoolExecutor:
    """Return an executor of so many new processes."""
    # A fork would have the locks of threads that are not in it.
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=end_with_parent)


def end_with_parent() -> None:
    """End this process as soon as its parent is gone: what is killed tells its children nothing."""
    parent = parent_process()
    assert parent is not None  # noqa: S101 - only other processes call this
    sentinel = parent.sentinel

    def watch() -> None:
        wait([sentinel])
        os._exit(1)

    Thread(target=watch, name="mam-parent", daemon=True).start()
