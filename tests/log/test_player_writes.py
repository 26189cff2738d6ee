"""Player writes by every method: they can't harm others, probe for hidden rulings, or write unreadable rows."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from mam_events.commands import (
    Act,
    Adjust,
    Attack,
    BeginTurn,
    Check,
    Close,
    Command,
    Declare,
    EndTurn,
    Initiative,
    Interfere,
    Interrupt,
    Join,
    Modify,
    Move,
    MoveUp,
    Open,
    Parry,
    Pass,
    Perform,
    PoolMove,
    Resolve,
    Result,
    Roll,
    RollInitiative,
    Round,
    SkipTurn,
    StayMounted,
    ThrowDie,
    Wait,
)
from mam_events.errors import BadInput, Refused
from mam_events.events import Amend, Note, Strike
from mam_events.history.timeline.moments import place_at
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from mam_events.notation.line_result import LineOptions
from mam_events.notation.submit import give_line
from mam_events.permissions import Rights
from mam_events.visibility import PUBLIC
from projections.notes.proposals import proposals
from projections.rulings.log_lines import log_lines
from projections.state.activities import activities
from projections.visibility.player_author import PlayerAuthor
from projections.visibility.redaction import Redactor
from projections.visibility.viewer import Viewer
from tests.rules.fights.mounts import RIDDEN

ANA, BO = (Rights("player", name.title(), (name,)) for name in ("ana", "bo"))
CODES = {"perception": "3D", "agility": "3D", "brawling": "4D", "cooking": "9D", "dodge": "3D"}


@pytest.fixture
def log() -> Iterator[CombatLog]:
    with CombatLog.open("sqlite://") as log:
        yield log


def begin(log: CombatLog, *orders: Command, preset: str = "mam_pools", **rules: str) -> None:
    """Begin a fight of Ana and Bo, on two sides, with those orders."""
    people = [Join(name, side=f"{name}s", hp=None if preset == "ron_d6" else 9) for name in ("ana", "bo")]
    if preset == "ron_d6":
        people = [Join(name, side=f"{name}s", kind="pc", code=CODES) for name in ("ana", "bo")]
    log.execute_all("fight", [Open(preset, house_rules=rules), *people, *orders])


def pools(log: CombatLog, *orders: Command, **rules: str) -> None:
    begin(log, Initiative(first="ana", reason="x"), BeginTurn("ana"), *orders, **rules)


def rounds(log: CombatLog, *orders: Command) -> None:
    begin(
        log, Round(), RollInitiative(("ana", "bo"), dice={"ana": (6, 5, 5), "bo": (2, 2, 2)}), *orders, preset="ron_d6"
    )


def error_of(log: CombatLog, rights: Rights, *orders: Command) -> Refused:
    """Return the error for the last of those orders."""
    theirs_log = log.limited_to(rights)
    with pytest.raises(Refused) as error:
        theirs_log.execute_all("fight", orders) if len(orders) > 1 else theirs_log.execute("fight", orders[0])
    return error.value


def test_a_player_cannot_end_anothers_turn_with_actions_left(log: CombatLog) -> None:
    """RD6-INIT-04: beginning a turn would end the turn before; the game master, or a player of both, may do it."""
    rounds(log, Declare("ana", 3))
    for order in (Declare("bo", 1), SkipTurn("bo")):
        error = error_of(log, BO, order)
        assert (error.code, "ana still has actions left" in error.sentence) == ("turn_in_progress", True)
    log.limited_to(ANA).execute("fight", Wait("ana"))
    log.limited_to(BO).execute("fight", Declare("bo", 1))


def test_the_game_master_can_end_a_turn_with_actions_left(log: CombatLog) -> None:
    rounds(log, Declare("ana", 3))
    log.limited_to(Rights()).execute("fight", Declare("bo", 1))


def test_a_player_cannot_move_up_for_a_reason_of_the_game_master(log: CombatLog) -> None:
    """RD6-ACT-06."""
    rounds(log)
    for because in ("gm_allows", "resist_mental_attempt"):
        assert error_of(log, BO, MoveUp("bo", because, 2)).code == "not_yours"


def test_a_player_cannot_use_a_skill_that_is_not_listed(log: CombatLog) -> None:
    """RD6-LIST-01."""
    rounds(log, Declare("ana", 2))
    error = error_of(log, ANA, Perform("ana", "punch", skill="cooking"))
    assert (error.code, error.fields, error.allowed) == ("not_yours", ("skill",), ("brawling",))
    assert error_of(log, ANA, Roll("ana", "damage", skill="cooking")).fields == ("skill",)
    log.limited_to(ANA).execute("fight", Perform("ana", "punch", skill="brawling"))


def test_a_roll_after_an_action_is_made_once(log: CombatLog) -> None:
    """RD6-FREE-02: the game master may allow another roll, and an undone roll does not count."""
    rounds(log, Declare("ana", 1), Perform("ana", "punch", target="bo", code="4D", dice=(3, 3, 3, 3)))
    log.execute("fight", Result(7, "success"))
    glance = Roll("ana", "glance", exchange=7)
    first = log.limited_to(ANA).execute("fight", glance).number
    assert error_of(log, ANA, glance).code == "already_rolled"
    second_number = log.execute("fight", glance).number
    log.correct("fight", [Strike(first), Strike(second_number)])
    log.limited_to(ANA).execute("fight", glance)


@pytest.mark.parametrize("rules", [{}, {"defense_resolution": "fixed_difficulty"}])
def test_a_player_cannot_resolve_before_the_target_reacted(log: CombatLog, rules: dict[str, str]) -> None:
    """MAM-ATK-03: even if the attacker's die is the only one and is to be drawn."""
    pools(log, Attack("ana", "bo", power=1), **rules)
    log.limited_to(ANA).execute("fight", ThrowDie("ana", 6))
    assert error_of(log, ANA, Resolve(6)).code == "awaits_reaction"
    log.limited_to(BO).execute("fight", Pass("bo", 6))


@pytest.mark.parametrize("visibility", ["side:bos", "gm"])
def test_a_player_cannot_hide_a_reaction_from_the_attacker(log: CombatLog, visibility: str) -> None:
    pools(log, Attack("ana", "bo", power=1))
    for order in (Pass("bo", 6, visibility=visibility), ThrowDie("bo", 6, visibility=visibility)):
        assert error_of(log, BO, order).fields == ("visibility",)


def test_a_thrown_die_is_visible_to_all_who_see_its_exchange(log: CombatLog) -> None:
    """Nobody reacts after a die is shown, so an error would reveal a hidden one, even from the game master."""
    pools(log, Attack("ana", "bo", power=1), Pass("bo", 6))
    with pytest.raises(Refused, match="Everyone who sees an action sees its passes and dice") as error:
        log.execute("fight", ThrowDie("bo", 6, 2, visibility="gm"))
    assert (error.value.code, error.value.fields) == ("seen_by_all", ("visibility",))
    number = log.execute("fight", ThrowDie("bo", 6, 2)).number
    with pytest.raises(Refused) as error:
        log.correct("fight", [Amend(number, {"visibility": "gm"})])
    assert error.value.code == "seen_by_all"
    for order in (ThrowDie("bo", 6, 3), Resolve(6, defense_die=3)):
        assert "2" not in error_of(log, BO, order).sentence


@pytest.mark.parametrize("hidden", ["note", "check"])
def test_a_refused_undo_does_not_reveal_if_a_hidden_ruling_is_a_note(log: CombatLog, hidden: str) -> None:
    pools(log)
    log.limited_to(ANA).execute("fight", Move("ana", points=1))
    if hidden == "note":
        log.note("fight", "the trap is armed", visibility="gm")
    else:
        log.execute("fight", Check("bo", "easy", visibility="gm"))
    with pytest.raises(Refused, match="until somebody else acts") as error:
        log.limited_to(ANA).undo("fight")
    assert error.value.code == "not_yours"


def test_a_die_of_a_hidden_exchange_can_be_hidden(log: CombatLog) -> None:
    pools(log, Attack("ana", "bo", power=1, visibility="gm"))
    assert log.execute("fight", ThrowDie("bo", 6, 2, visibility="gm")).head.visibility == "gm"


def test_only_the_last_of_a_players_orders_may_draw_a_die(log: CombatLog) -> None:
    """An error after a die, with all of it undone, would reveal the die."""
    pools(log, Attack("ana", "bo", power=1), Pass("bo", 6), ThrowDie("bo", 6, 3))
    before = log.timeline("fight").number
    orders = (Resolve(6, attack_die=4), Act("ana", "runs"), BeginTurn("ana"))
    error = error_of(log, ANA, *orders)
    assert (error.code, log.timeline("fight").number) == ("no_draw", before)
    log.execute_all("fight", [Resolve(6, attack_die=4), Act("ana", "runs")])


def test_a_players_line_is_written_up_to_its_die(log: CombatLog) -> None:
    """MAM-PHASE-04: an error after the die stops the line and undoes nothing."""
    pools(log, Attack("ana", "bo", power=1), Pass("bo", 6), ThrowDie("bo", 6, 3))
    before = log.timeline("fight").number
    author = PlayerAuthor(lambda timeline: Viewer("side:anas", timeline), ("ana",))
    answer = give_line(log, "fight", "4; a bo p99", LineOptions(by="Ana", author=author))
    assert (len(answer.answers), log.timeline("fight").number) == (1, before + 1)
    assert answer.stopped is not None
    assert answer.stopped.unused == "a bo p99"


def test_a_note_does_not_prevent_an_undo_but_inserts_cannot_be_undone(log: CombatLog) -> None:
    pools(log)
    moved = log.limited_to(ANA).execute("fight", Move("ana", points=1), by="Ana").number
    log.note("fight", "so be it", by="Vera")
    log.limited_to(ANA).correct("fight", [Strike(moved)], by="Ana")
    inserted = log.execute("fight", Initiative(first="ana", reason="y"), by="Ana", after=3).number
    with pytest.raises(Refused):
        log.limited_to(ANA).correct("fight", [Strike(inserted)], by="Ana")


ABSURD = (
    Attack("ana", "bo", distance=Decimal("1E+999999999")),
    Attack("ana", "bo", distance=Decimal("sNaN")),
    Attack("ana", "bo", distance=Decimal("1E-999999999")),
    Join("cal", hp=3, stride=Decimal("Infinity")),
)


@pytest.mark.parametrize("order", ABSURD, ids=repr)
def test_an_impossible_distance_is_refused_in_a_proposal(log: CombatLog, order: Command) -> None:
    pools(log)
    with pytest.raises(Refused) as error:
        log.limited_to(ANA).note("fight", "", kind="proposal", order=order)
    assert error.value.code == "impossible_distance"


@pytest.mark.parametrize("order", ABSURD, ids=repr)
def test_a_log_with_an_impossible_distance_in_a_proposal_can_be_read(
    log: CombatLog, order: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pools(log)
    monkeypatch.setattr("mam_events.log.combat_log.check_proposal", bool)
    answer = log.note("fight", "", kind="proposal", order=order)
    assert isinstance(answer.head, Note)
    timeline = log.timeline("fight")
    assert "proposes" in list(log_lines(rulings(timeline), Redactor("gm")))[-1].text


def test_a_proposed_order_has_a_maximum_length(log: CombatLog) -> None:
    pools(log)
    long = Join("cal", hp=3, ability={f"a{number}": 1 for number in range(2000)})
    with pytest.raises(BadInput, match="at most 10,000"):
        log.limited_to(ANA).note("fight", "", kind="proposal", order=long)


def test_a_proposal_shows_every_field_of_its_order(log: CombatLog) -> None:
    pools(log, Attack("ana", "bo", power=1))
    order = Resolve(6, attack_die=6, defense_die=1, situation=("ana +9 reach", "bo -9 dark"), outcome="full")
    log.limited_to(ANA).note("fight", "", kind="proposal", order=order)
    (proposal,) = proposals(log.timeline("fight"), Redactor("gm"))
    for part in ("attack_die 6", "defense_die 1", "9", "reach", "dark", "outcome full"):
        assert part in proposal.what, proposal.what


@pytest.mark.parametrize("combatant", ["ana", "cal"])
def test_a_hidden_attack_cannot_be_reacted_to_by_bystanders(log: CombatLog, combatant: str) -> None:
    """MAM-INTF-01: a target may react to an attack that they can't see; nobody else learns of it."""
    cal, lin = Join("cal", side="bos", hp=9), Join("lin", side="wolves", hp=9)
    begin(log, cal, lin, Initiative(first="lin", reason="x"), BeginTurn("lin"))
    log.execute("fight", Attack("lin", "bo", power=1, visibility="gm"))
    seat = Viewer("side:bos", log.timeline("fight"))
    for order in (Pass(combatant, 8), Resolve(8), ThrowDie(combatant, 8, 3), Resolve(8, attack_die=3)):
        with pytest.raises(Refused, match="8 is not open: nothing has been declared"):
            seat.check_named(order, order.__struct_fields__)
    seat.check_named(Pass("bo", 8), ("combatant", "exchange"))
    Viewer(PUBLIC, log.timeline("fight")).check_named(Wait("cal"), ("combatant",))


def test_a_hidden_action_cannot_be_interrupted_by_others(log: CombatLog) -> None:
    """RD6-ACT-04."""
    rounds(log, Declare("ana", 1), Perform("ana", "punch", target="bo", code="4D", visibility="gm"))
    seat = Viewer("side:bos", log.timeline("fight"))
    number = log.timeline("fight").number
    order = Interrupt("bo", "dodge", against=number)
    with pytest.raises(Refused, match="None is open now"):
        seat.check_named(order, order.__struct_fields__)


def test_a_hidden_insert_has_its_written_place_for_other_views(log: CombatLog) -> None:
    pools(log, Move("ana", points=1))
    inserted = log.execute("fight", Act("ana", "trips", points=0, visibility="gm"), after=5).number
    timeline = log.timeline("fight")
    assert place_at(timeline, inserted) == timeline.place[inserted]
    assert place_at(timeline, inserted, Viewer(PUBLIC, timeline).sees) == timeline.place[inserted - 1]


@pytest.mark.parametrize("hidden", [Join("zqx", hp=5, visibility="gm"), None])
def test_a_hidden_combatant_changes_no_text_about_others(log: CombatLog, hidden: Join | None) -> None:
    """Neither by a field with its default value nor by a seat."""
    log.execute_all("fight", [Open(), Join("ana", hp=5)])
    if hidden:
        log.execute("fight", hidden)
    else:
        log.note("fight", "hm", visibility="gm")
    log.execute("fight", Join("bo", hp=5))
    timeline = log.timeline("fight")
    redactor = Redactor(PUBLIC, rulings(timeline))
    assert "body" not in redactor.plain(timeline.command(2))
    assert timeline.state.combatants["bo"].seat == 1


@pytest.mark.parametrize("seed", ["a\u0001b", "\u200e"])
def test_a_proposal_with_invalid_text_is_refused(log: CombatLog, seed: str) -> None:
    pools(log)
    with pytest.raises(BadInput, match="a character that cannot be used"):
        log.limited_to(ANA).note("fight", "", kind="proposal", order=Close(seed=seed))


def test_a_player_cannot_undo_a_ruling_before_anothers_order(log: CombatLog) -> None:
    """The rulings in between would be judged again and reveal what is hidden in them."""
    pools(log)
    first = log.limited_to(ANA).execute("fight", Move("ana", points=1), by="Ana").number
    log.execute("fight", Adjust("a stone", move=(PoolMove("bo", "ready", "stun", 1),)))
    newest = log.limited_to(ANA).execute("fight", Move("ana", points=1), by="Ana").number
    timeline = log.timeline("fight")
    ANA.check_steps(timeline, [Strike(newest)])
    with pytest.raises(Refused):
        ANA.check_steps(timeline, [Strike(first), Strike(newest)])


def test_a_hidden_reaction_cannot_be_reacted_to_by_number(log: CombatLog) -> None:
    """MAM-INTF-01, MAM-INTF-06."""
    pools(log, Attack("ana", "bo", power=1))
    log.execute("fight", Join("cal", side="bos", hp=9))
    parried = log.execute("fight", Parry("cal", 6, visibility="gm")).number
    seat = Viewer("side:bos", log.timeline("fight"))
    for order in (Interfere("bo", 6, parried, points=1), Parry("bo", 6, action=parried)):
        with pytest.raises(Refused, match=f"Ruling {parried} is not part of action 6") as error:
            seat.check_named(order, order.__struct_fields__)
        assert error.value.code == "unknown_action"
        seat.check_named(order, order.__struct_fields__, proposed=True)


def test_a_lasting_modifier_does_not_name_a_hidden_combatant(log: CombatLog) -> None:
    """The modifier stays visible to those who see the rolls."""
    pools(log)
    log.execute("fight", Join("wolf", name="Grishnak", hp=9, visibility="gm"))
    log.execute("fight", Modify("ana", "the stare of Grishnak", -1))
    timeline = log.timeline("fight")
    (activity,) = activities(timeline.state, Redactor(PUBLIC, rulings(timeline)))["ana"]
    assert "Grishnak" not in activity.words
    with pytest.raises(Refused, match="is shown with every roll") as error:
        log.execute("fight", Modify("ana", "poison", -3, visibility="gm"))
    assert error.value.code == "seen_by_all"


def test_only_the_game_master_may_give_the_reason_for_an_unrestrained_animal(log: CombatLog) -> None:
    """MAM-MNT-02: only the game master can say that the attacker of an animal is out of sight."""
    rider = Rights("player", "Ana", ("ana", "horse"))
    hit = Resolve(7, attack_die=6, defense_die=1)
    ended = (Attack("grum", "horse", power=1), hit, StayMounted("ana", die=20), EndTurn("grum"), BeginTurn("horse"))
    log.execute_all("fight", [Open("mam_pools"), *RIDDEN, *ended])
    assert error_of(log, rider, EndTurn("horse")).code == "roll_owed"
    error = error_of(log, rider, EndTurn("horse", reason="it would rather not"))
    assert (error.code, error.fields) == ("not_yours", ("reason",))
    log.execute("fight", EndTurn("horse", reason="nobody is in sight"))


def test_a_refused_list_does_not_reveal_if_its_text_names_somebody_hidden(log: CombatLog) -> None:
    pools(log, Join("zed", side="bos", hp=9, visibility="gm"))
    before = log.timeline("fight").number
    answers = {
        (error.code, error.sentence)
        for word in ("zed", "zad")
        for error in [error_of(log, ANA, Act("ana", word), EndTurn("ana"))]
    }
    assert answers == {
        ("no_draw", "Nothing can follow order 1 in one list. Send it alone first, and the other orders after it.")
    }
    assert log.timeline("fight").number == before


@pytest.mark.parametrize("word", ["zed", "zad"])
def test_a_line_does_not_reveal_if_its_text_names_somebody_hidden(log: CombatLog, word: str) -> None:
    pools(log, Join("zed", side="bos", hp=9, visibility="gm"))
    author = PlayerAuthor(lambda timeline: Viewer("side:anas", timeline), ("ana",))
    line_answer = give_line(log.limited_to(ANA), "fight", f"act {word}; ready 99", LineOptions(author=author))
    assert [answer.head.ruling for answer in line_answer.answers] == [log.timeline("fight").number]
