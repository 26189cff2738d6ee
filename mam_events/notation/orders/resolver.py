"""The first words of a short order: which order it is and who acts, read with the present state of the fight."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from mam_events.commands import COMMANDS
from mam_events.errors import BadInput
from mam_events.notation.context import (
    LineContext,
    ResolvedOrder,
    TurnStart,
    find_combatant,
    next_combatant,
    unclear_error,
    word_forms,
)
from mam_events.notation.grammar.dice import is_face
from mam_events.notation.grammar.long_form import actor_field
from mam_events.notation.grammar.names import COMBATANT, either_or, things_by_name
from mam_events.notation.grammar.verbs import is_order, join_order_words, names_order, orders_called, tells_outcome
from mam_events.notation.grammar.vocabulary import ADVERBS, INTERRUPTING, LOG_KEYWORDS, OTHER_WORDS, SYNONYMS
from mam_events.notation.hints.unknown_words import advice_on, not_an_order, unknown_word_error
from mam_events.notation.lexer.lexer import EXACT, DiceToken, ParsedOrder, WordToken, parse_number
from mam_events.notation.lexer.name_spans import with_names
from mam_events.notation.lexer.spacing import PREPOSITIONS, SILENT
from mam_events.notation.lines.initiative_line import awaited_roll, order_of_roll, tells_surprise
from mam_events.refusals.suggestions import closest_name, is_mistyped
from mam_events.values import Success

_LETTER = re.compile(r"([dm])([0-9]{1,6})")
"""The letter of a defense or a move, and its points."""
_DECLARES = ("takes", "take", "declares")
"""Verbs for declaring a number of actions."""
_POWER = re.compile(r"p[0-9]{1,6}")
_BEFORE_NAMES = (*SILENT, *PREPOSITIONS, *ADVERBS, "out", "over", "down", "and", "in", "to")
"""Words that may stand between a verb and its object."""
_NO_BLOWS = frozenset(
    (
        *("do", "keep", "wait", "stay", "watch", "look", "let", "ha", "have", "i", "will", "would", "may", "want"),
        *("plan", "think", "refuse", "can", "should", "need", "spare", "ignore", "avoid", "help", "save", "guard"),
        *("protect", "give", "hand", "toss", "pass", "bring", "offer", "lend", "send", "rescue", "free", "mis", "miss"),
        *("stop", "follow", "greet", "tell", "ask", "show", "call", "forget", "lift", "escort", "support", "comfort"),
        *("lead", "bles", "bless", "elude", "fail", "quit", "envy", "lack", "steal", "never", "neither", "nothing"),
        *("without", "unless", "instead", "seldom", "barely", "maybe", "hardly", "not", "always"),
    )
)
"""Verbs, without their endings, that are never a blow."""
_OF_BLOWS = ("hit", "miss", "mis")
"""Verbs for the outcome of a blow, without their endings."""
TURN_HEAD = re.compile(r"[0-9]{1,6}\.[0-9]{1,6}\Z")
"""Round and turn at the front of a line that begins a turn."""


def resolve_order(fight: LineContext, parsed: ParsedOrder) -> ResolvedOrder | TurnStart:
    """Return the only way to read the beginning of an order; raise BadInput if there is none or more than one."""
    words = join_order_words(fight, with_names(fight, parsed.words))
    if not words:
        raise BadInput("There is no order before the full stop. To end the turn, type n.", wrong=parsed.text)
    first = words[0]
    if first.key:
        raise BadInput(f"An order begins with its name, like attack, and not with {first.key}=.", wrong=f"{first.key}=")
    if do := _thrown(fight, words):
        return ResolvedOrder(do, "", {}, words)
    if not first.word:
        raise BadInput("An order begins with its name, like attack. Text and parentheses come after it.")
    words = _with_letter(fight, words)
    word = words[0].word
    if word.endswith(":") or word.startswith(COMBATANT):
        return _resolve_after_name(fight, find_combatant(fight, word.removesuffix(":")), words[1:])
    if word == ".":
        raise BadInput(
            "Put the full stop after an order to end the turn. To end it without an order, type n.", wrong=word
        )
    if tells_outcome(fight, word.lower()):
        _check_whose_outcome(fight, word.lower())
        return ResolvedOrder("result", "", {}, words)
    candidates = list(_readings(fight, word.lower(), words[1:])) or _blow(fight, words)
    if not candidates:
        raise unknown_word_error(fight, word, [one.word for one in words[1:]])
    if len(candidates) > 1:
        text = either_or([text for text, _ in candidates])
        raise unclear_error(f'"{word}" could be {text}. Which one?', [text for text, _ in candidates], word)
    return candidates[0][1]


def _thrown(fight: LineContext, words: tuple[WordToken, ...]) -> str:
    """Return the order that dice mean by themselves, or after their throwers' names; "" for any other words."""
    first = words[0]
    if isinstance(first.value, DiceToken) or is_face(first.word):
        awaited = awaited_roll(fight) if first.word else ""
        return awaited or ("resolve" if "resolve" in fight.orders else "result")
    surprises = tells_surprise(fight, words)
    if not (_is_only_name(fight, first.word) or (surprises and first.word.lower() in fight.sides)):
        return ""
    return "initiative" if surprises else order_of_roll(fight, words)


def _is_only_name(fight: LineContext, word: str) -> bool:
    """Return True for a word that can be a combatant's name and no order."""
    low = word.lower().removesuffix(":")
    return bool(low) and (bool(fight.people.whole(low)) or not (is_order(fight, low) or orders_called(fight, low)[1]))


def _with_letter(fight: LineContext, words: tuple[WordToken, ...]) -> tuple[WordToken, ...]:
    """Return the words with `d3` at the front as `d 3`; after an order it would be a field, as `p2`."""
    letter = _LETTER.fullmatch(words[0].word.lower()) if words else None
    if letter is None or fight.people.whole(words[0].word):
        return words
    return (WordToken("", letter[1]), WordToken("", letter[2]), *words[1:])


def _readings(
    fight: LineContext, word: str, rest: tuple[WordToken, ...]
) -> Iterator[tuple[str, ResolvedOrder | TurnStart]]:
    """Yield all ways to read a first word, by the first rule that fits it, each with a description."""
    rank, orders = orders_called(fight, word)
    if rank != EXACT and (who := fight.people.whole(word)):
        yield fight.name_of(who), _resolve_after_name(fight, who, rest)
        return
    yield from ((text, _order(fight, do, preset, rest)) for text, do, preset in orders)
    if rank != EXACT:
        for name in fight.people.able_first(fight.people.ranked(word)[1]):
            yield fight.name_of(name), _resolve_after_name(fight, name, rest)


def _order(
    fight: LineContext, do: str, preset: Mapping[str, str], rest: tuple[WordToken, ...], actor: str = ""
) -> ResolvedOrder:
    """Return a reading of an order.

    While somebody else's action is open, the order interrupts it. A pass in the actor's own turn ends it.
    """
    open_ones = fight.state.window.open
    if do in INTERRUPTING and open_ones and actor != open_ones[-1].combatant:
        do = INTERRUPTING[do]
    turn = fight.state.turn
    if do == "pass" and turn and actor in ("", turn.combatant) and not fight.state.exchange:
        # If nobody is attacked, a pass ends the turn.
        do = "end-turn"
    return ResolvedOrder(do, actor, preset, rest)


def _resolve_after_name(fight: LineContext, actor: str, words: tuple[WordToken, ...]) -> ResolvedOrder | TurnStart:
    """Return a reading of the words after a name: nothing, a number of actions, or an order of that combatant."""
    if not words:
        return TurnStart(actor)
    words = _with_letter(fight, join_order_words(fight, words))
    # `mira interrupts: parry` has a colon too.
    word = words[0].word.lower().removesuffix(":")
    if word.isdecimal() and len(words) == 1:
        return TurnStart(actor, parse_number(word))
    declared = words[1:] if word in _DECLARES else words
    if fight.ruleset.edition.counts_actions and (number := _actions_in(declared)):
        return TurnStart(actor, number)
    if not word:
        raise BadInput(f"Say what {fight.name_of(actor)} does. Type an order after the name.")
    _, matches = orders_called(fight, word)
    if not matches and (rest := _struck(fight, words, actor)):
        return _order(fight, "attack", {}, rest, actor)
    if not matches:
        raise not_an_order(fight, actor, words)
    if len(matches) > 1:
        text = either_or([text for text, _, _ in matches])
        raise unclear_error(f'"{word}" could be {text}. Which one?', [text for text, _, _ in matches], word)
    _, do, preset = matches[0]
    if do == "join":
        raise BadInput(
            f"{fight.name_of(actor)} has joined already. The name of a newcomer comes after join.", wrong=actor
        )
    if not actor_field(COMMANDS[do]) and "combatant" not in COMMANDS[do].__struct_fields__:
        raise BadInput(f"Type {do} without a name before it.", wrong=actor)
    return _order(fight, do, preset, words[1:], actor)


def _actions_in(words: Sequence[WordToken]) -> int:
    """Return the number of actions that those words state: `3 actions`; 0 for anything else."""
    number, *after = [one.word.lower() for one in words[:3]] or [""]
    return parse_number(number) if number.isdecimal() and after in ([], ["action"], ["actions"]) else 0


def _check_whose_outcome(fight: LineContext, word: str) -> None:
    """Raise the error that asks for the meaning of an outcome if a reaction has to be settled first."""
    *before, last = fight.state.window.open
    if word.removesuffix("s").removesuffix("e") in _OF_BLOWS and not last.target and any(one.target for one in before):
        ways = get_args(Success)
        raise unclear_error(
            f"First settle {fight.name_of(last.combatant)}'s {last.action}: {either_or(ways)}?", ways, word
        )


def _blow(fight: LineContext, words: Sequence[WordToken]) -> list[tuple[str, ResolvedOrder | TurnStart]]:
    """Return the reading of an unknown verb as a blow, if it can be nothing else."""
    rest = _struck(fight, words, next_combatant(fight.state))
    return [("attack", _order(fight, "attack", {}, rest))] if rest else []


def _struck(fight: LineContext, words: Sequence[WordToken], actor: str = "") -> tuple[WordToken, ...]:
    """Return the words after a verb that is no order, from its target on, if only a blow has such points.

    Examples are `thwacks guard 2 p1` and `lashes out at Odo p2`. Returns nothing if it could be a mistyped order.
    """
    verb = words[0].word.lower()
    if "attack" in fight.orders and fight.people.whole(verb) not in ("", actor) and _has_power(words[1:]):
        # `ilse orc p1` can only be an attack.
        return tuple(words)
    vocabulary = (*fight.orders, *SYNONYMS, *fight.verbs, *OTHER_WORDS, *LOG_KEYWORDS, *fight.state.combatants)
    near = closest_name(verb, vocabulary)
    if (
        "attack" not in fight.orders
        or not verb.isalpha()
        or (near and is_mistyped(verb, near))
        or advice_on(fight, verb)
    ):
        return ()
    if any(len(token.word) > 1 and names_order(fight, token.word.lower()) for token in words[1:]):
        # The order comes later, so the first word is probably not the verb.
        return ()
    points = _has_power(words[1:])
    places = [at for at, token in enumerate(words) if at and fight.people.whole(token.word) not in ("", actor)]
    things = things_by_name(fight.state.combatants.values())
    if not points or len(places) != 1:
        return ()
    between = tuple(token for token in words[1 : places[0]] if things.one(token.word.lower()))
    rest = [token for token in words[1 : places[0]] if token not in between]
    me = fight.person(actor or next_combatant(fight.state))
    target = fight.person(fight.people.whole(words[places[0]].word))
    ally = me is not None and target is not None and me.side == target.side != "all"
    third = not actor or verb.endswith(("s", "ing"))
    has_unknown = any(token.comma or token.word.lower() not in _BEFORE_NAMES for token in rest)
    if ally or not third or has_unknown or word_forms(verb) & _NO_BLOWS:
        # This may not be a blow, or other words about it would be lost.
        return ()
    # `knifes the orc` names the weapon.
    own = next(filter(None, (things_by_name([me]).whole(form) for form in word_forms(verb))), "") if me else ""
    between = (WordToken("", own),) if own else between
    return (*between, *words[places[0] :])


def _has_power(words: Sequence[WordToken]) -> bool:
    """Return True if those words contain points of power."""
    return any(_POWER.fullmatch(token.word.lower()) for token in words)


def turn_head(words: Sequence[WordToken]) -> tuple[str, int | None, tuple[WordToken, ...]]:
    """Return the name after round and turn, the number of declared actions, and the words of the order in the turn.

    The number is None if it is not given. Raises BadInput.
    """
    rest = list(words)
    name = rest.pop(0).word if rest else ""
    declares = not name.endswith(":") and bool(rest) and rest[0].word.removesuffix(":").isdecimal()
    number = rest.pop(0).word if declares else ""
    who, actions = name.removesuffix(":"), number.removesuffix(":")
    if not who or (rest and not (name.endswith(":") or number.endswith(":"))):
        raise BadInput("Say whose turn begins, and what they do. Type something like `2.1 grob: move 3`.")
    rest_words = (WordToken("", f"{who}:"), *rest) if rest else ()
    return who, parse_number(actions) if actions else None, rest_words
