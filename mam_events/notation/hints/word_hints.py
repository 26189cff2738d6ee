"""The ends of error sentences about words without a meaning in an order: where they would have one, or what to type."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mam_events.notation.grammar.dice import is_face
from mam_events.notation.grammar.long_form import actor_field
from mam_events.notation.grammar.names import either_or
from mam_events.notation.grammar.verbs import MIN_PREFIX, names_order
from mam_events.notation.grammar.vocabulary import INFERRED_FIELDS, INTERRUPTING, ORDER_LETTERS, OWN_NUMBER, VERBS
from mam_events.notation.lexer.lexer import EXACT, DiceToken, TextToken, WordToken, match_prefix, quoted_text
from mam_events.notation.lexer.spacing import SILENT
from mam_events.notation.orders.builder_fields import REASON_FIELDS, OrderFields
from mam_events.refusals.suggestions import closest_name, is_mistyped, suggestion_text

LETTERED = re.compile(r"([a-z])(-?[0-9]{1,9})\Z")
"""A number with a letter in front."""
_CIRCUMSTANCES = ("from", "behind")
"""Words that begin a circumstance of an attack."""
LOOSE = 2
"""The fewest words without a meaning that read like a remark."""
VERB_SLOTS = {**VERBS, **{new: VERBS[old] for old, new in INTERRUPTING.items()}}
"""The field whose value may stand for such an order."""


class WordHints(OrderFields):
    """An order in which a word has no meaning."""

    def _as_note(self) -> str:
        """Return how to type the remaining words as a remark after the order, or as another order."""
        line = " ".join([self.do, *(_typed(one) for one in self.before)])
        places = (at for at, one in enumerate(self.behind) if names_order(self.fight, one.word.lower()))
        order = next(places, None)
        if order and self.behind[order].word.lower() == "damage" and self.behind[order - 1].word.isdecimal():
            hurt = self.fields.get("target", "NAME")
            return f"For damage without a roll, type damage {hurt} {self.behind[order - 1].word} because …."
        if order is not None:
            after = " ".join(_typed(one) for one in self.behind[order:])
            return f"Put a semicolon before another order: {line}; {after}."
        if any(is_face(one.word) for one in self.behind):
            return f"{self.do} takes no text."
        text = [str(one.value) for one in self.behind if one.word or isinstance(one.value, TextToken)]
        return f"Write a remark after it: {line}; note {' '.join(text)}."

    def _hint_letters(self, number: str) -> str:
        """Return the end of an error about a number whose letter has no meaning here: the valid forms."""
        if "points" in OWN_NUMBER.get(self.do, ()):
            return f". Type the number alone: {self.do} {number}."
        letters = [f"{letter}{number}" for letter in ORDER_LETTERS if self._lettered(letter)]
        return f". Known: {', '.join(letters)}." if letters else f". {self.do} takes no points."

    def _hint(self, word: str, vocabulary: Sequence[str]) -> str:
        """Return the end of an error about a word without a meaning here: where it would have one."""
        if self.do in ("resolve", "result") and self.faces:
            return _dice_alone(self.faces, word)
        if letter := LETTERED.match(word.lower()):
            return self._hint_letters(letter[2])
        texts = [name for name in self.fields if self.shapes[name].words or self.shapes[name].inner.words]
        return (
            f'. Put text of several words in quotes: {texts[-1]}="… {word} …".'
            if texts
            else self._hint_word(word, vocabulary)
        )

    def _hint_word(self, word: str, vocabulary: Sequence[str]) -> str:
        """Return the end of that error for a word that is neither a number nor part of a text."""
        fields = (
            name
            for name, shape in self.shapes.items()
            if shape.is_person
            and not shape.is_table
            and name not in (*self.slots, *self.fields, actor_field(self.kind))
            # Skip `without`: it names those whom nobody waits for, which is rarely meant.
            if name != "without"
        )
        if self.fight.people.ranked(word)[1]:
            if by_name := list(fields):
                return f". Say what it is: {either_or([f'{name}={word}' for name in by_name])}."
            if actor_field(self.kind) and not self.named:
                return f". Put the one who does it first: {word}: {self.do}."
        matching = [name for name in self.fields if self._ranked(word, name, self.shapes[name])[0] == EXACT]
        if matching:
            value = self.fields[matching[0]]
            return f". {matching[0].replace('_', ' ').capitalize()} is already {'given' if value is True else value}."
        fields_of_it = [
            name for name in self.shapes if match_prefix(word, [name], MIN_PREFIX) and name not in self.fields
        ]
        if word in _CIRCUMSTANCES and "situation" in self.shapes:
            return f'. For a circumstance, type situation="+2 {" ".join(_typed(one) for one in self.behind)}".'
        if fields_of_it:
            return f". Type it with a value: {fields_of_it[0]}=…."
        near = closest_name(word, [name for name in self.shapes if name not in self.fields])
        if near and is_mistyped(word, near) and closest_name(word, [*vocabulary, near]) == near:
            return f'. Did you mean "{near}"?'
        if (
            self.has_reason
            and not any(name in self.fields for name in REASON_FIELDS)
            and not closest_name(word, vocabulary)
        ):
            return f". Put a reason after because: … because {word} …."
        if not closest_name(word, vocabulary) and (hint := self._as_remark_after(word)):
            return f". {hint}"
        return f". {self._known_words(word, vocabulary)}"

    def _known_words(self, word: str, vocabulary: Sequence[str]) -> str:
        """Return the words with a meaning here; if nothing here can set the field that is missing, say that."""
        slots = (name for name in self.slots if name in INFERRED_FIELDS and name not in self.fields)
        if all(name in self.shapes for name in vocabulary) and (slot := next(slots, "")):
            return f"There is no fitting {'hold' if slot == 'grapple' else slot} here."
        return suggestion_text(word, vocabulary) if vocabulary else "Leave it out."

    def _as_remark_after(self, word: str) -> str:
        """Return how to type a word without a meaning here as a remark after the order; "" if it isn't like one."""
        verb = self.fields.get(VERB_SLOTS.get(self.do, ""))
        after = [_typed(one) for one in self.behind[1:]]
        if verb and after and self.fight.people.whole(after[0]):
            line = " ".join([str(verb), *(_typed(one) for one in self.before if one.word not in SILENT), *after])
            return f"Leave it out, or write it in a note: {line}; note {word}."
        loose = self.before and self.behind[LOOSE - 1 :] and all(one.word for one in self.behind)
        return self._as_note() if loose else ""


def _dice_alone(faces: Sequence[str], word: str) -> str:
    """Return what to type for a number and a word that is no face; for a plural, how several people join."""
    if len(faces) == 1 and faces[0] not in ("-", "0", "1") and word.endswith("s") and word.isalpha():
        return f". To bring in newcomers, type join {faces[0]} {word} SIDE hp=6 …."
    return f". Type the dice alone: {' '.join(faces)}."


def _typed(token: WordToken) -> str:
    """Return a word as it is typed, with the inside of parentheses and brackets omitted."""
    if isinstance(token.value, TextToken):
        return f"{token.key}={quoted_text(token.value)}" if token.key else quoted_text(token.value)
    if not isinstance(token.value, str) or isinstance(token.value, DiceToken):
        return "…"
    return f"{token.key}={token.value}" if token.key else token.value
