"""The words to type next at the table after an error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cli.orders.syntax import line_with
from cli.shell.questions import insert_answer
from mam_events.errors import Unclear

if TYPE_CHECKING:
    from mam_events.errors import CommandHint, MamError
    from mam_events.history.timeline.timeline import Timeline


def next_words(
    error: MamError, line: str, timeline: Timeline | None, kept_line: str = "", *, draws: bool = True
) -> str:
    """Return the words to type after an error in a line; "" if nothing is known.

    Enter uses `kept_line`, or draws dice if the table `draws`.
    """
    if error.code == "exchange_open":
        enter = f" (Enter uses {kept_line})" if kept_line else " (Enter draws them)" if draws else ""
        return f"the dice{enter}, or a reaction"
    if error.code == "reason_missing":
        return f"{line.removesuffix('.')} because …"
    if error.code == "needs_rewind":
        return line_with(line, "--rewind")
    if isinstance(error, Unclear) and error.hints and error.allowed:
        # Keep the rest of the typed line, such as its dice.
        return insert_answer(line, error, error.allowed[0])
    return ", or ".join(dict.fromkeys(_typed(hint, timeline) for hint in error.hints))


def _typed(hint: CommandHint, timeline: Timeline | None) -> str:
    """Return an order as it is typed, as far as it is known: its actor, its shortest word, its bare words.

    For a combatant who has joined already it is an amendment of the joining.
    """
    if timeline and (newcomer := _joined(timeline, hint)):
        return newcomer
    from mam_events.commands import COMMANDS

    if hint.order == "dispute":
        return f"dispute {hint.values['ruling']} because …"
    from mam_events.notation.grammar.long_form import actor_field
    from mam_events.notation.grammar.positional_fields import slots_of
    from mam_events.notation.grammar.vocabulary import SYNONYMS, VERBS
    from mam_events.notation.orders.open_references import open_references

    do, values = hint.order, hint.values
    verb = values.get(VERBS.get(do, ""))
    letters = [word for word, orders in SYNONYMS.items() if orders[0] == do]
    kind = COMMANDS.get(do)
    who = values.get(actor_field(kind), "") if kind else ""
    slots = slots_of(do) if kind else ()
    bare = [values[slot] for slot in slots if slot in values and slot != VERBS.get(do)]
    goes_without = {*slots, VERBS.get(do), *([actor_field(kind), *open_references(kind)] if kind else [])}
    named_fields = [f"{name}={value}" for name, value in values.items() if name not in goes_without and _is_word(value)]
    words = [who, verb or min(letters, key=len, default=do), *bare, *named_fields]
    return " ".join(str(word) for word in words if _is_word(word))


def _is_word(value: object) -> bool:
    return isinstance(value, str | int) and value != ""


def _joined(timeline: Timeline, hint: CommandHint) -> str:
    """Return the amendment of a joining that gives a combatant what is missing; "" for any other order."""
    who = hint.values.get("combatant")
    number = next((n for n in timeline.index.joins if getattr(timeline.command(n), "combatant", "") == who), 0)
    if hint.order != "join" or not number:
        return ""
    orders = []
    for name, value in hint.values.items():
        if isinstance(value, Mapping):
            # The combatant's dice for the skill are unknown.
            orders += [f"{name}.{key}={'…D' if name == 'code' else one}" for key, one in value.items()]
        elif name != "combatant":
            orders.append(f"{name}={value}")
    return " ".join([f"amend {number}", *orders])
