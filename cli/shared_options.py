"""Options that many commands share, their types, and the decorators that declare commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from cli.param_types import IntRange, PairParam, ViewParam
from cli.session import Session

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]


def house_rule(description: str) -> Decorator:
    """Return the option `--set OPTION=READING`, which may be given several times."""
    return click.option(
        "--set",
        "house_rules",
        type=PairParam("=", "OPTION", "READING"),
        multiple=True,
        metavar="OPTION=READING",
        help=description,
        callback=lambda _ctx, _param, values: read_once(values),
        shell_complete=complete_reading,
    )


def read_once(values: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Return the options with their readings; raise a usage error for one that is given twice."""
    names = [name for name, _ in values]
    for name in names:
        if names.count(name) > 1:
            raise click.UsageError(f"--set {name}=… is given twice. Give it once.")
    return values


def session_option(*declarations: str, into: str, own: bool = False, **attrs: Any) -> Decorator:
    """Return an option that the session stores, so that it may stand before or after the command's name.

    With `own` it is listed in help with the options of the command itself.
    """

    def keep(ctx: click.Context, _param: click.Parameter, value: Any) -> None:
        session = ctx.find_object(Session)
        if session is not None and value is not None and value is not False:
            setattr(session, into, value)

    return click.option(
        *declarations, f"{'own' if own else 'remember'}_{into}", expose_value=False, callback=keep, **attrs
    )


def compose(*decorators: Decorator) -> Decorator:
    """Return several decorators as one; help lists them in this order."""

    def apply(function: Function) -> Function:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return apply


def preview_options(look: str, *, own: bool) -> Decorator:
    """Return the options to preview a change of the past and to confirm it; an action has them for --after."""
    phrase = str.capitalize if own else "With --after: {}".format
    exactly = phrase("do exactly what the preview with this VERSION:DIGEST showed, or nothing.")
    return compose(
        session_option("--preview", into="previews", own=own, is_flag=True, help=phrase(look)),
        session_option("--expect", into="expect", own=own, metavar="VERSION:DIGEST", help=exactly),
        session_option(
            "--yes",
            into="yes",
            own=own,
            is_flag=True,
            help=f"Do not ask, even if it changes later rulings{'' if own else ' or ends a turn early'}.",
        ),
    )


def turn_policy_option(*, own: bool) -> Decorator:
    """Return the option that judges later rulings by the turn order alone; an action has it for --after."""
    template = "{}" if own else "With --after: {}"
    words = template.format("let no missed turn pass: rulings out of turn become void.")
    return session_option("--strict", into="strict", own=own, is_flag=True, help=words[0].upper() + words[1:])


def complete_encounter(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the encounters of the store that begin with that text."""
    from cli.completion import encounters

    return encounters(ctx, incomplete)


def complete_combatant(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the combatants of the encounter that begin with that text."""
    from cli.completion import combatants

    return combatants(ctx, incomplete)


def complete_thing(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the weapons and other things in the encounter that begin with that text."""
    from cli.completion import things

    return things(ctx, incomplete)


def complete_reading(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the options that begin with that text, and after `=` their readings."""
    from cli.completion import readings

    return readings(incomplete)


def complete_preset(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the presets that begin with that text."""
    from cli.completion import presets

    return presets(incomplete)


_STORE = session_option(
    "--store", into="store", metavar="PATH", help="The file that holds the log (MAM_STORE; mam.db)."
)
_ENCOUNTER = session_option(
    "-e",
    "--encounter",
    into="encounter_name",
    metavar="NAME",
    shell_complete=complete_encounter,
    help="The encounter (MAM_ENCOUNTER; the open one last played).",
)
_BY = session_option("--by", into="by", metavar="NAME", help="Who gives the order, kept with the ruling (MAM_BY).")
_VIEW = session_option("--as", into="view", type=ViewParam(), help="Who looks: gm (default), public, or a side.")
_JSON = session_option("--json", into="json", is_flag=True, help="Print JSON, one object per line.")
_QUIET = session_option("-q", "--quiet", into="quiet", is_flag=True, help="Print no hints.")
_COMMAND_ID = session_option(
    "--command-id",
    into="command_id",
    metavar="ID",
    help="An id for this order. Sent again, it is answered but not written twice.",
)
_EXPECTED = session_option(
    "--expect-version",
    into="expected",
    type=IntRange(),
    metavar="N",
    help="Refuse (exit 3) unless ruling N is the newest, not counting remarks.",
)
_AFTER = session_option(
    "--after", into="after", type=IntRange(1), metavar="N", help="Insert the action into the past, after ruling N."
)
_VISIBILITY = session_option(
    "--visibility", into="visibility", type=ViewParam(), help="Who may see it: public (default), gm, or a side."
)

gm_modifier_options: Decorator = session_option(
    "--situation",
    into="situation",
    own=True,
    multiple=True,
    metavar="[COMBATANT] NUMBER WHY",
    help='A modifier by the game master for this ("+2 outreached") or another roll ("clone -1 smoke"). Repeatable.',
)
"""For an order that leads to a roll."""


resolve_options: Decorator = session_option(
    "--dice",
    into="dice",
    own=True,
    metavar="FACE,…",
    help="Resolve the exchange with these faces (attack, defense, interference, armor), unless somebody may react.",
)
"""The option of an order after which its exchange may be resolved at once."""


def _hide(ctx: click.Context, _param: click.Parameter, value: object) -> None:
    session = ctx.find_object(Session)
    if value and session is not None:
        session.visibility = "gm"


_HIDDEN = click.option(
    "--hidden", is_flag=True, expose_value=False, callback=_hide, help="Only the game master may see it."
)

global_options: Decorator = compose(_STORE, _ENCOUNTER, _BY, _VIEW, _JSON, _QUIET)
"""Options that may stand before any command."""

store_options: Decorator = compose(_STORE, _JSON, _QUIET)
"""Options of a command about the store, after its name."""

list_command_options: Decorator = compose(_VIEW, store_options)
"""Options of a command that lists what the store holds, after its name."""

view_command_options: Decorator = compose(_ENCOUNTER, _VIEW, store_options)
"""Options of a command that shows something, after its name."""

write_command_options: Decorator = compose(_ENCOUNTER, _BY, _VIEW, _COMMAND_ID, _EXPECTED, store_options)
"""Options of a command that writes a ruling, after its name."""

token_command_options: Decorator = compose(_ENCOUNTER, _BY, store_options)
"""Options of a command that lets somebody in, after its name."""

order_command_options: Decorator = compose(
    _AFTER,
    preview_options("only show what it would do to later rulings.", own=False),
    turn_policy_option(own=False),
    _VISIBILITY,
    _HIDDEN,
    write_command_options,
)
"""Options of a command of the fight, after its name."""

correction_command_options: Decorator = compose(
    click.option("--reason", default="", metavar="TEXT", help="The reason, kept in the log."),
    preview_options("only show what it would do, and the --expect to do exactly this.", own=True),
    turn_policy_option(own=True),
)
"""The options of undo, redo and amend."""

visibility_options: Decorator = compose(_VISIBILITY, _HIDDEN)
"""The visibility of what is written."""

open_command_options: Decorator = compose(_BY, _VIEW, store_options)
"""Options of a command that begins an encounter, after its name."""

command_id_option: Decorator = compose(_COMMAND_ID)
"""For an order that may be sent again."""

moment_option: Decorator = compose(
    click.option("--at", "moment", metavar="N|round:N", help="As the fight stood after ruling N, or after round N."),
    click.option(
        "--as-of",
        type=IntRange(1),
        metavar="N",
        help="As the log was when ruling N was the newest, without later corrections.",
    ),
)
"""The two time axes of everything that shows the past."""
