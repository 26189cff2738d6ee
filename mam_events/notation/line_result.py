"""A line's options, its result, and the place where it stopped."""

from __future__ import annotations

from msgspec import Struct

from mam_events.log.results import Answer, Preview
from mam_events.notation.author import GM_AUTHOR, LineAuthor


class LineStop(Struct, frozen=True):
    """The place where a line stopped.

    `may` maps those who may react to their orders; it is empty for a view that may not see all of them. `unused` is the
    rest of the line, and `why` the error of an order that was refused after a die was drawn.
    """

    may: dict[str, tuple[str, ...]]
    unused: str
    why: str = ""


class LineGiven(Struct, frozen=True):
    """A line that was given: its orders in their long form, and a ruling for each.

    `stopped` is set if somebody may react first. `asks` is the effect of a correction, which is then not written until
    the line is given again with `!`, or with the preview that it must match.
    """

    said: tuple[str, ...]
    answers: tuple[Answer, ...] = ()
    stopped: LineStop | None = None
    asks: Preview | None = None


class LineOptions(Struct, frozen=True):
    """Options of a line.

    `by` is the author if the line doesn't name one; with a `command_id` the whole line is recognized when it is sent
    again. `expected` is the ruling that must be the newest (None: any), and `expect` the expected preview of a
    correction ("": none). `sure` writes a correction without a preview, and a closing that cuts something short; with
    `looks` only the preview is returned. A line does not stop for `passing` orders, and with `draws` off no die is
    drawn in it. The fight is read as far as the `author` knows it; they are refused what is not theirs.
    """

    by: str = ""
    command_id: str = ""
    expected: int | None = None
    expect: str = ""
    sure: bool = False
    looks: bool = False
    passing: tuple[str, ...] = ()
    draws: bool = True
    author: LineAuthor = GM_AUTHOR


NO_OPTIONS = LineOptions()
"""The options of a line without any."""
