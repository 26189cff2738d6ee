"""The help of the table, and the explanations of words with a question mark."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

import click
from msgspec import to_builtins

from cli.output import render
from cli.shell.glossary import AS_IN, EditionName, entry_text, find_entry, is_missing_in
from mam_events.errors import MamError
from mam_events.field_specs import field_specs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cli.session import Session
    from mam_events.state import Combatant


class Shell(Protocol):
    """A shell as the help needs it: `TableWords` is one."""

    session: Session

    def look(self, words: list[str]) -> bool:
        """Print what a command of these words shows."""

    def is_table_word(self, word: str) -> bool:
        """Return whether a line may begin with that word."""


ATTACK_HELP = (("a clone p4 m2", "attack; d 6 defends, 2 1 are the dice, c p2 m1 strikes back"),)
"""The help of attacks where points are spent."""
ACTION_HELP = (
    ("rook 2", "begins a turn with two actions; slash thug, shoot thug are actions"),
    ("r success", "gives its result; interrupt dodge comes before that, w waits"),
    ("ro", "rolls initiative, or begins the next round"),
)
"""The help of turns in which actions are counted."""
HELP = (
    ("flee bo", "leaves the fight; also bandits flee, and flee alone for the one who acts"),
    ("n", "ends the turn and begins the next one; a name alone begins; . ends"),
    ("Enter", "uses dice typed too early, or draws dice after it asked; else shows the fight"),
    ("u, undo, redo", "undo the last line, and redo it; also u 17"),
    ("amend 17 5", "changes ruling 17; after 13 draw inserts, after 13 rat: a p2; r a whole turn"),
    ("dispute 47 why", "disputes ruling 47; rule-on 48 uphold decides; also note the lamp goes out"),
    ("status, log, odds", "show the fight; also options, explain 17, rule parry, find saddle"),
    ("new TITLE PRESET", "begins a fight; join NAME hp=6 … brings somebody in; fight ID goes to another"),
    (
        "new ID from=FIGHT",
        "goes on from that fight, everybody with their wounds; from=FILE takes everybody from a file",
    ),
    ("dice ask", "never draws a die; dice draw asks, and draws dice that are not typed"),
    ("nobody interferes", "lines no longer stop for interference; anybody interferes: they do"),
    ("? WORD", "explains it, with its rule; WORD? in a line asks too, and Enter then does nothing"),
    ("F2, Tab", "F2 picks a ruling; Tab completes; Ctrl-C drops the line, Ctrl-D (or quit) leaves"),
    ("▸ + · ✗", "in the bar: acts, is next, has had their turn, cannot act"),
)
"""The help of every table: what is typed, and what it does."""
POOL_HELP = (("R D O S X", "ready, defense, other used, stun, damage"),)
OTHER_HELP = (("H S X", "in the bar: hit points that are left, stun, damage"),)


def help_of(session: Session) -> tuple[tuple[str, str], ...]:
    """Return the help of the table for the edition of the fight; all of it if there is no fight."""
    from projections.state.pools import spends_points

    try:
        state = session.timeline().state
    except MamError:
        return (*ATTACK_HELP, *ACTION_HELP, *HELP, *POOL_HELP, *OTHER_HELP)
    if session.counts_actions():
        return (*ACTION_HELP, *HELP)
    return (*ATTACK_HELP, *HELP, *(POOL_HELP if spends_points(state) else OTHER_HELP))


def explain(shell: Shell, word: str) -> None:
    """Explain a word: a combatant or their things, a term of the table, a word of the log, an order, a rule."""
    low = word.strip('"').lower()
    people = _people(shell.session)
    if not low:
        click.echo("Type orders as short as you can, dice last. A full stop ends the turn:")
    if low in people:
        shell.look(["blame", low])
    elif low.isdecimal():
        shell.look(["explain", low])
    else:
        owned = _explain_owned(people.values(), low)
        _explain_word(shell, low, is_explained=owned)


def _explain_word(shell: Shell, low: str, *, is_explained: bool) -> None:
    """Explain a word that names no combatant; if it `is_explained` already, don't search the rules."""
    from mam_events.commands import COMMANDS
    from mam_events.notation.grammar.vocabulary import LOG_KEYWORDS

    edition = _edition(shell.session)
    if entry_name := find_entry(low):
        for sentence in entry_text(entry_name, edition):
            render.line(sentence, indent=2)
        if is_missing_in(entry_name, edition):
            return
    if own := LOG_KEYWORDS.get(low):
        render.line(f"{own.word}: {own.description}", indent=2)
        render.line(f"  as in: {', '.join(own.examples)}", indent=9)
        return
    do = _order_called(entry_name or low)
    rows = [
        line
        for line in help_of(shell.session)
        if not low or low in _words(line[0]) or (shell.is_table_word(low) and low in _words(line[1]))
    ]
    if do in COMMANDS:
        _explain_order(do, edition)
    elif rows and not entry_name:
        for word, does in rows:
            render.line(f"  {word:18} {does}", indent=21)
        return
    is_explained = is_explained or bool(entry_name) or do in COMMANDS
    if (do in (low, entry_name) or do not in COMMANDS) and (not is_explained or _is_in_rules(shell.session, do)):
        shell.look(["rule", do])


def _order_called(word: str) -> str:
    """Return the order that a word stands for, or the word itself."""
    from mam_events.commands import COMMANDS
    from mam_events.notation.grammar.vocabulary import OTHER_WORDS, SYNONYMS
    from mam_events.rules.rulebook import rulebook

    if word == "house rule":
        return "change-rules"
    do = (SYNONYMS.get(word) or OTHER_WORDS.get(word) or (word,))[0]
    return "perform" if do in rulebook().tables.rd6_actions and do not in COMMANDS else do


def _people(session: Session) -> Mapping[str, Combatant]:
    """Return the combatants in the fight; none if there is no fight."""
    with suppress(MamError):
        return session.timeline().state.combatants
    return {}


def _is_in_rules(session: Session, word: str) -> bool:
    """Return True if a rule of the edition that is played mentions the word."""
    from cli.commands.rules.rule_text import find_rule_ids, of_edition
    from mam_events.rules.rulebook import rulebook

    return bool(of_edition(session, list(find_rule_ids(word, rulebook()))))


def _explain_owned(people: Iterable[Combatant], word: str) -> bool:
    """Explain the things with that id and whose they are; return False if nobody has any."""
    is_explained = False
    for one in people:
        for owned in one.things:
            if owned.id != word:
                continue
            is_explained = True
            facts = {name: value for name, value in to_builtins(owned).items() if name not in _NOT_TOLD}
            where = "in hand" if any(weapon.id == owned.id for weapon in one.in_hand) else "not in hand"
            text = ", ".join([*(f"{name} {value}" for name, value in facts.items()), where])
            render.line(
                f"{owned.name or owned.id} of {one.name}: {text}. Type ? {one.id} for everything about {one.name}.",
                indent=2,
            )
    return is_explained


_NOT_TOLD = ("id", "name", "readied", "attached")


def _edition(session: Session) -> EditionName | None:
    """Return the edition of the current fight; None if there is none."""
    from projections.state.pools import spends_points

    try:
        state = session.timeline().state
    except MamError:
        return None
    if state.ruleset is None:
        return None
    if session.counts_actions():
        return "actions"
    return "pools" if spends_points(state) else "speed"


def expand_last_word(session: Session, text: str, word: str) -> str:
    """Return the full form of the last word of the text, which may be shortened or a letter, if it can be found."""
    from mam_events.notation.author import GM_AUTHOR
    from mam_events.notation.context import ResolvedOrder
    from mam_events.notation.lexer.lexer import orders_in
    from mam_events.notation.orders.resolver import resolve_order

    if find_entry(word):
        return word
    try:
        timeline = session.timeline()
    except MamError:
        return word
    if not timeline.state.ruleset:
        return word
    fight = GM_AUTHOR.fight(timeline, timeline.state, session.log().rules)
    with suppress(MamError):
        order = resolve_order(fight, orders_in(text.rpartition(";")[2])[0])
        if isinstance(order, ResolvedOrder) and len(text.split()) == 1:
            return order.do
    with suppress(MamError):
        sole_order = resolve_order(fight, orders_in(word)[0])
        return sole_order.do if isinstance(sole_order, ResolvedOrder) else sole_order.combatant
    return word


def _words(text: str) -> list[str]:
    """Return the words of a line of the help, in lower case."""
    return re.findall(r"[a-z0-9>-]+", text.lower())


def _explain_order(do: str, edition: EditionName | None) -> None:
    """Explain an order and its fields, as it is typed here."""
    from mam_events.commands import COMMANDS
    from mam_events.notation.grammar.positional_fields import slots_of
    from mam_events.notation.grammar.vocabulary import ORDER_LETTERS, SYNONYMS

    description = " ".join((COMMANDS[do].__doc__ or "").split())
    letters = [word for word, orders in SYNONYMS.items() if do in orders]
    also = f" ({', '.join(letters)})" if letters else ""
    render.line(f"{do}{also}: {description}", indent=2)
    specs = field_specs(COMMANDS[do])
    by_letter = {name: letter for letter, names in ORDER_LETTERS.items() for name in names}
    fields = [f"{by_letter[name]}N {name}" if name in by_letter else f"{name}=" for name in specs]
    bare = " ".join(slots_of(do))
    for example in AS_IN.get(do, {}).get(edition or "pools", ()):
        render.line(f"  as in: {example}", indent=9)
    render.line(f"  after it, in this order: {bare or 'nothing'}; by name: {', '.join(fields)}", indent=8)
