"""The command diff: two fights side by side, or one fight at two times."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from cli.command_class import command_decorator
from cli.output import render
from cli.session import Session, pass_session
from cli.shared_options import complete_encounter, list_command_options
from mam_events.errors import MamError, naming_encounter

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline
    from projections.analysis.diff import ComparedFight, Comparison, ComparisonSide

_AS_OF = re.compile(r"(.+)@([0-9]{1,9})")


@command_decorator("diff", "mam diff duel second-try", "mam diff duel@21 duel", "mam diff duel.ndjson duel --json")
@click.argument("one", metavar="A", shell_complete=complete_encounter, help="An encounter, or the file of an export.")
@click.argument(
    "other",
    metavar="B",
    shell_complete=complete_encounter,
    help="The encounter or export to compare it with, or `NAME@21` for the fight as of ruling 21.",
)
@list_command_options
@pass_session
def diff(session: Session, one: str, other: str) -> None:
    """Compare two fights: how each stands, everybody's points, and the rulings that differ.

    A branch shares its beginning with the fight that it left. So does a fight as it was when ruling 21 was the newest
    (duel@21) with the fight as it is now. The first ruling that differs, and why, comes first. Two unrelated fights are
    compared by their endings only.
    """
    from projections.analysis.diff import diff_fights

    comparison = diff_fights(fight_called(session, one), fight_called(session, other))
    if session.json:
        render.json_line(_as_json(comparison))
        return
    _print(comparison)


def fight_called(session: Session, text: str) -> ComparedFight:
    """Return the fight with that name, an encounter of the store or an export; `@N` means as of ruling N."""
    from mam_events.rules.rulebook import rulebook
    from projections.analysis.diff import ComparedFight
    from projections.visibility.viewer import Viewer

    match = _AS_OF.fullmatch(text)
    name, as_of = (match[1], int(match[2])) if match and not Path(text).exists() else (text, None)
    newest, timeline = _timelines(session, name, as_of)
    # The newest timeline knows everybody hidden by now. They stay hidden in older states, too.
    viewer = Viewer(session.view, newest)
    viewer.check_side()
    pinned = timeline.state.ruleset
    return ComparedFight(text, timeline, viewer.redactor, rulebook().in_force(pinned) if pinned else {})


def _timelines(session: Session, name: str, as_of: int | None) -> tuple[Timeline, Timeline]:
    """Return the newest timeline of a fight, and its timeline as of a ruling."""
    from cli.commands.storage.verify import read_verified_export
    from mam_events.history.timeline.entries import rows_until
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.store import decoders
    from mam_events.verification import stored_rows

    names: list[str] = []
    with suppress(MamError):
        names = session.log().encounters()
    if name in names or not Path(name).exists():
        log = session.log()
        return log.timeline(name), log.timeline(name, as_of=as_of)
    with naming_encounter(name):
        read, _ = read_verified_export(session, name)
    rows = stored_rows(read, name=name)
    newest = Timeline(decoders(), rows)
    if as_of is None:
        return newest, newest
    newest.head(as_of)
    return newest, Timeline(decoders(), rows_until(rows, as_of))


def _print(comparison: Comparison) -> None:
    from cli.output.comparison import compare_pools, ending_rows, print_rulings
    from projections.analysis.diff import cause_words, common_prefix

    first, second = comparison.first, comparison.second
    render.line(common_prefix(comparison), indent=2)
    click.echo()
    rows = [
        ("is", first.status, second.status),
        ("rules", first.ruleset or first.preset, second.ruleset or second.preset),
        *((option, *readings) for option, readings in comparison.house_rules.items()),
        *ending_rows(first.ending, second.ending),
        *compare_pools(
            first.pools,
            second.pools,
            with_points=(first.spends_points, second.spends_points),
            doing=(first.doing, second.doing),
        ),
    ]
    render.print_table(("", first.name, second.name), rows, fold=(1, 2))
    if comparison.differing:
        click.echo()
        render.line(cause_words(comparison), indent=2)
        click.echo()
        only = {"first": f"only in {first.name}", "second": f"only in {second.name}"}
        print_rulings(comparison.differing, {"void": "void", "changed": "changed"} | only)
    for side in (first, second):
        _print_own(side)


def _print_own(side: ComparisonSide) -> None:
    from cli.commands.views.log import print_log_line

    if not side.own:
        return
    click.echo()
    render.line(f"Only in {side.name}:")
    for line in side.own:
        print_log_line(line)


def _as_json(comparison: Comparison) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(comparison)
    for name in ("first", "second"):
        side: ComparisonSide = getattr(comparison, name)
        fields[name]["pools"] = [render.pools_json(row, side.doing) for row in side.pools]
        del fields[name]["doing"], fields[name]["spends_points"]
    return fields | {"same": comparison.is_same}
