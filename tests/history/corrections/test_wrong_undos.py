"""Undo bugs reported for other programs, and the right behavior here."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from mam_events.archive import export_ndjson, import_ndjson
from mam_events.commands import (
    COMMANDS,
    Act,
    Adjust,
    Aim,
    Attack,
    BeginTurn,
    ChangeRules,
    Command,
    Drop,
    DropItem,
    Heal,
    Hold,
    Initiative,
    Join,
    Load,
    MaintainGrapple,
    Modify,
    Mount,
    Move,
    Open,
    Pass,
    PickUpItem,
    PoolMove,
    ReadyWeapon,
    Release,
    Resolve,
    Roll,
    RollInitiative,
    Round,
    Spend,
    Stand,
    Tackle,
    TakePosition,
    ThrowDie,
    Unload,
    name_of,
)
from mam_events.errors import MamError, Refused
from mam_events.events import Event
from mam_events.fights import load_fight, play
from mam_events.history.corrections.undo import last_step, last_undo
from mam_events.history.judge.verdicts import reason_words
from mam_events.history.timeline.entries import rows_until
from mam_events.history.timeline.rulings import rulings
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.state import ArmorPiece, Encounter, Item, Pools, Weapon
from mam_events.store import decoders
from projections.rulings.log_lines import line_text, log_line_text, log_lines
from tests.fights.tables import play_random_fight
from tests.history.correction_samples import copied
from tests.play import PATROL
from tests.rules.fights import fights

Printed = Callable[[str], CombatLog]
EXAMPLES = Path(__file__).parents[3] / "examples"
ANVIL = Weapon("anvil", power=50)
ANA = Join("ana", hp=9, weapon=(ANVIL, Weapon("sword", power=3)))
BO = Join("bo", hp=30)
BEGUN = (Initiative(first="ana", reason="quick"), BeginTurn("ana"))


def play_commands(log: CombatLog, *commands: Command, opening: Open | None = None) -> Encounter:
    """Give the commands and return the fight."""
    for command in (opening or Open(), *commands):
        log.execute("fight", command)
    return log.at("fight")


def lines(log: CombatLog) -> list[str]:
    return [log_line_text(line) for line in log_lines(rulings(log.timeline("fight")))]


def test_undo_of_excess_damage_restores_only_the_points_before(log: CombatLog) -> None:
    """50 damage to a combatant with 30 points: undo restores 30."""
    before = play_commands(log, ANA, BO, *BEGUN)
    log.execute("fight", Attack("ana", "bo", "anvil", power=1))
    state = log.execute("fight", Resolve(6, attack_die=6, defense_die=1)).state
    assert state.combatants["bo"].pools.ready == 0
    assert state.combatants["bo"].pools.total == 30
    assert state.combatants["bo"].condition != "able"
    log.undo("fight", 6)
    assert log.at("fight") == before
    assert log.at("fight").combatants["bo"].pools == Pools(ready=30)


def test_repeated_undo_does_not_restore_absorbed_damage(log: CombatLog) -> None:
    """Absorbed damage was never lost, so neither undo nor a second undo after redo restores it."""
    coat = ArmorPiece("coat", cover=6, absorption=2)
    rules = Open(house_rules={"armour_roll_source": "separate_die"})
    play_commands(
        log, ANA, replace(BO, hp=9, armor=(coat,)), *BEGUN, Attack("ana", "bo", "sword", power=2), opening=rules
    )
    struck_state = log.execute("fight", Resolve(6, attack_die=6, defense_die=1, armor_die={"bo": 1})).state
    log.execute("fight", Heal("bo", 7, regeneration=2, die=6, opposing_die=1))
    healed_state = log.at("fight")
    assert struck_state.combatants["bo"].pools.total == healed_state.combatants["bo"].pools.total == 9
    assert healed_state.combatants["bo"].pools.damage < struck_state.combatants["bo"].pools.damage
    for _ in range(3):
        assert log.undo("fight").state == struck_state
        assert log.redo("fight").state == healed_state
    log.undo("fight", 6)
    assert log.at("fight").combatants["bo"].pools == Pools(ready=9)


def test_undo_of_a_fatal_hit_restores_the_combatant(log: CombatLog) -> None:
    before = play_commands(
        log, ANA, BO, *BEGUN, opening=Open(house_rules={"all_hp_lost_state": "dead_when_all_damage"})
    )
    log.execute("fight", Attack("ana", "bo", "anvil", power=1))
    dead = log.execute("fight", Resolve(6, attack_die=6, defense_die=1)).state
    assert dead.combatants["bo"].condition == "dead"
    log.undo("fight", 6)
    assert log.at("fight").combatants["bo"] == before.combatants["bo"]
    assert log.redo("fight").state == dead


def test_undo_of_a_spent_point_changes_no_other_resource(log: CombatLog) -> None:
    """Undoing a point of one kind changes no other kind and nobody else's points."""
    everybody = tuple(join.combatant for join in PATROL)
    before = play_commands(
        log, *PATROL, Round(), RollInitiative(everybody), Spend("ana", "fate", "limit"), opening=Open("ron_d6")
    )
    state = log.execute("fight", Spend("bo", "character", "initiative")).state
    changed_names = [name for name in everybody if state.combatants[name] != before.combatants[name]]
    assert changed_names == ["bo"]
    log.undo("fight")
    assert log.at("fight") == before
    log.redo("fight")
    log.undo("fight", 8)
    after = log.at("fight").combatants
    assert (after["ana"].fate_points, after["ana"].actions.fate) == (9, False)
    assert after["bo"] == state.combatants["bo"]


def test_one_undo_sent_twice_strikes_one_ruling(printed: Printed, path: Path) -> None:
    """Two clicks of one person share a command id; two people name the ruling they saw."""
    log = printed("fight")
    once_answer = log.undo("fight", command_id="click")
    with CombatLog.open(path) as other:
        second_answer = other.undo("fight", command_id="click")
        assert (second_answer.number, second_answer.repeated) == (once_answer.number, True)
        with pytest.raises(Refused, match="Ruling 21 was already undone by 22"):
            other.undo("fight", 21)
    assert [n for n in log.timeline("fight").order if not log.timeline("fight").lives(n)] == [21]


def test_undo_stops_at_the_opening(log: CombatLog) -> None:
    play_commands(log, ANA, BO)
    log.undo("fight")
    log.undo("fight")
    rows = log.application.rows("fight")
    for _ in range(3):
        with pytest.raises(Refused) as error:
            log.undo("fight")
        assert error.value.code == "nothing_to_undo"
    assert log.application.rows("fight") == rows
    assert log.at("fight").status == "open"
    log.redo("fight")
    log.redo("fight")
    assert [*log.at("fight").combatants] == ["ana", "bo"]


GUN = Weapon("gun", kind="gun", range=Decimal(60), shots=3, loaded=2, reload=1)
ARMED = Join("ana", hp=20, weapon=(GUN, Weapon("dagger", readied=False)), item=(Item("pack"),))
HORSE = Join("horse", hp=12, stride=Decimal(4), training="trained")
GRIP = Adjust("a hand on the collar", hold=(Hold("ana", "grip", 0, held="bo"),))
SELDOM: tuple[tuple[Command, ...], ...] = (
    (
        ChangeRules({"half_success": "never"}, reason="as since 2008"),
        DropItem("ana", "pack"),
        PickUpItem("ana", "pack"),
        ReadyWeapon("ana", "dagger"),
        Mount("ana", "horse"),
    ),
    (Drop("ana"), Stand("ana", points=1), Aim("ana", "gun"), Modify("bo", "blinded", -2, "turn")),
    (Unload("ana", "gun"), Load("ana", "gun")),
    (GRIP, TakePosition("ana", "dominant_standing", "bo"), MaintainGrapple("ana", "grip"), Release("ana", "grip")),
    (Act("ana", "pulls a lever", points=4), Tackle("bo", 7, 7, power=4, follow_up="choke")),
)
"""Commands that the other fights lack, each group after the same beginning."""


def every_fight() -> Iterator[tuple[Open, tuple[Command, ...]]]:
    """Yield the opening and the commands of the examples and of the fights for every option's readings."""
    held = Open(house_rules={"hold_maintenance": "respend_each_round"})
    yield from ((held, (ARMED, BO, HORSE, *BEGUN, *commands)) for commands in SELDOM)
    yield Open("ron_d6"), (*PATROL, Round(), Roll("ana", "damage", code="3D"))
    for file in sorted(EXAMPLES.glob("*.toml")):
        with suppress(MamError), CombatLog.open("sqlite://") as log:
            play(log, load_fight(file), "example")
            timeline = log.timeline("example")
            opening, *commands = [timeline.command(number) for number in timeline.order]
            assert isinstance(opening, Open)
            yield opening, tuple(commands)
    for one in fights().values():
        orders = tuple(order for order in one.orders if not isinstance(order, Event))
        if len(orders) == len(one.orders):
            yield Open(one.preset, dict(one.rules)), orders
    attack = (Initiative(first="ann", reason="so be it"), BeginTurn("ann"), Attack("ann", "bert", power=1))
    yield Open("mam_pools"), (Join("ann", hp=6), Join("bert", hp=6), *attack, Pass("bert", 6))
    yield Open("mam_pools"), (Join("ann", hp=6), Join("bert", hp=6), *attack, ThrowDie("bert", 6, 4))


def test_every_command_can_be_undone_and_redone() -> None:
    """Every command, wherever it was accepted, is undone and redone as the newest ruling."""
    left: dict[str, int] = dict.fromkeys(COMMANDS.keys() - {"open"}, 2)
    for opening, commands in every_fight():
        if not {name_of(command) for command in commands} & left.keys():
            continue
        with CombatLog.open("sqlite://", entropy=Random(1).randbytes) as log:
            log.execute("fight", opening)
            for command in commands:
                before = log.at("fight")
                try:
                    after = log.execute("fight", command).state
                except MamError:
                    # Some of these commands are refused.
                    continue
                if (name := name_of(command)) in left:
                    # In a log of its own, because commands name rulings by number.
                    with copied(log) as other_log:
                        assert other_log.undo("fight").state == before, name
                        assert other_log.redo("fight").state == after, name
                    left[name] -= 1
                    if not left[name]:
                        del left[name]
    assert {name for name, more in left.items() if more == 2} == set(), "no fight has them"


def test_all_clients_undo_the_same_ruling(printed: Printed, path: Path) -> None:
    """All open logs strike the same ruling, and offer the same next step."""
    log = printed("fight")
    with CombatLog.open(path) as early_log:
        assert lines(early_log) == lines(log)
        for do in (log.undo, early_log.undo, early_log.redo, log.undo, early_log.undo, log.redo):
            do("fight")
            with CombatLog.open(path) as late_log:
                timelines = [one.timeline("fight") for one in (log, early_log, late_log)]
                assert len({(last_step(one), last_undo(one)) for one in timelines}) == 1
                assert lines(log) == lines(early_log) == lines(late_log)


def test_redo_after_another_play_restores_the_ruling(printed: Printed) -> None:
    """A play after an undo does not prevent redo: it is judged again after the restored ruling."""
    log = printed("fight")
    before = log.at("fight", 20)
    log.undo("fight")
    log.execute("fight", Adjust("a point for courage", move=(PoolMove("clone", "ready", "defense", 1),)))
    answer = log.redo("fight")
    timeline = log.timeline("fight")
    assert timeline.order[-2:] == [21, 23]
    assert timeline.lives(21)
    assert timeline.states[timeline.place[20]] == before
    assert {entry.ruling for entry in answer.rejudged} <= {23}


def test_undo_survives_a_restart_and_a_move_of_the_store(printed: Printed, path: Path, tmp_path: Path) -> None:
    log = printed("fight")
    before = log.at("fight")
    log.undo("fight")
    log.undo("fight")
    exported_lines = list(export_ndjson(log, "fight"))
    log.close()
    moved = tmp_path / "elsewhere.db"
    shutil.copy(path, moved)
    for store in (path, moved):
        with CombatLog.open(store) as second_log:
            second_log.redo("fight")
            assert second_log.redo("fight").state == before
    with CombatLog.open(tmp_path / "imported.db") as imported_log:
        import_ndjson(imported_log, exported_lines)
        imported_log.redo("fight")
        assert imported_log.redo("fight").state == before


def test_undo_of_a_turn_gives_it_back_to_the_same_combatant(printed: Printed) -> None:
    """The turn that was undone belongs to the same combatant again."""
    log = printed("fight")
    ended_state = log.at("fight", 18)
    for ruling, turn, next_up in ((19, "", "clone"), (18, "modre", "")):
        log.undo("fight", ruling, rewind=True)
        state = log.at("fight")
        assert (state.turn.combatant if state.turn else "") == turn
        assert not next_up or state.next_up == next_up
        assert state.round == 2
    log.redo("fight")
    assert log.at("fight") == ended_state
    assert log.execute("fight", BeginTurn("clone")).state.turn is not None
    with pytest.raises(Refused):
        log.execute("fight", BeginTurn("modre"))


def test_undo_never_removes_a_log_line(printed: Printed) -> None:
    """No line of the log disappears: lines that don't count are marked."""
    log = printed("fight")
    before = [line_text(line) for line in log_lines(rulings(log.timeline("fight")))]
    for ruling in (21, 15, 6):
        log.undo("fight", ruling)
        after = log_lines(rulings(log.timeline("fight")))
        assert [line.number for line in after] == [*range(1, log.timeline("fight").number + 1)]
        untouched = [line_text(line) for line in after[:5]]
        assert untouched == before[:5]
    struck_lines = {line.number for line in log_lines(rulings(log.timeline("fight"))) if line.struck}
    assert struck_lines == {21, 15, 16, 17, 6, 7, 8}


@pytest.mark.parametrize("seed", range(6))
def test_any_round_can_be_read_from_the_log_alone(seed: int) -> None:
    """Every moment of every round, with corrections, is read from the rows up to any ruling."""
    log, encounter = play_random_fight(Random(seed), steps=50)
    rows = log.application.rows(encounter)
    timeline = log.timeline(encounter)
    for number in range(0, timeline.number, 7):
        solo_timeline = Timeline(decoders(), rows_until(rows, number + 1))
        assert solo_timeline.states == log.timeline(encounter, as_of=number + 1).states
    solo_timeline = Timeline(decoders(), rows)
    for round_ in range(1, timeline.state.round + 1):
        last = [state for state in solo_timeline.states if state.round == round_]
        if last:
            assert log.at(encounter, f"round:{round_}") == last[-1]


def test_an_insert_after_a_struck_ruling_keeps_its_place(printed: Printed) -> None:
    """An insert after a struck ruling keeps its place, is judged there, and is unchanged after redo."""
    log = printed("fight")
    word = Adjust("he slips", move=(PoolMove("clone", "ready", "other_used", 1),))
    log.execute("fight", word, after=20)
    before = log.timeline("fight")
    log.undo("fight", 20, only=True)
    without = log.timeline("fight")
    assert without.order == before.order
    rejudgement = without.entries[22].outcome.rejudged
    assert rejudgement
    assert (rejudgement.verdict, reason_words(rejudgement)) == ("void", "Clone has 0 points in ready, not 1.")
    state = without.state_before(without.place[20])
    assert state == without.states[without.place[20]], "what was taken back leaves nothing behind"
    log.redo("fight")
    assert log.timeline("fight").states == before.states


def test_a_branch_keeps_a_ruling_that_is_struck_in_the_original(printed: Printed) -> None:
    """A branch contains the ruling from then on: striking it in the original does not strike it in the branch."""
    log = printed("fight")
    state = log.at("fight", 20)
    log.branch("fight", "otherwise", moment=20)
    log.undo("fight", 20, only=True)
    assert not log.timeline("fight").lives(20)
    assert log.timeline("otherwise").lives(20)
    assert log.at("otherwise") == state
    assert log.execute("otherwise", Move("clone", 1)).state.combatants["clone"].pools.ready == 2
    log.undo("otherwise")
    log.undo("otherwise", 20, only=True)
    assert log.redo("otherwise").state == state
