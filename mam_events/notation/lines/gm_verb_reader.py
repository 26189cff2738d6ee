"""The reader of one verb of the game master: whom it is about, which points it moves, and why."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from mam_events.commands import Adjust
from mam_events.errors import BadInput, Refused
from mam_events.notation.context import LineContext, find_combatant, numbered_near
from mam_events.notation.grammar.fields import Fields
from mam_events.notation.grammar.long_form import LongOrder, make_long_order
from mam_events.notation.grammar.names import of_kind
from mam_events.notation.grammar.nested_values import field_named, short_part
from mam_events.notation.grammar.vocabulary import PRONOUNS
from mam_events.notation.lexer.lexer import (
    EXACT,
    TextToken,
    WordToken,
    match_prefix,
    parse_number,
    ruling_number,
)
from mam_events.refusals import arguments
from mam_events.refusals.suggestions import closest_name, suggestion_text

VERB_REASONS = {"damage": "Damage", "stun": "Stun", "heal": "Healing", "flee": "Fled", "leave": "Left the fight"} | {
    "surrender": "Surrendered",
    "yield": "Yielded",
    "remove": "Taken out",
    "kill": "Killed",
    "die": "Died",
}
"""The verbs, and the reason in the log if none is given."""


CONDITION_VERBS = {"kill": "dead", "die": "dead"}
"""Verbs that set another condition than gone."""


VERB_SOURCE_POOLS = {
    "damage": ("ready", "defense", "other_used", "stun"),
    "stun": ("ready", "defense", "other_used"),
    "heal": ("damage", "stun"),
}
"""The pools that give points, in this order (MAM-POOL-10, MAM-REST-01)."""


TARGETS = {"damage": "damage", "stun": "stun", "heal": "other_used"}
"""The pool that the points go to."""


_NUMBERED = re.compile(r"(.+)-[0-9]+\Z")


EVERYBODY = ("everybody", "everyone", "all")


STANDING = "standing"
"""The word for those on all sides who are not down."""


GROUPS = (*EVERYBODY, STANDING)


_FLIGHT = ("to", "through", "into", "over", "towards", "toward", "down", "out", "from", "across", "behind", "in", "up")
"""Words that begin the direction of a flight."""


_OF_OTHERS = ("surrender", "yield", "die", "kill", "remove")
"""Verbs that need a named combatant."""


def people_called(fight: LineContext, word: str, verb: str) -> list[str]:
    """Return the combatants that a word names: one, or all of a side whom the verb may affect; empty for nobody."""
    rank, matches = fight.people.ranked(word.removeprefix("@"))
    if rank == EXACT and len(matches) == 1:
        return matches
    if word.lower() in PRONOUNS:
        # A pronoun begins the name of a side or a combatant only by chance.
        return []
    combatants = fight.state.combatants.values()
    sides = match_prefix(word.lower(), {one.side for one in combatants}, len(word))
    kind = [] if sides or matches else of_kind(list(fight.state.combatants), word.lower())
    if sides or kind or word.lower() in GROUPS:
        fit = [one for one in combatants if not one.is_gone and (not sides or one.side == sides[0])]
        fit = [one for one in fit if not kind or one.id in kind]
        sources = VERB_SOURCE_POOLS.get(verb, ())
        heals_down = verb == "heal" and (bool(sides) or word.lower() != STANDING)
        able = [one.id for one in fit if heals_down or one.condition == "able"]
        if matches := [one for one in able if not sources or _left(fight, one, sources)]:
            return matches
        raise Refused("bad_target/nobody_concerned", those=arguments.TextArgument(word), verb=arguments.Term(verb))
    return [find_combatant(fight, word)] if matches else []


def no_such_people(fight: LineContext, word: str, after: Sequence[WordToken]) -> BadInput:
    """Return the error for a word that names nobody, with the combatant, side or kind it may have meant."""
    people = fight.state.combatants
    kinds = {f"{number[1]}s" for one in people if (number := _NUMBERED.match(one))}
    names = [one.id for one in people.values() if not one.is_gone] + sorted(
        {one.side for one in people.values()} | kinds
    )
    plural = [one for one in names if one.endswith("s")] if word.lower().endswith("s") else []
    near = closest_name(word.lower(), plural) or numbered_near(fight, word, [token.word for token in after])
    hint = f'Did you mean "{near}"?' if near else suggestion_text(word.lower(), names)
    return BadInput(f'Nobody here is called "{word}". {hint}', wrong=word, allowed=[near] if near else names)


def _left(fight: LineContext, who: str, sources: Sequence[str]) -> int:
    return sum(getattr(fight.state.combatants[who].pools, name) for name in sources)


class VerbReader:
    """The state while the words after such a verb are read: combatants, points, reason."""

    def __init__(self, fight: LineContext, verb: str, who: list[str]) -> None:
        self.fight = fight
        self.verb = verb
        self.who = who
        self.points = 0
        self.text: list[str] = []
        self._leads = not who
        """True if the verb stands before its object."""
        self._loose = False
        """True if the reason has no quotes."""
        self._behind: list[str] = []
        """The words for people after the number."""
        self._rest: Sequence[WordToken] = ()
        """The words after the current one."""
        self._lists = False
        """True after a comma, which another name may follow."""
        find = partial(field_named, Adjust, place=verb)
        self.said = Fields(Adjust, verb, find, short_part, lambda _, name: find_combatant(fight, name))

    def read(self, words: Sequence[WordToken]) -> LongOrder:
        """Return the order that those words give; raise BadInput, and Refused if nobody has points to move."""
        for at, token in enumerate(words):
            self._rest = words[at + 1 :]
            self._take(token)
            self._lists = token.comma
        if self.text and self._behind[1:]:
            raise self._unclear(" ".join(self._behind), ",".join(self.who))
        state = self.fight.state
        if self.verb not in VERB_SOURCE_POOLS:
            self._check_no_more()
        self.who = self.who or [one for one in [state.acting] if one and self.verb not in _OF_OTHERS]
        if not self.who:
            points = f" {self.points or 3}" if self.verb in VERB_SOURCE_POOLS else ""
            names = [one.id for one in state.combatants.values() if not one.is_gone]
            somebody = state.next_up or next(iter(names), "NAME")
            raise BadInput(f"Say who, like {self.verb} {somebody}{points}.", place=self.verb)
        if self.text:
            self.said.put("reason", " ".join(self.text))
        fields: dict[str, Any] = {"reason": self._reason(), **self.said.found}
        if self.verb in VERB_SOURCE_POOLS:
            fields["move"] = [move for who in self.who for move in self._moves(who)]
        else:
            self._check_there()
            fields["condition"] = dict.fromkeys(self.who, CONDITION_VERBS.get(self.verb, "out"))
        return make_long_order(Adjust, fields)

    def _check_no_more(self) -> None:
        """Raise BadInput for words after somebody who gives up, which could be the object or the reason."""
        flees = self.verb == "flee" and (self._leads or (self.text and self.text[0].lower() in _FLIGHT))
        if self.text and self._loose and not (flees and not any(map(str.isdecimal, "".join(self.text)))):
            line, who = " ".join(self.text), self.who[0] if self.who else "NAME"
            raise BadInput(
                f'"{line}" is unclear. To take {who} out of the fight, type {who} {self.verb}s, and put a reason after '
                "because.",
                place=self.verb,
                wrong=line,
            )

    def _check_there(self) -> None:
        """Raise Refused if somebody is to leave who is already gone."""
        absent = next((one for name in self.who if (one := self.fight.state.combatants[name]).is_gone), None)
        if absent:
            raise Refused("bad_target/left_already", who=absent, how=arguments.Word(absent.condition))

    def _take(self, token: WordToken) -> None:
        word = token.word.lower()
        moves = self.verb in VERB_SOURCE_POOLS
        if token.key:
            self.said.say(token)
        elif isinstance(token.value, TextToken):
            self.said.put("reason", str(token.value))
        elif not word:
            raise BadInput(f"Parentheses and brackets mean nothing after {self.verb}.", place=self.verb)
        elif number := ruling_number(word, marked=True):
            self.said.put("answers", number)
        elif moves and word.isdecimal() and not self.points and not self.text:
            self.points = parse_number(word)
        elif word in ("all", "the", "both") and not self.text and self._names_all():
            return
        elif not moves and word.isdecimal() and not self.text:
            raise no_such_people(self.fight, word, self._rest)
        elif self.text or not self._names_people(word):
            self._loose = True
            self.text.append(f"{token.value}{',' * token.comma}")
        elif who := people_called(self.fight, word, self.verb):
            self.who += [one for one in who if one not in self.who]
        else:
            raise no_such_people(self.fight, word, self._rest)

    def _names_all(self) -> bool:
        """Return True if a side or a kind follows the current word: `all foes`."""
        next_word = self._rest[0].word.lower() if self._rest else ""
        people = self.fight.state.combatants
        return bool(next_word) and (
            next_word in {one.side for one in people.values()} or bool(of_kind(list(people), next_word))
        )

    def _names_people(self, word: str) -> bool:
        """Return True for a word in the place of a name.

        Names stand before the number, or after it if none stands before. Of verbs without points only the first word is
        a name, and those after a comma. Later words are the reason, even if they are a name.
        """
        if not self.points:
            return self.verb in VERB_SOURCE_POOLS or not self.who or self._lists
        if self.who and not self._behind:
            return False
        rank, matches = self.fight.people.ranked(word.removeprefix("@"))
        sides = {one.side for one in self.fight.state.combatants.values()}
        if (rank == EXACT and matches) or word in sides or word in GROUPS:
            self._behind.append(word)
            return True
        if matches and not self.who:
            raise self._unclear(word, matches[0])
        return False

    def _unclear(self, words: str, who: str) -> BadInput:
        """Return the error for words after the number that could be names, or the reason."""
        message = (
            f'"{words}" could be names or a reason. Type {self.verb} {who} {self.points}, or put the reason in quotes.'
        )
        return BadInput(message, place=self.verb, wrong=words)

    def _reason(self) -> str:
        return f"{VERB_REASONS[self.verb]} {self.points}" if self.points else VERB_REASONS[self.verb]

    def _moves(self, who: str) -> list[dict[str, Any]]:
        """Return the moves of that many points, or of all that are left."""
        if not self.points:
            raise BadInput(f"Say how many points, like {self.verb} {who} 3.", place=self.verb)
        sources = VERB_SOURCE_POOLS[self.verb]
        if not _left(self.fight, who, sources):
            heals = self.verb == "heal"
            raise Refused(
                "not_enough_in_pool/nothing_to_heal" if heals else "not_enough_in_pool/nothing_to_lose",
                who=self.fight.state.combatants[who],
                rule="MAM-POOL-01",
            )
        moves, remaining = [], self.points
        for name in sources:
            points = min(remaining, getattr(self.fight.state.combatants[who].pools, name))
            remaining -= points
            if points:
                target = TARGETS[self.verb]
                moves.append({"combatant": who, "source": name, "target": target, "points": points})
        return moves
