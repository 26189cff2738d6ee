from __future__ import annotations

from pathlib import Path

import pytest

from mam_events.errors import BadInput, NotFound, Refused
from mam_events.events import Note, Play
from mam_events.fights import PlayFailure, load_fight, play, read_fight
from mam_events.history.seed import commitment_of, draw, seed_of
from mam_events.history.timeline.rulings import living_plays
from mam_events.log.combat_log import CombatLog
from mam_events.state import Pools

EXAMPLES = Path(__file__).parents[2] / "examples"
EXAMPLE = (EXAMPLES / "modre-and-the-clone.toml").read_text(encoding="utf-8")
BROKEN = EXAMPLE.replace("other_used = 3 },  # 20", "other_used = 4 },  # 20")
LINE = BROKEN[: BROKEN.index("other_used = 4")].count("\n") + 1


def up_to(ruling: int) -> str:
    """Return the example up to that ruling: the rest depends on the dice."""
    return EXAMPLE[: EXAMPLE.index(f"# {ruling}\n")] + "\n]"


@pytest.fixture
def log(tmp_path: Path) -> CombatLog:
    return CombatLog.open(tmp_path / "fights.mam")


def test_the_printed_fight_has_the_printed_pools_after_every_step(log: CombatLog) -> None:
    """The trace table of the combat example, row by row."""
    play(log, load_fight(EXAMPLES / "modre-and-the-clone.toml"))
    trace = {
        3: ((6, 0, 0, 0, 0), (6, 0, 0, 0, 0)),
        6: ((0, 2, 4, 0, 0), (6, 0, 0, 0, 0)),
        7: ((0, 2, 4, 0, 0), (0, 6, 0, 0, 0)),
        8: ((0, 2, 4, 0, 0), (0, 6, 0, 0, 0)),
        11: ((0, 2, 4, 0, 0), (3, 3, 0, 0, 0)),
        14: ((3, 2, 1, 0, 0), (3, 3, 0, 0, 0)),
        15: ((0, 4, 2, 0, 0), (3, 3, 0, 0, 0)),
        16: ((0, 4, 2, 0, 0), (0, 4, 2, 0, 0)),
        17: ((0, 4, 2, 0, 0), (0, 0, 2, 2, 2)),
        19: ((0, 4, 2, 0, 0), (0, 0, 3, 1, 2)),
        20: ((0, 4, 2, 0, 0), (3, 0, 0, 1, 2)),
        21: ((0, 4, 2, 0, 0), (0, 3, 0, 1, 2)),
    }
    for ruling, (modre, clone) in trace.items():
        combatants = log.at("modre-and-the-clone", ruling).combatants
        assert (combatants["modre"].pools, combatants["clone"].pools) == (Pools(*modre), Pools(*clone)), ruling


def test_the_report_has_every_answer_as_it_was_written(log: CombatLog) -> None:
    report = play(log, read_fight(EXAMPLE), "fight")
    assert [answer.number for answer in report.answers] == list(range(1, 22))
    assert report.broken is None
    assert report.answers[-1].state == log.at("fight")
    assert [answer.head for answer in report.answers] == log.timeline("fight").heads


def test_missing_dice_are_drawn_from_the_seed_of_the_encounter(log: CombatLog) -> None:
    text = up_to(17).replace(", attack_die = 6, defense_die = 4", "")
    answers = play(log, read_fight(text), "fight").answers
    dice = [event.die for event in answers[16].events if hasattr(event, "die")]
    assert [die.source for die in dice] == ["drawn", "drawn"]
    secret = log.application.seeds.get("fight")
    assert secret
    seed = seed_of(secret)
    assert log.at("fight").commitment == commitment_of(seed)
    assert [die.face for die in dice] == [
        draw(seed, (), f"17/{name}/0/d6") for name in ("attack.modre", "defense.clone")
    ]


def test_a_refused_line_leaves_nothing_written(log: CombatLog) -> None:
    with pytest.raises(Refused) as error:
        play(log, read_fight(BROKEN, "sad.toml"), "fight")
    assert (error.value.rule, error.value.fields) == ("MAM-PHASE-02", ("defense", "other_used"))
    assert error.value.sentence.startswith(f"sad.toml:{LINE}: ")
    assert log.encounters() == []


def test_with_keep_going_the_lines_before_a_refused_one_are_kept(log: CombatLog) -> None:
    report = play(log, read_fight(BROKEN, "sad.toml"), "fight", keep_going=True)
    assert [answer.number for answer in report.answers] == list(range(1, 20))
    assert log.timeline("fight").number == 19
    assert isinstance(report.broken, PlayFailure)
    assert report.broken.place == f"sad.toml:{LINE}"
    assert report.broken.refusal.rule.startswith("MAM-PHASE")
    assert log.execute("fight", read_fight(EXAMPLE).lines[16].command(log.at("fight"))).number == 20


def test_unknown_rules_are_refused_at_their_line(log: CombatLog) -> None:
    for text, line in (
        ('title = "x"\npreset = "mam_pool"', 2),
        ("[house_rules]\n# the die\ncombat_dice = 'd20'", 3),
        ("[house_rules]\ncombat_die = 'd7'", 2),
    ):
        for keep_going in (False, True):
            with pytest.raises(Refused, match=rf"^rules\.toml:{line}: "):
                play(log, read_fight(text, "rules.toml"), "fight", keep_going=keep_going)
    assert log.encounters() == []


def test_a_fight_cannot_be_played_twice_under_one_name(log: CombatLog) -> None:
    fight = read_fight(EXAMPLE)
    play(log, fight)
    rows = log.application.rows("modre-and-the-clone")
    with pytest.raises(Refused, match="under another id") as error:
        play(log, fight)
    assert error.value.code == "encounter_exists"
    assert log.application.rows("modre-and-the-clone") == rows
    assert play(log, fight, "another").encounter == "another"


def test_an_encounter_opened_meanwhile_is_not_overwritten(
    log: CombatLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = CombatLog.open(tmp_path / "fights.mam")
    scratch = log.scratch

    def concurrent_log() -> CombatLog:
        play(other, read_fight('title = "theirs"'), "fight")
        return scratch()

    monkeypatch.setattr(log, "scratch", concurrent_log)
    with pytest.raises(Refused) as error:
        play(log, read_fight(EXAMPLE), "fight")
    assert error.value.code == "encounter_exists"
    assert log.at("fight").title == "theirs"


def test_a_fight_without_a_name_or_with_an_invalid_one_is_refused(log: CombatLog) -> None:
    with pytest.raises(BadInput, match="names no encounter"):
        play(log, read_fight("title = 'x'"))
    with pytest.raises(BadInput, match="encounter must be a lower-case name"):
        play(log, read_fight("title = 'x'"), "The Fight")


def test_the_author_comes_from_the_line_then_the_file_then_the_caller(log: CombatLog) -> None:
    commands = "commands = [{ do = 'initiative', by = 'Bob' }, { do = 'note', text = 'x', by = '' }]\n"
    party = "combatants = [{ id = 'a', hp = 3 }]\n"
    play(log, read_fight(commands + party), "one", by="Cleo")
    play(log, read_fight("by = 'Ana'\n" + commands + party), "two", by="Cleo")
    assert [head.by for head in log.timeline("one").heads] == ["Cleo", "Cleo", "Bob", ""]
    assert [head.by for head in log.timeline("two").heads] == ["Ana", "Ana", "Bob", ""]


def test_a_note_is_a_ruling_of_its_own(log: CombatLog) -> None:
    text = """
        combatants = [{ id = "a", hp = 3 }]
        commands = [
            { do = "note", text = "who is that?", kind = "dispute", about = 2, visibility = "gm" },
            { do = "initiative" },
        ]
    """
    play(log, read_fight(text), "fight")
    note, initiative = log.timeline("fight").heads[2:]
    assert isinstance(note, Note)
    assert (note.text, note.kind, note.about, note.visibility) == ("who is that?", "dispute", 2, "gm")
    assert isinstance(initiative, Play)
    assert initiative.ruling == 4


def test_a_note_or_resolution_about_nothing_is_refused_at_its_line(log: CombatLog) -> None:
    with pytest.raises(NotFound, match=r"^x:1: There is no ruling 9"):
        play(log, read_fight("commands = [{ do = 'note', text = 'x', about = 9 }]", "x"), "fight")
    with pytest.raises(Refused, match=r"x:2: No attack") as error:
        play(log, read_fight("\ncommands = [{ do = 'resolve' }]", "x"), "fight")
    assert error.value.code == "no_such_exchange"


def test_interferences_and_declared_outcomes_find_their_exchange(log: CombatLog) -> None:
    text = """
        combatants = [{ id = "a", hp = 6, seat = 0 }, { id = "b", hp = 6, seat = 1 }, { id = "c", hp = 6, seat = 2 }]
        commands = [
            { do = "initiative", first = "a", reason = "so be it" },
            { do = "begin-turn", combatant = "a" },
            { do = "act", combatant = "a", what = "climbs", points = 2 },          # 7
            { do = "interfere", combatant = "b", points = 1 },                     # 8
            { do = "interfere", combatant = "c", points = 1, action = 8 },         # 9
            { do = "resolve", attack_die = 3, interference_die = { 8 = 5, 9 = 6 } },
            { do = "attack", attacker = "a", target = "b", power = 1 },
            { do = "adjust", reason = "it is dark", outcome = { outcome = "full", stun = 1 } },
        ]
    """
    play(log, read_fight(text), "fight")
    plays = {play.number: play for play in living_plays(log.timeline("fight"))}
    assert [(plays[n].exchange, getattr(plays[n].command, "action", None)) for n in (8, 9)] == [(7, 7), (7, 8)]
    assert log.at("fight").combatants["b"].pools.stun == 1
    assert log.at("fight").exchange is None
