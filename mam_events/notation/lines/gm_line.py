"""The `gm` order as it is typed: `gm #53 grob 3 dam>ready "oil"`, `gm grob dead "…"`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from mam_events.commands import Adjust
from mam_events.errors import BadInput
from mam_events.field_specs import field_specs
from mam_events.notation.context import LineContext, find_combatant, unclear_error
from mam_events.notation.grammar.fields import Fields
from mam_events.notation.grammar.long_form import LongOrder, make_long_order
from mam_events.notation.grammar.names import COMBATANT, MOST_WORDS, either_or
from mam_events.notation.grammar.nested_values import field_named, short_part
from mam_events.notation.grammar.verbs import MIN_PREFIX
from mam_events.notation.lexer.lexer import TextToken, WordToken, match_prefix, parse_number, ruling_number
from mam_events.notation.lexer.name_spans import with_names
from mam_events.refusals.suggestions import closest_name, suggestion_text
from mam_events.state import POOLS

ADJUSTING = "gm"
CONDITION_WORDS: tuple[str, ...] = field_specs(Adjust)["condition"].inner.choices
"""The conditions that can be set."""
_MOVED = re.compile(r"([a-z_]+)>([a-z_]+)\Z")


def parse_gm_line(fight: LineContext, rest: Sequence[WordToken]) -> LongOrder:
    """Return the `gm` order that those words mean: `gm #53 grob 3 dam>ready oil`, `gm grob dead he drowned`."""
    adjusting = _Adjusting(fight)
    tokens, reason, after = _parted(fight, rest)
    for one in (*with_names(fight, tokens), *reason, *after):
        adjusting.take(one)
    if adjusting.pending:
        raise BadInput(
            f"Say what happens to {adjusting.pending}, like gm {adjusting.who} 3 dam>ready because ….",
            place=ADJUSTING,
        )
    return make_long_order(Adjust, adjusting.said.found)


def _parted(
    fight: LineContext, words: Sequence[WordToken]
) -> tuple[Sequence[WordToken], Sequence[WordToken], Sequence[WordToken]]:
    """Return the words up to the last change, the words after it as the reason, and further named or quoted words.

    Raises BadInput for a word that could be a condition, or part of the reason.
    """
    at, done = 0, False
    while at < len(words):
        ends = _end_of_part(fight, words, at, first=not done)
        if not ends and done and words[at].word and not ruling_number(words[at].word, marked=True):
            break
        done = done or bool(ends)
        at = ends or at + 1
    ends = next((n for n in range(at, len(words)) if not words[n].word), len(words))
    loose = words[at:ends]
    has_text = any(isinstance(token.value, TextToken) and token.key in ("", "reason") for token in words[ends:])
    if not loose or has_text or _is_more_than_a_reason(fight, loose):
        return words, (), ()
    text = " ".join(f"{token.word}{',' * token.comma}" for token in loose)
    return words[:at], (WordToken("", TextToken(text)),), words[ends:]


def _end_of_part(fight: LineContext, words: Sequence[WordToken], at: int, *, first: bool) -> int:
    """Return the place after one change to a combatant, or 0 if there is none.

    After the `first` change the name need not be repeated.
    """
    runs = [run for run in range(MOST_WORDS, 0, -1) if _names_somebody(fight, words[at : at + run], run)]
    none = WordToken("", "")
    for run in runs if first else [*runs, 0]:
        number, move_word = (token.word.lower() for token in (*words[at + run : at + run + 2], none, none)[:2])
        if number.isdecimal() and _MOVED.match(move_word):
            return at + run + 2
        ways = match_prefix(number, CONDITION_WORDS, MIN_PREFIX) if number else []
        if not ways:
            continue
        after = words[at + run + 1 : at + run + 2]
        if first or not after or not after[0].word or _end_of_part(fight, words, at + run + 1, first=False):
            return at + run + 1
        if number in CONDITION_WORDS:
            who = f" {words[at].word}" if run else ""
            message = (
                f'"{number}" could be a state or a reason. Type gm …{who} {number} because …, or quote the reason.'
            )
            raise BadInput(message, place=ADJUSTING, wrong=number)
    return 0


def _names_somebody(fight: LineContext, words: Sequence[WordToken], run: int) -> bool:
    """Return True if the first `run` words are a combatant's name; a single word may be abbreviated."""
    if len(words) < run or not all(token.word for token in words):
        return False
    try:
        name_tokens = with_names(fight, words)
    except BadInput:
        # Reading the words as names later asks whom they mean.
        return False
    if len(name_tokens) != 1 or not name_tokens[0].word:
        return False
    if run > 1:
        return name_tokens[0].word in fight.state.combatants
    return bool(fight.people.ranked(name_tokens[0].word.removeprefix(COMBATANT))[1])


def _is_more_than_a_reason(fight: LineContext, loose: Sequence[WordToken]) -> bool:
    """Return True for words that are more than a reason.

    They move points, are a name alone after which something should follow, or are a mistyped name and a condition.
    """
    vocabulary = (*fight.state.combatants, *CONDITION_WORDS)
    if len(loose) <= len(("modree", "dead")) and (
        loose[-1].word.lower() in CONDITION_WORDS or closest_name(loose[0].word.lower(), vocabulary)
    ):
        return True
    if any(_MOVED.match(token.word.lower()) for token in loose):
        return True
    return _names_somebody(fight, loose, len(loose)) and bool(
        fight.people.whole(" ".join(token.word for token in loose))
    )


class _Adjusting:
    """The state while a `gm` order is read: the combatant, then points with their pools, or a condition."""

    def __init__(self, fight: LineContext) -> None:
        self.fight = fight
        self.who = ""
        self.points = 0
        self.pending = ""
        """The combatant or the points for which the change is still missing."""
        self.said = Fields(
            Adjust,
            ADJUSTING,
            partial(field_named, Adjust, place=ADJUSTING),
            short_part,
            lambda _, who: find_combatant(fight, who),
        )

    def take(self, token: WordToken) -> None:
        """Read one word; raise BadInput if it is invalid."""
        word = token.word.lower()
        if token.key:
            self.said.say(token)
        elif isinstance(token.value, TextToken) and not self.who and (who := self.fight.people.whole(token.value)):
            self.who, self.pending = who, self.fight.name_of(who)
        elif isinstance(token.value, TextToken):
            self.said.put("reason", str(token.value))
        elif number := ruling_number(word, marked=True):
            self.said.put("answers", number)
        elif word.isdecimal() and self.who and not self.points:
            self.points = parse_number(word)
            self.pending = f"{word} points of {self.fight.name_of(self.who)}"
        elif (match := _MOVED.match(word)) and self.points:
            move = {"combatant": self.who, "source": _pool(match[1]), "target": _pool(match[2]), "points": self.points}
            self.said.add("move", [move])
            self.points, self.pending = 0, ""
        elif self.who and (condition := self._condition(word)):
            self.said.put_entry("condition", self.who, condition)
            self.pending = ""
        elif self.pending:
            raise self._unfinished(word)
        elif self.said.found and not self.fight.people.ranked(word)[1]:
            raise BadInput(
                f'Nobody here is called "{token.word}". Put a reason after because: gm … because {token.word} ….',
                place=ADJUSTING,
                wrong=word,
                allowed=self.fight.state.combatants,
            )
        else:
            self.who = find_combatant(self.fight, word)
            self.pending = self.fight.name_of(self.who)

    def _unfinished(self, word: str) -> BadInput:
        """Return the error for a wrong word after a name or a number of points, with the valid words."""
        ways = self.said.shapes["condition"].inner.choices
        moving = f"gm {self.who} {self.points or 3} ready>damage"
        # An edition with several actions a round has no pools.
        has_pools = not self.fight.ruleset.edition.counts_actions
        hints = []
        if not (self.points and has_pools):
            hints.append(f"{self.fight.name_of(self.who)} can become {either_or(ways)} (gm {self.who} out).")
        hints.append(
            f"Points move from one pool to another: {moving}."
            if has_pools
            else "To change Fate or Character Points, amend how they joined: amend N fp=1 (log shows N)."
        )
        return BadInput(" ".join(hints), place=ADJUSTING, wrong=word, allowed=ways)

    def _condition(self, word: str) -> str:
        matches = match_prefix(word, self.said.shapes["condition"].inner.choices, MIN_PREFIX)
        if len(matches) > 1:
            raise unclear_error(f'"{word}" could be {either_or(matches)}. Which one?', matches, word)
        return matches[0] if matches else ""


def _pool(word: str) -> str:
    matches = match_prefix(word, POOLS)
    if len(matches) > 1:
        raise unclear_error(f'"{word}" could be {either_or(matches)}. Which one?', matches, word)
    if not matches:
        raise BadInput(
            f'There is no pool "{word}". {suggestion_text(word, POOLS)}', place=ADJUSTING, wrong=word, allowed=POOLS
        )
    return matches[0]
