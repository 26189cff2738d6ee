"""A process that works on a store, as ordered on standard input by one JSON array a line: work, then arguments.

Each piece of work is answered with one line (`crash` with one per group); that is how the tests wait for it.
"""

from __future__ import annotations

import json
import random
import sys
from functools import cache
from itertools import count

from mam_events.errors import StoreUnusable, VersionConflict
from mam_events.log.encounters import Encounters
from mam_events.store import build_events


def group(version: int, name: str, number: int, size: int) -> list[tuple[int, str, bytes]]:
    """Return rows that contain the number and the size of their group."""
    state = json.dumps({"by": name, "group": number, "size": size, "text": "x" * (size * 997 % 2000)}).encode()
    return [(version + i, "Probe.1", state) for i in range(size)]


def answer(line: str) -> None:
    """Print a line for the waiting test."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def own(path: str, name: str, groups: int) -> str:
    """Append to an encounter that nobody else writes to."""
    with Encounters.at(path) as store:
        for number in range(groups):
            store.save(*build_events(name, group(2 * number + 1, name, number, 2)))
    return "done"


def shared(path: str, encounter: str, name: str, groups: int) -> str:
    """Append to an encounter that others write to, and retry until each append succeeds."""
    conflicts = 0
    with Encounters.at(path) as store:
        for number in range(groups):
            while True:
                try:
                    store.save(
                        *build_events(encounter, group(store.recorder.last_version(encounter) + 1, name, number, 3))
                    )
                    break
                except VersionConflict:
                    conflicts += 1
    return str(conflicts)


def fresh(path: str, name: str) -> str:
    """Open a file that may not exist yet, append, close, and check its contents."""
    with Encounters.at(path) as store:
        store.save(*build_events(name, group(1, name, 0, 3)), seed=name.encode().ljust(64))
    with Encounters.at(path, create=False) as store:
        store.save(*build_events(name, group(4, name, 1, 3)))
        return f"{len(store.rows(name))} {store.seeds.get(name) == name.encode().ljust(64)}"


def crash(path: str, seed: int) -> str:
    """Append groups of every size and report the newest version of each encounter, until killed."""
    dice = random.Random(seed)
    with Encounters.at(path) as store:
        for number in count():
            encounter = dice.choice(["first", "second", f"new-{seed}-{number}"])
            version = store.recorder.last_version(encounter) + 1
            rows = group(version, str(seed), number, dice.choice([1, 2, 3, 5, 40]))
            store.save(*build_events(encounter, rows), seed=b"s" * 64 if version == 1 else None)
            answer(f"ack {encounter} {rows[-1][0]}")
            store.projection_recorder("newest").keep([(encounter, rows[-1][0], rows[-1][2])])
    return "never"


def leave_open(path: str) -> str:
    """Write to a store and leave it open."""
    store = Encounters.at(path)
    store.save(*build_events("left", group(1, "left", 0, 1)))
    globals()["kept"] = store
    return "done"


def write(path: str, version: int) -> str:
    """Append a row to the fight in a store that stays open."""
    try:
        kept(path).save(*build_events("fight", [(version, "Probe.1", b"{}")]))
    except StoreUnusable as error:
        return str(error)
    return "done"


def read(path: str) -> str:
    """Return the newest version of the fight in a store that stays open, or the error."""
    try:
        return str(kept(path).recorder.last_version("fight"))
    except StoreUnusable as error:
        return str(error)


def close(path: str) -> str:
    """Close the store that stayed open."""
    kept(path).close()
    kept.cache_clear()
    return "done"


@cache
def kept(path: str) -> Encounters:
    """Open a store that stays open."""
    return Encounters.at(path, busy_timeout=0.1)


WORK = {work.__name__: work for work in (own, shared, fresh, crash, leave_open, write, read, close)}

if __name__ == "__main__":
    answer("ready")
    for line in sys.stdin:
        work, *arguments = json.loads(line)
        answer(WORK[work](*arguments))
