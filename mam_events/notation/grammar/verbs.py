"""The orders that a word stands for: in full or abbreviated, by a letter, a synonym or a verb."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter

from mam_events.commands import COMMANDS
from mam_events.errors import BadInput, Refused
from mam_events.field_specs import field_specs
from mam_events.notation.context import LineContext, next_combatant, with_dashes, word_forms
from mam_events.notation.grammar.names import either_or, things_by_name
from mam_events.notation.grammar.vocabulary import BARE_HANDED, LOG_KEYWORDS, OTHER_WORDS, SYNONYMS, LogKeyword
from mam_events.notation.hints.advice import OTHERWISE
from mam_events.notation.lexer.lexer import EXACT, ParsedOrder, WordToken, match_words
from mam_events.notation.lexer.spacing import ARTICLES, INDEFINITE
from mam_events.state import BODY
from mam_events.values import outcome_of_word

MIN_PREFIX = 2
"""The fewest letters of an abbreviated order, flag or choice; one is enough for a name."""
LONG_ENOUGH = 4
"""The fewest letters with which an abbreviated order is recognized after another order."""
SURPRISING = ("stalk", "establish-surprise")


def own_word(parsed: ParsedOrder) -> LogKeyword | None:
    """Return the log keyword that an order begins with, or None."""
    return LOG_KEYWORDS.get(parsed.words[0].word.lower()) if parsed.words else None


def join_order_words(fight: LineContext, words: tuple[WordToken, ...]) -> tuple[WordToken, ...]:
    """Return the words with an order of several words joined into one (`pick up rope`, `end turn`).

    They stay as they are if a thing has that name.
    """
    first, second = (token.word.lower() for token in (*words, WordToken("", ""), WordToken("", ""))[:2])
    if second in (*ARTICLES, *INDEFINITE) and len(words) > 2:  # noqa: PLR2004 - an order, an article and a noun
        # `draw the bow` is the order `draw-bow`, unless a thing is named `bow`.
        without = (words[0], *words[2:])
        words_joined = join_order_words(fight, without)
        return words_joined if words_joined != without else words
    if not first or not second or things_by_name(fight.state.combatants.values()).one(second):
        return words
    if (first, second.rstrip(":s")) == ("house", "rule") and "change-rules" in fight.orders:
        return (WordToken("", "change-rules"), *words[2:])
    # The object may come first: `rules change`.
    token = [f"{second}-{first}", *(f"{form}-{second}" for form in word_forms(first))]
    matches = [do for do in fight.orders if any(do == one or do.startswith(f"{one}-") for one in token)]
    # An action of the list may have two words: `run away`.
    matches = matches or [verb for verb in fight.verbs if with_dashes(verb) in token]
    return (WordToken("", matches[0]), *words[2:]) if len(matches) == 1 else words


def _called_here(fight: LineContext, word: str) -> str:
    """Return this edition's word for an order for which players have another word; any other word as it is."""
    spellings = word_forms(word)
    targets = [target for form in sorted(spellings) for target in OTHER_WORDS.get(form, ())]
    if not targets or spellings & (fight.orders | fight.verbs.keys()) or fight.people.whole(word):
        return word
    return next((target for target in targets if target in fight.orders or target in fight.verbs), word)


def orders_called(fight: LineContext, word: str) -> tuple[int, list[tuple[str, str, Mapping[str, str]]]]:
    """Return the orders that a word stands for, by a letter, a synonym or a verb, preceded by the rank.

    The rank is `EXACT` or `CUT`. Each order comes with the word for it and the fields that the word sets.
    """
    if word in ("do", "does", "did"):
        # They don't abbreviate `dodge`.
        return EXACT, []
    word = _called_here(fight, word)
    bodily = word_forms(word).intersection(BARE_HANDED)
    if bodily and "attack" in fight.orders and not bodily & fight.verbs.keys():
        return EXACT, [(word, "attack", {"weapon": BODY})]
    stands = next((form for form in word_forms(word) if len(form) > 1 and form in SYNONYMS), word)
    orders = [do for do in SYNONYMS.get(stands, ()) if do in fight.orders]
    if stands in SYNONYMS and (orders or not any(form in fight.verbs for form in word_forms(word))):
        word = stands
        if not orders and fight.state.status == "closed":
            raise Refused("encounter_closed")
        if not orders:
            message = f'"{word}" means {either_or(SYNONYMS[word])}, which this edition does not have.'
            raise BadInput(f"{message}{other_order_for(fight, SYNONYMS[word][0])}", wrong=word)
        return EXACT, [(do, do, {}) for do in orders[:1]]
    names: dict[str, tuple[str, Mapping[str, str]]] = {do: (do, {}) for do in fight.orders}
    names |= {with_dashes(verb): (do, {field: value}) for verb, (do, field, value) in fight.verbs.items()}
    whole_words = sorted(names.keys() & word_forms(with_dashes(word)))
    rank, matches = (EXACT, whole_words) if whole_words else match_words(word, sorted(names), MIN_PREFIX)
    if not matches:
        # Try the other forms of the word: `draws` as `draw`.
        rank, matches = next(
            filter(itemgetter(1), (match_words(form, sorted(names), MIN_PREFIX) for form in word_forms(word))),
            (rank, []),
        )
    return rank, [(name, *names[name]) for name in matches]


def other_order_for(fight: LineContext, do: str) -> str:
    """Return the sentence about that order's equivalent in this edition, preceded by a blank, or ""."""
    counts = fight.ruleset.edition.counts_actions
    edition = "actions" if counts else "points" if "ready" in fight.orders else "speed"
    if hint := OTHERWISE[edition].get(do, ""):
        return f" {hint.format(who=next_combatant(fight.state) or 'NAME')}"
    if counts or do not in SURPRISING:
        return ""
    return " To say who surprises the others when you settle initiative, type init surprise=NAME."


def tells_outcome(fight: LineContext, word: str) -> bool:
    """Return True for `hits` or `misses` while the result of an action is awaited, and nothing else has that name."""
    if "result" not in fight.orders or "attack" in fight.orders or not fight.state.window.open:
        return False
    ways = [way for way in field_specs(COMMANDS["result"])["outcome"].choices if way]
    return (word in ways or bool(outcome_of_word(word, ways))) and not fight.people.whole(word)


def begins_with_order(fight: LineContext, words: Sequence[WordToken], order: str) -> bool:
    """Return True for words that begin with that order."""
    word = words[0].word.lower() if words else ""
    if word in SYNONYMS:
        return [do for do in SYNONYMS[word] if do in fight.orders] == [order]
    return bool(word) and [do for _, do, _ in orders_called(fight, word)[1]] == [order]


def is_order(fight: LineContext, word: str) -> bool:
    """Return True for the full word of an order, or a log keyword."""
    stands = word in SYNONYMS or any(len(form) > 1 and form in SYNONYMS for form in word_forms(word))
    return word in LOG_KEYWORDS or stands or orders_called(fight, word)[0] == EXACT


def stands_for_order(fight: LineContext, word: str) -> bool:
    """Return True for a letter that is an order, or a word that is an order and no combatant's name."""
    return is_order(fight, word) if len(word) == 1 else names_order(fight, word) and not fight.people.ranked(word)[1]


def is_attack(fight: LineContext, word: str) -> bool:
    """Return True for a word that orders an attack."""
    try:
        return begins_with_order(fight, [WordToken("", word)], "attack")
    except BadInput:
        # The word is an order of another edition.
        return False


def names_order(fight: LineContext, word: str) -> bool:
    """Return True for the word of an order, in full or with at least four letters (`draw`), but no single letter."""
    if len(word) < MIN_PREFIX:
        return False
    try:
        return is_order(fight, word) or (len(word) >= LONG_ENOUGH and len(orders_called(fight, word)[1]) == 1)
    except BadInput:
        # The word is an order of another edition.
        return True
