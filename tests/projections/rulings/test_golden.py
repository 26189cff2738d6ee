"""The log, the audit and the pools of the printed fight."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mam_events.commands import Adjust, Move, PoolMove
from mam_events.events import Amend
from mam_events.fights import load_fight, play
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from mam_events.state import POOLS, Pools
from projections.rulings import audit, log_lines
from projections.rulings.frames import frames
from tests.projections.conftest import GOLDEN
from tests.projections.fold import pools_after

EXAMPLES = Path(__file__).parents[3] / "examples"

PRINTED_TABLE = {
    4: ("6/0/0/0/0", "6/0/0/0/0"),
    6: ("0/2/4/0/0", "6/0/0/0/0"),
    7: ("0/2/4/0/0", "0/6/0/0/0"),
    8: ("0/2/4/0/0", "0/6/0/0/0"),
    12: ("0/2/4/0/0", "3/3/0/0/0"),
    14: ("3/2/1/0/0", "3/3/0/0/0"),
    15: ("0/4/2/0/0", "3/3/0/0/0"),
    16: ("0/4/2/0/0", "0/4/2/0/0"),
    17: ("0/4/2/0/0", "0/0/2/2/2"),
    19: ("0/4/2/0/0", "0/0/3/1/2"),
    20: ("0/4/2/0/0", "3/0/0/1/2"),
    21: ("0/4/2/0/0", "0/3/0/1/2"),
}
"""Ready, defense, other used, stun and damage of both after those rulings, as the rules print them."""


def five_pools(pools: Pools) -> str:
    return "/".join(str(getattr(pools, name)) for name in POOLS)


def log_text(log: CombatLog, view: str = "gm") -> str:
    return "".join(
        f"{log_lines.log_line_text(line)}\n" for line in log_lines.log_lines(rulings(log.timeline("fight")), view)
    )


def audit_text(log: CombatLog, view: str = "gm") -> str:
    return "".join(f"{audit.audit_text(entry)}\n" for entry in audit.audit_trail(rulings(log.timeline("fight")), view))


@pytest.mark.parametrize("name", ["three-in-a-row", "giant-and-duellist"])
def test_the_log_of_an_example_fight(name: str) -> None:
    with CombatLog.open("sqlite://") as log:
        play(log, load_fight(EXAMPLES / f"{name}.toml"), "fight")
        assert log_text(log) == (GOLDEN / f"{name}.log.txt").read_text(encoding="utf-8")


def test_the_log_of_the_printed_fight(printed_fight: CombatLog, golden: Callable[[str], str]) -> None:
    assert log_text(printed_fight) == golden("log")


def test_the_audit_of_the_printed_fight(printed_fight: CombatLog, golden: Callable[[str], str]) -> None:
    assert audit_text(printed_fight) == golden("audit")


def test_the_pools_of_the_printed_fight_after_every_ruling(
    printed_fight: CombatLog, golden: Callable[[str], str]
) -> None:
    lines = [
        f"#{frame.number:<3} {'  '.join(f'{name} {five_pools(pools)}' for name, pools in frame.after.items())}".rstrip()
        for frame in frames(rulings(printed_fight.timeline("fight")))
    ]
    assert "".join(f"{line}\n" for line in lines) == golden("pools")


def test_the_pools_match_the_printed_table(printed_fight: CombatLog) -> None:
    timeline = printed_fight.timeline("fight")
    pools_by_ruling = {frame.number: frame.after for frame in frames(rulings(timeline))}
    for number, (modre, clone) in PRINTED_TABLE.items():
        assert {name: five_pools(pools) for name, pools in pools_by_ruling[number].items()} == {
            "modre": modre,
            "clone": clone,
        }
        events = [event for ruling in rulings(timeline) if ruling.number <= number for event in ruling.events]
        assert [five_pools(row.pools) for row in pools_after(events)] == [modre, clone]


def test_disputes_and_corrections_of_the_printed_fight(printed_fight: CombatLog, golden: Callable[[str], str]) -> None:
    """Corrections, an insert, an adjustment and notes; 29 undoes 27 and 30 redoes it."""
    log = printed_fight
    log.note("fight", "was that a tie?", kind="dispute", about=17, by="Ben")
    amendment = Amend(20, {"other_used": 2, "defense": 1})
    log.correct("fight", [Amend(17, {"attack_die": 1}), amendment], by="Ana", reason="misread")
    log.undo("fight", 6, by="Ana", reason="wrong target")
    log.redo("fight", by="Ana")
    log.execute("fight", Move("clone", 1), by="Ben", after=20)
    word = Adjust("the blade only grazed", move=(PoolMove("modre", "damage", "stun", 1),), answers=22)
    log.execute("fight", word, by="Ana")
    log.note("fight", "thank you", about=27, by="Ben")
    log.undo("fight", by="Ana", reason="tie rule")
    log.redo("fight", by="Ana")
    log.note("fight", "it looked like one from here", kind="answer", about=22, by="Kim")
    log.note("fight", "the blade only grazed", kind="decision", about=22, corrections=(23, 27), by="Ana")
    log.note("fight", "no, he ran", kind="dispute", about=21, rule="MAM-MNV-01", by="Kim")
    assert log_text(log) == golden("disputed.log")
    assert audit_text(log) == golden("disputed.audit")


def test_the_log_and_the_audit_of_a_fight_at_close_quarters(log: CombatLog) -> None:
    """A disarming, a choke and two attempts to escape."""
    play(log, load_fight(EXAMPLES / "under-the-tarpaulin.toml"), "fight")
    texts = {"log": log_text(log), "audit": audit_text(log)}
    assert texts == {
        name: (GOLDEN / f"under-the-tarpaulin.{name}.txt").read_text(encoding="utf-8") for name in ("log", "audit")
    }
