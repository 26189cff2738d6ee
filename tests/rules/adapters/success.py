"""Operations of the vectors that are rolls outside an exchange: checks, contests, healing."""

from __future__ import annotations

from fractions import Fraction

from mam_events.commands import Check, Contest, Heal
from mam_events.dice import SIDES
from mam_events.events import ContestResolved, HealingRolled, SuccessRolled
from mam_events.values import Circumstance
from tests.rules.scene import Answer, Case, Scene, adapters_of

WORDS: dict[str, Circumstance] = {
    "unfavorable": "unfavourable",
    "hostile": "hostile",
    "compounded": "compounded",
    "favorable": "favourable",
    "very_favorable": "very_favourable",
    "combined": "combined",
}


def check(case: Case) -> Answer:
    """Return every number of a success roll with the first or only face of the vector."""
    return checked(case, case.get("first", case.get("face")), case.get("second"))


def checked(case: Case, first: int | None, second: int | None = None) -> Answer:
    """Make a success roll with those faces; our d10 shows its 0 as 10."""
    kind = case.get("die", "d20")
    order = Check(
        "somebody",
        difficulty=case.get("difficulty"),
        against=case.get("opponent_modifier"),
        modifier=case.get("success_modifier", 0),
        difficulty_modifier=case.get("difficulty_modifier", 0),
        circumstance=tuple(word for name, word in WORDS.items() if case.get(name)),
        attempt=case.get("attempt_kind", "chance"),
        kind=kind,
    )
    faces = [10 if (kind, face) == ("d10", 0) else 1 if face is None else face for face in (first, second)]
    scene = Scene(case).enter("somebody").do(order, die=faces[0], confirmation_die=faces[1])
    event: SuccessRolled = scene.last(SuccessRolled)
    answer: Answer = {"success": event.outcome == "full", "outcome": event.outcome, "rolled": bool(event.rolls)}
    for roll in event.rolls:
        answer |= {
            "value": roll.value,
            "total": roll.total,
            "automatic": roll.automatic,
            "difficulty": roll.against,
            "success_modifier": roll.total - roll.value,
            "difficulty_modifier": roll.against - (roll.difficulty or 0),
        }
    return answer


def convert_die(case: Case) -> Answer:
    return {"values": [checked(case, face)["value"] for face in case["faces"]]}


def automatic_probability(case: Case) -> Answer:
    """Return the share of all pairs of faces that succeed automatically."""
    faces = range(1, SIDES[case["die"]] + 1)
    chance = Fraction(sum(checked(case, n, m)["automatic"] for n in faces for m in faces), len(faces) ** 2)
    return {"numerator": chance.numerator, "denominator": chance.denominator}


def contest(case: Case, face: int, opposing: int, tie: str = "") -> ContestResolved:
    """Resolve a contest of `a` with `b`."""
    order = Contest("a", "b", modifier=case["a"], opponent_modifier=case["b"], tie=tie)  # type: ignore[arg-type]  # a vector's words
    event: ContestResolved = (
        Scene(case).enter("a").enter("b").do(order, die=face, opponent_die=opposing).last(ContestResolved)
    )
    return event


def contest_winning_faces(case: Case) -> Answer:
    faces = range(1, SIDES["d20"] + 1)
    return {"winning_faces": sum(contest(case, n, n).rolls[0].succeeded for n in faces), "of": len(faces)}


def contest_two_roll(case: Case) -> Answer:
    """Resolve a contest of one roll, or of two that may tie in that way."""
    only = case.get("face")
    event = contest(case, case.get("face_a", only), case.get("face_b", only), case.get("tie_kind", ""))
    roll = event.rolls[0]
    return {
        "a": event.outcome != "fail",
        "b": event.opponent_outcome != "fail",
        "tie": event.tie,
        "outcome_a": event.outcome,
        "outcome_b": event.opponent_outcome,
        "success": roll.succeeded,
        "total": roll.total,
        "difficulty": roll.against,
    }


def heal_weekly(case: Case) -> Answer:
    """Heal a combatant with that damage after a week of rest."""
    damage = case.get("damage", 0)
    order = Heal(
        "hurt",
        rest_days=case.get("rest_days", 0),
        regeneration=case.get("regeneration", 0),
        quality=case.get("quality", "weekly"),
        opposition=tuple(case.get("opposition", ())),
        healer=case.get("healer_modifier", 0),
    )
    opposing = case.get("opposing_face", case.get("opposition_face", 1))
    scene = Scene(case).enter("hurt", {"pools": {"ready": 1, "damage": damage}})
    scene.do(order, die=case.get("face", 1), opposing_die=opposing)
    left = scene["hurt"].pools.damage
    return {"success": scene.last(HealingRolled).outcome == "full", "recovered": damage - left, "damage": left}


ADAPTERS = adapters_of(globals()) | {
    **dict.fromkeys(("success_roll", "substitute_roll", "attempt", "automatic_success", "circumstances"), check),
    "difficulty_from_modifier": check,
    "contest_single": contest_two_roll,
    "validate_opposition": heal_weekly,
}
