"""The types of values in commands, each with its limits, and metres in words."""

from __future__ import annotations

import re
from collections.abc import Collection
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from msgspec import Meta, Struct

if TYPE_CHECKING:
    from fractions import Fraction


Owner = Literal["actor", "roller", "master"]
"""The owner of a field of a command: the actor, the one who throws the die, or the game master."""
ACTOR: Owner = "actor"
ROLLER: Owner = "roller"
GM_OWNER: Owner = "master"


def description(sentence: str, owner: Owner | None = None, *, unsaid: str = "", reserved: tuple[str, ...] = ()) -> Meta:
    """Describe a field of a command, for help, manual and schema.

    `owner` may set it; values in `reserved` are for the game master only. `unsaid` is the value if people leave it out
    and the fight knows it, such as "whose turn" ("": none).
    """
    return Meta(description=sentence, extra={"unsaid": unsaid, "owner": owner, "reserved": reserved})


of_actor = partial(description, owner=ACTOR)
"""The description of a field that the actor may set."""
of_roller = partial(description, owner=ROLLER)
"""The description of a face, which the one who throws the die may set."""
of_master = partial(description, owner=GM_OWNER)
"""The description of a field that only the game master may set."""


def _pattern(pattern: str, must: str, **more: Any) -> Meta:
    """Limit a text to that pattern, and describe in words what it must be."""
    return Meta(pattern=pattern, extra={"must": must, **more})


def _unit(unit: str) -> Meta:
    """Return the unit of a number, as people type it: POINTS, METRES."""
    return Meta(extra={"unit": unit})


HIDDEN_CHARACTERS = (
    r"\x20\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200d\u202f\u205f-\u2064\u2800\u3000\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
)
"""Invisible characters, for the brackets of a pattern: blanks of every width, joiners, fillers."""
CLEAN = rf"^(?![{HIDDEN_CHARACTERS}]+\Z)[^\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]*\Z"
"""Free text as it is stored.

It is empty or has visible characters, and has none that confuse a terminal or reverse a line.
"""

_NAME = "a lower-case name: letters a-z, digits, - and _ (like ice-blade)"
_NAMED = Meta(max_length=64)
SLUG = r"^[a-z0-9][a-z0-9_-]*\Z"
Slug = Annotated[str, _pattern(SLUG, _NAME), _NAMED, _unit("name")]
OptionalSlug = Annotated[str, _pattern(r"^([a-z0-9][a-z0-9_-]*)?\Z", _NAME), _NAMED, _unit("name")]

# What each field names: `references` finds the combatants, things and rulings in a command or event by these.
_COMBATANT = Meta(extra={"names": ("combatant",)})
_THING = Meta(extra={"names": ("thing",)})
_GRAPPLE = Meta(extra={"names": ("grapple",)})
_GOAL = Meta(extra={"names": ("thing", "grapple")})
_RULING = Meta(extra={"names": ("ruling",)})
CombatantId = Annotated[Slug, _COMBATANT]
OWN_ID = Meta(extra={"id_of": "name"})
"""The metadata of an id of the thing itself; the id is made from its name if only that was given."""
OptionalCombatantId = Annotated[OptionalSlug, _COMBATANT]
NOBODY_WORD = "-"
"""The word in an order for nobody, where leaving the field out would mean something else."""
CombatantIdOrNobody = Annotated[str, _pattern(r"^(-|[a-z0-9][a-z0-9_-]*)\Z", _NAME), _COMBATANT]
OptionalCombatantIdOrNobody = Annotated[str, _pattern(r"^(-|[a-z0-9][a-z0-9_-]*)?\Z", _NAME), _COMBATANT]
ThingId = Annotated[Slug, _THING]
OptionalThingId = Annotated[OptionalSlug, _THING]
GrappleId = Annotated[Slug, _GRAPPLE]
OptionalGoalId = Annotated[OptionalSlug, _GOAL]
"""The goal of a grip: a weapon to take, or a hold to break."""
CombatantRef = Annotated[str, _COMBATANT]
"""A combatant's id in events; without limits, because events are read as they were written."""
ThingRef = Annotated[str, _THING]
GrappleRef = Annotated[str, _GRAPPLE]
GoalRef = Annotated[str, _GOAL]
RulingRef = Annotated[int, _RULING]
Points = Annotated[int, Meta(ge=0, le=1_000_000), _unit("points")]
HitPoints = Annotated[int, Meta(ge=1, le=1_000_000), _unit("points")]
Natural = Annotated[int, Meta(ge=0, le=1_000_000)]
"""A number of things other than points: shots, ranks, seats."""
Modifier = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Face = Annotated[int, Meta(ge=0, le=100), _unit("face")]
"""A face as read from a die: the 0 of a d10 is its 10."""
RulingKey = Annotated[str, _pattern(r"^[1-9][0-9]{0,9}\Z", "the number of a ruling"), _unit("n")]
RulingNumber = Annotated[int, Meta(ge=1), _RULING]
OptionalRulingNumber = Annotated[int, Meta(ge=0), _RULING]
Text = Annotated[
    str,
    Meta(
        max_length=2000,
        pattern=CLEAN,
        extra={"words": "said", "must": "plain text that shows something, without control characters"},
    ),
]
SaidTextField = Annotated[str, Meta(extra={"words": "said"})]
"""Free text in events; without limits, because events are read as they were written."""
"""The rules' own words in an event, in which names may stand; what people said comes at the end, behind a colon."""
SITUATION = (
    r"^(?:(?![0-9]+ )([a-z0-9][a-z0-9_-]*) )?([+-]?(?:[0-9]{1,6}|[0-9]{1,2}D)) "
    rf"(?![{HIDDEN_CHARACTERS}]+\Z)"
    r"([^\x00-\x20\x7f-\x9f][^\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]*)\Z"
)
_WHY = 'a number and then a reason, like "+2 outreached" or "-1D called shot" (for another\'s roll "clone -1 smoke")'
Situation = Annotated[str, _pattern(SITUATION, _WHY, names=("situation",), words="said"), Meta(max_length=200)]
"""A modifier by the game master and its reason, after the name of the roller if that isn't obvious.

Examples are `+2 outreached`, `clone -1 smoke`, or dice of a code: `-1D called shot`. Such modifiers add up, as
circumstances do not (MAM-CIRC-02).
"""
VISIBILITY = r"^(public|gm|side:[a-z0-9][a-z0-9_-]*)\Z"
Visibility = Annotated[str, _pattern(VISIBILITY, '"public", "gm" or "side:" and the name of a side')]
Speed = Annotated[Decimal, Meta(extra={"must": "1/4, 1/2, 1, 2 or 3"})]
Metres = Annotated[Decimal, _unit("metres")]
FAR = 30
"""The most digits before or after the point that are written out."""
"""A distance; where people type it, they may add the unit (`30 m`)."""
AttackMode = Literal["quick", "powerful", "strategic", "cautious"]
"""The mode of an attack (MAM-COMBO-05); a quick one has normal power and no modifiers."""
Success = Literal["success", "failure"]
"""The outcome of an action of Ron d6."""
OutcomeField = Literal["full", "half", "fail"]
"""The outcome of a roll: full, half or no success."""
GivenOutcome = Literal["", "full", "half", "fail"]
"""An outcome given by the game master, "" if the dice decide."""
OUTCOME_WORDS: tuple[frozenset[str], ...] = (
    frozenset({"full", "success", "succeeds", "hit", "hits"}),
    frozenset({"half", "half-success", "half-succeeds", "half-hit", "half-hits"}),
    frozenset({"fail", "fails", "failure", "miss", "misses"}),
)
"""The words for each outcome, in orders and in sentences."""
ThrowMode = Literal["quick", "powerful", "heave"]
"""The way a weapon is thrown, or any object heaved (MAM-THR-01 to -03)."""
Light = Literal["lit", "very_dim", "total_darkness"]
"""The light in which the attacker sees (MAM-ATK-09)."""
Circumstance = Literal["unfavourable", "hostile", "compounded", "favourable", "very_favourable", "combined"]
"""One circumstance, or the combination of several (MAM-CIRC-01 to -05)."""
CollisionKind = Literal["head_on", "broadside", "rear_end", "sideswipe"]
"""The kind of a collision (MAM-VEH-04, MAM-VEH-05)."""
Training = Literal["", "trained", "untrained", "vehicle"]
"""The kind of a mount (MAM-MNT-01, -03, MAM-VEH-01).

It is an animal trained to fight or not, or a vehicle; "" for combatants that can't be ridden.
"""
MODES: tuple[AttackMode, ...] = get_args(AttackMode)
LIGHTS: tuple[Light, ...] = get_args(Light)
COLLISIONS: tuple[CollisionKind, ...] = get_args(CollisionKind)
Circumstances = Annotated[tuple[Circumstance, ...], Meta(max_length=20)]
_CODE = "a dice code like 3D, 3D+1 or 3D+2 (three pips are a die; 99D at most)"
Code = Annotated[str, _pattern(r"^(0|[1-9][0-9]?)D(\+[12])?\Z", _CODE), _unit("code")]
"""A dice code of Ron d6: a number of six-sided dice, and no, one or two pips (`3D+1`)."""
Faces = Annotated[tuple[Annotated[int, Meta(ge=1, le=100), _unit("face")], ...], Meta(max_length=200)]
"""Faces thrown at the table, in the order of the dice; none if they are drawn."""
Terrain = Literal["easy", "challenging"]
"""The kinds of terrain in Ron d6 (RD6-FREE-01)."""
ExchangeDie = Literal["", "attack", "defense", "into", "armor", "interference"]
"""One of the dice that a combatant throws in an exchange; "" if it is the only one."""
DieKind = Literal["d20", "d12", "d10", "d8", "d6"]
Difficulty = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)] | Slug


def decimal_of(number: Fraction) -> Decimal:
    """Return that number as events write it.

    It is exact, because commands give decimals, and rules halve and quarter them.
    """
    return Decimal(number.numerator) / number.denominator


def metres_words(metres: Fraction | Decimal) -> str:
    """Return a distance in words: `3.5 m`."""
    exact = metres if isinstance(metres, Decimal) else decimal_of(metres)
    # A distance beyond any table is refused, but the refusal still shows it.
    sensible = exact.is_finite() and abs(exact.adjusted()) <= FAR
    return f"{exact.normalize():f} m" if sensible else f"{exact:.8} m"


class StayedBehind(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A combatant who does not come to the next fight: dead, out of the one before, or down and left there."""

    name: Annotated[Text, description("What they are called.")]
    condition: Annotated[
        Literal["dead", "out", "incapacitated"], description("How they were: dead, out of that fight, or down.")
    ]


class ContinuedFrom(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The fight that another one continues: its id, its last ruling then, that ruling's seal, and who stayed behind."""

    encounter: Annotated[Slug, description("The fight it goes on from.")]
    ruling: Annotated[int, Meta(ge=1), description("The last ruling of that fight.")]
    seal: Annotated[str, description("The seal of that ruling.")]
    behind: Annotated[tuple[StayedBehind, ...], description("Those who died there, left it, or lay there.")] = ()


def outcome_of_word(word: str, choices: Collection[str]) -> str:
    """Return the possible outcome that a word means: `success` for `hits`; "" for none."""
    word_key = "-".join(re.split("[ _]", word.lower()))
    return next((choice for words in OUTCOME_WORDS if word_key in words for choice in choices if choice in words), "")
