"""Everything the service says no with: one class per kind of no, mapped to exit codes only at the edge."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from types import MappingProxyType
from typing import Any, NamedTuple

from mam_events.refusals.nearest import closest, nearest
from mam_events.refusals.references import Given, Id, Message, Ruling, Thing, Who, reference_to


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

    def followed_by(self, more: str) -> None:
        """Let those words stand behind the sentence."""
        self.sentence += more

    @property
    def near(self) -> str:
        """The one allowed name that was probably meant; "" where none is near."""
        return closest(self.wrong, self.allowed)


def _as_it_was(kind: type[MamError], *args: object) -> MamError:
    return kind.__new__(kind, *args)


class Refused(MamError):
    """A command that the rules, or the state of the fight, do not allow.

    `key` is its code and, behind a stroke, the case: `out_of_turn/other` (`refusals.texts`). What its text speaks of is
    given by the names that stand in it, each as the thing itself. The code is stable and meant for machines, `rule` is
    the id of the rule that says no ("" where no printed rule is involved), `order` the name of the command that was
    judged ("" before one was), `fields` are its fields at fault.

    An older form has its `sentence` written out. Where that names or lists what may be hidden, `told` is the same
    sentence with references for that (`deciding.referring`, `listing`); "" else.
    """

    order = ""

    def __init__(  # noqa: PLR0913 - a refusal is all of this
        self,
        key: str,
        sentence: str = "",
        *,
        rule: str = "",
        fields: tuple[str, ...] = (),
        told: str = "",
        wrong: str = "",
        allowed: Iterable[Given | str] = (),
        hints: Iterable[Hint] = (),
        **references: Given,
    ) -> None:
        self.key = key
        self.code = key.partition("/")[0]
        self.rule = rule
        self.fields = fields
        self.place = ""
        self._more = ""
        self._references = references
        self._allowed = tuple(allowed)
        self._written = sentence
        self._told = told
        super().__init__(resolve_listings(sentence), wrong=wrong, hints=hints)

    @property
    def message(self) -> Message | None:
        """The message, as data; None for the older form."""
        if self._written:
            return None
        references = {name: reference_to(given) for name, given in self._references.items()}
        allowed = tuple(reference_to(one) for one in self._allowed if not isinstance(one, str))
        return Message(self.key, references, self.wrong, allowed)

    @property
    def sentence(self) -> str:
        """The sentence as the game master is told it."""
        return f"{self.place}: {self._words()}" if self.place else self._words()

    @sentence.setter
    def sentence(self, _said: str) -> None:
        """Leave it as it is: the sentence is made when it is read."""

    @property
    def told(self) -> str:
        """The sentence with references for whoever may be hidden; "" where it names nobody."""
        said = self._words(marked=True)
        return f"{self.place}: {said}" if self.place and said else said

    @told.setter
    def told(self, said: str) -> None:
        self._told = said

    def _words(self, *, marked: bool = False) -> str:
        """The sentence without its place, or that with references."""
        message = self.message
        if message is not None:
            said = _rendered(message, marked=marked)
        elif marked:
            said = self._told or (self._written if LISTING in self._written else "")
        else:
            said = resolve_listings(self._written)
        return f"{said}{self._more}" if said else ""

    @property
    def allowed(self) -> tuple[str, ...]:
        """The names that would have been allowed."""
        from mam_events.refusals.rendering import id_of  # noqa: PLC0415 - most processes refuse nothing

        return tuple(one if isinstance(one, str) else id_of(reference_to(one)) for one in self._allowed)

    @allowed.setter
    def allowed(self, _names: tuple[str, ...]) -> None:
        """Leave them as they are."""

    def __str__(self) -> str:
        return self.sentence

    def at(self, place: str) -> Refused:
        """The same refusal, with the place where it was met before its sentence."""
        same = copy(self)
        same.place = f"{place}: {self.place}" if self.place else place
        return same

    def followed_by(self, more: str) -> None:
        """Let those words stand behind the sentence."""
        self._more += more


class _Marked:
    """A reader for whom names are marked as references (`deciding.referring`), so that each view is told its own."""

    def combatant(self, who: Who) -> str:
        """Return the name with the id in front."""
        return f"\x01{who.id}\x02{who.name}\x03"

    def combatant_id(self, who: Id) -> str:
        """Return the id as a name."""
        return f"\x01{who.id}\x02{who.id}\x03"

    def thing(self, thing: Thing) -> str:
        """Return the name as something that people said."""
        return f"\x04{thing.name}\x05"

    def shows(self, one: Given) -> bool:
        """Return True: whoever reads it leaves out what they may not know."""
        return True

    def hint(self, wrong: str, ones: Sequence[Given]) -> str:
        """Return a listing of those ids."""
        from mam_events.refusals.rendering import id_of  # noqa: PLC0415 - most processes refuse nothing

        names = [id_of(reference_to(one)) for one in ones]
        rulings = any(isinstance(one, Ruling) for one in ones)
        if rulings or all(isinstance(one, Who) for one in ones):
            return listing(wrong, names, "ruling" if rulings else "combatant")
        return nearest(wrong, names)


def _rendered(message: Message, *, marked: bool = False) -> str:
    from mam_events.refusals.rendering import MASTER, rendered  # noqa: PLC0415 - most processes refuse nothing

    return rendered(message, _Marked() if marked else MASTER)


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
