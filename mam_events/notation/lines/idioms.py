"""Orders in other words that are clear from the fight: `brann skips`, `lets the rat go`, `init`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, takewhile

from mam_events.commands import Result
from mam_events.errors import Unclear
from mam_events.field_specs import field_specs
from mam_events.notation.context import LineContext, word_forms
from mam_events.notation.grammar.dice import is_face
from mam_events.notation.grammar.names import of_kind
from mam_events.notation.grammar.sides import OURS, THEIRS, resolve_side
from mam_events.notation.grammar.verbs import names_order
from mam_events.notation.grammar.vocabulary import LOG_KEYWORDS, OBJECTS, PHRASES, SPLIT_VERBS, SUBJECTS
from mam_events.notation.hints.unknown_words import STATES
from mam_events.notation.hints.word_hints import LETTERED
from mam_events.notation.lexer.lexer import ParsedOrder, TextToken, WordToken
from mam_events.notation.lexer.name_spans import LONGEST_ORDER
from mam_events.notation.lexer.spacing import ARTICLES
from mam_events.notation.lines.correction_line import NEWEST_WORDS
from mam_events.notation.lines.exchange_idioms import EXCHANGE_READERS, SPOKEN_IN_EXCHANGES, IdiomReader
from mam_events.values import outcome_of_word

_PARTED_VERBS = frozenset(form for verb, _ in SPLIT_VERBS for form in (verb, f"{verb}s"))
_SKIPS = ("skip", "pass")
_TURN = ("turn", *ARTICLES)
"""Words after a verb for doing nothing in a turn."""
_INITIATIVE = ("init", "initiative")
_BACK: Mapping[tuple[str, ...], str] = {("take", "back"): "undo", ("takes", "back"): "undo", ("bring", "back"): "redo"}
_BEGINS = ("first", "begins", "starts", "begin", "start")
_NEXT = ("n", "next")
_OVER = [one.split() for one in ("the fight is over", "fight is over", "fight over", "end fight", "end the fight")]
_NEVER = ("never", "not", "hardly")
_BREATH = [
    one.split() for one in ("his breath", "her breath", "their breath", "breath", "himself", "herself", "themselves")
]
_DONE = [["done"], ["finished"]]
_ROLL = "r"
DICE = 2
"""The number of dice in most exchanges."""
_TELLS = ("is", "was", "grins", "falls", "staggers", "stumbles", "laughs", "groans", "bleeds", "screams", "dodged")
"""Verbs that describe somebody, after dice."""
_DECLARING = ("takes", "take", "declares")
_TELLING = frozenset(
    (
        *("say", "shout", "yell", "whisper", "ask", "tell", "look", "watch", "laugh", "smile", "curse", "pray"),
        *("sing", "point", "nod", "think", "wonder", "turn", "scream", "beg", "warn", "taunt", "stare", "wink"),
    )
)
"""Verbs for speech and for acts without a rule."""
_OUTCOMES = tuple(way for way in field_specs(Result)["outcome"].choices if way)
"""The possible outcomes of an action."""
_SPOKEN = frozenset(
    (
        *(*_PARTED_VERBS, *SUBJECTS, *_INITIATIVE, *_BEGINS, *_NEXT, *_TELLING, *SPOKEN_IN_EXCHANGES),
        *("gets", "get", "catches", "gathers"),
        *(f"{word}{end}" for word in (*_SKIPS, *_TELLING, "join") for end in ("", "s", ":", "s:")),
        *("watches", "passes", "fight", "done", "finished", "is"),
    )
)
"""Words at least one of which every such order contains."""


def _order(do: str) -> ParsedOrder:
    """Return an order of one word."""
    return ParsedOrder("", (WordToken("", do),))


def as_own_word(parsed: ParsedOrder) -> ParsedOrder:
    """Return `take back 7 …` as `undo 7 …` and `3 brigands hp=4` as a join; any other order as it is.

    `take back` is read this way only if a number or nothing follows.
    """
    if (
        parsed.words
        and parsed.words[0].word.isdecimal()
        and any(token.key.lower() == "hp" for token in parsed.words)
        and parsed.words[1].word.isalpha()
    ):
        # `3 brigands hp=4` can only be a join.
        return parsed._replace(words=(WordToken("", "join"), *parsed.words))
    low = [token.word.lower() for token in parsed.words[:3]]
    word = _BACK.get(tuple(low[:2]), "")
    if not word or (low[2:] and not (low[2].removeprefix("#").isdecimal() or low[2] in NEWEST_WORDS)):
        return parsed
    return parsed._replace(words=(WordToken("", word), *parsed.words[2:]))


def split_in_two(fight: LineContext, parsed: ParsedOrder) -> tuple[ParsedOrder, ParsedOrder] | None:
    """Return the two orders that were typed as one, or None for any other order.

    `mira 2, waits` and `mira takes 2 actions and waits` give the declaration and the first action;
    `attacks the orc p1 r` gives the attack and its roll.
    """
    if len(parsed.words) > LONGEST_ORDER:
        return None
    rolls = parsed.words[-1].word.lower() == _ROLL and not fight.people.ranked(_ROLL)[1]
    if rolls and not fight.ruleset.edition.counts_actions:
        # The `r` in `attacks the orc p1 r` asks for the dice at once.
        first = parsed.words[:-1]
        return ParsedOrder(" ".join(token.word for token in first), first), ParsedOrder(
            _ROLL, parsed.words[-1:], parsed.ends
        )
    if orders := _dice_and_remark(fight, parsed):
        return orders
    if parsed.words[-1].word.lower() in _NEXT and parsed.words[-2].comma:
        first = (*parsed.words[:-2], parsed.words[-2]._replace(comma=False))
        return ParsedOrder(" ".join(token.word for token in first), first), ParsedOrder(
            "n", (WordToken("", "n"),), parsed.ends
        )
    if not fight.ruleset.edition.counts_actions:
        return None
    words = tuple(token for token in parsed.words if token.word.lower() not in ("action", "actions"))
    low = [token.word.lower() for token in words]
    at = next(
        (at for at, word in enumerate(low[:-1]) if at and word.isdecimal() and _counts_actions(parsed, words, at)), 0
    )
    ends = at - (low[at - 1] in _DECLARING) if at else 0
    if not ends or not fight.people.one(" ".join(low[:ends]).removesuffix(":")):
        return None
    rest = words[at + 1 + (low[at + 1] == "and") :]
    first = (*words[:ends], words[at]._replace(comma=False))
    return (
        ParsedOrder(" ".join(token.word for token in first), first),
        ParsedOrder(" ".join(token.word for token in rest), rest, parsed.ends),
    )


def _dice_and_remark(fight: LineContext, parsed: ParsedOrder) -> tuple[ParsedOrder, ParsedOrder] | None:
    """Return `6 2 ilse is free` as the dice and the remark; None for any other words after dice."""
    dice = tuple(takewhile(lambda token: is_face(token.word), parsed.words))
    words = parsed.words[len(dice) :]
    if len(dice) < DICE or len(words) <= 1 or not all(token.word.replace("-", "").isalpha() for token in words):
        return None
    first, second = (token.word.lower() for token in words[:2])
    told_words = [token.word.lower() for token in words]
    if any(outcome_of_word(word, _OUTCOMES) or word in STATES for word in told_words[1:]):
        # The words may contradict the dice.
        return None
    if second not in _TELLS or not (fight.people.one(first) or first in SUBJECTS):
        return None
    text = " ".join(f"{token.word}{',' * token.comma}" for token in words)
    faces = ParsedOrder(" ".join(token.word for token in dice), dice)
    return faces, ParsedOrder(f"note {text}", (WordToken("", "note"), WordToken("", TextToken(text))))


def _counts_actions(parsed: ParsedOrder, words: Sequence[WordToken], at: int) -> bool:
    """Return True for a number followed by a comma or `and`, also after the word for actions."""
    has_count = any(token.comma and token.word.lower() in ("action", "actions") for token in parsed.words)
    return words[at].comma or has_count or words[at + 1].word.lower() == "and"


def may_be_two(parsed: ParsedOrder) -> bool:
    """Return True for an order that contains a number and a comma or `and`, and for one followed by a roll."""
    last = [token.word.lower() for token in parsed.words[2:]][-1:]
    if last == [_ROLL] or (last and last[0] in _NEXT and parsed.words[-2].comma):
        return True
    if len(parsed.words) > DICE + 1 and is_face(parsed.words[0].word) and parsed.words[-1].word.isalpha():
        return True
    return any(token.word.isdecimal() for token in parsed.words[1:-1]) and any(
        token.comma or token.word.lower() == "and" for token in parsed.words
    )


def may_be_idiom(parsed: ParsedOrder) -> bool:
    """Return True if the order contains a word that every idiom needs."""
    if any(token.key == "hp" for token in parsed.words):
        return True
    return not _SPOKEN.isdisjoint(token.word.lower() for token in parsed.words)


def as_log_line(fight: LineContext, parsed: ParsedOrder) -> ParsedOrder:
    """Return an order in words of the log if its words can mean nothing else in this fight; else as it is."""
    words = parsed.words
    if len(words) > LONGEST_ORDER:
        # The next step refuses such a long order.
        return parsed
    low = [token.word.lower() for token in words]
    for read in _READERS:
        if order := read(fight, words, low):
            # A full stop after a remark belongs to the remark.
            remarks = order.words[0].word == "note"
            return order._replace(text=parsed.text, ends=not remarks and (order.ends or parsed.ends))
    return parsed


def _parted_verb(fight: LineContext, words: Sequence[WordToken], low: Sequence[str]) -> ParsedOrder | None:
    """Return `lets the rat go` as `release the rat`, also after the actor's name."""
    for at, verb in enumerate(low[:-1]):
        if verb not in _PARTED_VERBS or (at and not fight.people.one(" ".join(low[:at]).removesuffix(":"))):
            continue
        for form in sorted(word_forms(verb)):
            end = next((n for n in range(at + 2, len(low)) if (form, low[n]) in SPLIT_VERBS), 0)
            do = PHRASES[form, low[end]] if end else ""
            if do == "drop-item" and fight.people.one(" ".join(low[at + 1 : end])):
                # A combatant can be thrown down, but is not a thing to drop.
                continue
            if do in fight.orders:
                return ParsedOrder("", (*words[:at], WordToken("", do), *words[at + 1 : end], *words[end + 1 :]))
    return None


def _skipped_turn(fight: LineContext, _: Sequence[WordToken], low: Sequence[str]) -> ParsedOrder | None:
    """Return a turn in which nothing is done as the combatant's name and the end of the turn.

    Returns None if it could be a pass in an exchange, and for somebody who is not next.
    """
    state = fight.state
    mine = state.turn.combatant if state.turn else state.next_up
    if fight.ruleset.edition.counts_actions or "skip-turn" in fight.orders or state.exchange or not mine:
        return None
    at = next((at for at, word in enumerate(low) if word_forms(word).intersection(_SKIPS)), -1)
    who = fight.people.one(" ".join(low[:at]).removesuffix(":")) if at else mine
    if at < 0 or who != mine or any(word not in _TURN for word in low[at + 1 :]):
        return None
    return ParsedOrder("", (WordToken("", who),), ends=True)


def _named_next(fight: LineContext, words: Sequence[WordToken], low: Sequence[str]) -> ParsedOrder | None:
    """Return `ysolde n` as `n ysolde`, which begins her turn."""
    if len(low) < 2 or low[-1] not in _NEXT:  # noqa: PLR2004 - a name and the word
        return None
    who = fight.people.one(" ".join(low[:-1]))
    return ParsedOrder("", (words[-1], WordToken("", who))) if who and who == fight.state.next_up else None


def _initiative(fight: LineContext, words: Sequence[WordToken], low: Sequence[str]) -> ParsedOrder | None:
    """Return `init` alone as the roll of all who have yet to roll, if initiative is rolled."""
    if len(words) > 1 or low[0] not in _INITIATIVE or "roll-initiative" not in fight.orders:
        return None
    if fight.allowed("initiative"):
        return None
    do = "roll-initiative" if fight.state.round_open and not fight.state.initiative.entries else "round"
    return _order(do) if fight.allowed(do) else None


def _roll_initiative(fight: LineContext, words: Sequence[WordToken], low: Sequence[str]) -> ParsedOrder | None:
    """Return `roll initiative` as the order that settles it."""
    del words
    if low[0] != "roll" or list(low[1:]) not in ([one] for one in _INITIATIVE):
        return None
    order = _order("initiative")
    return order if fight.allowed("initiative") else _initiative(fight, order.words, ("initiative",))


def _without_pronoun(fight: LineContext, words: Sequence[WordToken], low: Sequence[str]) -> ParsedOrder | None:
    """Return an order without `he` or `it` in front: it is given for the combatant who can act."""
    next_word = low[1] if low[1:] else ""
    if low[0] not in SUBJECTS or not next_word or fight.people.ranked(low[0])[1]:
        return None
    comes_out = outcome_of_word(next_word, _OUTCOMES)
    if comes_out and low[2:] and not words[1].comma:
        # `she hits him` may be a blow or the outcome of one.
        return None
    acts = names_order(fight, next_word) and low[0] not in ("it", "we", "they")
    return ParsedOrder("", tuple(words[1:])) if comes_out or acts else None


def _end_of_turn(fight: LineContext, words: Sequence[WordToken], low: Sequence[str]) -> ParsedOrder | None:
    """Return `done` in a turn as its end, and `next turn` as the next one."""
    del words
    *name, said = (*low[:-2], low[-1]) if low[-2:-1] == ["is"] else low
    who = fight.people.one(" ".join(name)) if name else ""
    ends = [said] in _DONE and bool(who) == bool(name)
    if list(low) == ["next", "turn"] or (low[-2:] == ["is", "next"] and who and who == fight.state.next_up):
        return _order("n")
    turn = fight.state.turn
    return _order("end-turn") if turn and ends and who in ("", turn.combatant) else None


def _joining(fight: LineContext, words: Sequence[WordToken], low: Sequence[str]) -> ParsedOrder | None:
    """Return `Odo joins …` as `join Odo …`, if nobody has that name."""
    at = next((at for at, word in enumerate(low) if word == "joins"), 0)
    if not at or not all(low[:at]) or not any(token.key for token in words) or fight.people.whole(" ".join(low[:at])):
        return None
    name = words[:at] if at == 1 else (WordToken("", TextToken(" ".join(token.word for token in words[:at]))),)
    bare = list(takewhile(lambda token: token.word and not token.key, words[at + 1 :]))
    after = words[at + 1 + len(bare) :]
    bare = [token for token in bare if token.word.lower() not in ("the", "side", "fight", "as", "on")]
    joiner = bare[0].word.lower() if bare else ""
    if any(word in _NEVER for word in low[:at]) or joiner in (*OBJECTS, "other"):
        return None
    if joiner and (side := _side_joined(fight, joiner)):
        bare[0] = WordToken("side", side)
    return ParsedOrder("", (WordToken("", "join"), *name, *bare, *after))


def _side_joined(fight: LineContext, word: str) -> str:
    """Return the side that somebody joins, given its name or the kind of its members; "" for none."""
    people = fight.state.combatants
    kind = of_kind(list(people), word) or [one for one in [fight.people.whole(word)] if one and word not in fight.sides]
    return people[kind[0]].side if kind else resolve_side(people.values(), word)


def _first(fight: LineContext, words: Sequence[WordToken], low: Sequence[str]) -> ParsedOrder | None:
    """Return `hal goes first because …` as initiative settled by the game master; raise Unclear for a group."""
    end = next((at for at, word in enumerate(low) if at and word in _BEGINS), 0)
    name = " ".join(low[: end - (low[end - 1] in ("goes", "is", "acts"))])
    if not end or fight.ruleset.edition.counts_actions or not fight.allowed("initiative"):
        return None
    if low[0] in _INITIATIVE:
        name = name.removeprefix(low[0]).strip()
    if not name or any(token.word for token in words[end + 1 :]):
        return None
    if who := fight.people.one(name):
        return ParsedOrder("", (WordToken("", "initiative"), WordToken("first", who), *words[end + 1 :]))
    group = name.removeprefix("the ")
    if of_kind(list(fight.state.combatants), group) or group in (*fight.sides, *OURS, *THEIRS):
        raise Unclear(
            f"This is unclear. For a surprise, type {name} ambush them. For who begins, type init first=NAME because …."
        )
    return None


def _gets_ready(fight: LineContext, words: Sequence[WordToken], low: Sequence[str]) -> ParsedOrder | None:
    """Return `gets 4 back` and `gets ready` as points that become ready."""
    at = next((at for at, word in enumerate(low) if word in ("gets", "get", "readies", "catches", "gathers")), -1)
    if at < 0 or "ready" not in fight.orders or (at and not fight.people.one(" ".join(low[:at]).removesuffix(":"))):
        return None
    words_after = list(low[at + 1 :])
    if words_after[:1] == ["ready"]:
        rest = words[at + 2 :]
    elif len(words_after) > 1 and words_after[0].isdecimal() and words_after[1] == "back":
        rest = (words[at + 1], *words[at + 3 :])
    elif breath := next((len(one) for one in _BREATH if words_after[: len(one)] == one), 0):
        rest = tuple(words[at + 1 + breath :])
    else:
        return None
    return ParsedOrder("", (*words[:at], WordToken("", "ready"), *rest))


def _newcomer(fight: LineContext, words: Sequence[WordToken], low: Sequence[str]) -> ParsedOrder | None:
    """Return `Voss b hp=7` as a join of Voss, if nobody has that name and it is no order."""
    is_new_name = bool(
        low[0] and not fight.people.ranked(low[0])[1] and not names_order(fight, low[0]) and low[0] not in LOG_KEYWORDS
    )
    bare = [token.word.lower() for token in takewhile(lambda token: token.word and not token.key, words)]
    sided = len(bare) == 1 or (len(bare) > 1 and (bare[1] in fight.sides or len(bare[1]) == 1))
    joins = is_new_name and sided and not low[0].isdecimal() and any(token.key == "hp" for token in words)
    return ParsedOrder("", (WordToken("", "join"), *words)) if joins else None


def _closing(fight: LineContext, words: Sequence[WordToken], low: Sequence[str]) -> ParsedOrder | None:
    """Return `the fight is over` as the order to close it."""
    del fight, words
    return _order("close") if list(low) in _OVER else None


def _remark(fight: LineContext, words: Sequence[WordToken], low: Sequence[str]) -> ParsedOrder | None:
    """Return a sentence about somebody who speaks, looks or turns as a note, unless an action has that name."""
    at = next(
        (at for at, word in enumerate(low) if at and word_forms(word.removesuffix(":")).intersection(_TELLING)), 0
    )
    name = " ".join(low[:at]).removesuffix(":")
    if not at or not (fight.people.one(name) or name in SUBJECTS) or names_order(fight, low[at].removesuffix(":")):
        return None
    if any(token.word.lower() == "and" or LETTERED.match(token.word.lower()) for token in words[at:]) or any(
        token.comma and names_order(fight, next_token.word.lower()) for token, next_token in pairwise(words)
    ):
        # The remark would swallow another order that follows.
        return None
    text = " ".join(f"{token.value}{',' * token.comma}" for token in words)
    return ParsedOrder("", (WordToken("", "note"), WordToken("", TextToken(text))))


_READERS: Sequence[IdiomReader] = (
    _first,
    _named_next,
    _skipped_turn,
    _initiative,
    _roll_initiative,
    *EXCHANGE_READERS,
    _without_pronoun,
    _joining,
    _newcomer,
    _gets_ready,
    _closing,
    _end_of_turn,
    _parted_verb,
    _remark,
)
