"""The likeliest next orders in a round of Ron d6: roll, declare, act, settle, begin the next round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mam_events.decider.engine import Ruleset
    from mam_events.decider.offers import Template
    from mam_events.state import Encounter
    from projections.visibility.redaction import Redactor

LegalOrders = Mapping[tuple[str, str], str]
"""The allowed orders, ready to type, by order and combatant."""

JOINING = "mam join NAME --code perception=3D --code agility=3D"


def next_steps_ron_d6(state: Encounter, ruleset: Ruleset, legal: LegalOrders, redactor: Redactor) -> Iterator[str]:
    """Yield the likeliest next commands, the likeliest first; none for combatants whom the view may not know of."""
    visible = state.combatants.keys() - redactor.hidden
    if not visible:
        yield JOINING
        return
    if not state.round_open:
        yield "mam round"
        if len(visible) == 1:
            yield JOINING
        return
    yield from initiative_roll_line(state, ruleset, redactor)
    yield from _in_window(state, legal, redactor) if state.window.open else _between(state, legal, redactor)


def initiative_roll_line(state: Encounter, ruleset: Ruleset, redactor: Redactor) -> Iterator[str]:
    """Yield the command with which those who have yet to roll roll initiative.

    It names them if somebody has no dice for it, or is hidden and rolls separately.
    """
    from mam_events.commands import RollInitiative
    from mam_events.decider.checks import is_allowed
    from mam_events.rules.initiative.by_roll import yet_to_roll
    from mam_events.visibility import PUBLIC

    check = ruleset.edition.mechanics[RollInitiative].check
    waiting = [name for name in yet_to_roll(state, ruleset) if name not in redactor.hidden]
    able = [name for name in waiting if is_allowed(check, state, ruleset, RollInitiative((name,)))]
    if able:
        # A roll that includes a hidden combatant is hidden as a whole, so suggest rolling for the others first.
        open_ones = [name for name in able if state.combatants[name].visibility == PUBLIC] or able
        yield f"mam initiative roll {'--all' if open_ones == waiting else ' '.join(open_ones)}"


def _in_window(state: Encounter, legal: LegalOrders, redactor: Redactor) -> Iterator[str]:
    last = state.window.open[-1]
    is_visible = last.combatant not in redactor.hidden and not redactor.veils(last.id) and ("result", "") in legal
    first = "" if state.acting in ("", last.combatant, *redactor.hidden) else state.acting
    # The acting combatant has moved their turn up in order to interrupt.
    yield from _of(legal, ("interrupt", first))
    if is_visible:
        yield from _of(legal, ("result", ""))
    others = (name for name in state.order if name not in (first, *redactor.hidden))
    yield from _of(legal, *(("interrupt", name) for name in others))
    if is_visible:
        template = legal["result", ""]
        yield "mam result success" if template == "mam result failure" else "mam result failure"


def _between(state: Encounter, legal: LegalOrders, redactor: Redactor) -> Iterator[str]:
    if state.acting not in ("", *redactor.hidden) and (remaining := state.combatants[state.acting].actions.left):
        # After waiting with the last action there would be none left to interrupt with.
        yield from _of(legal, ("perform", state.acting), *((("wait", state.acting),) if remaining > 1 else ()))
    due = state.next_up
    if due and due not in redactor.hidden:
        yield from _of(legal, ("declare", due))
    if due is None and state.order:
        yield "mam round"


def _of(legal: LegalOrders, *keys: tuple[str, str]) -> Iterable[str]:
    return (legal[key] for key in keys if key in legal)


def by_training(template: Template, state: Encounter, values: Mapping[str, Any]) -> dict[str, str]:
    """Return a skill that the combatant has for an action without a skill of its name: `melee` for a slash."""
    if template.do not in ("perform", "interrupt"):
        return {}
    from mam_events.rules.rulebook import rulebook

    table = rulebook().tables.rd6_actions
    codes = state.combatants[template.combatant].faculties.codes
    if set(table[values["action"]].skills) & {code.replace("-", " ") for code in codes} or values["action"] == "use":
        return {}
    open_to = next((field.choices for field in template.fields if field.name == "action"), None) or ()
    alike = ((code, name) for code in codes for name in open_to if any(s.startswith(code) for s in table[name].skills))
    return next(({"action": name, "skill": code} for code, name in alike), {})


def for_the_point(template: Template, state: Encounter, values: Mapping[str, Any]) -> dict[str, int]:
    """Return one more action for a combatant who has spent a Fate Point on more actions."""
    from msgspec.structs import replace

    from mam_events.rules.ron_d6.multiple_actions import limit_of
    from mam_events.rules.rulebook import rulebook

    one = state.combatants.get(template.combatant)
    if "actions" not in values or one is None or not one.actions.fate or state.ruleset is None:
        return {}
    without = replace(one, actions=replace(one.actions, fate=False))
    return {"actions": limit_of(without, rulebook().in_force(state.ruleset)) + 1}
