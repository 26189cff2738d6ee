"""All errors for users, one class per kind; only the interfaces map them to exit codes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from mam_events.refusals.arguments import Anything, Given, Message, Term, TextArgument, reference_to, text_fragment
from mam_events.refusals.suggestions import closest_name


class CommandHint(NamedTuple):
    """A suggested command after an error: its name, and the fields that are known."""

    order: str
    values: Mapping[str, Any] = MappingProxyType({})


class MamError(Exception):
    """An error that a person can act on: its text is one sentence, never a traceback.

    Each interface presents the rest in its own way: `wrong` is the rejected value ("" if there is none), `allowed` are
    names that could replace it, `hints` are commands to try next.
    """

    code: str = "error"
    as_known = False
    """True if the error names only what its reader may know; otherwise each interface removes the rest."""

    def __init__(
        self, sentence: str, *, wrong: str = "", allowed: Iterable[str] = (), hints: Iterable[CommandHint] = ()
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        # The JSON encoder refuses subclasses of str.
        self.wrong = str(wrong)
        self.allowed = tuple(allowed)
        self.hints = tuple(hints)

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickle would call the class with `args`, but subclasses take other arguments.
        hints = tuple(CommandHint(hint.order, dict(hint.values)) for hint in self.hints)
        return _as_it_was, (type(self), *self.args), self.__dict__ | {"hints": hints}

    def followed_by(self, more: str) -> None:
        """Append these words to the sentence."""
        self.sentence += more

    @property
    def near(self) -> str:
        """The one allowed name that was probably meant; "" if none is close."""
        return closest_name(self.wrong, self.allowed)


def _as_it_was(kind: type[MamError], *args: object) -> MamError:
    return kind.__new__(kind, *args)


class Refused(MamError):
    """A command that the rules, or the state of the fight, do not allow.

    `key` is its code and, after a slash, the case: `out_of_turn/other` (`refusals.texts`). The arguments have the names
    in its text, each with the thing itself as its value. The code is stable and meant for machines. `rule` is the id of
    the rule that refuses ("" if no printed rule does), `order` the name of the judged command ("" before one was),
    `fields` are its fields at fault. The sentence is built when it is read, because most refusals are only counted.
    """

    order = ""

    def __init__(
        self,
        key: str,
        *,
        rule: str = "",
        fields: tuple[str, ...] = (),
        wrong: str = "",
        allowed: Iterable[Given] = (),
        hints: Iterable[CommandHint] = (),
        **references: Given,
    ) -> None:
        self.code, _, _ = key.partition("/")
        self.rule = rule
        self.fields = fields
        self._key = key
        self._references = references
        self._allowed = tuple(allowed)
        self._message: Message | None = None
        super().__init__("", wrong=wrong, hints=hints)

    @classmethod
    def saying(cls, code: str, message: Message, *, rule: str = "") -> Refused:
        """Return a refusal of that code with another text."""
        no = cls(code, rule=rule)
        no.say(message)
        return no

    @classmethod
    def quoting(cls, no: MamError) -> Refused:
        """Return another error as a refusal."""
        refused = cls(no.code, wrong=no.wrong, allowed=map(Term, no.allowed))
        refused.say(text_fragment("quoted", sentence=TextArgument(no.sentence)))
        return refused

    @property
    def message(self) -> Message:
        """The refusal as a message, as data."""
        if self._message is None:
            references = {name: reference_to(value) for name, value in self._references.items()}
            self._message = Message(self._key, references, self.wrong, tuple(map(reference_to, self._allowed)))
        return self._message

    @property
    def sentence(self) -> str:
        """The sentence for the game master."""
        from mam_events.refusals.renderer import render_message  # noqa: PLC0415 - most processes refuse nothing

        return render_message(self.message)

    @sentence.setter
    def sentence(self, _said: str) -> None:
        """Ignore the value: the sentence is built when it is read."""

    @property
    def allowed(self) -> tuple[str, ...]:
        """The names that are allowed."""
        from mam_events.refusals.renderer import id_of  # noqa: PLC0415 - most processes refuse nothing

        return tuple(map(id_of, map(reference_to, self._allowed)))

    @allowed.setter
    def allowed(self, _names: tuple[str, ...]) -> None:
        """Ignore the value."""

    @property
    def could_be(self) -> tuple[Anything, ...]:
        """The things that are allowed."""
        return tuple(map(reference_to, self._allowed))

    def __str__(self) -> str:
        return self.sentence

    def at(self, place: str) -> Refused:
        """Return the same refusal, with its place in front of the sentence."""
        same = copy(self)
        same.say(text_fragment("placed", place=TextArgument(place), sentence=self.message))
        return same

    def followed_by(self, more: str) -> None:
        """Append these words to the sentence."""
        self.say(text_fragment("followed", sentence=self.message, more=TextArgument(more)))

    def say(self, message: Message) -> None:
        """Replace the message."""
        self._message = message


class BadInput(MamError):
    """Input that can't be read as what it should be.

    `place` says where (a file and line, a field), `fault` what is wrong there.
    """

    code = "bad_input"

    def __init__(self, sentence: str, *, place: str = "", wrong: str = "", allowed: Iterable[str] = ()) -> None:
        super().__init__(_placed(place, sentence), wrong=wrong, allowed=allowed)
        self.place = place
        self.fault = sentence

    def at(self, place: str) -> Self:
        """Return the same error, with its place in front of the sentence."""
        same = copy(self)
        same.place, same.fault = place, self.sentence
        same.sentence = _placed(place, self.sentence)
        same.args = (same.sentence,)
        return same


def _placed(place: str, sentence: str) -> str:
    """Return a sentence after its place; one that begins with a verb has the place as its subject."""
    if not place:
        return sentence
    return f"{place} {sentence}" if sentence.startswith(("must ", "cannot ")) else f"{place}: {sentence}"


class NoFace(BadInput):
    """An order that throws dice without giving their faces, where none may be drawn.

    `dice` are those dice, as far as the author of the order may know of them, `rollers` who throws each, and `order` is
    the order.
    """

    code = "no_face"

    def __init__(
        self,
        sentence: str,
        *,
        place: str = "",
        dice: Iterable[str] = (),
        order: str = "",
        rollers: Iterable[str] = (),
    ) -> None:
        super().__init__(sentence, place=place, allowed=dice)
        self.order = order
        self.rollers = tuple(rollers)

    @property
    def dice(self) -> tuple[str, ...]:
        """The names of the dice: `Clone's defense`."""
        return self.allowed


class Unclear(BadInput):
    """Input that could mean several things, listed in `allowed`: a question.

    `word` is the ambiguous word; if it is "", one of them is missing, `in_front` of the order or after it. `usual` is
    the most common meaning ("": unknown), and `nth` the order of its line that is asked about. If a number answers it,
    `number` is how it is typed there: `p{}`. With `whole` the answer replaces the order completely.
    """

    nth = 0
    number = ""
    whole = False

    def __init__(
        self,
        sentence: str,
        *,
        place: str = "",
        word: str = "",
        allowed: Iterable[str] = (),
        in_front: bool = False,
        usual: str = "",
    ) -> None:
        super().__init__(sentence, place=place, allowed=allowed)
        self.word = word
        self.in_front = in_front
        self.usual = usual


class NotFound(MamError):
    """Something named that does not exist: an encounter, a ruling, a file."""

    code = "not_found"


class VersionConflict(MamError):
    """The log has changed since the caller read it."""

    code = "version_conflict"


class VerificationFailed(MamError):
    """A seal, an export or a die doesn't verify."""

    code = "verification_failed"


class StoreUnusable(MamError):
    """The store can't be used: locked, foreign, from a newer version, read-only."""

    code = "store_unusable"

    @classmethod
    def unreadable(cls, part: str, error: Exception) -> StoreUnusable:
        """Return the error for a part of a log that does not fit; `error` says why."""
        return cls(f"{part} cannot be read. It was damaged, or another program wrote it ({error}).")


@contextmanager
def naming_encounter(encounter: str) -> Iterator[None]:
    """Name the encounter or the file in verification errors of the block."""
    try:
        yield
    except VerificationFailed as error:
        sentence = f'"{encounter}" failed verification. {error.sentence}'
        raise VerificationFailed(sentence, hints=error.hints) from None
