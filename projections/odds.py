"""The odds of a roll before it is made: the chance of every outcome, what the die must show, the harm to expect."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from mam_events import events as e
from projections.sentences.brief import OUTCOMES, RESULTS
from projections.sentences.words import exchange_words

if TYPE_CHECKING:
    from mam_events.deciding.odds import Case
    from mam_events.dice import Die
    from mam_events.state import Combatant, Encounter
    from projections.casebook import Scene

HALVES = {"success": "full", "failure": "fail"}
"""Results that have no half, as the others are called."""
SHOOTS = (e.AttackResolved, e.CounterattackResolved, e.RamResolved)


class Chances(Struct, frozen=True):
    """One thing that is decided: of whom and what, and how likely it comes out `full`, `half` or `fail`.

    `words` are those outcomes as people call them, `needs` is what the one die that decides, or the difference of the
    two, must be ("": no such simple thing).
    """

    subject: str
    chances: dict[str, float]
    words: dict[str, str]
    needs: str = ""


class Harm(Struct, frozen=True):
    """The harm that somebody has to expect, in points on average, and how likely it is down afterwards."""

    combatant: str
    name: str
    stun: float
    damage: float
    down: float


class Odds(Struct, frozen=True):
    """All that the open dice decide, over so many `ways` in which they may fall; `left_out` is the chance of those that
    were too unlikely to be followed to their end.
    """

    chances: tuple[Chances, ...]
    harm: tuple[Harm, ...]
    ways: int
    left_out: float


def odds(found: Iterable[Case], before: Encounter, scene: Scene) -> Odds:
    """The odds over those cases, in the state before the dice fall; `scene` names whom they are about."""
    ways, left_out = 0, Fraction(0)
    outcomes: dict[str, dict[str, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    falls: dict[str, list[tuple[tuple[Die, ...], str]]] = defaultdict(list)
    words: dict[str, Mapping[str, str]] = {}
    harm: dict[str, list[Fraction]] = defaultdict(lambda: [Fraction(0)] * 3)
    for case in found:
        ways += 1
        if case.judging is None:
            left_out += case.probability
            continue
        for subject, outcome, kind in _decided(case.judging.events, scene):
            outcomes[subject][outcome] += case.probability
            falls[subject].append((case.dice, outcome))
            words[subject] = OUTCOMES if kind in SHOOTS else RESULTS
        for name, hurt in _hurt(before, case.judging.state):
            harm[name] = [sum_ + case.probability * worth for sum_, worth in zip(harm[name], hurt, strict=True)]
    return Odds(
        tuple(
            Chances(
                subject, {o: float(p) for o, p in chances.items()}, dict(words[subject]), _needs(falls[subject], ways)
            )
            for subject, chances in outcomes.items()
        ),
        tuple(Harm(name, scene.name(name), *map(float, worth)) for name, worth in harm.items() if any(worth)),
        ways,
        float(left_out),
    )


def _decided(events: Iterable[e.Event], scene: Scene) -> Iterator[tuple[str, str, type[e.Event]]]:
    """What is decided by those events: whose and what, the outcome, the kind of event that tells it."""
    for event in events:
        told: Any = event
        outcome = getattr(event, "outcome", None)
        if outcome is not None:
            yield _subject(told, scene), HALVES.get(outcome, outcome), type(event)


def _subject(event: Any, scene: Scene) -> str:
    action = getattr(event, "action", 0)
    done = scene.action(action) if isinstance(action, int) and action else None
    if done is not None:
        return f"{scene.name(done.combatant)}'s {done.kind}"
    if hasattr(event, "combatant"):
        what = getattr(event, "what", "") or action or "roll"
        return f"{scene.name(event.combatant)}'s {what}"
    return exchange_words(event.exchange, scene)


def _hurt(before: Encounter, after: Encounter) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """Everybody with the points of stun and damage that it took, and 1 if it went down."""
    for name, now in after.combatants.items():
        was = before.combatants.get(name)
        if was is not None and (was.pools, was.condition) != (now.pools, now.condition):
            yield name, (now.pools.stun - was.pools.stun, now.pools.damage - was.pools.damage, _down(was, now))


def _down(was: Combatant, now: Combatant) -> int:
    return int(was.condition == "able" and now.condition != "able")


def _needs(falls: list[tuple[tuple[Die, ...], str]], ways: int) -> str:
    """What the die must show, where one die decides; or how it must stand to the other one, where two do."""
    if len(falls) != ways or not any(outcome == "full" for _, outcome in falls):
        return ""
    dice = len(falls[0][0])
    if dice not in (1, 2) or any(len(fallen) != dice for fallen, _ in falls):
        return ""
    sums = {(fallen[0].face - (fallen[1].face if dice == 2 else 0), outcome == "full") for fallen, outcome in falls}  # noqa: PLR2004 - its own and another
    good, bad = ([face for face, full in sums if full is wanted] for wanted in (True, False))
    if not bad:
        return "whatever falls"
    if set(good) & set(bad) or min(good) < max(bad):
        return ""
    least = min(good)
    if dice == 1:
        return f"{least} or more"
    if least:
        return f"{least} above the die against it" if least > 0 else f"at most {-least} below the die against it"
    return "as much as the die against it"
