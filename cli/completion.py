"""Shell completions: encounters, combatants and their things, presets, options and readings, lines.

An error never shows: it gives no completions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from cli.session import Session

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem


def encounters(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """Return the encounters of the store that begin with that text."""
    session = _quiet(ctx)
    names: list[str] = []
    with suppress(Exception), session:
        names = session.log().encounters()
    return items(names, incomplete)


def combatants(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """Return the combatants of the encounter that begin with that text, as far as the view may know of them."""
    session = _quiet(ctx)
    names: list[str] = []
    with suppress(Exception), session:
        names = [combatant.id for combatant in session.redactor().combatants(session.timeline().state)]
    return items(names, incomplete)


def things(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """Return the weapons and other things that begin with that text, as far as the view may know of them."""
    session = _quiet(ctx)
    names: dict[str, None] = {}
    with suppress(Exception), session:
        people = session.redactor().combatants(session.timeline().state)
        names = {thing.id: None for combatant in people for thing in combatant.things}
    return items(names, incomplete)


def readings(incomplete: str) -> list[CompletionItem]:
    """Return the options that begin with that text, each with `=`; after the `=`, the readings of that option."""
    from mam_events.rules.rulebook import rulebook

    name, sign, _ = incomplete.partition("=")
    options = rulebook().options
    if not sign:
        return items((f"{one}=" for one in options), incomplete)
    return items((f"{name}={reading}" for reading in options[name].readings) if name in options else (), incomplete)


def line_words(ctx: click.Context, words: Sequence[str], incomplete: str) -> list[CompletionItem]:
    """Return the legal words that can continue a line now."""
    from click.shell_completion import CompletionItem

    session = _quiet(ctx)
    with suppress(Exception), session:
        from mam_events.history.timeline.moments import state_at
        from mam_events.notation.completion import continuations

        timeline, rules, author = session.timeline(), session.log().rules, session.line_author()
        if timeline.state.ruleset:
            suggestions = continuations(
                author.fight(timeline, timeline.state, rules),
                " ".join((*words, incomplete)),
                lambda number: author.fight(timeline, state_at(timeline, number), rules),
            )
            return [CompletionItem(one.word, help=one.description) for one in suggestions if not one.why_not]
    return []


def _quiet(ctx: click.Context) -> Session:
    session = ctx.find_object(Session) or Session()
    # Nothing may be printed, not even the encounter: it would appear in the line being typed.
    session.quiet = session.json = True
    return session


def presets(incomplete: str) -> list[CompletionItem]:
    """Return the presets that begin with that text."""
    from mam_events.rules.rulebook import rulebook

    return items(rulebook().presets, incomplete)


def items(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """Return those of the names that begin with that text, as completions."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in names if name.startswith(incomplete)]
