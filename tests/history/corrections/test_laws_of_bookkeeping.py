"""Laws of corrections with turns as played and of strict ones, in every preset."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mam_events import events as e
from mam_events.archive import export_ndjson
from mam_events.commands import (
    BeginTurn,
    Declare,
    Initiative,
    MoveUp,
    PrepareCounterattack,
    Resolve,
    Result,
    RollInitiative,
    SkipTurn,
    Wait,
    actor_of,
)
from mam_events.errors import BadInput, NotFound, Refused
from mam_events.events import Amend, Bookkeeping, Event, Restore, Step, Strike, TurnPolicy
from mam_events.history.corrections.turn_policy import TurnPolicies
from mam_events.history.judge.judge import EncounterJudge
from mam_events.history.judge.rejudge import rejudge
from mam_events.history.judge.rejudgement import RejudgedRuling
from mam_events.history.judge.verdicts import reason_words
from mam_events.history.timeline.change import Change
from mam_events.history.timeline.entries import BookkeepingEntry, dice_of
from mam_events.history.timeline.rulings import rulings
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.log.results import Answer
from mam_events.references import names_in
from mam_events.state import Encounter, has_turns
from mam_events.store import decoders
from mam_events.verification import judge_again, verify
from projections.rulings.audit import audit_trail
from projections.rulings.frames import frames
from projections.rulings.log_lines import log_lines
from tests.effort import each_preset
from tests.history.long_fights import FIGHT, PRESETS, LongFight, felling
from tests.history.void_codes import VOID_CODES
from tests.projections.raids import HIT, raid

SEEDS = st.integers(0, 2**32)
EACH_PRESET = pytest.mark.parametrize("preset", each_preset(PRESETS))
FEWER = settings(max_examples=settings().max_examples // 5)
ERRORS = (Refused, BadInput, NotFound)
STARTS = (BeginTurn, Declare, MoveUp, SkipTurn)


class Standing(NamedTuple):
    """One living ruling: its events, the bookkeeping before it, and why it is void."""

    ruling: int
    events: tuple[Event, ...]
    bookkeeping: tuple[BookkeepingEntry, ...]
    void: str


def standings(timeline: Timeline) -> tuple[list[Standing], list[Encounter]]:
    """Return the living history with its bookkeeping and the state after each ruling."""
    results = []
    for number, entry in timeline.living():
        outcome = entry.outcome
        why = (
            f"{outcome.rejudged.code}: {reason_words(outcome.rejudged)}" if outcome.is_void and outcome.rejudged else ""
        )
        events, bookkeeping = outcome.events(timeline.decoders), outcome.bookkeeping(timeline.decoders)
        results.append(Standing(number, events, bookkeeping, why))
    return results, list(timeline.states)


def some_steps(fight: LongFight, random: Random) -> list[Step]:
    """Return a random correction: a result, an order of turns, or the undoing of a single ruling."""
    timeline = fight.timeline
    number = random.choice([n for n in timeline.order[len(timeline.state.combatants) :] if timeline.lives(n)])
    command = timeline.command(number)
    patch: dict[str, Any] = {}
    if isinstance(command, Resolve):
        patch = {"outcome": random.choice(("fail", "full"))}
    elif isinstance(command, Result):
        patch = {"outcome": random.choice(("failure", "success"))}
    elif isinstance(command, Initiative):
        patch = {"first": random.choice(list(timeline.state.combatants))}
    elif isinstance(command, RollInitiative):
        patch = {"dice": {random.choice(command.combatants): random.choice(([1, 1, 2], [6, 6, 5]))}}
    return [Amend(number, patch) if patch else Strike(number)]


def rejudge_all(fight: LongFight) -> list[RejudgedRuling]:
    """Judge the whole living history again."""
    timeline = fight.timeline
    judge = fight.log._judges.newest(FIGHT).without_drawing()  # noqa: SLF001 - the law is about this judge
    return rejudge(timeline, Change(0, 0, timeline.order), judge)


def differences_of_rejudging(fight: LongFight) -> list[tuple[int, object, str]]:
    """Return the rulings whose rejudging differs from the log."""
    return [(one.ruling, one.verdict, one.why) for one in rejudge_all(fight) if one.differs]


@EACH_PRESET
@FEWER
@given(seed=SEEDS)
def test_mixed_strict_and_lenient_corrections_equal_judging_everything_again(preset: str, seed: int) -> None:
    """Corrections, inserts, restores and plays in turn, each under a random turns policy."""
    random = Random(seed)
    fight = LongFight(preset, seed, random.choice((40, 70)), house=random.random() < 0.5)
    newest: list[tuple[int, object]] = []
    older: list[int] = []
    for _ in range(7):
        before = standings(fight.timeline)
        turns: TurnPolicy = random.choice(("as_played", "as_played", "strict"))
        do = random.random()
        try:
            if do < 0.2 and newest:
                number, was = newest.pop()
                fight.log.correct(FIGHT, [Restore(number)], turns=turns)
                assert standings(fight.timeline) == was, "a correction and its undo are as if nothing had been"
            elif do < 0.3 and older:
                fight.log.correct(FIGHT, [Restore(older.pop(random.randrange(len(older))))], turns=turns)
                newest.clear()
            elif do < 0.45:
                fight.play_on(fight.timeline.number + 5)
                older += [number for number, _ in newest]
                newest.clear()
            elif do < 0.6:
                insert_random_order(fight, random, turns)
                newest.clear()
            else:
                newest.append((preview_and_correct(fight, some_steps(fight, random), turns), before))
        except ERRORS:
            continue
        timeline = fight.timeline
        assert standings(Timeline(decoders(), fight.log.application.rows(FIGHT))) == standings(timeline), "cold is warm"
        assert differences_of_rejudging(fight) == []
    rows = fight.log.application.rows(FIGHT)
    assert verify(rows).rulings == judge_again(rows, fight.log.rules) == fight.timeline.number


def insert_random_order(fight: LongFight, random: Random, turns: TurnPolicy) -> None:
    """Insert an order that was legal after some ruling."""
    timeline = fight.timeline
    after = random.choice([n for n in timeline.order[8:] if timeline.lives(n)])
    command = fight.command(timeline.states[timeline.place[after]])
    if command is not None:
        fight.log.execute(FIGHT, command, after=after, turns=turns)


def preview_and_correct(fight: LongFight, steps: Sequence[Step], turns: TurnPolicy) -> int:
    """Check that a correction matches its preview, and return its number."""
    preview = fight.log.preview(FIGHT, steps, turns=turns)
    answer = fight.log.correct(FIGHT, steps, turns=turns, expect=preview.expect)
    if preview.state is not None:
        assert preview.state == answer.state
        assert rejudged_results(one for one in preview.rejudged if one.differs) == rejudged_results(answer.rejudged)
    return answer.number


def rejudged_results(rejudged: Iterator[RejudgedRuling] | Sequence[RejudgedRuling]) -> list[tuple[object, ...]]:
    """Return the comparable parts of rejudged rulings."""
    return [(one.ruling, one.verdict, one.events, one.bookkeeping, one.why, one.because) for one in rejudged]


@EACH_PRESET
@FEWER
@given(seed=SEEDS, turns=st.lists(st.sampled_from(("as_played", "strict")), min_size=3, max_size=3))
def test_undo_and_redo_of_a_correction_do_not_depend_on_the_turns_policy(
    preset: str, seed: int, turns: list[TurnPolicy]
) -> None:
    random = Random(seed)
    fight = LongFight(preset, seed, 60)
    before = standings(fight.timeline)
    try:
        answer = fight.log.correct(FIGHT, some_steps(fight, random), turns=turns[0])
    except ERRORS:
        return
    corrected = standings(fight.timeline)
    undone_answer = fight.log.undo(FIGHT, answer.number, turns=turns[1])
    assert standings(fight.timeline) == before
    fight.log.redo(FIGHT, undone_answer.number, turns=turns[2])
    assert standings(fight.timeline) == corrected


@EACH_PRESET
@FEWER
@given(seed=SEEDS)
def test_no_possible_ruling_is_void(preset: str, seed: int) -> None:
    """A void ruling must be impossible on the state before it, without the bookkeeping that was tried."""
    random = Random(seed)
    fight = LongFight(preset, seed, 80)
    try:
        answer = fight.log.correct(FIGHT, some_steps(fight, random), turns="as_played")
    except ERRORS:
        return
    timeline = fight.timeline
    for ruling in answer.rejudged:
        if ruling.verdict == "void":
            assert ruling.code in VOID_CODES, ruling.why
            assert is_impossible(timeline, ruling.ruling, ruling.code), (ruling.ruling, ruling.command, ruling.why)


def is_impossible(timeline: Timeline, number: int, code: str) -> bool:
    """Return True if a void ruling lacks something that bookkeeping can't provide, or if only its code could tell."""
    command, place = timeline.command(number), timeline.place[number]
    state = timeline.state_before(place)
    actor = state.combatants.get(actor_of(command) or getattr(command, "combatant", ""))
    if actor is None:
        return True
    if isinstance(command, STARTS):
        no_order = not state.order and not state.initiative.entry(actor.id)
        has_lost_turn = actor.actions.turn_lost or actor.actions.lost > 0 or actor.condition != "able"
        return not has_turns(actor) or no_order or has_lost_turn or is_lost(timeline, getattr(command, "against", 0))
    if code == "out_of_turn":
        begun_turns = [n for n in timeline.order[:place] if begins_turn(timeline, n, actor.id)]
        # A combatant with a prepared counterattack acts in an attacker's turn.
        last = timeline.command(begun_turns[-1]) if begun_turns else None
        return last is None or is_lost(timeline, begun_turns[-1]) or isinstance(last, PrepareCounterattack)
    if code == "incapacitated":
        return actor.condition != "able"
    exchange = getattr(command, "exchange", 0) or getattr(command, "against", 0)
    if code in ("no_such_exchange", "window_not_open", "unknown_action"):
        names = {int(name.value) for name in names_in(command) if name.kinds == ("ruling",)}
        return any(is_lost(timeline, one) for one in names) or is_answered(timeline, exchange, place)
    return True


def begins_turn(timeline: Timeline, number: int, name: str) -> bool:
    """Return True if that ruling would begin a turn of the combatant."""
    command = timeline.command(number)
    return isinstance(command, (*STARTS, PrepareCounterattack, Wait)) and command.combatant == name


def is_lost(timeline: Timeline, number: int) -> bool:
    """Return True if that ruling is struck or void."""
    return bool(number) and (not timeline.lives(number) or timeline.entries[number].outcome.is_void)


def is_answered(timeline: Timeline, exchange: int, place: int) -> bool:
    """Return True if the exchange ended before that place, by a result or by abandonment."""
    state = timeline.state_before(place)
    return not (state.exchange and state.exchange.id == exchange) and not state.window.action(exchange)


BY_ITSELF = (
    e.TurnStarted,
    e.TurnEnded,
    e.TurnSkipped,
    e.RoundStarted,
    e.RoundEnded,
    e.StunRecovered,
    e.CombatantRecovered,
)
"""Events that turns cause by themselves in every fight."""


@EACH_PRESET
@FEWER
@given(seed=SEEDS)
def test_a_passed_turn_has_no_order_and_no_die(preset: str, seed: int) -> None:
    random = Random(seed)
    fight = LongFight(preset, seed, 110)
    answer = felling_undone(fight, random)
    for ruling in answer.rejudged if answer else ():
        for step in ruling.bookkeeping:
            kinds = ALLOWED[step.what]
            assert all(isinstance(event, kinds) for event in step.events), step
            assert not any(dice_of(event) for event in step.events), "bookkeeping throws no die"
            if step.what == "passed":
                assert [one.combatant for one in step.events if isinstance(one, e.TurnStarted)] == [step.combatant]
                assert getattr(ruling.command, "combatant", "") != step.combatant, "whoever acts does not pass"


def felling_undone(fight: LongFight, random: Random) -> Answer | None:
    """Undo a hit that felled somebody, or return None if there is none."""
    hits = felling(fight)
    if not hits:
        return None
    number = random.choice(hits)
    outcome = "failure" if fight.preset == "ron_d6" else "fail"
    blow = [Strike(fight.blows[number])] if number in fight.blows else []
    try:
        return fight.log.correct(FIGHT, [Amend(number, {"outcome": outcome}), *blow], turns="as_played")
    except ERRORS:
        return None


MORE = (
    e.ActionsLost,
    e.CounterattackLapsed,
    e.EffectExpired,
    e.GrappleBroken,
    e.GrappleEffectApplied,
    e.GrappleMaintained,
    e.GrappleWeakened,
    e.PreparationSpent,
    e.SkipsOwed,
)
"""Events of holds, effects and preparations that run out or go on with turns and rounds."""
ALLOWED: dict[Bookkeeping, tuple[type[Event], ...]] = {
    "passed": (*BY_ITSELF, *MORE),
    "ended": (*BY_ITSELF, *MORE),
    "order": (e.OrderKept,),
    "left": (e.ExchangeLeft,),
    "round": (*BY_ITSELF, *MORE),
    "cut": (),
    "left_out": (),
    "needless": (),
    "unused": (),
    "waived": (e.RidingDeclared,),
}


def test_the_table_of_allowed_events_covers_every_kind_of_bookkeeping() -> None:
    assert set(ALLOWED) == set(get_args(Bookkeeping))


@EACH_PRESET
@FEWER
@given(seed=SEEDS)
def test_corrections_as_played_change_no_recorded_die(preset: str, seed: int) -> None:
    random = Random(seed)
    fight = LongFight(preset, seed, 80)
    for _ in range(3):
        try:
            fight.log.correct(FIGHT, some_steps(fight, random), turns="as_played")
        except ERRORS:
            continue
    faces: dict[str, int] = {}
    timeline = fight.timeline
    for entry in timeline.entries.values():
        for outcome in (entry.first, *entry.later):
            kept_events = (event for step in outcome.bookkeeping(timeline.decoders) for event in step.events)
            for event in (*outcome.events(timeline.decoders), *kept_events):
                for die in dice_of(event):
                    assert die.source != "drawn" or faces.setdefault(die.key, die.face) == die.face


def test_dice_of_separate_bookkeeping_steps_have_separate_keys() -> None:
    """No step rolls a die today, but two passed turns before one ruling would share its faces."""
    fight = LongFight("mam_pools", 1, 20)
    judge = EncounterJudge(fight.timeline, lambda: fight.log.rules, fight.log.application.seeds, FIGHT, draws=True)
    rolls = [judge.begin_bookkeeping(fight.timeline.state, 15, step).dice for step in (0, 1, 2)]
    keys = [dice.roll("stun.hero-1", "d6", field="die").key for dice in rolls]
    assert len(set(keys)) == len(keys)


@EACH_PRESET
@FEWER
@given(seed=SEEDS)
def test_a_strict_correction_equals_one_without_bookkeeping(preset: str, seed: int) -> None:
    random = Random(seed)
    fight = LongFight(preset, seed, 80)
    for _ in range(3):
        steps = some_steps(fight, random)
        try:
            strict_preview = fight.log.preview(FIGHT, steps, turns="strict")
        except ERRORS:
            continue
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(TurnPolicies, "keeps", lambda *_: False)
            plain_preview = fight.log.preview(FIGHT, steps, turns="as_played")
        assert rejudged_results(strict_preview.rejudged) == rejudged_results(plain_preview.rejudged)
        assert strict_preview.state == plain_preview.state
        assert not any(one.bookkeeping for one in strict_preview.rejudged)


def test_a_later_correction_as_played_repairs_rulings_that_a_strict_one_voided() -> None:
    """Rejudging stops where nothing differs, but goes on as far as the older correction reached."""
    for seed in range(30):
        fight = LongFight("mam_pools", seed, 120)
        hits = felling(fight)
        if not hits or fight.timeline.place[hits[0]] > 80:
            continue
        fight.log.correct(FIGHT, [Amend(hits[0], {"outcome": "fail"})], turns="strict")
        void = [one.ruling for one in standings(fight.timeline)[0] if one.void]
        early = fight.timeline.order[len(fight.timeline.state.combatants) + 1]
        assert isinstance(fight.timeline.command(early), BeginTurn | Initiative)
        first = next(n for n in fight.timeline.order if isinstance(fight.timeline.command(n), Initiative))
        # The amendment repeats the value, so nothing differs right after it.
        answer = fight.log.correct(FIGHT, [Amend(first, {"reason": "they came first"})], turns="as_played")
        assert void
        assert not [one.ruling for one in standings(fight.timeline)[0] if one.void]
        assert set(void) <= {one.ruling for one in answer.rejudged}
        assert differences_of_rejudging(fight) == []
        fight.log.undo(FIGHT, answer.number)
        assert [one.ruling for one in standings(fight.timeline)[0] if one.void] == void
        return
    raise AssertionError("no such fight was found")


def views(log: CombatLog, view: str) -> list[object]:
    """Return everything that a view shows of a fight."""
    all_rulings = list(rulings(log.timeline("fight")))
    return [log_lines(all_rulings, view), audit_trail(all_rulings, view), frames(all_rulings, view)]


@pytest.mark.parametrize("view", ["public", "side:heroes"])
def test_passed_turns_of_a_hidden_combatant_are_not_visible_to_others(view: str) -> None:
    """In one fight the hidden wolf is up again and passes, in the other the correction changes nothing.

    Only the end of a round comes later in the one: it does in play too, where somebody hidden has the last turn.
    """
    texts = []
    for patch in ({"attack_die": 1, "defense_die": 6}, {"attack_die": 5}):
        with CombatLog.open("sqlite://", entropy=Random(6).randbytes) as log:
            raid(log, hidden="wolf")
            answer = log.correct("fight", [Amend(HIT, patch)], turns="as_played")
            passed = [step for one in answer.rejudged for step in one.bookkeeping if step.what == "passed"]
            assert bool(passed) == ("defense_die" in patch)
            assert all(step.visibility == "gm" for step in passed)
            lines, *others = views(log, view)
            texts.append(re.sub(r"\. Round \d ends", "", repr(lines)))
            assert "wolf" not in repr((lines, others)).lower()
            assert b"wolf" not in b"".join(export_ndjson(log, "fight", view=view)).lower()
            begins_ = [head for head in log.timeline("fight").heads if head.ruling > HIT + 1]
            assert all(head.visibility == "public" for head in begins_[:-1])
    assert texts[0] == texts[1]
