"""Turns that a correction let pass, each with the line that plays it afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from cli.output import render
from mam_events.errors import Refused
from mam_events.state import BODY, Encounter
from projections.phrases import count_words

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.results import Answer

TURN_LIMIT = 3
"""The most lines that are shown."""
POINT_LETTERS = {"power": "p", "modifier": "m"}
"""The letters of the points of an attack in a line."""


class TurnToPlay(Struct, frozen=True):
    """A turn that nobody played, and the line that plays it now; "" if another turn comes before it."""

    combatant: str
    round: int
    line: str


def turns_to_play(session: Session, answer: Answer) -> list[TurnToPlay]:
    """Return the turns that a correction or an insert let pass; none for a view that may not insert."""
    from mam_events.history.timeline.rulings import rulings
    from projections.rulings.bookkeeping import new_passed_turns

    if session.view != "gm" or answer.repeated or not any(entry.bookkeeping for entry in answer.rejudged):
        return []
    timeline = session.log().timeline(answer.encounter)
    outcomes = next(rulings(timeline, answer.number)).outcomes
    replaced = [step for outcome in outcomes for step in outcome.replaced]
    return [
        TurnToPlay(step.combatant, step.round, _line(session, timeline, outcome.rejudged.ruling, step.combatant))
        for outcome in outcomes
        for step in new_passed_turns(outcome.bookkeeping, replaced)
    ]


def print_turns_to_play(turns: list[TurnToPlay], template: str = "{}") -> None:
    """Print how some of those turns can be played now; `template` is how a line is typed here."""
    visible = [turn for turn in turns if turn.line][:TURN_LIMIT]
    if not visible:
        return
    render.line("To play a turn that passed (r draws its dice; or type the faces instead):", indent=2)
    for turn in visible:
        render.line(f"  {template.format(turn.line)}", indent=4)
    if more := len(turns) - len(visible):
        render.line(f"  and {count_words(more, 'turn')} more")


def _line(session: Session, timeline: Timeline, before: int, combatant: str) -> str:
    """Return the line that inserts a turn of `combatant` before that ruling; "" if it cannot begin there."""
    place = timeline.place[before]
    after = next(number for number in reversed(timeline.order[:place]) if timeline.lives(number))
    order = next(_orders(session, timeline, timeline.state_before(place), combatant), "")
    return order and f"after {after} {combatant}: {order}"


def _orders(session: Session, timeline: Timeline, state: Encounter, combatant: str) -> Iterator[str]:
    """Yield likely orders of that combatant as they are typed, if their turn can begin in that state."""
    from cli.hints.examples import example_of
    from mam_events.commands import BeginTurn
    from mam_events.dice import DieNotDrawn, NewSeedNeeded
    from projections.visibility.legal_orders import allowed_templates

    try:
        begun = session.log().trial(session.encounter())(state, BeginTurn(combatant), timeline.number + 1).state
    except (Refused, NewSeedNeeded, DieNotDrawn):
        return
    own = begun.combatants[combatant]
    for do in ("attack", "ready"):
        for template in allowed_templates(session.log().rules, begun, session.redactor(), (do,)):
            if template.combatant != combatant:
                continue
            fields = example_of(template, begun)
            points = " ".join(f"{letter}{fields[name]}" for name, letter in POINT_LETTERS.items() if fields.get(name))
            if do == "attack":
                armed = [weapon.id for weapon in own.in_hand if weapon.id != BODY]
                weapon = fields.get("weapon", "") if len(armed) > 1 else ""
                yield " ".join(filter(None, ("a", fields["target"], weapon, points))) + "; r"
            else:
                pools = " ".join(f"{name[0]}{fields[name]}" for name in ("defense", "other_used") if fields.get(name))
                yield f"ready {pools}"
