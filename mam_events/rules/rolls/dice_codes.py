"""Dice codes and the wild die: their value, penalties on them, their rolls (RD6-TIE-02, RD6-MAP).

One die of every code is wild; the dice that points buy are wild too. `rd6_wild_die` says whether a six on a wild die
explodes, and `rd6_wild_one` how a one on the wild die of a code is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from mam_events.decider.engine import Decision, Ruleset
from mam_events.errors import CommandHint, Refused
from mam_events.events import CodeDie, CodeRoll, DiceModifier, DieRole, Modifier
from mam_events.refusals.arguments import Message, Term, ThingArgument, list_argument, text_fragment, thing_arguments
from mam_events.refusals.suggestions import closest_name, likely_names
from mam_events.state import Combatant

KIND = "d6"
PIPS_IN_A_DIE = 3


class DiceCode(Struct, frozen=True):
    """A number of six-sided dice and pips."""

    dice: int
    pips: int = 0

    @property
    def value(self) -> int:
        """The value of a code in a comparison: three pips are a die (RD6-TIE-02)."""
        return PIPS_IN_A_DIE * self.dice + self.pips

    def __str__(self) -> str:
        return f"{self.dice}D{f'+{self.pips}' if self.pips else ''}"


def read_code(text: str) -> DiceCode:
    """Return the code that a text such as `3D+1` stands for."""
    dice, _, pips = text.partition("D")
    return DiceCode(int(dice), int(pips or 0))


def code_of(combatant: Combatant, name: str) -> DiceCode:
    """Return the combatant's code in that attribute or skill; 0D if it has none."""
    return read_code(combatant.faculties.code(name))


def slug(name: str) -> str:
    """Return the id of a skill or an action: `melee-combat` for "Melee combat"."""
    return "-".join(name.lower().replace("_", " ").split())


def skill_code(combatant: Combatant, *skills: str) -> tuple[str, DiceCode] | None:
    """Return the first of those skills that the combatant has, with its code; None if it has none of them.

    A skill of two words is known by its slug: `melee combat` as `melee-combat`.
    """
    codes = combatant.faculties.codes
    for skill in skills:
        if slug(skill) in codes:
            return skill, read_code(codes[slug(skill)])
    return None


def codes_like(combatant: Combatant, skills: Sequence[str]) -> tuple[ThingArgument, ...]:
    """Return the combatant's codes whose names are most like one of the skills."""
    codes = combatant.faculties.codes
    return thing_arguments(combatant, next(filter(None, (likely_names(slug(skill), codes) for skill in skills)), ()))


def codes_message(combatant: Combatant) -> Message:
    """Return a message with the codes that the combatant has: `only perception 3D, melee 4D`."""
    codes = combatant.faculties.codes.items()
    if not codes:
        return text_fragment("code_missing/has_none")
    codes_argument = list_argument(ThingArgument(combatant.id, name, f"{name} {code}") for name, code in codes)
    return text_fragment("code_missing/has_only", codes=codes_argument)


def no_code(combatant: Combatant, names: Sequence[str], rule: str) -> Refused:
    """Return the error `code_missing` for a roll without a code from the command or the combatant.

    `names` are the skills that would do; if it is empty, no skill is suggested.
    """
    codes, fields = combatant.faculties.codes, ("code",)
    allowed = thing_arguments(combatant, codes)
    if not names:
        return Refused("code_missing/no_skill", combatant=combatant, rule=rule, fields=fields, allowed=allowed)
    wrong = next((skill for skill in names if closest_name(slug(skill), codes)), names[0])
    skills = list_argument(ThingArgument(combatant.id, slug(skill), skill) for skill in names)
    hints = [CommandHint("join", {"combatant": combatant.id, "code": {slug(names[0]): "2D"}})]
    if like := codes_like(combatant, names):
        return Refused(
            "code_missing/near",
            combatant=combatant,
            skills=skills,
            codes=codes_message(combatant),
            like=list_argument(text_fragment("code_missing/quoted", code=one) for one in like),
            rule=rule,
            fields=fields,
            wrong=wrong,
            allowed=allowed,
            hints=hints,
        )
    return Refused(
        "code_missing",
        combatant=combatant,
        skills=skills,
        codes=codes_message(combatant),
        rule=rule,
        fields=fields,
        wrong=wrong,
        allowed=allowed,
        hints=hints,
    )


def reduce_code(code: DiceCode, penalty: int) -> DiceCode:
    """Return the code after a penalty, which takes dice and never pips (RD6-MAP-01)."""
    return DiceCode(max(0, code.dice - penalty), code.pips)


def is_usable_code(code: DiceCode, ruleset: Ruleset) -> bool:
    """Return True if a combatant can rely on what is left of a code (RD6-MAP-06, `rd6_zero_dice`)."""
    return code.dice > 0 or (ruleset["rd6_zero_dice"] == "pips_only" and code.pips > 0)


def require_reliable(
    code: DiceCode,
    penalty: int,
    ruleset: Ruleset,
    fields: tuple[str, ...],
    dice_modifiers: Sequence[DiceModifier] = (),
) -> None:
    """Raise Refused with `reduced_to_zero` if what is left of a code is not reliable (RD6-MAP-06).

    The penalty and the game master's dice modifiers reduce it.
    """
    extra_dice = modifier_dice(dice_modifiers)
    if not is_usable_code(reduce_code(code, penalty - extra_dice), ruleset):
        raise _reduced(code, penalty, extra_dice, fields)


def _reduced(code: DiceCode, penalty: int, extra_dice: int, fields: tuple[str, ...]) -> Refused:
    rule, code_term, least, less = "RD6-MAP-06", Term(str(code)), penalty - extra_dice + 1, extra_dice < 0
    if penalty and extra_dice:
        return Refused(
            "reduced_to_zero/actions_and_situation",
            code=code_term,
            penalty=penalty,
            less=less,
            dice=abs(extra_dice),
            least=least,
            rule=rule,
            fields=fields,
        )
    if penalty:
        return Refused(
            "reduced_to_zero/actions", code=code_term, penalty=penalty, least=least, rule=rule, fields=fields
        )
    if extra_dice:
        dice = abs(extra_dice)
        return Refused(
            "reduced_to_zero/situation", code=code_term, less=less, dice=dice, least=least, rule=rule, fields=fields
        )
    return Refused("reduced_to_zero", code=code_term, least=least, rule=rule, fields=fields)


def explodes(ruleset: Ruleset) -> bool:
    """Return True if a wild die that shows a six is rolled again and added (`rd6_wild_die`)."""
    return ruleset["rd6_wild_die"] == "explode_on_six"


class DiceCodeRoll:
    """The dice of one roll as they fall: drawn, or the faces thrown at the table in their order.

    `slot` names the roll, `roller` makes it, and `rolled` says in words what is rolled. `field` is the field of the
    command that gives the faces.
    """

    def __init__(
        self, judging: Decision, slot: str, roller: str, code_text: str, field: str, faces: Sequence[int]
    ) -> None:
        self._judging = judging
        self._rolled = Term(code_text)
        self._slot = slot
        self._roller = judging.state.combatants[roller]
        self._field = field
        self._thrown = faces
        self._fallen = 0
        self._due = 1
        self._indices: dict[DieRole, int] = {}

    def code(self, code: DiceCode) -> Iterator[CodeDie]:
        """Yield the dice of a code: the last one is the wild die."""
        self._due = code.dice
        for _ in range(code.dice - 1):
            yield self._die("regular", "")
        if code.dice:
            yield from self._wild("wild")

    def bought(self) -> Iterator[CodeDie]:
        """Yield the wild die that a point buys, and the dice that it explodes into (RD6-INIT-06)."""
        yield from self._wild("bought")

    def _wild(self, role: DieRole) -> Iterator[CodeDie]:
        die = self._die(role, f"-{role}")
        yield die
        while explodes(self._judging.ruleset) and die.die.face == 6:  # noqa: PLR2004 - the face that explodes
            die = self._die("exploded", f"-{role}-exploded")
            yield die

    def _die(self, role: DieRole, suffix: str) -> CodeDie:
        face = None
        if self._thrown:
            if self._fallen == len(self._thrown):
                raise self._missing(role)
            face = self._thrown[self._fallen]
        self._fallen += 1
        index = self._indices.get(role, 0)
        self._indices[role] = index + 1
        slot = f"{self._slot}{suffix}.{self._roller.id}"
        return CodeDie(self._judging.dice.roll(slot, KIND, field=self._field, face=face, index=index), role)

    def _missing(self, role: DieRole) -> Refused:
        roller, code_text, fields = self._roller, self._rolled, (self._field,)
        faces = Term(",".join([*map(str, self._thrown), *["N"] * max(1, self._due - self._fallen)]))
        if role == "exploded":
            return Refused(
                "dice_missing/exploded", roller=roller, rolled=code_text, faces=faces, fields=fields, allowed=[faces]
            )
        return Refused(
            "dice_missing/fewer_that_may_explode" if explodes(self._judging.ruleset) else "dice_missing/fewer",
            roller=roller,
            rolled=code_text,
            due=self._due,
            thrown=len(self._thrown),
            faces=faces,
            fields=fields,
            allowed=[faces],
        )

    def all_used(self) -> None:
        """Raise Refused with `too_many_dice` if more faces were thrown than the roll has dice."""
        if len(self._thrown) > self._fallen:
            raise Refused(
                "too_many_dice/may_explode" if explodes(self._judging.ruleset) else "too_many_dice",
                roller=self._roller,
                rolled=self._rolled,
                dice=self._fallen,
                thrown=len(self._thrown),
                fields=(self._field,),
            )


def roll_code(  # noqa: PLR0913 - a roll needs all of these
    judging: Decision,
    slot: str,
    roller: str,
    code: DiceCode,
    faces: Sequence[int],
    *,
    penalty: int = 0,
    modifiers: Iterable[Modifier] = (),
    dice_modifiers: Sequence[DiceModifier] = (),
    field: str = "dice",
) -> CodeRoll:
    """Roll a dice code, changed by the penalty and by the game master's dice modifiers.

    Raises Refused with `dice_missing` or `too_many_dice` for thrown faces.
    """
    less = penalty - modifier_dice(dice_modifiers)
    remaining = reduce_code(code, less)
    code_text = f"{code} {'less' if less > 0 else 'and'} {abs(less)}D" if less else str(code)
    falling = DiceCodeRoll(judging, slot, roller, code_text, field, faces)
    dice = tuple(falling.code(remaining))
    falling.all_used()
    all_modifiers = (*modifiers, *_wild_one(dice, judging.ruleset))
    total = sum(one.die.face for one in dice) + remaining.pips + sum(modifier.value for modifier in all_modifiers)
    return CodeRoll(str(code), dice, total, penalty, all_modifiers, tuple(dice_modifiers))


def modifier_dice(modifiers: Iterable[DiceModifier]) -> int:
    """Return the dice that the modifiers add to a code; negative if they take some off."""
    return sum(one.dice for one in modifiers)


def _wild_one(dice: Sequence[CodeDie], ruleset: Ruleset) -> Iterator[Modifier]:
    """Yield the modifier that a one on the wild die gives to its roll (`rd6_wild_one`)."""
    reading = ruleset["rd6_wild_one"]
    if reading == "counts" or not any(one.role == "wild" and one.die.face == 1 for one in dice):
        return
    if reading == "complication":
        yield Modifier("complication, by a wild die of 1", 0, "RD6-INIT-06")
        return
    highest = max((one.die.face for one in dice if one.role == "regular"), default=0)
    yield Modifier("wild die of 1 and the highest other", -1 - highest, "RD6-INIT-06")


def buy_dice(judging: Decision, slot: str, roller: str, faces: Sequence[int]) -> CodeRoll:
    """Roll the wild die that a point buys, and the dice that it explodes into (RD6-INIT-06).

    Raises as `roll_code` does.
    """
    falling = DiceCodeRoll(judging, slot, roller, "wild die", "dice", faces)
    dice = tuple(falling.bought())
    falling.all_used()
    return CodeRoll("1D", dice, sum(one.die.face for one in dice))
