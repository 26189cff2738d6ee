"""Notes, disputes and answers as lines; they change no ruling."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from mam_events.errors import BadInput, Unclear
from mam_events.notation.context import LineContext, next_combatant
from mam_events.notation.grammar.long_form import SEEN
from mam_events.notation.grammar.names import MOST_WORDS
from mam_events.notation.grammar.vocabulary import SUBJECTS
from mam_events.notation.lexer.lexer import ParsedOrder, TextToken, number_in_front, quoted_text, ruling_number
from mam_events.refusals.suggestions import closest_name

NOTE_WORDS = {"note": "comment", "dispute": "dispute", "answer": "answer"}
"""The kind of note that each of these words writes."""
SENTENCE = 2
"""The fewest words after a name in a sentence about somebody."""


_AS_IN = {
    "note": "note the lamp goes out",
    "dispute": "dispute 47 they were behind cover",
    "answer": 'answer 48 "tables hide nobody"',
}


class NoteLine(Struct, frozen=True):
    """A note, a dispute or an answer as a line states it."""

    text: str
    kind: str = "comment"
    about: int = 0
    rule: str = ""
    visibility: str = "public"
    corrections: tuple[int, ...] = ()

    @property
    def long(self) -> str:
        """Return the long form: `dispute "…" about=#47`."""
        word = next((word for word, kind in NOTE_WORDS.items() if kind == self.kind), "note")
        words = [word, quoted_text(self.text)]
        words += [f"about=#{self.about}"] if self.about else []
        words += [f"kind={self.kind}"] if self.kind not in NOTE_WORDS.values() else []
        words += [f"rule={self.rule}"] if self.rule else []
        words += [f"corrections={','.join(f'#{number}' for number in self.corrections)}"] if self.corrections else []
        return " ".join([*words, *([f"{SEEN}={self.visibility}"] if self.visibility != "public" else ())])


def parse_note_line(parsed: ParsedOrder) -> NoteLine:
    """Return the note that a line means; raise BadInput if it is invalid."""
    word = parsed.words[0].word.lower()
    rest = list(parsed.words[1:])
    fields: dict[str, Any] = {"kind": NOTE_WORDS[word]}
    about = number_in_front(rest)
    if about is not None:
        fields["about"] = about
    for one in rest:
        if isinstance(one.value, TextToken) and one.key in ("", "text") and "text" not in fields:
            fields["text"] = str(one.value)
        elif one.key == "corrections" and isinstance(one.value, str):
            fields["corrections"] = tuple(_ruling(number, word) for number in one.value.split(","))
        elif one.key in ("about", "rule", SEEN) and ("visibility" if one.key == SEEN else one.key) in fields:
            raise BadInput(f"{one.key} is given twice. Give it once.", place=word, wrong=one.key)
        elif one.key in ("about", "rule", "kind", SEEN) and isinstance(one.value, str):
            fields["visibility" if one.key == SEEN else one.key] = one.value
        else:
            raise BadInput(
                f'"{one.word or one.key}" means nothing here. Type the number, then a text in quotes: {word} 47 "…".',
                place=word,
            )
    if isinstance(fields.get("about"), str):
        fields["about"] = _ruling(fields["about"], word)
    if "text" not in fields:
        missing = "number of the ruling and the text are" if word == "answer" and "about" not in fields else "text is"
        raise BadInput(f"The {missing} missing. Type something like `{_AS_IN[word]}`.", place=word)
    return NoteLine(**fields)


def or_remark(fight: LineContext, parsed: ParsedOrder, no: BadInput) -> BadInput:
    """Return the error for a sentence about somebody as a question that suggests a remark.

    Any other error stays as it is, and so does that for a sentence with numbers.
    """
    words = [token.word for token in parsed.words]
    plain = all(word.replace("-", "").replace("'", "").isalpha() or fight.people.whole(word) for word in words)
    ends = range(min(len(words), MOST_WORDS), 0, -1)
    name_end = next((end for end in ends if fight.people.one(" ".join(words[:end]).removeprefix("the "))), 0)
    name_end = name_end or int(words[0].lower() in SUBJECTS)
    actor = "" if name_end else next_combatant(fight.state)
    if not plain or not (name_end or actor) or len(words) < max(name_end, 1) + SENTENCE:
        return no
    if closest_name(no.wrong.lower(), no.allowed):
        return no
    if fight.state.exchange or fight.state.window.open:
        # The text may be a reaction, or the outcome of the open action.
        return no
    remark = f"note {parsed.text}"
    question = Unclear(f"{no.fault} For a remark, begin with note.", place=no.place, allowed=(remark,), usual=remark)
    question.wrong, question.whole = no.wrong, True
    return question


def _ruling(word: str, place: str) -> int:
    number = ruling_number(word)
    if number is None:
        raise BadInput(f'Name a ruling by its number, like #47, not "{word}".', place=place, wrong=word)
    return number
