"""The builder of an order: it reads the words, then fills in the rest from the fight."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import fields

from mam_events.decider.checks import sheathed_weapons
from mam_events.errors import BadInput, CommandHint, Refused, Unclear
from mam_events.notation.context import unclear_error
from mam_events.notation.grammar.dice import read_dice, takes_dice
from mam_events.notation.grammar.long_form import actor_field
from mam_events.notation.grammar.names import either_or
from mam_events.notation.grammar.vocabulary import GROUP_ROLL_FIELDS, INFERRED_FIELDS, OWN_NUMBER
from mam_events.notation.hints.advice import QUESTION_ADVICE
from mam_events.notation.lines.house_rule_line import CHANGING, check_house_rules
from mam_events.notation.lines.initiative_line import WhoseDice
from mam_events.notation.orders.actor import refused_at
from mam_events.notation.orders.assign_dice import assign_faces, by_name, open_rolls
from mam_events.notation.orders.builder_words import NO_SIDE, OrderWords
from mam_events.notation.orders.defaults import (
    check_not_idle,
    default_point_target,
    least_points_for,
    most_ready,
    related_skills,
)
from mam_events.notation.orders.grip_points import check_points, give_points
from mam_events.notation.orders.open_references import nothing_open_error, open_references
from mam_events.state import BODY

ARMED = ("attack", "counterattack", "parry")
"""Orders that are rarely meant with bare hands while a weapon is at hand."""
SIX = 6
"""The highest face of a die of Ron d6."""
_WHERE = {"weapon": "in hand (ready-weapon NAME takes one)"}
ABOUT_HOLDS = ("escape", "release", "maintain-grapple")
"""Orders about a hold, where the only named combatant may be the actor, the holder or the held."""


class OrderBuilder(OrderWords):
    """The fields of one order, filled from its words, then from the fight."""

    def check_dice(self) -> None:
        """Raise WhoseDice for faces of an initiative roll that stand before all names."""
        if self.do in GROUP_ROLL_FIELDS and self.faces:
            raise WhoseDice(self.faces, next(iter(self.fight.state.combatants), "grob"), self.do)

    def infer(self) -> None:
        """Fill in the omitted fields; raise BadInput if a field has no possible value, or several."""
        if self.do == CHANGING:
            check_house_rules(self.fight.ruleset, self.fields, self.loose)
        self._infer_rolled()
        give_points(self.fight, self.do, self.actor, self.fields, self.faces)
        self._infer_numbers()
        for field in fields(self.kind):
            name = field.name
            if name in self.fields or name in open_references(self.kind) or name == actor_field(self.kind):
                continue
            # An interference without points on it is a block, which needs no weapon.
            can_strike = self.do != "interfere" or bool({"power", "modifier"} & self.fields.keys())
            if name == "weapon" and field.default == "" and can_strike:
                self.fields[name] = self._in_hand()
            elif field.required and name in INFERRED_FIELDS:
                self.fields[name] = self._only(name)
            elif field.required:
                self._missing(name)
        self._infer_owner()
        self._infer_lost()
        check_points(self.fight, self.do, self.actor, self.fields)

    def _infer_rolled(self) -> None:
        """Fill in those who roll, and the faces after their names."""
        faces_by_roller = {name: faces for name, faces in self.rollers.items() if faces}
        if self.do == "initiative":
            for name in self.rollers.keys() - faces_by_roller.keys():
                self._word(name)
            self.fields |= (
                {"tie_die": {name: _one(name, faces) for name, faces in faces_by_roller.items()}}
                if faces_by_roller
                else {}
            )
        elif self.rollers:
            self.fields["combatants"] = list(self.rollers)
            self.fields |= {"dice": faces_by_roller} if faces_by_roller else {}

    def _infer_numbers(self) -> None:
        """Fill in the rulings that an action or a point is about, and how many points become ready."""
        state, ruleset, values = self.fight.state, self.fight.ruleset, self.fields
        me = self.fight.person(self.actor)
        if "related" in self.shapes and "related" not in values and me and "action" in values:
            values["related"] = related_skills(
                ruleset, me, values["action"], values.get("skill") or "", values.get("code")
            )
        elif self.do == "spend" and "point" in values:
            on, exchange = default_point_target(state, self.actor, values["point"], values.get("on"))
            values.setdefault("on", on)
            if exchange:
                values.setdefault("exchange", exchange)
        elif (
            self.do == "move"
            and "points" not in values
            and "metres" in values
            and me
            and self._can_be_positive("points")
        ):
            values |= least_points_for(ruleset, me, values["metres"])
        elif self.do == "move" and not {"points", "metres"} & values.keys():
            self._missing(next(filter(self._can_be_positive, OWN_NUMBER[self.do]), "points"))
        elif self.do == "ready" and not {"defense", "other_used"} & values.keys():
            self._infer_ready()
        elif self.do == "declare-combo" and len(values.get("target", ())) > 1:
            values.setdefault("actions", len(values["target"]))
        elif self.first:
            hint = "Say how many from each pool (ready d1 o2), or all of one pool (ready o)."
            raise BadInput(hint, place=self.do, wrong=self.first)

    def _infer_ready(self) -> None:
        """Fill in the given points, or the most that may become ready, if they can be split in only one way."""
        template = next(iter(self.fight.allowed(self.do, self.actor)), None)
        most, low, high = most_ready(template, self.points) if template else (0, 0, 0)
        if not most:
            check_not_idle(self.fight.state, self.fight.ruleset, self.actor)
        # If a pool is named, points of the other only fill up a given number.
        of_each = {"all": (low, most - low), "other": (low, most - low), "defense": (high, most - high)}
        if not self.points:
            of_each |= {"other": (0, most - low), "defense": (high, 0)}
        if low < high and not self.first:
            options = [name for name in of_each if name != "all" or of_each["all"] != of_each["other"]]
            what = "1 point" if most == 1 else f"{most} points"
            ways = either_or([f"ready {_SHORT.get(name, name)} ({_points_text(*of_each[name])})" for name in options])
            message = (
                f"{self.fight.name_of(self.actor)} can make {what} ready, from defense or other used. Type {ways}."
            )
            question = Unclear(message, allowed=options, usual=options[0])
            question.hints = (self._with(defense=low, other_used=most - low),)
            raise question
        bounds = of_each[self.first or "all"]
        if most and not sum(bounds):
            pool, who = {"other": "other used"}.get(self.first, self.first), self.fight.name_of(self.actor)
            ways = f"{who} has nothing in {pool} to make ready. Type ready all ({_points_text(*of_each['all'])})."
            raise Unclear(ways, place=self.do)
        self.fields |= dict(zip(("defense", "other_used"), bounds, strict=True))

    def _infer_owner(self) -> None:
        """Fill in the owner of a thing that somebody else dropped."""
        if "owner" in self.shapes and "owner" not in self.fields:
            owners = [one.id for one in self.fight.state.combatants.values() if self.fields["item"] in one.dropped]
            if len(owners) == 1 and owners != [self.actor]:
                self.fields["owner"] = owners[0]

    def _infer_lost(self) -> None:
        """Fill in the only weapon in hand of somebody who is to be disarmed."""
        target = self.fight.person(str(self.fields.get("target", "")))
        if target and self.fields.get("follow_up") == "disarm" and not self.fields.get("item"):
            weapons = [weapon.id for weapon in target.in_hand if weapon.id != BODY]
            self.fields |= {"item": weapons[0]} if len(weapons) == 1 else {}

    def _in_hand(self) -> str:
        """Return the one thing in hand, or the body if there is none."""
        me = self.fight.person(self.actor)
        weapons = [weapon for weapon in me.in_hand if weapon.id != BODY] if me else []
        # With a drawn bow in hand, nothing else can be used.
        weapons = [weapon for weapon in weapons if me and weapon.id == me.status.drawn] or weapons
        if me and self.do in ARMED:
            from mam_events.rules.attack.default_weapon import possible_weapons  # noqa: PLC0415 - reading a log needs no rules

            able = possible_weapons(me, self.kind, self.fields.get("thrown", ""))
            if len(able) == 1:
                return able[0]
            weapons = [weapon for weapon in weapons if weapon.id in able] or weapons
        if len(weapons) > 1:
            choices = either_or([f"the {weapon.name or weapon.id}" for weapon in weapons])
            raise unclear_error(
                f"With {choices}?", [weapon.id for weapon in weapons], hints=[self._with(weapon=weapons[0].id)]
            )
        away = sheathed_weapons(me) if me and not weapons and self.do in ARMED else ()
        if me and away:
            choices = either_or([f"the {weapon.name or weapon.id}" for weapon in away])
            first = f". Take {choices} in hand first (ready-weapon {away[0].id}), or"
            if self.fight.state.exchange:
                first = ", and a reaction takes nothing in hand. To use the body,"
            raise unclear_error(f"{me.name} has nothing in hand{first} type body.", [BODY])
        return weapons[0].id if weapons else BODY

    def _only(self, name: str) -> Any:
        """Return the only possible value of a field."""
        if name == "combatants":
            from mam_events.rules.initiative.by_roll import yet_to_roll  # noqa: PLC0415 - reading a log needs no rules

            rollers = list(yet_to_roll(self.fight.state, self.fight.ruleset))
            if not rollers and self.fight.state.round_open:
                raise Refused("already_rolled/everybody", rule="RD6-INIT-01", fields=(name,))
            return rollers
        choices = self.fight.choices(self.do, self.actor, name)
        holder = self.fight.person(self.fields.get("holder", ""))
        if name == "grapple" and holder:
            choices = [one for one in choices if any(grapple.id == one for grapple in holder.grapples)]
        if name in ("target", "opponent"):
            choices = self._foes(choices)
            if not choices and self.fight.person(self.actor):
                message = f"{self.fight.name_of(self.actor)} has no foe here who is up. Name the one you mean."
                raise BadInput(message, place=self.do)
        if len(choices) == 1:
            return choices[0]
        if not choices:
            self._missing(name)
        word = "Whom" if self.shapes[name].is_person else f"Which {name}"
        orders = dict.fromkeys(choices, self.do)
        message = either_or([f"{do} {one}" for one, do in orders.items()])
        raise unclear_error(f"{word}? Type {message}.", choices, hints=[self._with(**{name: choices[0]})])

    def _with(self, **more: Any) -> CommandHint:
        """Return the order as a hint, with some more fields."""
        return CommandHint(self.do, self.fields | more)

    def _foes(self, legal: Iterable[str]) -> list[str]:
        """Return the possible targets on other sides who are able; a combatant without a side is everybody's foe."""
        people = self.fight.state.combatants
        me = self.fight.person(self.actor)
        own = me.side if me and me.side != NO_SIDE else None
        among = list(legal) or list(people)
        return [
            one for one in among if people[one].condition == "able" and one != self.actor and people[one].side != own
        ]

    def _missing(self, name: str) -> None:
        """Raise the error for an order that lacks a field."""
        offers = [offer for offer in self.fight.offers(self.do) if offer.combatant in ("", self.actor)]
        no = refused_at(offers)
        if no and not self.fight.allowed(self.do, self.actor):
            raise no
        me = self.fight.person(self.actor)
        if name in INFERRED_FIELDS and me and not self.fight.allowed(self.do, self.actor):
            if self.do == "ready-weapon" and any(weapon.id != BODY for weapon in me.in_hand):
                raise BadInput(f"{me.name} has no other weapon to take in hand.", place=self.do)
            if self.do == "maintain-grapple" and me.grapples:
                raise Refused("unknown_grapple/goes_on", who=me, rule="MAM-MNP-05", fields=(name,))
            if self.do in ABOUT_HOLDS:
                raise Refused(
                    "not_held/nobody" if self.do == "escape" else "unknown_grapple/none",
                    who=me,
                    rule="MAM-MNP-10",
                    fields=(name,),
                )
            where = "here" if self.do == "ready-weapon" else _WHERE.get(name, "here")
            raise BadInput(f"{me.name} has no fitting {name} {where}.", place=self.do)
        choices = self.shapes[name].choices or self.fight.choices(self.do, self.actor, name)
        choice_text = f": {either_or([str(one) for one in choices])}" if choices else ""
        advice = QUESTION_ADVICE.get((self.do, name), "")
        if self.do == "defend" and self.fight.state.exchange is None:
            raise nothing_open_error(self.do)
        if advice and name == "points":
            question = Unclear(advice, place=self.do)
            question.number = "{}"
            raise question
        advice = advice or _say(name, choice_text, self.shapes[name].description)
        raise BadInput(advice, place=self.do, allowed=map(str, choices))

    def left_over(self) -> tuple[str, ...]:
        """Return the faces that are left for the exchange; an order that rolls its own dice takes them itself."""
        if self.throws:
            self.faces = by_name(self.fight, self.throws, self.faces)
        exchange = self.fight.state.exchange
        own = exchange is not None and exchange.root.target == self.actor
        if self.do == "parry" and own and len(self.faces) == 1 and len(open_rolls(self.fight)) > 1:
            message = f"A parry takes no points. Leave {self.faces[0]} out, or type the faces of all dice."
            raise BadInput(message, place=self.do, wrong=self.faces[0])
        if not self.faces or not takes_dice(self.kind):
            return tuple(self.faces)
        self._check_difficulty()
        if self.do == "resolve":
            self.fields |= assign_faces(self.fight, self.faces)
        else:
            self._give(read_dice(self.kind, " ".join(self.faces)))
        return ()

    def _check_difficulty(self) -> None:
        """Raise BadInput for a number among the dice that no die shows, if the difficulty is missing."""
        if not self.fight.ruleset.edition.counts_actions or self.fields.get("difficulty") is not None:
            return
        high = next((face for face in self.faces if face.isdecimal() and int(face) > SIX), "")
        if high and "difficulty" in self.shapes:
            raise BadInput(f"No die shows {high}. If it is the difficulty, type v{high}.", place="dice", wrong=high)


_SHORT = {"other": "o", "defense": "d"}


def _points_text(defense: int, other_used: int) -> str:
    """Return how many points come from each pool."""
    pools = ((defense, "defense"), (other_used, "other used"))
    return " and ".join(f"{points} from {pool}" for points, pool in pools if points)


def _say(name: str, choices: str, description: str) -> str:
    """Return the sentence that asks for a missing field."""
    if choices:
        return f"Say {'' if name == 'what' else 'which '}{name}{choices}."
    return f"Say {description[:1].lower()}{description[1:]}"


def _one(name: str, faces: Sequence[int]) -> int:
    """Return the one face of somebody who throws a single die."""
    if len(faces) > 1:
        raise BadInput(f"Only one die is thrown for {name}, not {len(faces)}.", place="dice", wrong=str(faces[1]))
    return faces[0]
