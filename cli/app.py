"""The `mam` command group: it imports a command when it is called, and turns errors into exit codes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, NoReturn

import click

from cli.command_class import check_once, write_orders
from cli.exit_codes import ABORTED
from cli.registry import COMMANDS_BY_NAME, SECTIONS
from cli.session import Session
from cli.shared_options import global_options
from cli.streams import handle_broken_pipe, replace_closed_streams

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

MIN_PREFIX = 2
"""The minimum number of letters of a shortened command."""
EPILOG = """\
Everything is kept in one file: --store, else MAM_STORE, else mam.db here. The encounter is -e, else MAM_ENCOUNTER, else
the open one that was last played. These options may stand before any command, and after one that uses them. Points and
hit points are whole numbers, distances are metres. Colours are off with NO_COLOR and in a pipe.

Exit codes: 0 done, 1 refused by the rules, 2 wrong usage or unreadable input, 3 the log has moved on, 4 not found,
5 verification failed, 6 store unusable, 70 a fault of mam itself, 74 what was done could not be printed, 130 aborted,
141 the reader of a pipe went away.
"""
EXAMPLES = (
    "mam new duel",
    "mam join modre --hp 6 --weapon id=ice-blade,power=3,attack=1,sharpness=-2,reach=1",
    "mam join clone --hp 6",
    "mam initiative",
    "mam begin-turn",
    "mam attack modre clone --weapon ice-blade --power 4 --modifier 2",
    "mam defend clone 6",
    "mam resolve 2 1",
    "mam undo",
)


class Mam(click.Group):
    """The group of all commands, and the only place where errors become exit codes."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options before the name of a command; raise a usage error for one that is given twice."""
        if not ctx.resilient_parsing:
            check_once(self, ctx, args)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of all commands, in the order of the help page."""
        return list(COMMANDS_BY_NAME)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        """Import and return the command with that name, or None if there is none."""
        entry = COMMANDS_BY_NAME.get(cmd_name)
        if entry is None:
            return None
        module = import_module(f"cli.{entry.module}")
        command: click.Command = getattr(module, attribute(cmd_name), None) or module.command_of(cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of the first argument, which may be shortened to a unique prefix.

        Raises NoSuchCommand, with the nearest names, for an unknown one.
        """
        if args[0] not in COMMANDS_BY_NAME and not ctx.resilient_parsing:
            args = _uncut(args)
        if args[0] not in COMMANDS_BY_NAME and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise click.exceptions.NoSuchCommand(args[0], possibilities=COMMANDS_BY_NAME, ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        """Write the commands by section, without importing them."""
        width = max(map(len, COMMANDS_BY_NAME))
        for section, commands in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(name.ljust(width), entry.short) for name, entry in commands.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        """Write an example fight, then the notes that apply to all commands."""
        with formatter.section("Example"):
            write_orders(formatter, EXAMPLES)
        for paragraph in EPILOG.split("\n\n"):
            formatter.write_paragraph()
            formatter.write_text(paragraph)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the completions of a command name, without importing the commands."""
        from click.shell_completion import CompletionItem

        items = [
            CompletionItem(n, help=entry.short) for n, entry in COMMANDS_BY_NAME.items() if n.startswith(incomplete)
        ]
        return items + click.Command.shell_complete(self, ctx, incomplete)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Parse the options before the command; `--help` is printed here."""
        with handle_broken_pipe():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> None:
        """Run the command, and flush all its output."""
        with handle_broken_pipe():
            super().invoke(ctx)
            sys.stdout.flush()

    def main(  # type: ignore[override]  # click returns a value outside standalone mode, which nothing here uses
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        parent: Session | None = None,
        **extra: Any,
    ) -> NoReturn:
        """Run one command line and exit with its code; no error is shown as a traceback.

        With a parent session, the command uses the log that this session holds open.
        """
        arguments = list(sys.argv[1:] if args is None else args)
        session = Session(parent)
        session.arguments = arguments
        replace_closed_streams()
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                # Print `?` for characters that the terminal's encoding lacks, rather than fail.
                stream.reconfigure(errors="replace")
        with session:
            try:
                extra |= {"obj": session, "standalone_mode": False}
                result = super().main(arguments, prog_name or "mam", **extra)
                code = result if isinstance(result, int) else 0
            except KeyboardInterrupt:
                code = ABORTED
            except Exception as error:  # noqa: BLE001 - the last line of defense: a person never sees a traceback
                from cli.errors import report_failure

                code = report_failure(error, session, as_json=session.json or "--json" in arguments)
        sys.exit(code)


def _uncut(args: list[str]) -> list[str]:
    """Return the arguments with a shortened command completed; a synonym of another command is left as it is."""
    from cli.hints.synonyms import COMMAND_SYNONYMS

    begun = [name for name in COMMANDS_BY_NAME if name.startswith(args[0])]
    word = len(args[0]) < MIN_PREFIX or args[0] in COMMAND_SYNONYMS or "-".join(args[:2]) in COMMANDS_BY_NAME
    return args if word or len(begun) != 1 else [*begun, *args[1:]]


def attribute(name: str) -> str:
    """Return the Python name of a command: `begin_turn`, or `import_` where the name is reserved or built in."""
    name = name.replace("-", "_")
    return f"{name}_" if name in ("import", "help", "next", "round") else name


@click.group("mam", cls=Mam, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="mam-events", prog_name="mam")
@global_options
def main() -> None:
    """Keep a combat log for Mano a Mano fights: every action is a ruling, and every ruling can be undone."""


if __name__ == "__main__":
    main()
