"""Indirect ways to reveal a secret: inserts, corrections, late hiding, and the export."""

from __future__ import annotations

import pytest

from mam_events.archive import export_ndjson
from mam_events.commands import (
    Act,
    Adjust,
    Attack,
    BeginTurn,
    Body,
    Defend,
    EndTurn,
    Hold,
    Initiative,
    Interfere,
    Join,
    Manipulate,
    Open,
    PoolMove,
    Resolve,
    Tackle,
)
from mam_events.events import Amend, Restore, RulingRejudged, Strike
from mam_events.fights.toml_writer import write_fight
from mam_events.history.timeline.rulings import rulings
from mam_events.log import draft
from mam_events.log.combat_log import CombatLog
from mam_events.state import ArmorPiece, Weapon
from mam_events.store import decode
from mam_events.visibility import of_command
from projections.rulings.audit import audit_trail
from tests.projections.visibility.test_hidden_names import assert_hidden

HIDDEN = Join("xw", name="Greywolf", hp=9, visibility="gm", weapon=(Weapon("fangs", power=2),))


@pytest.fixture
def cave(log: CombatLog) -> CombatLog:
    for command in (
        Open(),
        Join("rook", hp=9, body=Body(reach=3)),  # type: ignore[arg-type]  # metres are read from a whole number too
        Join("rat", hp=9),
        HIDDEN,
        Initiative(first="rook", reason="quick"),
        BeginTurn("rook"),
        Attack("rook", "rat", power=2, modifier=1),
        Defend("rat", 7, 2),
        Resolve(7, 3, 2),
    ):
        log.execute("fight", command)
    return log


def assert_secret(log: CombatLog, *secrets: str) -> None:
    exported = b"".join(export_ndjson(log, "fight", view="public")).decode().lower()
    for secret in secrets:
        assert secret not in exported
        assert_hidden(log, "public", secret)


def test_a_roll_of_a_hidden_combatant_stays_hidden_after_an_undo(cave: CombatLog) -> None:
    cave.execute("fight", Interfere("xw", 7, 7, points=2), after=8)
    assert_secret(cave, "xw", "greywolf", "fangs")
    cave.undo("fight", 7)
    assert_secret(cave, "xw", "greywolf", "fangs")


def test_a_hidden_combatant_hit_by_a_thrown_body_hides_the_ruling(cave: CombatLog) -> None:
    coat = ArmorPiece("coat", cover=6, absorption=1)
    cave.execute("fight", Join("bear", hp=9, size=3))
    cave.execute("fight", Join("xw2", name="Greyfox", hp=9, visibility="gm", armor=(coat,)))
    cave.execute("fight", Manipulate("rook", "bear", points=4, modifier=1, follow_up="throw", into="xw2"))
    roll = cave.timeline("fight").number
    cave.execute_all("fight", [Defend("bear", roll, 1), Resolve(roll, 6, 1, into_die=3)])
    assert cave.timeline("fight").state.combatants["xw2"].pools.stun == 1
    assert {head.visibility for head in cave.timeline("fight").heads[roll - 1 :]} == {"gm"}
    assert_secret(cave, "xw2", "greyfox", "coat")


def choke_wolf(cave: CombatLog) -> None:
    """Let Rook choke the hidden wolf, up to Rook's next turn, in which the choke goes on: the newest ruling."""
    cave.execute_all(
        "fight", [EndTurn("rook"), BeginTurn("rat"), EndTurn("rat"), BeginTurn("xw"), Act("xw", "creeps", points=4)]
    )
    creeping = cave.timeline("fight").number
    cave.execute("fight", Tackle("rook", creeping, creeping, power=3, follow_up="choke"))
    cave.execute("fight", Resolve(creeping, 1, interference_die={str(creeping + 1): 6}))
    for command in (EndTurn("xw"), BeginTurn("rook")):
        cave.execute("fight", command)


def test_a_ruling_that_affects_a_hidden_combatant_is_hidden(cave: CombatLog) -> None:
    choke_wolf(cave)
    assert cave.timeline("fight").heads[-1].visibility == "gm"
    assert_secret(cave, "xw", "greywolf")
    cave.execute("fight", EndTurn("rook"))
    assert cave.timeline("fight").heads[-1].visibility == "public"
    # The other rulings are hidden again when the fight is played, so only the join has a visibility.
    assert write_fight(cave.timeline("fight"), "again").count("visibility") == 1


def test_a_public_ruling_of_an_older_program_is_withheld(cave: CombatLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draft, "of_play", lambda command, state, _: of_command(command, state))
    choke_wolf(cave)
    assert cave.timeline("fight").heads[-1].visibility == "public"
    assert audit_trail(rulings(cave.timeline("fight")), "public")[-1].hidden
    assert_secret(cave, "xw", "greywolf")


def test_the_export_hides_a_hidden_name_in_the_reason_of_a_void_ruling(cave: CombatLog) -> None:
    cave.undo("fight", 2)
    assert_secret(cave, "xw", "greywolf")


def test_the_export_hides_a_hidden_name_in_sentences_about_an_order(cave: CombatLog) -> None:
    cave.execute_all("fight", [EndTurn("rook"), BeginTurn("rat")])
    attack = cave.execute("fight", Attack("rat", "rook", modifier=1, mode="cautious")).number
    cave.execute("fight", Adjust(reason="out of the dark", hold=(Hold("xw", "grip", 3, held="rat"),)))
    cave.execute("fight", Resolve(attack))
    assert "Greywolf" in audit_trail(rulings(cave.timeline("fight")))[-1].sentence
    assert_secret(cave, "xw", "greywolf")


def test_held_by_a_hidden_combatant_looks_like_held(cave: CombatLog) -> None:
    cave.execute("fight", EndTurn("rook"))
    cave.execute("fight", BeginTurn("rat"))
    cave.execute("fight", Adjust(reason="out of the dark", hold=(Hold("xw", "grip", 3, 2, "rat"),)))
    attack = cave.execute("fight", Attack("rat", "rook", modifier=1)).number
    cave.execute("fight", Resolve(attack, 3, 2))
    entry = audit_trail(rulings(cave.timeline("fight")), "public")[-1]
    assert "-2 held (MAM-MNP-05)" in " ".join(entry.follows)
    assert_secret(cave, "xw", "greywolf")


def test_an_insert_after_a_hidden_insert_is_hidden_if_it_depends_on_it(cave: CombatLog) -> None:
    cave.undo("fight", 8, rewind=True)
    cave.execute("fight", Interfere("xw", 7, 7, points=2), after=7)
    cave.execute("fight", Resolve(7), after=7)
    assert_secret(cave, "xw", "greywolf")


def test_a_hidden_combatant_is_still_hidden_after_a_redo(cave: CombatLog) -> None:
    cave.execute("fight", Join("ghost", hp=7, visibility="gm"), after=3)
    cave.execute("fight", Adjust("boo", move=(PoolMove("ghost", "ready", "stun", 1),)), after=3)
    cave.correct("fight", [Strike(10)])
    assert_secret(cave, "ghost")
    cave.redo("fight")
    assert_secret(cave, "ghost")


def test_a_combatant_hidden_by_an_amendment_is_hidden_in_the_export(cave: CombatLog) -> None:
    cave.correct("fight", [Amend(3, {"visibility": "gm"})])
    assert_secret(cave, '"rat"')


def test_the_undo_of_a_hidden_correction_is_hidden(cave: CombatLog) -> None:
    cave.execute("fight", Adjust("hurt", move=(PoolMove("xw", "ready", "stun", 1),)))
    cave.undo("fight")
    cave.correct("fight", [Restore(11)], reason="hurt after all")
    assert [ruling.visibility for ruling in rulings(cave.timeline("fight"), 10)] == ["gm"] * 3
    assert_secret(cave, "hurt after all")


def test_a_correction_with_an_undrawn_die_is_asked_about_if_more_follows(cave: CombatLog) -> None:
    assert not cave.preview("fight", [Amend(9, {"attack_die": None})]).touches_more
    cave.execute("fight", Adjust("so be it"))
    assert cave.preview("fight", [Amend(9, {"attack_die": None})]).touches_more
    assert cave.preview_insert("fight", Resolve(7), 7).touches_more


def test_outcomes_judged_again_after_hiding_a_combatant_are_hidden(cave: CombatLog) -> None:
    cave.correct("fight", [Amend(3, {"visibility": "gm", "hp": 5})])
    events = [decode(topic, state) for _, topic, state in cave.application.rows("fight")]
    visibility_by_ruling = {event.ruling: event.visibility for event in events if isinstance(event, RulingRejudged)}
    assert visibility_by_ruling
    assert set(visibility_by_ruling.values()) == {"gm"}
    assert_secret(cave, '"rat"')
