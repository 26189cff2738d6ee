"""Names that a shell can complete: encounters of the store, combatants of the fight. Silent whatever goes wrong."""

from __future__ import annotations

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
    return _items(names, incomplete)


def combatants(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """The combatants of the encounter that begin so, as far as the view may know of them."""
    session = _quiet(ctx)
    names: list[str] = []
    with suppress(Exception), session:
        names = [combatant.id for combatant in session.screen().combatants(session.timeline().state)]
    return _items(names, incomplete)


def _quiet(ctx: click.Context) -> Session:
    session = ctx.find_object(Session) or Session()
    session.quiet = True
    return session


def _items(names: list[str], incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in names if name.startswith(incomplete)]
