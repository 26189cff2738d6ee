"""A ruling that uses a hidden ruling is hidden too: two fights that differ in the hidden one look alike."""

from __future__ import annotations

import pytest

from mam_events.commands import Open, Resolve
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from mam_events.notation.line_result import LineOptions
from mam_events.notation.submit import give_line
from projections.rulings.log_lines import log_lines
from projections.state.next_move import next_move_sentence
from projections.visibility.redaction import Redactor

SURE = LineOptions(sure=True)
PARTY = (
    "join ana heroes hp=9 w=(Sword pow=1) w=(Reaper pow=1) w=(Axe pow=1)",
    "join bo cult hp=9 w=(Club pow=1 parry=1) w=(Hook pow=1 parry=1)",
    "init first=ana because x",
    "ana",
)
THUGS = (
    "join ana heroes agility=2D brawling=3D perception=2D dodge=3D cp=3",
    "join bo cult agility=2D brawling=3D perception=2D",
    "ro ana 6 5 bo 1 2",
    "ana 2",
)
WAITED = ("ana waits", "bo 1")
ATTACK = "a bo p1 w=sword"
HIDE = "amend 6 visibility=gm"
SWORDS = (PARTY, ("reaper", "axe"))
FIGHTS = {
    "given behind it": (*SWORDS, (ATTACK, HIDE, "amend 6 weapon={}", "r 5 3")),
    "given before it": (*SWORDS, (ATTACK, "r 5 3", HIDE, "amend 6 weapon={}")),
    "inserted": (*SWORDS, (ATTACK, "r 5 3", HIDE, "amend 6 weapon={}", "after 6: bo: d 1")),
    "a parry": (PARTY, ("club", "hook"), (ATTACK, "bo: parry {}", "amend 7 visibility=gm", "r 5 3")),
    "an action that is rolled": (THUGS, ("punch", "kick"), ("ana: {} bo brawling v5 3 4 seen=gm", "result")),
    "its total": (THUGS, ("3 4", "2 3"), ("ana: punch bo v5 {} seen=gm", "result")),
    "a point on a related skill": (
        THUGS,
        ("1", "5"),
        (
            "ana: roll-related skill=perception primary=brawling v5 5",
            "ana: spend character related {} seen=gm",
            "punch bo v5 3 4",
        ),
    ),
    "a result that another one hangs on": (
        THUGS,
        ("success", "failure"),
        (*WAITED, "bo: punch ana v5 3 4 2", "ana: interrupt dodge 3 4", "result {} seen=gm", "result success"),
    ),
    "a result that damage hangs on": (
        THUGS,
        ("success", "failure"),
        ("ana: punch bo v5 3 4", "result {} seen=gm", "ana: roll damage code=3D 1 2 3"),
    ),
    "one that is hidden later": (THUGS, ("3 4", "2 3"), ("ana: punch bo v5 {}", "amend 7 visibility=gm", "result")),
}


def public(fight: str, secret: str) -> list[str]:
    """Return the log lines of that fight that everybody sees."""
    party, _, lines = FIGHTS[fight]
    with CombatLog.open("sqlite://") as log:
        log.execute("fight", Open("ron_d6" if party is THUGS else "mam_pools"))
        for line in (*party, *lines):
            assert give_line(log, "fight", line.format(secret), SURE).answers, line
        all_rulings = list(rulings(log.timeline("fight")))
        return [line.text for line in log_lines(all_rulings, Redactor("public", all_rulings))]


@pytest.mark.parametrize("fight", list(FIGHTS))
def test_a_ruling_that_uses_a_hidden_one_is_hidden(fight: str) -> None:
    one, other = (public(fight, secret) for secret in FIGHTS[fight][1])
    assert one == other
    assert one[-1] == "", "it is hidden as well"


def test_a_reaction_does_not_reveal_another_hidden_reaction() -> None:
    with CombatLog.open("sqlite://") as log:
        log.execute("fight", Open())
        for line in (*PARTY, "join cy cult hp=9", ATTACK, "cy: i body p1 seen=gm", "bo: d 1"):
            give_line(log, "fight", line, SURE)
        all_rulings = list(rulings(log.timeline("fight")))
        assert [line.hidden for line in log_lines(all_rulings, Redactor("public", all_rulings))][-2:] == [True, False]


@pytest.mark.parametrize("hides", ["before", "behind"])
def test_a_proposal_is_as_hidden_as_the_rulings_its_order_names(hides: str) -> None:
    with CombatLog.open("sqlite://") as log:
        log.execute("fight", Open())
        for line in (*PARTY, ATTACK, *([HIDE] if hides == "before" else [])):
            give_line(log, "fight", line, SURE)
        log.note("fight", "so", kind="proposal", order=Resolve(6))
        give_line(log, "fight", HIDE if hides == "behind" else "amend 6 weapon=axe", SURE)
        all_rulings = list(rulings(log.timeline("fight")))
        hidden_by_line = {line.number: line.hidden for line in log_lines(all_rulings, Redactor("public", all_rulings))}
        assert hidden_by_line[8 if hides == "before" else 7]


def test_the_total_of_an_open_action_does_not_reveal_a_hidden_point() -> None:
    texts = set()
    for face in ("3", "5"):
        with CombatLog.open("sqlite://") as log:
            log.execute("fight", Open("ron_d6"))
            for line in (*THUGS, "ana: punch bo v5 3 4", f"ana: spend character action {face} seen=gm"):
                assert give_line(log, "fight", line, SURE).answers, line
            timeline = log.timeline("fight")
            texts.add(next_move_sentence(timeline.state, Redactor("public", rulings(timeline)), log.rules))
    assert len(texts) == 1
    assert "came to" not in texts.pop()
