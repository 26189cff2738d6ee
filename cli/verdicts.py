"""Verdicts on rulings that were judged again, as a table and as JSON, as far as the view sees them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from cli import output
from mam_events.state import has_turns
from projections.wording import counted, numbered

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.events import Bookkeeping
    from mam_events.rulings.history import Ruling
    from mam_events.rulings.rejudging import Rejudged

MANY = 3
"""So many rulings with which the same happened are told in one line."""
MOST_VOID = 20
"""The most void rulings with a row each; of more, only the first `VOID_ROWS` have one."""
VOID_ROWS = 8


def seen(session: Session, rejudged: Sequence[Rejudged]) -> Sequence[Rejudged]:
    """Return the verdicts on rulings that this view sees: that a hidden one comes out otherwise tells what it hides."""
    sees = session.seat().sees
    return [entry for entry in as_known(session, rejudged) if sees(entry.ruling)]


def as_known(session: Session, rejudged: Sequence[Rejudged]) -> Sequence[Rejudged]:
    """Return the verdicts as this view may know them: where only another turn ends the round, that may be a turn of
    somebody hidden, and the ruling stands.
    """
    ends = _ending_rounds_elsewhere(session, rejudged) if session.view != "gm" else ()
    return [replace(one, verdict="stands", kept_otherwise=True) if one.ruling in ends else one for one in rejudged]


def seen_as_written(session: Session, rejudged: Sequence[Rejudged]) -> Sequence[Rejudged]:
    """Return the same of verdicts that were written, as far as anything of them is seen."""
    mendings = session.screen().mendings
    return [entry for entry in seen(session, rejudged) if entry.verdict != "stands" or mendings(entry.mendings)]


def _ending_rounds_elsewhere(session: Session, rejudged: Iterable[Rejudged]) -> list[int]:
    """Return the rulings that come out the same but for the end of a round."""
    from mam_events.rulings.history import events_before
    from mam_events.rulings.verdicts import only_round_end

    timeline = session.timeline()
    return [
        entry.ruling
        for entry in rejudged
        if entry.verdict in ("changed", "carried")
        and only_round_end(events_before(timeline, entry.ruling, entry.events), entry.events)
    ]


def print_verdicts(
    session: Session,
    shown: Sequence[Ruling],
    rejudged: Sequence[Rejudged],
    withheld: int = 0,
    *,
    with_bookkeeping: bool = True,
) -> None:
    """Print what became of other rulings: those that differ one by one; how many are carried with no sum to tell of,
    stand, and how many of the fight are `withheld`; the bookkeeping that they took.
    """
    quiet = _quiet_lines(session, rejudged)
    apart = {number for numbers, _ in quiet for number in numbers}
    differing = [entry for entry in rejudged if entry.verdict != "stands" and entry.ruling not in apart]
    found = verdict_rows(session, shown, differing)
    told, more = _without_many_void([row for row in found if row[-1]], differing)
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
    for line in [*([f"{len(more)} more are void: {numbered(more)}."] if more else ()), *(line for _, line in quiet)]:
        output.line(f"  {line}", indent=4)
    if carried := [int(row[0]) for row in found if not row[-1]]:
        are = "is" if len(carried) == 1 else "are"
        output.line(f"  {numbered(carried)} {are} carried: the same outcome, with other totals.", indent=4)
    standing = sum(entry.verdict == "stands" for entry in rejudged)
    # Where only those are given that differ, one that stands has other bookkeeping, and nothing is told of it alone.
    if standing and any(not entry.differs for entry in rejudged):
        click.echo(f"  {counted(standing, 'later ruling')} {'stands' if standing == 1 else 'stand'} as before.")
    if with_bookkeeping and (kept := bookkeeping_words(session, rejudged)):
        output.line(f"  {kept}", indent=4)
    if withheld:
        click.echo(f"  {counted(withheld, 'ruling')} {'is' if withheld == 1 else 'are'} hidden.")


Row = tuple[str, str, str, str]


def _without_many_void(rows: Sequence[Row], entries: Iterable[Rejudged]) -> tuple[list[Row], list[int]]:
    """Return the rows without those of void rulings beyond the first, where these are too many, and their numbers."""
    void = {f"{entry.ruling}" for entry in entries if entry.verdict == "void"}
    more = [row[0] for row in rows if row[0] in void][VOID_ROWS:] if len(void) > MOST_VOID else []
    return [row for row in rows if row[0] not in more], [int(number) for number in more]


def _quiet_lines(session: Session, rejudged: Sequence[Rejudged]) -> list[tuple[list[int], str]]:
    """Return the rulings with which the same happened, and the one line that tells it."""
    from mam_events.rulings.history import events_before

    lines = [
        (numbers, f"{numbered(numbers)} are void: {name} can't act any more then.")
        for name, numbers in _unable_then(session, rejudged).items()
    ]
    timeline = session.timeline()
    again = [
        entry.ruling
        for entry in rejudged
        if entry.verdict == "changed" and not events_before(timeline, entry.ruling, entry.events)
    ]
    if len(again) >= MANY:
        lines.append((again, f"{numbered(again)} are possible again."))
    elsewhere = _ending_rounds_elsewhere(session, rejudged)
    if elsewhere:
        lines.append((elsewhere, f"{numbered(elsewhere)}: another turn is now the last of the round."))
    return lines


def _unable_then(session: Session, rejudged: Iterable[Rejudged]) -> dict[str, list[int]]:
    """Return, by the name of whoever can't act any more, what became void by that: their own rulings, and what answers
    those. Of somebody who loses only a few, nothing is returned.
    """
    from mam_events.commands import actor_of

    screen = session.screen()
    found: dict[str, list[int]] = {}
    whose: dict[int, str] = {}
    for entry in rejudged:
        if entry.verdict != "void":
            continue
        actor = actor_of(entry.command) if entry.command else ""
        who = next((one for one in screen.combatants(entry.state) if one.id == actor), None)
        name = who.name if who and not has_turns(who) else whose.get(entry.because, "") if not who else ""
        if name:
            whose[entry.ruling] = name
            found.setdefault(name, []).append(entry.ruling)
    return {name: numbers for name, numbers in found.items() if len(numbers) >= MANY}


def bookkeeping_words(session: Session, rejudged: Iterable[Rejudged]) -> str:
    """Return one sentence about the bookkeeping that is new: `Bookkeeping: 5 turns pass, 1 turn ends.`; "" for none."""
    screen = session.screen()
    steps = [step for entry in rejudged if entry.differs for step in screen.mendings(entry.mendings)]
    counts = Counter(step.what for step in steps)
    told = [
        f"{count} {one}" if count == 1 else f"{count} {several}"
        for what, (one, several) in _BOOKKEEPING.items()
        if (count := counts[what])
    ]
    return f"Bookkeeping: {', '.join(told)}." if told else ""


_BOOKKEEPING: dict[Bookkeeping, tuple[str, str]] = {
    "passed": ("turn passes", "turns pass"),
    "ended": ("turn ends", "turns end"),
    "order": ("round keeps its order", "rounds keep their order"),
    "round": ("round begins", "rounds begin"),
    "left": ("exchange is left", "exchanges are left"),
    "cut": ("amount is cut to what is there", "amounts are cut to what is there"),
    "left_out": ("roll is made without somebody", "rolls are made without somebody"),
    "needless": ("order has no effect", "orders have no effect"),
    "unused": ("roll leaves a die unused", "rolls leave a die unused"),
    "waived": ("riding duty is waived", "riding duties are waived"),
}
"""The words for one step of bookkeeping of a kind, and for several."""


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
        why = casebook.screen.why(entry)
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
    from projections.bookkeeping import bookkeeping
    from projections.casebook import Casebook, Scene

    casebook, told = Casebook(shown, session.screen()), tuple(rejudged)
    for entry in told:
        casebook.screen.learn(entry.state.combatants.values())
    differing = [entry for entry in told if entry.verdict in ("changed", "carried")]
    differs = {row[0]: row[-1] for row in verdict_rows(session, shown, differing)}
    rulings = {ruling.number: ruling for ruling in shown}
    return [
        {
            "ruling": entry.ruling,
            "verdict": entry.verdict,
            "why": casebook.screen.why(entry),
            "because": entry.because,
            "differs": differs.get(f"{entry.ruling}", ""),
            "undrawn": entry.undrawn,
            "bookkeeping": bookkeeping(entry.mendings, Scene(casebook, rulings[entry.ruling]))
            if entry.mendings
            else (),
        }
        for entry in told
    ]
