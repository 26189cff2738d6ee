"""Three evenings in short lines give the same rulings as in commands."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mam_events.commands import Close
from mam_events.events import Head, Note, Play
from mam_events.fights import play
from mam_events.log.combat_log import CombatLog
from mam_events.notation.line_result import LineOptions
from mam_events.notation.submit import give_line
from mam_events.state import Encounter
from tests.notation.evenings import NAMES, fight, joins, lines, seated


def orders_and_notes(heads: list[Head | Any]) -> list[Any]:
    """Return the orders and notes among those heads."""
    return [content_of(head) for head in heads[1:] if isinstance(head, Play | Note)]


def content_of(head: Play | Note) -> Any:
    if isinstance(head, Note):
        return (head.text, head.kind, head.about, head.by)
    return replace(head.command, seed="") if isinstance(head.command, Close) else head.command


def without_commitment(state: Encounter) -> Encounter:
    return replace(state, commitment="")


@pytest.mark.parametrize("name", NAMES)
def test_short_lines_give_the_same_rulings_as_commands(name: str) -> None:
    other_log = CombatLog.open("sqlite://")
    play(other_log, fight(name))
    here_log, encounter = seated(name)
    for line in lines(name):
        answer = give_line(here_log, encounter, line, LineOptions(by=fight(name).by))
        assert answer.stopped is None
        assert len(answer.said) == len(answer.answers)
    assert without_commitment(here_log.at(encounter)) == without_commitment(other_log.at(encounter))
    assert orders_and_notes(here_log.timeline(encounter).heads) == orders_and_notes(other_log.timeline(encounter).heads)


@pytest.mark.parametrize("name", NAMES)
def test_the_long_form_of_every_line_gives_the_same_rulings(name: str) -> None:
    first, encounter = seated(name)
    second, _ = seated(name)
    for line in lines(name):
        for long in give_line(first, encounter, line).said:
            assert give_line(second, encounter, long, LineOptions(sure=True)).said == (long,)
    assert without_commitment(first.at(encounter)) == without_commitment(second.at(encounter))


@pytest.mark.parametrize("name", NAMES)
def test_everybody_can_join_by_short_lines(name: str) -> None:
    other_log, encounter = seated(name)
    log = CombatLog.open("sqlite://")
    log.execute(encounter, fight(name).opening.what)  # type: ignore[arg-type]  # no remark
    for line in joins(name):
        give_line(log, encounter, line)
    assert log.at(encounter).combatants == other_log.at(encounter).combatants
