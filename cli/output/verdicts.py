"""Verdicts on rulings that were judged again, as a table and as JSON, as far as the view sees them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from cli.output import render
from projections.phrases import count_words, join_numbers

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.events import Bookkeeping
    from mam_events.history.judge.rejudgement import RejudgedRuling
    from projections.rulings.verdicts import Judgement, VerdictGroup

MOST_VOID = 20
"""The maximum number of void rulings with a row each; if there are more, only the first `VOID_ROWS` have one."""
VOID_ROWS = 8


def visible_verdicts(session: Session, rejudged: Sequence[RejudgedRuling]) -> Sequence[RejudgedRuling]:
    """Return the verdicts on rulings that this view sees, because a verdict on a hidden one would reveal something."""
    from projections.rulings.verdicts import as_view_knows

    sees = session.viewer().sees
    return [entry for entry in as_view_knows(session.timeline(), rejudged, session.redactor()) if sees(entry.ruling)]


def visible_recorded_verdicts(session: Session, rejudged: Sequence[RejudgedRuling]) -> Sequence[RejudgedRuling]:
    """Return the visible ones of verdicts that the log records."""
    bookkeeping = session.redactor().bookkeeping
    return [
        entry
        for entry in visible_verdicts(session, rejudged)
        if entry.verdict != "stands" or bookkeeping(entry.bookkeeping)
    ]


def print_verdicts(
    session: Session,
    rejudged: Sequence[RejudgedRuling],
    withheld: int = 0,
    *,
    with_bookkeeping: bool = True,
) -> None:
    """Print the verdicts on other rulings.

    Rulings that differ are listed one by one. The rest is counted: those that stand, and those of the fight that are
    `withheld`. With `with_bookkeeping` the new bookkeeping is printed too.
    """
    from projections.rulings.verdicts import verdicts_given

    folded = _folds(session, rejudged)
    folded_numbers = {number for fold in folded for number in fold.rulings}
    differing = [entry for entry in rejudged if entry.verdict != "stands" and entry.ruling not in folded_numbers]
    judgements = verdicts_given(session.timeline(), differing, session.redactor())
    visible, more = _without_many_void([one for one in judgements if one.explained])
    if visible:
        click.echo()
        render.print_table(
            ("ruling", "what", "verdict", "why, or what differs"),
            [_row(one) for one in visible],
            right=(0,),
            fold=(1, 3),
            heading=(0, 2),
        )
        click.echo()
    for line in [
        *([f"{len(more)} more are void: {join_numbers(more)}."] if more else ()),
        *(fold.sentence for fold in folded),
    ]:
        render.line(f"  {line}", indent=4)
    if carried := [one.ruling for one in judgements if not one.explained]:
        come = "comes" if len(carried) == 1 else "come"
        render.line(f"  {join_numbers(carried)} {come} out the same, with other totals.", indent=4)
    standing = sum(entry.verdict == "stands" for entry in rejudged)
    # If only differing verdicts are given, those that stand differ in bookkeeping, so don't count them as unchanged.
    if standing and any(not entry.differs for entry in rejudged):
        click.echo(f"  {count_words(standing, 'later ruling')} {'stands' if standing == 1 else 'stand'} as before.")
    if with_bookkeeping and (text := bookkeeping_words(session, rejudged)):
        render.line(f"  {text}", indent=4)
    if withheld:
        click.echo(f"  {count_words(withheld, 'ruling')} {'is' if withheld == 1 else 'are'} hidden.")


def _row(one: Judgement) -> tuple[str, str, str, str]:
    verdict = one.verdict or "open"
    style = {"void": "bad", "changed": "strong"}.get(verdict, "")
    return f"{one.ruling}", one.what, render.paint(verdict, style), one.explained


def _without_many_void(judgements: Sequence[Judgement]) -> tuple[list[Judgement], list[int]]:
    """Return the verdicts without those on further void rulings, if there are too many, and the numbers left out."""
    void = [one.ruling for one in judgements if one.verdict == "void"]
    more = void[VOID_ROWS:] if len(void) > MOST_VOID else []
    return [one for one in judgements if one.ruling not in more], more


def _folds(session: Session, rejudged: Sequence[RejudgedRuling]) -> list[VerdictGroup]:
    """Return groups of rulings with the same change, each with one line for it."""
    from mam_events.history.timeline.rulings import events_before
    from projections.rulings.verdicts import RejudgedView, round_end_only, verdict_groups

    timeline = session.timeline()
    elsewhere = round_end_only(timeline, rejudged)
    views = [
        RejudgedView(
            entry.ruling,
            entry.verdict,
            entry.because,
            entry.command,
            entry.state,
            again=entry.verdict == "changed" and not events_before(timeline, entry.ruling, entry.events),
            elsewhere=entry.ruling in elsewhere,
        )
        for entry in rejudged
    ]
    return verdict_groups(views, session.redactor())


def bookkeeping_words(session: Session, rejudged: Iterable[RejudgedRuling]) -> str:
    """Return a sentence about new bookkeeping: `Bookkeeping: 5 turns pass, 1 turn ends.`; "" for none."""
    redactor = session.redactor()
    steps = [step for entry in rejudged if entry.differs for step in redactor.bookkeeping(entry.bookkeeping)]
    counts = Counter(step.what for step in steps)
    lines = [
        f"{count} {one}" if count == 1 else f"{count} {several}"
        for what, (one, several) in _BOOKKEEPING.items()
        if (count := counts[what])
    ]
    return f"Bookkeeping: {', '.join(lines)}." if lines else ""


_BOOKKEEPING: dict[Bookkeeping, tuple[str, str]] = {
    "passed": ("turn passes", "turns pass"),
    "ended": ("turn ends", "turns end"),
    "order": ("round keeps its order", "rounds keep their order"),
    "round": ("round begins", "rounds begin"),
    "left": ("exchange stays without a roll", "exchanges stay without a roll"),
    "cut": ("amount is cut to what is there", "amounts are cut to what is there"),
    "left_out": ("roll is made without somebody", "rolls are made without somebody"),
    "needless": ("order has no effect", "orders have no effect"),
    "unused": ("roll leaves a die unused", "rolls leave a die unused"),
    "waived": ("riding duty is waived", "riding duties are waived"),
}
"""The words for one step of bookkeeping of a kind, and for several."""
