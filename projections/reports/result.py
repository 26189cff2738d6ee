"""The result of a fight on one page: who won, who stands, who fell or left, and the moments that decided it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from mam_events.events import EncounterClosed
from mam_events.history.timeline.rulings import Ruling
from mam_events.history.timeline.timeline import Timeline
from mam_events.state import Condition, Encounter
from projections.analysis.luck import DecidingDie
from projections.analysis.luck_text import done_words
from projections.analysis.what_if import FightEnding, FinalFall, current_ending
from projections.phrases import capitalize, end_sentence
from projections.reports.report import before_words, best_hits, falls_in
from projections.rulings.index import RulingIndex

MOMENTS = 3
"""The number of moments that are listed."""


class ResultFall(Struct, frozen=True, omit_defaults=True):
    """A combatant who is down, dead or out of the fight, with the ruling (0: the view may not see it) and the round.

    `already` says that they joined in that condition, or that it happened before the first round.
    """

    combatant: str
    condition: Condition
    ruling: int = 0
    round: int = 0
    already: bool = False


class DecisiveMoment(Struct, frozen=True):
    """A ruling that decided the fight, and how in a few words."""

    ruling: int
    why: str


class FightResult(Struct, frozen=True):
    """The result of a fight as it now counts.

    `lead` says who won, `reason` why the fight was closed. `standing` are the ids of those who are able, by side;
    `fallen` are those who are down or dead, and `left` those who left, in the order in which it happened. `moments` are
    in story order. `before` names the fight that this one continues ("": none).
    """

    lead: str
    reason: str
    standing: Mapping[str, tuple[str, ...]]
    fallen: tuple[ResultFall, ...]
    moments: tuple[DecisiveMoment, ...]
    left: tuple[ResultFall, ...] = ()
    before: str = ""


def result_of(
    timeline: Timeline, index: RulingIndex, rulings: Sequence[Ruling], decider: DecidingDie | None
) -> FightResult | None:
    """Return the result of a fight; None if it has not begun.

    `decider` is the die that decided it, `rulings` are the shown rulings in story order.
    """
    state, redactor = timeline.state, index.redactor
    end = current_ending(timeline, redactor)
    if not state.round or not end.names:
        return None
    counting = [ruling for ruling in rulings if ruling.lives and redactor.shows(ruling)]
    numbers = {ruling.number for ruling in counting}
    falls = {
        fall: ResultFall(
            fall.combatant, fall.condition, fall.ruling if fall.ruling in numbers else 0, fall.round, fall.already
        )
        for fall in end.falls
    }
    closed = (event for ruling in counting for event in ruling.events if isinstance(event, EncounterClosed))
    reason = next((redactor.text(event.reason) for event in closed), "")
    several = len({one.side for one in redactor.combatants(state)}) > 1
    lead = _lead(end, closed=state.status == "closed", several=several)
    reasons: dict[int, str] = {}
    for ruling, why in _moments(end.falls, counting, state, index, decider):
        if ruling in numbers and len(reasons) < MOMENTS:
            reasons.setdefault(ruling, why)
    moments = tuple(
        DecisiveMoment(ruling.number, reasons[ruling.number]) for ruling in counting if ruling.number in reasons
    )
    return FightResult(
        lead,
        capitalize(end_sentence(reason)) if reason else "",
        end.standing,
        tuple(one for fall, one in falls.items() if not fall.left),
        moments,
        tuple(one for fall, one in falls.items() if fall.left),
        before_words(counting, index),
    )


def _lead(end: FightEnding, *, closed: bool, several: bool) -> str:
    """Return a sentence on who won."""
    if not end.standing:
        return "Nobody is left standing."
    if end.winner and several:
        # A single letter needs the word "side" to be understood.
        winner = end.winner if len(end.winner) > 1 else f"side {end.winner}"
        return f"{capitalize(winner)} won." if closed else f"Only {winner} left standing."
    return "The fight is over." if closed else f"The fight goes on in round {end.rounds}."


def _moments(
    falls: Sequence[FinalFall],
    counting: list[Ruling],
    state: Encounter,
    index: RulingIndex,
    decider: DecidingDie | None,
) -> Iterator[tuple[int, str]]:
    """Yield rulings that decided the fight with the reason, the most important first."""
    at = {ruling.number: place for place, ruling in enumerate(counting)}
    if decider:
        did = done_words(decider)
        yield decider.ruling, f"the die that decided: it {did}" if did else "the die that decided"
    # Within one ruling, falls come before departures.
    newest = sorted(falls, key=lambda fall: (-at.get(fall.ruling, -1), fall.left))
    fates = [(fall.ruling, _fate(fall)) for fall in newest if not fall.already]
    yield from fates[:1]
    hits = [(hit.ruling, "a hard hit") for hit in best_hits(counting, index)]
    yield from ((ruling, "the hardest hit") for ruling, _ in hits[:1])
    yield from fates[1:]
    yield from hits[1:]
    last = {fall.combatant: fall.ruling for fall in falls}
    for fall in falls_in(counting, state, index):
        stays = at.get(last.get(fall.combatant, 0), len(at))
        if at[fall.ruling] < stays and not fall.already:
            yield fall.ruling, "out for a while" if fall.has_left else "down for a while"


def _fate(fall: FinalFall) -> str:
    if fall.left:
        return "left the fight"
    return "a death" if fall.condition == "dead" else "a fall"
