"""A line as it is given: the words beside it, what came of it, and the place where it stopped."""

from __future__ import annotations

from msgspec import Struct

from mam_events.log.results import Answer, Preview
from mam_events.notation.author import GM_AUTHOR, LineAuthor


class LineStop(Struct, frozen=True):
    """The place where a line stopped: who may react and by which orders (nobody, for a view that may not see all of
    them), what was not used of it, and `why`, where that could not be given behind a die that was drawn.
    """

    may: dict[str, tuple[str, ...]]
    unused: str
    why: str = ""


class LineGiven(Struct, frozen=True):
    """A line given: its orders in their long form, and a ruling for each.

    `stopped` tells that somebody may react first, `asks` what a correction would change: nothing is written then until
    it is given again with `!`, or with what that is to be held to.
    """

    said: tuple[str, ...]
    answers: tuple[Answer, ...] = ()
    stopped: LineStop | None = None
    asks: Preview | None = None


class LineOptions(Struct, frozen=True):
    """Words beside a line.

    `by` is who orders where the line does not say; under a `command_id` the line is known again as a whole. `expected`
    is the ruling that must be the newest (None: any), `expect` what the preview of a correction showed ("": none), and
    `sure` writes it without one, as a closing that cuts something short; with `looks` it is only asked what it would
    change. A line does not stop for `passing` orders, and with `draws` off no die is drawn in it; the fight is read as
    far as the `typist` knows it, who is refused what is not theirs.
    """

    by: str = ""
    command_id: str = ""
    expected: int | None = None
    expect: str = ""
    sure: bool = False
    looks: bool = False
    passing: tuple[str, ...] = ()
    draws: bool = True
    typist: LineAuthor = GM_AUTHOR


NO_OPTIONS = LineOptions()
"""A line beside which nothing is said."""
