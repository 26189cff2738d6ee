"""Orders: a fight is begun, goes on by one order or by several as one, or is only asked what would be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct

from mam_events.commands import COMMANDS, Close, Command, Open, read_command
from mam_events.dice import Undrawn
from mam_events.errors import BadInput, Refused
from mam_events.events import Play, Turns
from mam_events.reading import encounter_id
from mam_events.rulings.history import Ruling
from mam_events.text import clean_fields
from mam_events.visibility import can_see, of_command, of_play
from projections.pools import Standing, standings
from web.service.asking import Ask
from web.service.calls import Example, call
from web.service.telling import RulingTold, told_rulings
from web.service.written import Written, written

if TYPE_CHECKING:
    from mam_events.log.answers import Preview
    from mam_events.rulings.timeline import Timeline

MOST = 100
"""So many orders are given as one, at most."""
By = Annotated[str, Meta(max_length=200, description="Who gives it, where the game master writes for somebody.")]


Treated = Annotated[
    Turns,
    Meta(
        description="With `as_played` the turns that were played stay as they were and missed turns pass; "
        "with `strict` a turn out of order is void."
    ),
]


class Ordering(Struct, frozen=True, forbid_unknown_fields=True):
    """An order may only be asked about (`dry_run`), or inserted behind a ruling: as a preview showed it (`expect`),
    or whatever it changes (`sure`); `turns` tells how an insert treats the turns behind it.
    """

    dry_run: bool = False
    after: Annotated[int, Meta(ge=0)] = 0
    expect: str = ""
    sure: bool = False
    turns: Treated = "as_played"
    by: By = ""


class Author(Struct, frozen=True, forbid_unknown_fields=True):
    """The name of whoever gives it."""

    by: By = ""


class NewEncounter(Struct, frozen=True, forbid_unknown_fields=True):
    """A new fight: its id, and what the order `open` takes: the preset, house rules, a title."""

    encounter: str
    open: dict[str, Any] = {}


class WouldBe(Struct, frozen=True):
    """The outcome of orders, with nothing written: their rulings, and everybody as they would stand. Where a die
    would be drawn, `undrawn` names it and nothing behind it is told.
    """

    rulings: list[RulingTold]
    combatants: list[Standing]
    undrawn: str = ""


DUEL = {"encounter": "duel"}


@call(
    "POST /encounters",
    "write",
    rank="gm",
    answer=Written,
    status=201,
    body=NewEncounter,
    query=Author,
    example=Example(body={"encounter": "duel", "open": {"preset": "mam_pools", "title": "Modre and the Clone"}}),
)
def begin(ask: Ask) -> Written:
    """Begin a fight under a preset, with house rules."""
    asked: NewEncounter = ask.body
    encounter_id(asked.encounter)
    command = order_of({"do": "open"} | asked.open, "open")
    assert isinstance(command, Open)  # noqa: S101 - it was just said so
    return written(ask, [ask.log.execute(asked.encounter, command, by=ask.by(ask.query.by), command_id=ask.key)])


@call(
    "POST /encounters/{encounter}/commands",
    "write",
    rank="player",
    answer=Written | WouldBe,
    body=Command | list[Command],
    query=Ordering,
    example=Example(path=DUEL, body={"do": "join", "combatant": "modre", "name": "Modre", "hp": 6}),
)
def give(ask: Ask) -> Written | WouldBe:
    """Give one order, or a list of them that are judged one behind the other and written together or not at all.

    A player orders what his own combatants do. With `dry_run` nothing is written; with `after` the order is inserted
    behind an earlier ruling, and everything behind that is judged again.
    """
    commands = ask.body
    query: Ordering = ask.query
    ask.log.look(ask.encounter, lambda timeline: _check(ask, timeline, commands, query))
    if query.dry_run:
        return ask.log.look(ask.encounter, lambda timeline: would_be(ask, timeline, commands))
    by = ask.by(query.by)
    if query.after:
        if not (query.sure or query.expect or ask.is_repeated):
            found = ask.log.preview_insert(ask.encounter, commands[0], query.after, turns=query.turns)
            if found.touches_more:
                raise needs_expect(found)
        answer = ask.log.execute(
            ask.encounter,
            commands[0],
            by=by,
            command_id=ask.key,
            expected=ask.expected,
            after=query.after,
            expect=query.expect,
            turns=query.turns,
        )
        return written(ask, [answer])
    return written(ask, ask.log.execute_all(ask.encounter, commands, by=by, command_id=ask.key, expected=ask.expected))


def read_orders(body: Any) -> list[Command]:
    """The orders of a body, one or a list; raises BadInput with the place of the one that cannot be read."""
    given = body if isinstance(body, list) else [body]
    if not 0 < len(given) <= MOST:
        raise BadInput(f"there are 1 to {MOST} orders in a list, not {len(given)}.", place="body")
    return [order_of(one, f"order {at}" if given[1:] else "") for at, one in enumerate(given, 1)]


def order_of(fields: Any, place: str) -> Command:
    """The order of a JSON object; raises BadInput."""
    if not isinstance(fields, Mapping):
        raise BadInput('an order is an object, like {"do": "end-turn", "combatant": "modre"}.', place=place or "body")
    kind = COMMANDS.get(fields.get("do", "")) if isinstance(fields.get("do"), str) else None
    command = read_command(clean_fields(kind, fields) if kind else fields, place=place)
    if isinstance(command, Open) and place != "open":
        raise BadInput("a fight is begun by POST /encounters.", place=place or "body")
    return command


def _check(ask: Ask, timeline: Timeline, commands: list[Command], query: Ordering) -> None:
    if ask.key and timeline.given(ask.key):
        # What was given once is answered as it was then, whatever he may by now.
        return
    seat = ask.own_seat(timeline)
    if query.turns == "strict" and not query.after:
        raise BadInput("only an insert treats the turns behind it: say after which ruling.", place="turns")
    if query.after and len(commands) > 1:
        raise BadInput("one order is inserted at a time.", place="after")
    if query.after:
        ask.who.rights.check_master("What is inserted in the past is the game master's to order.")
        seat.check_shown(query.after)
    for command in commands:
        # Whose rights end before is told of nobody's name whether it is taken.
        ask.who.rights.check_order(timeline, command)
        seat.check_named(command, command.__struct_fields__)


def needs_expect(found: Preview) -> Refused:
    """Return the no to what changes later rulings, where nobody was shown that, or is sure."""
    return Refused(
        "needs_expect",
        f"This makes later rulings come out otherwise: send it with expect={found.expect}, which does exactly what was "
        "judged, or with sure=true; a preview tells what it would change.",
    )


def would_be(ask: Ask, timeline: Timeline, commands: list[Command]) -> WouldBe:
    """The outcome of those orders, judged one behind the other, with no die shown that is not in the log."""
    seat = ask.own_seat(timeline)
    judge = ask.log.trial(ask.encounter)
    state, number, ruled, undrawn = timeline.state, timeline.number, [], ""
    for at, command in enumerate(commands, 1):
        if isinstance(command, Close):
            raise Refused("not_foretold", "Closing reveals the seed of the dice; what it does is told once it is done.")
        if not can_see(seat.view, of_command(command, state)):
            raise Refused("hidden", "What would come of it is hidden.")
        try:
            judged = judge(state, command, number + at)
        except Undrawn as die:
            undrawn = die.key
            break
        except Refused as no:
            raise no.at(f"order {at} of {len(commands)}") if commands[1:] else no from None
        seen = of_play(judged.command, state, judged.events)
        if not can_see(seat.view, seen):
            raise Refused("hidden", "What would come of it is hidden.")
        head = Play.of(judged.command, ruling=number + at, at="", by="", seal="")
        events = tuple(judged.events)
        ruled.append(Ruling(number + at, head, state, judged.state, seen, events, judged.command))
        state = judged.state
    return WouldBe(told_rulings(ruled, seat.screen), standings(state, seat.screen), undrawn)
