"""Odds: how likely every outcome of an order is before its dice fall, with nothing written and no die shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cli import output
from cli.options import command, looking
from cli.progress import working
from cli.session import Session, pass_session
from projections.wording import listed

if TYPE_CHECKING:
    from mam_events.commands import Command
    from projections.odds import Chances, Harm, Odds


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


def show_odds(session: Session, order: Command) -> None:
    """Print the odds of that order, as it would be judged now."""
    from fractions import Fraction

    import msgspec

    from mam_events.commands import Resolve, exchange_of
    from mam_events.deciding.odds import cases
    from mam_events.events import Play
    from mam_events.rulings.history import Ruling, rulings
    from mam_events.rulings.judge import ruleset_for
    from projections.casebook import Casebook, Scene
    from projections.odds import odds as odds_of

    timeline, rules = session.timeline(), session.log().rules
    state, ruling = session.state_then(), timeline.number + 1
    found: list[Any] = []
    casebook = Casebook(rulings(timeline), session.screen())
    with working(session, "Judging every way") as step:
        for case in cases(state, order, ruleset_for(rules, state, order), ruling, step):
            exchange = case.judging.state.exchange if case.judging else None
            if case.judging is None or exchange is None or exchange.id != exchange_of(order, ruling) == ruling:
                found.append(case)
                continue
            after = case.judging.state
            casebook.declare(case.judging.events)
            found += [
                msgspec.structs.replace(way, probability=way.probability * case.probability)
                for way in cases(after, Resolve(ruling), ruleset_for(rules, after), ruling + 1, step)
            ]
    head = Play.of(order, ruling=ruling, at="", by="", seal="")
    before = next((case.judging.state for case in found if case.judging), state)
    scene = Scene(casebook, Ruling(ruling, head, state, before, "public", command=order))
    told = odds_of(found, state, scene)
    assert sum((case.probability for case in found), Fraction(0)) == 1  # noqa: S101 - every way, and each once
    if session.json:
        output.json_line({"encounter": session.encounter(), "odds": msgspec.to_builtins(told)})
        return
    _print(told)


def _print(found: Odds) -> None:
    if not found.chances:
        click.echo("No die decides anything here.")
    for one in found.chances:
        output.line(f"{one.subject}: {_chances(one)}", indent=2)
    for harm in found.harm:
        output.line(f"{harm.name} has to expect {_harm(harm)}.", indent=2)
    ways = f"{found.ways} ways for the dice to fall" if found.ways > 1 else "no die is open"
    output.line(f"({ways}, each judged{f'; {found.left_out:.2g} left out' if found.left_out else ''})", "faint")


def _chances(one: Chances) -> str:
    told = [f"{one.words[o]} {one.chances[o]:.0%}" for o in ("full", "half", "fail") if o in one.chances]
    return f"{', '.join(told)}{f'; needs {one.needs}' if one.needs else ''}"


def _harm(harm: Harm) -> str:
    told = [f"{worth:.1f} {what}" for worth, what in ((harm.damage, "damage"), (harm.stun, "stun")) if worth]
    if harm.down:
        told.append(f"is down in {harm.down:.0%}")
    return listed(told)
