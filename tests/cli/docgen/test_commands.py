"""The help pages and docs/cli.md."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import click
import msgspec
import pytest

from cli.app import main
from cli.command_class import BaseCommand
from cli.docgen import permissions
from cli.docgen.commands import PAGE, render_commands_page
from cli.docgen.registry import FILE, render_registry
from cli.exit_codes import ABORTED, BROKEN, EXIT_CODES, READER_GONE, UNPRINTED
from cli.orders.syntax import COMMAND_ALIASES, format_order, order_syntax
from cli.registry import COMMANDS_BY_NAME, SECTIONS
from mam_events.commands import COMMANDS, Attack, Defend, Move, Ready
from mam_events.errors import MamError
from tests.cli.calls import Mam, as_typed

ROOT = Path(__file__).parents[3]
MANUAL = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
STORY = [line for block in re.findall(r"```sh\n(.*?)```", MANUAL, re.DOTALL) for line in block.strip().split("\n")]
CONTEXT = click.Context(main, info_name="mam")


def commands() -> Iterator[tuple[str, click.Command]]:
    for name in COMMANDS_BY_NAME:
        cli_command = main.get_command(CONTEXT, name)
        assert cli_command is not None
        if isinstance(cli_command, click.Group):
            yield from ((f"{name} {inner}", command) for inner, command in cli_command.commands.items())
        if isinstance(cli_command, BaseCommand):
            yield name, cli_command


@pytest.mark.slow
def test_the_examples_of_the_manual_work_in_their_order(mam: Mam, table: Path) -> None:
    party = re.search(r"```toml\n(.*?)```", MANUAL, re.DOTALL)
    assert party
    (table / "party.toml").write_text(party[1], encoding="utf-8")
    for line in STORY:
        program, *words = shlex.split(line)
        assert program == "mam"
        mam(*words)


def test_the_manual_has_commands_in_the_sections_of_the_help_page() -> None:
    for section, names in SECTIONS.items():
        part = MANUAL.split(f"\n## {section}\n")[1].split("\n## ")[0]
        headings = re.findall(r"^### `(.+)`$", part, re.MULTILINE)
        assert set(headings) <= set(names)
        for name in headings:
            assert re.search(rf"^mam {name}\b", part, re.MULTILINE), name
        # Orders that need no further explanation are only in the reference.
        assert set(names) - set(headings) <= set(COMMANDS)


def test_the_reference_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == render_commands_page(), "an order has changed: run make manual"
    page = permissions.PAGE.read_text(encoding="utf-8")
    assert page == permissions.with_table(page), "a field has another owner: run make manual"


def test_the_registry_file_is_current() -> None:
    assert FILE.read_text(encoding="utf-8") == render_registry(), "an order has changed: run make manual"


def test_every_order_of_the_engine_can_be_typed() -> None:
    assert set(COMMANDS) - set(COMMANDS_BY_NAME) - set(COMMAND_ALIASES) == {"open"}
    assert set(COMMAND_ALIASES.values()) <= {name for name, _ in commands()}


def test_the_registry_has_the_short_help_of_every_command() -> None:
    for name, topics in COMMANDS_BY_NAME.items():
        command = main.get_command(CONTEXT, name)
        assert command is not None
        assert command.name == name
        assert command.get_short_help_str() == topics.short
        assert topics.short.endswith(".")


def test_every_command_has_help_an_example_and_help_for_every_option() -> None:
    for name, command in commands():
        assert isinstance(command, BaseCommand), name
        assert command.help
        assert command.help.rstrip().endswith(".")
        assert command.example
        assert all(line.startswith(f"mam {name}") for line in command.example)
        for param in command.params:
            assert param.help, (name, param.name)
            assert param.help.endswith("."), (name, param.name)
        options = {param.name for param in command.params}
        assert {"remember_store", "remember_json", "remember_quiet"} <= options, name


def test_the_line_syntax_has_only_fields_that_the_command_has() -> None:
    for name, (bare_fields, option_fields) in {do: order_syntax(do) for do in COMMANDS if do != "open"}.items():
        command = dict(commands())[COMMAND_ALIASES.get(name, name)]
        arguments = [param for param in command.params if isinstance(param, click.Argument)]
        # `rules change` takes the readings and the reason as bare words.
        words = [] if name == "change-rules" else [(param.name or "").removeprefix("bare_") for param in arguments]
        options = {option for param in command.params if isinstance(param, click.Option) for option in param.opts}
        assert words == list(dict.fromkeys((*bare_fields, *COMMANDS[name].also_bare))), name
        assert set(option_fields.values()) <= options, name
        fields = {field.name for field in msgspec.structs.fields(COMMANDS[name])}
        assert {*bare_fields, *option_fields} <= fields, name


def words_of(hint: Any) -> set[str]:
    """Return the words that a field, or each of its items, may hold.

    The empty word stands for a field that is left out and isn't returned.
    """
    if get_origin(hint) is Literal:
        return set(get_args(hint)) - {""}
    return {word for inner in get_args(hint) for word in words_of(inner)}


def test_an_option_offers_the_choices_of_its_field() -> None:
    count = 0
    for name, (bare_fields, option_fields) in {do: order_syntax(do) for do in COMMANDS if do != "open"}.items():
        hints = get_type_hints(COMMANDS[name])
        params = {
            opt: param for param in dict(commands())[COMMAND_ALIASES.get(name, name)].params for opt in param.opts
        }
        for field, typed_as in [
            *option_fields.items(),
            *((field, field) for field in bare_fields if field not in COMMANDS[name].also_bare),
        ]:
            choice, words = params[typed_as].type, words_of(hints[field])
            if isinstance(choice, click.Choice):
                assert set(choice.choices) == words, (name, field)
                count += 1
    assert count > len(COMMANDS) // 4


def test_the_help_of_log_explains_every_mark() -> None:
    signs = set(re.findall(r"[^\x00-\x7f]|[~?](?= \w)", (ROOT / "projections" / "rulings" / "marks.py").read_text()))
    text = dict(commands())["log"].help or ""
    assert signs >= set("↳↶↷✗~?§▒")
    assert [sign for sign in signs if sign not in text] == []


def test_a_command_is_formatted_as_one_would_type_it() -> None:
    assert as_typed(Attack("modre", "clone", "ice-blade", 4, 2)) == (
        "attack modre clone --weapon ice-blade --power 4 --modifier 2"
    )
    assert as_typed(Move("modre", 2, straight=True)) == "move modre 2 --straight"
    assert as_typed(Defend("clone", 6, 6)) == "defend clone 6"
    assert as_typed(Ready("clone", other_used=3)) == "ready clone --other-used 3"
    assert format_order("act", {"what": "climb the wall"}) == "act 'climb the wall'"


def test_every_exit_code_is_in_the_manual_and_every_error_has_one() -> None:
    exit_codes = {int(code) for code in re.findall(r"^\| (\d+) \|", MANUAL, re.MULTILINE)}
    assert exit_codes == {0, *EXIT_CODES.values(), BROKEN, UNPRINTED, ABORTED, READER_GONE}
    # Errors of the service have an HTTP status, not an exit code.
    assert set(EXIT_CODES) == {
        kind.__name__ for kind in MamError.__subclasses__() if not kind.__module__.startswith("web.")
    }


@pytest.mark.usefixtures("fight")
@pytest.mark.parametrize(
    "words",
    ["pools", "order", "log", "options", "encounters", "projections", "seal", "verify", "rules list", "rules show"],
)
def test_json_keys_are_listed_in_the_manual(mam: Mam, words: str) -> None:
    row = next(line for line in MANUAL.splitlines() if line.startswith(f"| `{words}` |"))
    keys = mam(*words.split(), "--json").lines[0]
    assert all(f"`{key}`" in row for key in keys), (row, keys)


@pytest.mark.usefixtures("fight")
def test_json_keys_of_rulings_and_previews_are_listed_in_the_manual(mam: Mam) -> None:
    def promised(start: str) -> list[str]:
        row = next(line for line in MANUAL.splitlines() if line.startswith(f"| {start}"))
        return re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", row.split("|")[3]))

    assert list(mam("undo", "--json").lines[0]) == promised("everything that writes a ruling")
    assert list(mam("undo", "6", "--preview", "--json").lines[0]) == promised("`undo`, `redo`, `amend`")
    report = mam("report", "--json").lines[0]
    assert next(iter(report)) == "encounter"


def test_help_imports_nothing_but_click() -> None:
    ask = (
        "import sys, click; before = set(sys.modules)\n"
        "from cli.app import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "new = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "ours = [name for name in sys.modules if name.split('.')[0] == 'cli']\n"
        "heavy = {'mam_events', 'projections', 'msgspec', 'rich', 'eventsourcing', 'sqlite3'}\n"
        "print(*sorted(ours), sep=',', file=sys.stderr)\n"
        "print(*sorted(new & heavy), file=sys.stderr)"
    )
    process = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True)
    assert process.stderr.splitlines() == [
        "cli,cli.app,cli.command_class,cli.exit_codes,cli.output,cli.output.shell_wrap,cli.param_types,cli.registry,cli.session,cli.shared_options,cli.streams",
        "",
    ]
    for section, names in SECTIONS.items():
        assert f"{section}:" in process.stdout
        assert all(f"  {name} " in process.stdout for name in names)


@pytest.mark.usefixtures("fight")
def test_reading_a_log_loads_no_rules_but_an_order_does() -> None:
    ask = (
        "import sys\n"
        "from cli.app import main\n"
        "def read():\n"
        "    return [name for name in sys.modules if name.startswith('mam_events.rules.')]\n"
        "def run(*words):\n"
        "    try: main(words)\n"
        "    except SystemExit as end: assert not end.code\n"
        "for words in ('log', 'audit', 'encounters', 'export'): run(words)\n"
        "assert not read(), read()\n"
        "run('end-turn')\n"
        "assert read()"
    )
    subprocess.run([sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{ask}"], check=True)


@pytest.mark.usefixtures("fight")
def test_plain_output_does_not_load_rich() -> None:
    ask = (
        "import sys\n"
        "from cli.app import main\n"
        "for words in (['undo'], ['redo'], ['pools'], ['log'], ['options'], ['report']):\n"
        "    try: main(words)\n"
        "    except SystemExit as end: assert not end.code\n"
        "assert 'rich' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{ask}"], check=True)


@pytest.mark.parametrize("name", [name for name, _ in commands()])
def test_the_help_of_every_command_ends_in_its_example(mam: Mam, name: str) -> None:
    output = mam(*name.split(), "--help").out
    command = dict(commands())[name]
    assert isinstance(command, BaseCommand)
    assert re.sub(r" \\\n +", " ", output).rstrip().endswith(command.example[-1])
    assert "Shared options:" in output
