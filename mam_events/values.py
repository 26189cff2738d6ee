"""The kinds of value that commands are made of, each with the bounds within which it can be read, and metres in
words.
"""

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
"""The owner of a field of a command: whoever acts, whoever throws the die, or the game master."""
ACTOR: Owner = "actor"
ROLLER: Owner = "roller"
GM_OWNER: Owner = "master"


def description(sentence: str, owner: Owner | None = None, *, unsaid: str = "", reserved: tuple[str, ...] = ()) -> Meta:
    """The description of a command's field, in the one sentence that help, manual and schema tell it by; whose word it
    is, and the values `reserved` for the game master; and what it is where people leave it out: something that a fight
    knows, such as "whose turn" ("": nothing is known).
    """
    return Meta(description=sentence, extra={"unsaid": unsaid, "owner": owner, "reserved": reserved})


of_actor = partial(description, owner=ACTOR)
"""The description of a field that is the word of whoever acts."""
of_roller = partial(description, owner=ROLLER)
"""The description of a face, which is the word of whoever throws the die."""
of_master = partial(description, owner=GM_OWNER)
"""The description of a field that is the game master's word."""


def _pattern(pattern: str, must: str, **more: Any) -> Meta:
    """Text of that pattern only, and in words what it must be."""
    return Meta(pattern=pattern, extra={"must": must, **more})


def _unit(unit: str) -> Meta:
    """The unit of a number, as people type it: POINTS, METRES."""
    return Meta(extra={"unit": unit})


HIDDEN_CHARACTERS = (
    r"\x20\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200d\u202f\u205f-\u2064\u2800\u3000\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
)
"""Characters of which nothing is seen, within brackets of a pattern: blanks of every width, joiners, fillers."""
CLEAN = rf"^(?![{HIDDEN_CHARACTERS}]+\Z)[^\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]*\Z"
"""Free text as it is stored: nothing at all, or something that shows; without what could confuse a terminal, or turn a
line around.
"""

_NAME = "a lower-case name: letters a-z, digits, - and _ (like ice-blade)"
_NAMED = Meta(max_length=64)
SLUG = r"^[a-z0-9][a-z0-9_-]*\Z"
Slug = Annotated[str, _pattern(SLUG, _NAME), _NAMED, _unit("name")]
OptionalSlug = Annotated[str, _pattern(r"^([a-z0-9][a-z0-9_-]*)?\Z", _NAME), _NAMED, _unit("name")]

# What a field names, for whoever asks of any command or event whom and what it speaks of (`naming`).
_COMBATANT = Meta(extra={"names": ("combatant",)})
_THING = Meta(extra={"names": ("thing",)})
_GRAPPLE = Meta(extra={"names": ("grapple",)})
_GOAL = Meta(extra={"names": ("thing", "grapple")})
_RULING = Meta(extra={"names": ("ruling",)})
CombatantId = Annotated[Slug, _COMBATANT]
OWN_ID = Meta(extra={"id_of": "name"})
"""Of a field that it is the id of what has it, which is made of its name where that is all that was said."""
OptionalCombatantId = Annotated[OptionalSlug, _COMBATANT]
NOBODY_WORD = "-"
"""Said in an order where it names nobody, and leaving it out would mean something else."""
CombatantIdOrNobody = Annotated[str, _pattern(r"^(-|[a-z0-9][a-z0-9_-]*)\Z", _NAME), _COMBATANT]
OptionalCombatantIdOrNobody = Annotated[str, _pattern(r"^(-|[a-z0-9][a-z0-9_-]*)?\Z", _NAME), _COMBATANT]
ThingId = Annotated[Slug, _THING]
OptionalThingId = Annotated[OptionalSlug, _THING]
GrappleId = Annotated[Slug, _GRAPPLE]
OptionalGoalId = Annotated[OptionalSlug, _GOAL]
"""The goal of a grip: a weapon to be taken, or a hold to be broken."""
CombatantRef = Annotated[str, _COMBATANT]
"""As events name a combatant: without bounds, for events are read as they were written."""
ThingRef = Annotated[str, _THING]
GrappleRef = Annotated[str, _GRAPPLE]
GoalRef = Annotated[str, _GOAL]
RulingRef = Annotated[int, _RULING]
Points = Annotated[int, Meta(ge=0, le=1_000_000), _unit("points")]
HitPoints = Annotated[int, Meta(ge=1, le=1_000_000), _unit("points")]
Natural = Annotated[int, Meta(ge=0, le=1_000_000)]
"""The number of those that there are of something that is no points: shots, ranks, seats."""
Modifier = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Face = Annotated[int, Meta(ge=0, le=100), _unit("face")]
"""A face as it is read off a die: the 0 of a d10 is its 10."""
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
"""As events have such text: without bounds, for events are read as they were written."""
"""The rules' own words in an event, in which names may stand; what people said comes at the end, behind a colon."""
SITUATION = (
    r"^(?:(?![0-9]+ )([a-z0-9][a-z0-9_-]*) )?([+-]?(?:[0-9]{1,6}|[0-9]{1,2}D)) "
    rf"(?![{HIDDEN_CHARACTERS}]+\Z)"
    r"([^\x00-\x20\x7f-\x9f][^\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]*)\Z"
)
_WHY = (
    'a number and why, with the name before it where it is another\'s roll: "+2 outreached", "clone -1 smoke", '
    '"-1D called shot"'
)
Situation = Annotated[str, _pattern(SITUATION, _WHY, names=("situation",), words="said"), Meta(max_length=200)]
"""The game master's modifiers of a roll and why, and before it whose roll it is where that is not plain: `+2
outreached`, `clone -1 smoke`, or dice of a code: `-1D called shot`. Such modifiers add up, as circumstances do not
(MAM-CIRC-02).
"""
VISIBILITY = r"^(public|gm|side:[a-z0-9][a-z0-9_-]*)\Z"
Visibility = Annotated[str, _pattern(VISIBILITY, '"public", "gm" or "side:" and the name of a side')]
Speed = Annotated[Decimal, Meta(extra={"must": "1/4, 1/2, 1, 2 or 3"})]
Metres = Annotated[Decimal, _unit("metres")]
FAR = 30
"""Beyond so many digits before or behind the point nothing is written out."""
"""A distance; where people type it, its unit may be said (`30 m`)."""
AttackMode = Literal["quick", "powerful", "strategic", "cautious"]
"""The way an attack is made (MAM-COMBO-05); a quick one is at normal power and without modifiers."""
Success = Literal["success", "failure"]
"""The outcome of an action of Ron d6."""
OutcomeField = Literal["full", "half", "fail"]
"""The outcome of a roll: a success, half of one, none."""
GivenOutcome = Literal["", "full", "half", "fail"]
"""The game master's word for one, "" where the dice have theirs."""
OUTCOME_WORDS: tuple[frozenset[str], ...] = (
    frozenset({"full", "success", "succeeds", "hit", "hits"}),
    frozenset({"half", "half-success", "half-succeeds", "half-hit", "half-hits"}),
    frozenset({"fail", "fails", "failure", "miss", "misses"}),
)
"""The words for each outcome, in orders and in sentences."""
ThrowMode = Literal["quick", "powerful", "heave"]
"""The way a weapon is thrown, or any object heaved (MAM-THR-01 to -03)."""
Light = Literal["lit", "very_dim", "total_darkness"]
"""The light by which the one who attacks sees (MAM-ATK-09)."""
Circumstance = Literal["unfavourable", "hostile", "compounded", "favourable", "very_favourable", "combined"]
"""One circumstance, or what several of them come to together (MAM-CIRC-01 to -05)."""
CollisionKind = Literal["head_on", "broadside", "rear_end", "sideswipe"]
"""The way two run into each other (MAM-VEH-04, MAM-VEH-05)."""
Training = Literal["", "trained", "untrained", "vehicle"]
"""The kind of mount: an animal trained to fight or not, a vehicle; "" for who cannot be ridden (MAM-MNT-01, -03,
MAM-VEH-01).
"""
MODES: tuple[AttackMode, ...] = get_args(AttackMode)
LIGHTS: tuple[Light, ...] = get_args(Light)
COLLISIONS: tuple[CollisionKind, ...] = get_args(CollisionKind)
Circumstances = Annotated[tuple[Circumstance, ...], Meta(max_length=20)]
_CODE = "a dice code like 3D, 3D+1 or 3D+2 (three pips are a die; 99D at most)"
Code = Annotated[str, _pattern(r"^(0|[1-9][0-9]?)D(\+[12])?\Z", _CODE), _unit("code")]
"""A dice code of Ron d6: so many six-sided dice, and no, one or two pips (`3D+1`)."""
Faces = Annotated[tuple[Annotated[int, Meta(ge=1, le=100), _unit("face")], ...], Meta(max_length=200)]
"""Faces thrown at the table, in the order in which the dice are told; none where they are drawn."""
Terrain = Literal["easy", "challenging"]
"""Ground as Ron d6 tells it apart (RD6-FREE-01)."""
ExchangeDie = Literal["", "attack", "defense", "into", "armor", "interference"]
"""One of the dice that somebody throws in an exchange; "" where it goes without saying."""
DieKind = Literal["d20", "d12", "d10", "d8", "d6"]
Difficulty = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)] | Slug


def decimal_of(number: Fraction) -> Decimal:
    """That number as events write it; exact, for commands give decimals, and rules halve and quarter them."""
    return Decimal(number.numerator) / number.denominator


def metres_words(metres: Fraction | Decimal) -> str:
    """A distance in words: `3.5 m`."""
    exact = metres if isinstance(metres, Decimal) else decimal_of(metres)
    # A distance that no table could mean is refused; of an order with one there is a sentence all the same.
    sensible = exact.is_finite() and abs(exact.adjusted()) <= FAR
    return f"{exact.normalize():f} m" if sensible else f"{exact:.8} m"


class StayedBehind(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Somebody who does not go on to the next fight: dead, out of the one before, or down and left there."""

    name: Annotated[Text, description("What they are called.")]
    condition: Annotated[
        Literal["dead", "out", "incapacitated"], description("How they were: dead, out of that fight, or down.")
    ]


class ContinuedFrom(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The fight that another one goes on from: its id, its last ruling then, the seal of that ruling, and those who
    stayed behind.
    """

    encounter: Annotated[Slug, description("The fight it goes on from.")]
    ruling: Annotated[int, Meta(ge=1), description("The last ruling of that fight.")]
    seal: Annotated[str, description("The seal of that ruling.")]
    behind: Annotated[tuple[StayedBehind, ...], description("Those who died there, left it, or lay there.")] = ()


def outcome_meant(word: str, choices: Collection[str]) -> str:
    """Return the outcome of those that may be said here for any word for it: `success` for `hits`; "" for none."""
    said = "-".join(re.split("[ _]", word.lower()))
    return next((choice for words in OUTCOME_WORDS if said in words for choice in choices if choice in words), "")
