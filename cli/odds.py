"""Odds: how likely every outcome of an order is before its dice fall, with nothing written and no die shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import click

from cli import output
from cli.options import Lacking, command, looking
from cli.progress import working
from cli.session import Session, pass_session
from mam_events.values import Outcome
from projections.wording import listed

if TYPE_CHECKING:
    from collections.abc import Callable

    from mam_events.commands import Command
    from mam_events.deciding.odds import Case
    from mam_events.state import Encounter
    from projections.casebook import Casebook
    from projections.odds import Chances, Harm, Odds, Total


ROLLED = ("act", "interrupt", "initiative", "move-up", "roll-related")
"""Orders of a round of Ron d6 that roll."""


@command(
    "odds",
    "mam odds",
    "mam odds attack clone 4 2",
    "mam odds resolve 5 --json",
    ignore_unknown_options=True,
    allow_interspersed_args=False,
)
@looking
@click.argument("order", nargs=-1, type=click.UNPROCESSED, help="An order as it is typed; resolve, if left out.")
@pass_session
def odds(session: Session, order: tuple[str, ...]) -> None:
    """Show how likely every outcome of an order is, before its dice fall: for the open exchange, or for any order.

    Nothing is written. Every way in which the open dice may fall is judged as the order itself would be, so house
    rules, armor and what the game master adds (--situation) count; a face that is given is taken as it is. An order
    that begins an exchange is taken to be resolved as it stands, with what has been declared against it.
    """
    if not order and session.counts_actions():
        raise _unsaid(session)
    context = click.get_current_context()
    assert context.parent is not None  # noqa: S101 - it is a command of `mam`
    session.asks_odds = True
    words = list(order) or ["resolve"]
    main = context.parent.command
    assert isinstance(main, click.Group)  # noqa: S101 - as above
    name, asked, rest = main.resolve_command(context.parent, words)
    assert asked is not None  # noqa: S101 - an unknown one has been told
    with asked.make_context(name, rest, parent=context.parent) as inner:
        asked.invoke(inner)


def _unsaid(session: Session) -> Lacking:
    """The error where no order is said and none is meant by itself; next is the likeliest one that is rolled for."""
    from cli.suggesting import ready_to_type

    lines = (line.split(maxsplit=2) for line in ready_to_type(session, session.timeline()))
    rolled = (f"mam odds {' '.join(words)}" for _, *words in lines if words[0] in ROLLED)
    return Lacking(
        "Say of which order; nothing is resolved by itself where actions are counted.",
        next(rolled, "mam odds --help"),
    )


def show_odds(session: Session, order: Command) -> None:
    """Print the odds of that order, as it would be judged now."""
    import msgspec

    from mam_events.rulings.history import rulings
    from projections.casebook import Casebook

    timeline = session.timeline()
    casebook = Casebook(rulings(timeline), session.screen())
    with working(session, "Judging every way") as step:
        parts = [_odds(session, casebook, timeline.number + 1, part, step) for part in _apart(order)]
    told = sum(parts[1:], parts[0])
    if session.json:
        output.json_line({"encounter": session.encounter(), "odds": msgspec.to_builtins(told, str_keys=True)})
        return
    _print(told)


def _apart(order: Command) -> list[Command]:
    """The parts of an order whose dice have nothing to do with one another: each one's roll for initiative."""
    from msgspec.structs import replace

    from mam_events.commands import RollInitiative

    if not isinstance(order, RollInitiative):
        return [order]
    names = dict.fromkeys(order.combatants)
    dice = {name: {name: order.dice[name]} if name in order.dice else {} for name in names}
    return [replace(order, combatants=(name,), dice=dice[name], again={}) for name in names]


def _odds(session: Session, casebook: Casebook, ruling: int, order: Command, step: Callable[[], None]) -> Odds:
    """The odds of that order as the next ruling, to which `casebook` knows all that was before."""
    from msgspec.structs import replace

    from mam_events.commands import Resolve, exchange_of
    from mam_events.deciding.odds import cases
    from mam_events.events import Play
    from mam_events.rulings.history import Ruling
    from mam_events.rulings.judge import ruleset_for
    from projections.casebook import Scene
    from projections.odds import odds as odds_of

    rules, state = session.log().rules, session.state_then()
    found: list[Case] = []
    for case in cases(state, order, ruleset_for(rules, state, order), ruling, step):
        _check_seen(session, state, order, case)
        exchange = case.judging.state.exchange if case.judging else None
        if case.judging is None or exchange is None or exchange.id != exchange_of(order, ruling) == ruling:
            found.append(case)
            continue
        after, then = case.judging.state, Resolve(ruling)
        casebook.declare(case.judging.events)
        for way in cases(after, then, ruleset_for(rules, after), ruling + 1, step):
            _check_seen(session, after, then, way)
            found.append(replace(way, probability=way.probability * case.probability))
    head = Play.of(order, ruling=ruling, at="", by="", seal="")
    after = next((case.judging.state for case in found if case.judging), state)
    return odds_of(found, state, Scene(casebook, Ruling(ruling, head, state, after, "public", command=order)))


def _check_seen(session: Session, state: Encounter, order: Command, case: Case) -> None:
    """Refuse the odds of what the view would not see if it came to that: they would tell of somebody hidden."""
    from mam_events.errors import Refused
    from mam_events.visibility import can_see, of_play

    events = case.judging.events if case.judging else ()
    if session.view != "gm" and not can_see(session.view, of_play(order, state, events)):
        raise Refused("hidden", "These odds tell of what is hidden.")


def _print(found: Odds) -> None:
    if not found.chances and not found.totals:
        click.echo("No die decides anything here.")
    for one in found.chances:
        output.line(f"{one.subject}: {_chances(one)}", indent=2)
    for total in found.totals:
        output.line(f"{total.subject}: {_total(total)}", indent=2)
    for harm in found.harm:
        output.line(_harm(harm), indent=2)
    ways = f"{found.ways:,} ways for the dice to fall, each judged" if found.ways > 1 else "no die is open"
    output.line(f"({ways}{f'; {found.left_out:.2g} left out' if found.left_out else ''})", "faint")


def _chances(one: Chances) -> str:
    told = [f"{one.words[o]} {_share(one.chances[o])}" for o in get_args(Outcome) if o in one.chances]
    return f"{', '.join(told)}{f'; needs {one.needs}' if one.needs else ''}"


def _total(one: Total) -> str:
    least, most = one.usual
    usual = f", nine in ten from {least} to {most}" if least < most else ""
    reaches = f"; reaches {one.difficulty} in {_share(one.reaches)}" if one.reaches is not None else ""
    return f"{one.average:.1f} on average{usual}{reaches}"


def _share(chance: float) -> str:
    """A chance as people say it; what is not quite sure is not rounded to it."""
    if 0 < chance < 0.005:  # noqa: PLR2004 - half a percent
        return "under 1%"
    return "over 99%" if 0.995 <= chance < 1 else f"{chance:.0%}"  # noqa: PLR2004 - as above


def _harm(harm: Harm) -> str:
    worth = ((harm.damage, "damage"), (harm.stun, "stun"))
    expects, recovers = ([f"{abs(w):.1f} {what}" for w, what in worth if w * sign > 0] for sign in (1, -1))
    told = [
        *([f"has to expect {listed(expects)}"] if expects else []),
        *([f"may hope to recover from {listed(recovers)}"] if recovers else []),
        *([f"is down in {_share(harm.down)}"] if harm.down else []),
    ]
    return f"{harm.name} {', and '.join(told)}."
