"""Everything the service says no with: one class per kind of no, mapped to exit codes only at the edge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from mam_events.refusals.arguments import Anything, Given, Message, Term, TextArgument, reference_to, text_fragment
from mam_events.refusals.suggestions import closest_name


class CommandHint(NamedTuple):
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
        self, sentence: str, *, wrong: str = "", allowed: Iterable[str] = (), hints: Iterable[CommandHint] = ()
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        # A kind of text of its own would be none to whoever writes it as JSON.
        self.wrong = str(wrong)
        self.allowed = tuple(allowed)
        self.hints = tuple(hints)

    def __reduce__(self) -> tuple[Any, ...]:
        # As it stands, for another process: classes of errors are made from other words than `args`.
        hints = tuple(CommandHint(hint.order, dict(hint.values)) for hint in self.hints)
        return _as_it_was, (type(self), *self.args), self.__dict__ | {"hints": hints}

    def followed_by(self, more: str) -> None:
        """Let those words stand behind the sentence."""
        self.sentence += more

    @property
    def near(self) -> str:
        """The one allowed name that was probably meant; "" where none is near."""
        return closest_name(self.wrong, self.allowed)


def _as_it_was(kind: type[MamError], *args: object) -> MamError:
    return kind.__new__(kind, *args)


class Refused(MamError):
    """A command that the rules, or the state of the fight, do not allow.

    `key` is its code and, behind a stroke, the case: `out_of_turn/other` (`refusals.texts`). What its text speaks of is
    given by the names that stand in it, each as the thing itself. The code is stable and meant for machines, `rule` is
    the id of the rule that says no ("" where no printed rule is involved), `order` the name of the command that was
    judged ("" before one was), `fields` are its fields at fault. The words are made when they are read, for most
    refusals are only counted.
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
        """Return a refusal of that code which says something else."""
        no = cls(code, rule=rule)
        no.say(message)
        return no

    @classmethod
    def quoting(cls, no: MamError) -> Refused:
        """Return another no as a refusal."""
        refused = cls(no.code, wrong=no.wrong, allowed=map(Term, no.allowed))
        refused.say(text_fragment("quoted", sentence=TextArgument(no.sentence)))
        return refused

    @property
    def message(self) -> Message:
        """The message that it is, as data."""
        if self._message is None:
            references = {name: reference_to(given) for name, given in self._references.items()}
            self._message = Message(self._key, references, self.wrong, tuple(map(reference_to, self._allowed)))
        return self._message

    @property
    def sentence(self) -> str:
        """The sentence as the game master is told it."""
        from mam_events.refusals.renderer import render_message  # noqa: PLC0415 - most processes refuse nothing

        return render_message(self.message)

    @sentence.setter
    def sentence(self, _said: str) -> None:
        """Leave it as it is: the sentence is made when it is read."""

    @property
    def allowed(self) -> tuple[str, ...]:
        """The names that would have been allowed."""
        from mam_events.refusals.renderer import id_of  # noqa: PLC0415 - most processes refuse nothing

        return tuple(map(id_of, map(reference_to, self._allowed)))

    @allowed.setter
    def allowed(self, _names: tuple[str, ...]) -> None:
        """Leave them as they are."""

    @property
    def could_be(self) -> tuple[Anything, ...]:
        """The things that would have been allowed."""
        return tuple(map(reference_to, self._allowed))

    def __str__(self) -> str:
        return self.sentence

    def at(self, place: str) -> Refused:
        """The same refusal, with the place where it was met before its sentence."""
        same = copy(self)
        same.say(text_fragment("placed", place=TextArgument(place), sentence=self.message))
        return same

    def followed_by(self, more: str) -> None:
        """Let those words stand behind the sentence."""
        self.say(text_fragment("followed", sentence=self.message, more=TextArgument(more)))

    def say(self, message: Message) -> None:
        """Say something else than what was refused at first."""
        self._message = message


class BadInput(MamError):
    """Input that cannot be read as what it should be; `place` says where (a file and line, a field), `fault` what is
    wrong there.
    """

    code = "bad_input"

    def __init__(self, sentence: str, *, place: str = "", wrong: str = "", allowed: Iterable[str] = ()) -> None:
        super().__init__(f"{place}: {sentence}" if place else sentence, wrong=wrong, allowed=allowed)
        self.place = place
        self.fault = sentence

    def at(self, place: str) -> Self:
        """The same error, with the place where it was met before its sentence."""
        same = copy(self)
        same.place, same.fault = place, self.sentence
        same.sentence = f"{place}: {self.sentence}"
        same.args = (same.sentence,)
        return same


class NoFace(BadInput):
    """An order that throws dice without saying their faces, where none may be drawn for it; `dice` are those, as far as
    whoever orders may know of them, `rollers` whoever throws each, and `order` throws them.
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
        """The dice, each as it is called: `Clone's defense`."""
        return self.allowed


class Unclear(BadInput):
    """Input that could mean several things, of which `allowed` has each: a question. `word` is what could mean them;
    where that is "", one of them is lacking, `in_front` of the order or behind it. `usual` is what is meant most often
    ("": nobody knows), and `nth` the order of its line that is asked about. Where a number answers it, `number` is how
    it is typed there: `p{}`. The answer is the `whole` order where nothing of it is left.
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
    """The log has moved on since the caller looked at it."""

    code = "version_conflict"


class VerificationFailed(MamError):
    """A seal, an export or a die does not check out."""

    code = "verification_failed"


class StoreUnusable(MamError):
    """The store cannot be used: locked, foreign, from a newer version, read-only."""

    code = "store_unusable"


@contextmanager
def naming_encounter(encounter: str) -> Iterator[None]:
    """The work on one encounter of several: where it does not check, its name is told."""
    try:
        yield
    except VerificationFailed as error:
        raise VerificationFailed(f'"{encounter}" does not check: {error.sentence}') from None
