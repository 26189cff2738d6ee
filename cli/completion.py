"""Names that a shell can complete: encounters, combatants, presets. Silent whatever goes wrong."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from cli.session import Session

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem


def encounters(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """The encounters of the store that begin so."""
    session = _quiet(ctx)
    names: list[str] = []
    with suppress(Exception), session:
        names = session.log().encounters()
    return items(names, incomplete)


def combatants(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """The combatants of the encounter that begin so, as far as the view may know of them."""
    session = _quiet(ctx)
    names: list[str] = []
    with suppress(Exception), session:
        names = [combatant.id for combatant in session.screen().combatants(session.timeline().state)]
    return items(names, incomplete)


def _quiet(ctx: click.Context) -> Session:
    session = ctx.find_object(Session) or Session()
    session.quiet = True
    return session


def presets(incomplete: str) -> list[CompletionItem]:
    """The presets that begin so."""
    from mam_events.rules.rulebook import rulebook

    return items(rulebook().presets, incomplete)


def items(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """Those of the names that begin so."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in names if name.startswith(incomplete)]
