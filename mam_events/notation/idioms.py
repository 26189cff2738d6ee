"""Orders in other words, which the fight makes plain: `brann skips`, `lets the rat go`, `init`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mam_events.commands import Resolve, Result
from mam_events.notation.correcting import LAST
from mam_events.notation.line_context import Fight, forms
from mam_events.notation.names_in_lines import LONGEST_ORDER
from mam_events.notation.verbs import names_order
from mam_events.notation.words import Quoted, Said, Written
from mam_events.shapes import shapes
from mam_events.values import OUTCOME_WORDS, outcome_meant

APART: Mapping[tuple[str, str], str] = {
    ("let", "go"): "release",
    ("let", "down"): "lower-bow",
    ("lower", "down"): "lower-bow",
    ("put", "down"): "drop-item",
    ("set", "down"): "drop-item",
    ("pick", "up"): "pick-up-item",
    ("take", "out"): "ready-weapon",
}
"""Verbs with what they are about between their two words, and the orders that they are: `picks the rope up`."""
_VERBS = frozenset(form for verb, _ in APART for form in (verb, f"{verb}s"))
_SKIPS = ("skip", "pass")
_TURN = ("turn", "the", "her", "his", "their", "its", "my")
"""Words behind a verb by which somebody does nothing in a turn."""
_INITIATIVE = ("init", "initiative")
_BACK: Mapping[tuple[str, ...], str] = {("take", "back"): "undo", ("takes", "back"): "undo", ("bring", "back"): "redo"}
OUTCOME_SPELLINGS = tuple(word for words in OUTCOME_WORDS for word in words)
"""All words for how something comes out."""
_NEXT = ("n", "next")
_PRONOUNS = ("he", "she", "they", "it", "i", "we")
_OVER = [one.split() for one in ("the fight is over", "fight is over", "fight over", "end fight", "end the fight")]
_DONE = [["done"], ["finished"]]
_NOTHING = [one.split() for one in ("nobody reacts", "no reaction", "no reactions", "none", "no", "nothing")]
_BEARING = (["does", "nothing"], ["takes", "it"])
_SAYING = ("it's", "its", "that's", "thats", "a", "the", "it", "is")
"""Words around how an exchange comes out."""
_ROLLING = ("rolls", "rolled", "throws", "threw")
_TELLING = frozenset(
    (
        *("say", "shout", "yell", "whisper", "ask", "tell", "look", "watch", "laugh", "smile", "curse", "pray"),
        *("sing", "point", "nod", "think", "wonder", "turn", "scream", "beg", "warn", "taunt", "stare", "wink"),
    )
)
"""What somebody says, or does that no rule asks about."""
OUTCOMES = tuple(way for way in shapes(Result)["outcome"].choices if way)
"""The ways in which an action can come out."""
_SPOKEN = frozenset(
    (
        *(*_VERBS, *_PRONOUNS, *_INITIATIVE, *_NEXT, *_ROLLING, *_TELLING, *OUTCOME_SPELLINGS, *_SAYING[:4]),
        *(f"{word}s" for word in (*_SKIPS, *_TELLING, "join")),
        *(
            *_SKIPS,
            "watches",
            "passes",
            "roll",
            "fight",
            "nobody",
            "no",
            "none",
            "nothing",
            "takes",
            "done",
            "finished",
        ),
    )
)
"""Words one of which stands in every such order."""


def as_own_word(written: Written) -> Written:
    """Return `take back 7 …` as `undo 7 …`, where a number or nothing follows; any other order as it is."""
    low = [said.word.lower() for said in written.words[:3]]
    word = _BACK.get(tuple(low[:2]), "")
    if not word or (low[2:] and not (low[2].removeprefix("#").isdecimal() or low[2] in LAST)):
        return written
    return written._replace(words=(Said("", word), *written.words[2:]))


def parted(fight: Fight, written: Written) -> tuple[Written, Written] | None:
    """Return `mira 2, waits` as how many actions she declares, and what she does; None for any other order."""
    words = written.words
    at = next((at for at, said in enumerate(words[:-1]) if at and said.comma and said.word.isdecimal()), 0)
    name = " ".join(said.word for said in words[:at]).removesuffix(":")
    if len(words) > LONGEST_ORDER or not (at and fight.ruleset.edition.counts_actions and fight.people.one(name)):
        return None
    first, rest = (*words[:at], words[at]._replace(comma=False)), words[at + 1 :]
    return Written(f"{name} {words[at].word}", first), Written(" ".join(one.word for one in rest), rest, written.ends)


def may_be_idiom(written: Written) -> bool:
    """Return True where one of the words stands without which nothing is an order in other words."""
    return not _SPOKEN.isdisjoint(said.word.lower() for said in written.words)


def spoken(fight: Fight, written: Written) -> Written:
    """Return an order in words of the log where other words can mean nothing else in this fight; else as it is."""
    words = written.words
    if len(words) > LONGEST_ORDER:
        # It is refused as too long.
        return written
    low = [said.word.lower() for said in words]
    for read in _READERS:
        if found := read(fight, words, low):
            return found._replace(text=written.text, ends=found.ends or written.ends)
    return written


def _apart(fight: Fight, words: Sequence[Said], low: Sequence[str]) -> Written | None:
    """Return `lets the rat go` as `release the rat`, behind the name of whoever does it."""
    for at, verb in enumerate(low[:-1]):
        if verb not in _VERBS or (at and not fight.people.one(" ".join(low[:at]).removesuffix(":"))):
            continue
        for form in sorted(forms(verb)):
            behind = next((n for n in range(at + 2, len(low)) if (form, low[n]) in APART), 0)
            do = APART[form, low[behind]] if behind else ""
            if do in fight.orders:
                return Written("", (*words[:at], Said("", do), *words[at + 1 : behind], *words[behind + 1 :]))
    return None


def _skipped(fight: Fight, _: Sequence[Said], low: Sequence[str]) -> Written | None:
    """Return a turn in which nothing is done as the name of whose it is and its end; None where it could be a pass in
    an exchange, and for whoever is not next.
    """
    state = fight.state
    mine = state.turn.combatant if state.turn else state.next_up
    if fight.ruleset.edition.counts_actions or "skip-turn" in fight.orders or state.exchange or not mine:
        return None
    at = next((at for at, word in enumerate(low) if forms(word).intersection(_SKIPS)), -1)
    who = fight.people.one(" ".join(low[:at]).removesuffix(":")) if at else mine
    if at < 0 or who != mine or any(word not in _TURN for word in low[at + 1 :]):
        return None
    return Written("", (Said("", who),), ends=True)


def _next(fight: Fight, words: Sequence[Said], low: Sequence[str]) -> Written | None:
    """Return `ysolde n` as `n ysolde`, which begins her turn."""
    if len(low) < 2 or low[-1] not in _NEXT:  # noqa: PLR2004 - a name and the word
        return None
    who = fight.people.one(" ".join(low[:-1]))
    return Written("", (words[-1], Said("", who))) if who and who == fight.state.next_up else None


def _rolled(fight: Fight, words: Sequence[Said], low: Sequence[str]) -> Written | None:
    """Return `init` alone as the roll of all who have yet to roll, where initiative is rolled."""
    if len(words) > 1 or low[0] not in _INITIATIVE or "roll-initiative" not in fight.orders:
        return None
    if fight.allowed("initiative"):
        return None
    do = "roll-initiative" if fight.state.round_open and not fight.state.initiative.entries else "round"
    return Written("", (Said("", do),)) if fight.allowed(do) else None


def _his(fight: Fight, words: Sequence[Said], low: Sequence[str]) -> Written | None:
    """Return what `he` or `it` does without that word, where an order stands behind it: whoever can do it does."""
    behind = low[1] if low[1:] else ""
    if low[0] not in _PRONOUNS or not behind or fight.people.ranked(low[0])[1]:
        return None
    return Written("", tuple(words[1:])) if names_order(fight, behind) or outcome_meant(behind, OUTCOMES) else None


def _ended(fight: Fight, words: Sequence[Said], low: Sequence[str]) -> Written | None:
    """Return `done` in a turn as its end, and `next turn` as the next one."""
    del words
    if list(low) == ["next", "turn"]:
        return Written("", (Said("", "n"),))
    return Written("", (Said("", "end-turn"),)) if list(low) in _DONE and fight.state.turn else None


def _joins(fight: Fight, words: Sequence[Said], low: Sequence[str]) -> Written | None:
    """Return `Odo joins …` as `join Odo …`, where nobody is called so."""
    at = next((at for at, word in enumerate(low) if word == "joins"), 0)
    if not at or not all(low[:at]) or fight.people.whole(" ".join(low[:at])):
        return None
    return Written("", (Said("", "join"), *words[:at], *words[at + 1 :]))


def _closes(fight: Fight, words: Sequence[Said], low: Sequence[str]) -> Written | None:
    """Return `the fight is over` as the closing that it asks for."""
    del fight, words
    return Written("", (Said("", "close"),)) if list(low) in _OVER else None


def _throws(fight: Fight, words: Sequence[Said], low: Sequence[str]) -> Written | None:
    """Return `roll`, where an exchange waits for its dice, as its roll, and `roll initiative` as that."""
    del words
    rest = [word for word in low[1:] if word not in ("it", "the", "dice", "die", "them")]
    if low[0] != "roll" or len(rest) > 1 or (rest and rest[0] not in _INITIATIVE):
        return None
    if rest:
        said = (Said("", "initiative"),)
        return Written("", said) if fight.allowed("initiative") else _rolled(fight, said, ("initiative",))
    return Written("", (Said("", "r"),)) if fight.state.exchange and "roll" not in fight.orders else None


def _noted(fight: Fight, words: Sequence[Said], low: Sequence[str]) -> Written | None:
    """Return what somebody says, looks at or turns to as the note that it is, where no action is called so."""
    at = next((at for at, word in enumerate(low) if at and forms(word).intersection(_TELLING)), 0)
    name = " ".join(low[:at]).removesuffix(":")
    if not at or not (fight.people.one(name) or name in _PRONOUNS) or names_order(fight, low[at]):
        return None
    told = " ".join(f"{said.value}{',' * said.comma}" for said in words)
    return Written("", (Said("", "note"), Said("", Quoted(told))))


def _passes(fight: Fight, words: Sequence[Said], low: Sequence[str]) -> Written | None:
    """Return `nobody reacts`, and `orc 1 does nothing` of whoever is attacked, as the pass that it is."""
    del words
    exchange = fight.state.exchange
    if exchange is None or not exchange.root.target or "pass" not in fight.orders:
        return None
    target = Said("", f"{exchange.root.target}:")
    if list(low) in _NOTHING:
        return Written("", (target, Said("", "pass")))
    name, done = low[:-2], low[-2:]
    if (
        name
        and done in (["does", "nothing"], ["takes", "it"])
        and fight.people.one(" ".join(name)) == exchange.root.target
    ):
        return Written("", (target, Said("", "pass")))
    return None


def _outcome(fight: Fight, words: Sequence[Said], low: Sequence[str]) -> Written | None:
    """Return `it's a miss` as the outcome of the open exchange, by the game master's word."""
    del words
    said = [word for word in low if word not in _SAYING]
    if len(said) != 1 or fight.state.exchange is None or "attack" not in fight.orders:
        return None
    ways = [way for way in shapes(Resolve)["outcome"].choices if way]
    found = outcome_meant(said[0], ways)
    return Written("", (Said("", "resolve"), Said("outcome", found))) if found else None


def _rolls(fight: Fight, words: Sequence[Said], low: Sequence[str]) -> Written | None:
    """Return `kara rolls 5, orc 1 rolls 3` as the names with their faces."""
    if fight.state.exchange is None or not any(word in _ROLLING for word in low[1:]):
        return None
    return Written(
        "", tuple(said._replace(comma=False) for said in words if said.word.lower() not in (*_ROLLING, "and"))
    )


_READERS: Sequence[Callable[[Fight, Sequence[Said], Sequence[str]], Written | None]] = (
    _next,
    _skipped,
    _rolled,
    _throws,
    _his,
    _joins,
    _closes,
    _passes,
    _outcome,
    _rolls,
    _ended,
    _noted,
    _apart,
)
