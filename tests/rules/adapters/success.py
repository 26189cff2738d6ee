"""The operations of the vectors' vocabulary that are rolls outside an exchange: checks, contests, attempts to heal."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from mam_events.commands import Check, Contest, Heal
from mam_events.deciding.ruleset import Ruleset
from mam_events.dice import SIDES
from mam_events.events import ContestResolved, HealingRolled, SuccessRolled
from mam_events.rules.health.rest import check_opposition
from mam_events.rules.rolls.circumstances import named_circumstances
from mam_events.rules.rolls.dice_substitutes import automatic, convert, needs_confirmation
from mam_events.rules.rolls.difficulty import difficulty_from_modifier
from mam_events.values import Circumstance, DieKind
from tests.rules.scene import Case, Scene, one

WORDS: dict[str, Circumstance] = {
    "unfavorable": "unfavourable",
    "hostile": "hostile",
    "compounded": "compounded",
    "favorable": "favourable",
    "very_favorable": "very_favourable",
    "combined": "combined",
}


def face_of(kind: str, face: int | None) -> int | None:
    """A face as our dice show it: a d10's 0 is its 10."""
    return 10 if kind == "d10" and face == 0 else face


def rolled(case: Case, face: int | None, second: int | None = None) -> SuccessRolled:
    """A success roll of somebody in a fight; a second face goes in where the first one asks for it."""
    given = case.given
    kind = given.get("die", "d20")
    attempt = given.get("attempt_kind", "chance")
    first, second = face_of(kind, face), face_of(kind, second)
    asked = first is not None and needs_confirmation(kind, first, case.ruleset)
    scene = Scene(case.ruleset)
    scene.enter("somebody", {})
    events = scene.do(
        Check(
            "somebody",
            difficulty=given.get("difficulty", 10),
            modifier=given.get("success_modifier", 0),
            difficulty_modifier=given.get("difficulty_modifier", 0),
            attempt=attempt,
            kind=kind,
            die=first if attempt == "chance" else None,
            confirmation_die=second if asked and attempt == "chance" else None,
        )
    )
    found: SuccessRolled = one(events, SuccessRolled)
    return found


def success_roll(case: Case) -> dict[str, Any]:
    """A d20 against a difficulty."""
    found = rolled(case, case.do["face"])
    return told(found)


def substitute_roll(case: Case) -> dict[str, Any]:
    """Another die against a difficulty."""
    found = rolled(case, case.do["first"], case.do.get("second"))
    return told(found) | {"value": found.rolls[0].value}


def told(found: SuccessRolled) -> dict[str, Any]:
    """What came of a roll."""
    (made,) = found.rolls
    return {
        "success": found.outcome == "full",
        "outcome": found.outcome,
        "automatic": made.automatic,
        "total": made.total,
    }


def attempt(case: Case) -> dict[str, Any]:
    """An attempt that may need no roll."""
    found = rolled(case, case.do.get("face"))
    return {"success": found.outcome == "full", "rolled": bool(found.rolls)}


def convert_die(case: Case) -> dict[str, Any]:
    """Every face on the scale of a d20."""
    kind = case.given["die"]
    return {"values": [convert(kind, face_of(kind, face) or 0, case.ruleset) for face in case.do["faces"]]}


def automatic_success(case: Case) -> dict[str, Any]:
    """Whether one or two faces succeed whatever the total."""
    kind = case.given["die"]
    first, second = face_of(kind, case.do["first"]), face_of(kind, case.do.get("second"))
    return {"automatic": automatic(kind, first or 0, second, case.ruleset)}


def automatic_probability(case: Case) -> dict[str, Any]:
    """How likely that is, over all faces of the first and the second throw."""
    chance = probability(case.given["die"], case.ruleset)
    return {"numerator": chance.numerator, "denominator": chance.denominator}


def probability(kind: DieKind, ruleset: Ruleset) -> Fraction:
    """The share of all pairs of faces that succeed whatever the total."""
    faces = range(1, SIDES[kind] + 1)
    sure = sum(automatic(kind, first, second, ruleset) for first in faces for second in faces)
    return Fraction(sure, len(faces) ** 2)


def contested(case: Case, **fields: Any) -> ContestResolved:
    """A contest of two in a fight; `a` begins it."""
    scene = Scene(case.ruleset)
    scene.enter("a", {})
    scene.enter("b", {})
    contest = Contest("a", "b", modifier=case.given["a"], opponent_modifier=case.given["b"], **fields)
    found: ContestResolved = one(scene.do(contest), ContestResolved)
    return found


def single(case: Case, face: int) -> ContestResolved:
    """A contest of one roll, made by whoever rolls it."""
    roller = "die" if case.ruleset["contest_roller"] == "initiator" else "opponent_die"
    return contested(case, **{roller: face})


def contest_single(case: Case) -> dict[str, Any]:
    """One roll against 10 and the other's modifier."""
    (made,) = single(case, case.do["face"]).rolls
    return {"success": made.succeeded, "total": made.total, "difficulty": made.against}


def contest_winning_faces(case: Case) -> dict[str, Any]:
    """On how many faces the roller of a contest wins."""
    faces = range(1, SIDES["d20"] + 1)
    return {"winning_faces": sum(single(case, face).rolls[0].succeeded for face in faces), "of": len(faces)}


def contest_two_roll(case: Case) -> dict[str, Any]:
    """Two rolls and the kind of tie that there can be."""
    dice = {"die": case.do["face_a"], "opponent_die": case.do["face_b"]}
    found = contested(case, tie=case.given["tie_kind"], **dice)
    return {
        "a": found.outcome != "fail",
        "b": found.opponent_outcome != "fail",
        "tie": found.tie,
        "outcome_a": found.outcome,
        "outcome_b": found.opponent_outcome,
    }


def difficulty(case: Case) -> dict[str, Any]:
    """A difficulty from somebody's modifier."""
    return {"difficulty": difficulty_from_modifier(case.given["opponent_modifier"])}


def around(case: Case) -> dict[str, Any]:
    """What circumstances come to on either side; so many of each word."""
    words = [word for name, word in WORDS.items() for _ in range(int(case.given.get(name, 0)))]
    found = named_circumstances(words, case.ruleset)
    return {
        "difficulty_modifier": found.difficulty.value if found.difficulty else 0,
        "success_modifier": found.success.value if found.success else 0,
    }


def heal_weekly(case: Case) -> dict[str, Any]:
    """A week of rest of somebody with that much damage, and nothing else wrong."""
    given, do = case.given, case.do
    scene = Scene(case.ruleset)
    scene.enter("hurt", {"pools": {"ready": 1, "damage": given["damage"]}})
    events = scene.do(
        Heal(
            "hurt",
            rest_days=given.get("rest_days", 0),
            regeneration=given.get("regeneration", 0),
            quality=given.get("quality", "weekly"),
            opposition=tuple(given.get("opposition", ())),
            healer=given.get("healer_modifier", 0),
            die=do["face"],
            opposing_die=do.get("opposing_face", do.get("opposition_face")),
        )
    )
    left = scene["hurt"].pools.damage
    return {
        "success": one(events, HealingRolled).outcome == "full",
        "recovered": given["damage"] - left,
        "damage": left,
    }


def validate_opposition(case: Case) -> dict[str, Any]:
    """Whether adverse factors are possible at all."""
    check_opposition(tuple(case.given["opposition"]), case.ruleset)
    return {}


ADAPTERS: dict[str, Callable[[Case], dict[str, Any]]] = {
    "attempt": attempt,
    "success_roll": success_roll,
    "substitute_roll": substitute_roll,
    "convert_die": convert_die,
    "automatic_success": automatic_success,
    "automatic_probability": automatic_probability,
    "contest_single": contest_single,
    "contest_winning_faces": contest_winning_faces,
    "contest_two_roll": contest_two_roll,
    "difficulty_from_modifier": difficulty,
    "circumstances": around,
    "heal_weekly": heal_weekly,
    "validate_opposition": validate_opposition,
}
