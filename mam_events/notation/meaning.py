"""The first words of a short order: which order it is, and who acts in it, read with the fight as it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from mam_events.commands import COMMANDS, name_of
from mam_events.deciding.decide import legal_commands
from mam_events.errors import BadInput, closest, nearest
from mam_events.notation.dice import is_face
from mam_events.notation.long_form import actor_field
from mam_events.notation.places import INTERRUPTING, OWN_WORDS, SYNONYMS, VERBS, OwnWord
from mam_events.notation.words import EXACT, Faces, Said, Written, cut, ranked, whole
from mam_events.shapes import shapes

if TYPE_CHECKING:
    from mam_events.deciding.ruleset import Ruleset
    from mam_events.deciding.templates import Blocked, Template
    from mam_events.state import Combatant, Encounter

COMBATANT = "@"
"""In front of a word it says that a combatant is meant."""
SHORTEST = 2
"""So many letters of an order, a flag or a choice must be typed at least; of a name one is enough."""
TURN_HEAD = re.compile(r"[0-9]{1,6}\.[0-9]{1,6}\Z")
"""Round and turn, with which a line begins that begins a turn."""
OWED = ("stay-mounted", "restrain-mount", "interrupt")
"""Orders of whoever owes a roll or has waited, who is understood where there is only one."""


class Legal(Protocol):
    """The offers of some orders, allowed and not."""

    def __call__(self, *, only: tuple[str, ...]) -> Iterable[Template | Blocked]:
        """The offers of those orders."""


class Fight:
    """A fight as lines are read with it: its state, its rules, and what is legal now; `legal` gives the offers of some
    orders where they are not those of the whole fight.
    """

    def __init__(self, state: Encounter, ruleset: Ruleset, legal: Legal | None = None) -> None:
        self.state = state
        self.ruleset = ruleset
        self._legal = legal or partial(legal_commands, state, ruleset)
        self._offers: dict[str, tuple[Template | Blocked, ...]] = {}

    @cached_property
    def orders(self) -> frozenset[str]:
        """The orders of this edition."""
        return frozenset(name_of(kind) for kind in self.ruleset.edition.mechanics)

    @cached_property
    def verbs(self) -> Mapping[str, tuple[str, str, str]]:
        """The words by which orders are called whose own word is another: order, field and value."""
        actions = self.ruleset.tables.rd6_actions
        words = {"perform": tuple(actions), "manipulate": shapes(COMMANDS["manipulate"])["follow_up"].choices}
        return {
            word: (do, field, word)
            for do, field in VERBS.items()
            if do in self.orders
            for word in words[do]
            if word != "none" and _dashed(word) not in self.orders
        }

    def offers(self, do: str) -> tuple[Template | Blocked, ...]:
        """The offers of one order, allowed and not."""
        if do not in self._offers:
            self._offers[do] = tuple(self._legal(only=(do,)))
        return self._offers[do]

    def allowed(self, do: str, actor: str = "") -> list[Template]:
        """The templates of an order, of one who acts where that is said."""
        return [
            offer
            for offer in self.offers(do)
            if offer.status == "allowed" and (not actor or offer.combatant in (actor, ""))
        ]

    def choices(self, do: str, actor: str, field: str) -> list[Any]:
        """The values that a field may have now, of all templates of that order and actor."""
        found = [
            one
            for template in self.allowed(do, actor)
            for offered in template.fields
            if offered.name == field and not offered.free
            for one in offered.choices or ()
        ]
        return list(dict.fromkeys(one for value in found for one in (value if isinstance(value, tuple) else (value,))))

    def person(self, name: str) -> Combatant | None:
        """The combatant of that id, or None."""
        return self.state.combatants.get(name)

    def named(self, id_: str) -> str:
        """The name of somebody, as sentences tell it."""
        return self.state.combatants[id_].name


class Meant(Struct, frozen=True):
    """One way to read the first words of an order: which order, who was said to act in it ("": nobody), the fields
    that its word says, and the words that are left.
    """

    do: str
    actor: str
    preset: Mapping[str, str]
    rest: tuple[Said, ...]


class Begins(Struct, frozen=True):
    """A name alone: the turn of that combatant begins, in Ron d6 with so many actions declared."""

    combatant: str
    actions: int | None = None


def unclear(question: str, options: Iterable[str] = ()) -> BadInput:
    """The question that answers what can mean several things."""
    return BadInput(question, allowed=tuple(options))


def either(options: Sequence[str]) -> str:
    """Several things to choose from, as a question ends with them."""
    *first, last = options
    return f"{', '.join(first)} or {last}" if first else last


def _dashed(word: str) -> str:
    return word.replace("_", "-")


def own_word(written: Written) -> OwnWord | None:
    """The word of the log itself that an order begins with; None where it is none."""
    return OWN_WORDS.get(written.words[0].word.lower()) if written.words else None


def meant(fight: Fight, written: Written) -> Meant | Begins:
    """The one way to read the beginning of an order; raises BadInput where there is none or more than one."""
    words = written.words
    first = words[0]
    if first.key:
        raise BadInput(f"an order begins with its word, not with {first.key}=.", wrong=f"{first.key}=")
    if isinstance(first.value, Faces) or is_face(first.word):
        return Meant("resolve" if "resolve" in fight.orders else "result", "", {}, words)
    if not first.word:
        raise BadInput("an order begins with its word; text and tables stand behind it.")
    said = first.word
    if said.endswith(":") or said.startswith(COMBATANT):
        return _behind(fight, person(fight, said.removesuffix(":")), words[1:])
    found = list(_readings(fight, said.lower(), words[1:]))
    if not found:
        known = (*fight.orders, *SYNONYMS, *fight.verbs, *fight.state.combatants, *OWN_WORDS)
        raise BadInput(f'there is no "{said}" here; {_hint(fight, said, known)}', wrong=said, allowed=known)
    if len(found) > 1:
        told = either([told for told, _ in found])
        raise unclear(f'"{said}" is {told}: which?', [told for told, _ in found])
    return found[0][1]


def _readings(fight: Fight, word: str, rest: tuple[Said, ...]) -> Iterator[tuple[str, Meant | Begins]]:
    """All ways to read a first word, by the first rule that fits it, each with what it is."""
    rank, orders = _orders(fight, word)
    if rank != EXACT and fight.person(word):
        yield fight.named(word), _behind(fight, word, rest)
        return
    yield from ((told, _order(fight, do, preset, rest)) for told, do, preset in orders)
    if rank != EXACT:
        for name in _cut_names(fight, word):
            yield fight.named(name), _behind(fight, name, rest)


def _orders(fight: Fight, word: str) -> tuple[int, list[tuple[str, str, Mapping[str, str]]]]:
    """The orders that a word stands for: by a letter, a synonym or a verb, whole or cut (which tells the rank); each
    with what it is told by and the fields that it says.
    """
    if word in SYNONYMS:
        orders = [do for do in SYNONYMS[word] if do in fight.orders]
        if not orders:
            raise BadInput(
                f'"{word}" stands for {either(SYNONYMS[word])}, which this edition does not have.', wrong=word
            )
        return EXACT, [(do, do, {}) for do in orders[:1]]
    names: dict[str, tuple[str, Mapping[str, str]]] = {do: (do, {}) for do in fight.orders}
    names |= {_dashed(verb): (do, {field: value}) for verb, (do, field, value) in fight.verbs.items()}
    forms = sorted(names.keys() & _forms(_dashed(word)))
    rank, found = (EXACT, forms) if forms else ranked(word, sorted(names), SHORTEST)
    return rank, [(name, *names[name]) for name in found]


def _hint(fight: Fight, word: str, known: Iterable[str]) -> str:
    """The nearest word that there is, else the orders that may be given now."""
    if near := closest(word.lower(), known):
        return f'did you mean "{near}"?'
    now = [do for do in COMMANDS if do in fight.orders and fight.allowed(do)]
    return f"now there are {', '.join(now)}."


def _forms(word: str) -> set[str]:
    """A word and what it is of which it is the third person: `waits`, `parries`."""
    forms = {word, word.removesuffix("s"), word.removesuffix("es")}
    return forms | ({word.removesuffix("ies") + "y"} if word.endswith("ies") else set())


def _cut_names(fight: Fight, word: str) -> list[str]:
    """Those in the fight whose id begins so; the dead and the gone are only meant in full."""
    people = fight.state.combatants
    return cut(word, [name for name, one in people.items() if not one.gone])


def _order(fight: Fight, do: str, preset: Mapping[str, str], rest: tuple[Said, ...], actor: str = "") -> Meant:
    """A reading of an order; what is done while somebody else's action is open interrupts it."""
    open_ones = fight.state.window.open
    if do in INTERRUPTING and open_ones and actor != open_ones[-1].combatant:
        do = INTERRUPTING[do]
    return Meant(do, actor, preset, rest)


def _behind(fight: Fight, actor: str, words: tuple[Said, ...]) -> Meant | Begins:
    """A reading of what stands behind a name: nothing, so many actions, or an order of his."""
    if not words:
        return Begins(actor)
    word = words[0].word.lower()
    if word.isdecimal() and len(words) == 1:
        return Begins(actor, whole(word))
    if not word:
        raise BadInput(f"behind {fight.named(actor)} comes an order.")
    _, found = _orders(fight, word)
    if not found:
        known = (*fight.orders, *SYNONYMS, *fight.verbs)
        hint = _hint(fight, word, known)
        raise BadInput(f'there is no order "{words[0].word}"; {hint}', wrong=words[0].word, allowed=known)
    if len(found) > 1:
        told = either([told for told, _, _ in found])
        raise unclear(f'"{word}" is {told}: which?', [told for told, _, _ in found])
    _, do, preset = found[0]
    if not actor_field(COMMANDS[do]) and "combatant" not in COMMANDS[do].__struct_fields__:
        raise BadInput(f"{do} is done by nobody, so no name stands before it.", wrong=actor)
    return _order(fight, do, preset, words[1:], actor)


def person(fight: Fight, word: str) -> str:
    """The combatant whom a word names, whole or cut; raises BadInput where it is nobody or could be several."""
    name = word.removeprefix(COMBATANT).lower()
    if fight.person(name):
        return name
    found = _cut_names(fight, name) if name else []
    if len(found) == 1:
        return found[0]
    if found:
        raise unclear(f'"{word}" is {either([fight.named(one) for one in found])}: who?', found)
    known = list(fight.state.combatants)
    raise BadInput(f'nobody here is called "{word}"; {nearest(name, known)}', wrong=word, allowed=known)


def turn_head(words: Sequence[Said]) -> tuple[str, int | None, tuple[Said, ...]]:
    """The name behind round and turn, how many actions it declares (None: it does not say), and the words of what is
    done in the turn. Raises BadInput.
    """
    rest = list(words)
    name = rest.pop(0).word if rest else ""
    declares = not name.endswith(":") and bool(rest) and rest[0].word.removesuffix(":").isdecimal()
    number = rest.pop(0).word if declares else ""
    who, actions = name.removesuffix(":"), number.removesuffix(":")
    if not who or (rest and not (name.endswith(":") or number.endswith(":"))):
        raise BadInput("whose turn begins, and what is done in it? 2.1 grob: move 3.")
    behind = (Said("", f"{who}:"), *rest) if rest else ()
    return who, whole(actions) if actions else None, behind


def actor_of(fight: Fight, do: str, said: str) -> str:
    """The one who acts in an order: who was said, else who is understood; raises BadInput where nobody is."""
    kind = COMMANDS[do]
    field = actor_field(kind)
    if said or not field:
        return said
    unsaid = shapes(kind)[field].unsaid
    state = fight.state
    if unsaid == "who is attacked" and state.exchange:
        return state.exchange.root.target or _who(fight, do)
    if do in OWED or kind.interferes:
        return _who(fight, do)
    if do in ("begin-turn", "declare"):
        return state.next_up or _who(fight, do)
    if unsaid:
        return whose_move(state) or _who(fight, do)
    return _who(fight, do, understood=False)


def whose_move(state: Encounter) -> str:
    """The combatant whose turn it is; in Ron d6 who acts, has actions left and does not wait; else who is next."""
    acting = state.acting
    if state.initiative.entries and acting:
        actions = state.combatants[acting].actions
        if not actions.left or actions.waiting:
            acting = ""
    return acting or state.next_up or ""


def _who(fight: Fight, do: str, *, understood: bool = True) -> str:
    """The only one who may give that order now; raises BadInput where it is nobody, or has to be said."""
    found = list(dict.fromkeys(offer.combatant for offer in fight.allowed(do) if offer.combatant))
    if understood and len(found) == 1:
        return found[0]
    if not found:
        refused = next((offer.sentence for offer in fight.offers(do) if offer.status == "blocked"), "")
        raise BadInput(refused or ("nobody owes that now." if do in OWED else f"nobody can {do} now."), place=do)
    raise unclear(f"Who: {either([f'{one} {do}' for one in found])}?", found)
