"""Combatants and things as people call them: by id, by name, or by words of either that nobody else has."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from mam_events.errors import BadInput, Unclear
from mam_events.notation.grammar.dice import is_face
from mam_events.notation.lexer.lexer import CUT, EXACT, NO_VALUE_WORD
from mam_events.sanitize import name_key
from mam_events.state import Combatant

_INITIALED = re.compile(r"([a-z]+)-?([0-9]{1,3})\Z")
COMBATANT = "@"
"""In front of a word it says that a combatant is meant."""
MOST_WORDS = 8
"""The most words of a name that are looked for in a line."""
_WHOSE = re.compile(r"(.+) ([+-]?[0-9]{1,6}D? .*)\Z")


class NameIndex:
    """Ids with the names that are shown for them, to be found by either; those that are `gone` in full only."""

    mark = ""
    """In front of an id it says that this is meant, and nothing else."""

    def __init__(self, names: Mapping[str, str], gone: Collection[str] = ()) -> None:
        self.names = names
        self._gone = gone
        self._ids = {id_: name_key(id_) for id_ in names}
        self._names = {id_: name_key(name) for id_, name in names.items()}

    def ranked(self, word: str) -> tuple[int, list[str]]:
        """Those that a word or several name, and which of both: whole (`EXACT`), or in part (`CUT`), by how an id
        begins, else a name, else by whole words in one.
        """
        spelt = name_key(word)
        if word in self.names:
            return EXACT, [word]
        if whole := self._spelt(spelt) or self._run_together(spelt):
            return EXACT, whole
        up = [id_ for id_ in self.names if spelt and id_ not in self._gone]
        return CUT, (
            [id_ for id_ in up if self._ids[id_].startswith(spelt)]
            or [id_ for id_ in up if self._names[id_].startswith(spelt)]
            or self.having(word)
            or self._initialed(spelt, up)
        )

    def having(self, words: str) -> list[str]:
        """Those that are not gone and in whose id or name those words stand whole, one behind the other."""
        spelt = f"-{key}-" if (key := name_key(words)) else "?"
        return [
            id_
            for id_ in self.names
            if id_ not in self._gone and (spelt in f"-{self._ids[id_]}-" or spelt in f"-{self._names[id_]}-")
        ]

    def whole(self, words: str) -> str:
        """The one whose whole id or name that is; "" where it is that of none, or of several."""
        rank, found = self.ranked(words)
        return found[0] if rank == EXACT and len(found) == 1 else ""

    def one(self, words: str) -> str:
        """The one whose whole id or name that is, or in whose those words stand; "" where that is none, or several."""
        found = self.having(words)
        return self.whole(words) or (found[0] if len(found) == 1 else "")

    def run(self, words: Sequence[str], *, numbered: bool = True) -> tuple[int, str]:
        """The most of those words, two at least, that are the name of one, and that one's id; else 1, and "". Where not
        `numbered`, the beginning of a name and its number are none: `p 2`.

        Raises BadInput where such a name is that of several, or could be a name and a number behind it.
        """
        for run in range(min(len(words), MOST_WORDS), 1, -1):
            name = [*words[: run - 1], words[run - 1].removesuffix(":")]
            bare = any(one.startswith(COMBATANT) or one in ("", NO_VALUE_WORD) for one in name) or words[0].endswith(
                ":"
            )
            if bare:
                continue
            told = " ".join(name)
            # Signs are passed over where names are compared: here they must be some of that name.
            signs = [word for word in name if not any(map(str.isalnum, word))]
            spelt = [one] if (one := self.whole(told)) else self.having(told)
            found = [one for one in spelt if all(sign in self.names[one] for sign in signs)]
            other = self.whole(" ".join(name[:-1])) if is_face(name[-1]) else ""
            if found and other and other not in found:
                ways = [f"{self.mark}{other} {name[-1]}", *found]
                raise BadInput(
                    f'"{told}" is {self._either(found)} ({either_or(found)}), or '
                    f"{self.names[other]} and a {name[-1]} ({ways[0]}): which?",
                    allowed=ways,
                )
            found = found or (self._numbered(name) if numbered else [])
            if len(found) > 1:
                raise Unclear(f'"{told}" is {self._either(found)}: {self._asks}?', word=told, allowed=found)
            if found:
                return run, found[0]
        return 1, ""

    def _numbered(self, words: Sequence[str]) -> list[str]:
        """Those whose number is the last of two words, and whose id begins as the first does, as others' ids do; two
        numbers are dice.
        """
        first, number = (name_key(words[0]), words[-1])
        if first.isdecimal():
            return []
        alike = self.ranked(first)[1] if first and len(words) == len((first, number)) and is_face(number) else []
        return [id_ for id_ in alike if self._ids[id_].endswith(f"-{number}")] if len(alike) > 1 else []

    _asks = "which"

    def _either(self, ids: Sequence[str]) -> str:
        return either_or([self.names[id_] for id_ in ids])

    def _run_together(self, spelt: str) -> list[str]:
        """The one whose id or name that is but for a dash in front of its number: `rat2`."""
        parted = re.sub(r"(?<=[^0-9-])(?=[0-9]+\Z)", "-", spelt)
        return self._spelt(parted) if parted != spelt else []

    def _initialed(self, spelt: str, ids: Iterable[str]) -> list[str]:
        """Those whose id begins with the letters in front of a number, and ends with that: `b2`, `brig2`."""
        cut = _INITIALED.match(spelt)
        return [id_ for id_ in ids if cut and re.fullmatch(rf"{cut[1]}[^0-9]*-{cut[2]}", self._ids[id_])]

    def is_numbered(self, word: str) -> bool:
        """Return True for what some are called who wear a number behind it: `brigand`."""
        numbered = re.compile(rf"(?:.+-)?{re.escape(name_key(word))}-[0-9]+")
        return bool(name_key(word)) and any(map(numbered.fullmatch, self._ids.values()))

    def _spelt(self, spelt: str) -> list[str]:
        return [id_ for id_ in self.names if spelt and spelt in (self._ids[id_], self._names[id_])]


class People(NameIndex):
    """Those of a fight; the dead and the gone are meant in full only."""

    mark = COMBATANT
    _asks = "who"

    def __init__(self, people: Mapping[str, Combatant]) -> None:
        super().__init__(
            {id_: one.name for id_, one in people.items()}, {id_ for id_, one in people.items() if one.gone}
        )

    def situation(self, text: str) -> str:
        """The game master's words on a roll with the id of whose it is, where somebody is named in front of them."""
        said = _WHOSE.match(text)
        who = self.one(said[1]) if said else ""
        return f"{who} {said[2]}" if said and who else text


class Things(NameIndex):
    """Things, to be found by the end of a name too: `bow` of Longbow."""

    def having(self, words: str) -> list[str]:
        """Those in whose id or name those words stand whole, or else whose last word ends with that one."""
        found, key = super().having(words), name_key(words)
        if found or len(key) < SHORTEST_END:
            return found
        return [id_ for id_ in self.names if self._ids[id_].endswith(key) or self._names[id_].endswith(key)]


SHORTEST_END = 3
"""From so many letters on, the end of a name stands for a thing."""


def things_by_name(people: Iterable[Combatant], *, dropped: bool = False) -> NameIndex:
    """All that those carry, by its ids and names, or what they dropped."""
    return Things(
        {
            thing.id: thing.name or thing.id
            for one in people
            for thing in one.things
            if not dropped or thing.id in one.dropped
        }
    )


def of_kind(ids: Iterable[str], word: str) -> list[str]:
    """Return all of a kind whose plural that word is, as `bandits` are bandit-1 and bandit-2; empty for none."""
    if not word.endswith("s"):
        return []
    kinds = (word, word.removesuffix("s"), word.removesuffix("es"), f"{word.removesuffix('ves')}f")
    return list(
        dict.fromkeys(id_ for form in kinds for id_ in ids if form and (id_ == form or id_.startswith(f"{form}-")))
    )


def either_or(options: Sequence[str]) -> str:
    """Several things to choose from, as a question ends with them."""
    *first, last = options
    return f"{', '.join(first)} or {last}" if first else last
