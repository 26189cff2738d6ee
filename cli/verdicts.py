"""Verdicts on rulings that were judged again, as a table and as JSON, as far as the view sees them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from cli import output
from projections.wording import counted, numbered

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.rulings.history import Ruling
    from mam_events.rulings.rejudging import Rejudged


def seen(session: Session, rejudged: Sequence[Rejudged]) -> Sequence[Rejudged]:
    """The verdicts on rulings that this view sees: whether a hidden one comes out otherwise tells what it hides."""
    sees = session.seat().sees
    return [entry for entry in rejudged if sees(entry.ruling)]


def print_verdicts(session: Session, shown: Sequence[Ruling], rejudged: Sequence[Rejudged], withheld: int = 0) -> None:
    """Print what became of other rulings: those that differ one by one; how many are carried with no sum to tell of,
    stand, or are `withheld`.
    """
    found = verdict_rows(session, shown, [entry for entry in rejudged if entry.verdict != "stands"])
    told = [row for row in found if row[-1]]
    if told:
        click.echo()
        output.table(
            ("ruling", "what", "verdict", "why, or what differs"),
            told,
            right=(0,),
            fold=(1, 3),
            heading=(0, 2),
        )
        click.echo()
    if carried := [int(row[0]) for row in found if not row[-1]]:
        are = "is" if len(carried) == 1 else "are"
        output.line(f"  {numbered(carried)} {are} carried: the same outcome, with other totals.", indent=4)
    standing = len(rejudged) - len(found)
    if standing:
        click.echo(f"  {counted(standing, 'later ruling')} {'stands' if standing == 1 else 'stand'} as before.")
    if withheld:
        click.echo(f"  {counted(withheld, 'later ruling')} {'is' if withheld == 1 else 'are'} hidden.")


def verdict_rows(
    session: Session, shown: Sequence[Ruling], rejudged: Iterable[Rejudged]
) -> list[tuple[str, str, str, str]]:
    """The cells of a table of verdicts: number, what was asked, verdict, why."""
    from mam_events.dice import read_key
    from mam_events.rulings.history import events_before
    from projections.casebook import Casebook, Scene
    from projections.orders import asked
    from projections.sentences import difference, other_sums

    told = tuple(rejudged)
    before = {entry.ruling: events_before(session.timeline(), entry.ruling, entry.events) for entry in told}
    # What is told of one ruling names what another declared: now, and as it was.
    then = Casebook(shown, session.screen())
    casebook = Casebook(shown, session.screen())
    for entry in told:
        then.declare(before[entry.ruling])
        casebook.declare(entry.events)
        # Whom a preview calls so is nobody hidden, whoever else is called that.
        casebook.screen.learn(entry.state.combatants.values())
    rows = []
    for entry in told:
        ruling = next(one for one in shown if one.number == entry.ruling)
        why = casebook.screen.words(entry.why)
        if entry.verdict == "changed":
            why = difference(before[entry.ruling], entry.events, Scene(casebook, ruling), Scene(then, ruling))
        elif entry.verdict == "carried":
            why = casebook.screen.text(other_sums(before[entry.ruling], entry.events))
        if entry.undrawn:
            key = read_key(entry.undrawn)
            whose = Scene(casebook, ruling).name(key.roller)
            what = f"a {key.kind} is drawn for {whose}'s {key.role.partition('-')[0]}"
            why = f"{what} when this is done; what follows is not known yet"
        elif entry.because:
            why = f"{why} (because of {entry.because})"
        verdict = entry.verdict or "open"
        style = {"void": "bad", "changed": "strong"}.get(verdict, "")
        rows.append(
            (f"{entry.ruling}", asked(ruling, casebook, instead=entry.command), output.paint(verdict, style), why)
        )
    return rows


def verdicts_json(session: Session, shown: Sequence[Ruling], rejudged: Iterable[Rejudged]) -> list[dict[str, Any]]:
    """The verdicts on other rulings as JSON has them."""
    from projections.casebook import Casebook

    casebook, told = Casebook(shown, session.screen()), tuple(rejudged)
    for entry in told:
        casebook.screen.learn(entry.state.combatants.values())
    differing = [entry for entry in told if entry.verdict in ("changed", "carried")]
    differs = {row[0]: row[-1] for row in verdict_rows(session, shown, differing)}
    return [
        {
            "ruling": entry.ruling,
            "verdict": entry.verdict,
            "why": casebook.screen.words(entry.why),
            "because": entry.because,
            "differs": differs.get(f"{entry.ruling}", ""),
            "undrawn": entry.undrawn,
        }
        for entry in told
    ]
