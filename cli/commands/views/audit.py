"""The commands audit and report: each ruling with its reasons, and the fight on one page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from cli.command_class import command_decorator
from cli.commands.views.moments import moment_of, rulings_until
from cli.output import render
from cli.param_types import IntRange
from cli.session import Session, pass_session
from cli.shared_options import moment_option, view_command_options

if TYPE_CHECKING:
    from projections.notes.disputes import Dispute
    from projections.reports.report import FallRow, Hit, HouseRule, Report, ReportCorrection, ReportNote
    from projections.rulings.audit import AuditEntry


@command_decorator(
    "audit", "mam audit 17", "mam audit --last 3 --json", "mam audit --all --last 5", "mam audit --house-rules"
)
@click.argument("ruling", required=False, type=IntRange(1), help="Only that ruling (all, if left out).")
@click.option("--last", type=IntRange(1), metavar="N", help="Only the last N rulings.")
@click.option(
    "--all",
    "everywhere",
    is_flag=True,
    help="Every encounter of the store, the oldest first, and a branch from where it left.",
)
@click.option(
    "--house-rules",
    "of_rules",
    is_flag=True,
    help="Show instead every change of the rules, in all encounters or that of -e, and its effect on the fight.",
)
@moment_option
@view_command_options
@pass_session
def audit(
    session: Session,
    ruling: int | None,
    last: int | None,
    everywhere: bool,
    of_rules: bool,
    moment: str | None,
    as_of: int | None,
) -> None:
    """Show every ruling with who, when, dice, sums and reasons: the rule of each number, and later corrections."""
    if (everywhere or of_rules) and (ruling is not None or moment or as_of):
        raise click.UsageError("A ruling, --at and --as-of are for one encounter. Leave --all and --house-rules out.")
    if of_rules:
        from cli.commands.rules.house_rules import print_changes

        print_changes(session, last)
        return
    from projections.rulings.audit import audit_trail

    if everywhere:
        from projections.cache.registry import AUDIT_TABLE

        for encounter, entries in AUDIT_TABLE.rows(session.log(), session.view):
            _entries(session, entries[-last:] if last else entries, encounter)
        return
    timeline = session.timeline(as_of)
    if ruling is not None:
        timeline.head(ruling)
    redactor = session.redactor()
    entries = audit_trail(rulings_until(timeline, moment, redactor), redactor)
    if ruling is not None:
        entries = [entry for entry in entries if entry.number == ruling]
    _entries(session, entries[-last:] if last else entries)


def _entries(session: Session, entries: Iterable[AuditEntry], encounter: str = "") -> None:
    """Print entries of the audit, under the name of their encounter if there are several."""
    from projections.rulings.audit import audit_text

    if encounter and not session.json:
        _heading(encounter)
    for entry in entries:
        if session.json:
            render.json_line(entry, **({"encounter": encounter} if encounter else {}))
        else:
            for text in audit_text(entry).split("\n"):
                render.line(text, indent=len(text) - len(text.lstrip()) + 4)


@command_decorator("report", "mam report", "mam report --at round:2 --json")
@moment_option
@view_command_options
@pass_session
def report(session: Session, moment: str | None, as_of: int | None) -> None:
    """Sum up the fight: who fell, rounds, notes, rules in force."""
    from projections.analysis.undone_dice import undone_dice
    from projections.reports.report import report as report_of
    from projections.rulings.correction_summary import summaries_written
    from projections.rulings.index import RulingIndex

    timeline, state = moment_of(session, moment, as_of)
    rules = session.log().rules
    readings = rules.defaults(state.ruleset.preset) if state.ruleset else {}
    redactor = session.redactor()
    rulings_shown = rulings_until(timeline, moment, redactor)
    stored = session.log().application.rows(session.encounter()) if any(one.outcomes for one in rulings_shown) else []
    summaries = summaries_written(stored, timeline.decoders, RulingIndex(rulings_shown, redactor)) if stored else {}
    # An earlier moment doesn't show dice that were drawn and undone since.
    dice = () if moment else undone_dice(timeline, redactor)
    content = report_of(rulings_shown, state, redactor, preset_readings=readings, summaries=summaries, dice=dice)
    if session.json:
        render.json_line(content, encounter=session.encounter())
        return
    _print(session.encounter(), content)


def _print(encounter: str, fight: Report) -> None:
    from projections.analysis.undone_dice import undone_dice_sentence
    from projections.phrases import count_words

    _heading(f"{fight.title} ({encounter})" if fight.title else encounter)
    counts = (
        (len(fight.corrections), "of them corrections"),
        (fight.struck, "undone"),
        (fight.void, "void"),
        (fight.hidden, "hidden"),
    )
    rounds = count_words(fight.rounds, "round") if fight.rounds else "no round yet"
    parts = [fight.status, rounds, count_words(fight.rulings, "ruling")]
    render.line(", ".join([*parts, *(f"{count} {what}" for count, what in counts if count)]), indent=2)
    if fight.pools:
        click.echo()
        _heading("Pools" if fight.spends_points else "Hit points")
        render.print_pools(fight.pools, fight.doing, with_points=fight.spends_points)
    over = f"{fight.ruleset}, over " if fight.ruleset else ""
    rules = f"Rules: {over}{fight.preset} ({fight.fingerprint[:12]})"
    _section("Goes on from", filter(None, [fight.before]))
    _section("Who fell", map(_fall, [fall for fall in fight.falls if not fall.already]), "nobody")
    _section("Down already", map(_fall, [fall for fall in fight.falls if fall.already]))
    _section("Who left", map(_fall, fight.left))
    _section("Best hits", map(_hit, fight.best_hits), "none" if fight.pools else "")
    corrections = (line for correction in fight.corrections for line in _corrected(correction))
    _section("Corrections", filter(None, (*corrections, undone_dice_sentence(fight.undone))))
    _section("Passed turns", fight.passed)
    _section("Disputes", map(_dispute, fight.disputes))
    _section("Notes", map(_remark, fight.remarks))
    _section("Changes of rules", (f"#{change.ruling}  {change.sentence}" for change in fight.rule_changes))
    _section(rules, map(_house_rule, fight.house_rules), "as the preset has them")


def _heading(title: str) -> None:
    render.line(title, "strong", indent=2)


def _section(title: str, lines: Iterable[str], nothing: str = "") -> None:
    texts = list(lines) or ([nothing] if nothing else [])
    if texts:
        click.echo()
        _heading(title)
    for text in texts:
        render.line(f"  {text}", indent=6)


def _hit(hit: Hit) -> str:
    return f"#{hit.ruling}  {hit.attacker}{': ' if hit.attacker else ''}{hit.sentence}"


def _corrected(correction: ReportCorrection) -> list[str]:
    since = f"  ↷ undone by {correction.restored_by}" if correction.restored_by else ""
    return [
        f"#{correction.ruling}  {correction.sentence}{since}",
        *(f"    {sentence}" for sentence in correction.summary),
    ]


def _dispute(row: Dispute) -> str:
    from projections.notes.disputes import decision_words
    from projections.phrases import author_says, because_of

    rule = f", about {row.rule}" if row.rule else ""
    decided = f"§ {decision_words(row)} in {row.decision}{because_of(row.reason)}" if row.decision else "? open"
    return f"#{row.ruling}  {author_says(row.by)} disputes {row.what}{rule}: {row.claim}  {decided}"


def _remark(note: ReportNote) -> str:
    from projections.phrases import author_says

    about = f" about {note.about_what}" if note.about else ""
    answered = f"  § answered by {note.answered_by[0]}" if note.answered_by else ""
    return f"#{note.ruling}  {author_says(note.by)}{about}: {note.text}{answered}"


def _house_rule(rule: HouseRule) -> str:
    return f"{rule.option} = {rule.reading} (the preset has {rule.preset_reading})"


def _fall(fall: FallRow) -> str:
    since = "" if fall.now == fall.became else f", now {fall.now}"
    when = f"in round {fall.round}" if fall.round else "before the first round"
    cause = _CAME.get(fall.became, f"is {fall.became}")
    return f"#{fall.ruling}  {fall.name} {cause} {when}{since}"


_CAME = {"dead": "falls dead", "out": "leaves the fight"}
