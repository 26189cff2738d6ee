"""One sentence for every fact and one clause for every order: what the audit, the log lines and the replay say.

Sentences are heard at a noisy table: short, the combatants' names, the points and the pools they move between. A module
of this package brings those of its section.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from msgspec import Struct

from mam_events import events as e
from mam_events.deciding.registry import merged
from mam_events.rulings.rejudging import bare
from projections.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.casebook import Scene
    from projections.sentences.tables import Clauses, Parts, Rolls, Sentences

_SECTIONS = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
SENTENCES: Sentences = merged(getattr(section, "SENTENCES", {}) for section in _SECTIONS)
CLAUSES: Clauses = merged(getattr(section, "CLAUSES", {}) for section in _SECTIONS)
PARTS: Parts = merged(getattr(section, "PARTS", {}) for section in _SECTIONS)
"""Facts of an exchange in a word or two; any other is told by its sentence."""
ROLLS: Rolls = merged(getattr(section, "ROLLS", {}) for section in _SECTIONS)
"""Facts of rolls outside an exchange, in the parts of a line."""


def tell(fact: e.Event, scene: Scene) -> str:
    """The sentence of one fact."""
    return SENTENCES[type(fact)](scene.screen.read(fact), scene)


def follows(facts: Iterable[e.Event], scene: Scene) -> tuple[str, ...]:
    """A sentence for each of the facts."""
    return tuple([tell(fact, scene) for fact in facts])


def difference(before: Sequence[e.Event], after: Sequence[e.Event], scene: Scene, then: Scene) -> str:
    """The difference between two outcomes of one ruling, in the sentences of the facts that they do not share: those of
    before as the scene was `then`.

    Rolls are left out unless nothing else differs: what matters is what came of them, which is told before them then.
    """
    if not before:
        return "possible again"
    lost, found = (
        [fact for fact in these if bare(fact) not in map(bare, others)]
        for these, others in ((before, after), (after, before))
    )
    only_rolls = all(isinstance(fact, e.RollMade) for fact in (*lost, *found))
    old, new = ([fact for fact in facts if only_rolls or not isinstance(fact, e.RollMade)] for facts in (lost, found))
    was, now = ([tell(fact, place).rstrip(".") for fact in facts] for facts, place in ((old, then), (new, scene)))
    came_of = next((tell(fact, scene).rstrip(".") for fact in after if any(_whys(fact))), "") if only_rolls else ""
    if came_of:
        return "; ".join([f"as before, {came_of}", *([] if now == was else [_turned(now, was)])])
    if now and now == was:
        return f"{'; '.join(now)} (different: {_other_fields(old, new)})"
    return _turned(now, was)


def _turned(now: Sequence[str], was: Sequence[str]) -> str:
    """Sentences with those in whose place they stand."""
    if not was:
        return f"{'; '.join(now)} (did not happen before)"
    return f"{'; '.join(now)} (was: {'; '.join(was)})" if now else f"no longer happens: {'; '.join(was)}"


def other_sums(before: Sequence[e.Event], after: Sequence[e.Event]) -> str:
    """The sums in which two outcomes differ that are the same else: `5 against 7 (was: 4 against 7)`; "" for none."""
    pairs = list(zip(before, after, strict=False))
    for found in (_whys, _rolled):
        told = [
            f"{now} (was: {was})" for a, b in pairs for was, now in zip(found(a), found(b), strict=False) if was != now
        ]
        if told:
            return "; ".join(told)
    return ""


def _whys(fact: e.Event) -> Iterator[str]:
    if "why" in fact.totals and (why := getattr(fact, "why", "")):
        yield why


def _rolled(told: object) -> Iterator[int]:
    """The totals of rolls, wherever a fact has them."""
    if isinstance(told, tuple):
        for part in told:
            yield from _rolled(part)
    elif isinstance(told, Struct):
        if "total" in getattr(told, "totals", ()):
            yield told.total  # type: ignore[attr-defined]  # as its class has just said
        for name in told.__struct_fields__:
            yield from _rolled(getattr(told, name))


def _other_fields(old: Iterable[e.Event], new: Iterable[e.Event]) -> str:
    """The difference of facts that read the same, by the names of their fields."""
    pairs = [(a, b) for a, b in zip(old, new, strict=False) if type(a) is type(b)]
    return listed(list(dict.fromkeys(name.replace("_", " ") for a, b in pairs for name in _differing(a, b))))


def _differing(a: Struct, b: Struct) -> Iterator[str]:
    for name in [name for name in a.__struct_fields__ if name not in getattr(a, "totals", ())]:
        x, y = getattr(a, name), getattr(b, name)
        if isinstance(x, Struct) and type(x) is type(y):
            yield from _differing(x, y)
        elif x != y:
            yield name


def headline(facts: tuple[e.Event, ...], scene: Scene) -> str:
    """The outcome in short: the sentences of the facts, without those that only tell how."""
    told = [fact for fact in facts if not is_detail(fact)]
    return " ".join(tell(fact, scene) for fact in told or facts)


def is_detail(fact: e.Event) -> bool:
    """True if a fact only tells how something came about."""
    if isinstance(fact, e.HitPointsSpent):
        # What an attack or a reaction costs is in its own sentence; what a step or a drawn weapon costs is not.
        return fact.purpose not in {"move", "equipment"}
    return isinstance(fact, e.RollMade | e.ArmorChecked | e.ActionTaken) or (
        isinstance(fact, e.CounterattackResolved) and fact.outcome == "fail"
    )
