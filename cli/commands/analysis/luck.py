"""The command luck: all dice of a fight compared with their expected values, and the die that decided it."""

from __future__ import annotations

from cli.command_class import command_decorator
from cli.output import render
from cli.output.progress import progress_bar
from cli.session import Session, pass_session
from cli.shared_options import view_command_options


@command_decorator("luck", "mam luck", "mam luck --json")
@view_command_options
@pass_session
def luck(session: Session) -> None:
    """Show how lucky everybody was: the dice of the fight compared with the average, and which die decided it.

    The dice of all rulings that still stand count, whether drawn, thrown or amended. The probability of their sum is
    exact. Half a hit counts one half. The deciding die is the last one that felled somebody or kept somebody up, if
    another of its faces would have left another side, or no single side, able at the end. The fight is judged again
    with such a face, and nothing is written. If nobody fell, the deciding die is the one that cost most points. Dice
    that were drawn and then undone are listed.
    """
    from projections.analysis.luck import luck as luck_of
    from projections.analysis.luck_text import luck_words

    timeline, redactor = session.timeline(), session.redactor()
    with progress_bar(session, "Judging again", 2 * len(timeline.order)) as step:
        summary = luck_of(timeline, session.log().rules, redactor, step)
    if session.json:
        render.json_line(summary, encounter=session.encounter())
        return
    for sentence in luck_words(summary):
        render.line(sentence, indent=2)
    if any(fortune.chance is None for fortune in summary.fortunes):
        render.line(f"(Fewer than {summary.few} dice are too few to judge luck.)", "faint")
