"""Verdicts: `carried` means the same dice, outcome and changes with other totals, rounds or words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import get_args

import msgspec
import pytest

from mam_events.commands import BeginTurn, EndTurn, Initiative, Open
from mam_events.events import TYPES, Amend, AttackResolved, EvasionTaken, Event, Strike
from mam_events.history.judge.verdicts import compare, verdict_words
from mam_events.log.combat_log import CombatLog
from mam_events.refusals.arguments import MessageArgument
from mam_events.state import Effect
from tests.fighters import CLONE, MODRE

Printed = Callable[[str], CombatLog]

ONLY_TELL = {"why", "reason", "text", "pools", "modifiers", "total", "difficulty", "absorbed", "left", "round"}
"""Fields that never contain a die, an outcome or a change, in any event."""


def parts(kind: object) -> Iterator[type[msgspec.Struct]]:
    """Yield a type of event and every type that its fields are made of."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and not issubclass(kind, MessageArgument):
        yield kind
        for field in msgspec.structs.fields(kind):
            yield from parts(field.type)
    for inner in get_args(kind):
        yield from parts(inner)


@pytest.mark.parametrize("topic", [topic for topic, kind in TYPES.items() if kind.__module__.startswith("mam_events.")])
def test_informational_fields_are_declared_as_totals(topic: str) -> None:
    kind = TYPES[topic]
    if kind.__module__ == "mam_events.events.heads":
        return
    fields = set(kind.__struct_fields__)
    assert fields & ONLY_TELL <= set(kind.totals)
    for part in parts(kind):
        assert set(getattr(part, "totals", ())) <= set(part.__struct_fields__)


def test_a_miss_with_other_totals_is_carried(printed: Printed) -> None:
    """MAM-ATK-02: the attack misses with two points of modifier less, too."""
    rulings = {r.ruling: r for r in printed("fight").preview("fight", [Amend(6, {"modifier": 1})]).rejudged}
    resolved_event = next(event for event in rulings[8].events if isinstance(event, AttackResolved))
    assert verdict_words(resolved_event).why == "4 against 7", "it was 5 against 7"
    assert rulings[8].verdict == "carried"


def test_another_outcome_with_the_same_dice_is_changed(printed: Printed) -> None:
    verdicts = {r.ruling: r.verdict for r in printed("fight").preview("fight", [Amend(7, {"points": 1})]).rejudged}
    assert verdicts[8] == "changed"


def test_a_round_with_another_number_is_carried(log: CombatLog) -> None:
    for command in (Open(), MODRE, CLONE, Initiative(), *(BeginTurn("modre"), EndTurn("modre")), BeginTurn("clone")):
        log.execute("fight", command)
    for name in ("clone", "modre", "clone", "modre", "clone"):
        log.execute_all("fight", [EndTurn(name), BeginTurn("modre" if name == "clone" else "clone")])
    before = log.timeline("fight").state.round
    answer = log.correct("fight", [Strike(number) for number in range(9, 13)])
    assert log.timeline("fight").state.round == before - 1
    assert {entry.verdict for entry in answer.rejudged} == {"carried"}


def test_a_part_of_an_event_with_other_totals_is_carried() -> None:
    first, second = (event(turn) for turn in (3, 4))
    assert compare((first,), (second,)) == "carried"
    assert compare((first,), (msgspec.structs.replace(second, combatant="bo"),)) == "changed"


def event(turn: int) -> Event:
    return EvasionTaken("ana", Effect("evasion", 2, "MAM-MNV-01", turn=turn))
