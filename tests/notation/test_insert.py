"""A passed turn inserted in one line: its beginning, its orders and its end, or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from mam_events.commands import Attack, BeginTurn, Command, Defend, EndTurn, Join, Move, Open, Resolve
from mam_events.errors import BadInput, Refused, VersionConflict
from mam_events.events import Play, WoundInflicted
from mam_events.history.judge.verdicts import reason_words
from mam_events.history.timeline.command_ids import batch_member_id, stored_id
from mam_events.history.timeline.rulings import living_plays, play_ruling
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.notation.line_result import LineGiven, LineOptions
from mam_events.notation.submit import give_line
from mam_events.state import Weapon, is_same_state
from mam_events.store import build_events
from mam_events.verification import judge_again

PRESETS = ("mam_pools", "mam_speed", "mam_d20")
AFTER = 14
"""The end of bandit-2's turn, before the turn that passes."""
NEXT = 15
"""The beginning of the next turn that was played."""


class Dice(NamedTuple):
    """Faces that fell, miss and hit, and the points of the attack, for a preset."""

    fells: str
    misses: str
    hits: str
    points: str


DICE = {
    "mam_pools": Dice("6 1", "1 6", "6 1", " p2 m1"),
    "mam_speed": Dice("20", "1", "20", ""),
    "mam_d20": Dice("20", "1", "20", ""),
}


class Table:
    """A fight in which turns pass."""

    def __init__(self, preset: str, hp: int = 60) -> None:
        self.log = CombatLog.open("sqlite://")
        self.dice = DICE[preset]
        axe = (Weapon("axe", power=20),)
        orders: list[Command] = [Open(preset)]
        for name, side, points in (
            ("bram", "heroes", hp),
            ("vera", "heroes", 4),
            ("ann", "foes", 4),
            ("bandit-2", "foes", 4),
        ):
            orders.append(Join(name, name=name.title(), side=side, hp=points, weapon=axe))
        self.log.execute_all("fight", orders)
        self("initiative first=bram reason=so")

    def __call__(self, line: str, **options: object) -> LineGiven:
        return give_line(self.log, "fight", line, LineOptions(**options))  # type: ignore[arg-type]  # as the line takes them

    def passed(self) -> list[tuple[int, str]]:
        """Return the turns that pass in the current fight, each with the ruling before which it passes."""
        timeline = self.log.timeline("fight")
        return [
            (number, step.combatant)
            for number in timeline.order
            if timeline.lives(number)
            for step in play_ruling(timeline, number).bookkeeping
            if step.what == "passed"
        ]

    def living(self, numbers: range) -> list[tuple[int, Command]]:
        """Return the living plays among those numbers, each with the ruling that it follows."""
        timeline = self.log.timeline("fight")
        heads = [timeline.heads[number - 1] for number in numbers]
        return [(head.after, head.command) for head in heads if isinstance(head, Play) and timeline.lives(head.ruling)]


@pytest.fixture(params=PRESETS)
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    """Yield a fight with passed turns, and check that a rejudging of all rulings finds the same."""
    table = correct_hit(Table(request.param))
    yield table
    judge_again(table.log.application.rows("fight"), table.log.rules)


def correct_hit(table: Table) -> Table:
    """Return the fight in round 3, after bandit-2 falls in round 1 and a correction raises it again."""
    points = " p1" if table.dice.points else ""
    table(f"n a bandit-2{points}; {table.dice.fells}")
    assert table.log.at("fight").combatants["bandit-2"].condition != "able"
    for _ in range(7):
        table("n")
    assert table.log.at("fight").round == 3
    table("correct -#8 -#9 !" if not table.dice.points else "amend 9 1 6 !")
    assert table.passed() == [(NEXT, "bandit-2"), (21, "bandit-2")]
    return table


def line_of(table: Table, dice: str) -> str:
    return f"after {AFTER} bandit-2: a bram{table.dice.points}{dice}"


def test_one_line_plays_the_turn_and_replaces_the_pass(table: Table) -> None:
    preview_answer = table(line_of(table, f" {table.dice.hits}"), looks=True)
    assert preview_answer.asks is not None
    assert not preview_answer.answers
    others = [entry for entry in preview_answer.asks.rejudged if entry.verdict != "stands"]
    assert preview_answer.asks.touches_more == bool(others), "a pass that is gone is no change of what was played"
    assert table.log.timeline("fight").number == 24
    final_answer = table(line_of(table, f" {table.dice.hits}"), expect=preview_answer.asks.expect)
    assert final_answer.said == preview_answer.said
    assert [line.split(": ", 1)[0] for line in final_answer.said] == [f"after #{n}" for n in (AFTER, 25, 26, 27)]
    assert [answer.number for answer in final_answer.answers] == [25, 26, 27, 28]
    plays = table.living(range(25, 29))
    assert [after for after, _ in plays] == [AFTER, 25, 26, 27]
    assert [type(command) for _, command in plays] == [BeginTurn, Attack, Resolve, EndTurn]
    assert table.passed() == [(21, "bandit-2")]
    timeline = table.log.timeline("fight")
    rulings = {entry.ruling: entry for entry in preview_answer.asks.rejudged}
    for number, entry in rulings.items():
        assert play_ruling(timeline, number).events == entry.events, number
        assert play_ruling(timeline, number).bookkeeping == entry.bookkeeping, number
    assert preview_answer.asks.state is not None
    assert preview_answer.asks.state.combatants == timeline.state.combatants


@pytest.mark.parametrize("preset", PRESETS)
def test_an_insert_that_changes_other_rulings_is_previewed(preset: str) -> None:
    table = correct_hit(Table(preset, hp=4))
    line = line_of(table, f" {table.dice.hits}")
    answer = table(line)
    assert answer.asks is not None, "Bram falls, and his turns are gone"
    assert answer.asks.touches_more
    assert [entry.ruling for entry in answer.asks.rejudged if entry.verdict == "void"] == [15, 16, 21, 22]
    assert table.log.timeline("fight").number == 24
    table(f"{line} !")
    timeline = table.log.timeline("fight")
    assert [number for number in timeline.order if timeline.entries[number].outcome.is_void] == [15, 16, 21, 22]


def test_an_inserted_turn_is_undone_and_redone_as_one(table: Table) -> None:
    before = table.log.at("fight")
    table(line_of(table, f" {table.dice.hits} !"))
    after = table.log.at("fight")
    assert before != after
    assert table("u !").said == ("correct -#25 -#26 -#27 -#28",)
    assert table.log.at("fight") == before
    assert table.passed() == [(NEXT, "bandit-2"), (21, "bandit-2")]
    table("redo !")
    assert table.log.at("fight") == after


def test_a_repeated_id_returns_the_same_answer(table: Table) -> None:
    line = line_of(table, f" {table.dice.hits} !")
    first = table(line, command_id="once")
    second_answer = table(line, command_id="once")
    assert second_answer.said == first.said
    assert [answer.number for answer in second_answer.answers] == [25, 26, 27, 28]
    assert all(answer.repeated for answer in second_answer.answers)
    timeline = table.log.timeline("fight")
    assert timeline.number == 28
    assert [head.id for head in timeline.heads[24:]] == [stored_id(batch_member_id("once", at)) for at in (1, 2, 3, 4)]
    with pytest.raises(Refused, match="something else"):
        table(line_of(table, f" {table.dice.misses} !"), command_id="once")


def test_the_long_form_of_an_inserted_turn_can_be_read(table: Table) -> None:
    orders = table(line_of(table, f" {table.dice.hits} !")).said
    rulings = table.living(range(25, 29))
    table("u !")
    number = table.log.timeline("fight").number
    for at, line in enumerate(orders):
        anchor = AFTER if not at else number + at
        table(f"after #{anchor}: {line.split(': ', 1)[1]} !")
    assert [command for _, command in table.living(range(number + 1, number + 5))] == [
        command if not hasattr(command, "exchange") else type(command)(**fields(command, number + 2))
        for _, command in rulings
    ]
    assert table.passed() == [(21, "bandit-2")]


def fields(command: Command, exchange: int) -> dict[str, Any]:
    return {name: getattr(command, name) for name in command.__struct_fields__} | {"exchange": exchange}


@pytest.mark.parametrize("end", ["", "."])
def test_a_line_can_insert_reactions_and_further_orders(end: str) -> None:
    table = correct_hit(Table("mam_pools"))
    answer = table(f"after {AFTER} bandit-2: m 1; a bram p1; d 1; 6 1{end} !")
    kinds = [type(command) for _, command in table.living(range(25, 31))]
    assert kinds == [BeginTurn, Move, Attack, Defend, Resolve, EndTurn]
    assert len(answer.answers) == 6
    assert table.passed() == [(21, "bandit-2")]


@pytest.mark.parametrize("order", ["rest", "bandit-2: rest", "bandit-2 rest", "b; rest.", "1.4 bandit-2: rest."])
def test_an_inserted_long_order_begins_and_ends_a_turn(order: str) -> None:
    table = correct_hit(Table("mam_pools"))
    table(f"after {AFTER} {order} !")
    kinds = [type(command) for _, command in table.living(range(25, 28))]
    assert (kinds[0], kinds[-1], len(kinds)) == (BeginTurn, EndTurn, 3)
    assert table.passed() == [(21, "bandit-2")]


def test_a_name_with_a_full_stop_inserts_an_empty_turn(table: Table) -> None:
    answer = table(f"after {AFTER} bandit-2.")
    assert answer.said == (f"after #{AFTER}: bandit-2: begin-turn", "after #25: bandit-2: end-turn")
    assert answer.asks is None, "nothing comes out otherwise: the turn passed before as well"
    assert table.passed() == [(21, "bandit-2")]


@pytest.mark.parametrize("sign", ["!", " !", ". !", ".!"])
def test_the_confirmation_mark_comes_at_the_end_of_the_line(table: Table, sign: str) -> None:
    assert len(table(line_of(table, f" {table.dice.hits}{sign}")).answers) == 4


def test_a_refused_part_writes_nothing(table: Table) -> None:
    rows = table.log.application.rows("fight")
    dice = table.dice.hits
    for line, kind, text in (
        (line_of(table, ""), BadInput, "The attack has no dice. Add them after it, or type ; r to draw them"),
        (line_of(table, f" {dice}; begin-turn"), Refused, "s turn. End it first"),
        (line_of(table, f" {dice}; u"), BadInput, "can't be inserted"),
        (f"after {AFTER} vera: a bandit-2 {dice}", Refused, "cannot do this now"),
    ):
        for more in ("", " !"):
            with pytest.raises(kind, match=text):
                table(line + more)
            assert table.log.application.rows("fight") == rows


def test_a_changed_preview_is_a_version_conflict(table: Table) -> None:
    preview = table(line_of(table, f" {table.dice.hits}"), looks=True).asks
    other = table(line_of(table, f" {table.dice.misses}"), looks=True).asks
    assert preview is not None
    assert other is not None
    assert preview.expect != other.expect
    with pytest.raises(VersionConflict, match="Ask for a"):
        table(line_of(table, f" {table.dice.hits}"), expect=other.expect)
    table('note "in between')
    with pytest.raises(VersionConflict, match="Ask for a"):
        table(line_of(table, f" {table.dice.hits}"), expect=preview.expect)
    assert table.log.timeline("fight").number == 25


def test_a_preview_does_not_show_a_die_to_be_drawn(table: Table) -> None:
    line = line_of(table, "; r")
    answer = table(line)
    assert answer.asks is not None
    assert (answer.asks.rejudged, answer.asks.state, answer.asks.unused) == ((), None, ())
    assert answer.asks.touches_more, "nobody can tell yet what becomes of the rest"
    # Another seed gives another die, but the preview has the same bytes.
    with table.log.scratch() as other:
        other.application.save(*build_events("fight", table.log.application.rows("fight")))
        elsewhere = give_line(other, "fight", line, LineOptions(looks=True))
    assert (elsewhere.said, elsewhere.asks) == (answer.said, answer.asks)
    final_answer = table(line, expect=answer.asks.expect)
    assert [type(command) for _, command in table.living(range(25, 29))][:3] == [BeginTurn, Attack, Resolve]
    assert final_answer.stopped is None
    assert table.passed() == [(21, "bandit-2")]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_second_of_two_passed_turns_is_inserted_after_the_first(preset: str) -> None:
    table = Table(preset)
    points = " p1" if table.dice.points else ""
    for foe in ("ann", "bandit-2"):
        table(f"n a {foe}{points}; {table.dice.fells}")
    for _ in range(4):
        table("n")
    table("correct -#8 -#9 -#12 -#13 !")
    (number, first), (same, second), *_ = table.passed()
    assert (number == same, first, second) == (True, "ann", "bandit-2")
    after = table.log.timeline("fight").order[table.log.timeline("fight").place[number] - 1]
    text = f"Ann comes before Bandit-2 here. To let that turn pass first, type: after {after} ann."
    with pytest.raises(Refused, match=text):
        table(f"after {after} bandit-2: a bram{table.dice.points} {table.dice.hits}")
    table(f"after {after} ann.")
    before = len(table.passed())
    table(f"after {after} bandit-2: a bram{table.dice.points} {table.dice.hits}!")
    assert len(table.passed()) == before - 1
    timeline = table.log.timeline("fight")
    behind = timeline.order[timeline.place[after] + 1 :][:6]
    assert [type(timeline.command(n)) for n in behind] == [BeginTurn, EndTurn, BeginTurn, Attack, Resolve, EndTurn]


def passes(log: CombatLog) -> list[tuple[int, str]]:
    """Return every turn that passes in the fight, as the ruling before it and the combatant."""
    timeline = log.timeline("fight")
    return [
        (timeline.order[timeline.place[ruling.number] - 1], step.combatant)
        for ruling in living_plays(timeline)
        for step in ruling.bookkeeping
        if step.what == "passed"
    ]


def outcome(timeline: Timeline, number: int) -> Any:
    """Return the result of a ruling: its events and the bookkeeping before it, or why it is void."""
    ruling = play_ruling(timeline, number)
    rejudgement = ruling.rejudged
    return (
        ("void", reason_words(rejudgement)) if ruling.is_void and rejudgement else (ruling.events, ruling.bookkeeping)
    )


def play_bandits(random: Random) -> Table:
    """Play a fight of several rounds in which combatants fall, and undo one of those hits."""
    table = Table(random.choice(PRESETS), hp=4)
    dice, points = table.dice, " p1" if table.dice.points else ""
    for _ in range(random.randint(8, 14)):
        state = table.log.at("fight")
        upcoming = state.combatants[str(state.next_up)]
        foes = [one.id for one in state.combatants.values() if one.side != upcoming.side and one.condition == "able"]
        spends = not table.dice.points or upcoming.pools.ready
        if foes and spends and random.random() < 0.5:
            table(f"n a {random.choice(foes)}{points}; {random.choice((dice.fells, dice.misses))}")
        else:
            table("n")
    timeline = table.log.timeline("fight")
    felling = [
        wound.exchange
        for entry in timeline.entries.values()
        for wound in entry.first.events(timeline.decoders)
        if isinstance(wound, WoundInflicted)
    ]
    if felling:
        table(f"u {random.choice(felling)} !")
    return table


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(st.integers(0, 2**32))
def test_a_preview_matches_the_insert_and_undo_restores_the_fight(seed: int) -> None:
    random = Random(seed)
    table = play_bandits(random)
    log = table.log
    turns = passes(log)
    assume(turns)
    after, name = random.choice(turns)
    foe = random.choice(["bram", "vera", "ann", "bandit-2"])
    dice = random.choice((table.dice.hits, table.dice.misses, "; r"))
    order = random.choice(
        (
            f"after {after} {name}.",
            f"after {after} {name}: rest.",
            f"after {after} {name}: a {foe}{table.dice.points} {dice}",
        )
    )
    before = log.timeline("fight")
    recorded = {number: outcome(before, number) for number in before.order if before.lives(number)}
    try:
        preview = give_line(log, "fight", order, LineOptions(looks=True)).asks
    except (Refused, BadInput) as error:
        event(error.sentence[:40])
        return
    assert preview is not None
    final_answer = give_line(log, "fight", order, LineOptions(expect=preview.expect))
    current_timeline = log.timeline("fight")
    if preview.state is not None:
        for entry in preview.rejudged:
            expected = ("void", reason_words(entry)) if entry.code else (entry.events, entry.bookkeeping)
            assert outcome(current_timeline, entry.ruling) == expected, entry.ruling
        assert is_same_state(preview.state, current_timeline.state)
    give_line(log, "fight", " ".join(["correct", *(f"-#{answer.number}" for answer in final_answer.answers), "!"]))
    after_all_timeline = log.timeline("fight")
    assert is_same_state(after_all_timeline.state, before.state)
    assert {number: outcome(after_all_timeline, number) for number in recorded} == recorded
    judge_again(log.application.rows("fight"), log.rules)
