"""The short form of an order: what hands type, read with the fight and filled in, or answered with a question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from msgspec.structs import fields, replace

from mam_events.commands import COMMANDS, Command
from mam_events.deciding.checks import sheathed
from mam_events.errors import BadInput, Hint, Refused, Unclear
from mam_events.notation.advice import ASKED
from mam_events.notation.dealing import dealt, without_versus
from mam_events.notation.dice import dice_fields, is_face, read_dice, read_face, takes_dice
from mam_events.notation.fields import Fields
from mam_events.notation.gripping import check_points, give_points
from mam_events.notation.house_rules import CHANGING, check_house_rules, with_house_rules
from mam_events.notation.initiative import WhoseDice, with_surprise
from mam_events.notation.joining import joined
from mam_events.notation.long_form import SEEN, LongOrder, actor_field, order_of
from mam_events.notation.meaning import (
    SHORTEST,
    Fight,
    Meant,
    actor_of,
    forms,
    names_order,
    numbered_near,
    person,
    refused_at,
    unclear,
    whose_move,
)
from mam_events.notation.open_ones import open_ones, with_open
from mam_events.notation.parts import CODE, field_named, short_part, with_amounts, with_flags
from mam_events.notation.people import COMBATANT, Called, Things, either, things_of
from mam_events.notation.places import (
    INFERRED,
    INTERRUPTING,
    LETTERS,
    OF_THINGS,
    OWN_NUMBER,
    ROLLED,
    SAYING_NOTHING,
    SLOTS,
    TEXTS,
    VERBS,
)
from mam_events.notation.spacing import PREPOSITIONS, SILENT
from mam_events.notation.unsaid import check_not_idle, least_points_for, most_ready, related_skills, spent_on
from mam_events.notation.words import (
    CUT,
    EXACT,
    NOTHING,
    Faces,
    Quoted,
    Said,
    Value,
    cut,
    quoted_text,
    ranked,
    ruling_number,
)
from mam_events.refusals.nearest import closest, nearest
from mam_events.shapes import Shape, shapes
from mam_events.state import BODY
from mam_events.values import outcome_meant

_LETTERED = re.compile(r"([a-z])(-?[0-9]{1,9})\Z")
_SITUATION = re.compile(r"(?:\S.* )?[+-][0-9]{1,6}D? \S")
"""A number with its sign and why: `+2 outreached`, `clone -1 smoke`, `-1D called shot`."""
_METRES = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)m\Z")
REASONS = ("reason", "text", "cause")
"""The fields for which text after `because` stands."""
LOOSE = 2
"""From so many words on that mean nothing they read like a remark."""
ARMED = ("attack", "counterattack", "parry")
"""Orders that hardly anybody means to do with bare hands while a weapon is at their side."""
SIX = 6
"""The highest face of a die of Ron d6."""
STRIKING = ("attack", "counterattack")
"""Orders for which a shield is not meant where something else is in hand."""
NO_SIDE = "all"
"""The side of those who have none."""
READIED = ("defense", "other_used", "other", "used")
"""Words for a pool from which as many points become ready as may be."""
_WHERE = {"weapon": "in hand (ready-weapon NAME takes one)"}
_ABOUT_HOLDS = ("escape", "release", "maintain-grapple")
"""Orders about a hold, in which whoever is named alone may be who acts, or who holds or is held."""
_VERB_SLOTS = {**VERBS, **{new: VERBS[old] for old, new in INTERRUPTING.items()}}


def in_full(fight: Fight, said: Meant) -> tuple[LongOrder, tuple[str, ...]]:
    """The order that short words mean, with all that goes without saying, and the faces that are left for the exchange.

    Raises BadInput, in words of a question where several things could be meant.
    """
    if said.do == "join":
        return joined(said.rest), ()
    said = _with_roller(fight, _with_actor(fight, said))
    actor = actor_of(fight, said.do, said.actor)
    for way in (_with_thing, _with_grip, _with_lowered, _with_hand, _with_throw, _with_hold):
        said = way(fight, said, actor)
    if said.do == "initiative":
        said = replace(said, rest=with_surprise(fight, said.rest))
    filling = Filling(fight, said.do, actor, dict(said.preset))
    filling.named = bool(said.actor)
    filling.take_all(said.rest)
    filling.check_dice()
    filling.infer()
    left = filling.left_over()
    return order_of(COMMANDS[said.do], filling.fields), left


def complete(fight: Fight, do: str, said: Mapping[str, Any], words: Sequence[str] = ()) -> Command:
    """Return the order of those fields, as plain values, and words, with all that goes without saying in a line.

    Raises BadInput, in words of a question where several things could be meant.
    """
    actor = actor_field(COMMANDS[do])
    preset = {name: value for name, value in said.items() if name != actor}
    read, _ = in_full(fight, Meant(do, said.get(actor, ""), preset, tuple(Said("", word) for word in words)))
    return with_open(read.command, read.left_out, fight.state)


def _with_actor(fight: Fight, said: Meant) -> Meant:
    """Return the same with who acts, where they stand behind the order, as on the command line, and can be nobody else
    there: `throw-die rat 3`.
    """
    kind = COMMANDS[said.do]
    bare = [shapes(kind)[slot] for slot in SLOTS.get(said.do, ())]
    who = fight.people.whole(said.rest[0].word) if said.rest and not said.actor else ""
    if said.do in _ABOUT_HOLDS:
        taken = who in _at_the_other_end(fight, said.do)
    else:
        taken = not actor_field(kind) or any(one.names or one.words or one.choices for one in bare)
    return replace(said, actor=who, rest=said.rest[1:]) if who and not taken else said


def _at_the_other_end(fight: Fight, do: str) -> set[str]:
    """Return those who hold whoever acts, for an escape, or are held by them."""
    me = fight.person(whose_move(fight.state))
    if me is None:
        return set()
    if do != "escape":
        return {grapple.held for grapple in me.grapples}
    people = fight.state.combatants.values()
    return {one.id for one in people if any(grapple.held == me.id for grapple in one.grapples)}


def _with_roller(fight: Fight, said: Meant) -> Meant:
    """Return the same with who rolls damage, where that is not said: whoever acts and whose action came off last."""
    window = fight.state.window
    acting = fight.state.acting
    if said.do != "roll" or said.actor or not acting or window.open:
        return said
    last = window.settled[-1].combatant if window.settled else acting
    damages = any(
        cut(one.word.lower(), shapes(COMMANDS["roll"])["what"].choices, SHORTEST) == ["damage"] for one in said.rest
    )
    return replace(said, actor=acting) if damages and last == acting else said


def _with_thing(fight: Fight, said: Meant, actor: str) -> Meant:
    """Return the same as the order for things, where a thing is named behind one for points: `drop rope`."""
    do = OF_THINGS.get(said.do, "")
    if do not in fight.orders or not said.rest or fight.people.whole(said.rest[0].word):
        return said
    filling = Filling(fight, do, actor, {})
    first = said.rest[0]
    named = filling.names_thing([one.word for one in said.rest]) or filling.names_thing([str(first.value)])
    return replace(said, do=do) if not first.key and isinstance(first.value, str) and named else said


def _with_hand(fight: Fight, said: Meant, actor: str) -> Meant:
    """Return drawing what is no bow, or not in hand yet, as taking it in hand: `draw club`."""
    me = fight.person(actor)
    if said.do != "draw-bow" or not me or not said.rest or said.rest[0].key:
        return said
    words = [one.word for one in said.rest]
    things = things_of([me])
    meant = me.weapon(things.run(words)[1] or things.one(words[0]))
    if meant is None or (meant.kind == "bow" and meant in me.in_hand) or "ready-weapon" not in fight.orders:
        return said
    return replace(said, do="ready-weapon")


def _with_grip(fight: Fight, said: Meant, actor: str) -> Meant:
    """Return grabbing a thing of one's own as taking it in hand, or up from the ground: `grabs her axe`."""
    me = fight.person(actor)
    if said.preset.get("follow_up") != "hold" or not me or not said.rest or said.rest[0].key:
        return said
    words = [one.word for one in said.rest]
    if not words[0] or fight.people.whole(words[0]):
        return said
    for do, things in (
        ("pick-up-item", things_of(fight.state.combatants.values(), dropped=True)),
        ("ready-weapon", things_of([me])),
    ):
        if do in fight.orders and (things.run(words)[1] or things.one(words[0])):
            return replace(said, do=do, preset={})
    return said


def _with_lowered(fight: Fight, said: Meant, actor: str) -> Meant:
    """Return lowering a bow without its name, for only the drawn one can be meant: `lets down his longbow`."""
    me = fight.person(actor)
    if said.do != "lower-bow" or not me or not said.rest or said.rest[0].key:
        return said
    words = [one.word for one in said.rest]
    while words and words[0].lower() in SILENT:
        words.pop(0)
    run, thing = things_of([me]).run(words) if words else (1, "")
    thing = thing or (things_of([me]).one(words[0]) if words else "")
    if not thing or thing != (me.status.drawn or thing):
        return said
    return replace(said, rest=said.rest[len(said.rest) - len(words) + run :])


def _with_throw(fight: Fight, said: Meant, actor: str) -> Meant:
    """Return throwing a thing of one's own as an attack with it: `throw spear at goblin`."""
    me = fight.person(actor)
    if said.preset.get("follow_up") != "throw" or not me or not said.rest or said.rest[0].key:
        return said
    words, things = [one.word for one in said.rest], things_of([me])
    if not (things.run(words)[1] or things.one(words[0])) or fight.people.whole(words[0]):
        return said
    said_how = any(field_named(COMMANDS["attack"], one.key, "attack") == "thrown" for one in said.rest if one.key)
    return replace(said, do="attack", preset={} if said_how else {"thrown": "quick"})


def _with_hold(fight: Fight, said: Meant, actor: str) -> Meant:
    """Return what is about a hold with the hold, where whoever is held is named: `release bandit 2`."""
    me = fight.person(actor)
    if said.do not in _ABOUT_HOLDS or said.do == "escape" or not me or not said.rest or said.rest[0].key:
        return said
    held = fight.people.whole(said.rest[0].word)
    holds = [one.id for one in me.grapples if held and one.held == held]
    return replace(said, rest=(Said("", holds[0]), *said.rest[1:])) if len(holds) == 1 else said


class Filling:
    """The fields of one order being filled from its words, then from the fight."""

    def __init__(self, fight: Fight, do: str, actor: str, fields_: dict[str, Any]) -> None:
        self.fight = fight
        self.do = do
        self.kind = COMMANDS[do]
        self.said = Fields(self.kind, do, self._find, self._value, self._entry)
        self.shapes = self.said.shapes
        self.actor = actor
        self.fields = self.said.found
        self.fields.update(fields_)
        self.named = False
        """On where whoever acts was said."""
        self.faces: list[str] = []
        self.rollers: dict[str, list[int]] = {}
        self.points = 0
        """Points to be made ready of which it is not said from where."""
        self.first = ""
        """The pool from which as many of those as may come are taken."""
        self.loose: list[str] = []
        """Words of a house rule that name no option with its reading."""
        self.before: Sequence[Said] = ()
        """The words that were taken in."""
        self.behind: Sequence[Said] = ()
        """The words that are left, the one that is taken in now included."""
        self.has_reason = any(name in self.shapes for name in REASONS)
        if field := actor_field(self.kind):
            self.fields[field] = actor

    @property
    def slots(self) -> tuple[str, ...]:
        """The fields that words without a key go to."""
        return SLOTS.get(self.do, ())

    def take_all(self, words: Sequence[Said]) -> None:
        """Take in those words, of which several may be the name of a thing, or a field and its number."""
        if self.do == CHANGING:
            self._take_house_rules(words)
            return
        if self.do == "result":
            words = _with_story(words)
        words = without_versus(self.fight, self.do, words)
        words = with_amounts(self.kind, with_flags(self.kind, words), self._means_something)
        at = 0
        while at < len(words):
            self.before, self.behind = words[:at], words[at:]
            run, thing = self._run([said.word for said in words[at:]])
            self.take(Said("", thing) if thing else words[at])
            at += run

    def _take_house_rules(self, words: Sequence[Said]) -> None:
        """Take in options with their readings, and why."""
        said = with_house_rules(words)
        self.loose = [one.word for one in said if one.word]
        for one in said:
            if not one.word:
                self.take(one)

    def names_thing(self, words: Sequence[str]) -> bool:
        """True if those words begin with the name of a thing that this order can be about."""
        called = [self._things_called(name) for name in self.slots if "thing" in self.shapes[name].names]
        return any(them.run(words)[1] or them.one(words[0]) for them in called)

    def _means_something(self, word: str, before: Sequence[Said]) -> bool:
        """True for a word, a letter also in part, that is a name or a choice that this order can still be about. Behind
        somebody's name a letter wears its number.
        """
        free = [(name, shape) for name, shape in self.shapes.items() if name not in self.fields]
        ranks = [self._ranked(word, name, shape) for name, shape in free]
        # Oneself is meant in full only.
        found = {rank for rank, words in ranks if rank == EXACT or words != [self.actor] if words}
        cut_ = CUT in found and len(word) == 1
        return EXACT in found or (cut_ and not any(self.fight.people.whole(said.word) for said in before))

    def _run(self, words: Sequence[str]) -> tuple[int, str]:
        """The most of those words that are the name of a thing that this order can be about, and its id."""
        runs = [self._things_called(name).run(words) for name in self.slots if "thing" in self.shapes[name].names]
        return max(runs, default=(1, ""))

    def take(self, said: Said) -> None:
        """Take in one word; raises BadInput where it means nothing here, or several things."""
        if said.key:
            self.said.say(self._with_sides(said))
        elif isinstance(said.value, Faces):
            self._give(read_dice(self.kind, said.value))
        elif isinstance(said.value, Quoted):
            self._text(said.value)
        elif isinstance(said.value, tuple):
            raise BadInput("a table stands behind a name: weapon=(…).", place=self.do, wrong="(")
        elif self.do in ROLLED:
            self._roller(said.word)
        else:
            self._bare(said.word)

    def _with_sides(self, said: Said) -> Said:
        """Those of a side who are up, for its name in a list of people: `surprise=heroes`."""
        shape = self.shapes.get(said.key.replace("-", "_"))
        if shape is None or not shape.several or not shape.inner.person or not isinstance(said.value, str):
            return said
        people = self.fight.state.combatants
        sides: dict[str, list[str]] = {}
        for one in people.values():
            if one.condition == "able":
                sides.setdefault(one.side, []).append(one.id)
        parts = (sides.get(part.lower(), [part]) if part not in people else [part] for part in said.value.split(","))
        return said._replace(value=",".join(one for part in parts for one in part))

    def _give(self, found: dict[str, Any]) -> None:
        for name, value in found.items():
            rolls = self.shapes[name].key.person
            self.said.put(name, {person(self.fight, who): face for who, face in value.items()} if rolls else value)

    def _find(self, key: str) -> str:
        """The field that a name is; the dice are none that has one."""
        name = "visibility" if key == SEEN else field_named(self.kind, key, self.do)
        if name in dice_fields(self.kind):
            raise BadInput("faces stand bare or in brackets.", place=self.do, wrong=key)
        return name

    def _entry(self, shape: Shape, name: str) -> str:
        """The name of an entry of a table: whom it is about may be cut."""
        return person(self.fight, name) if shape.key.person else name.lower()

    def _value(self, value: Value, shape: Shape, place: str) -> Any:
        """A value that was said by the name of its field: people and choices may be cut."""
        if isinstance(value, str) and shape.person and (value != NOTHING or isinstance(value, Quoted)):
            return person(self.fight, value)
        if isinstance(value, str) and "thing" in shape.names and not shape.several:
            return self._things_called(place.rpartition(" ")[2]).one(value) or short_part(value, shape, place)
        if isinstance(value, str) and "situation" in shape.names:
            value = Quoted(self.fight.people.situation(value))
        if isinstance(value, str) and shape.choices and not isinstance(value, Quoted):
            return self._choice(shape, value, place)
        return short_part(value, shape, place)

    def _choice(self, shape: Shape, word: str, place: str) -> str:
        found = cut(word.lower(), shape.choices, SHORTEST)
        if len(found) > 1:
            raise unclear(f'"{word}" is {either(found)}: which {place.rpartition(" ")[2]}?', found, word)
        return found[0] if found else word

    def _text(self, text: Quoted) -> None:
        if "situation" in self.shapes and _SITUATION.match(text):
            self.said.say(Said("situation", text))
            return
        who = self.fight.people.whole(text)
        if who and self.do in ROLLED:
            self.rollers[who] = []
            return
        if who and self._free_person():
            self._person(who)
            return
        for name in self.slots:
            if "thing" in self.shapes[name].names and (thing := self._things_called(name).whole(text)):
                self.said.put(name, thing)
                return
        slots = (name for name in self.slots if self.shapes[name].words)
        free = [name for name in (*TEXTS, *slots) if self._takes_text(name)]
        if not free:
            raise BadInput(f"no text is said here; {self._as_note()}", place=self.do, wrong=text)
        self.fields[free[0]] = str(text)

    def _as_note(self) -> str:
        """Return how the words that are left are said as a remark behind the order, or as another order."""
        said = " ".join([self.do, *(_typed(one) for one in self.before)])
        named = (at for at, one in enumerate(self.behind) if names_order(self.fight, one.word.lower()))
        order = next(named, None)
        if order is not None:
            behind = " ".join(_typed(one) for one in self.behind[order:])
            return f"another order stands behind a semicolon: {said}; {behind}."
        if any(is_face(one.word) for one in self.behind):
            return f"{self.do} takes no such words."
        text = [str(one.value) for one in self.behind if one.word or isinstance(one.value, Quoted)]
        return f"a remark stands behind it: {said}; note {' '.join(text)}."

    def _takes_text(self, name: str) -> bool:
        return name in self.shapes and self.shapes[name].words != "" and name not in self.fields

    def _bare(self, word: str) -> None:
        """A word without a key: a number, something with a letter that says what it is, or a name."""
        low = word.lower()
        if is_face(low):
            self._number(low)
        elif low.startswith(COMBATANT):
            self._person(person(self.fight, low))
        elif self.do == "ready" and (pool := cut(low, READIED)):
            self.first = pool[0]
        elif (match := _METRES.match(low)) and (name := self._first("distance", "metres")):
            self.said.put(name, Decimal(match[1]))
        elif (match := _LETTERED.match(low)) and not self.fight.person(low) and (name := self._lettered(match[1])):
            self.said.put(name, int(match[2]))
        elif CODE.match(low) and "code" in self.shapes:
            self.said.put("code", low.upper())
        elif number := ruling_number(low, marked=True):
            self._ruling(word, number)
        else:
            parts = [part for part in low.split(",") if part]
            for part in parts:
                # A number between commas could be one with decimals.
                self._word(part) if len(parts) == 1 or low[0].isdecimal() else self._bare(part)

    def _first(self, *names: str) -> str:
        return next((name for name in names if name in self.shapes), "")

    def _lettered(self, letter: str) -> str:
        # Where no power is, what is given for an order are points.
        return self._first(*LETTERS.get(letter, ()), *(["points"] if letter == "p" else []))

    def _ruling(self, word: str, number: int) -> None:
        names = list(open_ones(self.kind)) or [
            name for name in ("exchange", "against", "answers") if name in self.shapes
        ]
        if not names:
            raise BadInput(f"{self.do} speaks of no ruling.", place=self.do, wrong=word)
        self.said.put(names[-1] if self.kind.interferes else names[0], number)

    def _person(self, name: str) -> None:
        free = self._free_person()
        if not free:
            raise BadInput(f'nobody else is named here, so what is "{name}"?', place=self.do, wrong=name)
        self.fields[free] = [name] if self.shapes[free].several else name

    def _free_person(self) -> str:
        """The slot that the next one who is named goes to; "" where there is none."""
        free = (slot for slot in self.slots if self.shapes[slot].person and slot not in self.fields)
        return next(free, "")

    def _number(self, word: str) -> None:
        """A bare number: the order's own where it has one, else a face."""
        known = OWN_NUMBER.get(self.do, ())
        # Where none can be it now, the rules say why.
        own = [name for name in known if self._may_be(name)] or known[:1]
        if not word.isdecimal() or not own or self.points or any(name in self.fields for name in own):
            self.faces.append(word)
        elif self.do == "ready" and len(own) > 1 and self.fight.allowed(self.do, self.actor):
            self.points = int(word)
        else:
            self.fields[own[0]] = int(word)

    def _may_be(self, name: str) -> bool:
        """False for a number that can only be 0 now."""
        offered = [
            field
            for template in self.fight.allowed(self.do, self.actor)
            for field in template.fields
            if field.name == name
        ]
        return not offered or any(field.free or field.high != 0 for field in offered)

    def _word(self, word: str) -> None:
        """A word that is a name or a choice of some field, whole or cut."""
        found: list[tuple[int, str, str]] = []
        for name, shape in self.shapes.items():
            if (name in self.fields and not shape.several) or (shape.kind is bool and word in PREPOSITIONS):
                continue
            rank, words = self._ranked(word, name, shape)
            if rank == CUT and shape.person:
                # Oneself, the dead and the gone are meant in full only.
                people = self.fight.state.combatants
                words = [one for one in words if one != self.actor and not people[one].gone]
            found += [(rank, name, one) for one in words]
        found = [one for one in found if one[0] == min(rank for rank, _, _ in found)]
        if len({one for _, _, one in found}) == 1:
            found = self._slot_first(found)
        if not found and self._says_nothing(word):
            return
        if not found:
            gone = {one.id for one in self.fight.state.combatants.values() if one.gone}
            pool = [one for name, shape in self.shapes.items() for one in self.pool(name, shape)]
            known = [one for one in pool if one not in gone] or pool
            if near := numbered_near(self.fight, word, [said.word for said in self.behind[1:]]):
                raise BadInput(f'"{word}" means nothing here; did you mean "{near}"?', wrong=word, allowed=[near])
            raise BadInput(
                f'"{word}" means nothing here{self._hint(word, known)}', place=self.do, wrong=word, allowed=known
            )
        if len(found) > 1:
            told = [f"{name}={one}" for _, name, one in found]
            same = len({name for _, name, _ in found}) == 1
            raise unclear(f'"{word}" is {either([one for _, _, one in found] if same else told)}: which?', told, word)
        _, name, one = found[0]
        if self.shapes[name].several:
            self.said.add(name, [one])
        else:
            self.said.put(name, True if self.shapes[name].kind is bool else one)

    def _says_nothing(self, word: str) -> bool:
        """True for an article or the like in front of another word; a letter is one before a name where it can be that
        of nobody.
        """
        following = self.behind[1].word.lower() if self.behind[1:] else ""
        if word in SAYING_NOTHING.get(self.do, ()):
            return True
        if word not in SILENT or not following or len(word) > 1:
            return word in SILENT and bool(following)
        known = [self._ranked(following, name, shape)[1] for name, shape in self.shapes.items()]
        return not self._free_person() and any(known)

    def _ranked(self, word: str, name: str, shape: Shape) -> tuple[int, list[str]]:
        pool = self.pool(name, shape)
        if shape.person and pool:
            return self.fight.people.ranked(word)
        if "thing" in shape.names and pool:
            return self._things_called(name).ranked(word)
        if shape.choices and word not in pool and (outcome := outcome_meant(word, pool)):
            return EXACT, [outcome]
        spoken = forms(word) & set(pool) if name == "action" else ()
        return (EXACT, sorted(spoken)) if spoken else ranked(word, pool, self._least(name, shape))

    def _hint_letters(self, number: str) -> str:
        """The end of a sentence about a number with a letter that means nothing here: how numbers are said here."""
        if "points" in OWN_NUMBER.get(self.do, ()):
            return f"; the number stands alone: {self.do} {number}."
        letters = [f"{letter}{number}" for letter in LETTERS if self._lettered(letter)]
        return f"; known: {', '.join(letters)}." if letters else f"; what a {self.do} costs is not said."

    def _hint(self, word: str, known: Sequence[str]) -> str:
        """The end of a sentence about a word that means nothing here: where it would mean something."""
        if self.do in ("resolve", "result") and self.faces:
            return _dice_alone(self.faces, word)
        if letter := _LETTERED.match(word.lower()):
            return self._hint_letters(letter[2])
        texts = [name for name in self.fields if self.shapes[name].words or self.shapes[name].inner.words]
        return (
            f': text of several words stands in quotes, {texts[-1]}="… {word} …".'
            if texts
            else self._hint_word(word, known)
        )

    def _hint_word(self, word: str, known: Sequence[str]) -> str:
        """The end of that sentence for a word that is neither a number nor part of a text."""
        named = (
            name
            for name, shape in self.shapes.items()
            if shape.person and not shape.keyed and name not in (*self.slots, *self.fields, actor_field(self.kind))
            # It would say whom nobody waits for, which hardly anybody means.
            if name != "without"
        )
        if self.fight.people.ranked(word)[1]:
            if by_name := list(named):
                return f"; say what it is: {either([f'{name}={word}' for name in by_name])}."
            if actor_field(self.kind) and not self.named:
                return f"; whoever does it stands before it: {word}: {self.do}."
        taken = [name for name in self.fields if self._ranked(word, name, self.shapes[name])[0] == EXACT]
        if taken:
            value = self.fields[taken[0]]
            return f"; {taken[0].replace('_', ' ')} is {'said' if value is True else value} already."
        fields_of_it = [name for name in self.shapes if cut(word, [name], SHORTEST) and name not in self.fields]
        if fields_of_it:
            return f"; by its name it is said so: {fields_of_it[0]}=…."
        if self.has_reason and not any(name in self.fields for name in REASONS) and not closest(word, known):
            return f"; a reason stands after because: … because {word} …."
        if not closest(word, known) and (told := self._told_behind(word)):
            return f"; {told}"
        return f"; {nearest(word, known)}" if known else f"; {self.do} takes no more words."

    def _told_behind(self, word: str) -> str:
        """Return how a word that means nothing here is said behind the order; "" where it reads like none."""
        verb = self.fields.get(_VERB_SLOTS.get(self.do, ""))
        behind = [_typed(one) for one in self.behind[1:]]
        if verb and behind and self.fight.people.whole(behind[0]):
            said = " ".join([str(verb), *(_typed(one) for one in self.before if one.word not in SILENT), *behind])
            return f"it is left out, or told behind it: {said}; note {word}."
        loose = self.before and self.behind[LOOSE - 1 :] and all(one.word for one in self.behind)
        return self._as_note() if loose else ""

    def _slot_first(self, found: list[tuple[int, str, str]]) -> list[tuple[int, str, str]]:
        """Of two slots for the same word the verb's, or of two for people the first."""
        slots = [one for one in found if one[1] in self.slots]
        verb = [one for one in slots if one[1] == _VERB_SLOTS.get(self.do)]
        people = all(self.shapes[name].person for _, name, _ in slots)
        return verb or (slots[:1] if people and len(slots) == len(found) else found)

    def _least(self, name: str, shape: Shape) -> int:
        return SHORTEST if shape.choices or shape.kind is bool else 1

    def pool(self, name: str, shape: Shape) -> list[str]:
        """The words that a bare word may mean for that field."""
        if name in ("visibility", actor_field(self.kind)):
            return []
        if shape.kind is bool:
            return [name]
        if shape.choices:
            return list(shape.choices)
        if name not in self.slots:
            return []
        if shape.person:
            return self._people()
        return self._things(name, shape)

    def _people(self) -> list[str]:
        return list(self.fight.state.combatants)

    def _things(self, name: str, shape: Shape) -> list[str]:
        me = self.fight.person(self.actor)
        if name == "action":
            return list(self.fight.ruleset.tables.rd6_actions)
        if name in ("skill", "primary"):
            return list(me.faculties.codes) if me else []
        if name == "grapple":
            return self.fight.choices(self.do, self.actor, name)
        return list(self._things_called(name).names) if "thing" in shape.names else []

    def _things_called(self, name: str) -> Called:
        """The things that such a field can be about: those of whoever acts, what lies on the ground, or what is to be
        taken from somebody else.
        """
        people = self.fight.state.combatants
        me = people.get(self.actor)
        if "owner" in self.shapes:
            return things_of(people.values(), dropped=True)
        if name == "item" and "target" in self.shapes:
            target = people.get(self.fields.get("target", ""))
            return things_of([target] if target else [one for one in people.values() if one != me])
        own = things_of([me] if me else [])
        weapons = {weapon.id for weapon in me.weapons} if me else set()
        return Things({id_: told for id_, told in own.names.items() if name != "weapon" or id_ in weapons})

    def _roller(self, word: str) -> None:
        """Of an initiative: a name, and behind it its faces."""
        if not is_face(word.lower()):
            # Who is named for other things has no die behind his name.
            named = self.do == "roll-initiative" or self.fight.people.ranked(word)[1]
            if named:
                self.rollers |= {person(self.fight, name): [] for name in word.split(",")}
            else:
                self._word(word.lower())
        elif not self.rollers:
            self.faces.append(word)
        else:
            face, _ = read_face(word)
            self.rollers[next(reversed(self.rollers))].append(face or 0)

    def check_dice(self) -> None:
        """Raise WhoseDice for faces of an initiative that stand before all names."""
        if self.do in ROLLED and self.faces:
            raise WhoseDice(self.faces, next(iter(self.fight.state.combatants), "grob"), self.do)

    def infer(self) -> None:
        """Fill in what goes without saying; raises BadInput where that is nothing, or could be several things."""
        if self.do == CHANGING:
            check_house_rules(self.fight.ruleset, self.fields, self.loose)
        self._infer_rolled()
        give_points(self.fight, self.do, self.actor, self.fields, self.faces)
        self._infer_numbers()
        for field in fields(self.kind):
            name = field.name
            if name in self.fields or name in open_ones(self.kind) or name == actor_field(self.kind):
                continue
            if name == "weapon" and field.default == "" and self.do != "interfere":
                self.fields[name] = self._in_hand()
            elif field.required and name in INFERRED:
                self.fields[name] = self._only(name)
            elif field.required:
                self._missing(name)
        self._infer_owner()
        check_points(self.fight, self.do, self.actor, self.fields)

    def _infer_rolled(self) -> None:
        """Fill in those who roll, and the faces behind their names."""
        thrown = {name: faces for name, faces in self.rollers.items() if faces}
        if self.do == "initiative":
            for name in self.rollers.keys() - thrown.keys():
                self._word(name)
            self.fields |= {"tie_die": {name: _one(name, faces) for name, faces in thrown.items()}} if thrown else {}
        elif self.rollers:
            self.fields["combatants"] = list(self.rollers)
            self.fields |= {"dice": thrown} if thrown else {}

    def _infer_numbers(self) -> None:
        """Fill in the rulings that an action or a point is about, and how many points become ready."""
        state, ruleset, said = self.fight.state, self.fight.ruleset, self.fields
        me = self.fight.person(self.actor)
        if "related" in self.shapes and "related" not in said and me and "action" in said:
            said["related"] = related_skills(ruleset, me, said["action"], said.get("skill") or "", said.get("code"))
        elif self.do == "spend" and "point" in said:
            on, exchange = spent_on(state, self.actor, said["point"], said.get("on"))
            said.setdefault("on", on)
            if exchange:
                said.setdefault("exchange", exchange)
        elif self.do == "move" and "points" not in said and "metres" in said and me and self._may_be("points"):
            said |= least_points_for(ruleset, me, said["metres"])
        elif self.do == "move" and not {"points", "metres"} & said.keys():
            self._missing(next(filter(self._may_be, OWN_NUMBER[self.do]), "points"))
        elif self.do == "ready" and not {"defense", "other_used"} & said.keys():
            self._infer_ready()
        elif self.do == "declare-combo" and len(said.get("target", ())) > 1:
            said.setdefault("actions", len(said["target"]))
        elif self.first:
            told = "say how many of each, ready d1 o2, or of which as many as may be: ready o."
            raise BadInput(told, place=self.do, wrong=self.first)

    def _infer_ready(self) -> None:
        """Fill in as many points as were said, or may become ready, where there is one way to take them from the two
        pools.
        """
        template = next(iter(self.fight.allowed(self.do, self.actor)), None)
        most, low, high = most_ready(template, self.points) if template else (0, 0, 0)
        if not most:
            check_not_idle(self.fight.state, self.fight.ruleset, self.actor)
        if low < high and not self.first:
            ways = {"ready o": _of_each(low, most - low), "ready d": _of_each(high, most - high)}
            what = "1 point" if most == 1 else f"{most} points"
            told = either([f"{way} ({each})" for way, each in ways.items()])
            options = ("other", "defense")
            asked = f"{what} may become ready, from defense or other used: {told}?"
            question = Unclear(asked, allowed=options, usual=options[0])
            question.hints = (self._with(defense=low, other_used=most - low),)
            raise question
        defense = high if self.first == "defense" else low
        self.fields |= {"defense": defense, "other_used": most - defense}

    def _infer_owner(self) -> None:
        """Fill in whose a thing was that somebody else dropped."""
        if "owner" in self.shapes and "owner" not in self.fields:
            owners = [one.id for one in self.fight.state.combatants.values() if self.fields["item"] in one.dropped]
            if len(owners) == 1 and owners != [self.actor]:
                self.fields["owner"] = owners[0]

    def _in_hand(self) -> str:
        """The one thing in hand; the body where nothing is."""
        me = self.fight.person(self.actor)
        held = [weapon for weapon in me.in_hand if weapon.id != BODY] if me else []
        # Whoever holds a bow drawn can do nothing with anything else.
        held = [weapon for weapon in held if me and weapon.id == me.status.drawn] or held
        if self.do in STRIKING:
            from mam_events.rules.attack.wielding import without_shields  # noqa: PLC0415 - who looks reads no rules

            held = without_shields(held)
        if len(held) > 1:
            told = either([f"the {weapon.name or weapon.id}" for weapon in held])
            raise unclear(f"With {told}?", [weapon.id for weapon in held], hints=[self._with(weapon=held[0].id)])
        away = sheathed(me) if me and not held and self.do in ARMED else ()
        if me and away:
            told = either([f"the {weapon.name or weapon.id}" for weapon in away])
            first = f": take {told} in hand first (ready-weapon {away[0].id}), or"
            if self.fight.state.exchange:
                first = ", and in a reaction nothing is taken in hand:"
            raise unclear(f"{me.name} has nothing in hand{first} say body.", [BODY])
        return held[0].id if held else BODY

    def _only(self, name: str) -> Any:
        """The only thing that a field can be."""
        if name == "combatants":
            from mam_events.rules.initiative.perception import yet_to_roll  # noqa: PLC0415 - who looks reads no rules

            rollers = list(yet_to_roll(self.fight.state, self.fight.ruleset))
            if not rollers and self.fight.state.round_open:
                raise Refused("already_rolled/everybody", rule="RD6-INIT-01", fields=(name,))
            return rollers
        found = self.fight.choices(self.do, self.actor, name)
        holder = self.fight.person(self.fields.get("holder", ""))
        if name == "grapple" and holder:
            found = [one for one in found if any(grapple.id == one for grapple in holder.grapples)]
        if name in ("target", "opponent"):
            found = self._foes(found)
            if not found and self.fight.person(self.actor):
                told = f"{self.fight.named(self.actor)} has no foe here who is up; whom this is about is said by name."
                raise BadInput(told, place=self.do)
        if len(found) == 1:
            return found[0]
        if not found:
            self._missing(name)
        word = "Whom" if self.shapes[name].person else f"Which {name}"
        said = dict.fromkeys(found, self.do)
        told = either([f"{do} {one}" for one, do in said.items()])
        raise unclear(f"{word}: {told}?", found, hints=[self._with(**{name: found[0]})])

    def _with(self, **more: Any) -> Hint:
        """Return the order as it is said with something more."""
        return Hint(self.do, self.fields | more)

    def _foes(self, legal: Iterable[str]) -> list[str]:
        """Those of other sides who are up, of those who may be meant; whoever has no side is everybody's foe."""
        people = self.fight.state.combatants
        me = self.fight.person(self.actor)
        own = me.side if me and me.side != NO_SIDE else None
        among = list(legal) or list(people)
        return [
            one for one in among if people[one].condition == "able" and one != self.actor and people[one].side != own
        ]

    def _missing(self, name: str) -> None:
        """Raise what stands in the way of an order of which something is not said."""
        offers = [offer for offer in self.fight.offers(self.do) if offer.combatant in ("", self.actor)]
        no = refused_at(offers)
        if no and not self.fight.allowed(self.do, self.actor):
            raise no
        me = self.fight.person(self.actor)
        if name in INFERRED and me and not self.fight.allowed(self.do, self.actor):
            if self.do == "ready-weapon" and any(weapon.id != BODY for weapon in me.in_hand):
                raise BadInput(f"{me.name} has every weapon in hand that can be taken.", place=self.do)
            if self.do in _ABOUT_HOLDS:
                raise Refused(
                    "not_held/nobody" if self.do == "escape" else "unknown_grapple/none",
                    who=me,
                    rule="MAM-MNP-10",
                    fields=(name,),
                )
            where = "here" if self.do == "ready-weapon" else _WHERE.get(name, "here")
            raise BadInput(f"{me.name} has no {name} {where} for this.", place=self.do)
        choices = self.shapes[name].choices or self.fight.choices(self.do, self.actor, name)
        told = f": {either([str(one) for one in choices])}" if choices else ""
        asked = ASKED.get((self.do, name), f"say {name}{told}; {self.shapes[name].told}")
        raise BadInput(asked, place=self.do, allowed=map(str, choices))

    def left_over(self) -> tuple[str, ...]:
        """The faces that are for the exchange; an order that rolls its own dice takes them itself."""
        if not self.faces or not takes_dice(self.kind):
            return tuple(self.faces)
        self._check_difficulty()
        if self.do == "resolve":
            self.fields |= dealt(self.fight, self.faces)
        else:
            self._give(read_dice(self.kind, " ".join(self.faces)))
        return ()

    def _check_difficulty(self) -> None:
        """Raise BadInput for a number among the dice that none of them shows, where no difficulty is said."""
        if not self.fight.ruleset.edition.counts_actions or self.fields.get("difficulty") is not None:
            return
        high = next((face for face in self.faces if face.isdecimal() and int(face) > SIX), "")
        if high and "difficulty" in self.shapes:
            raise BadInput(f"No die shows {high}: as the difficulty it is v{high}.", place="dice", wrong=high)


def _dice_alone(faces: Sequence[str], word: str) -> str:
    """Return what can be typed for a number and a word that is no face: how several join, where it is their plural."""
    if len(faces) == 1 and faces[0] not in ("-", "0", "1") and word.endswith("s") and word.isalpha():
        return f"; newcomers are brought in by join {faces[0]} {word} SIDE hp=6 …."
    return f"; dice stand by themselves: {' '.join(faces)}."


def _of_each(defense: int, other_used: int) -> str:
    """Return so many points of each pool, as they are typed."""
    return " ".join([*([f"d{defense}"] if defense else ()), *([f"o{other_used}"] if other_used else ())])


def _with_story(words: Sequence[Said]) -> Sequence[Said]:
    """Return the words of a result with those behind its outcome as the text of what happens."""
    ways = [way for way in shapes(COMMANDS["result"])["outcome"].choices if way]
    at = next((at for at, said in enumerate(words) if said.word and _outcome(said.word, ways)), None)
    if at is None:
        return words
    ends = next((n for n in range(at + 1, len(words)) if not words[n].word), len(words))
    loose = words[at + 1 : ends]
    told = any(not is_face(said.word) and not ruling_number(said.word, marked=True) for said in loose)
    if not told or (len(loose) == 1 and _outcome(loose[0].word, ways)):
        return words
    if rolled := next((n for n, said in enumerate(loose) if CODE.match(said.word)), 0):
        deed = " ".join(said.word for said in loose[rolled - 1 :])
        raise BadInput(f"A roll is an order of its own, behind the result: {words[at].word}; {deed}.", place="result")
    text = " ".join(f"{said.word}{',' * said.comma}" for said in loose)
    return [*words[: at + 1], Said("", Quoted(text)), *words[ends:]]


def _outcome(word: str, ways: Sequence[str]) -> str:
    return outcome_meant(word.lower(), ways) or next(iter(cut(word.lower(), ways, SHORTEST)), "")


def _typed(said: Said) -> str:
    """Return a word as it is typed; what stands in parentheses and brackets is left out."""
    if isinstance(said.value, Quoted):
        return f"{said.key}={quoted_text(said.value)}" if said.key else quoted_text(said.value)
    if not isinstance(said.value, str) or isinstance(said.value, Faces):
        return "…"
    return f"{said.key}={said.value}" if said.key else said.value


def _one(name: str, faces: Sequence[int]) -> int:
    """The one face of somebody who throws a single die."""
    if len(faces) > 1:
        raise BadInput(f"one die is thrown for {name}, not {len(faces)}.", place="dice", wrong=str(faces[1]))
    return faces[0]
