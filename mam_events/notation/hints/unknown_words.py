"""Answers to words that have no meaning here: the nearest word, what to type instead, or what is possible now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mam_events.commands import COMMANDS, name_of
from mam_events.errors import BadInput, Refused, Unclear
from mam_events.notation.context import LineContext, next_combatant, numbered_near, with_dashes, word_forms
from mam_events.notation.grammar.names import either_or, of_kind
from mam_events.notation.grammar.verbs import other_order_for
from mam_events.notation.grammar.vocabulary import LOG_KEYWORDS, SYNONYMS
from mam_events.notation.hints.advice import ADVICE, KEPT_WOUND, WOUNDED
from mam_events.notation.lexer.lexer import WordToken
from mam_events.refusals.suggestions import closest_name, is_mistyped

STATES = {
    "down": "incapacitated",
    "incapacitated": "incapacitated",
    "unconscious": "incapacitated",
    "out cold": "incapacitated",
    "knocked out": "incapacitated",
    "bound": "incapacitated",
    "out": "out",
    "gone": "out",
    "dead": "dead",
    "up": "able",
    "able": "able",
}
"""Words for a condition, and the condition as the `gm` order calls it."""
LIKELY = (
    *("resolve", "result", "counterattack", "parry", "defend", "escape", "attack", "perform", "manipulate", "declare"),
    *("ready", "move", "initiative", "roll-initiative", "end-turn", "begin-turn", "round", "interfere", "join"),
)
"""The orders that are meant most often, the likeliest first."""
OF_THE_NEXT = ("attack", "manipulate", "ready", "move")
MOST_TOLD = 6
"""The most orders that are listed for an unknown word; the others are counted."""


def unknown_word_error(fight: LineContext, word: str, after: Sequence[str]) -> BadInput:
    """Return the error for a word that has no meaning here, or raise a more specific one."""
    _check_skill(fight, word.lower())
    check_advice(fight, word.lower())
    _check_edition(fight, word)
    if near := numbered_near(fight, word, after):
        return BadInput(f'There is no "{word}" here. Did you mean "{near}"?', wrong=word, allowed=[near])
    if len(several := of_kind(list(fight.state.combatants), word.lower())) > 1:
        check_advice(fight, after[0].lower() if after else "", several[0])
        ways = [f"{one} {' '.join(after)}".rstrip() for one in several[:MOST_TOLD]]
        raise Unclear(f"An order is for one combatant. Which one: {either_or(ways)}?", word=word, allowed=several)
    words_known = (*fight.orders, *SYNONYMS, *fight.verbs, *fight.state.combatants, *LOG_KEYWORDS)
    return BadInput(
        f'There is no "{word}" here. {suggestion(fight, word, words_known)}', wrong=word, allowed=words_known
    )


def _check_edition(fight: LineContext, word: str) -> None:
    """Raise Refused with `not_in_edition` for an order of another edition, as for the command."""
    from mam_events.rules.rulebook import rulebook  # noqa: PLC0415 - few lines need it

    kind = next((COMMANDS[form] for form in sorted(word_forms(with_dashes(word.lower()))) if form in COMMANDS), None)
    if kind is not None and name_of(kind) not in fight.orders:
        try:
            rulebook().check_order(kind, fight.ruleset.pinned)
        except Refused as no:
            no.followed_by(other_order_for(fight, name_of(kind)))
            raise


def suggestion(fight: LineContext, word: str, vocabulary: Iterable[str]) -> str:
    """Return the nearest known word, or else the orders that may be given now."""
    near = closest_name(word.lower(), vocabulary)
    # A mistyped name is asked about; a player's word is rarely a mistyped order.
    if near in fight.state.combatants or (near and is_mistyped(word.lower(), near)):
        return f'Did you mean "{near}"?'
    if fight.state.status == "closed":
        return "The fight is closed. Type u to open it again."
    now = [do for do in COMMANDS if do in fight.orders and (do in _of_the_next(fight) or fight.allowed(do))]
    first = [do for do in LIKELY if do in now][:MOST_TOLD]
    first += [do for do in now if do not in first][: MOST_TOLD - len(first)]
    more = f", and {len(now) - len(first)} more (type options to see all)" if len(now) > len(first) else ""
    return f"Possible now: {', '.join(first)}{more}."


def _of_the_next(fight: LineContext) -> tuple[str, ...]:
    """Return the likely orders of the next combatant, which implicitly begin their turn.

    There are none during a turn, and where actions are counted.
    """
    state = fight.state
    if not state.next_up or state.turn or state.exchange or fight.ruleset.edition.counts_actions:
        return ()
    is_held = any(hold.held == state.next_up for one in state.combatants.values() for hold in one.grapples)
    return (*(("escape",) if is_held else ()), *OF_THE_NEXT)


def not_an_order(fight: LineContext, actor: str, words: Sequence[WordToken]) -> BadInput:
    """Return the error for words after a name that are no order, or raise a more specific one."""
    word, next_word = words[0].word.lower().removesuffix(":"), words[1].word.lower() if words[1:] else ""
    if word in ("is", "was") and (how := _state_in(words[1:])):
        binds = how == "incapacitated" and "incapacitate" in fight.orders
        example = f"incapacitate {actor}" if binds else f"gm {actor} {how}"
        line = f"{example} because {' '.join(one.word for one in words).removesuffix('.')}"
        question = Unclear(f"That is the game master's decision. Type {example} because ….", allowed=(line,))
        question.whole = True
        raise question
    if word in ("is", "was") and next_word in WOUNDED:
        counts = fight.ruleset.edition.counts_actions
        advice = KEPT_WOUND if counts else "The game master says how many points a wound takes. Type damage {who} 2."
        raise BadInput(advice.format(who=actor), wrong=words[1].word)
    if word in ("is", "was"):
        check_advice(fight, next_word, actor)
    check_advice(fight, word, actor)
    _check_edition(fight, word)
    vocabulary = (*fight.orders, *SYNONYMS, *fight.verbs)
    return BadInput(
        f'There is no order "{words[0].word}". {suggestion(fight, word, vocabulary)}',
        wrong=words[0].word,
        allowed=vocabulary,
    )


def _state_in(words: Sequence[WordToken]) -> str:
    """Return the condition that those words describe, or ""."""
    words_low = [one.word.lower().removesuffix(".") for one in words[:2]]
    return STATES.get(" ".join(words_low), "") or STATES.get(words_low[0] if words_low else "", "")


def _check_skill(fight: LineContext, word: str) -> None:
    """Raise BadInput for a skill in the place of the action that is done with it."""
    me = fight.person(next_combatant(fight.state))
    if me is None or word not in me.faculties.codes or not fight.ruleset.edition.counts_actions:
        return
    rows = fight.ruleset.tables.rd6_actions
    action = next((name for name, row in rows.items() if word in row.skills), "shoot")
    raise BadInput(f"{word} is a skill of {me.name}. Name the action first: {action} NAME {word} v10.", wrong=word)


def check_advice(fight: LineContext, word: str, who: str = "") -> None:
    """Raise BadInput with advice for a word that could be several orders, or none."""
    if advice := advice_on(fight, word):
        raise BadInput(advice.format(who=who or "NAME", move=f"{who} move".lstrip()), wrong=word)


def advice_on(fight: LineContext, word: str) -> str:
    """Return the advice for a word that could be several orders, or none; "" if there is no advice."""
    advice = {**ADVICE[""], **ADVICE["actions" if fight.ruleset.edition.counts_actions else "points"]}
    return next((advice[form] for form in sorted(word_forms(word)) if form in advice), "")
