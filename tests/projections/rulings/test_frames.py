"""The frames of a replay, one per ruling, and their JSON."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest

from mam_events.commands import Adjust, Close
from mam_events.events import Amend
from mam_events.history.timeline.rulings import living_plays, rulings
from mam_events.log.combat_log import CombatLog
from mam_events.state import Pools
from projections.rulings.frames import Frame, frames
from tests.effort import seeds
from tests.projections.evenings import evening


def film(log: CombatLog, view: str = "gm") -> dict[int, Frame]:
    return {frame.number: frame for frame in frames(rulings(log.timeline("fight")), view)}


def test_a_frame_shows_the_points_before_and_after_and_what_moved(printed_fight: CombatLog) -> None:
    frame = film(printed_fight)[17]
    assert frame.before["clone"] == Pools(0, 4, 2)
    assert frame.after["clone"] == Pools(0, 0, 2, 2, 2)
    assert frame.changed == {"clone": {"defense": -4, "stun": 2, "damage": 2}}
    assert (frame.round, frame.turn, frame.acting, frame.exchange) == (2, 1, "modre", 15)
    assert frame.ticks == ("hit",)
    assert frame.sentence.startswith("Modre's attack on Clone hits")


def test_a_newcomer_adds_its_points(printed_fight: CombatLog) -> None:
    assert film(printed_fight)[3].changed == {"clone": {"ready": 6}}
    assert "clone" not in film(printed_fight)[3].before


def test_ticks_mark_the_events_on_the_scrubber(printed_fight: CombatLog) -> None:
    printed_fight.execute("fight", Adjust("he fell", condition={"clone": "incapacitated", "modre": "dead"}))
    printed_fight.note("fight", "no!", kind="dispute", about=22)
    printed_fight.note("fight", "well played")
    printed_fight.undo("fight", 22)
    printed_fight.execute("fight", Close())
    ticks = {number: frame.ticks for number, frame in film(printed_fight).items() if frame.ticks}
    assert ticks == {
        5: ("round",),
        8: ("miss",),
        13: ("round",),
        17: ("hit",),
        23: ("dispute",),
        25: ("correction",),
        26: ("close",),
    }
    printed_fight.redo("fight")
    assert film(printed_fight)[22].ticks == ("fall", "death", "ruling")


def test_an_undone_ruling_stays_as_a_frame_without_changes(printed_fight: CombatLog) -> None:
    printed_fight.undo("fight", 6, by="Ana", reason="wrong target")
    ghost = film(printed_fight)[6]
    assert ghost.struck is not None
    assert (ghost.struck.by, ghost.struck.why) == (22, "wrong target")
    assert ghost.before == ghost.after
    assert (ghost.changed, ghost.ticks) == ({}, ())
    assert ghost.follows[1] == "Modre puts 2 points into defense and 4 points into other used."


def test_amended_and_void_rulings_are_marked(printed_fight: CombatLog) -> None:
    printed_fight.correct("fight", [Amend(17, {"attack_die": 1})])
    film_text = film(printed_fight)
    assert (film_text[17].amended, film_text[17].verdict, film_text[17].rejudged_by) == (True, "changed", 22)
    assert (film_text[21].void, film_text[21].verdict, film_text[21].changed) == (True, "void", {})


def test_frames_as_of_a_ruling_equal_those_of_the_older_log(printed_fight: CombatLog) -> None:
    before = frames(rulings(printed_fight.timeline("fight")))
    printed_fight.undo("fight", 6)
    assert frames(rulings(printed_fight.timeline("fight", as_of=21))) == before


@pytest.mark.parametrize("seed", seeds(12))
def test_every_frame_begins_where_the_one_before_ended(log: CombatLog, seed: int) -> None:
    evening(log, "fight", seed)
    fight_frames = frames(living_plays(log.timeline("fight")))
    assert fight_frames[0].before == {}
    for frame, following in pairwise(fight_frames):
        assert frame.after == following.before
    assert fight_frames[-1].after == {c.id: c.pools for c in log.timeline("fight").state.combatants.values()}
    for frame in fight_frames[4:]:
        for pools in frame.changed.values():
            assert sum(pools.values()) == 0


@pytest.mark.parametrize("seed", range(4))
def test_frames_survive_a_round_trip_through_json(log: CombatLog, seed: int) -> None:
    evening(log, "fight", seed)
    fight_frames = frames(rulings(log.timeline("fight")))
    assert msgspec.json.decode(msgspec.json.encode(fight_frames), type=list[Frame]) == fight_frames


def test_the_json_of_a_frame(printed_fight: CombatLog) -> None:
    frame = msgspec.json.decode(msgspec.json.encode(film(printed_fight)[21]))
    assert frame.pop("at").endswith("Z")
    assert frame == {
        "number": 21,
        "kind": "play",
        "do": "move",
        "by": "Ana",
        "round": 2,
        "turn": 2,
        "acting": "clone",
        "sentence": "Clone moves 3 m. Clone puts 3 points into defense.",
        "follows": ["Clone moves 3 m.", "Clone puts 3 points into defense."],
        "before": {
            "modre": {"ready": 0, "defense": 4, "other_used": 2, "stun": 0, "damage": 0},
            "clone": {"ready": 3, "defense": 0, "other_used": 0, "stun": 1, "damage": 2},
        },
        "after": {
            "modre": {"ready": 0, "defense": 4, "other_used": 2, "stun": 0, "damage": 0},
            "clone": {"ready": 0, "defense": 3, "other_used": 0, "stun": 1, "damage": 2},
        },
        "changed": {"clone": {"ready": -3, "defense": 3}},
    }
