"""Warnings to the game master that a ruling is hidden, or stays hidden, though nobody asked for that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from projections.phrases import join_words

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.events import Correction, Play
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.results import Answer


def warn_hidden(session: Session, answer: Answer, timeline: Timeline) -> None:
    """Warn the game master about rulings that are hidden though nobody asked for that.

    A ruling is hidden with a hidden combatant whom it concerns, even if its actor is visible. An amendment that reveals
    somebody may leave rulings hidden. Only the game master may know.
    """
    from mam_events.events import Correction, Play
    from mam_events.visibility import GAME_MASTER

    if session.view != GAME_MASTER:
        return
    if isinstance(answer.head, Play):
        _say_hidden(session, answer.head, answer, timeline)
    elif isinstance(answer.head, Correction):
        _say_left_hidden(session, answer.head, timeline)


def _say_hidden(session: Session, head: Play, answer: Answer, timeline: Timeline) -> None:
    from mam_events.commands import Initiative, RollInitiative, actor_of
    from mam_events.history.corrections.reveal import hidden_as_written
    from mam_events.visibility import PUBLIC, of_events

    command, state = head.command, answer.state
    if head.visibility == PUBLIC or command.visibility != PUBLIC:
        return
    hidden = [one for one in state.combatants.values() if one.visibility != PUBLIC]
    people = [one for one in hidden if of_events((command, *answer.events), (one,)) != PUBLIC]
    doers = state.order if isinstance(command, Initiative) else getattr(command, "combatants", (actor_of(command),))
    visible_doers = [name for name in doers if name and name not in {one.id for one in hidden}]
    if not people or not visible_doers:
        return
    names = {one.id for one in people}
    join_numbers = (number for number, who in _joined(timeline).items() if who in names)
    numbers = sorted({*join_numbers, *hidden_as_written(timeline, names), answer.number})
    names_text, are = join_words([one.name for one in people]), "is" if len(people) == 1 else "are"
    session.say(
        f"Ruling {answer.number} is hidden from the players because {names_text} {are} hidden. "
        f"To reveal {names_text}: {_revealing_line(session, numbers)}"
    )
    if isinstance(command, RollInitiative) and names.intersection(command.combatants):
        roll_line = session.typed(f"mam initiative roll {' '.join(visible_doers)}")
        session.say(f"Or undo the roll and roll separately: {roll_line}")


def _say_left_hidden(session: Session, head: Correction, timeline: Timeline) -> None:
    """Print the rulings that were hidden with somebody who is revealed now, and concern nobody hidden any more."""
    from mam_events.events import Amend
    from mam_events.history.corrections.reveal import hidden_as_written
    from mam_events.visibility import PUBLIC

    names_by_number = _joined(timeline)
    if not any(
        isinstance(s, Amend) and s.ruling in names_by_number and s.patch.get("visibility") == PUBLIC for s in head.steps
    ):
        return
    if numbers := hidden_as_written(timeline):
        session.say(f"Still hidden from the players: {join_words([*map(str, numbers)])}. {_to_show(session, numbers)}")


def _to_show(session: Session, numbers: Sequence[int]) -> str:
    return f"To show {'it' if len(numbers) == 1 else 'them'}: {_revealing_line(session, numbers)}"


def _revealing_line(session: Session, numbers: Sequence[int]) -> str:
    """Return the command that shows those rulings to everybody."""
    return session.typed(f"mam amend {' '.join(map(str, numbers))} visibility=public --yes")


def _joined(timeline: Timeline) -> dict[int, str]:
    """Return the rulings with which combatants joined, as far as they count, with their combatants."""
    from mam_events.commands import Join

    commands = ((number, timeline.command(number)) for number in timeline.order if timeline.lives(number))
    return {number: command.combatant for number, command in commands if isinstance(command, Join)}
