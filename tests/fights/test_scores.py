"""Scores: every fight can be written as lines and played again to the same facts."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec import structs
from msgspec.structs import replace

from mam_events.commands import Attack, BeginTurn, EndTurn, Initiative, Interfere, Join, Open, Resolve
from mam_events.errors import BadInput, Refused
from mam_events.events import Amend, Branch, Head, Note, Play, Strike
from mam_events.fights import (
    FightFile,
    check_played,
    load_fight,
    play,
    read_fight,
    read_played,
    write_played,
    write_score,
)
from mam_events.history.timeline.entries import BookkeepingEntry, dice_of
from mam_events.history.timeline.rulings import living_plays
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.notation.grammar.dice import dice_fields
from mam_events.notation.grammar.long_form import default_of
from mam_events.notation.lexer.lexer import MAX_ORDERS
from mam_events.state import ArmorPiece, is_same_state
from tests.fights.corpus import SEEDS, Corpus
from tests.fights.tables import play_random_fight
from tests.fights.test_toml_writer import bookkeeping_rulings, check_same_facts, living_events
from tests.fights.test_toml_writer import strip_event as bare_event
from tests.notation.evenings import FOLDER, NAMES, lines

EXAMPLES = [
    path
    for path in sorted((Path(__file__).parents[2] / "examples").glob("*.toml"))
    if re.search("^encounter", path.read_text(encoding="utf-8"), re.MULTILINE)
]


def strip_score(score: str) -> str:
    """Return a score without what differs in another log, and without what only people read."""
    kept_lines = (line for line in score.splitlines() if not re.match("(seal|commitment|date) |- ", line))
    return "\n".join(re.sub(r"^[+~] | \{[^}]*\}$", "", line) for line in kept_lines)


@given(SEEDS)
def test_a_played_score_gives_the_same_facts(corpus: Corpus, seed: int) -> None:
    log, encounter = corpus(seed)
    timeline = log.timeline(encounter)
    assume(not bookkeeping_rulings(timeline))
    other = CombatLog.open("sqlite://")
    play(other, read_fight(write_score(timeline, "again")))
    check_same_facts(timeline, other.timeline("again"))


def test_hidden_rulings_stay_hidden_in_a_score() -> None:
    log = CombatLog.open("sqlite://")
    for command in (Open(), Join("ann", hp=6), Join("bert", hp=6), Join("cleo", hp=6, visibility="gm")):
        log.execute("fight", command)
    log.execute("fight", Initiative(first="ann", reason="so"))
    log.execute("fight", BeginTurn("ann"), visibility="side:reds")
    log.note("fight", "psst", visibility="gm")
    log.undo("fight", 4, only=True)
    play(log, read_fight(write_score(log.timeline("fight"), "again")))
    visibilities = [head.visibility for head in log.timeline("again").heads]
    assert visibilities == ["public", "public", "public", "gm", "side:reds", "gm"]


@pytest.mark.slow
@given(SEEDS)
def test_a_score_of_a_played_score_is_the_same_except_for_numbers(corpus: Corpus, seed: int) -> None:
    log, encounter = corpus(seed)
    assume(not bookkeeping_rulings(log.timeline(encounter)))
    other = CombatLog.open("sqlite://")
    play(other, read_fight(write_score(log.timeline(encounter), "first")))
    play(other, read_fight(write_score(other.timeline("first"), "second")))
    first, second = (strip_score(write_score(other.timeline(name), "x")) for name in ("first", "second"))
    assert first == second


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(st.integers(0, 2**32))
def test_rulings_that_count_only_by_bookkeeping_are_written_as_played(seed: int) -> None:
    log, encounter = play_random_fight(Random(seed), steps=60)
    timeline, rows = log.timeline(encounter), log.application.rows(encounter)
    kept_rulings = bookkeeping_rulings(timeline)
    assume(kept_rulings)
    with pytest.raises(Refused, match="no order can express that") as error:
        write_score(timeline, "again")
    assert error.value.code == "needs_bookkeeping"
    if has_branches(timeline):
        with pytest.raises(Refused, match="The fight as it was played cannot be written either") as error:
            write_score(timeline, "again", rows)
        assert error.value.code == "needs_bookkeeping"
        return
    score = write_score(timeline, "again", rows).splitlines()
    remark = next(line for line in score if line.startswith("{"))
    assert re.match(
        rf"\{{Written as it was played: ruling {kept_rulings[0]} counts only because of correction \d+", remark
    )
    score.remove(remark)
    assert score == write_played(timeline, rows, "again").splitlines()


def test_a_score_with_a_bookkeeping_remark_plays_to_the_same_bookkeeping() -> None:
    log = CombatLog.open("sqlite://")
    fight = (
        *(Open(), Join("ann", hp=6), Join("bert", hp=3), Initiative(first="ann", reason="so"), BeginTurn("ann")),
        *(Attack("ann", "bert", power=4), Resolve(6, 6, 1), EndTurn("ann"), BeginTurn("ann")),
    )
    log.execute_all("fight", fight)
    log.undo("fight", 6)
    timeline = log.timeline("fight")
    assert bookkeeping_rulings(timeline) == [9]
    score = write_score(timeline, "again", log.application.rows("fight"))
    assert (
        "\n{Written as it was played: ruling 9 counts only because of correction 10, which no order can say.}\n"
        in score
    )
    play(log, read_played(score))
    second_timeline = log.timeline("again")
    assert [[bare_step(step) for step in one.bookkeeping] for one in living_plays(second_timeline)] == [
        [bare_step(step) for step in one.bookkeeping] for one in living_plays(timeline)
    ]
    assert replace(second_timeline.state, commitment="") == replace(timeline.state, commitment="")
    log.execute("fight", EndTurn("ann"))
    log.undo("fight", 10)
    assert write_score(log.timeline("fight"), "third").startswith("mam-score 1 long\n"), "nothing is mended any more"


def has_branches(timeline: Timeline) -> bool:
    """Return True if a fight has a branch or a proposal: a score of it as played can have neither."""
    return any(
        isinstance(head, Branch) or (isinstance(head, Note) and head.kind == "proposal") for head in timeline.heads
    )


def drawn_and_judged_again(timeline: Timeline) -> bool:
    """Return True if a die was drawn for a ruling that was judged again.

    In a line such a die counts as thrown.
    """
    return any(
        die.source == "drawn"
        for entry in timeline.entries.values()
        if entry.later
        for outcome in (entry.first, *entry.later)
        for event in outcome.events(timeline.decoders)
        for die in dice_of(event)
    )


def outcomes(timeline: Timeline, number: int) -> list[Any]:
    """Return every outcome of a play: the ruling that led to it, its verdict, and its events with their dice."""
    entry = timeline.entries[number]
    return [
        (
            outcome.by,
            outcome.rejudged and replace(outcome.rejudged, salt=""),
            [bare_step(step) for step in outcome.bookkeeping(timeline.decoders)],
            [bare_event(event, SameNumbers()) for event in outcome.events(timeline.decoders)],
        )
        for outcome in (entry.first, *entry.later)
    ]


def bare_step(step: BookkeepingEntry) -> Any:
    """Return a step of bookkeeping, with its dice as they count."""
    return replace(step, events=()), [bare_event(event, SameNumbers()) for event in step.events]


class SameNumbers(dict[int, int]):
    """Numbers that are the same in both logs."""

    def __missing__(self, number: int) -> int:
        return number


def ordered(head: Head) -> Any:
    """Return the fields of a head, without what differs in another log.

    Its dice are left out, because they are drawn in one log and thrown in the other: its events have them. The events
    also have who came first, because a tie that was drawn twice is written as a word.
    """
    data: dict[str, Any] = {name: getattr(head, name) for name in head.__struct_fields__ if name not in OWN}
    if isinstance(head, Play):
        command = head.command
        fields = {field.name: field for field in structs.fields(command)}
        tie = ("first", "reason") if isinstance(command, Initiative) else ()
        # The head has it; the written order has the visibility of an exchange itself.
        extra_fields = () if isinstance(command, Join) else ("visibility",)
        own = {*dice_fields(type(command)), "seed", "commitment", *tie, *extra_fields} & fields.keys()
        data["command"] = replace(command, **{name: default_of(fields[name]) for name in own})
    return type(head), data


OWN = ("seal", "at", "id", "body", "salt", "blinding", "raw")
"""The fields of a head that a score does not keep: seal, time, keys, salts and stored bytes."""


@given(SEEDS)
def test_a_fight_exported_as_played_replays_every_correction(corpus: Corpus, seed: int) -> None:
    log, encounter = corpus(seed)
    timeline = log.timeline(encounter)
    assume(not has_branches(timeline))
    assume(not drawn_and_judged_again(timeline))
    other = CombatLog.open("sqlite://")
    play(other, read_played(write_played(timeline, log.application.rows(encounter), "again")))
    second_timeline = other.timeline("again")
    assert [ordered(head) for head in second_timeline.heads] == [ordered(head) for head in timeline.heads]
    assert second_timeline.order == timeline.order
    for number in timeline.entries:
        assert outcomes(second_timeline, number) == outcomes(timeline, number), number
    assert is_same_state(replace(second_timeline.state, commitment=""), replace(timeline.state, commitment=""))


@pytest.mark.slow
@given(SEEDS)
def test_a_score_that_passes_the_check_replays_alike_under_any_seed(corpus: Corpus, seed: int) -> None:
    """This includes fights in which a die was drawn for a ruling that was judged again."""
    log, encounter = corpus(seed)
    timeline = log.timeline(encounter)
    assume(not has_branches(timeline))
    score = write_played(timeline, log.application.rows(encounter), "again")
    try:
        check_played(log, timeline, score)
        why = ""
    except Refused as error:
        why = error.code
    if why:
        assert why == "not_as_played"
        assert drawn_and_judged_again(timeline), "whatever was thrown can be said"
        return
    with CombatLog.open("sqlite://") as other:
        play(other, read_played(score))
        second_timeline = other.timeline("again")
        assert not any(second_timeline.drawn(number) for number in second_timeline.entries)
        numbers = {number: number for number in timeline.entries}
        assert by_order(living_events(second_timeline, numbers)) == by_order(living_events(timeline, numbers))


def by_order(rows: list[Any]) -> list[Any]:
    """Return the rows with only the order of each initiative.

    A tie that was drawn twice is written as a word, which stays even if a correction leaves no tie.
    """
    return [
        (
            *row[:2],
            [
                tuple(one["order"])
                if isinstance(one, dict) and one["topic"].startswith("InitiativeEstablished")
                else one
                for one in row[2]
            ],
        )
        for row in rows
    ]


THREE = (Open(), Join("ana", hp=6), Join("bo", hp=6), Join("cy", hp=6))


def replay_as_played(log: CombatLog) -> Timeline:
    """Write the fight as it was played, check the score and play it again."""
    score = write_played(log.timeline("fight"), log.application.rows("fight"), "again")
    check_played(log, log.timeline("fight"), score)
    play(log, read_played(score))
    return log.timeline("again")


@pytest.mark.parametrize("gone", [2, 3, 4])
@pytest.mark.parametrize("dice", [{}, {"ana": 6, "bo": 4, "cy": 5}], ids=["drawn", "thrown"])
def test_initiative_dice_of_an_undone_join_are_dropped(gone: int, dice: dict[str, int]) -> None:
    log = CombatLog.open("sqlite://", entropy=bytes)
    log.execute_all("fight", [*THREE, Initiative(tie_die=dice)])
    log.undo("fight", gone)
    timeline = log.timeline("fight")
    assert len(timeline.state.order) == 2
    second_timeline = replay_as_played(log)
    assert second_timeline.state.order == timeline.state.order
    assert [step.what for step in second_timeline.entries[5].outcome.bookkeeping(second_timeline.decoders)] == [
        "unused"
    ]
    living_copy = write_score(second_timeline, "third")
    assert "needs_bookkeeping" not in living_copy
    assert "played" not in living_copy.splitlines()[0], "a die that nobody rolls needs no bookkeeping to be left out"
    play(log, read_played(living_copy))
    assert log.at("third").order == timeline.state.order


def test_unused_faces_after_a_correction_are_dropped_and_others_count() -> None:
    """If only an interference is undone, its thrown die is dropped; strictly, all is void."""
    log = CombatLog.open("sqlite://")
    fight = (
        *(*THREE, Initiative(first="ana", reason="so"), BeginTurn("ana"), Attack("ana", "bo", power=2)),
        *(Interfere("cy", 7, 7, points=1), Resolve(7, 6, 1, interference_die={"8": 2})),
    )
    log.execute_all("fight", fight)
    log.undo("fight", 8, only=True)
    outcome = log.timeline("fight").entries[9].outcome
    assert [step.what for step in outcome.bookkeeping(log.timeline("fight").decoders)] == ["unused"]
    assert {die.face for event in outcome.events(log.timeline("fight").decoders) for die in dice_of(event)} == {6, 1}
    replay_as_played(log)
    log.redo("fight")
    log.correct("fight", [Strike(8)], turns="strict")
    assert log.timeline("fight").entries[9].outcome.is_void


def test_a_die_that_would_be_drawn_again_is_named() -> None:
    """The error names a die that a correction would draw again.

    The correction aims at somebody whose armor takes a die of its own, or at somebody who defends with their own die,
    while the line holds the other's.
    """
    opening = Open(house_rules={"armour_roll_source": "separate_die"})
    for resolve, why in (
        (Resolve(7, 6, 1), "ruling 8 drew the d6 for armor of cy"),
        (Resolve(7), "ruling 8 would come out differently, because a correction drew the d6 for armor of cy"),
    ):
        log = CombatLog.open("sqlite://", entropy=bytes)
        joined = (opening, *THREE[1:3], replace(THREE[3], armor=(ArmorPiece("coat", cover=6, absorption=1),)))
        for command in (*joined, Initiative(first="ana", reason="so"), BeginTurn("ana"), Attack("ana", "bo", power=2)):
            log.execute("fight", command)
        log.execute("fight", resolve)
        log.correct("fight", [Amend(7, {"target": "cy"})])
        score = write_played(log.timeline("fight"), log.application.rows("fight"), "again")
        with pytest.raises(Refused, match=why) as error:
            check_played(log, log.timeline("fight"), score)
        assert error.value.code == "not_as_played"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_has_a_score(example: Path) -> None:
    log = CombatLog.open("sqlite://")
    fight = load_fight(example)
    play(log, fight, "first")
    timeline = log.timeline("first")
    score = write_score(timeline, "second")
    assert all(len(line) <= 120 or ";" not in line for line in score.splitlines())
    play(log, read_fight(score))
    second_timeline = log.timeline("second")
    assert replace(second_timeline.state, commitment="") == replace(timeline.state, commitment="")
    assert strip_score(write_score(second_timeline, "second")) == strip_score(score)


@pytest.mark.parametrize("name", NAMES)
def test_short_lines_of_an_evening_can_be_played_as_a_script(name: str) -> None:
    log = CombatLog.open("sqlite://")
    fight = load_fight(FOLDER / f"{name}.toml")
    play(log, fight, "first")
    score = write_score(log.timeline("first"), "second")
    joins = [line for line in score.splitlines() if line.startswith("join ")]
    header = score.split("\n\n")[0].replace("mam-score 1 long", "mam-score 1 short")
    play(log, read_played("\n".join([header, "", *joins, *lines(name)])))
    assert replace(log.at("second"), commitment="") == replace(log.at("first"), commitment="")


SCORE = """\
mam-score 1 long
encounter duel
rules mam_pools
by Ana

join modre "Modre" heroes pc hp=6 weapon=(ice-blade "Ice Blade" power=3
    attack=1 reach=1)
join clone - foes npc hp=6
initiative {the longest reach}
- this was struck, and may be anything at all
#6 1.1 modre: attack clone ice-blade power=4 modifier=2; clone: defend 6
[2* 1!].
by Ben
~ 1.2 clone {before: something else}
dispute "Was it dark?" about=#6 by=Cleo
"""


def test_a_score_with_remarks_marks_and_labels_is_read() -> None:
    fight = read_fight(SCORE)
    log = CombatLog.open("sqlite://")
    play(log, fight)
    heads = log.timeline("duel").heads
    assert [head.by for head in heads] == ["Ana"] * 9 + ["Ben", "Cleo"]
    note = heads[-1]
    assert isinstance(note, Note)
    assert (note.kind, note.about) == ("dispute", 6)
    assert log.at("duel").combatants["modre"].weapons[1].name == "Ice Blade"


def test_a_line_of_a_long_score_may_have_any_number_of_orders() -> None:
    fight = read_fight(SCORE + "; ".join(['note "x"'] * (MAX_ORDERS + 1)))
    assert len(fight.orders) == len(read_fight(SCORE).orders) + MAX_ORDERS + 1


WRONG = {
    "mam-score 2 long\n": "fight:1: There is no kind of score",
    "mam-score 1 long\ntitel x\n": 'fight:2: There is no tag "titel". Did you mean "title"?',
    "mam-score 1 long\n\njoin ann - a pc hp=3\nann: atack bob\n": 'fight:4: There is no order "atack". Did you',
    "mam-score 1 long\n\nann: attack bob\n": "fight:3: .*is not complete",
    'mam-score 1 long\n\ndispute "x" about=#9\n': "fight:3: No line above is called #9",
    "mam-score 1 long\n\n#2 join ann - a pc\n#2 join bob - b pc\n": "fight:4: #2 is given twice",
    "mam-score 1 long\n\njoin ann - a pc weapon=(axe\n": "fight:3: A parenthesis is not closed",
    "mam-score 1 long\nrules mam_pools half\n\n": "must be a house rule",
    "mam-score 1 long\nseen-by side:x\n\n": "it can be read but not played",
    "mam-score 1 long\nby A\nby B\n\n": "fight:3: by is given twice",
}
"""Invalid scores and their errors."""


@pytest.mark.parametrize("text", WRONG)
def test_an_invalid_score_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(BadInput, match=WRONG[text]):
        read_fight(text)


def test_a_line_that_is_refused_names_its_place() -> None:
    with pytest.raises(Refused, match=r"^duel\.score:11: "):
        play(CombatLog.open("sqlite://"), read_fight(SCORE.replace("power=4", "power=9"), "duel.score"))


def test_a_score_is_read_as_a_fight_and_a_script_is_refused() -> None:
    assert isinstance(read_fight(SCORE), FightFile)
    with pytest.raises(BadInput, match="a script"):
        read_fight(SCORE.replace("mam-score 1 long", "mam-score 1 short"))


def test_faces_before_a_possible_reaction_are_refused_with_their_place() -> None:
    joins = "join ann a pc hp=3\njoin bob b hp=3\ninit first=ann reason=x\n"
    score = f"mam-score 1 short\nencounter duel\nrules mam_pools\n\n{joins}"
    with pytest.raises(
        BadInput,
        match=r"The rest of the line \(5 2\) was not used, because .* may react first\. Put 5 2 on a line of its own\.",
    ):
        play(CombatLog.open("sqlite://"), read_played(f"{score}ann: a bob p1 5 2\n"))
