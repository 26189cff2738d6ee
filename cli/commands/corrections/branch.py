"""The command branch: a fight continued from one of its moments as a separate fight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command_class import command_decorator
from cli.output import render
from cli.session import Session, pass_session
from cli.shared_options import write_command_options
from mam_events.errors import BadInput

if TYPE_CHECKING:
    from mam_events.log.results import Answer


@command_decorator(
    "branch",
    "mam branch --at 14 --id what-if-he-ran",
    "mam branch --at round:2 --id second-try -e duel",
)
@click.option("--at", "moment", metavar="N|round:N", help="After ruling N, or after round N (now, if left out).")
@click.option("--id", "name", required=True, metavar="NAME", help="The id of the new fight.")
@write_command_options
@pass_session
def branch(session: Session, moment: str | None, name: str) -> None:
    """Continue from a moment of the fight as a separate fight.

    Every ruling up to now is copied unchanged, with its seal. One more ruling names the moment at which the branch
    leaves, and later rulings don't count in it. The fight itself stays as it is. The branch has dice of its own, which
    reveal nothing about the dice that the fight may still draw. `mam diff` compares the two.
    """
    if session.view != "gm":
        raise BadInput(
            "A branch contains the whole fight, so only the game master can make one (--as gm).", place="branch"
        )
    answer = session.log().branch(
        session.encounter(),
        name,
        moment,
        by=session.author,
        command_id=session.clean_command_id,
        expected=session.expected,
    )
    _show(session, answer, moment)


def _show(session: Session, answer: Answer, moment: str | None) -> None:
    from cli.output.ruling import print_lines, say_next
    from mam_events.events import Branch

    head = answer.head
    assert isinstance(head, Branch)  # noqa: S101 - a branch begins with one
    session.speak_of(answer.encounter)
    timeline = session.log().timeline(answer.encounter)
    if session.json:
        fields = {"encounter": answer.encounter, "ruling": answer.number, "repeated": answer.repeated}
        render.json_line(fields | {"parent": head.parent, "behind": head.behind, "commitment": head.commitment})
        return
    if answer.repeated:
        session.say(f"Nothing was written: {answer.encounter} was already begun like this.")
    print_lines(session, timeline, [answer.number])
    if moment is None and head.behind < answer.number - 1:
        session.say(
            f"The branch has all {answer.number - 1} rulings of {head.parent}. "
            f"The last order that counts is {head.behind}."
        )
    if not answer.repeated:
        session.say_default_encounter(answer.encounter, is_newest=True)
    say_next(session, timeline)
