"""A game master in a separate process, who makes the requested corrections and may be killed at a named point.

Arguments: store, and the point where it kills itself (none: ""). Each line of standard input is a JSON object: the
`steps` of a correction, and of `expected`, `expect`, `command_id` what it shall be held to. It answers with the number
of the ruling, or with the name of the error and its code.
"""

from __future__ import annotations

import os
import signal
import sys
from datetime import UTC, datetime
from itertools import count
from typing import Any

import msgspec

from mam_events.errors import MamError, Refused
from mam_events.events import Step
from mam_events.log.combat_log import CombatLog

SETTINGS: dict[str, Any] = {"clock": lambda: datetime(2026, 1, 1, tzinfo=UTC), "entropy": bytes}
"""Settings with which a correction gives the same bytes in every process."""


class Told(msgspec.Struct):
    """A correction as this process receives it."""

    steps: tuple[Step, ...]
    expected: int | None = None
    expect: str = ""
    command_id: str = ""


def die_at(point: str) -> None:
    """Kill this process, as kill -9 does, at the point `EVENT NAME TIMES`.

    EVENT is a profiler event, NAME a function, and TIMES how often they have come up by then.
    """
    event, name, times = point.split()
    counter = count(1)

    def look(frame: Any, happened: str, argument: Any) -> None:
        if happened != event:
            return
        function = argument.__name__ if event.startswith("c_") else frame.f_code.co_name
        if function == name and next(counter) == int(times):
            os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(look)


def main() -> None:
    """Apply the corrections that come in, line by line."""
    store, point = sys.argv[1:]
    with CombatLog.open(store, **SETTINGS) as log:
        log.timeline("fight")
        say("ready")
        for line in sys.stdin:
            message = msgspec.json.decode(line, type=Told)
            if point:
                die_at(point)
            try:
                answer = log.correct(
                    "fight",
                    message.steps,
                    expected=message.expected,
                    expect=message.expect,
                    command_id=message.command_id,
                )
            except MamError as error:
                say(f"{type(error).__name__} {error.code if isinstance(error, Refused) else ''}".strip())
            else:
                say(str(answer.number))


def say(line: str) -> None:
    """Print a line for the waiting test."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
