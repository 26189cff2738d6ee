"""Other faces of a die: their effect on its ruling and on the later fight, compared with an amendment of that die."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from mam_events.commands import COMMANDS, Attack, Open, Resolve, RollInitiative
from mam_events.dice import SIDES, Die, read_key
from mam_events.events import Amend, AttackRolled
from mam_events.field_specs import field_specs, without_faces
from mam_events.history.corrections.turn_policy import TurnPolicies
from mam_events.history.judge.other_dice import (
    RecordedJudge,
    alternate_faces,
    dice_on_record,
    ends_as_recorded,
    ends_differently,
    nearest_first,
)
from mam_events.history.judge.what_if import HypotheticalJudge
from mam_events.log.combat_log import CombatLog
from mam_events.state import is_same_state
from tests.fighters import DUEL
from tests.fights.tables import play_random_fight

Printed = Callable[[str], CombatLog]
LAST_BLOW = 17
FIELDS = {"attack": "attack_die", "defense": "defense_die"}


def test_without_faces_removes_every_face() -> None:
    resolve = Resolve(6, attack_die=2, interference_die={"7": 3}, outcome="half", situation=("+1 higher ground",))
    assert without_faces(resolve) == Resolve(6, outcome="half", situation=("+1 higher ground",))
    roll = RollInitiative(("ana",), dice={"ana": (6, 2)}, again={"ana": (1,)})
    assert without_faces(roll) == RollInitiative(("ana",))
    face_fields = {
        (name, field)
        for name, kind in COMMANDS.items()
        for field, shape in field_specs(kind).items()
        if "face" in (shape.unit, shape.inner.unit)
    }
    telling = {(name, field) for name, kind in COMMANDS.items() for field in field_specs(kind) if _is_die(field)}
    assert telling <= face_fields
    assert face_fields - telling == {("roll-initiative", "again"), ("spend", "again")}


def _is_die(field: str) -> bool:
    return field in ("die", "dice") or field.endswith("_die")


def test_alternate_faces_start_with_the_nearest() -> None:
    assert nearest_first(Die("1/attack.ana/0/d6", "d6", 3, "thrown")) == [2, 4, 1, 5, 6]
    assert len(nearest_first(Die("1/attack.ana/0/d20", "d20", 20, "thrown"))) == SIDES["d20"] - 1


def test_a_ruling_is_judged_with_every_other_face(printed: Printed) -> None:
    log = printed("fight")
    timeline = log.timeline("fight")
    faces = [*alternate_faces(timeline, RecordedJudge(timeline, log.rules), LAST_BLOW)]
    assert [read_key(other.die.key).role for other in faces] == ["defense"] * 5 + ["attack"] * 5
    assert [other.face for other in faces] == [3, 5, 2, 6, 1, 5, 4, 3, 2, 1]
    for other in faces:
        roll = next(event for event in other.judging.events if isinstance(event, AttackRolled))
        face = other.face if read_key(other.die.key).role == "attack" else 6
        assert roll.die
        assert roll.die.face == face


@given(st.integers(0, 2**32))
def test_the_later_fight_equals_that_after_an_amendment_of_the_die(seed: int) -> None:
    log, encounter = play_random_fight(Random(seed), steps=30)
    timeline = log.timeline(encounter)
    judge = RecordedJudge(timeline, log.rules)
    turns = TurnPolicies(timeline)
    if any(not turns.keeps(number) for number in timeline.unsettled):
        # A strict correction keeps that ruling void; an amendment chooses the turns policy itself.
        return
    rulings = [n for n in timeline.order if timeline.lives(n) and isinstance(timeline.command(n), Resolve)]
    for number in rulings[-4:]:
        dice = dice_on_record(timeline, number)
        exchange = timeline.state_before(timeline.place[number]).exchange
        if exchange and exchange.faces:
            # A die that was given is amended where it was given.
            continue
        if timeline.command(number).defense_die and "defense" not in {read_key(key).role for key in dice}:  # type: ignore[attr-defined]  # a resolution
            # An unused thrown face is known to an amendment but not to the record.
            continue
        ends = {(one.die.key, one.face): end for one, end in ends_differently(timeline, judge, number)}
        for die in dice.values():
            field = FIELDS.get(read_key(die.key).role)
            if field is None or read_key(die.key).index:
                continue
            for face in nearest_first(die)[:6]:
                preview = log.preview(encounter, [Amend(number, _all(dice, {die.key: face}))])
                end = preview.state
                if (die.key, face) in ends:
                    assert end is not None
                    assert end == ends[die.key, face]
                else:
                    assert end is None or is_same_state(end, timeline.state) or _void(preview.rejudged, number)


def _all(dice: dict[str, Die], changes: dict[str, int]) -> dict[str, object]:
    """Return the faces of attack and defense for an amendment: the changed ones, and the others as recorded."""
    keys = {key: read_key(key) for key in dice}
    faces = {key: changes.get(key, die.face) for key, die in dice.items()}
    return {FIELDS[k.role]: faces[key] for key, k in keys.items() if k.role in FIELDS and not k.index}


def _void(rejudged: tuple[object, ...], number: int) -> bool:
    return any(getattr(one, "ruling", 0) == number and getattr(one, "code", "") for one in rejudged)


def test_no_alternate_faces_are_found_after_a_change_of_the_rules(printed: Printed) -> None:
    log = printed("fight")
    timeline = log.timeline("fight")
    assert ends_as_recorded(timeline, HypotheticalJudge(timeline, log.rules), LAST_BLOW)
    assert [*alternate_faces(timeline, HypotheticalJudge(timeline, log.rules), LAST_BLOW)]
    moved = HypotheticalJudge(timeline, log.rules, {"stun_damage_split": "independent_definition"})
    assert not [*alternate_faces(timeline, moved, LAST_BLOW)]


def test_a_confirmation_die_that_was_never_rolled_is_hypothetical(log: CombatLog) -> None:
    """With a substitute for the d20 a high face needs a confirmation die, which was never rolled."""
    rules = {"combat_die": "d20_substitute", "substitute_die": "d10"}
    attack = Attack("modre", "clone", "ice-blade", power=4)
    log.execute_all("fight", [Open(house_rules=rules), *DUEL, attack, Resolve(6, attack_die=3, defense_die=5)])
    timeline = log.timeline("fight")
    attacks = {}
    for judge in (HypotheticalJudge, RecordedJudge):
        faces = alternate_faces(timeline, judge(timeline, log.rules), 7)
        attacks[judge] = [one.face for one in faces if "attack" in one.die.key]
    assert attacks[HypotheticalJudge] == [2, 4, 1, 5, 6, 7, 8, 9, 10]
    assert attacks[RecordedJudge] == [2, 4, 1, 5, 6, 7, 8, 9]
