"""The generator of `docs/commands.md`, the reference of all commands; `make manual` writes it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from inspect import cleandoc
from pathlib import Path

import click

from cli.app import main
from cli.command_class import is_shared
from cli.commands.fight.join import PARTS, keys
from cli.registry import SECTIONS

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"
_HEAD = """\
# Every command

This page lists what each command takes, option by option, as `mam COMMAND --help` prints it. `make manual` generates it
from the commands themselves. [The command line](cli.md) describes what they are for, with examples. The fields of an
order have the names of its options, with `_` for `-`, in [fight files](fights.md) and in JSON (`mam schema`).
"""
_SHARED = """\
## Options that many commands share

`mam COMMAND --help` shows which of these options a command takes.
"""


def render_commands_page() -> str:
    """Return the page as the file must have it."""
    context = click.Context(main, info_name="mam")
    shared: dict[str, str] = {}
    parts = [_HEAD]
    for section, commands in SECTIONS.items():
        parts.append(f"## {section}\n")
        for name in commands:
            parts += _command_text(main.get_command(context, name), name, context, shared)
    return "\n".join([*parts, _SHARED, _table(shared.items())])


def _command_text(
    command: click.Command | None, name: str, parent: click.Context, shared: dict[str, str]
) -> Iterator[str]:
    """Yield the text of a command and its subcommands; options that many commands share are collected in `shared`."""
    assert command is not None  # noqa: S101 - the catalogue lists what there is
    context = click.Context(command, info_name=name, parent=parent)
    own: list[tuple[str, str]] = []
    for param in command.get_params(context):
        record = param.get_help_record(context)
        if record and not is_shared(param):
            own.append(record)
        elif record and "--help" not in param.opts:
            shared.setdefault(*record)
    yield f"### `{name}`\n" if parent.parent is None else f"#### `{parent.info_name} {name}`\n"
    yield f"`{context.command_path} {' '.join(command.collect_usage_pieces(context))}`\n"
    yield "\n\n".join(textwrap.fill(part, 124) for part in cleandoc(command.help or "").split("\n\n")) + "\n"
    if own:
        yield _table(own)
    if name == "join":
        for field, part in PARTS.items():
            yield f"#### `{field}` of a combatant\n"
            yield _table((key, description) for key, description in keys(part))
    for inner, subcommand in command.commands.items() if isinstance(command, click.Group) else ():
        yield from _command_text(subcommand, inner, context, shared)


def _table(records: Iterable[tuple[str, str]]) -> str:
    cells = (tuple(cell.replace("|", r"\|") for cell in record) for record in records)
    return "".join(["| | |\n|---|---|\n", *(f"| `{key}` | {description} |\n" for key, description in cells)])


if __name__ == "__main__":
    PAGE.write_text(render_commands_page(), encoding="utf-8")
