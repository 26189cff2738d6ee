"""Verbs of the game master's adjustments: `damage foes 3 "trap"`, `heal mara 2 "potion"`, `bo flees`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from mam_events.errors import BadInput
from mam_events.notation.context import LineContext, word_forms
from mam_events.notation.grammar.long_form import LongOrder
from mam_events.notation.grammar.names import MOST_WORDS
from mam_events.notation.grammar.nested_values import CODE
from mam_events.notation.grammar.verbs import is_order
from mam_events.notation.hints.advice import KEPT_WOUND
from mam_events.notation.lexer.lexer import (
    EXACT,
    ParsedOrder,
    TextToken,
    WordToken,
)
from mam_events.notation.lexer.name_spans import after_separator, begins_order, with_names
from mam_events.notation.lexer.spacing import INDEFINITE
from mam_events.notation.lines.gm_verb_reader import (
    GROUPS,
    VERB_REASONS,
    VERB_SOURCE_POOLS,
    VerbReader,
    no_such_people,
    people_called,
)

_HARMS = ("damage", "stun")
"""The verbs that take points from somebody."""
PASSIVE_DAMAGE_VERBS = ("takes", "take", "suffers", "suffer")
"""Verbs whose subject is hurt: `goblin takes 1 damage`."""
POINT_WORDS = ("point", "points", "hp")
"""Words after the number of points."""


def verb_order(fight: LineContext, words: Sequence[WordToken]) -> LongOrder | None:
    """Return the adjustment that such a verb orders, at the front or after a name, or None.

    Returns None for a rest too: `heal` without points. Raises BadInput, and Refused if nobody has points to move.
    """
    words = tokens = _in_order(fight, _without_all(words))
    words = _with_flight(fight, _with_names(fight, words))
    if (verb := _verb(words[0].word)) and verb != "die":
        who, rest = [], words[1:]
    elif len(words) > 1 and _can_be_name(words[0].word) and (verb := _verb(words[1].word)) not in ("", *_DONE_TO):
        who, rest = people_called(fight, words[0].word.removesuffix(":"), verb), words[2:]
        if not who and verb not in VERB_SOURCE_POOLS and not is_order(fight, words[0].word.lower()):
            raise no_such_people(fight, words[0].word, words[1:])
        if not who:
            return None
    else:
        return None
    if verb == "heal" and "heal" in fight.orders and not _gives_points(rest):
        return None
    _check_alone(fight, tokens)
    if verb in _HARMS and fight.ruleset.edition.counts_actions:
        message = "Nobody has hit points under these rules. Roll the damage of a hit instead: roll damage 4D."
        hurt = next((token.word for token in (*tokens, *words) if fight.people.whole(token.word)), "NAME")
        raise BadInput(f"{message} {KEPT_WOUND.format(who=hurt)}", wrong=verb)
    order = VerbReader(fight, verb, who).read(rest)
    # A word for many rarely means those who are down, unless it names them.
    several = verb == "heal" and any(_is_group(fight, token.word.removesuffix(":")) for token in words)
    return replace(order, of_many=True) if several else order


def _without_all(words: Sequence[WordToken]) -> Sequence[WordToken]:
    """Return the words without `the` and `all` before those who act: `all the orcs flee`."""
    at = 0
    while at < len(words) - 2 and words[at].word.lower() in ("the", "all", "both"):
        at += 1
    return words[at:] if any(_verb(token.word) for token in words[at + 1 : at + 2]) else words


def _in_order(fight: LineContext, words: Sequence[WordToken]) -> Sequence[WordToken]:
    """Return the words about damage in the order in which they are read.

    `goblin takes 1 fire damage` becomes `goblin damage 1 fire`, and the reason in `burning straw: damage goblin 1`
    moves to the end. `for` and `points` are omitted.
    """
    colon = next((at for at, token in enumerate(words[:MOST_WORDS]) if token.word.endswith(":")), None)
    if colon is not None and len(words) > colon + 2 and _verb(words[colon + 1].word):
        why = " ".join(token.word for token in words[: colon + 1]).removesuffix(":")
        if not (fight.people.whole(why) or fight.people.ranked(why)[1] or is_order(fight, words[0].word.lower())):
            words = (*words[colon + 1 :], WordToken("", TextToken(why)))
    words = _with_losses(words)
    low = [token.word.lower() for token in words]
    takes = next(
        (at for at, word in enumerate(low[:-2]) if word in PASSIVE_DAMAGE_VERBS and low[at + 1].isdecimal()), None
    )
    # `takes 2 stun damage` is damage.
    harm = next((word for word in _HARMS if takes and word in low[takes + 2 :]), "")
    if takes and harm:
        at = low.index(harm, takes + 2)
        kind = [token for token in words[takes + 2 : at] if token.word.lower() not in ("of", *POINT_WORDS)]
        amount = words[takes + 1]._replace(comma=words[at].comma)
        words = (*words[:takes], words[at]._replace(comma=False), amount, *kind, *words[at + 1 :])
        low = [token.word.lower() for token in words]
    if not any(_verb(word) in VERB_SOURCE_POOLS for word in low[: MOST_WORDS + 1]):
        return words
    number = next((at for at, word in enumerate(low[1:], 1) if word.isdecimal() and low[at - 1] in ("for", "by")), None)
    if number:
        words = (*words[: number - 1], *words[number:])
        low = [token.word.lower() for token in words]
    points = next((at for at, word in enumerate(low[1:], 1) if word in POINT_WORDS and low[at - 1].isdecimal()), None)
    return (*words[:points], *words[points + 1 :]) if points else words


def _can_be_name(word: str) -> bool:
    """Return True for a word that can be a combatant's name: no article, and no number alone."""
    return bool(word) and word.lower() not in INDEFINITE and not word.isdecimal()


def _with_losses(words: Sequence[WordToken]) -> Sequence[WordToken]:
    """Return `orc 1 loses 2`, `gains 2 hp` and `2 damage to orc 1` as `damage` and `heal` with the combatant."""
    low = [token.word.lower() for token in words]
    verb = next((at for at, word in enumerate(low[:-1]) if at and word in _LOSSES and low[at + 1].isdecimal()), 0)
    if verb and all(word in _HIT_POINTS or not word for word in low[verb + 2 :]):
        return (*words[:verb], WordToken("", _LOSSES[low[verb]]), *words[verb + 1 :])
    to = any(token.comma for token in words) or not words[3:]
    if not to and low[0].isdecimal() and low[1] in VERB_SOURCE_POOLS and low[2] in _TO:
        return (words[1], *words[3:], words[0])
    if not to and low[0] in VERB_SOURCE_POOLS and low[1].isdecimal() and low[2] in _TO:
        return (words[0], *words[3:], words[1])
    return words


_HIT_POINTS = ("hp", "point", "points", "hit", "health", "damage")
_TO = ("to", "on", "for", "against")
_DONE_TO = ("kill", "remove")
"""Verbs whose object is affected, and not their subject."""
_AWAY = (("away",), ("off",), ("for", "it"), ("for", "his", "life"), ("for", "her", "life"))
_RUNNING = ("run", "slink", "sneak", "hurry", "ride", "scurry", "scamper", "dash", "limp", "crawl")
"""Verbs for leaving the fight if a word of direction follows."""
_LOSSES = {"loses": "damage", "lose": "damage", "gains": "heal", "gain": "heal", "regains": "heal", "regain": "heal"}


def as_roll(fight: LineContext, parsed: ParsedOrder) -> ParsedOrder:
    """Return `damage 4D` as a roll where actions are counted; any other order as it is."""
    words = parsed.words
    at = next((at for at, token in enumerate(words[:MOST_WORDS]) if token.word.lower() == "damage"), None)
    is_roll = at is not None and any(CODE.match(token.word) for token in words[at + 1 : at + 2])
    if (
        at is None
        or not is_roll
        or not fight.ruleset.edition.counts_actions
        or (at and not _is_name(fight, words[:at]))
    ):
        return parsed
    return parsed._replace(words=(*words[:at], WordToken("", "roll"), *words[at:]))


def _is_name(fight: LineContext, words: Sequence[WordToken]) -> bool:
    return bool(fight.people.one(" ".join(token.word for token in words).removesuffix(":")))


def _check_alone(fight: LineContext, words: Sequence[WordToken]) -> None:
    """Raise BadInput if another order follows a comma, `and` or `then`, because it would be lost as the reason."""
    for at in range(1, len(words)):
        rest = after_separator(words, at)
        # `damage orc 1 2, 3 to kest` changes two combatants.
        moves = any(_verb(token.word) in VERB_SOURCE_POOLS for token in words[:at]) and words[at - 1].comma
        counts = moves and any(token.word.isdecimal() for token in words[:at]) and _gives_more(rest)
        if rest and (counts or begins_order(fight, rest, sure=True)):
            line, first = (" ".join(str(token.value) for token in part) for part in (rest, words[:at]))
            raise BadInput(
                f'"{line}" could be an order or a reason. Type {first}; {line}, or put the reason in quotes.',
                wrong=line,
            )


def _gives_more(words: Sequence[WordToken]) -> bool:
    """Return True for words that begin or end with a number of points."""
    return bool(words[1:]) and (words[0].word.isdecimal() or words[-1].word.isdecimal())


def _with_names(fight: LineContext, words: Sequence[WordToken]) -> Sequence[WordToken]:
    """Return the words with names replaced by ids, except for the words after the points, which are the reason."""
    numbers = [at for at, token in enumerate(words) if token.word.isdecimal()]
    # In `damage bandit 2 3`, the 2 belongs to the name and the 3 is points.
    followed = {at - 1 for at in numbers}
    ends = next((at for at in numbers if at not in followed), 0)
    if ends <= 1 or not any(_verb(token.word) in VERB_SOURCE_POOLS for token in words[:2]):
        return with_names(fight, words)
    return (*with_names(fight, words[: ends + 1]), *words[ends + 1 :])


def _with_flight(fight: LineContext, words: Sequence[WordToken]) -> Sequence[WordToken]:
    """Return the words with `flee` in place of `runs away`, unless actions are counted, where running is an action."""
    low = [token.word.lower() for token in words[:5]]
    for at, word in enumerate(low[:-1]):
        away = next((len(one) for one in _AWAY if low[at + 1 : at + 1 + len(one)] == list(one)), 0)
        after = words[at + 1 + away :]
        runs = word_forms(word).intersection(_RUNNING) if away and "perform" not in fight.orders else set()
        # `slips off to the door` may or may not mean leaving the fight.
        sure = "run" in runs and low[at + 1] == "away"
        if runs and (sure or not after or isinstance(after[0].value, TextToken)):
            return (*words[:at], WordToken("", "flee"), *after)
    return words


def _verb(word: str) -> str:
    return next((form for form in word_forms(word.lower()) if form in VERB_REASONS), "")


def _gives_points(words: Sequence[WordToken]) -> bool:
    """Return True for a single number: `heal` without points uses a number only as a die, and dice come in twos."""
    return sum(token.word.isdecimal() for token in words) == 1


def _is_group(fight: LineContext, word: str) -> bool:
    """Return True for a word that names several people by their side, or everybody."""
    rank, matches = fight.people.ranked(word.removeprefix("@"))
    if not word or (rank == EXACT and len(matches) == 1):
        return False
    return word.lower() in (*GROUPS, *(one.side for one in fight.state.combatants.values()))
