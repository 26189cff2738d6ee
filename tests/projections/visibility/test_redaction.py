"""Redacted sentences: hidden references are removed, quoted requests stay."""

from __future__ import annotations

import pytest

from mam_events.commands import Join
from mam_events.decider.checks import require_combatant
from mam_events.errors import Refused
from mam_events.log.combat_log import CombatLog
from mam_events.refusals.arguments import Term
from projections.visibility.viewer import Viewer
from tests.projections.visibility.test_secrets import cave

__all__ = ["cave"]


@pytest.fixture
def viewer(cave: CombatLog) -> Viewer:
    """Return the public view of a fight of Rook and Rat, in which Greywolf and Abe are hidden."""
    cave.execute("fight", Join("abe", name="Abe", hp=9, visibility="gm"))
    return Viewer("public", cave.timeline("fight"))


@pytest.mark.parametrize("guess", ["xw", "Greywolf", "abe orc xw", "known: xw, abe", "Did you mean xw?"])
def test_a_refusal_quotes_the_request_unchanged(viewer: Viewer, guess: str) -> None:
    refusal = Refused("unknown_option", wrong=guess, allowed=[Term("xw"), Term("ready")])
    assert viewer.error_sentence(refusal).startswith(f'There is no option "{guess}". ')
    # These are names of orders or things, not of combatants.
    assert viewer.allowed(refusal) == ("xw", "ready")


def test_a_refusal_lists_only_combatants_visible_to_the_view(viewer: Viewer) -> None:
    with pytest.raises(Refused) as error:
        require_combatant(viewer.timeline.state, "abi")
    assert 'Did you mean "abe"?' in error.value.sentence
    assert viewer.error_sentence(error.value) == 'Nobody called "abi" is in this fight. Known: rook, rat.'
    assert viewer.allowed(error.value) == ("rook", "rat")
    assert Viewer("gm", viewer.timeline).error_sentence(error.value) == error.value.sentence
