"""The command whatif: a fight judged again under other rules and compared with the fight as played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from cli.command_class import command_decorator
from cli.output import render
from cli.output.progress import progress_bar
from cli.param_types import IntRange
from cli.session import Session, pass_session
from cli.shared_options import house_rule, view_command_options
from projections.phrases import join_words

if TYPE_CHECKING:
    from mam_events.history.judge.what_if import WhatIfFight
    from projections.analysis.what_if import WhatIf
    from projections.visibility.redaction import Redactor


@command_decorator(
    "whatif",
    "mam whatif --set half_success=never",
    "mam whatif --set wound_order=stun_first --from 14 --json",
    "mam whatif --set half_success=never --html never.html",
)
@house_rule("An option and its other reading (repeatable).")
@click.option(
    "--from", "first", type=IntRange(1), metavar="N", help="Only from ruling N on (the whole fight, if left out)."
)
@click.option("--html", metavar="FILE", default="", help="Write a page that shows both side by side, in one file.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@view_command_options
@pass_session
def whatif(
    session: Session, house_rules: tuple[tuple[str, str], ...], first: int | None, html: str, force: bool
) -> None:
    """Judge the fight again under other rules: what would change, and who would stand.

    Nothing is written. The orders and dice are those on record. A die that nobody threw comes from a public source, the
    same for everybody, and is marked [6?]. It reveals no die that the fight may still draw. Orders that would not have
    been allowed are void, and rulings that depend on them are marked.
    """
    if not house_rules:
        raise click.UsageError(
            "Missing house rule. Use --set OPTION=READING, like --set half_success=never.",
            ctx=click.get_current_context(),
        )
    from mam_events.history.timeline.moments import place_at

    place = 0
    if first is not None:
        timeline = session.timeline()
        place = place_at(timeline, first, session.redactor().sight(timeline)) + (first not in timeline.place)
    if html:
        from cli.output.compare_html import check_page_writable, write_supposed

        check_page_writable(session, html, force=force)
        write_supposed(session, *load_what_if(session, dict(house_rules), place), html, force=force)
        return
    supposition, what_if = load_what_if(session, dict(house_rules), place)
    if session.json:
        print_json(session, supposition, what_if)
        return
    _print(session, supposition, what_if)


def print_json(session: Session, supposition: WhatIfFight, what_if: WhatIf) -> None:
    """Print the whole comparison as one line of JSON, with all points under both rule sets."""
    fields = {"encounter": session.encounter()} | msgspec.to_builtins(what_if)
    render.json_line(fields | {"pools": _pools_json(supposition, session.redactor())})


def load_what_if(session: Session, house_rules: dict[str, str], place: int = 0) -> tuple[WhatIfFight, WhatIf]:
    """Return the fight judged from that place on under those house rules, and the same as this view may see it."""
    from mam_events.history.judge.what_if import rejudge_under
    from projections.analysis.what_if import what_if

    timeline, book = session.timeline(), session.log().rules
    with progress_bar(session, "Judging again", 2 * (len(timeline.order) - place)) as step:
        supposition = rejudge_under(timeline, book, house_rules, first=place, on_progress=step)
    pinned = supposition.before.ruleset
    return supposition, what_if(timeline, supposition, book.in_force(pinned) if pinned else {}, session.redactor())


def _print(session: Session, supposition: WhatIfFight, what_if: WhatIf) -> None:
    from projections.analysis.what_if import changed_words, first_difference_words

    render.line(changed_words(what_if), indent=2)
    if not what_if.differing:
        click.echo(first_difference_words(what_if))
        return
    from cli.output.comparison import compare_pools, ending_rows
    from projections.state.pools import rows_of, spends_points

    print_differing(what_if)
    click.echo()
    with_points = spends_points(supposition.played)
    was, now = (rows_of(state, session.redactor()) for state in (supposition.played, supposition.supposed))
    rows = [
        *ending_rows(what_if.played, what_if.supposed),
        *compare_pools(was, now, with_points=(with_points, with_points)),
    ]
    render.print_table(("", "as it was", "what if"), rows, fold=(1, 2))


def print_differing(what_if: WhatIf) -> None:
    """Print each ruling that would come out differently, and the number of those that would not."""
    from cli.output.comparison import print_rulings
    from projections.analysis.what_if import first_difference_words, unthrown_dice_words

    click.echo(f"{first_difference_words(what_if)}\n")
    print_rulings(what_if.differing, {"void": "void", "changed": "changed"})
    click.echo()
    counts = [
        f"{what_if.verdicts[verdict]} {verdict}" for verdict in ("changed", "void") if verdict in what_if.verdicts
    ]
    same = what_if.verdicts.get("stands", 0) + what_if.verdicts.get("carried", 0)
    render.line(
        f"{join_words(counts)}. {same} of {what_if.rulings} rulings ({what_if.recorded:.0%}) come out as they did.",
        indent=2,
    )
    if what_if.hypothetical:
        render.line(unthrown_dice_words(what_if), indent=2)


def _pools_json(supposition: WhatIfFight, redactor: Redactor) -> dict[str, object]:
    from projections.state.pools import rows_of

    return {
        name: [render.pools_json(row, {}) for row in rows_of(state, redactor)]
        for name, state in (("played", supposition.played), ("supposed", supposition.supposed))
    }
