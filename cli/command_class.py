"""The classes of commands and groups: each option once, help with examples, orders as they were typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from cli.output.shell_wrap import ready_to_copy
from cli.registry import COMMANDS_BY_NAME


class BaseCommand(click.Command):
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
    values: set[str | None] = set()
    for param in called.make_parser(ctx).parse_args([*args])[2]:
        if not isinstance(param, click.Option) or param.multiple or (param.is_flag and not param.secondary_opts):
            continue
        if param.name in values:
            raise click.UsageError(f"{max(param.opts, key=len)} is given twice. Give it once.")
        values.add(param.name)


class MissingArgument(click.UsageError):
    """A usage error for a missing argument; `next` is the complete command to type, or "" if it is unknown."""

    def __init__(self, message: str, next: str) -> None:  # noqa: A002 - `next` is what `failure_of` reads
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
    name, command, rest = main.resolve_command(context.parent, list(words))
    assert command is not None  # noqa: S101 - an unknown one has raised already
    with command.make_context(name, rest, parent=context.parent) as inner:
        command.invoke(inner)


def is_shared(param: click.Parameter) -> bool:
    """Return True if many commands share the parameter."""
    return not param.expose_value and not (param.name or "").startswith("own_")


def write_orders(formatter: click.HelpFormatter, orders: Sequence[str]) -> None:
    """Write the orders of an example, each on a line of its own that is folded so that it can still be copied."""
    rows = (row for order in orders for row in ready_to_copy(f"  {order}", formatter.width))
    formatter.write("".join(f"{row}\n" for row in rows))


class CommandGroup(BaseCommand, click.Group):
    """A command that does something by itself and has subcommands."""

    def __init__(self, *args: Any, **attrs: Any) -> None:
        super().__init__(*args, invoke_without_command=True, **attrs)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, then the subcommands."""
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)


def command_decorator(name: str, *example: str, **settings: Any) -> Callable[[Callable[..., None]], BaseCommand]:
    """Declare a command of the registry with settings for click's parser; its docstring is its help."""
    short = COMMANDS_BY_NAME[name].short if name in COMMANDS_BY_NAME else None
    return click.command(name, cls=BaseCommand, example=example, short_help=short, context_settings=settings)
