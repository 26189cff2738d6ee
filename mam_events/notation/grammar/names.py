"""Combatants and things as people call them: by id, by name, or by words of either that are unique."""

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
"""The prefix that marks a word as a combatant."""
MOST_WORDS = 8
"""The most words of a name that are looked for in a line."""
_WHOSE = re.compile(r"(.+) ([+-]?[0-9]{1,6}D? .*)\Z")


class NameIndex:
    """An index of ids by id and displayed name; those that are `gone` are found only by the full name."""

    mark = ""
    """The prefix that marks a word as an id of this index."""

    def __init__(self, names: Mapping[str, str], dead_names: Collection[str] = ()) -> None:
        self.names = names
        self._gone = dead_names
        self._ids = {id_: name_key(id_) for id_ in names}
        self._names = {id_: name_key(name) for id_, name in names.items()}

    def ranked(self, word: str) -> tuple[int, list[str]]:
        """Return those that one or several words may name, preceded by the rank: `EXACT` or `CUT`.

        An abbreviation is tried as the beginning of an id, then of a name, then as whole words in one.
        """
        key = name_key(word)
        if word in self.names:
            return EXACT, [word]
        if ids := self._spelt(key) or self._run_together(key):
            return EXACT, ids
        up = [id_ for id_ in self.names if key and id_ not in self._gone]
        return CUT, (
            [id_ for id_ in up if self._ids[id_].startswith(key)]
            or [id_ for id_ in up if self._names[id_].startswith(key)]
            or self.having(word)
            or self._initialed(key, up)
        )

    def having(self, words: str) -> list[str]:
        """Return those that are not gone and whose id or name contains those whole words in that order."""
        name_text = f"-{key}-" if (key := name_key(words)) else "?"
        return [
            id_
            for id_ in self.names
            if id_ not in self._gone and (name_text in f"-{self._ids[id_]}-" or name_text in f"-{self._names[id_]}-")
        ]

    def whole(self, words: str) -> str:
        """Return the one with that full id or name; "" if there is none, or more than one."""
        rank, matches = self.ranked(words)
        return matches[0] if rank == EXACT and len(matches) == 1 else ""

    def one(self, words: str) -> str:
        """Return the one with that full id or name, or whose id or name contains those words; "" if it isn't unique."""
        matches = self.having(words)
        return self.whole(words) or (matches[0] if len(matches) == 1 else "")

    def run(self, words: Sequence[str], *, allow_numbers: bool = True) -> tuple[int, str]:
        """Return how many of the first words are one name, at least two, and the id; or 1 and "" if there is none.

        With `allow_numbers` off, an abbreviated name and its number don't count: `p 2`. Raises BadInput if several have
        that name, or if it could be a name followed by a number.
        """
        for run in range(min(len(words), MOST_WORDS), 1, -1):
            name = [*words[: run - 1], words[run - 1].removesuffix(":")]
            bare = any(one.startswith(COMBATANT) or one in ("", NO_VALUE_WORD) for one in name) or words[0].endswith(
                ":"
            )
            if bare:
                continue
            text = " ".join(name)
            # Comparing names ignores signs, but here they must be in that name.
            signs = [word for word in name if not any(map(str.isalnum, word))]
            ids = [one] if (one := self.whole(text)) else self.having(text)
            matches = [one for one in ids if all(sign in self.names[one] for sign in signs)]
            other = self.whole(" ".join(name[:-1])) if is_face(name[-1]) else ""
            if matches and other and other not in matches:
                ways = [f"{self.mark}{other} {name[-1]}", *matches]
                raise BadInput(
                    f'"{text}" could be {self._either(matches)} ({either_or(matches)}), or '
                    f"{self.names[other]} and a {name[-1]} ({ways[0]}). Which one?",
                    allowed=ways,
                )
            matches = matches or (self._numbered(name) if allow_numbers else [])
            if len(matches) > 1:
                raise Unclear(f'"{text}" could be {self._either(matches)}. Which one?', word=text, allowed=matches)
            if matches:
                return run, matches[0]
        return 1, ""

    def _numbered(self, words: Sequence[str]) -> list[str]:
        """Return those whose number is the second word and whose id begins like the first, if other ids begin so too.

        Two numbers are dice, not a name.
        """
        first, number = (name_key(words[0]), words[-1])
        if first.isdecimal():
            return []
        alike = self.ranked(first)[1] if first and len(words) == len((first, number)) and is_face(number) else []
        return [id_ for id_ in alike if self._ids[id_].endswith(f"-{number}")] if len(alike) > 1 else []

    def _either(self, ids: Sequence[str]) -> str:
        return either_or([self.names[id_] for id_ in ids])

    def _run_together(self, key: str) -> list[str]:
        """Return the one with that id or name, except for a missing dash before its number: `rat2`."""
        split = re.sub(r"(?<=[^0-9-])(?=[0-9]+\Z)", "-", key)
        return self._spelt(split) if split != key else []

    def _initialed(self, key: str, ids: Iterable[str]) -> list[str]:
        """Return those whose id begins with the letters before a number, and ends with that number: `b2`, `brig2`."""
        cut = _INITIALED.match(key)
        return [id_ for id_ in ids if cut and re.fullmatch(rf"{cut[1]}[^0-9]*-{cut[2]}", self._ids[id_])]

    def is_numbered(self, word: str) -> bool:
        """Return True for the common name of people who have a number after it: `brigand`."""
        pattern = re.compile(rf"(?:.+-)?{re.escape(name_key(word))}-[0-9]+")
        return bool(name_key(word)) and any(map(pattern.fullmatch, self._ids.values()))

    def _spelt(self, key: str) -> list[str]:
        return [id_ for id_ in self.names if key and key in (self._ids[id_], self._names[id_])]


class People(NameIndex):
    """The combatants of a fight; the dead and the gone are found only by their full name."""

    mark = COMBATANT

    def __init__(self, people: Mapping[str, Combatant]) -> None:
        super().__init__(
            {id_: one.name for id_, one in people.items()}, {id_ for id_, one in people.items() if one.is_gone}
        )
        self._able = {id_ for id_, one in people.items() if one.condition == "able"}

    def able_first(self, ids: Sequence[str]) -> list[str]:
        """Return those who can act, or all if none of them can: an abbreviated name seldom means somebody down."""
        return [id_ for id_ in ids if id_ in self._able] or list(ids)

    def situation(self, text: str) -> str:
        """Return a modifier's text with the roller's id, if somebody is named at its front."""
        match = _WHOSE.match(text)
        who = self.one(match[1]) if match else ""
        return f"{who} {match[2]}" if match and who else text


class Things(NameIndex):
    """Things, which are also found by the end of a name: `bow` for Longbow."""

    def having(self, words: str) -> list[str]:
        """Return those whose id or name contains those whole words, or else whose last word ends with that word."""
        matches, key = super().having(words), name_key(words)
        if matches or len(key) < SHORTEST_END:
            return matches
        return [id_ for id_ in self.names if self._ids[id_].endswith(key) or self._names[id_].endswith(key)]


SHORTEST_END = 3
"""The fewest letters with which the end of a name stands for a thing."""


def things_by_name(people: Iterable[Combatant], *, dropped: bool = False) -> NameIndex:
    """Return an index of everything that those people carry, or with `dropped`, of what they dropped."""
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
    """Return several options as the end of a question."""
    *first, last = options
    return f"{', '.join(first)} or {last}" if first else last
