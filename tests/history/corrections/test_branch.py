"""Branches and imports: a copy of a fight that continues separately and draws its own dice."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mam_events.archive import export_ndjson, import_ndjson
from mam_events.commands import Attack, BeginTurn, Close, EndTurn, Initiative, Join, Open, Resolve
from mam_events.dice import Die
from mam_events.errors import MamError, NotFound, Refused, VersionConflict
from mam_events.events import Amend, Branch, Strike
from mam_events.history.corrections.undo import last_undo
from mam_events.history.seed import commitment_of, draw, seed_of
from mam_events.history.timeline.entries import dice_of
from mam_events.history.timeline.rulings import living_plays
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.log.results import Answer
from mam_events.store import decoders
from mam_events.verification import check_strays, judge_again, revealed_elsewhere, verify
from tests.fighters import play_printed
from tests.fights.tables import Table


def head_of(answer: Answer) -> Branch:
    assert isinstance(answer.head, Branch)
    return answer.head


def drawn_dice(log: CombatLog, encounter: str) -> dict[str, Die]:
    rulings = (ruling for ruling in living_plays(log.timeline(encounter)))
    dice = (die for ruling in rulings for event in ruling.events for die in dice_of(event))
    return {die.key: die for die in dice if die.source == "drawn"}


def seed_in(log: CombatLog, encounter: str) -> bytes:
    secret = log.application.seeds.get(encounter)
    assert secret
    return seed_of(secret)


def check_branch(log: CombatLog, encounter: str) -> None:
    rows = log.application.rows(encounter)
    verify(rows, seed=log.application.seeds.get(encounter), revealed=revealed_elsewhere(log.application.recorder, rows))
    judge_again(rows, log.rules)
    assert Timeline(decoders(), rows).states == log.timeline(encounter).states


@pytest.fixture
def log(log: CombatLog) -> CombatLog:
    """Play the printed fight in the log."""
    return play_printed(log)


def begin_fight(log: CombatLog, encounter: str = "drawn") -> int:
    """Begin a fight and return the number of an attack without dice."""
    for command in (
        Open(),
        Join("ana", hp=99),
        Join("bo", hp=99),
        Initiative(first="ana", reason="x"),
        BeginTurn("ana"),
    ):
        log.execute(encounter, command)
    return log.execute(encounter, Attack("ana", "bo", modifier=1)).number


def test_a_branch_is_the_fight_at_that_moment_plus_one_ruling(log: CombatLog) -> None:
    before = log.application.rows("fight")
    answer = log.branch("fight", "other", 14, by="Ana")
    head = head_of(answer)
    assert log.application.rows("other")[:-1] == before == log.application.rows("fight")
    assert (head.ruling, head.parent, head.behind, head.by) == (22, "fight", 14, "Ana")
    assert head.left == log.timeline("fight").seal
    assert log.at("other") == answer.state == log.at("fight", 14)
    assert [ruling.number for ruling in living_plays(log.timeline("other"))] == [*range(1, 15)]
    seed = seed_in(log, "other")
    assert seed != seed_in(log, "fight")
    assert head.commitment == commitment_of(seed)
    check_branch(log, "other")
    log.execute("other", EndTurn("modre"))
    assert log.at("other").turn is None
    assert log.at("fight").turn is not None
    check_branch(log, "other")


def test_without_a_moment_a_branch_continues_from_the_newest_living_ruling(log: CombatLog) -> None:
    log.undo("fight")
    log.note("fight", "and now?")
    assert head_of(log.branch("fight", "other")).behind == 20
    assert head_of(log.branch("fight", "second", "round:1")).behind == 12
    assert log.at("second") == log.at("fight", "round:1")


def test_the_fight_and_its_branch_draw_different_dice(log: CombatLog) -> None:
    attack = begin_fight(log)
    log.branch("drawn", "other", attack)
    for encounter in ("drawn", "other"):
        log.execute(encounter, Resolve(attack))
        for _ in range(8):
            number = log.execute(encounter, Attack("ana", "bo", modifier=1)).number
            log.execute(encounter, Resolve(number))
    faces = [[die.face for die in drawn_dice(log, encounter).values()] for encounter in ("drawn", "other")]
    assert faces[0] != faces[1]
    seed = seed_in(log, "other")
    for key, die in drawn_dice(log, "other").items():
        assert die.face == draw(seed, (), key)
    for encounter in ("drawn", "other"):
        check_branch(log, encounter)


def test_a_ruling_rejudged_in_a_branch_draws_from_the_branch(log: CombatLog) -> None:
    attack = begin_fight(log)
    log.execute("drawn", Resolve(attack, attack_die=6, defense_die=1))
    log.branch("drawn", "other")
    log.correct("other", [Amend(attack + 1, {"attack_die": None, "defense_die": None})])
    dice = drawn_dice(log, "other")
    seed = seed_in(log, "other")
    assert len(dice) == 2
    assert [die.face for die in dice.values()] == [draw(seed, (), key) for key in dice]
    check_branch(log, "other")


@pytest.mark.parametrize("command_id", ["", "k-1"])
def test_a_branch_from_an_impossible_moment_is_refused_with_a_suggestion(log: CombatLog, command_id: str) -> None:
    log.undo("fight", 6, turns="strict")
    log.note("fight", "hm")
    log.execute("fight", Close())
    for moment, text in (
        (14, "Ruling 14 is void, so no branch can begin after it. The last ruling before it"),
        (
            8,
            "Ruling 8 was undone by 22, so no branch can begin after it. The last ruling",
        ),
        (22, "Ruling 22 is not an order, so it has no place in the fight"),
        (23, "Ruling 23 is not an order, so it has no place in the fight"),
        (24, "Ruling 24 closes the fight, so no branch can begin after it"),
        (None, "Ruling 24 closes the fight, so no branch can begin after it"),
    ):
        with pytest.raises(Refused) as error:
            log.branch("fight", "other", moment, command_id=command_id)
        assert error.value.sentence.startswith(text), error.value.sentence
    with pytest.raises(NotFound, match=r"There is no ruling 99\. The newest is 24"):
        log.branch("fight", "other", 99)
    with pytest.raises(NotFound, match="There is no round 7"):
        log.branch("fight", "other", "round:7")
    with pytest.raises(NotFound, match='There is no encounter "figth"'):
        log.branch("figth", "other")
    with pytest.raises(VersionConflict):
        log.branch("fight", "other", 5, expected=21)
    assert log.encounters() == ["fight"]


def test_a_branch_of_a_closed_fight_draws_new_dice(log: CombatLog) -> None:
    attack = begin_fight(log)
    log.execute("drawn", Resolve(attack))
    log.execute("drawn", Close())
    log.branch("drawn", "other", attack + 1)
    number = log.execute("other", Attack("ana", "bo", modifier=1)).number
    log.execute("other", Resolve(number))
    verification = verify(log.application.rows("other"))
    assert (verification.drawn, verification.proven, verification.before, verification.closed) == (4, 2, 0, False)
    log.execute("other", Close())
    verification = verify(log.application.rows("other"))
    assert (verification.drawn, verification.proven, verification.closed) == (4, 4, True)
    check_branch(log, "other")


def test_dice_of_a_branch_are_verified_after_the_original_fight_is_closed(log: CombatLog) -> None:
    attack = begin_fight(log)
    log.execute("drawn", Resolve(attack))
    log.branch("drawn", "other")
    log.branch("other", "third")
    number = log.execute("third", Attack("ana", "bo", modifier=1)).number
    log.execute("third", Resolve(number))
    log.execute("third", Close())
    rows = log.application.rows("third")

    def counts() -> tuple[int, int, int]:
        verification = verify(rows, revealed=revealed_elsewhere(log.application.recorder, rows))
        return verification.drawn, verification.proven, verification.before

    assert counts() == (4, 2, 2)
    log.execute("other", Close())
    assert counts() == (4, 2, 2), "nothing was drawn there"
    log.execute("drawn", Close())
    assert counts() == (4, 4, 0)


def test_a_taken_id_is_refused_and_a_repeated_request_is_answered(log: CombatLog) -> None:
    first = log.branch("fight", "other", 14, command_id="k-1")
    log.execute("other", EndTurn("modre"))
    answer = log.branch("fight", "other", 14, command_id="k-1")
    assert (answer.number, answer.head, answer.repeated) == (first.number, first.head, True)
    for command_id in ("", "k-2"):
        with pytest.raises(Refused) as error:
            log.branch("fight", "other", 14, command_id=command_id)
        assert error.value.code == "encounter_exists"
    with pytest.raises(Refused) as error:
        log.branch("fight", "other", 13, command_id="k-1")
    assert error.value.code == "key_reused"
    with pytest.raises(Refused) as error:
        log.branch("fight", "fight", 13)
    assert error.value.code == "encounter_exists"


def test_command_ids_of_the_original_fight_are_known_in_the_branch(log: CombatLog) -> None:
    answer = log.execute("fight", EndTurn("clone"), command_id="k-1")
    log.branch("fight", "other", 14)
    assert log.execute("other", EndTurn("clone"), command_id="k-1").repeated
    with pytest.raises(Refused) as error:
        log.branch("fight", "third", command_id="k-1")
    assert (error.value.code, answer.number) == ("key_reused", 22)
    assert not log.execute("fight", BeginTurn("modre"), command_id="k-2").repeated
    assert not log.execute("other", EndTurn("modre"), command_id="k-2").repeated


def test_corrections_in_a_branch_cannot_use_rulings_outside_it(log: CombatLog) -> None:
    log.undo("fight")
    log.branch("fight", "other", 14)
    assert last_undo(log.timeline("other")) == 0
    for steps in ([Strike(20)], [Amend(20, {"other_used": 1})]):
        with pytest.raises(
            Refused, match='Ruling 20 is not part of this fight, which branched off "fight" after ruling 14'
        ) as error:
            log.correct("other", steps)
        assert error.value.code == "already_struck"
    with pytest.raises(Refused, match="Ruling 23 begins a new seed"):
        log.undo("other", 23)
    log.undo("other", 6)
    assert not log.timeline("other").lives(7)
    assert log.timeline("fight").lives(7)
    log.redo("other")
    assert log.at("other") == log.at("fight", 14)
    log.redo("other", 22)
    assert not log.timeline("other").lives(21), "it was brought back behind the branch"
    check_branch(log, "other")


def test_a_branch_made_during_writes_is_complete(tmp_path: Path) -> None:
    with CombatLog.open(tmp_path / "mam.db") as log, CombatLog.open(tmp_path / "mam.db") as other:
        play_printed(log)
        log.at("fight")
        other.execute("fight", EndTurn("clone"))
        assert head_of(log.branch("fight", "late")).ruling == 23
        log.branch("fight", "taken")
        with pytest.raises(Refused, match='There is already an encounter "taken"'):
            other.branch("fight", "taken")
        check_branch(other, "taken")


@pytest.mark.slow
def test_a_branch_killed_while_written_is_complete_or_absent(tmp_path: Path) -> None:
    path, random = tmp_path / "mam.db", Random(11)
    with CombatLog.open(path) as log:
        play_printed(log)
        stored_rows = log.application.rows("fight")
    for name in "abcdefgh":
        program = f"for n in range(10**6): log.branch('fight', f'{name}-{{n}}', 14); print(n, flush=True)"
        opened = f"from mam_events.log.combat_log import CombatLog; log = CombatLog.open({str(path)!r})"
        process = subprocess.Popen(
            [sys.executable, "-c", f"{opened}\n{program}"], stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]
        )
        assert process.stdout
        assert process.stdout.readline()
        time.sleep(random.uniform(0, 0.01))
        process.kill()
        process.communicate()
    with CombatLog.open(path) as log:
        branches = log.encounters()[1:]
        assert len(branches) >= 8
        check_strays(log.application.recorder)
        for name in branches:
            rows = log.application.rows(name)
            assert rows[:-1] == stored_rows
            verify(rows, seed=log.application.seeds.get(name))
            assert log.application.seeds.get(name)


@pytest.mark.slow
@given(st.integers(0, 2**32))
def test_a_branch_at_any_play_equals_the_fight_at_that_moment(seed: int) -> None:
    random = Random(seed)
    table = Table(random, secrets=True)
    for _ in range(25):
        table.step()
    log, parent = table.log, table.encounter
    timeline = log.timeline(parent)
    moment = random.choice(timeline.order)
    try:
        head = head_of(log.branch(parent, "branch", moment))
    except Refused as error:
        head = head_of(log.branch(parent, "branch", int(error.allowed[0])))
    assert log.at("branch") == log.at(parent, head.behind)
    assert [one.number for one in living_plays(log.timeline("branch"))] == [
        one.number for one in living_plays(timeline) if timeline.place[one.number] <= timeline.place[head.behind]
    ]
    for encounter in (parent, "branch") * 8:
        table.encounter = encounter
        table.step()
    for encounter in (parent, "branch"):
        check_branch(log, encounter)
        with suppress(Refused):
            log.execute(encounter, Close())
        check_branch(log, encounter)
    rows = log.application.rows("branch")
    if log.at(parent).status == log.at("branch").status == "closed":
        verification = verify(rows, revealed=revealed_elsewhere(log.application.recorder, rows))
        assert (verification.before, verification.proven + verification.salted) == (0, verification.drawn)
    other = log.scratch()
    import_ndjson(other, export_ndjson(log, "branch"))
    assert other.application.rows("branch") == rows
    check_strays(log.application.recorder)


def test_a_branch_cannot_be_imported_into_its_original_fight(log: CombatLog) -> None:
    log.branch("fight", "other", 14)
    branch = [*export_ndjson(log, "other")]
    rows = log.application.rows("fight")
    with pytest.raises(Refused, match=r'The imported fight branched off "fight" at ruling 22, so it cannot'):
        import_ndjson(log, branch, "fight")
    assert log.application.rows("fight") == rows
    other_log = log.scratch()
    assert import_ndjson(other_log, branch).added == 22
    log.execute("other", EndTurn("modre"))
    assert import_ndjson(other_log, export_ndjson(log, "other")).added == 1, (
        "a branch that has gone on is brought up to date"
    )


@pytest.fixture
def imported_branch(log: CombatLog) -> tuple[CombatLog, CombatLog, int]:
    """Import a fight into another log; return both logs and the number of an attack without dice."""
    attack = begin_fight(log)
    log.execute("drawn", Resolve(attack))
    attack = log.execute("drawn", Attack("ana", "bo", modifier=1)).number
    other = CombatLog.open("sqlite://", entropy=Random(9).randbytes)
    import_ndjson(other, export_ndjson(log, "drawn"))
    return log, other, attack


def test_an_import_draws_only_after_a_new_commitment(
    imported_branch: tuple[CombatLog, CombatLog, int],
) -> None:
    _, other, attack = imported_branch
    answer = other.execute("drawn", Resolve(attack), expected=attack, command_id="k-1")
    lead = other.timeline("drawn").heads[-2]
    seed = seed_in(other, "drawn")
    assert isinstance(lead, Branch)
    assert lead.commitment == commitment_of(seed)
    assert (lead.parent, lead.behind, lead.ruling, answer.number) == ("", 0, attack + 1, attack + 2)
    assert [die.face for event in answer.events for die in dice_of(event)] == [
        draw(seed, (), die.key) for event in answer.events for die in dice_of(event)
    ]
    assert other.execute("drawn", Resolve(attack), command_id="k-1").number == answer.number
    second_attack = other.execute("drawn", Attack("ana", "bo", modifier=1)).number
    assert other.execute("drawn", Resolve(second_attack)).number == second_attack + 1, "committed to once"
    check_branch(other, "drawn")
    other.execute("drawn", Close())
    verification = verify(other.application.rows("drawn"), seed=other.application.seeds.get("drawn"))
    assert (verification.drawn, verification.proven, verification.before) == (6, 4, 2)


def test_refused_and_previewed_orders_write_no_commitment(
    imported_branch: tuple[CombatLog, CombatLog, int],
) -> None:
    _, other, attack = imported_branch
    rows = other.application.rows("drawn")
    with pytest.raises(MamError):
        other.execute("drawn", Resolve(attack, attack_die=77))
    with pytest.raises(VersionConflict):
        other.execute("drawn", Resolve(attack), expected=3)
    other.preview("drawn", [Amend(attack - 1, {"attack_die": 1})])
    list(other.legal("drawn"))
    assert (other.application.rows("drawn"), other.application.seeds.get("drawn")) == (rows, None)


def test_a_correction_of_an_import_draws_as_previewed(log: CombatLog, tmp_path: Path) -> None:
    attack = begin_fight(log)
    log.execute("drawn", Resolve(attack, attack_die=6, defense_die=1))
    with CombatLog.open(tmp_path / "other.db") as other:
        import_ndjson(other, export_ndjson(log, "drawn"))
        steps = [Amend(attack + 1, {"attack_die": None, "defense_die": None})]
        preview = other.preview("drawn", steps)
        assert other.correct("drawn", steps, expect=preview.expect).number == attack + 3
        assert len(drawn_dice(other, "drawn")) == 2
        check_branch(other, "drawn")
    with CombatLog.open(tmp_path / "other.db") as second_log:
        number = second_log.execute("drawn", Attack("ana", "bo", modifier=1)).number
        second_log.execute("drawn", Resolve(number))
        check_branch(second_log, "drawn")


def test_an_import_back_into_the_original_log_reveals_the_old_seed(
    imported_branch: tuple[CombatLog, CombatLog, int],
) -> None:
    log, other, attack = imported_branch
    seed = seed_in(log, "drawn")
    other.execute("drawn", Resolve(attack))
    import_ndjson(log, export_ndjson(other, "drawn"))
    number = log.execute("drawn", Attack("ana", "bo", modifier=1)).number
    log.execute("drawn", Resolve(number))
    lead = log.timeline("drawn").heads[number]
    assert isinstance(lead, Branch)
    assert lead.seed == seed.hex()
    assert seed_in(log, "drawn") != seed
    log.execute("drawn", Close())
    verification = verify(log.application.rows("drawn"), seed=log.application.seeds.get("drawn"))
    assert (verification.drawn, verification.proven, verification.before) == (6, 4, 2), (
        "what was drawn elsewhere is revealed there"
    )
    check_branch(log, "drawn")
