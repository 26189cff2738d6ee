"""Endpoints for orders: begin a fight, give one order or several as one, or try them without writing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct, to_builtins

from mam_events.commands import Close, Command, Open
from mam_events.deserializer import encounter_id
from mam_events.dice import DieNotDrawn
from mam_events.errors import BadInput, Refused
from mam_events.events import Play
from mam_events.history.corrections.confirmation import CONFIRMED_ORDERS, check_sure
from mam_events.history.corrections.notes import open_disputes
from mam_events.history.timeline.rulings import Ruling, visibility_of_basis
from mam_events.log.newcomers import complete_join
from mam_events.log.requests import InsertAt, TurnPolicyField
from mam_events.refusals.arguments import Term
from mam_events.visibility import can_see, narrowest, of_command, of_play
from projections.rulings.order_result import OrderResult, RulingResult, ruling_results
from projections.state.pools import PoolStanding, pool_standings
from web.service.endpoints import Example, endpoint
from web.service.request import RequestContext
from web.service.request_body import order_from_json

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.results import Preview

By = Annotated[str, Meta(max_length=200, description="Who gives it, where the game master writes for somebody.")]


class CommandQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of an order: try it only (`dry_run`), or insert it after a ruling (`after`).

    An insert goes as a preview showed it (`expect`), or whatever it changes or cuts short (`sure`). `turns` is how it
    treats the turns after it.
    """

    dry_run: bool = False
    after: Annotated[int, Meta(ge=0)] = 0
    expect: str = ""
    sure: bool = False
    turns: TurnPolicyField = "as_played"
    by: By = ""


class Author(Struct, frozen=True, forbid_unknown_fields=True):
    """The author's name."""

    by: By = ""


class NewEncounter(Struct, frozen=True, forbid_unknown_fields=True):
    """A new fight: its id, and the fields of the order `open`: the preset, house rules, a title."""

    encounter: str
    open: dict[str, Any] = {}


class DryRunAnswer(Struct, frozen=True):
    """The outcome of orders with nothing written: their rulings, and the points of all combatants after them.

    If a die would be drawn, `undrawn` names it, and nothing after it is shown.
    """

    rulings: list[RulingResult]
    combatants: list[PoolStanding]
    undrawn: str = ""


DUEL = {"encounter": "duel"}


@endpoint(
    "POST /encounters",
    "write",
    rank="gm",
    answer=OrderResult,
    status=201,
    body=NewEncounter,
    query=Author,
    example=Example(body={"encounter": "duel", "open": {"preset": "mam_pools", "title": "Modre and the Clone"}}),
)
def begin(context: RequestContext) -> OrderResult:
    """Begin a fight under a preset, with house rules."""
    body: NewEncounter = context.body
    encounter_id(body.encounter)
    command = order_from_json({"do": "open"} | body.open, "open")
    assert isinstance(command, Open)  # noqa: S101 - it has `"do": "open"`
    return context.result(
        [context.log.execute(body.encounter, command, by=context.by(context.query.by), command_id=context.key)]
    )


@endpoint(
    "POST /encounters/{encounter}/commands",
    "write",
    gives_orders=True,
    rank="player",
    answer=OrderResult | DryRunAnswer,
    body=Command | list[Command],
    query=CommandQuery,
    example=Example(path=DUEL, body={"do": "join", "combatant": "modre", "name": "Modre", "hp": 6}),
)
def give(context: RequestContext) -> OrderResult | DryRunAnswer:
    """Give one order, or a list of orders that are judged one after the other and written together or not at all.

    A player gives orders for their own combatants. Some orders are refused with `needs_sure` unless `sure` is set: a
    `close` while two sides still stand or an exchange is open, a `heal` while foes fight, and a `round`
    before the last one is over. With `dry_run` nothing is written. With `after` the order is inserted after an earlier
    ruling, and all rulings after it are judged again.
    """
    commands = context.body
    query: CommandQuery = context.query
    if query.turns == "strict" and not query.after:
        raise BadInput("Only an insert takes `turns`. Give `after`, the ruling before it.", place="turns")
    if query.after and len(commands) > 1:
        raise BadInput("Insert one order at a time.", place="after")
    if query.after:
        context.rights.check_may_insert()
    if query.dry_run:
        return context.log.look(context.encounter, lambda timeline: would_be(context, timeline, commands))
    if commands[1:] and not context.is_repeated:
        # Rights for a later order must not depend on a die that the first one draws.
        context.log.look(context.encounter, lambda timeline: check_rights(context, timeline, commands))
    if not (query.sure or query.expect):
        check_confirmed(context, commands, query.after, query.turns)
    if commands[1:]:
        return context.result(context.log.write_orders(context.encounter, commands, context.metadata()))
    insert = InsertAt(query.after, query.expect, query.turns)
    return context.result([context.log.write_order(context.encounter, commands[0], context.metadata(), insert)])


def check_confirmed(
    context: RequestContext, commands: Sequence[Command], after: int = 0, turns: TurnPolicyField = "as_played"
) -> None:
    """Raise `needs_sure` for an order that is probably a mistake, `needs_expect` for an insert that changes rulings."""
    unusual = any(isinstance(command, CONFIRMED_ORDERS) for command in commands)
    if not (unusual or after) or context.is_repeated:
        return
    if unusual:
        context.log.look(context.encounter, lambda timeline: check_rights(context, timeline, commands))
        state = context.log.at(context.encounter, after or None)
        check_sure(commands, state, context.log.look(context.encounter, open_disputes), in_line=False)
    if after:
        inserted = complete_join(commands[0], context.log.sheets)
        preview = context.log.preview_insert(context.encounter, inserted, after, turns=turns)
        if preview.touches_more:
            raise expect_required(preview)


def check_rights(context: RequestContext, timeline: Timeline, commands: Sequence[Command]) -> None:
    """Raise an error for orders that this principal may not give."""
    for command in commands:
        context.rights.check_order(timeline, command, context.log.rules)


def expect_required(preview: Preview) -> Refused:
    """Return the error for a change to later rulings that nobody has seen in a preview or is `sure` of."""
    return Refused("needs_expect", expect=Term(preview.expect))


def would_be(context: RequestContext, timeline: Timeline, commands: list[Command]) -> DryRunAnswer:
    """Return the outcome of those orders, judged one after the other; no die is shown that is not in the log."""
    check_rights(context, timeline, commands)
    viewer = context.own_viewer(timeline)
    judge = context.log.trial(context.encounter)
    state, number, ruled, undrawn = timeline.state, timeline.number, [], ""
    for at, command in enumerate((complete_join(command, context.log.sheets) for command in commands), 1):
        if isinstance(command, Close):
            raise Refused("not_foretold")
        exchange_visibility = visibility_of_basis(timeline, command, len(timeline.order))
        is_visible = can_see(viewer.view, narrowest(of_command(command, state, supposed=True), exchange_visibility))
        try:
            decision = judge(state, command, number + at)
        except DieNotDrawn as die:
            if not is_visible:
                raise Refused("hidden/outcome") from None
            undrawn = die.key
            break
        except Refused as no:
            raise no.at(f"order {at} of {len(commands)}") if commands[1:] else no from None
        visibility = narrowest(of_play(decision.command, state, decision.events, supposed=True), exchange_visibility)
        if not can_see(viewer.view, visibility):
            raise Refused("hidden/outcome")
        head = Play.of(decision.command, ruling=number + at, at="", by="", seal="")
        events = tuple(decision.events)
        ruled.append(Ruling(number + at, head, state, decision.state, visibility, events, decision.command))
        state = decision.state
    # Nothing in an order is secret from its author.
    redactor = viewer.quoting([to_builtins(command) for command in commands], supposed=True)
    return DryRunAnswer(ruling_results(ruled, redactor), pool_standings(state, viewer.redactor), undrawn)
