"""The fields of an order that is being built, and the possible meanings of a word in each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mam_events.commands import COMMANDS
from mam_events.errors import BadInput
from mam_events.field_specs import FieldSpec
from mam_events.notation.context import LineContext, find_combatant, unclear_error, word_forms
from mam_events.notation.grammar.dice import dice_fields
from mam_events.notation.grammar.fields import Fields
from mam_events.notation.grammar.long_form import SEEN, actor_field
from mam_events.notation.grammar.names import NameIndex, Things, either_or, things_by_name
from mam_events.notation.grammar.nested_values import field_named, short_part
from mam_events.notation.grammar.positional_fields import slots_of
from mam_events.notation.grammar.verbs import MIN_PREFIX
from mam_events.notation.grammar.vocabulary import ORDER_LETTERS
from mam_events.notation.lexer.lexer import (
    EXACT,
    NO_VALUE_WORD,
    TextToken,
    TokenValue,
    WordToken,
    match_prefix,
    match_words,
)
from mam_events.values import outcome_of_word

REASON_FIELDS = ("reason", "text", "cause")
"""The fields that text after `because` may set."""


class OrderFields:
    """The fields of one order that are set so far, with the fight in which it is given."""

    def __init__(self, fight: LineContext, do: str, actor: str, fields_: dict[str, Any]) -> None:
        self.fight = fight
        self.do = do
        self.kind = COMMANDS[do]
        self.said = Fields(self.kind, do, self._find, self._value, self._entry)
        self.shapes = self.said.shapes
        self.actor = actor
        self.fields = self.said.found
        self.fields.update(fields_)
        self.named = False
        """True if the actor was named."""
        self.faces: list[str] = []
        self.rollers: dict[str, list[int]] = {}
        self.throws: dict[str, list[str]] = {}
        """The faces of an exchange by the throwers' names."""
        self.points = 0
        """Points to be made ready without a named pool."""
        self.first = ""
        """The pool from which as many of those points as possible are taken."""
        self.loose: list[str] = []
        """Words of a house rule that name no option with its reading."""
        self.before: Sequence[WordToken] = ()
        """The words that have been read."""
        self.behind: Sequence[WordToken] = ()
        """The remaining words, including the current one."""
        self.has_reason = any(name in self.shapes for name in REASON_FIELDS)
        if field := actor_field(self.kind):
            self.fields[field] = actor

    @property
    def slots(self) -> tuple[str, ...]:
        """The fields that words without a key set."""
        return slots_of(self.do)

    def pool(self, name: str, shape: FieldSpec) -> list[str]:
        """Return the words without a key that may set that field."""
        if name in ("visibility", actor_field(self.kind)):
            return []
        if shape.kind is bool:
            return [name]
        if shape.choices:
            return list(shape.choices)
        if name not in self.slots:
            return []
        if shape.is_person:
            return self._people()
        return self._things(name, shape)

    def _people(self) -> list[str]:
        return list(self.fight.state.combatants)

    def _things(self, name: str, shape: FieldSpec) -> list[str]:
        me = self.fight.person(self.actor)
        if name == "action":
            return list(self.fight.ruleset.tables.rd6_actions)
        if name in ("skill", "primary"):
            return list(me.faculties.codes) if me else []
        if name == "grapple":
            return self.fight.choices(self.do, self.actor, name)
        return list(self._things_called(name).names) if "thing" in shape.names else []

    def _things_called(self, name: str) -> NameIndex:
        """Return an index of the things that such a field can name.

        They are the actor's things, what lies on the ground, or what is to be taken from somebody else.
        """
        people = self.fight.state.combatants
        me = people.get(self.actor)
        if "owner" in self.shapes:
            return things_by_name(people.values(), dropped=True)
        if name == "item" and "target" in self.shapes:
            target = people.get(self.fields.get("target", ""))
            return things_by_name([target] if target else [one for one in people.values() if one != me])
        own = things_by_name([me] if me else [])
        weapons = {weapon.id for weapon in me.weapons} if me else set()
        return Things({id_: thing_name for id_, thing_name in own.names.items() if name != "weapon" or id_ in weapons})

    def _ranked(self, word: str, name: str, shape: FieldSpec) -> tuple[int, list[str]]:
        pool = self.pool(name, shape)
        if shape.is_person and pool:
            return self.fight.people.ranked(word)
        if "thing" in shape.names and pool:
            return self._things_called(name).ranked(word)
        if shape.choices and word not in pool and (outcome := outcome_of_word(word, pool)):
            return EXACT, [outcome]
        forms = word_forms(word) & set(pool) if name == "action" else ()
        return (EXACT, sorted(forms)) if forms else match_words(word, pool, self._least(name, shape))

    def _least(self, name: str, shape: FieldSpec) -> int:
        return MIN_PREFIX if shape.choices or shape.kind is bool else 1

    def _first(self, *names: str) -> str:
        return next((name for name in names if name in self.shapes), "")

    def _lettered(self, letter: str) -> str:
        # Without a field for power, `p` means points.
        return self._first(*ORDER_LETTERS.get(letter, ()), *(["points"] if letter == "p" else []))

    def _can_be_positive(self, name: str) -> bool:
        """Return False for a number that can only be 0 now."""
        offered = [
            field
            for template in self.fight.allowed(self.do, self.actor)
            for field in template.fields
            if field.name == name
        ]
        return not offered or any(field.free or field.high != 0 for field in offered)

    def _free_person(self) -> str:
        """Return the slot that the next named combatant goes to, or ""."""
        free = (slot for slot in self.slots if self.shapes[slot].is_person and slot not in self.fields)
        return next(free, "")

    def _find(self, key: str) -> str:
        """Return the field that a name means; faces of dice have no name."""
        name = "visibility" if key == SEEN else field_named(self.kind, key, self.do)
        if name in dice_fields(self.kind):
            raise BadInput("Type only the faces of dice, without a name, like 4 5 or [4 5].", place=self.do, wrong=key)
        return name

    def _entry(self, shape: FieldSpec, name: str) -> str:
        """Return the key of a table's entry; a combatant may be abbreviated."""
        return find_combatant(self.fight, name) if shape.key.is_person else name.lower()

    def _value(self, value: TokenValue, shape: FieldSpec, place: str) -> Any:
        """Return a value that was given with the name of its field; combatants and choices may be abbreviated."""
        if isinstance(value, str) and shape.is_person and (value != NO_VALUE_WORD or isinstance(value, TextToken)):
            return find_combatant(self.fight, value)
        if isinstance(value, str) and "thing" in shape.names and not shape.is_list:
            return self._things_called(place.rpartition(" ")[2]).one(value) or short_part(value, shape, place)
        if isinstance(value, str) and "situation" in shape.names:
            value = TextToken(self.fight.people.situation(value))
        if isinstance(value, str) and shape.choices and not isinstance(value, TextToken):
            return self._choice(shape, value, place)
        return short_part(value, shape, place)

    def _choice(self, shape: FieldSpec, word: str, place: str) -> str:
        matches = match_prefix(word.lower(), shape.choices, MIN_PREFIX)
        if len(matches) > 1:
            raise unclear_error(
                f'"{word}" could be {either_or(matches)}. Which {place.rpartition(" ")[2]}?', matches, word
            )
        return matches[0] if matches else word

    def _give(self, fields: dict[str, Any]) -> None:
        for name, value in fields.items():
            rolls = self.shapes[name].key.is_person
            self.said.put(
                name, {find_combatant(self.fight, who): face for who, face in value.items()} if rolls else value
            )

    def names_thing(self, words: Sequence[str]) -> bool:
        """Return True if those words begin with the name of a thing that this order can be about."""
        called = [self._things_called(name) for name in self.slots if "thing" in self.shapes[name].names]
        return any(them.run(words)[1] or them.one(words[0]) for them in called)
