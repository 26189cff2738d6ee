"""Laws of corrections, checked on random legal fights with undo, redo, strikes, inserts and restarts."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from mam_events.commands import Adjust, Command, Initiative, Open, RollInitiative, Round
from mam_events.errors import MamError, Refused
from mam_events.events import Amend, Correction, Event, Play, Restore, Step, Strike
from mam_events.history.corrections.change_plan import plan_change
from mam_events.history.corrections.undo import last_step, last_undo
from mam_events.history.judge.rejudge import rejudge
from mam_events.history.timeline.change import Change
from mam_events.history.timeline.entries import dice_of, rows_until
from mam_events.history.timeline.rulings import living_plays
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.store import decoders
from tests.play import PARTY, PATROL, random_adjustment, random_command
from tests.postgres import shared

SEEDS = st.integers(0, 2**32)
HOUSE_RULES = st.sampled_from(
    [
        {},
        {"half_success": "never", "ready_refresh_amount": "exact_maximum"},
        {"combat_die": "d20", "automatic_success_in_opposed_rolls": "either_side"},
        {"defense_resolution": "fixed_difficulty", "pool_counterattack": "simultaneous_exchange"},
        {
            "stun_recovery_timing": "turn_end",
            "round_boundary": "turn_end_to_turn_end",
            "initial_pools": "hp_per_round_ready",
        },
        {"all_hp_lost_state": "dead_when_all_damage", "stun_damage_split": "independent_definition"},
        {"initiative_method": "ron_d6", "rd6_unbroken_tie": "reroll_tied"},
    ]
)
ROUND_RULES = st.sampled_from(
    [
        {},
        {"rd6_unbroken_tie": "reroll_tied", "rd6_go_first_scope": "always"},
        {"rd6_incapacitated_loses": "next_action", "rd6_reactive_defense": "move_up_allowed"},
        {"rd6_group_initiative": "as_one_entry", "rd6_wild_die": "plain", "rd6_map_scope": "excess_actions_only"},
    ]
)


def events_of_living_plays(timeline: Timeline) -> list[tuple[int, tuple[Event, ...]]]:
    return [(ruling.number, ruling.events) for ruling in living_plays(timeline)]


class Fights(RuleBasedStateMachine):
    """A random fight with disputes and corrections."""

    def __init__(self) -> None:
        super().__init__()
        self.address = self.new_address()
        self.log = CombatLog.open(self.address)
        self.faces: dict[str, int] = {}

    def new_address(self) -> str:
        """Return the address of a new store."""
        return str(Path(tempfile.mkdtemp()) / "mam.db")

    def forget(self) -> None:
        """Remove the store."""
        shutil.rmtree(Path(self.address).parent)

    def teardown(self) -> None:
        self.log.close()
        self.forget()

    @property
    def timeline(self) -> Timeline:
        return self.log.timeline("fight")

    @initialize(house_rules=HOUSE_RULES)
    def open(self, house_rules: dict[str, str]) -> None:
        rolls = house_rules.get("initiative_method") == "ron_d6"
        everybody = tuple(join.combatant for join in PARTY)
        first = RollInitiative(everybody) if rolls else Initiative(first="ana", reason="first at the door")
        for command in (Open(house_rules=house_rules), *PARTY, first):
            self.log.execute("fight", command)

    @rule(seed=SEEDS)
    def play(self, seed: int) -> None:
        rng = Random(seed)
        for _ in range(rng.randint(1, 6)):
            state = self.timeline.state
            if state.ruleset is None:
                return
            command = random_command(state, self.log.rules.in_force(state.ruleset), rng)
            if command is None:
                return
            self.log.execute("fight", command)

    @rule(seed=SEEDS)
    def adjust(self, seed: int) -> None:
        if self.timeline.state.combatants:
            self.log.execute("fight", random_adjustment(self.timeline.state, Random(seed)))

    @rule()
    def undo(self) -> None:
        if last_step(self.timeline) > 2:
            self.log.undo("fight")

    @rule()
    def redo(self) -> None:
        if last_undo(self.timeline):
            self.log.redo("fight")

    @rule(seed=SEEDS)
    def correct_with_several_parts(self, seed: int) -> None:
        """Strike, amend and restore in one correction, as far as possible."""
        rng, timeline = Random(seed), self.timeline
        living_plays = [n for n in timeline.order if n > 1 and timeline.lives(n)]
        corrections = [n for n, active in timeline.active.items() if active]
        steps: list[Step] = []
        if living_plays and rng.random() < 0.7:
            steps.append(Strike(rng.choice(living_plays)))
        if worded := [n for n in living_plays if hasattr(timeline.command(n), "reason") and Strike(n) not in steps]:
            steps.append(Amend(rng.choice(worded), {"reason": f"so it was said in {timeline.number}"}))
        if corrections and rng.random() < 0.3:
            steps.append(Restore(rng.choice(corrections)))
        try:
            self.log.correct("fight", steps)
        except Refused:
            return

    @rule(depth=st.integers(1, 6))
    def equally_many_undos_and_redos_change_nothing(self, depth: int) -> None:
        before, state, orders = events_of_living_plays(self.timeline), self.timeline.state, self.orders
        undo_count = 0
        while undo_count < depth and last_step(self.timeline) > 2:
            orders_before = self.orders
            self.log.undo("fight")
            assert self.orders != orders_before, "an undo is seen"
            undo_count += 1
        for _ in range(undo_count):
            self.log.redo("fight")
        assert (events_of_living_plays(self.timeline), self.timeline.state, self.orders) == (before, state, orders)

    @property
    def orders(self) -> list[tuple[int, Command]]:
        return [
            (number, self.timeline.command(number)) for number in self.timeline.order if self.timeline.lives(number)
        ]

    @rule(seed=SEEDS)
    def striking_and_restoring_a_ruling_changes_nothing(self, seed: int) -> None:
        rng = Random(seed)
        living_plays = [n for n in self.timeline.order if n > 1 and self.timeline.lives(n)]
        if not living_plays:
            return
        before, state = events_of_living_plays(self.timeline), self.timeline.state
        try:
            answer = self.log.undo("fight", rng.choice(living_plays), only=rng.random() < 0.5)
        except Refused as error:
            if error.code != "needs_rewind":
                raise
            return
        if rng.random() < 0.6:
            self.log.correct("fight", [Restore(answer.number)])
            assert events_of_living_plays(self.timeline) == before, (
                "a correction and its restoring leave everything as it was"
            )
            assert self.timeline.state == state

    @rule(seed=SEEDS, depth=st.integers(1, 4))
    def restoring_a_restore_cancels_out(self, seed: int, depth: int) -> None:
        number = Random(seed).choice(self.timeline.order)
        if number == 1 or not self.timeline.lives(number):
            return
        first = events_of_living_plays(self.timeline)
        answer = self.log.correct("fight", [Strike(number)])
        second = events_of_living_plays(self.timeline)
        for level in range(depth):
            answer = self.log.correct("fight", [Restore(answer.number)])
            assert events_of_living_plays(self.timeline) == (first if level % 2 == 0 else second)

    @rule(seed=SEEDS)
    def striking_an_unused_ruling_changes_nothing_else(self, seed: int) -> None:
        anchor = Random(seed).choice(self.timeline.order)
        remark = self.log.execute("fight", Adjust(reason="nothing really"), after=anchor)
        assert not remark.rejudged
        assert not self.log.undo("fight", remark.number, only=True).rejudged

    @rule(seed=SEEDS)
    def rulings_after_an_unchanged_state_stand(self, seed: int) -> None:
        number = Random(seed).choice(self.timeline.order)
        if number == 1 or not self.timeline.lives(number):
            return
        head = Correction(ruling=self.timeline.number + 1, at="", by="", seal="", steps=(Strike(number),))
        change = plan_change(self.timeline, head)
        judge = self.log._judges.newest("fight").without_drawing()  # noqa: SLF001 - the law is about this judge
        rulings = rejudge(self.timeline, change, judge, settling=True)
        all_rulings = rejudge(self.timeline, change, judge)
        assert all_rulings[: len(rulings)] == rulings
        assert {entry.verdict for entry in all_rulings[len(rulings) :]} <= {"stands"}
        if len(rulings) < len(all_rulings):
            assert all_rulings[-1].state == self.timeline.state

    @rule(seed=SEEDS)
    def insert(self, seed: int) -> None:
        rng = Random(seed)
        place = rng.randrange(4, len(self.timeline.order))
        state = self.timeline.states[place]
        if state.ruleset is None or state.status != "open":
            return
        command = random_command(state, self.log.rules.in_force(state.ruleset), rng)
        if command is not None and not hasattr(command, "exchange"):
            try:
                self.log.execute("fight", command, after=self.timeline.order[place])
            except MamError:
                assert not self.timeline.lives(self.timeline.order[place]) or place < len(self.timeline.order) - 1

    @rule()
    def restart(self) -> None:
        self.log.close()
        self.log = CombatLog.open(self.address)

    @invariant()
    def points_are_conserved(self) -> None:
        for state in self.timeline.states[-8:]:
            for combatant in state.combatants.values():
                assert combatant.pools.total == combatant.hp
                assert min(getattr(combatant.pools, name) for name in combatant.pools.__struct_fields__) >= 0

    @invariant()
    def dice_keep_their_faces(self) -> None:
        for head in self.timeline.heads[-3:]:
            if isinstance(head, Play):
                for event in self.timeline.entries[head.ruling].outcome.events(decoders()):
                    for die in dice_of(event):
                        if die.source == "drawn":
                            assert self.faces.setdefault(die.key, die.face) == die.face

    @precondition(lambda self: self.timeline.number % 3 == 0)
    @invariant()
    def reading_the_log_again_gives_the_same_timeline(self) -> None:
        own_timeline = self.timeline
        fresh_timeline = Timeline(decoders(), self.log.application.rows("fight"))
        assert (fresh_timeline.order, fresh_timeline.active, fresh_timeline.seal) == (
            own_timeline.order,
            own_timeline.active,
            own_timeline.seal,
        )
        assert fresh_timeline.states == own_timeline.states
        assert events_of_living_plays(fresh_timeline) == events_of_living_plays(own_timeline)

    @precondition(lambda self: self.timeline.number % 4 == 0)
    @invariant()
    def judging_everything_again_changes_nothing(self) -> None:
        change = Change(0, 0, self.timeline.order, {})
        rulings = rejudge(self.timeline, change, self.log._judges.newest("fight").without_drawing())  # noqa: SLF001 - the law is about this judge
        assert {entry.verdict for entry in rulings} <= {"stands"}

    @precondition(lambda self: self.timeline.number % 7 == 0)
    @invariant()
    def every_prefix_of_complete_rulings_can_be_read(self) -> None:
        rows = self.log.application.rows("fight")
        for number in range(1, self.timeline.number + 1, 5):
            prefix = Timeline(decoders(), rows_until(rows, number))
            assert prefix.number == number
            assert all(c.pools.total == c.hp for c in prefix.state.combatants.values())


class RoundsOfRonD6(Fights):
    """A random fight of Ron d6: no hit points, and initiative rolls in every round."""

    @initialize(house_rules=ROUND_RULES)
    def open(self, house_rules: dict[str, str]) -> None:
        everybody = tuple(join.combatant for join in PATROL)
        for command in (Open("ron_d6", house_rules), *PATROL, Round(), RollInitiative(everybody)):
            self.log.execute("fight", command)


class FightsOnPostgres(Fights):
    """The same random fight in a PostgreSQL log."""

    def new_address(self) -> str:
        """Return the address of a database with an empty log."""
        return shared().database()

    def forget(self) -> None:
        """Drop the database."""
        shared().drop(self.address)


TestFights = Fights.TestCase
TestFights.settings = settings(stateful_step_count=25)
TestFightsOnPostgres = pytest.mark.slow(FightsOnPostgres.TestCase)
TestFightsOnPostgres.settings = settings(stateful_step_count=25, max_examples=settings().max_examples // 10)
TestRoundsOfRonD6 = RoundsOfRonD6.TestCase
TestRoundsOfRonD6.settings = settings(stateful_step_count=25)


def test_undo_and_redo_are_corrections(log: CombatLog) -> None:
    for command in (Open(), *PARTY):
        log.execute("fight", command)
    assert isinstance(log.undo("fight").head, Correction)
    assert isinstance(log.redo("fight").head, Correction)
