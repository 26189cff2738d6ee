"""The command options: the orders that are allowed now, and to whom."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Any

import click

from cli.command_class import command_decorator
from cli.hints.examples import example_line, needed_fields, ranges
from cli.hints.next_steps import next_actor, next_steps, undo_of_closing
from cli.orders.edition import toughness_options
from cli.orders.syntax import COMMAND_ALIASES, command_field_specs
from cli.output import render
from cli.output.shell_wrap import ready_to_copy
from cli.registry import COMMANDS_BY_NAME
from cli.session import Session, pass_session
from cli.shared_options import complete_combatant, view_command_options
from mam_events.commands import COMMANDS
from mam_events.decider.offers import Blocked, Template
from mam_events.state import Encounter
from projections.state.next_move import next_move_sentence
from projections.visibility.legal_orders import offers
from projections.visibility.redaction import Redactor

LineFormatter = Callable[["Template"], str]
"""A function that returns an order as it is typed, with placeholders for faces if no die is drawn any more."""
ALWAYS_LAST = (
    "stalk",
    "establish-surprise",
    "take-posture",
    "check",
    "contest",
    "modify",
    "heal",
    "join",
    "initiative",
    "adjust",
    "change-rules",
    "close",
)
"""Orders that nobody gives in a turn, listed last in this order."""
RARE = (
    "light",
    "darkness",
    "blind",
    "from_above",
    "double_power",
    "circumstance",
    "kind",
    "evade",
    "surface",
    "confirmation_die",
)
"""Fields that few orders need; `--all` shows them."""
ASIDE = ("drop-item", "release", "delay-turn")
"""Orders that are rarely given out of turn; `--all` shows them also for those who don't act."""
BEFORE_AND_AFTER = ("heal", "stalk", "establish-surprise", "take-posture", "join", "initiative")
"""Orders that take days, or come before the fight: nobody asks for them in a turn."""


def table_line_of(template: Template, state: Encounter) -> str:
    """Return the example of a template as a line of the table."""
    from cli.orders.short_line import short_line
    from mam_events.notation.grammar.long_form import actor_field
    from mam_events.notation.orders.actor import OWED

    if template.do == "join":
        has_hp = any(field.name == "hp" for field in template.fields)
        bare = (
            toughness_options(state).removeprefix("--").replace(" ", "=")
            if has_hp
            else "code.perception=3D code.agility=3D"
        )
        return f"join NAME SIDE {bare}"
    if template.do == "roll-initiative":
        return "ro"
    if template.do == "change-rules":
        return 'change-rules OPTION=READING reason="REASON"'
    fields = needed_fields(template, state)
    kind = COMMANDS[template.do]
    actor = actor_field(kind)
    understood = bool(actor) and bool(command_field_specs(template.do)[actor].unsaid) and not kind.interferes
    if understood and template.do not in OWED and template.combatant == next_actor(state):
        fields.pop(actor, None)
    return short_line(template.do, fields)


@command_decorator("options", "mam options", "mam options clone --all")
@click.argument("combatant", required=False, shell_complete=complete_combatant, help="Only what this combatant may do.")
@click.option("--all", "blocked_too", is_flag=True, help="Also show what is not possible now, and why.")
@view_command_options
@pass_session
def options(session: Session, combatant: str | None, blocked_too: bool) -> None:
    """Show what is possible now and for whom: each order ready to type, with its ranges and choices."""
    state = session.timeline().state
    redactor = session.redactor()
    if combatant is not None:
        combatant = session.viewer().find(combatant)
        session.viewer().check_known(combatant)
    spell = (
        partial(table_line_of, state=state)
        if session.at_table
        else partial(example_line, state=state, redactor=redactor)
    )
    rows = [offer for offer in offers(session.log().rules, state, redactor) if combatant in (None, offer.combatant)]
    rows.sort(key=lambda offer: ALWAYS_LAST.index(offer.do) if offer.do in ALWAYS_LAST else -1)
    visible = [offer for offer in rows if offer.do != "open" and (blocked_too or offer.status == "allowed")]
    if session.json:
        for offer in visible:
            render.json_line(_as_json(offer, spell))
        return
    render.line(next_move_sentence(state, redactor, session.log().rules), indent=2)
    possible = [offer for offer in visible if offer.status == "allowed"]
    if state.status == "closed":
        _print_closed(session)
    elif combatant is None and not blocked_too:
        _print_briefly(session, possible, state, redactor, spell)
    else:
        _print_all(session, visible, spell, blocked_too=blocked_too)


def _print_all(
    session: Session, visible: Sequence[Template | Blocked], spell: LineFormatter, *, blocked_too: bool
) -> None:
    """Print all orders that are allowed now, and the reasons why others are not."""
    possible = [offer for offer in visible if offer.status == "allowed"]
    in_turn = [offer for offer in possible if offer.do not in ALWAYS_LAST]
    # List orders that don't depend on turns once each.
    at_any_time = list({offer.do: offer for offer in reversed(possible) if offer.do in ALWAYS_LAST}.values())[::-1]
    for title, group in (("", in_turn), ("At any time:", at_any_time)):
        if group:
            click.echo(f"\n{title}" if title else "")
            for offer in group:
                _print(session, offer, spell)
    if not possible and not blocked_too:
        click.echo("Nothing may be done now. Use --all to see why.")
    blocked = [
        (offer.combatant or "-", COMMAND_ALIASES.get(offer.do, offer.do), _why(offer))
        for offer in visible
        if offer.status == "blocked"
    ]
    if blocked:
        click.echo()
        render.print_table(("who", "may not", "because"), blocked, fold=(2,))


def _print_closed(session: Session) -> None:
    """Print the commands that are useful after the end of a fight: review it, correct it, begin another one."""
    click.echo()
    adjusts = 'gm NAME able "REASON"' if session.at_table else "adjust --reason REASON"
    for order in ("report", "replay", undo_of_closing(session.timeline()), adjusts, "new NAME"):
        name = order.split()[0].replace("gm", "adjust")
        render.line(f"mam {order}" if name == "new" and not session.at_table else session.typed(f"mam {order}"))
        hint = "Undo the closing, so that the fight goes on." if name == "undo" else COMMANDS_BY_NAME[name].short
        render.line(f"    {hint}", "faint", indent=4)


def _print(session: Session, offer: Template, spell: LineFormatter, defaults: Collection[str] = ()) -> None:
    for part in ready_to_copy(spell(offer), render.wrap_width() or len(spell(offer))):
        click.echo(part)
    if where := ranges(offer, defaults, in_line=session.at_table):
        render.line(f"    {where}", "faint", indent=4)


def _print_briefly(
    session: Session, possible: Sequence[Template], state: Encounter, redactor: Redactor, spell: LineFormatter
) -> None:
    """Print the likeliest orders of those who have to act now, one of each kind; of the rest only the names."""
    acting = _who_acts(state, possible)
    steps = next_steps(session.log().rules, state, redactor)
    leading = [line.split()[1] for line in steps]
    line_of = partial(example_line, state=state, redactor=redactor)
    likely = [offer for offer in possible if offer.do in leading and line_of(offer) in steps]
    own = [offer for offer in possible if offer.combatant in ("", *acting) and not (acting and offer.do in ALWAYS_LAST)]
    # Prefer the likely order of each kind, even if it is not the acting combatant's.
    mine = [*likely, *own]
    first = list({offer.do: offer for offer in reversed(mine)}.values())[::-1]
    if first:
        click.echo()
    for offer in sorted(first, key=lambda offer: _place(leading, COMMAND_ALIASES.get(offer.do, offer.do).split()[0])):
        _print(session, offer, spell, RARE)
    typed_as = {} if session.at_table else COMMAND_ALIASES
    others: dict[str, set[str]] = {}
    for offer in possible:
        if offer not in likely and offer.combatant not in ("", *acting) and offer.do not in (*ALWAYS_LAST, *ASIDE):
            others.setdefault(typed_as.get(offer.do, offer.do), set()).add(offer.combatant)
    at_any_time = {offer.do for offer in possible} & set(ALWAYS_LAST) if acting else set()
    click.echo()
    if others:
        who = [f"{do} ({', '.join(sorted(names))})" for do, names in others.items()]
        render.line(f"Others may: {', '.join(who)}", indent=4)
    if at_any_time:
        orders = [typed_as.get(do, do) for do in ALWAYS_LAST if do in at_any_time and do not in BEFORE_AND_AFTER]
        render.line(f"At any time: {', '.join(orders)}", indent=4)
    click.echo(f"Everything, and why the rest is not possible: {session.typed('mam options --all')}")


def _place(leading: Sequence[str], order: str) -> int:
    return leading.index(order) if order in leading else len(leading)


def _who_acts(state: Encounter, possible: Iterable[Template]) -> tuple[str, ...]:
    """Return those who have to act now: whoever may interrupt an open action, else the combatant with the move."""
    if state.window.open and not state.exchange:
        return tuple(offer.combatant for offer in possible if offer.do == "interrupt") or (
            state.window.open[-1].combatant,
        )
    now = next_actor(state)
    return (now,) if now else ()


def _why(offer: Blocked) -> str:
    rule = f" [{offer.rule}]" if offer.rule else ""
    return f"{offer.sentence}{rule}"


def _as_json(offer: Template | Blocked, spell: LineFormatter) -> dict[str, Any]:
    row: dict[str, Any] = {"status": offer.status, "do": offer.do, "combatant": offer.combatant}
    if offer.status == "blocked":
        return row | {"code": offer.code, "rule": offer.rule, "why": offer.sentence}
    fields: list[dict[str, Any]] = []
    for field in offer.fields:
        if field.choices is not None:
            fields.append({"name": field.name, "choices": field.choices} | ({"keys": field.keys} if field.keys else {}))
        elif field.free:
            fields.append({"name": field.name})
        else:
            fields.append({"name": field.name, "low": field.low, "high": field.high})
    sums = [{"names": list(total.names), "low": total.low, "high": total.high} for total in offer.sums]
    return row | {"fields": fields, "sums": sums, "type": spell(offer)}
