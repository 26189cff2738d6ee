"""The comparison page of two fights, or of one fight under two sets of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.output import render
from cli.output.progress import progress_bar

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.history.judge.what_if import WhatIfFight
    from projections.analysis.what_if import WhatIf
    from projections.pages.comparison_page import ComparisonPage


def write_against(session: Session, other: str, target: str, *, force: bool) -> None:
    """Write the page that compares the fight with another one, named as for `mam diff`."""
    from cli.commands.analysis.diff import fight_called
    from projections.pages.comparison_page import compare_pages

    check_page_writable(session, target, force=force)
    one, two = (fight_called(session, name) for name in (session.encounter(), other))
    with progress_bar(
        session, f"Setting {one.name} beside {two.name}", one.timeline.number + two.timeline.number
    ) as step:
        page = compare_pages(one, two, session.log().rules, step)
    _write(session, target, page, {"encounter": one.name, "against": two.name}, force=force)


def write_supposed(session: Session, supposition: WhatIfFight, what_if: WhatIf, target: str, *, force: bool) -> None:
    """Write the page that compares the fight with itself under other rules."""
    from projections.analysis.diff import ComparedFight
    from projections.pages.comparison_page import compare_what_if_page

    fight = ComparedFight(session.encounter(), session.timeline(), session.redactor(), {})
    with progress_bar(session, f"Setting {fight.name}", 2 * len(fight.timeline.order)) as step:
        page = compare_what_if_page(fight, supposition, what_if, session.log().rules, step)
    house_rules = {option: now for option, (_, now) in what_if.house_rules.items()}
    _write(session, target, page, {"encounter": fight.name, "house_rules": house_rules}, force=force)


def check_page_writable(session: Session, target: str, *, force: bool) -> None:
    """Raise BadInput for a file that cannot be written, before any long work begins."""
    from cli.output.files import check_writable

    check_writable(target, session.log().application.factory.path, force=force)


def _write(session: Session, target: str, page: ComparisonPage, fields: dict[str, object], *, force: bool) -> None:
    from cli.output.files import open_output_file
    from web.pages.comparison import render_comparison_page

    with open_output_file(target, session.log().application.factory.path, force=force) as file:
        file.write(render_comparison_page(page).encode())
    if session.json:
        render.json_line({**fields, "file": target, "rows": len(page.rows), "first": page.first})
    elif target != "-":
        where = f"which differ from ruling {page.first} on" if page.first else "which never differ"
        one, two = page.columns
        click.echo(f"{target} shows {one.name} beside {two.name}, {where}. Open it in any browser.")
