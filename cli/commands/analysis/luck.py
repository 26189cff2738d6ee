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
    """Show how lucky everybody was: the dice of the fight against what such dice come to, and which one decided it.

    Counted are the dice of what still stands, drawn, thrown or amended. How unlikely their sum is, is exact; half a
    hit counts one half. The die that decided is the last one that felled somebody or kept somebody up, and of which
    another face would have left another side, or none alone, able at the end. The fight is judged again with that face,
    and nothing is written. Where nobody fell, it is the one that cost most points. Dice that were drawn and undone are
    named.
    """
    from projections.analysis.luck import luck as luck_of
    from projections.analysis.luck_text import luck_words

    timeline, redactor = session.timeline(), session.redactor()
    with progress_bar(session, "Judging again", 2 * len(timeline.order)) as step:
        found = luck_of(timeline, session.log().rules, redactor, step)
    if session.json:
        render.json_line(found, encounter=session.encounter())
        return
    for told in luck_words(found):
        render.line(told, indent=2)
    if any(fortune.chance is None for fortune in found.fortunes):
        render.line(f"(Fewer than {found.few} dice are too few to judge luck.)", "faint")
