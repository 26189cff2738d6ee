"""A writer in a separate process, which writes to one encounter and prints what was acknowledged.

Arguments: store, encounter, name, how many rulings (0: for ever).
"""

from __future__ import annotations

import itertools
import sys

from mam_events.commands import Adjust
from mam_events.log.combat_log import CombatLog


def main() -> None:
    """Write rulings; print `ack NUMBER REASON` for each acknowledged one."""
    store, encounter, name, rulings = sys.argv[1:]
    log = CombatLog.open(store)
    for count in itertools.count(1) if rulings == "0" else range(1, int(rulings) + 1):
        reason = f"{name} {count}"
        answer = log.execute(encounter, Adjust(reason=reason), by=name)
        sys.stdout.write(f"ack {answer.number} {reason}\n")
        sys.stdout.flush()
        if count % 5 == 0:
            log.undo(encounter, answer.number, only=True, by=name)


if __name__ == "__main__":
    main()
