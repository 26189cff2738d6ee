"""Verbs of the game master's adjustments: `damage foes 3 "trap"`, `heal mara 2 "potion"`, `bo flees`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from mam_events.commands import Adjust
from mam_events.errors import BadInput, Refused
from mam_events.notation.context import LineContext, find_combatant, numbered_near, word_forms
from mam_events.notation.grammar.fields import Fields
from mam_events.notation.grammar.long_form import LongOrder, make_long_order
from mam_events.notation.grammar.names import MOST_WORDS, of_kind
from mam_events.notation.grammar.nested_values import CODE, field_named, short_part
from mam_events.notation.grammar.verbs import is_order
from mam_events.notation.grammar.vocabulary import PRONOUNS
from mam_events.notation.hints.advice import KEPT_WOUND
from mam_events.notation.lexer.lexer import (
    EXACT,
    ParsedOrder,
    TextToken,
    WordToken,
    match_prefix,
    parse_number,
    ruling_number,
)
from mam_events.notation.lexer.name_spans import begins_order, behind_parting, with_names
from mam_events.notation.lexer.spacing import INDEFINITE
from mam_events.refusals import arguments
from mam_events.refusals.suggestions import closest_name, suggestion_text

VERB_REASONS = {"damage": "Damage", "heal": "Healing", "flee": "Fled", "leave": "Left the fight"} | {
    "surrender": "Surrendered",
    "yield": "Yielded",
    "remove": "Taken out",
    "kill": "Killed",
    "die": "Died",
}
"""The verbs, and the reason in the log if none is given."""
CONDITION_VERBS = {"kill": "dead", "die": "dead"}
"""Verbs that set another condition than gone."""
VERB_SOURCE_POOLS = {"damage": ("ready", "defense", "other_used", "stun"), "heal": ("damage", "stun")}
"""The pools that give points, in this order (MAM-POOL-10, MAM-REST-01)."""
TARGETS = {"damage": "damage", "heal": "other_used"}
"""The pool that the points go to."""
_NUMBERED = re.compile(r"(.+)-[0-9]+\Z")
PASSIVE_DAMAGE_VERBS = ("takes", "take", "suffers", "suffer")
"""Verbs whose subject is hurt: `goblin takes 1 damage`."""
POINT_WORDS = ("point", "points", "hp")
"""Words after the number of points."""
EVERYBODY = ("everybody", "everyone", "all")
STANDING = "standing"
"""The word for those on all sides who are not down."""
GROUPS = (*EVERYBODY, STANDING)


def verb_order(fight: LineContext, words: Sequence[WordToken]) -> LongOrder | None:
    """Return the adjustment that such a verb orders, at the front or after a name, or None.

    Returns None for a rest too: `heal` without points. Raises BadInput, and Refused if nobody has points to move.
    """
    words = typed = _in_order(fight, _without_all(words))
    words = _with_flight(fight, _with_names(fight, words))
    if (verb := _verb(words[0].word)) and verb != "die":
        who, rest = [], words[1:]
    elif len(words) > 1 and _may_do(words[0].word) and (verb := _verb(words[1].word)) not in ("", *_DONE_TO):
        who, rest = _people(fight, words[0].word.removesuffix(":"), verb), words[2:]
        if not who and verb not in VERB_SOURCE_POOLS and not is_order(fight, words[0].word.lower()):
            raise _nobody(fight, words[0].word, words[1:])
        if not who:
            return None
    else:
        return None
    if verb == "heal" and "heal" in fight.orders and not _gives_points(rest):
        return None
    _check_alone(fight, typed)
    if verb == "damage" and fight.ruleset.edition.counts_actions:
        told = "Nobody has points to lose in this edition. Roll the damage of a hit: roll damage 4D."
        hurt = next((said.word for said in (*typed, *words) if fight.people.whole(said.word)), "NAME")
        raise BadInput(f"{told} {KEPT_WOUND.format(who=hurt)}", wrong=verb)
    order = _VerbReader(fight, verb, who).read(rest)
    # A word for many rarely means those who are down, unless they are named.
    several = verb == "heal" and any(_is_group(fight, said.word.removesuffix(":")) for said in words)
    return replace(order, of_many=True) if several else order


def _without_all(words: Sequence[WordToken]) -> Sequence[WordToken]:
    """Return the words without `the` and `all` before those who act: `all the orcs flee`."""
    at = 0
    while at < len(words) - 2 and words[at].word.lower() in ("the", "all", "both"):
        at += 1
    return words[at:] if any(_verb(said.word) for said in words[at + 1 : at + 2]) else words


def _in_order(fight: LineContext, words: Sequence[WordToken]) -> Sequence[WordToken]:
    """Return the words about damage in the order in which they are read.

    `goblin takes 1 fire damage` becomes `goblin damage 1 fire`, and the reason in `burning straw: damage goblin 1`
    moves to the end. `for` and `points` are omitted.
    """
    colon = next((at for at, said in enumerate(words[:MOST_WORDS]) if said.word.endswith(":")), None)
    if colon is not None and len(words) > colon + 2 and _verb(words[colon + 1].word):
        why = " ".join(said.word for said in words[: colon + 1]).removesuffix(":")
        if not (fight.people.whole(why) or fight.people.ranked(why)[1] or is_order(fight, words[0].word.lower())):
            words = (*words[colon + 1 :], WordToken("", TextToken(why)))
    words = _with_losses(words)
    low = [said.word.lower() for said in words]
    takes = next(
        (at for at, word in enumerate(low[:-2]) if word in PASSIVE_DAMAGE_VERBS and low[at + 1].isdecimal()), None
    )
    if takes and "damage" in low[takes + 2 :]:
        at = low.index("damage", takes + 2)
        kind = [said for said in words[takes + 2 : at] if said.word.lower() not in ("of", *POINT_WORDS)]
        amount = words[takes + 1]._replace(comma=words[at].comma)
        words = (*words[:takes], words[at]._replace(comma=False), amount, *kind, *words[at + 1 :])
        low = [said.word.lower() for said in words]
    if not any(_verb(word) in VERB_SOURCE_POOLS for word in low[: MOST_WORDS + 1]):
        return words
    number = next((at for at, word in enumerate(low[1:], 1) if word.isdecimal() and low[at - 1] in ("for", "by")), None)
    if number:
        words = (*words[: number - 1], *words[number:])
        low = [said.word.lower() for said in words]
    points = next((at for at, word in enumerate(low[1:], 1) if word in POINT_WORDS and low[at - 1].isdecimal()), None)
    return (*words[:points], *words[points + 1 :]) if points else words


def _may_do(word: str) -> bool:
    """Return True for a word that can be a combatant's name: no article, and no number alone."""
    return bool(word) and word.lower() not in INDEFINITE and not word.isdecimal()


def _with_losses(words: Sequence[WordToken]) -> Sequence[WordToken]:
    """Return `orc 1 loses 2`, `gains 2 hp` and `2 damage to orc 1` as `damage` and `heal` with the combatant."""
    low = [said.word.lower() for said in words]
    verb = next((at for at, word in enumerate(low[:-1]) if at and word in _LOSSES and low[at + 1].isdecimal()), 0)
    if verb and all(word in _HIT_POINTS or not word for word in low[verb + 2 :]):
        return (*words[:verb], WordToken("", _LOSSES[low[verb]]), *words[verb + 1 :])
    to = any(said.comma for said in words) or not words[3:]
    if not to and low[0].isdecimal() and low[1] in VERB_SOURCE_POOLS and low[2] in _TO:
        return (words[1], *words[3:], words[0])
    if not to and low[0] in VERB_SOURCE_POOLS and low[1].isdecimal() and low[2] in _TO:
        return (words[0], *words[3:], words[1])
    return words


_HIT_POINTS = ("hp", "point", "points", "hit", "health", "damage")
_TO = ("to", "on", "for", "against")
_DONE_TO = ("kill", "remove")
"""Verbs whose object is affected, and not their subject."""
_FLIGHT = ("to", "through", "into", "over", "towards", "toward", "down", "out", "from", "across", "behind", "in", "up")
"""Words that begin the direction of a flight."""
_AWAY = (("away",), ("off",), ("for", "it"), ("for", "his", "life"), ("for", "her", "life"))
_RUNNING = ("run", "slink", "sneak", "hurry", "ride", "scurry", "scamper", "dash", "limp", "crawl")
"""Verbs for leaving the fight if a word of direction follows."""
_OF_OTHERS = ("surrender", "yield", "die", "kill", "remove")
"""Verbs that need a named combatant."""
_LOSSES = {"loses": "damage", "lose": "damage", "gains": "heal", "gain": "heal", "regains": "heal", "regain": "heal"}


def as_roll(fight: LineContext, written: ParsedOrder) -> ParsedOrder:
    """Return `damage 4D` as a roll where actions are counted; any other order as it is."""
    words = written.words
    at = next((at for at, said in enumerate(words[:MOST_WORDS]) if said.word.lower() == "damage"), None)
    rolled = at is not None and any(CODE.match(said.word) for said in words[at + 1 : at + 2])
    if at is None or not rolled or not fight.ruleset.edition.counts_actions or (at and not _is_name(fight, words[:at])):
        return written
    return written._replace(words=(*words[:at], WordToken("", "roll"), *words[at:]))


def _is_name(fight: LineContext, words: Sequence[WordToken]) -> bool:
    return bool(fight.people.one(" ".join(said.word for said in words).removesuffix(":")))


def _check_alone(fight: LineContext, words: Sequence[WordToken]) -> None:
    """Raise BadInput if another order follows a comma, `and` or `then`, because it would be lost as the reason."""
    for at in range(1, len(words)):
        rest = behind_parting(words, at)
        # `damage orc 1 2, 3 to kest` is about two.
        moves = any(_verb(said.word) in VERB_SOURCE_POOLS for said in words[:at]) and words[at - 1].comma
        counts = moves and any(said.word.isdecimal() for said in words[:at]) and _gives_more(rest)
        if rest and (counts or begins_order(fight, rest, sure=True)):
            told, first = (" ".join(str(said.value) for said in part) for part in (rest, words[:at]))
            raise BadInput(
                f'"{told}" could be an order or a reason. Type {first}; {told}, or put the reason in quotes.',
                wrong=told,
            )


def _gives_more(words: Sequence[WordToken]) -> bool:
    """Return True for words that begin or end with a number of points."""
    return bool(words[1:]) and (words[0].word.isdecimal() or words[-1].word.isdecimal())


def _with_names(fight: LineContext, words: Sequence[WordToken]) -> Sequence[WordToken]:
    """Return the words with names replaced by ids, except for the words after the points, which are the reason."""
    numbers = [at for at, said in enumerate(words) if said.word.isdecimal()]
    # `damage bandit 2 3`: a number in a name stands before another number.
    followed = {at - 1 for at in numbers}
    ends = next((at for at in numbers if at not in followed), 0)
    if ends <= 1 or not any(_verb(said.word) in VERB_SOURCE_POOLS for said in words[:2]):
        return with_names(fight, words)
    return (*with_names(fight, words[: ends + 1]), *words[ends + 1 :])


def _with_flight(fight: LineContext, words: Sequence[WordToken]) -> Sequence[WordToken]:
    """Return the words with `flee` in place of `runs away`, unless actions are counted, where running is an action."""
    low = [said.word.lower() for said in words[:5]]
    for at, word in enumerate(low[:-1]):
        away = next((len(one) for one in _AWAY if low[at + 1 : at + 1 + len(one)] == list(one)), 0)
        behind = words[at + 1 + away :]
        runs = word_forms(word).intersection(_RUNNING) if away and "perform" not in fight.orders else set()
        # Of `slips off to the door` nobody knows whether it leaves the fight.
        sure = "run" in runs and low[at + 1] == "away"
        if runs and (sure or not behind or isinstance(behind[0].value, TextToken)):
            return (*words[:at], WordToken("", "flee"), *behind)
    return words


def _verb(word: str) -> str:
    return next((form for form in word_forms(word.lower()) if form in VERB_REASONS), "")


def _gives_points(words: Sequence[WordToken]) -> bool:
    """Return True for a single number: `heal` without points uses a number only as a die, and dice come in twos."""
    return sum(said.word.isdecimal() for said in words) == 1


def _people(fight: LineContext, word: str, verb: str) -> list[str]:
    """Return the combatants that a word names: one, or all of a side whom the verb may affect; empty for nobody."""
    rank, found = fight.people.ranked(word.removeprefix("@"))
    if rank == EXACT and len(found) == 1:
        return found
    if word.lower() in PRONOUNS:
        # It begins the name of a side or a combatant only by chance.
        return []
    combatants = fight.state.combatants.values()
    sides = match_prefix(word.lower(), {one.side for one in combatants}, len(word))
    kind = [] if sides or found else of_kind(list(fight.state.combatants), word.lower())
    if sides or kind or word.lower() in GROUPS:
        fit = [one for one in combatants if not one.gone and (not sides or one.side == sides[0])]
        fit = [one for one in fit if not kind or one.id in kind]
        sources = VERB_SOURCE_POOLS.get(verb, ())
        heals_down = verb == "heal" and (bool(sides) or word.lower() != STANDING)
        able = [one.id for one in fit if heals_down or one.condition == "able"]
        if found := [one for one in able if not sources or _left(fight, one, sources)]:
            return found
        raise Refused("bad_target/nobody_concerned", those=arguments.TextArgument(word), verb=arguments.Term(verb))
    return [find_combatant(fight, word)] if found else []


def _nobody(fight: LineContext, word: str, behind: Sequence[WordToken]) -> BadInput:
    """Return the error for a word that names nobody, with the combatant, side or kind it may have meant."""
    people = fight.state.combatants
    kinds = {f"{number[1]}s" for one in people if (number := _NUMBERED.match(one))}
    known = [one.id for one in people.values() if not one.gone] + sorted({one.side for one in people.values()} | kinds)
    plural = [one for one in known if one.endswith("s")] if word.lower().endswith("s") else []
    near = closest_name(word.lower(), plural) or numbered_near(fight, word, [said.word for said in behind])
    hint = f'Did you mean "{near}"?' if near else suggestion_text(word.lower(), known)
    return BadInput(f'Nobody here is called "{word}". {hint}', wrong=word, allowed=[near] if near else known)


def _is_group(fight: LineContext, word: str) -> bool:
    """Return True for a word that names several people by their side, or everybody."""
    rank, found = fight.people.ranked(word.removeprefix("@"))
    if not word or (rank == EXACT and len(found) == 1):
        return False
    return word.lower() in (*GROUPS, *(one.side for one in fight.state.combatants.values()))


def _left(fight: LineContext, who: str, sources: Sequence[str]) -> int:
    return sum(getattr(fight.state.combatants[who].pools, name) for name in sources)


class _VerbReader:
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
        for at, said in enumerate(words):
            self._rest = words[at + 1 :]
            self._take(said)
            self._lists = said.comma
        if self.text and self._behind[1:]:
            raise self._unclear(" ".join(self._behind), ",".join(self.who))
        state = self.fight.state
        if self.verb not in VERB_SOURCE_POOLS:
            self._check_no_more()
        self.who = self.who or [one for one in [state.acting] if one and self.verb not in _OF_OTHERS]
        if not self.who:
            points = f" {self.points or 3}" if self.verb in VERB_SOURCE_POOLS else ""
            known = [one.id for one in state.combatants.values() if not one.gone]
            somebody = state.next_up or next(iter(known), "NAME")
            raise BadInput(f"Say who, like {self.verb} {somebody}{points}.", place=self.verb)
        if self.text:
            self.said.put("reason", " ".join(self.text))
        found: dict[str, Any] = {"reason": self._reason(), **self.said.found}
        if self.verb in VERB_SOURCE_POOLS:
            found["move"] = [move for who in self.who for move in self._moves(who)]
        else:
            self._check_there()
            found["condition"] = dict.fromkeys(self.who, CONDITION_VERBS.get(self.verb, "out"))
        return make_long_order(Adjust, found)

    def _check_no_more(self) -> None:
        """Raise BadInput for words after somebody who gives up, which could be the object or the reason."""
        flees = self.verb == "flee" and (self._leads or (self.text and self.text[0].lower() in _FLIGHT))
        if self.text and self._loose and not (flees and not any(map(str.isdecimal, "".join(self.text)))):
            told, who = " ".join(self.text), self.who[0] if self.who else "NAME"
            raise BadInput(
                f'"{told}" is unclear. To take {who} out of the fight, type {who} {self.verb}s, and put a reason after '
                "because.",
                place=self.verb,
                wrong=told,
            )

    def _check_there(self) -> None:
        """Raise Refused if somebody is to leave who is already gone."""
        gone = next((one for name in self.who if (one := self.fight.state.combatants[name]).gone), None)
        if gone:
            raise Refused("bad_target/left_already", who=gone, how=arguments.Word(gone.condition))

    def _take(self, said: WordToken) -> None:
        word = said.word.lower()
        moves = self.verb in VERB_SOURCE_POOLS
        if said.key:
            self.said.say(said)
        elif isinstance(said.value, TextToken):
            self.said.put("reason", str(said.value))
        elif not word:
            raise BadInput(f"Parentheses and brackets mean nothing after {self.verb}.", place=self.verb)
        elif number := ruling_number(word, marked=True):
            self.said.put("answers", number)
        elif moves and word.isdecimal() and not self.points and not self.text:
            self.points = parse_number(word)
        elif word in ("all", "the", "both") and not self.text and self._names_all():
            return
        elif not moves and word.isdecimal() and not self.text:
            raise _nobody(self.fight, word, self._rest)
        elif self.text or not self._names_people(word):
            self._loose = True
            self.text.append(f"{said.value}{',' * said.comma}")
        elif who := _people(self.fight, word, self.verb):
            self.who += [one for one in who if one not in self.who]
        else:
            raise _nobody(self.fight, word, self._rest)

    def _names_all(self) -> bool:
        """Return True if a side or a kind follows the current word: `all foes`."""
        behind = self._rest[0].word.lower() if self._rest else ""
        people = self.fight.state.combatants
        return bool(behind) and (behind in {one.side for one in people.values()} or bool(of_kind(list(people), behind)))

    def _names_people(self, word: str) -> bool:
        """Return True for a word in the place of a name.

        Names stand before the number, or after it if none stands before. Of verbs without points only the first word is
        a name, and those after a comma. Later words are the reason, even if they are a name.
        """
        if not self.points:
            return self.verb in VERB_SOURCE_POOLS or not self.who or self._lists
        if self.who and not self._behind:
            return False
        rank, found = self.fight.people.ranked(word.removeprefix("@"))
        sides = {one.side for one in self.fight.state.combatants.values()}
        if (rank == EXACT and found) or word in sides or word in GROUPS:
            self._behind.append(word)
            return True
        if found and not self.who:
            raise self._unclear(word, found[0])
        return False

    def _unclear(self, words: str, who: str) -> BadInput:
        """Return the error for words after the number that could be names, or the reason."""
        told = (
            f'"{words}" could be names or a reason. Type {self.verb} {who} {self.points}, or put the reason in quotes.'
        )
        return BadInput(told, place=self.verb, wrong=words)

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
        moves, left = [], self.points
        for name in sources:
            points = min(left, getattr(self.fight.state.combatants[who].pools, name))
            left -= points
            if points:
                target = TARGETS[self.verb]
                moves.append({"combatant": who, "source": name, "target": target, "points": points})
        return moves
