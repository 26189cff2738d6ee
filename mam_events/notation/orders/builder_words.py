"""The words of an order, each assigned to the field that it can set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from msgspec.structs import fields

from mam_events.errors import BadInput, Unclear
from mam_events.notation.context import find_combatant, numbered_near, unclear_error
from mam_events.notation.grammar.dice import is_face, read_dice, read_face
from mam_events.notation.grammar.names import COMBATANT, NameIndex, either_or, of_kind, things_by_name
from mam_events.notation.grammar.nested_values import CODE, with_amounts, with_flags
from mam_events.notation.grammar.verbs import names_order
from mam_events.notation.grammar.vocabulary import (
    ADVERBS,
    GROUP_ROLL_FIELDS,
    OBJECTS,
    OWN_NUMBER,
    SAYING_NOTHING,
    TEXTS,
    UNTARGETED_ORDERS,
)
from mam_events.notation.hints.word_hints import LETTERED, VERB_SLOTS, WordHints
from mam_events.notation.lexer.lexer import CUT, EXACT, DiceToken, TextToken, WordToken, match_prefix, ruling_number
from mam_events.notation.lexer.name_spans import begins_order
from mam_events.notation.lexer.spacing import PREPOSITIONS, SILENT
from mam_events.notation.lines.house_rule_line import CHANGING, with_house_rules
from mam_events.notation.lines.join_line import as_code
from mam_events.notation.orders.assign_dice import throwers_of_exchange, with_difficulty, without_versus
from mam_events.notation.orders.open_references import open_references
from mam_events.notation.orders.word_groups import (
    BOTH_POOLS,
    POOL_WORDS,
    POOLS_BY_WORD,
    combine_action_text,
    combine_pool_points,
    combine_result_story,
)

_SITUATION = re.compile(r"(?:\S.* )?[+-][0-9]{1,6}D? \S")
"""A signed number and its reason: `+2 outreached`, `clone -1 smoke`, `-1D called shot`."""
_METRES = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)m\Z")
_ALL = ("all", "everything")
_SMALL = (*PREPOSITIONS, "to", "in", "by", "as", "is")

NO_SIDE = "all"
"""The side of combatants who have none."""


class OrderWords(WordHints):
    """An order that is read from its words."""

    def take_all(self, words: Sequence[WordToken]) -> None:
        """Read those words; several may be the name of a thing, or a field and its number."""
        if self.do == CHANGING:
            self._take_house_rules(words)
            return
        if self.do == "result":
            words = combine_result_story(words)
        if self.do == "act":
            words = self._with_deed(words)
        if self.do == "ready":
            words = combine_pool_points(words)
        if "difficulty" in self.shapes:
            words = with_difficulty(words)
        words = without_versus(self.fight, self.do, words)
        words = with_amounts(self.kind, with_flags(self.kind, words), self._means_something)
        at = 0
        while at < len(words):
            self.before, self.behind = words[:at], words[at:]
            run, thing = self._run([token.word for token in words[at:]])
            self.take(WordToken("", thing) if thing else words[at])
            at += run

    def _with_deed(self, words: Sequence[WordToken]) -> Sequence[WordToken]:
        """Return the words of a free action with its text as one; raise BadInput if they are an order by themselves."""
        bare = tuple(token for token in words if token.word and not is_face(token.word))
        has_order = bool(bare) and (begins_order(self.fight, bare) or names_order(self.fight, bare[0].word.lower()))
        if has_order or any(LETTERED.match(token.word.lower()) for token in bare):
            text = " ".join(token.word for token in bare)
            raise BadInput(f'"{text}" is an order. Leave act out, or put the text in quotes.', place="act", wrong=text)
        return combine_action_text(words)

    def _take_house_rules(self, words: Sequence[WordToken]) -> None:
        """Read options with their readings, and the reason."""
        tokens = with_house_rules(words)
        self.loose = [one.word for one in tokens if one.word]
        for one in tokens:
            if not one.word:
                self.take(one)

    def _means_something(self, word: str, before: Sequence[WordToken]) -> bool:
        """Return True for a name or a choice that this order can still use; a single letter may abbreviate one.

        After a combatant's name, a letter belongs to its number.
        """
        free = [(name, shape) for name, shape in self.shapes.items() if name not in self.fields]
        ranks = [self._ranked(word, name, shape) for name, shape in free]
        # An abbreviation never means the actor.
        ranks_matched = {rank for rank, words in ranks if rank == EXACT or words != [self.actor] if words}
        cut_ = CUT in ranks_matched and len(word) == 1
        return EXACT in ranks_matched or (cut_ and not any(self.fight.people.whole(token.word) for token in before))

    def _run(self, words: Sequence[str]) -> tuple[int, str]:
        """Return how many of the first words name a thing that this order can be about, and its id."""
        runs = [self._things_called(name).run(words) for name in self.slots if "thing" in self.shapes[name].names]
        return max(runs, default=(1, ""))

    def take(self, token: WordToken) -> None:
        """Read one word; raise BadInput if it has no meaning here, or several."""
        if token.key:
            self.said.say(self._with_sides(as_code(token) if self.do == "join" else token))
        elif isinstance(token.value, DiceToken):
            self._give(read_dice(self.kind, token.value))
        elif isinstance(token.value, TextToken):
            self._text(token.value)
        elif isinstance(token.value, tuple):
            raise BadInput("Put a name before the parenthesis, like weapon=(…).", place=self.do, wrong="(")
        elif self.do in GROUP_ROLL_FIELDS:
            self._roller(token.word)
        elif not self._take_throw(token.word.lower()):
            self._bare(token.word)

    def _take_throw(self, word: str) -> bool:
        """Read the name of somebody who throws in this exchange, or a face after one; return False otherwise."""
        if self.do == "resolve" and (who := self.fight.people.whole(word)) in throwers_of_exchange(self.fight).values():
            self.throws[who] = []
        elif self.throws and is_face(word):
            self.throws[next(reversed(self.throws))].append(word)
        else:
            return False
        return True

    def _with_sides(self, token: WordToken) -> WordToken:
        """Return the word with a side in a list of people replaced by its able members: `surprise=heroes`."""
        shape = self.shapes.get(token.key.replace("-", "_"))
        if shape is None or not shape.is_list or not shape.inner.is_person or not isinstance(token.value, str):
            return token
        people = self.fight.state.combatants
        sides: dict[str, list[str]] = {}
        for one in people.values():
            if one.condition == "able":
                sides.setdefault(one.side, []).append(one.id)
        parts = (sides.get(part.lower(), [part]) if part not in people else [part] for part in token.value.split(","))
        return token._replace(value=",".join(one for part in parts for one in part))

    def _text(self, text: TextToken) -> None:
        if "situation" in self.shapes and _SITUATION.match(text):
            self.said.say(WordToken("situation", text))
            return
        who = self.fight.people.whole(text)
        if who and self.do in GROUP_ROLL_FIELDS:
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
            raise BadInput(f"No text belongs here. {self._as_note()}", place=self.do, wrong=text)
        self.fields[free[0]] = str(text)

    def _takes_text(self, name: str) -> bool:
        return name in self.shapes and self.shapes[name].words != "" and name not in self.fields

    def _bare(self, word: str) -> None:
        """Read a word without a key: a number, a number with a letter, or a name."""
        low = word.lower()
        if is_face(low):
            self._number(low)
        elif low in _ALL and (most := self._most_points()):
            self.said.put(*most)
        elif low.startswith(COMBATANT):
            self._person(find_combatant(self.fight, low))
        elif self.do == "ready" and (pool := [low] if low in BOTH_POOLS else match_prefix(low, POOL_WORDS)):
            self.first = self.first if self.first and POOLS_BY_WORD[pool[0]] == "all" else POOLS_BY_WORD[pool[0]]
        elif (match := _METRES.match(low)) and (name := self._first("distance", "metres")):
            self.said.put(name, Decimal(match[1]))
        elif (match := LETTERED.match(low)) and not self.fight.person(low) and (name := self._lettered(match[1])):
            self.said.put(name, int(match[2]))
        elif CODE.match(low) and "code" in self.shapes:
            self.said.put("code", low.upper())
        elif number := ruling_number(low, marked=True):
            self._ruling(word, number)
        else:
            parts = [part for part in low.split(",") if part]
            for part in parts:
                # A word such as `2,5` could be one number with decimals, so don't split it into numbers.
                self._word(part) if len(parts) == 1 or low[0].isdecimal() else self._bare(part)

    def _ruling(self, word: str, number: int) -> None:
        names = list(open_references(self.kind)) or [
            name for name in ("exchange", "against", "answers") if name in self.shapes
        ]
        if not names:
            raise BadInput(f"{self.do} refers to no ruling. Leave {word} out.", place=self.do, wrong=word)
        self.said.put(names[-1] if self.kind.interferes else names[0], number)

    def _person(self, name: str) -> None:
        free = self._free_person()
        if not free:
            raise BadInput(f'This order takes no other name. Leave "{name}" out.', place=self.do, wrong=name)
        self.fields[free] = [name] if self.shapes[free].is_list else name

    def _number(self, word: str) -> None:
        """Read a number without a key: it sets the order's own number field if it has one, else it is a face."""
        values = OWN_NUMBER.get(self.do, ())
        # If no field can take the number now, let the rules give the reason.
        own = [name for name in values if self._can_be_positive(name)] or values[:1]
        if not word.isdecimal() or not own or self.points or any(name in self.fields for name in own):
            self.faces.append(word)
        elif self.do == "ready" and len(own) > 1 and self.fight.allowed(self.do, self.actor):
            self.points = int(word)
        else:
            self.fields[own[0]] = int(word)

    def _most_points(self) -> tuple[str, int] | None:
        """Return the field for the order's own number of points, and the most that it can be now."""
        me = self.fight.person(self.actor)
        if "points" not in OWN_NUMBER.get(self.do, ()) or "points" in self.fields or me is None:
            return None
        offered = [field for template in self.fight.allowed(self.do, self.actor) for field in template.fields]
        # If the order is not allowed, let the rules give the reason.
        most = max((field.high or 0 for field in offered if field.name == "points"), default=me.pools.ready)
        return ("points", most) if most else None

    def _found(self, word: str) -> Iterator[tuple[int, str, str]]:
        """Yield the possible meanings of a word: the rank, the field, and the value."""
        for name, shape in self.shapes.items():
            if name in self.fields and not shape.is_list:
                continue
            rank, words = self._ranked(word, name, shape)
            if word in _SMALL and not shape.is_person and (rank == CUT or shape.kind is bool):
                # A preposition rarely abbreviates a choice.
                continue
            if rank == CUT and shape.is_person:
                # An abbreviation never means the actor, the dead or the gone.
                people = self.fight.state.combatants
                words = [one for one in words if one != self.actor and not people[one].is_gone]
                words = self.fight.people.able_first(words)
                if name == "target":
                    words = [one for one in words if not self._is_fallen_friend(one)]
            yield from ((rank, name, one) for one in words)

    def _is_fallen_friend(self, combatant: str) -> bool:
        """Return True for somebody down on the actor's own side, who is attacked only by their full name."""
        one, me = self.fight.person(combatant), self.fight.person(self.actor)
        return bool(one and me and one.condition != "able" and one.side == me.side != NO_SIDE)

    def _word(self, word: str) -> None:
        """Read a word that is a name or a choice of some field, in full or abbreviated."""
        matches = list(self._found(word))
        matches = [one for one in matches if one[0] == min(rank for rank, _, _ in matches)]
        if len({one for _, _, one in matches}) == 1:
            matches = self._slot_first(matches)
        if not matches and (self._take_loss(word) or self._is_ignored(word) or self._take_answer(word)):
            return
        if not matches:
            dead_ids = {one.id for one in self.fight.state.combatants.values() if one.is_gone}
            pool = [one for name, shape in self.shapes.items() for one in self.pool(name, shape)]
            names = [one for one in pool if one not in dead_ids] or pool
            if near := numbered_near(self.fight, word, [token.word for token in self.behind[1:]]):
                raise BadInput(f'"{word}" means nothing here. Did you mean "{near}"?', wrong=word, allowed=[near])
            raise BadInput(
                f'"{word}" means nothing here{self._hint(word, names)}', place=self.do, wrong=word, allowed=names
            )
        if len(matches) > 1:
            choices = [f"{name}={one}" for _, name, one in matches]
            same = len({name for _, name, _ in matches}) == 1
            raise unclear_error(
                f'"{word}" could be {either_or([one for _, _, one in matches] if same else choices)}. Which one?',
                choices,
                word,
            )
        _, name, one = matches[0]
        if self.shapes[name].is_list:
            self.said.add(name, [one])
        else:
            self.said.put(name, True if self.shapes[name].kind is bool else one)

    def _take_loss(self, word: str) -> bool:
        """Read a thing of the target as the one they are to lose; return False for any other word."""
        target = self.fight.person(str(self.fields.get("target", "")))
        if "item" not in self.shapes or "item" in self.fields or target is None:
            return False
        thing = things_by_name([target]).one(word)
        if thing:
            self.said.put("item", thing)
        return bool(thing)

    def _take_answer(self, word: str) -> bool:
        """Read an actor in the open exchange as the action that this reacts to; return False for any other word."""
        exchange = self.fight.state.exchange
        who = self.fight.people.one(word)
        done = [action.id for action in exchange.actions if action.combatant == who] if exchange and who else []
        if self.kind.interferes and exchange and who == exchange.root.target != self.actor:
            # An interference protects the target anyway, so the name adds nothing.
            return True
        if not (self.kind.interferes and done) or who == self.actor:
            return False
        self.said.put("action", done[-1])
        return True

    def _is_object(self) -> bool:
        """Return True if the word is an object pronoun: no word follows that `her` could belong to."""
        next_word = self.behind[1].word.lower() if self.behind[1:] else ""
        if self.behind[0].word.lower() != "her":
            return True
        return self.behind[0].comma or not next_word or not next_word[:1].isalpha() or bool(LETTERED.match(next_word))

    def _is_clear_object(self, word: str) -> bool:
        """Return True for `him` if it is clear who that is; raise BadInput if a name is needed."""
        shape = self.shapes.get("target")
        if shape is None and not self.kind.interferes:
            return False
        required = any(field.name == "target" and field.required for field in fields(self.kind))
        if shape is not None and not required and "target" not in self.fields:
            raise BadInput(f'Who is "{word}"? Type the name.', place=self.do, wrong=word)
        return True

    @property
    def _own_things(self) -> NameIndex:
        me = self.fight.person(self.actor)
        return things_by_name([me] if me else [])

    def _is_ignored(self, word: str) -> bool:
        """Return True for a word that is ignored here: an article before another word, an adverb or the like.

        A letter is an article before a name only if no slot for a combatant is free.
        """
        following = self.behind[1].word.lower() if self.behind[1:] else ""
        if word in OBJECTS and self._is_object():
            return self._is_clear_object(word)
        if word in ADVERBS or word in SAYING_NOTHING.get(self.do, ()):
            return True
        if self.do == "maintain-grapple" and self.fight.people.one(word):
            # The order is about a hold, so the name of the held adds nothing.
            return True
        if self.do in UNTARGETED_ORDERS and self.fight.people.one(word):
            return True
        exchange = self.fight.state.exchange
        attacker = self.fight.person(exchange.root.combatant) if exchange and self.do == "parry" else None
        if attacker and things_by_name([attacker]).one(word):
            # The attack to parry is known, so its weapon adds nothing.
            return True
        if self.fight.ruleset.edition.counts_actions and "action" in self.shapes and self._own_things.one(word):
            # Weapons don't matter in editions that count actions.
            return True
        if word not in SILENT or not following or len(word) > 1:
            return word in SILENT and bool(following)
        matches = [self._ranked(following, name, shape)[1] for name, shape in self.shapes.items()]
        return not self._free_person() and any(matches)

    def _slot_first(self, matches: list[tuple[int, str, str]]) -> list[tuple[int, str, str]]:
        """Return the verb's slot of several for the same word, or the first of several for people."""
        slots = [one for one in matches if one[1] in self.slots]
        verb = [one for one in slots if one[1] == VERB_SLOTS.get(self.do)]
        people = all(self.shapes[name].is_person for _, name, _ in slots)
        return verb or (slots[:1] if people and len(slots) == len(matches) else matches)

    def _roller(self, word: str) -> None:
        """Read a name in an initiative roll, or a face after it."""
        if not is_face(word.lower()):
            kind = [] if self.fight.people.ranked(word)[1] else of_kind(list(self.fight.state.combatants), word.lower())
            if len(kind) > 1:
                # In editions that count actions, a code has several dice.
                example = "…" if self.fight.ruleset.edition.counts_actions else "3"
                each = " ".join(f"{one} {example}" for one in kind)
                raise Unclear(f"Each of the {word} has dice of their own. Type {each}.", place=self.do)
            # No die follows a name that was given for another reason.
            names_roller = self.do == "roll-initiative" or self.fight.people.ranked(word)[1]
            if names_roller:
                self.rollers |= {find_combatant(self.fight, name): [] for name in word.split(",")}
            else:
                self._word(word.lower())
        elif not self.rollers:
            self.faces.append(word)
        else:
            face, _ = read_face(word)
            self.rollers[next(reversed(self.rollers))].append(face or 0)
