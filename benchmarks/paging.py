"""The replay page: the time to write it, its size, and the speed of its steps in a browser."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from playwright.sync_api import sync_playwright

from benchmarks.fights import long_log
from benchmarks.measure import Line, times
from benchmarks.starting import MAM

LARGEST = 2 * 1024**2
SLOWEST = 0.05
STEPS = """async (steps) => {
  const { reader } = document.querySelector('mam-book');
  const count = reader.entries.length;
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done();
    port2.postMessage(0);
  }));
  const taken = [];
  for (let step = 0; step < steps; step++) {
    await painted();
    const since = performance.now();
    reader.go(step % 2 ? reader.at + 1 : (step * 7919) % count);
    document.body.offsetHeight;
    taken.push(performance.now() - since);
    await painted();
  }
  return taken.sort((one, other) => one - other)[Math.floor(taken.length * 0.95)] / 1000;
}"""
"""JavaScript that times steps and jumps until each is laid out; it returns the 95th percentile in seconds."""


def paging(long: Path, folder: Path) -> Iterator[Line]:
    """Yield the time to write a page of 1,000 rulings, the size of the `long` one, and the time of a step in it.

    The step is only measured if a browser is installed.
    """
    seconds = _written(long_log(folder, "thousand", times(1_000, 20)), folder / "thousand.html")
    yield Line("mam replay --html, 1,000 rulings", "a second", seconds, None, None, seconds, 1.0, "seconds")
    page = folder / "long.html"
    _written(long, page)
    size = page.stat().st_size
    yield Line("the page of 10,000 rulings", "2 MiB", size / LARGEST, 1, 0.7, size, LARGEST, "bytes")
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser:
        step = _turned(page, browser)
        yield Line("a step in it, 95 of 100", "50 ms", step / SLOWEST, 1, 0.5, step, SLOWEST, "seconds")


def _written(store: Path, page: Path) -> float:
    since = perf_counter()
    words = ("replay", "--html", str(page), "--store", str(store), "-e", "fight", "--quiet")
    subprocess.run((*MAM, *words), check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - since


def _turned(page: Path, browser: str) -> float:
    with sync_playwright() as player:
        opened = player.chromium.launch(executable_path=browser)
        shown = opened.new_page(viewport={"width": 1440, "height": 900})
        shown.goto(page.as_uri())
        shown.wait_for_selector("mam-book.alive", state="attached")
        taken = float(shown.evaluate(STEPS, times(400, 20)))
        opened.close()
    return taken
