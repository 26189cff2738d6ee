"""A sentence for every event and a clause for every command, for the audit, the log lines and the replay.

They are read aloud at a noisy table, so they are short: names, points, and the pools that points move between. Each
module of this package has those of one section.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from msgspec import Struct

from mam_events import events as e
from mam_events.decider.merge import merge_unique
from mam_events.history.judge.verdicts import without_totals
from projections.phrases import end_sentence, join_words
from projections.sentences.types import phrase_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.rulings.index import RulingContext
    from projections.sentences.types import Clauses, Parts, Rolls, Sentences
    from projections.visibility.redaction import Redactor

_SECTIONS = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
SENTENCES: Sentences = merge_unique(getattr(section, "SENTENCES", {}) for section in _SECTIONS)
CLAUSES: Clauses = merge_unique(getattr(section, "CLAUSES", {}) for section in _SECTIONS)
PARTS: Parts = merge_unique(getattr(section, "PARTS", {}) for section in _SECTIONS)
"""Events of an exchange in a word or two; any other event uses its sentence."""
ROLLS: Rolls = merge_unique(getattr(section, "ROLLS", {}) for section in _SECTIONS)
"""Events of rolls outside an exchange, as parts of a log line."""


def event_sentence(event: e.Event, scene: RulingContext) -> str:
    """Return the sentence of an event."""
    return end_sentence(phrase_for(SENTENCES, scene.redactor.read(event), scene))


def event_sentences(events: Iterable[e.Event], scene: RulingContext) -> tuple[str, ...]:
    """Return a sentence for each event."""
    return tuple([event_sentence(event, scene) for event in events])


def outcome_difference(
    before: Sequence[e.Event], after: Sequence[e.Event], scene: RulingContext, scene_then: RulingContext
) -> str:
    """Return the difference between two outcomes of a ruling, in the sentences of the events that differ.

    `scene_then` is the context of the events `before`. Rolls are left out unless nothing else differs; then the result
    of the rolls comes first.
    """
    if not before:
        return "possible again"
    gone, gained = (
        [event for event in these if without_totals(event) not in map(without_totals, others)]
        for these, others in ((before, after), (after, before))
    )
    only_rolls = all(isinstance(event, e.RollMade) for event in (*gone, *gained))
    old, new = (
        [event for event in events if only_rolls or not isinstance(event, e.RollMade)] for events in (gone, gained)
    )
    was, now = (
        [event_sentence(event, place).rstrip(".") for event in events]
        for events, place in ((old, scene_then), (new, scene))
    )
    reasoned = (event for event in after if any(_whys(scene.redactor, event)))
    came_of = next((event_sentence(event, scene).rstrip(".") for event in reasoned), "") if only_rolls else ""
    if came_of:
        return "; ".join([f"as before, {came_of}", *([] if now == was else [_turned(now, was)])])
    if now and now == was:
        return f"{'; '.join(now)} ({_other_fields(old, new)})"
    return _turned(now, was)


def _turned(now: Sequence[str], was: Sequence[str]) -> str:
    """Return the new sentences, with the old ones that they replace."""
    if not was:
        return f"{'; '.join(now)} (did not happen before)"
    return f"{'; '.join(now)} (was: {'; '.join(was)})" if now else f"no longer happens: {'; '.join(was)}"


def other_sums(before: Sequence[e.Event], after: Sequence[e.Event], redactor: Redactor) -> str:
    """Return the totals that differ between two otherwise equal outcomes: `5 against 7 (was: 4 against 7)`.

    Returns "" if none differ.
    """
    pairs = list(zip(before, after, strict=False))
    for words in (partial(_whys, redactor), _rolled):
        sums = [
            f"{now} (was: {was})" for a, b in pairs for was, now in zip(words(a), words(b), strict=False) if was != now
        ]
        if sums:
            return "; ".join(sums)
    return ""


def _whys(redactor: Redactor, event: e.Event) -> Iterator[str]:
    if "why" in event.totals and (why := getattr(event, "why", None)):
        yield redactor.reason(why)


def _rolled(value: object) -> Iterator[int]:
    """Yield the totals of all rolls in an event or a part of one."""
    if isinstance(value, tuple):
        for part in value:
            yield from _rolled(part)
    elif isinstance(value, Struct):
        if "total" in getattr(value, "totals", ()):
            yield value.total  # type: ignore[attr-defined]  # the class lists it in `totals`
        for name in value.__struct_fields__:
            yield from _rolled(getattr(value, name))


def _other_fields(old: Iterable[e.Event], new: Iterable[e.Event]) -> str:
    """Return how events with equal sentences differ: `in another place around the table, with another reach`."""
    pairs = [(a, b) for a, b in zip(old, new, strict=False) if type(a) is type(b)]
    names = dict.fromkeys(name for a, b in pairs for name in _differing(a, b))
    others = join_words([name.replace("_", " ") for name in names if name not in _ANOTHER])
    phrases = [_ANOTHER[name] for name in names if name in _ANOTHER]
    return ", ".join([*phrases, *([f"with another {others}"] if others else [])])


_ANOTHER = {"seat": "in another place around the table"}
"""Words for the difference of a field whose name alone says little."""


def _differing(a: Struct, b: Struct) -> Iterator[str]:
    for name in [name for name in a.__struct_fields__ if name not in getattr(a, "totals", ())]:
        x, y = getattr(a, name), getattr(b, name)
        if isinstance(x, Struct) and type(x) is type(y):
            yield from _differing(x, y)
        elif x != y:
            yield name


def headline(events: tuple[e.Event, ...], scene: RulingContext) -> str:
    """Return the outcome in short, as one text."""
    return " ".join(headlines(events, scene))


def headlines(events: tuple[e.Event, ...], scene: RulingContext) -> list[str]:
    """Return the outcome in short: the sentences of the events that are not details."""
    main_events = [event for event in events if not is_detail(event)]
    return [event_sentence(event, scene) for event in main_events or events]


def is_detail(event: e.Event) -> bool:
    """Return True if an event only says how something happened."""
    if isinstance(event, e.HitPointsSpent):
        # The sentence of an attack or a reaction includes its cost, that of a step or a drawn weapon does not.
        return event.purpose not in {"move", "equipment"}
    return isinstance(event, e.RollMade | e.ArmorChecked | e.ActionTaken) or (
        isinstance(event, e.CounterattackResolved) and event.outcome == "fail"
    )
