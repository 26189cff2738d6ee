"""What may be done now and by whom: `mam options`, and what the other commands suggest next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

import click

from cli.options import command, complete_combatant, looking
from cli.session import Session, pass_session
from cli.spelling import SPELLINGS, written

if TYPE_CHECKING:
    from mam_events.encounter.templates import Blocked, Field, Template
    from mam_events.rulebook import Rulebook
    from mam_events.state import Encounter
    from projections.screen import Screen

GAME_MASTER = ("join", "initiative", "adjust", "close")
"""What nobody in the fight does: it is listed last."""


@command("options", "mam options", "mam options clone --all")
@click.argument("combatant", required=False, shell_complete=complete_combatant, help="Only what this one may do.")
@click.option("--all", "blocked_too", is_flag=True, help="Also what may not be done now, and why not.")
@looking
@pass_session
def options(session: Session, combatant: str | None, blocked_too: bool) -> None:
    """Show what may be done now and by whom, or why not: each order ready to type, with its ranges and choices."""
    from cli import output
    from mam_events.rules.checks import named
    from projections.screen import Screen

    state = session.timeline().state
    screen = Screen(session.view, state=state)
    if combatant is not None:
        named(state, UNSEEN_ID if combatant in screen.hidden else combatant)
    offers = [offer for offer in _in_order(session, screen) if combatant in (None, offer.combatant)]
    shown = [offer for offer in offers if blocked_too or offer.status == "allowed"]
    if session.json:
        for offer in shown:
            output.json_line(_as_json(offer, state, screen))
        return
    click.echo(whose_move(state, screen))
    allowed = [(*_typed(offer, state, screen),) for offer in shown if offer.status == "allowed"]
    if allowed:
        click.echo()
        output.table(("type", "where"), allowed)
    elif not blocked_too:
        click.echo("Nothing may be done now; --all tells why.")
    blocked = [
        (offer.combatant or "game master", offer.do, _why(offer, screen))
        for offer in shown
        if offer.status == "blocked"
    ]
    if blocked:
        click.echo()
        output.table(("who", "not", "because"), blocked)


UNSEEN_ID = ""
"""Asked about in place of a combatant that the view may not know of, so that both get the same answer."""


def _why(offer: Blocked, screen: Screen) -> str:
    rule = f" [{offer.rule}]" if offer.rule else ""
    return f"{screen.text(offer.sentence)}{rule}"


def _in_order(session: Session, screen: Screen) -> list[Template | Blocked]:
    found = [
        offer
        for offer in session.log().legal(session.encounter())
        if offer.do != "open" and offer.combatant not in screen.hidden
    ]
    return sorted(found, key=lambda offer: offer.do in GAME_MASTER)


def whose_move(state: Encounter, screen: Screen) -> str:
    """One sentence: whose turn it is, or what waits to be answered and rolled."""
    name = {combatant.id: screen.text(combatant.name) for combatant in state.combatants.values()}
    if state.status == "closed":
        return "The encounter is closed."
    if state.exchange is not None:
        root = state.exchange.root
        deed = f"attacks {name[root.target]}" if root.kind == "attack" else "acts"
        return f"Exchange {state.exchange.id}: {name[root.combatant]} {deed}; whoever wants to react does so before the dice."
    if not state.order:
        return "Initiative is not settled." if state.combatants else "Nobody has joined yet."
    if state.turn is not None:
        return f"Round {state.round}: it is {name[state.turn.combatant]}'s turn."
    if state.next_up is None:
        return f"Round {state.round}: nobody is left who has turns."
    return f"Round {max(state.round, 1)}: {name[state.next_up]} is next."


def example_of(template: Template, screen: Screen | None = None) -> dict[str, Any]:
    """One order that lies in the template: first choices, least numbers, raised where they must sum to more."""
    values: dict[str, Any] = {field.name: _least(field, screen) for field in template.fields}
    for total in template.sums:
        missing = total.low - sum(values[name] or 0 for name in total.names)
        for name in reversed(total.names):
            field = next(field for field in template.fields if field.name == name)
            more = max(0, min(missing, (field.high if field.high is not None else missing) - (values[name] or 0)))
            values[name] = (values[name] or 0) + more
            missing -= more
    return values


def _least(field: Field, screen: Screen | None) -> Any:
    if field.choices is not None:
        shown = [choice for choice in field.choices if screen is None or choice not in screen.hidden]
        return (
            next((choice for choice in shown if choice not in ("", None)), None)
            if field.name in _NEEDED
            else _plain(shown)
        )
    if field.free:
        return field.name.upper() if field.name in _NEEDED else None
    return field.low


_NEEDED = ("combatant", "attacker", "target", "weapon", "item", "grapple", "action", "exchange", "what")
"""Fields that an order says even where one could leave them out."""


def _plain(choices: list[Any]) -> Any:
    return None if not choices or choices[0] in ("", None) else choices[0]


def _typed(template: Template, state: Encounter, screen: Screen) -> tuple[str, str]:
    """An order ready to type, and what else its fields may be."""
    values = _said(template, example_of(template, screen), state)
    spelling = SPELLINGS.get(template.do)
    spelled = {
        **(spelling.options if spelling else {}),
        **{name: name.upper() for name in (spelling.bare if spelling else ())},
    }
    ranges = []
    for field in template.fields:
        name = spelled.get(field.name, "")
        if field.choices is not None and len(field.choices) > 1 and field.name in spelled:
            shown = [str(c) for c in field.choices if c not in ("", None) and c not in screen.hidden]
            ranges.append(f"{name} {_span(shown)}")
        elif field.choices is None and not field.free and (field.low is not None or field.high is not None):
            ranges.append(f"{name} {field.low or 0} to {field.high}")
    for total in template.sums:
        together = str(total.low) if total.low == total.high else f"{total.low} to {total.high}"
        ranges.append(f"{' + '.join(spelled.get(name, name) for name in total.names)} = {together}")
    return f"mam {written(template.do, values)}", ", ".join(ranges)


def _said(template: Template, values: Mapping[str, Any], state: Encounter) -> dict[str, Any]:
    """The values without those that go without saying: what is open, and options of nothing."""
    open_number = state.exchange.id if state.exchange else None
    spelling = SPELLINGS.get(template.do)
    bare = spelling.bare if spelling else ()
    return {
        name: value
        for name, value in values.items()
        if not (name in ("exchange", "action") and value == open_number) and not (value == 0 and name not in bare)
    }


def _span(choices: list[str]) -> str:
    """Choices in words: the faces of a die as a range."""
    if len(choices) > 2 and all(choice.isdecimal() for choice in choices):  # noqa: PLR2004 - two are no range
        return f"{choices[0]} to {choices[-1]}"
    return "|".join(choices)


def _as_json(offer: Template | Blocked, state: Encounter, screen: Screen) -> dict[str, Any]:
    found: dict[str, Any] = {"status": offer.status, "do": offer.do, "combatant": offer.combatant}
    if offer.status == "blocked":
        return found | {"code": offer.code, "rule": offer.rule, "why": screen.text(offer.sentence)}
    fields = []
    for field in offer.fields:
        if field.choices is not None:
            fields.append({"name": field.name, "choices": [c for c in field.choices if c not in screen.hidden]})
        elif field.free:
            fields.append({"name": field.name})
        else:
            fields.append({"name": field.name, "low": field.low, "high": field.high})
    sums = [{"names": list(total.names), "low": total.low, "high": total.high} for total in offer.sums]
    return found | {"fields": fields, "sums": sums, "type": _typed(offer, state, screen)[0]}


def only_way_to_ready(rules: Rulebook, state: Encounter, combatant: str) -> Mapping[str, int]:
    """The points that must become ready, where the rules leave no choice; otherwise none, which the rules then refuse."""
    ways = [
        dict(zip(("from_defense", "from_other_used"), amounts, strict=True))
        for template in _templates(rules, state)
        if template.do == "ready" and template.combatant == combatant
        for amounts in product(*(range(field.low or 0, (field.high or 0) + 1) for field in template.fields[1:]))
        if all(total.low <= sum(amounts) <= total.high for total in template.sums)
    ]
    return ways[0] if len(ways) == 1 else {"from_defense": 0, "from_other_used": 0}


def _templates(rules: Rulebook, state: Encounter) -> Iterator[Template]:
    from mam_events.encounter.decide import legal_commands

    if state.ruleset is not None:
        for offer in legal_commands(state, rules.in_force(state.ruleset)):
            if offer.status == "allowed":
                yield offer


def next_steps(rules: Rulebook, state: Encounter, view: str) -> list[str]:
    """What is most likely typed next, the likeliest first; nothing where the view may not know whose move it is."""
    from projections.screen import Screen

    screen = Screen(view, state=state)
    if state.status == "closed":
        return ["mam report"]
    if not state.combatants:
        return ["mam join NAME --hp POINTS"]
    if not state.order:
        return ["mam initiative"] if len(state.combatants) > 1 else ["mam join NAME --hp POINTS", "mam initiative"]
    mover = _mover(state)
    if not mover or mover in screen.hidden:
        return []
    likely = _LIKELY_OPEN if state.exchange else _LIKELY
    found: dict[str, str] = {}
    for template in _templates(rules, state):
        if template.do in likely and template.combatant in ("", mover) and template.do not in found:
            values = _said(template, example_of(template, screen), state)
            if template.do == "ready" and not _anything_to_ready(template):
                continue
            found[template.do] = f"mam {written(template.do, values)}"
    return [found[do] for do in likely if do in found]


_LIKELY = ("begin-turn", "ready", "attack", "end-turn")
_LIKELY_OPEN = ("resolve", "defend", "parry", "counterattack")


def _mover(state: Encounter) -> str:
    if state.exchange:
        return state.exchange.root.target or state.exchange.root.combatant
    return (state.turn.combatant if state.turn else state.next_up) or ""


def _anything_to_ready(template: Template) -> bool:
    return any(total.high > 0 for total in template.sums)
