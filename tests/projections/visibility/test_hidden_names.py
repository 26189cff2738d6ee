"""The name of a hidden combatant is in no view that must not see it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from mam_events.commands import Adjust, Attack, BeginTurn, Command, EndTurn, Initiative, Join, Open, Resolve
from mam_events.errors import Refused
from mam_events.events import Amend, Strike
from mam_events.history.timeline.rulings import living_plays, rulings
from mam_events.log.combat_log import CombatLog
from mam_events.rules.rulebook import rulebook
from mam_events.state import Weapon
from projections.cache.encounters import encounters
from projections.reports.report import report
from projections.rulings.audit import audit_trail
from projections.rulings.frames import frames
from projections.rulings.log_lines import log_lines
from projections.rulings.verdicts import Judgement
from projections.state.turn_order import project_turn_order
from projections.visibility.redaction import HIDDEN_NAME, Redactor
from tests.effort import seeds
from tests.play import PARTY
from tests.projections.evenings import evening, open_fight
from tests.projections.fold import events_of, order_in, pools_after

SECRET = "ghost"
GHOST = Join(
    "ghost-1",
    name="Ghost",
    side="foes",
    hp=6,
    weapon=(Weapon("spook", name="Ghost knife", power=2, attack=4),),
    visibility="gm",
)
PREPARED: tuple[Command, ...] = (
    Open(title="The Ghost of the mill"),
    Join("ana", name="Ana", hp=6),
    Join("bo", name="Bo", hp=6),
    GHOST,
    Initiative(first="ana", reason="the ghost sleeps"),
    BeginTurn("ana"),
    Attack("ana", "bo", power=1),
    Resolve(7, 3, 4),
    Attack("ana", "ghost-1", modifier=1),
    Resolve(9, 6, 1),
    EndTurn("ana", reason="ghost, she says"),
    BeginTurn("bo"),
    Attack("bo", "ana", power=1),
    Resolve(13, 3, 4),
    EndTurn("bo"),
    BeginTurn("ghost-1"),
    Attack("ghost-1", "ana", "spook", power=2),
    Resolve(17, 6, 1),
    Adjust("the Ghost did it", condition={"bo": "out"}),
)


def views_of(log: CombatLog, view: str, encounter: str = "fight") -> dict[str, Any]:
    """Return every view of everything that was written."""
    timeline = log.timeline(encounter)
    preset_readings = rulebook().ruleset("mam_pools").pinned.readings
    return {
        "pools": pools_after(events_of(log, encounter), view),
        "initiative": order_in(log, view, encounter),
        "order": project_turn_order(timeline.state, view),
        "audit": audit_trail(rulings(timeline), view),
        "log": log_lines(rulings(timeline), view),
        "replay": frames(rulings(timeline), view),
        "film": frames(living_plays(timeline), Redactor(view, rulings(timeline))),
        "report": report(rulings(timeline), timeline.state, view, preset_readings=preset_readings),
        "encounters": encounters(log, view)[encounter],
    }


def assert_hidden(log: CombatLog, view: str, secret: str = SECRET, encounter: str = "fight") -> None:
    for name, output in views_of(log, view, encounter).items():
        text = msgspec.json.encode(output).decode().lower()
        at = text.find(secret)
        assert at < 0, f"{name}: …{text[max(0, at - 200) : at + 100]}…"


@pytest.fixture
def haunted(log: CombatLog) -> CombatLog:
    log.execute_all("fight", PREPARED, by="Kim")
    return log


def test_the_game_master_sees_the_hidden_name_everywhere(haunted: CombatLog) -> None:
    for name, output in views_of(haunted, "gm").items():
        assert SECRET in msgspec.json.encode(output).decode().lower(), name


@pytest.mark.parametrize("view", ["public", "side:heroes", "side:foes"])
def test_other_views_do_not_see_the_hidden_name(haunted: CombatLog, view: str) -> None:
    assert_hidden(haunted, view)


def test_corrections_disputes_and_refusals_do_not_show_the_hidden_name(haunted: CombatLog) -> None:
    log = haunted
    log.note("fight", "is it the Ghost?", kind="dispute", about=8, by="Ben")
    log.note("fight", "GHOST-1 again")
    log.correct("fight", [Amend(13, {"target": "ghost-1"})], by="Kim", reason="it was the ghost")
    assert_hidden(log, "public")
    log.undo("fight", 22, by="Kim")
    log.correct("fight", [Strike(9), Strike(7)], by="Kim", reason="no ghost, no fight")
    assert_hidden(log, "public")
    log.undo("fight", 12, rewind=True, by="Kim", reason="back to before the ghost")
    log.execute("fight", BeginTurn("bo"), by="Kim")
    log.undo("fight", 4, by="Kim", reason="the ghost never came")
    with pytest.raises(Refused):
        log.correct("fight", [Amend(6, {"combatant": "ghost-1"})], by="Kim")
    assert_hidden(log, "public")


def test_a_reason_of_a_void_ruling_does_not_show_the_hidden_name(haunted: CombatLog) -> None:
    log = haunted
    log.undo("fight", 16, rewind=True)
    log.execute_all("fight", [BeginTurn("ghost-1"), EndTurn("ghost-1"), BeginTurn("ana")])
    for steps in ([Strike(22)], [Strike(21)]):
        log.correct("fight", steps, turns="strict")
        assert "Ghost" in audit_trail(rulings(log.timeline("fight")))[22].why
        assert HIDDEN_NAME in audit_trail(rulings(log.timeline("fight")), "public")[22].why
        assert_hidden(log, "public")


def test_a_combatant_hidden_by_an_amendment_is_hidden_from_the_start(log: CombatLog) -> None:
    log.execute_all("fight", [*PREPARED[:3], replace(GHOST, visibility="public"), *PREPARED[4:]], by="Kim")
    log.correct("fight", [Amend(4, {"visibility": "gm"})], by="Kim")
    assert_hidden(log, "public")
    hidden = [line.number for line in log_lines(rulings(log.timeline("fight")), "public") if line.hidden]
    assert hidden == [4, 5, 9, 10, 16, 17, 18, 20], "what hides it is hidden too"


def test_a_hidden_ruling_shows_only_its_number_and_a_mark(haunted: CombatLog) -> None:
    played_rulings = list(rulings(haunted.timeline("fight")))
    (line,) = [line for line in log_lines(played_rulings, "public") if line.number == 9]
    assert (line.hidden, line.text, line.marks, line.round, line.kind) == (True, "", ("▒ hidden",), 0, "")
    (entry,) = [entry for entry in audit_trail(played_rulings, "public") if entry.number == 9]
    assert msgspec.structs.replace(entry, number=0, hidden=False) == type(entry)(number=0)
    (frame,) = [frame for frame in frames(played_rulings, "public") if frame.number == 9]
    assert msgspec.json.decode(msgspec.json.encode(frame)) == {"number": 9, "hidden": True, "marks": ["▒ hidden"]}


def test_the_order_shows_neither_a_hidden_combatant_nor_the_reason(haunted: CombatLog) -> None:
    order = order_in(haunted, "public")
    assert [(row.position, row.name) for row in order.rows] == [(1, "Ana"), (2, "Bo")]
    assert (order.acting, order.why, order.rule) == ("", "", "")
    assert order_in(haunted).acting == "ghost-1"


def test_a_hidden_correction_shows_that_a_ruling_is_undone_but_not_why(haunted: CombatLog) -> None:
    haunted.correct("fight", [Strike(9), Strike(7)], by="Kim", reason="a secret")
    (line,) = [line for line in log_lines(rulings(haunted.timeline("fight")), "public") if line.number == 7]
    assert (line.struck, line.marks) == (True, ("↶ by 20",))


def test_a_side_sees_its_own_hidden_combatant(log: CombatLog) -> None:
    open_fight(log, "fight", (*PARTY[:2], replace(GHOST, visibility="side:foes")))
    assert_hidden(log, "side:heroes")
    assert_hidden(log, "public")
    assert {row.name for row in pools_after(events_of(log), "side:foes")} == {"ana", "bo", "Ghost"}


@pytest.mark.parametrize("seed", seeds(24))
def test_no_random_evening_reveals_the_hidden_name(log: CombatLog, seed: int) -> None:
    open_fight(log, "fight", (*PARTY[:2], GHOST))
    evening(log, "fight", seed)
    log.note("fight", "where is the ghost?", by="Ben")
    assert_hidden(log, "public")


def test_names_that_only_look_similar_are_not_redacted(haunted: CombatLog) -> None:
    haunted.execute("fight", Join("ghost-rider", name="Ghost's rider", hp=3))
    redactor = Redactor("public", rulings(haunted.timeline("fight")))
    assert redactor.text("Ghost's rider and ghost-rider meet the Ghost, GHOST-1; ghostly.") == (
        f"Ghost's rider and ghost-rider meet the {HIDDEN_NAME}, {HIDDEN_NAME}; ghostly."
    )
    command = Adjust("GHOST-1 holds", condition={"ghost-1": "out", "ana": "out"}, turn="ghost-1")
    assert redactor.plain(command) == {
        "do": "adjust",
        "reason": f"{HIDDEN_NAME} holds",
        "condition": {HIDDEN_NAME: "out", "ana": "out"},
        "turn": HIDDEN_NAME,
    }


def test_a_correction_shows_no_verdict_of_a_hidden_ruling(haunted: CombatLog) -> None:
    haunted.undo("fight", 7, by="Kim")
    public, all_of_it = (audit_trail(rulings(haunted.timeline("fight")), view)[-1] for view in ("public", "gm"))
    assert Judgement(9, "hidden") in public.verdicts
    assert all(verdict.verdict == "hidden" for verdict in public.verdicts if verdict.ruling in {9, 10, 16, 17, 18})
    assert all(verdict.verdict != "hidden" for verdict in all_of_it.verdicts)
    assert [verdict.ruling for verdict in public.verdicts] == [verdict.ruling for verdict in all_of_it.verdicts]


def test_a_note_about_a_ruling_hidden_later_is_hidden(log: CombatLog) -> None:
    log.execute_all("fight", [*PREPARED[:3], replace(GHOST, visibility="public"), *PREPARED[4:10]], by="Kim")
    log.note("fight", "well aimed", about=9, by="Ben")
    log.correct("fight", [Amend(4, {"visibility": "gm"})], by="Kim")
    assert audit_trail(rulings(log.timeline("fight")), "public")[10].hidden
    assert audit_trail(rulings(log.timeline("fight")))[10].sentence == (
        "Ben notes on 9 (Ana attacks Ghost with the body): well aimed."
    )


def test_the_title_of_a_hidden_opening_is_not_shown(log: CombatLog) -> None:
    log.execute_all("fight", [Open(title="Ambush at the ford", visibility="gm"), Join("ana", hp=6)])
    timeline = log.timeline("fight")
    readings = rulebook().ruleset("mam_pools").pinned.readings
    reports = {
        view: report(rulings(timeline), timeline.state, view, preset_readings=readings).title
        for view in ("gm", "public")
    }
    assert reports == {"gm": "Ambush at the ford", "public": ""}
    assert_hidden(log, "public", "ambush")


def test_names_that_amendments_replaced_stay_hidden(haunted: CombatLog) -> None:
    log = haunted
    log.note("fight", "the Ghost moans")
    log.correct("fight", [Amend(4, {"name": "Spectre"})])
    log.note("fight", "the spectre wails")
    log.correct("fight", [Amend(4, {"name": "Wraith"})])
    log.note("fight", "a wraith indeed")
    for name in ("ghost", "spectre", "wraith"):
        assert_hidden(log, "public", name)
