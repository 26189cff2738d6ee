"""The generator of the order lines in `cli/registry.py`; `make manual` writes them."""

from __future__ import annotations

import json
import re
from pathlib import Path

from cli.orders.syntax import COMMAND_ALIASES
from cli.registry import COMMANDS_BY_NAME
from mam_events.commands import COMMANDS

FILE = Path(__file__).parents[1] / "registry.py"
_ENTRY = re.compile(r'^        "([a-z-]+)": CommandEntry\(\s*"([\w.]+)", ".*"\s*\),$', re.MULTILINE)
_WIDTH = 120
"""The longest line that the formatter leaves as it is."""
_LAST = "contest"
"""The order after which the first order of a new module is listed."""


def render_registry() -> str:
    """Return the registry as the file must have it.

    Each order has the first sentence of its docstring. A missing order is added after the others of its module, from
    where it may be moved.
    """
    added: dict[str, list[str]] = {}
    for new in COMMANDS.keys() - COMMANDS_BY_NAME.keys() - COMMAND_ALIASES.keys() - {"open"}:
        file = COMMANDS[new].__module__
        names = [name for name in COMMANDS_BY_NAME if name in COMMANDS and COMMANDS[name].__module__ == file]
        added.setdefault(names[-1] if names else _LAST, []).append(new)

    def rendered(match: re.Match[str]) -> str:
        name, module = match.groups()
        entry = _entry(name, module) if name in COMMANDS else match[0]
        return "\n".join([entry, *(_entry(new, "orders.builder") for new in sorted(added.get(name, ())))])

    return _ENTRY.sub(rendered, FILE.read_text(encoding="utf-8"))


def _entry(name: str, module: str) -> str:
    """Return an entry on one line if it fits, else on three, as the formatter writes it."""
    sentence = " ".join((COMMANDS[name].__doc__ or "").split("\n\n")[0].split())
    arguments = f'"{module}", {json.dumps(sentence, ensure_ascii=False)}'
    line = f'        "{name}": CommandEntry({arguments}),'
    return line if len(line) <= _WIDTH else f'        "{name}": CommandEntry(\n            {arguments}\n        ),'


if __name__ == "__main__":
    FILE.write_text(render_registry(), encoding="utf-8")
