"""The first words of a short order: which order it is, and who acts in it, read with the fight as it stands."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import pairwise, takewhile
from operator import itemgetter
from typing import Any, Protocol

from msgspec import Struct

from mam_events.commands import COMMANDS, name_of
from mam_events.deciding.decide import legal_commands
from mam_events.deciding.ruleset import Ruleset
from mam_events.deciding.templates import Blocked, Template
from mam_events.errors import BadInput, Hint, Refused, Unclear
from mam_events.notation.advice import ADVICE, KEPT_WOUND, OTHERWISE, WOUNDED
from mam_events.notation.dice import is_face
from mam_events.notation.initiative import awaited_roll, order_of_roll, tells_surprise
from mam_events.notation.long_form import actor_field
from mam_events.notation.people import COMBATANT, MOST_WORDS, People, either, things_of
from mam_events.notation.places import (
    BARE_HANDED,
    DOING,
    INTERRUPTING,
    LETTERS,
    OTHER_WORDS,
    OWN_WORDS,
    PHRASES,
    ROLLED,
    SYNONYMS,
    VERBS,
    OwnWord,
)
from mam_events.notation.spacing import ARTICLES, INDEFINITE, SILENT, with_spacing
from mam_events.notation.words import EXACT, Faces, Quoted, Said, Value, Written, ranked, whole
from mam_events.refusals import references
from mam_events.refusals.nearest import closest, is_mistyped, nearest
from mam_events.refusals.references import Term, part
from mam_events.shapes import shapes
from mam_events.state import BODY, Combatant, Encounter
from mam_events.values import outcome_meant

_LETTER = re.compile(r"([dm])([0-9]{1,6})")
"""A defense or a move, and its points."""
_DECLARES = ("takes", "take", "declares")
"""Words by which somebody says how many actions they take."""
_STATES = {
    "down": "incapacitated",
    "incapacitated": "incapacitated",
    "unconscious": "incapacitated",
    "out cold": "incapacitated",
    "knocked out": "incapacitated",
    "bound": "incapacitated",
    "out": "out",
    "gone": "out",
    "dead": "dead",
    "up": "able",
    "able": "able",
}
"""Words for how somebody is, and what the game master's word calls it."""
SHORTEST = 2
"""So many letters of an order, a flag or a choice must be typed at least; of a name one is enough."""
BETWEEN = ("and", "then", "&")
"""Words between two orders."""
_POWER = re.compile(r"p[0-9]{1,6}")
_OF_BLOWS = ("hit", "miss", "mis")
"""Words for how a blow comes out, without their endings."""
_NO_ORDERS = ("die", "perish")
"""Verbs that look like orders which are cut."""
LEAST_STEM = 3
"""The fewest letters of a verb in front of `-ing`."""
LONG_ENOUGH = 4
"""From so many letters on, the beginning of an order behind another is taken for one."""
TURN_HEAD = re.compile(r"[0-9]{1,6}\.[0-9]{1,6}\Z")
"""Round and turn, with which a line begins that begins a turn."""
LONGEST_ORDER = 100
"""The most words of an order, and names in a list: each is compared with every name of the fight."""
SURPRISING = ("stalk", "establish-surprise")
OWED = ("stay-mounted", "restrain-mount", "interrupt", "throw-die")
"""Orders of whoever owes a roll or has waited, who is understood where there is only one."""


LIKELY = (
    *("resolve", "result", "counterattack", "parry", "defend", "escape", "attack", "perform", "manipulate", "declare"),
    *("ready", "move", "initiative", "roll-initiative", "end-turn", "begin-turn", "round", "interfere", "join"),
)
"""The orders that are meant most often, the likeliest first."""
OF_THE_NEXT = ("attack", "manipulate", "ready", "move")
MOST_TOLD = 6
"""So many orders are told where a word is none; the others are counted."""


class Legal(Protocol):
    """The offers of some orders, allowed and not."""

    def __call__(self, *, only: tuple[str, ...]) -> Iterable[Template | Blocked]:
        """The offers of those orders."""


class Fight:
    """A fight as lines are read with it: its state, its rules, and what is legal now; `legal` gives the offers of some
    orders where they are not those of the whole fight, and `own` are the combatants of whoever types, for whom they are
    understood to speak.
    """

    def __init__(
        self, state: Encounter, ruleset: Ruleset, legal: Legal | None = None, own: Collection[str] = ()
    ) -> None:
        self.own = own
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

    @cached_property
    def people(self) -> People:
        """Those in the fight, to be found by what they are called."""
        return People(self.state.combatants)

    def named(self, id_: str) -> str:
        """The name of somebody, as sentences tell it."""
        return self.state.combatants[id_].name


class Meant(Struct, frozen=True):
    """One way to read the first words of an order: which order, who was said to act in it ("": nobody), the fields
    that its word says, and the words that are left.
    """

    do: str
    actor: str
    preset: Mapping[str, Any]
    rest: tuple[Said, ...]


class Begins(Struct, frozen=True):
    """A name alone: the turn of that combatant begins, in Ron d6 with so many actions declared."""

    combatant: str
    actions: int | None = None


def unclear(question: str, options: Iterable[str] = (), word: str = "", hints: Iterable[Hint] = ()) -> Unclear:
    """The question that answers what can mean several things; `word` can, where it is not that something lacks."""
    asked = Unclear(question, word=word, allowed=tuple(options))
    asked.hints = tuple(hints)
    return asked


def _dashed(word: str) -> str:
    return word.replace("_", "-")


def own_word(written: Written) -> OwnWord | None:
    """The word of the log itself that an order begins with; None where it is none."""
    return OWN_WORDS.get(written.words[0].word.lower()) if written.words else None


def meant(fight: Fight, written: Written) -> Meant | Begins:
    """The one way to read the beginning of an order; raises BadInput where there is none or more than one."""
    words = _with_order(fight, with_names(fight, written.words))
    if not words:
        raise BadInput("no order stands before the full stop.", wrong=written.text)
    first = words[0]
    if first.key:
        raise BadInput(f"an order begins with its word, not with {first.key}=.", wrong=f"{first.key}=")
    if do := _thrown(fight, words):
        return Meant(do, "", {}, words)
    if not first.word:
        raise BadInput("an order begins with its word; text and tables stand behind it.")
    words = _with_letter(fight, words)
    said = words[0].word
    if said.endswith(":") or said.startswith(COMBATANT):
        return _behind(fight, person(fight, said.removesuffix(":")), words[1:])
    if said == ".":
        raise BadInput("a full stop ends the turn behind an order; n ends it, and begins the next one.", wrong=said)
    if _tells_outcome(fight, said.lower()):
        _check_whose_outcome(fight, said.lower())
        return Meant("result", "", {}, words)
    found = list(_readings(fight, said.lower(), words[1:])) or _blow(fight, words)
    if not found:
        raise _nothing_known(fight, said, [one.word for one in words[1:]])
    if len(found) > 1:
        told = either([told for told, _ in found])
        raise unclear(f'"{said}" is {told}: which?', [told for told, _ in found], said)
    return found[0][1]


def _nothing_known(fight: Fight, said: str, behind: Sequence[str]) -> BadInput:
    """Return the error for a word that is nothing here; raises what tells more of it."""
    _check_skill(fight, said.lower())
    _advise(fight, said.lower())
    _check_edition(fight, said)
    if near := numbered_near(fight, said, behind):
        return BadInput(f'there is no "{said}" here; did you mean "{near}"?', wrong=said, allowed=[near])
    known = (*fight.orders, *SYNONYMS, *fight.verbs, *fight.state.combatants, *OWN_WORDS)
    return BadInput(f'there is no "{said}" here; {_hint(fight, said, known)}', wrong=said, allowed=known)


def _thrown(fight: Fight, words: tuple[Said, ...]) -> str:
    """The order that dice give by themselves, or behind the names of those who threw them; "" for any other words."""
    first = words[0]
    if isinstance(first.value, Faces) or is_face(first.word):
        awaited = awaited_roll(fight) if first.word else ""
        return awaited or ("resolve" if "resolve" in fight.orders else "result")
    if not _only_name(fight, first.word):
        return ""
    return "initiative" if tells_surprise(fight, words) else order_of_roll(fight, words)


def _only_name(fight: Fight, word: str) -> bool:
    """True for a word that can be somebody's name and no order."""
    low = word.lower().removesuffix(":")
    return bool(low) and (bool(fight.people.whole(low)) or not (is_order(fight, low) or _orders(fight, low)[1]))


def _with_letter(fight: Fight, words: tuple[Said, ...]) -> tuple[Said, ...]:
    """The words with `d3` in front as `d 3`, as `p2` is said behind an order."""
    letter = _LETTER.fullmatch(words[0].word.lower()) if words else None
    if letter is None or fight.people.whole(words[0].word):
        return words
    return (Said("", letter[1]), Said("", letter[2]), *words[1:])


def _with_order(fight: Fight, words: tuple[Said, ...]) -> tuple[Said, ...]:
    """The words with an order of several words as one (`pick up rope`, `end turn`), where no thing is called so."""
    first, second = (said.word.lower() for said in (*words, Said("", ""), Said("", ""))[:2])
    if second in (*ARTICLES, *INDEFINITE) and len(words) > 2:  # noqa: PLR2004 - an order, an article and what it is of
        # `draw the bow` is the order, where no bow is called so.
        without = (words[0], *words[2:])
        joined = _with_order(fight, without)
        return joined if joined != without else words
    if not first or not second or things_of(fight.state.combatants.values()).one(second):
        return words
    if (first, second.rstrip(":s")) == ("house", "rule") and "change-rules" in fight.orders:
        return (Said("", "change-rules"), *words[2:])
    # People say which things before what is done: `rules change`.
    said = [f"{second}-{first}", *(f"{form}-{second}" for form in forms(first))]
    found = [do for do in fight.orders if any(do == one or do.startswith(f"{one}-") for one in said)]
    # An action of the list may be two words too: `run away`.
    found = found or [verb for verb in fight.verbs if _dashed(verb) in said]
    return (Said("", found[0]), *words[2:]) if len(found) == 1 else words


def _readings(fight: Fight, word: str, rest: tuple[Said, ...]) -> Iterator[tuple[str, Meant | Begins]]:
    """All ways to read a first word, by the first rule that fits it, each with what it is."""
    rank, orders = _orders(fight, word)
    if rank != EXACT and (who := fight.people.whole(word)):
        yield fight.named(who), _behind(fight, who, rest)
        return
    yield from ((told, _order(fight, do, preset, rest)) for told, do, preset in orders)
    if rank != EXACT:
        for name in fight.people.ranked(word)[1]:
            yield fight.named(name), _behind(fight, name, rest)


def _called_here(fight: Fight, word: str) -> str:
    """Return what this edition calls an order for which the table has another word; the word itself for any other."""
    spellings = forms(word)
    targets = [target for form in sorted(spellings) for target in OTHER_WORDS.get(form, ())]
    if not targets or spellings & (fight.orders | fight.verbs.keys()) or fight.people.whole(word):
        return word
    return next((target for target in targets if target in fight.orders or target in fight.verbs), word)


def _orders(fight: Fight, word: str) -> tuple[int, list[tuple[str, str, Mapping[str, str]]]]:
    """The orders that a word stands for: by a letter, a synonym or a verb, whole or cut (which tells the rank); each
    with what it is told by and the fields that it says.
    """
    word = _called_here(fight, word)
    bodily = forms(word).intersection(BARE_HANDED)
    if bodily and "attack" in fight.orders and not bodily & fight.verbs.keys():
        return EXACT, [(word, "attack", {"weapon": BODY})]
    stands = next((form for form in forms(word) if len(form) > 1 and form in SYNONYMS), word)
    orders = [do for do in SYNONYMS.get(stands, ()) if do in fight.orders]
    if stands in SYNONYMS and (orders or not any(form in fight.verbs for form in forms(word))):
        word = stands
        if not orders:
            told = f'"{word}" stands for {either(SYNONYMS[word])}, which this edition does not have.'
            raise BadInput(f"{told}{_done_otherwise(fight, SYNONYMS[word][0])}", wrong=word)
        return EXACT, [(do, do, {}) for do in orders[:1]]
    names: dict[str, tuple[str, Mapping[str, str]]] = {do: (do, {}) for do in fight.orders}
    names |= {_dashed(verb): (do, {field: value}) for verb, (do, field, value) in fight.verbs.items()}
    whole_words = sorted(names.keys() & forms(_dashed(word)))
    rank, found = (EXACT, whole_words) if whole_words else ranked(word, sorted(names), SHORTEST)
    if not found:
        # `draws` is what `draw` is cut from.
        rank, found = next(
            filter(itemgetter(1), (ranked(form, sorted(names), SHORTEST) for form in forms(word))), (rank, [])
        )
    return rank, [(name, *names[name]) for name in found]


def _check_edition(fight: Fight, word: str) -> None:
    """Refuse an order of another edition as the command is refused, with `not_in_edition`."""
    from mam_events.rules.rulebook import rulebook  # noqa: PLC0415 - hardly any line needs it

    kind = next((COMMANDS[form] for form in sorted(forms(_dashed(word.lower()))) if form in COMMANDS), None)
    if kind is not None and name_of(kind) not in fight.orders:
        try:
            rulebook().check_order(kind, fight.ruleset.pinned)
        except Refused as no:
            no.followed_by(_done_otherwise(fight, name_of(kind)))
            raise


def _done_otherwise(fight: Fight, do: str) -> str:
    """Return the sentence about how that is said in this edition, with a blank before it; "" where nothing is."""
    counts = fight.ruleset.edition.counts_actions
    edition = "actions" if counts else "points" if "ready" in fight.orders else "speed"
    if told := OTHERWISE[edition].get(do, ""):
        return f" {told.format(who=whose_move(fight.state) or 'NAME')}"
    if counts or do not in SURPRISING:
        return ""
    return " Those who surprise the others are said with the initiative: init surprise=NAME."


def _hint(fight: Fight, word: str, known: Iterable[str]) -> str:
    """The nearest word that there is, else the orders that may be given now."""
    near = closest(word.lower(), known)
    # A mistyped name is asked about; a word of the table is hardly ever a mistyped order.
    if near in fight.state.combatants or (near and is_mistyped(word.lower(), near)):
        return f'did you mean "{near}"?'
    if fight.state.status == "closed":
        return "the fight is closed, and u opens it again."
    now = [do for do in COMMANDS if do in fight.orders and (do in _of_the_next(fight) or fight.allowed(do))]
    first = [do for do in LIKELY if do in now][:MOST_TOLD]
    first += [do for do in now if do not in first][: MOST_TOLD - len(first)]
    more = f", and {len(now) - len(first)} more: options shows them" if len(now) > len(first) else ""
    return f"now there are {', '.join(first)}{more}."


def _of_the_next(fight: Fight) -> tuple[str, ...]:
    """The likely orders of whoever is next, which begin their turn by the way; none in a turn, and where actions are
    counted.
    """
    state = fight.state
    if not state.next_up or state.turn or state.exchange or fight.ruleset.edition.counts_actions:
        return ()
    held = any(hold.held == state.next_up for one in state.combatants.values() for hold in one.grapples)
    return (*(("escape",) if held else ()), *OF_THE_NEXT)


def forms(word: str) -> set[str]:
    """A word and what it is of which it is the third person, or the participle: `waits`, `parries`, `stabbing`."""
    found = {word, word.removesuffix("s"), word.removesuffix("es")}
    if word.endswith("ies"):
        return found | {word.removesuffix("ies") + "y"}
    stem = word.removesuffix("ing")
    if stem == word or len(stem) < LEAST_STEM:
        return found
    return found | {stem, f"{stem}e", stem[:-1] if stem[-1] == stem[-2] else stem}


def _order(fight: Fight, do: str, preset: Mapping[str, str], rest: tuple[Said, ...], actor: str = "") -> Meant:
    """A reading of an order; what is done while somebody else's action is open interrupts it, and a pass in one's own
    turn ends it.
    """
    open_ones = fight.state.window.open
    if do in INTERRUPTING and open_ones and actor != open_ones[-1].combatant:
        do = INTERRUPTING[do]
    turn = fight.state.turn
    if do == "pass" and turn and actor in ("", turn.combatant) and not fight.state.exchange:
        # Where nobody is attacked, whoever passes is done.
        do = "end-turn"
    return Meant(do, actor, preset, rest)


def _behind(fight: Fight, actor: str, words: tuple[Said, ...]) -> Meant | Begins:
    """A reading of what stands behind a name: nothing, so many actions, or an order of his."""
    if not words:
        return Begins(actor)
    words = _with_letter(fight, _with_order(fight, words))
    # `mira interrupts: parry` is said like that.
    word = words[0].word.lower().removesuffix(":")
    if word.isdecimal() and len(words) == 1:
        return Begins(actor, whole(word))
    declared = words[1:] if word in _DECLARES else words
    if fight.ruleset.edition.counts_actions and (number := _actions_in(declared)):
        return Begins(actor, number)
    if not word:
        raise BadInput(f"behind {fight.named(actor)} comes an order.")
    rank, found = _orders(fight, word)
    if rank != EXACT:
        _advise(fight, word, actor, exact=True)
    if not found and (rest := _struck(fight, words, actor)):
        return _order(fight, "attack", {}, rest, actor)
    if not found:
        raise _no_order(fight, actor, words)
    if len(found) > 1:
        told = either([told for told, _, _ in found])
        raise unclear(f'"{word}" is {told}: which?', [told for told, _, _ in found], word)
    _, do, preset = found[0]
    if not actor_field(COMMANDS[do]) and "combatant" not in COMMANDS[do].__struct_fields__:
        raise BadInput(f"{do} is done by nobody, so no name stands before it.", wrong=actor)
    return _order(fight, do, preset, words[1:], actor)


def _no_order(fight: Fight, actor: str, words: Sequence[Said]) -> BadInput:
    """Return the error for words behind a name that are no order; raises what tells more of them."""
    word, behind = words[0].word.lower().removesuffix(":"), words[1].word.lower() if words[1:] else ""
    if word in ("is", "was") and (how := _state_in(words[1:])):
        binds = how == "incapacitated" and "incapacitate" in fight.orders
        typed = f"incapacitate {actor}" if binds else f"gm {actor} {how}"
        raise BadInput(f"It is the game master's word how somebody is: {typed} because ….", wrong=word)
    if word in ("is", "was") and behind in WOUNDED:
        counts = fight.ruleset.edition.counts_actions
        told = KEPT_WOUND if counts else "It is the game master's word what somebody loses: damage {who} 2."
        raise BadInput(told.format(who=actor), wrong=words[1].word)
    _advise(fight, word, actor)
    _check_edition(fight, word)
    known = (*fight.orders, *SYNONYMS, *fight.verbs)
    return BadInput(
        f'there is no order "{words[0].word}"; {_hint(fight, word, known)}', wrong=words[0].word, allowed=known
    )


def _actions_in(words: Sequence[Said]) -> int:
    """Return the number of actions that those words are: `3 actions`; 0 where they are something else."""
    number, *behind = [one.word.lower() for one in words[:3]] or [""]
    return whole(number) if number.isdecimal() and behind in ([], ["action"], ["actions"]) else 0


def _state_in(words: Sequence[Said]) -> str:
    """Return how somebody is by those words; "" where they don't say."""
    said = [one.word.lower().removesuffix(".") for one in words[:2]]
    return _STATES.get(" ".join(said), "") or _STATES.get(said[0] if said else "", "")


def _tells_outcome(fight: Fight, word: str) -> bool:
    """Return True for `hits` or `misses` where the result of an action is waited for, and nothing else is called so."""
    if "result" not in fight.orders or "attack" in fight.orders or not fight.state.window.open:
        return False
    ways = [way for way in shapes(COMMANDS["result"])["outcome"].choices if way]
    return (word in ways or bool(outcome_meant(word, ways))) and not fight.people.whole(word)


def _check_whose_outcome(fight: Fight, word: str) -> None:
    """Ask what is meant by a word for a blow where a reaction to one is to be settled first."""
    *before, last = fight.state.window.open
    if word.removesuffix("s").removesuffix("e") in _OF_BLOWS and not last.target and any(one.target for one in before):
        ways = ("success", "failure")
        raise unclear(f"{fight.named(last.combatant)}'s {last.action} is settled first: {either(ways)}?", ways, word)


def _check_skill(fight: Fight, word: str) -> None:
    """Raise BadInput for a skill in the place of the action that is done with it."""
    me = fight.person(whose_move(fight.state))
    if me is None or word not in me.faculties.codes or not fight.ruleset.edition.counts_actions:
        return
    rows = fight.ruleset.tables.rd6_actions
    action = next((name for name, row in rows.items() if word in row.skills), "shoot")
    raise BadInput(f"{word} is a skill of {me.name}; the action stands first: {action} NAME {word} v10.", wrong=word)


def _blow(fight: Fight, words: Sequence[Said]) -> list[tuple[str, Meant | Begins]]:
    """Return the reading of an unknown verb as the blow that it can only be; nothing where it is none."""
    rest = _struck(fight, words, whose_move(fight.state))
    return [("attack", _order(fight, "attack", {}, rest))] if rest else []


def _struck(fight: Fight, words: Sequence[Said], actor: str = "") -> tuple[Said, ...]:
    """Return whom a verb is about that is no order, with what stands behind them, where only a blow has such points:
    `thwacks guard 2 p1`, `lashes out at Odo p2`; nothing where it could be a mistyped order.
    """
    verb = words[0].word.lower()
    known = (*fight.orders, *SYNONYMS, *fight.verbs, *OTHER_WORDS, *OWN_WORDS, *fight.state.combatants)
    near = closest(verb, known)
    if "attack" not in fight.orders or not verb.isalpha() or (near and is_mistyped(verb, near)):
        return ()
    if any(len(said.word) > 1 and names_order(fight, said.word.lower()) for said in words[1:]):
        # The first word is hardly the verb.
        return ()
    points = any(_POWER.fullmatch(said.word.lower()) for said in words[1:])
    named = [at for at, said in enumerate(words) if at and fight.people.whole(said.word) not in ("", actor)]
    things = things_of(fight.state.combatants.values())
    if not points or len(named) != 1:
        return ()
    between = tuple(said for said in words[1 : named[0]] if things.one(said.word.lower()))
    return (*between, *words[named[0] :])


def _advise(fight: Fight, word: str, who: str = "", *, exact: bool = False) -> None:
    """Raise BadInput for a word that could be several orders, or is none, with what is typed; with `exact` for the very
    word alone, which could be cut from an order.
    """
    edition = {**ADVICE["actions" if fight.ruleset.edition.counts_actions else "points"], **ADVICE[""]}
    if exact and word.removesuffix("s") not in _NO_ORDERS:
        return
    if told := next((edition[form] for form in sorted(forms(word)) if form in edition), ""):
        told = told.format(who=who or "NAME", move=f"{who} move".lstrip())
        raise BadInput(told, wrong=word)


def person(fight: Fight, word: str) -> str:
    """The combatant whom a word names, whole or cut; raises BadInput where it is nobody or could be several."""
    name = word.removeprefix(COMBATANT).lower()
    _, found = fight.people.ranked(name)
    if len(found) == 1:
        return found[0]
    if found:
        raise unclear(f'"{word}" is {either([fight.named(one) for one in found])}: who?', found, word)
    everybody = list(fight.state.combatants)
    up = [one.id for one in fight.state.combatants.values() if not one.gone]
    known = up if closest(name, up) else everybody
    raise BadInput(f'nobody here is called "{word}"; {nearest(name, known)}', wrong=word, allowed=known)


def numbered_near(fight: Fight, word: str, behind: Sequence[str]) -> str:
    """Return whoever is meant by a word with a typing mistake and the number behind it: `gobln 2`; "" for nobody."""
    number = behind[0].removesuffix(":") if behind else ""
    if not number.isdecimal():
        return ""
    alike = [one.id for one in fight.state.combatants.values() if one.id.endswith(f"-{number}") and not one.gone]
    return closest(f"{word.lower()}-{number}", alike) or ""


def named_alone(fight: Fight, words: Sequence[Said]) -> str:
    """Return the one whose name is all that those words are; "" where they are none, or an order."""
    called = with_names(fight, words) if words else ()
    if len(called) != 1 or not called[0].word or is_order(fight, called[0].word.lower()):
        return ""
    found = fight.people.ranked(called[0].word)[1]
    return found[0] if len(found) == 1 else ""


def with_names(fight: Fight, words: Sequence[Said]) -> tuple[Said, ...]:
    """The words with an id in place of each name of several words, and of one in quotes that stands first; raises
    BadInput where such a name is that of several, or could be a name and a number behind it.
    """
    found: list[Said] = []
    at = 0
    if (words and _tells_outcome(fight, words[0].word.lower())) or _is_of(fight, words, "result"):
        # What happens is told in words of their own.
        return tuple(words)
    if _is_of(fight, words, "join") or _is_of(fight, _with_order(fight, tuple(words)), "change-rules"):
        # The names of newcomers are nobody's yet, and house rules are about nobody: what else is said is why.
        return tuple(words)
    if len(words) > LONGEST_ORDER:
        raise BadInput(f"an order has at most {LONGEST_ORDER} words, not {len(words)}.")
    rolled = any(_is_of(fight, words, do) for do in (*ROLLED, "round"))
    whole_names = (lambda _: True) if rolled else partial(_is_somebody, fight, words)
    words = with_spacing(
        _with_phrase(fight, words),
        partial(_is_named, fight),
        partial(_stands_for_order, fight),
        whole_names,
        partial(_is_attack, fight),
    )
    while at < len(words):
        first = words[at]
        if first.key:
            run, value = _named(fight, words[at : at + MOST_WORDS])
            found.append(first._replace(value=value))
            at += run
            continue
        name = isinstance(first.value, Quoted) and not first.key and not at and fight.people.whole(first.value)
        # Behind nothing an order is one, however somebody is called.
        most = 1 if not at and is_order(fight, first.word.lower()) else MOST_WORDS
        bare = [said.word for said in words[at : at + most]]
        run, who = (1, name) if name else fight.people.run(bare, numbered=_may_be_numbered(fight, found, first.word))
        colon = ":" if words[at + run - 1].word.endswith(":") else ""
        found.append(Said("", f"{who}{colon}") if who else first)
        at += run
    return tuple(found)


def _may_be_numbered(fight: Fight, before: Sequence[Said], word: str) -> bool:
    """Return False for a letter that is an order, or wears a number, where no name is waited for: `mira d 2`, `a rat
    p 2`.
    """
    letter = word.lower() in SYNONYMS or word.lower() in LETTERS
    return len(word) > 1 or not letter or not before or is_order(fight, before[-1].word.lower())


def _with_phrase(fight: Fight, words: Sequence[Said]) -> Sequence[Said]:
    """Return the words with an order of two words as one, first or behind a name: `breaks free`, `tries to escape`."""
    for at, (said, behind) in enumerate(pairwise(words[: MOST_WORDS + 2])):
        found = [
            PHRASES[one] for one in ((form, behind.word.lower()) for form in forms(said.word.lower())) if one in PHRASES
        ]
        if found:
            one = (said._replace(value=found[0]),) if found[0] else ()
            return _with_phrase(fight, (*words[:at], *one, *words[at + 2 :]))
        if _only_does(fight, words[at : at + 3]):
            return (*words[:at], *words[at + 2 :])
        if not said.word or is_order(fight, said.word.lower()):
            break
    return words


def _only_does(fight: Fight, words: Sequence[Said]) -> bool:
    """Return True for a verb that does what its article says, where no thing is called so: `throws a punch`."""
    does, article, deed = (said.word.lower() for said in (*words, *[Said("", "")] * 2)[:3])
    if article not in INDEFINITE or not deed or not forms(does).intersection(DOING):
        return False
    return is_order(fight, deed) and not things_of(fight.state.combatants.values()).one(deed)


def _is_named(fight: Fight, words: str) -> bool:
    """Return True for words that are in the name of somebody or something."""
    people, things = fight.people, things_of(fight.state.combatants.values())
    # One letter may be the beginning of a name: `v 1` is Vera and her die.
    begins = len(words) == 1 and people.ranked(words)[1]
    return bool(words) and bool(begins or any(known.whole(words) or known.having(words) for known in (people, things)))


def _is_all(fight: Fight, word: str) -> bool:
    """Return True for a word that is all of the name or id of somebody or something."""
    return bool(fight.people.whole(word) or things_of(fight.state.combatants.values()).whole(word))


def _is_somebody(fight: Fight, words: Sequence[Said], word: str) -> bool:
    """Return True for a word that is all of a name, and for `an` where it is Ann: nothing stands in front that asks for
    an article, and nobody else is named.
    """
    if _is_all(fight, word):
        return True
    said = [one.word.lower() for one in words]
    before = said[said.index(word) - 1] if word in said[1:] else ""
    if len(word) == 1 or before in SILENT or not fight.people.ranked(word)[1]:
        return False
    return not any(fight.people.whole(one) for one in said[1:])


def _is_of(fight: Fight, words: Sequence[Said], order: str) -> bool:
    """Return True for words that begin with that order."""
    word = words[0].word.lower() if words else ""
    if word in SYNONYMS:
        return [do for do in SYNONYMS[word] if do in fight.orders] == [order]
    return bool(word) and [do for _, do, _ in _orders(fight, word)[1]] == [order]


def is_order(fight: Fight, word: str) -> bool:
    """Return True for the whole word of an order, or of the log itself."""
    stands = word in SYNONYMS or any(len(form) > 1 and form in SYNONYMS for form in forms(word))
    return word in OWN_WORDS or stands or _orders(fight, word)[0] == EXACT


def _stands_for_order(fight: Fight, word: str) -> bool:
    """Return True for a letter that is an order, or a word that is one and nobody's name."""
    return is_order(fight, word) if len(word) == 1 else names_order(fight, word) and not fight.people.ranked(word)[1]


def _is_attack(fight: Fight, word: str) -> bool:
    """Return True for a word by which somebody attacks."""
    try:
        return _is_of(fight, [Said("", word)], "attack")
    except BadInput:
        # It is an order of another edition.
        return False


def names_order(fight: Fight, word: str) -> bool:
    """Return True for the word of an order, whole or cut to four letters at least (`draw`), and no single letter."""
    if len(word) < SHORTEST:
        return False
    try:
        return is_order(fight, word) or (len(word) >= LONG_ENOUGH and len(_orders(fight, word)[1]) == 1)
    except BadInput:
        # It is an order of another edition.
        return True


def behind_parting(words: Sequence[Said], at: int) -> tuple[Said, ...]:
    """Return the words from there on without those that part orders; none where no comma, `and` or `then` stands."""
    if not (words[at - 1].comma or words[at].word.lower() in BETWEEN):
        return ()
    while at < len(words) and words[at].word.lower() in BETWEEN:
        at += 1
    return tuple(words[at:])


def begins_order(fight: Fight, words: Sequence[Said], *, sure: bool = False) -> bool:
    """Return True for words that begin with an order, or with somebody's name and one; where it must be `sure`, with a
    name or a number behind it.
    """
    try:
        called = with_names(fight, words)
    except BadInput:
        return False
    first, second, third = (said.word.lower() for said in (*called, *[Said("", "")] * 3)[:3])
    if _is_order(fight, first, second):
        return not sure or second.isdecimal() or bool(fight.people.one(second))
    if sure and second in BARE_HANDED and not third:
        # `the bandit's kick` says why.
        return False
    people = fight.people.ranked(first.removesuffix(":"))[1] if first else []
    return len(people) == 1 and _is_order(fight, second, third)


def _is_order(fight: Fight, word: str, behind: str) -> bool:
    """Return True for the word of an order; a letter is one in front of somebody's name, or of a number."""
    if len(word) > 1:
        return names_order(fight, word)
    return is_order(fight, word) and (behind.isdecimal() or bool(fight.people.one(behind)))


def _named(fight: Fight, words: Sequence[Said]) -> tuple[int, Value]:
    """The most of those words that are the value of the field which the first of them names, where it takes people: a
    name of several words, or several of those with commas between them; and that value, with ids in it.
    """
    first, *more = words
    bare = [said.word for said in takewhile(lambda said: said.word, more)]
    is_name = isinstance(first.value, str) and not isinstance(first.value, Quoted | Faces)
    if not is_name or not any(name.startswith(first.key.lower()) for name in _people_fields()):
        return 1, first.value
    if str(first.value).count(",") > LONGEST_ORDER:
        raise BadInput(f"{first.key} names at most {LONGEST_ORDER}.", wrong=first.key)
    for run in range(len(bare), 0, -1):
        said = " ".join([str(first.value), *bare[:run]])
        found = [fight.people.one(name) for name in said.split(",")]
        if all(found):
            return 1 + run, ",".join(found)
    return 1, first.value


@cache
def _people_fields() -> frozenset[str]:
    """The names of fields that take a combatant, or several."""
    return frozenset(
        name for kind in COMMANDS.values() for name, shape in shapes(kind).items() if shape.person and not shape.keyed
    )


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
    if unsaid == "whose turn, of either kind" and state.turn:
        return state.turn.combatant
    if do in OWED or kind.interferes:
        return _who(fight, do)
    if do in ("begin-turn", "declare"):
        return state.next_up or _who(fight, do)
    if unsaid:
        return whose_move(state) or _who(fight, do)
    return _who(fight, do, understood=False)


def _nothing_to(fight: Fight, do: str) -> Refused:
    """Return the refusal of an order that nobody may give: that there is nothing to react to, or who is next."""
    kind = COMMANDS[do]
    if kind.interferes or shapes(kind)[actor_field(kind)].unsaid == "who is attacked":
        return Refused("no_such_exchange/nothing_open", deed=Term(do), fields=("exchange",))
    return nobody_acts(fight.state)


def nobody_acts(state: Encounter) -> Refused:
    """Return the refusal of an order of whoever acts, where nobody does: who is next."""
    if state.next_up is None:
        return Refused(
            "out_of_turn/nobody" if state.order else "out_of_turn/before_initiative",
            rule="MAM-ORDER-02",
            fields=("combatant",),
        )
    due = state.combatants[state.next_up]
    return Refused("out_of_turn/between", due=due, rule="MAM-ORDER-02", fields=("combatant",))


def whose_move(state: Encounter) -> str:
    """The combatant whose turn it is; in Ron d6 who acts, has actions left and does not wait; else who is next."""
    acting = state.acting
    if state.initiative.entries and acting:
        actions = state.combatants[acting].actions
        if not actions.left or actions.waiting:
            acting = ""
    return acting or state.next_up or ""


def refused_at(offers: Iterable[Template | Blocked]) -> Refused | None:
    """Return why such an order may not be given now, by the first of its offers that is not allowed; None for none."""
    blocked = next((offer for offer in offers if offer.status == "blocked"), None)
    if blocked is None:
        return None
    no = Refused.saying(blocked.code, part("quoted", sentence=references.Said(blocked.sentence)), rule=blocked.rule)
    no.order = blocked.do
    return no


def _who(fight: Fight, do: str, *, understood: bool = True) -> str:
    """The only one who may give that order now; raises BadInput where it is nobody, or has to be said."""
    found = list(dict.fromkeys(offer.combatant for offer in fight.allowed(do) if offer.combatant))
    found = [one for one in found if one in fight.own] or found
    if understood and len(found) == 1:
        return found[0]
    if not found:
        told = "nobody owes that now." if do in OWED else f"nobody can {do} now."
        raise refused_at(fight.offers(do)) or (
            _nothing_to(fight, do) if understood and do not in OWED else BadInput(told, place=do)
        )
    raise Unclear(f"Who: {either([f'{one} {do}' for one in found])}?", allowed=found, in_front=True)
