"""The limits of a view, which the game master's has not: whom it knows, which rulings it sees, what it is told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.rulings.corrections import Sight
    from mam_events.rulings.timeline import Timeline


def check_side(view: str, timeline: Timeline) -> None:
    """Raise NotFound for the view of a side of which it knows nobody: that one is none."""
    from mam_events.errors import NotFound
    from mam_events.visibility import can_see

    side = view.removeprefix("side:")
    if side not in {one.side for one in timeline.state.combatants.values() if can_see(view, one.visibility)}:
        # Whoever asks for one side is not told of the others.
        raise NotFound(f'There is no side "{side}" in this fight.')


def screened(session: Session, sentence: str, told: str = "") -> str:
    """A sentence of the rules without the names of those whom the view may not know of, once an encounter is known;
    `told` is the same with references for names, where there is such a one.

    What was typed stays where the sentence quotes it: to change it would tell that it means something.
    """
    if session.view == "gm" or not session.in_fight:
        return sentence
    said = {
        part for word in session.arguments for signs in ("[=:,]", "[=:,.]") for part in (word, *re.split(signs, word))
    }
    return session.screen().told(told, said) if told else session.screen().words(sentence, said)


def sight(session: Session) -> Sight:
    """The sight of this view: it tells of a number whether that ruling is seen."""
    from mam_events.rulings.corrections import everything
    from mam_events.rulings.history import rulings

    if session.view == "gm":
        return everything
    timeline, screen = session.timeline(), session.screen()
    return lambda number: screen.shows(next(rulings(timeline, number)))


def check_shown(session: Session, number: int) -> None:
    """Refuse what names a ruling that the view may not see."""
    from mam_events.errors import Refused

    session.timeline().head(number)
    if not sight(session)(number):
        raise Refused("hidden", f"Ruling {number} is hidden.", fields=("ruling",))


def may_know(session: Session, name: str) -> bool:
    """True but for somebody in the fight of whom the view may not know."""
    return session.view == "gm" or not session.in_fight or name not in session.screen().hidden


def check_known(session: Session, combatant: str) -> None:
    """Refuse with `unknown_combatant` whoever is not in the fight, as far as the view may know."""
    from mam_events.deciding.checks import named

    state = session.timeline().state
    visible = {who.id: who for who in session.screen().combatants(state)}
    named(state if combatant in visible else type(state)(combatants=visible), combatant)


def check_free(session: Session, combatant: str) -> None:
    """Refuse with `already_joined` an id that somebody has, or had, whom the view may not know of.

    Whatever came of it else, at once or by a correction, would tell more than that.
    """
    from mam_events.rules.opening import already_joined

    if combatant in session.screen().hidden:
        raise already_joined(combatant)


def in_view(session: Session, combatant: str) -> bool:
    """True if somebody in the fight is called so, as far as the view may know."""
    return any(who.id == combatant for who in session.screen().combatants(session.timeline().state))
