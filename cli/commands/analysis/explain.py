"""The command explain: why a number has its value, and why a ruling came out as it did."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command_class import command_decorator
from cli.output import render
from cli.output.progress import progress_bar
from cli.param_types import IntRange
from cli.session import Session, pass_session
from cli.shared_options import moment_option, view_command_options
from mam_events.errors import BadInput, Refused
from mam_events.refusals.suggestions import closest_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mam_events.history.timeline.timeline import Timeline
    from projections.analysis.attribute_history import AttributeChange, AttributeHistory
    from projections.analysis.ruling_explanation import NearMiss, RulingExplanation
    from projections.rulings.index import RulingIndex
    from projections.state.attributes import Attributes

NEAR_MISS_LIMIT = 3
"""The maximum number of dice shown that would have changed a ruling by the same small amount."""


@command_decorator("explain", "mam explain clone.stun", "mam explain clone.stun --at 19 --json", "mam explain clone")
@click.argument(
    "what", metavar="COMBATANT.NUMBER|RULING", help="A combatant's number, like clone.stun, or a ruling, like 17."
)
@moment_option
@view_command_options
@pass_session
def explain(session: Session, what: str, moment: str | None, as_of: int | None) -> None:
    """Show where a number comes from: every ruling that changed it, with its dice and rules.

    The changes add up to the number. For a ruling it shows why it came out as it did: what was declared, every die and
    what was added, the options that decided it, what a correction changed, and the smallest change of a die that would
    have changed it. For a combatant alone it lists the numbers that you can ask for.
    """
    ruling = what.removeprefix("#").isdecimal()
    if ruling and moment:
        raise click.UsageError(
            "--at goes with a value of a combatant, like clone.stun. For a ruling as it was earlier, use --as-of N."
        )
    timeline, index, place = load_rulings_at(session, moment, as_of)
    if ruling:
        _ruling(session, timeline, index, IntRange(1).convert(what, None, click.get_current_context()))
        return
    who, dot, number = what.partition(".")
    attributes = visible_attributes_of(timeline, index, place, who)
    if not dot:
        _list(session, who, attributes)
        return
    from projections.analysis.attribute_history import attribute_history

    history = attribute_history(timeline, index, who, resolve_attribute_name(who, number, attributes), place)
    if session.json:
        render.json_line(history, encounter=session.encounter())
        return
    _print(history, timeline.order[place] if moment else 0)


def load_rulings_at(session: Session, moment: str | None, as_of: int | None) -> tuple[Timeline, RulingIndex, int]:
    """Return the timeline as of a ruling, all its rulings that this view may read, and the place of the moment."""
    from mam_events.history.timeline.moments import place_at
    from mam_events.history.timeline.rulings import rulings
    from projections.rulings.index import RulingIndex

    timeline, redactor = session.timeline(as_of), session.redactor()
    place = len(timeline.order) - 1 if moment is None else place_at(timeline, moment, redactor.sight(timeline))
    return timeline, RulingIndex(rulings(timeline), redactor), place


def visible_attributes_of(timeline: Timeline, index: RulingIndex, place: int, who: str) -> Attributes:
    """Return the numbers of that combatant at that place; raise `unknown_combatant` if the view may not know them."""
    from mam_events.decider.checks import require_combatant
    from mam_events.state import Encounter
    from projections.state.attributes import attributes

    state = timeline.states[place]
    visible = {one.id: one for one in index.redactor.combatants(state)}
    require_combatant(Encounter(combatants=visible), who)
    return attributes(state, index.redactor)[who]


def resolve_attribute_name(who: str, number: str, attributes_known: Attributes) -> str:
    """Return the name of a number, given as its name or its letter in the tables; raise BadInput if it is unknown."""
    names = {
        **{letter: name for name, letter in render.POOL_LETTERS.items()},
        **{name: name for name in attributes_known},
    }
    name = number.replace(" ", "_").replace("-", "_")
    if name not in names:
        near = closest_name(name.lower(), attributes_known)
        there_is = f'Did you mean "{near}"?' if near else f"Its numbers are {', '.join(attributes_known)}."
        raise BadInput(
            f'{who} has no number called "{number}". {there_is}',
            wrong=number,
            allowed=attributes_known,
        )
    return names[name]


def _list(session: Session, who: str, attributes: Attributes) -> None:
    from projections.state.attributes import shown_attributes

    values = shown_attributes(attributes)
    if session.json:
        render.json_line({"encounter": session.encounter(), "combatant": who, "numbers": values})
        return
    for name, value in values.items():
        click.echo(f"{who}.{name} is {value}")
    session.suggest(session.typed(f"mam explain {who}.{next(iter(values), 'hp')}"))


def _print(history: AttributeHistory, after: int) -> None:
    when = f" after ruling {after}" if after else ""
    render.line(f"{history.name}'s {history.number.replace('_', ' ')} is {history.value}{when}:", "strong", indent=2)
    if not history.changes:
        click.echo("Nothing has changed it from 0.")
        return
    widths = [
        max(render.painted_width(cell) for cell in column) for column in zip(*map(_cells, history.changes), strict=True)
    ]
    for changed in history.changes:
        ruling, when, change, total = (
            render.pad(cell, width, right=i > 1)
            for i, (cell, width) in enumerate(zip(_cells(changed), widths, strict=True))
        )
        start = f"  {ruling}  {when}  {change} = {total}  "
        rules = f"[{', '.join(changed.rules)}]" if changed.rules else ""
        render.line(f"{start}{'  '.join(filter(None, (changed.line.text, rules, *changed.line.marks)))}", indent=6)
        for because in changed.corrected:
            render.line(f"      #{because.ruling} {because.sentence}", indent=8)


def _ruling(session: Session, timeline: Timeline, index: RulingIndex, number: int) -> None:

    from projections.analysis.ruling_explanation import explain_ruling
    from projections.notes.disputes import disputes

    timeline.head(number)
    if index.visible_ruling(number) is None:
        raise Refused("hidden/ruling", number=number, fields=("ruling",))
    with progress_bar(session, "Trying other dice") as step:
        explanation = explain_ruling(timeline, index, number, lambda: session.log().rules, step)
    if session.json:
        render.json_line(explanation, encounter=session.encounter())
        return
    _print_why(explanation)
    rows = disputes(session.timeline(), session.redactor())
    if disputed := next((row.ruling for row in rows if row.open and row.about == number), 0):
        session.suggest(session.typed(f"mam rule-on {disputed} --uphold"))


def _print_why(explanation: RulingExplanation) -> None:
    from cli.commands.views.log import print_log_line
    from projections.phrases import count_words, join_words
    from projections.rulings.audit import fate_words, verdict_lines

    entry = explanation.entry
    print_log_line(explanation.line)
    _part(
        "Declared",
        (f"#{line.number} {'  '.join(filter(None, (line.text, *line.marks)))}" for line in explanation.declared),
    )
    # Skip what the ruling's own line already says.
    _part(
        "Judged" if entry.rolls else "",
        (sentence for sentence in entry.follows if sentence.rstrip(".") not in explanation.line.text),
    )
    _part("", (line for verdict in entry.verdicts for line in verdict_lines(verdict)))
    _part("Since" if entry.lives else "It does not count", fate_words(entry))
    _part(
        "By a correction",
        (*(f"#{one.ruling} {one.sentence}" for one in explanation.corrected), *filter(None, (explanation.difference,))),
    )
    _part(
        "Readings that made it so",
        (
            f"{one.option} = {one.reading}: {one.means} [{', '.join(one.rules)}] (not so with {join_words(one.others)})"
            for one in explanation.counting
        ),
    )
    least = [one for one in explanation.nearly if one.distance == explanation.nearly[0].distance][:NEAR_MISS_LIMIT]
    _part("The least change of a die that would have changed it", map(_nearly, least))
    if more := len(explanation.nearly) - len(least):
        render.line(f"      (so would {count_words(more, 'other change')} of a die)", "faint")
    if explanation.dice and not explanation.nearly and not explanation.withheld:
        unless = ", unless a further die was rolled for it" if explanation.further else ""
        render.line(f"  No other face of any one die would have changed it{unless}.", indent=4)
    if explanation.withheld:
        render.line("  Some of what could have happened is hidden.", indent=4)


def _part(title: str, lines: Iterable[str]) -> None:
    """Print one part of an explanation, with its title if it has one."""
    texts = list(lines)
    if texts and title:
        render.line(f"  {title}:", "strong")
    for text in texts:
        render.line(f"    {text}", indent=6)


def _nearly(one: NearMiss) -> str:
    return f"with {one.faces} in place of {one.whose}'s {one.die.face} ({one.role}): {one.what}"


def _cells(change: AttributeChange) -> tuple[str, str, str, str]:
    from projections.phrases import short_moment

    when = short_moment(change.line.round, change.line.turn)
    return f"#{change.ruling}", when, f"{change.change:+}", str(change.total)
