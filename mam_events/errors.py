"""Everything the service says no with: one class per kind of no, mapped to exit codes only at the edge."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, NamedTuple


class Hint(NamedTuple):
    """A command by which one gets on after a no: its name, and as much of its fields as is known."""

    order: str
    values: Mapping[str, Any] = MappingProxyType({})


class MamError(Exception):
    """A no that a person can act on: its text is one sentence, never a traceback.

    Each door says the rest in words of its own: `wrong` is what was given and cannot be ("" where that is not the
    trouble), `allowed` are names that would have been allowed in its place, `hints` commands by which one gets on.
    """

    code: str = "error"
    as_known = False
    """True where only those are named of whom whoever is answered may know; else each door looks for the others."""

    def __init__(
        self, sentence: str, *, wrong: str = "", allowed: Iterable[str] = (), hints: Iterable[Hint] = ()
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        # A kind of text of its own would be none to whoever writes it as JSON.
        self.wrong = str(wrong)
        self.allowed = tuple(allowed)
        self.hints = tuple(hints)

    def __reduce__(self) -> tuple[Any, ...]:
        # As it stands, for another process: classes of errors are made from other words than `args`.
        hints = tuple(Hint(hint.order, dict(hint.values)) for hint in self.hints)
        return _as_it_was, (type(self), *self.args), self.__dict__ | {"hints": hints}

    @property
    def near(self) -> str:
        """The one allowed name that was probably meant; "" where none is near."""
        return closest(self.wrong, self.allowed)


def _as_it_was(kind: type[MamError], *args: object) -> MamError:
    return kind.__new__(kind, *args)


class Refused(MamError):
    """A command that the rules, or the state of the fight, do not allow.

    `code` is stable and meant for machines, `rule` is the id of the rule that says no ("" where no printed rule is
    involved), `order` the name of the command that was judged ("" before one was), `fields` are its fields at fault,
    `sentence` says what would have been allowed. Where it names or lists what may be hidden, `told` is the same
    sentence with references for that (`deciding.referring`, `listing`); "" else.
    """

    order = ""

    def __init__(
        self, code: str, sentence: str, *, rule: str = "", fields: tuple[str, ...] = (), told: str = "", **more: Any
    ) -> None:
        super().__init__(resolve_listings(sentence), **more)
        self.told = told or (sentence if LISTING in sentence else "")
        self.code = code
        self.rule = rule
        self.fields = fields

    def at(self, place: str) -> Refused:
        """The same refusal, with the place where it was met before its sentence."""
        told = f"{place}: {self.told}" if self.told else ""
        more = {"wrong": self.wrong, "allowed": self.allowed, "hints": self.hints}
        same = Refused(self.code, f"{place}: {self.sentence}", rule=self.rule, fields=self.fields, told=told, **more)
        same.order = self.order
        return same


class BadInput(MamError):
    """Input that cannot be read as what it should be; `place` says where (a file and line, a field), `fault` what is
    wrong there.
    """

    code = "bad_input"

    def __init__(self, sentence: str, *, place: str = "", wrong: str = "", allowed: Iterable[str] = ()) -> None:
        super().__init__(f"{place}: {sentence}" if place else sentence, wrong=wrong, allowed=allowed)
        self.place = place
        self.fault = sentence

    def at(self, place: str) -> BadInput:
        """The same error, with the place where it was met before its sentence."""
        return BadInput(self.sentence, place=place, wrong=self.wrong, allowed=self.allowed)


class NoFace(BadInput):
    """An order that throws dice without saying their faces, where none may be drawn for it; `dice` are those, as far as
    whoever orders may know of them, and `order` throws them.
    """

    code = "no_face"

    def __init__(self, sentence: str, *, place: str = "", dice: Iterable[str] = (), order: str = "") -> None:
        super().__init__(sentence, place=place, allowed=dice)
        self.order = order

    @property
    def dice(self) -> tuple[str, ...]:
        """The dice, each as it is called: `Clone's defense`."""
        return self.allowed

    def at(self, place: str) -> NoFace:
        """The same error, with the place where it was met before its sentence."""
        return NoFace(self.sentence, place=place, dice=self.dice, order=self.order)


class NotFound(MamError):
    """Something named that does not exist: an encounter, a ruling, a file."""

    code = "not_found"


class VersionConflict(MamError):
    """The log has moved on since the caller looked at it."""

    code = "version_conflict"


class VerificationFailed(MamError):
    """A seal, an export or a die does not check out."""

    code = "verification_failed"


class StoreUnusable(MamError):
    """The store cannot be used: locked, foreign, from a newer version, read-only."""

    code = "store_unusable"


@contextmanager
def naming(encounter: str) -> Iterator[None]:
    """The work on one encounter of several: where it does not check, its name is told."""
    try:
        yield
    except VerificationFailed as error:
        raise VerificationFailed(f'"{encounter}" does not check: {error.sentence}') from None


LISTING = "\x06"
"""The mark around what `listing` lists; no text that people give has control characters in it (`values.Text`)."""
_PARTS = LISTING.join(["", *["([^\x06]*)"] * 4, ""])


def listing(wrong: str, known: Iterable[str], kind: str = "combatant", none: str = "there are none yet.") -> str:
    """Return a hint for a refusal, as `nearest` gives it (or `none`), from which a view can leave out those whom it may
    not know of; `kind` is what is listed: each a combatant's id, or a ruling's number.
    """
    return LISTING.join(["", kind, none, wrong, ",".join(known), ""])


def resolve_listings(sentence: str, shows: Callable[[str, str], bool] = lambda _kind, _name: True) -> str:
    """Return the sentence with its listings written out: of each only what the view `shows`."""

    def hint(found: re.Match[str]) -> str:
        kind, none, wrong, known = found.groups()
        shown = [name for name in known.split(",") if name and shows(kind, name)]
        return nearest(wrong, shown) if shown else none

    return re.sub(_PARTS, hint, sentence) if LISTING in sentence else sentence


def listed_in(told: str) -> list[tuple[str, str]]:
    """Return the kind and the name of everything that a sentence lists."""
    return [(found[1], name) for found in re.finditer(_PARTS, told) for name in found[4].split(",")]


SHOWN = 12
"""The number of known names that a hint lists."""

A_WORD = 4
"""From so many letters on, a hint names those of which what was typed is a part, or that are a part of it."""


LONGEST_NAME = 200
"""The longest word for which the nearest known one is looked for."""


def closest(name: str, known: Iterable[str]) -> str:
    """The known name that is most like another; "" where none is like it."""
    from difflib import get_close_matches  # noqa: PLC0415 - most processes refuse nothing

    names = list(dict.fromkeys(known))
    if len(name) > LONGEST_NAME:
        # Nobody mistypes so much, and to compare it takes long.
        return ""
    close = get_close_matches(name, names, cutoff=0.6) or get_close_matches(name.lower(), names, cutoff=0.6)
    # Few mistype the first letter.
    close.sort(key=lambda other: other[:1] != name[:1].lower())
    found = close[:1] or _alike(name, names)
    return found[0] if len(found) == 1 else ""


def _alike(name: str, known: Sequence[str]) -> list[str]:
    """The names of which that is a part, or that are a part of it."""
    low = name.lower()
    return [
        other for other in known if (len(name) >= A_WORD and low in other) or (len(other) >= A_WORD and other in low)
    ]


def nearest(name: str, known: Iterable[str], most: int | None = SHOWN) -> str:
    """A hint naming the nearest known name, and otherwise so many of the known ones: `did you mean "clone"?`."""
    names = list(dict.fromkeys(known))
    if close := closest(name, names):
        return f'did you mean "{close}"?'
    if not names:
        return "there are none yet."
    if parts := _alike(name, names):
        quoted = [f'"{part}"' for part in parts[:SHOWN]]
        return f"did you mean {' or '.join(quoted)}?"
    return f"known: {', '.join(names[:most])}{', …' if names[:most] != names else ''}."
