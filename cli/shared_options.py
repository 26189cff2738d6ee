"""Options that many commands share, their types, and the decorators that declare commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from cli.output.shell_wrap import ready_to_copy
from cli.registry import COMMANDS_BY_NAME
from cli.session import Session

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]


class Command(click.Command):
    """A command whose help shows its own options, then the shared ones, and ends in an example."""

    def __init__(self, *args: Any, example: Sequence[str] = (), **attrs: Any) -> None:
        super().__init__(*args, **attrs)
        self.example = tuple(example)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; a usage error gets the context of its command, which click's parser leaves out."""
        try:
            if not ctx.resilient_parsing:
                check_once(self, ctx, args)
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command's own options, then the shared ones."""
        sections: dict[str, list[tuple[str, str]]] = {"Options": [], "Shared options": []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if isinstance(param, click.Option) and record is not None:
                sections["Shared options" if is_shared(param) else "Options"].append(record)
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write the example, line by line."""
        with formatter.section("Example" if len(self.example) == 1 else "Examples"):
            write_orders(formatter, self.example)


def check_once(called: click.Command, ctx: click.Context, args: Sequence[str]) -> None:
    """Raise a usage error for an option that is given twice, because click would use the last one."""
    seen: set[str | None] = set()
    for param in called.make_parser(ctx).parse_args([*args])[2]:
        if not isinstance(param, click.Option) or param.multiple or (param.is_flag and not param.secondary_opts):
            continue
        if param.name in seen:
            raise click.UsageError(f"{max(param.opts, key=len)} is given twice. Give it once.")
        seen.add(param.name)


class MissingArgument(click.UsageError):
    """A usage error for a missing argument; `next` is the complete command to type, or "" if it is unknown."""

    def __init__(self, message: str, next: str) -> None:  # noqa: A002 - as whoever prints the error asks for it
        super().__init__(message)
        self.next = next


def run_order(words: Sequence[str]) -> None:
    """Run the order in those words as if it had been typed in place of this command; raise a usage error otherwise."""
    from cli.orders.syntax import COMMAND_ALIASES
    from mam_events.commands import COMMANDS

    orders = [COMMAND_ALIASES.get(do, do) for do in COMMANDS if do != "open"]
    if words[0] not in orders:
        raise click.exceptions.NoSuchCommand(words[0], possibilities=orders, ctx=click.get_current_context())
    context = click.get_current_context()
    assert context.parent is not None  # noqa: S101 - it is a command of `mam`
    main = context.parent.command
    assert isinstance(main, click.Group)  # noqa: S101 - as above
    name, asked, rest = main.resolve_command(context.parent, list(words))
    assert asked is not None  # noqa: S101 - an unknown one has been told
    with asked.make_context(name, rest, parent=context.parent) as inner:
        asked.invoke(inner)


def is_shared(param: click.Parameter) -> bool:
    """Return True if many commands share the parameter."""
    return not param.expose_value and not (param.name or "").startswith("own_")


def write_orders(formatter: click.HelpFormatter, orders: Sequence[str]) -> None:
    """Write the orders of an example, each on a line of its own that is folded so that it can still be copied."""
    rows = (row for order in orders for row in ready_to_copy(f"  {order}", formatter.width))
    formatter.write("".join(f"{row}\n" for row in rows))


class CommandGroup(Command, click.Group):
    """A command that does something by itself and has subcommands."""

    def __init__(self, *args: Any, **attrs: Any) -> None:
        super().__init__(*args, invoke_without_command=True, **attrs)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, then the subcommands."""
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)


def command_decorator(name: str, *example: str, **settings: Any) -> Callable[[Callable[..., None]], Command]:
    """Declare a command of the registry with settings for click's parser; its docstring is its help."""
    short = COMMANDS_BY_NAME[name].short if name in COMMANDS_BY_NAME else None
    return click.command(name, cls=Command, example=example, short_help=short, context_settings=settings)


class IntRange(click.ParamType[int]):
    """A whole number of at least `low` (None: any)."""

    name = "number"

    def __init__(self, low: int | None = 0) -> None:
        self.low = low

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number; raise a usage error for a fraction, a word or a number below the minimum."""
        if isinstance(value, int):
            return value
        # The log writes a ruling as #17, and so may whoever names it.
        text = str(value).removeprefix("#")
        if re.fullmatch(r"[+-]?[0-9]{10,}", text):
            self.fail(f"must be a whole number of nine digits at most, not {str(value)!r}.", param, ctx)
        if not re.fullmatch(r"[+-]?[0-9]{1,9}", text) or (self.low is not None and int(text) < self.low):
            least = "" if self.low is None else f" of {self.low} or more"
            self.fail(f"must be a whole number{least}, not {str(value)!r}.", param, ctx)
        return int(text)


class OneOf(click.Choice[str]):
    """One of several words; for outcomes, also their synonyms."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the meant choice; raise a usage error with all choices for any other word."""
        from mam_events.values import outcome_meant

        said = value if value in self.choices else outcome_meant(str(value), tuple(self.choices)) or value
        return super().convert(said, param, ctx)


class Pair(click.ParamType[tuple[str, ...]]):
    """Parts joined by one sign: `modre=4`, `clone:ready:stun:2`."""

    name = "text"

    def __init__(self, sign: str, *parts: str) -> None:
        self.sign = sign
        self.parts = parts

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """Return the parts; raise a usage error for a different number of parts."""
        if isinstance(value, tuple):
            return value
        parts = tuple(str(value).split(self.sign))
        if len(parts) != len(self.parts) or not all(parts):
            self.fail(f"must be {self.sign.join(self.parts)}, not {value!r}.", param, ctx)
        return parts


def house_rule(told: str) -> Decorator:
    """Return the option `--set OPTION=READING`, which may be given several times."""
    return click.option(
        "--set",
        "house_rules",
        type=Pair("=", "OPTION", "READING"),
        multiple=True,
        metavar="OPTION=READING",
        help=told,
        callback=lambda _ctx, _param, given: read_once(given),
        shell_complete=complete_reading,
    )


def read_once(given: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Return the options with their readings; raise a usage error for one that is given twice."""
    names = [name for name, _ in given]
    for name in names:
        if names.count(name) > 1:
            raise click.UsageError(f"--set {name}=… is given twice. Give it once.")
    return given


class View(click.ParamType[str]):
    """A view: `gm`, `public`, or a side, with or without `side:` before it."""

    name = "view"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the view in full: `side:modre` for `modre`."""
        if value in ("gm", "public"):
            return str(value)
        if not re.fullmatch(r"(side:)?[a-z0-9][a-z0-9_-]*", str(value)):
            self.fail(f"must be gm, public or the lower-case name of a side, not {value!r}.", param, ctx)
        return f"side:{str(value).removeprefix('side:')}"


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
    told = str.capitalize if own else "With --after: {}".format
    exactly = told("do exactly what that preview showed, or nothing.")
    return compose(
        session_option("--preview", into="previews", own=own, is_flag=True, help=told(look)),
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
    told = "{}" if own else "With --after: {}"
    words = told.format("let no missed turn pass: rulings out of turn become void.")
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


actor_option: Decorator = click.argument(
    "combatant",
    required=False,
    shell_complete=complete_combatant,
    help="Who does it (the one whose turn it is, if left out).",
)
"""The combatant of an order in its own turn."""

points_option: Decorator = click.option(
    "--points", type=IntRange(), metavar="POINTS", help="Ready points it costs (1)."
)
"""The points of an action that has a price of its own."""

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
_VIEW = session_option("--as", into="view", type=View(), help="Who looks: gm (default), public, or a side.")
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
    "--visibility", into="visibility", type=View(), help="Who may see it: public (default), gm, or a side."
)

gm_modifier_options: Decorator = session_option(
    "--situation",
    into="situation",
    own=True,
    multiple=True,
    metavar="[COMBATANT] NUMBER WHY",
    help='What the game master adds to the roll: "+2 outreached"; to another\'s: "clone -1 smoke". Repeatable.',
)
"""For an order that leads to a roll."""


resolve_options: Decorator = session_option(
    "--dice",
    into="dice",
    own=True,
    metavar="FACE,…",
    help="Resolve it with these faces (attack, defense, interference, armor), unless somebody may react first.",
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
    click.option("--reason", default="", metavar="TEXT", help="The reason; it is kept in the log."),
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
