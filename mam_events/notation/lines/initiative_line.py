"""Lines about initiative as people type them: who surprises whom, and dice after the names of the rollers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mam_events.errors import BadInput, Unclear
from mam_events.notation.grammar.dice import is_face
from mam_events.notation.grammar.names import either_or, of_kind
from mam_events.notation.grammar.sides import OURS, THEIRS, resolve_side
from mam_events.notation.lexer.lexer import NO_VALUE_WORD, TextToken, WordToken
from mam_events.refusals.renderer import list_words

if TYPE_CHECKING:
    from mam_events.notation.context import LineContext

AMBUSHES = ("ambush", "ambushes", "ambushed")
SURPRISES = ("surprise", "surprises", "surprised", *AMBUSHES)
_AND = ("and", "the", "&")
_ALL = ("everybody", "everyone", "all", "others", "rest")
_THEM = (*OURS, *THEIRS, "them")
"""Words for those who are surprised, if nobody has that name."""


class WhoseDice(BadInput):
    """Faces of an initiative roll without a roller's name."""

    def __init__(self, faces: Sequence[str], example: str, place: str) -> None:
        message = f'Whose die is "{faces[0]}"? Put the name before it: {example} {faces[0]}.'
        super().__init__(message, place=place, wrong=faces[0])
        self.faces = tuple(faces)


def order_of_roll(fight: LineContext, words: Sequence[WordToken]) -> str:
    """Return the order that names followed by faces mean while initiative is awaited; "" for other words.

    One name and one number are not converted if they could begin a turn with that many actions.
    """
    people = _rollers(fight, words)
    if not people:
        return ""
    state, is_number_only = fight.state, len(words) == len(("name", "number"))
    if state.exchange:
        return "resolve" if not is_number_only and fight.allowed("resolve") else ""
    if not fight.allowed("roll-initiative"):
        pass
    elif state.round_open and set(people) <= set(yet_to_roll_in(fight)):
        return "" if is_number_only and state.initiative.entries else "roll-initiative"
    if is_number_only:
        return ""
    if fight.ruleset.edition.counts_actions:
        # Not while a round is open: the dice could be late ones for that round.
        return "round" if not state.round_open and fight.allowed("round") else ""
    return awaited_roll(fight) if len(people) > 1 else ""


def awaited_roll(fight: LineContext) -> str:
    """Return the order that settles initiative, if nothing else is awaited; "" if it is settled."""
    state = fight.state
    if state.exchange or state.window.open:
        return ""
    if "roll-initiative" in fight.orders and state.round_open and not state.initiative.entries:
        return "roll-initiative" if fight.allowed("roll-initiative") else ""
    settles = "initiative" in fight.orders and not (state.order or fight.ruleset.edition.counts_actions)
    return "initiative" if settles and fight.allowed("initiative") else ""


def _rollers(fight: LineContext, words: Sequence[WordToken]) -> list[str]:
    """Return those who are named in those words, each before at least one face; nobody if there are other words."""
    rollers: list[str] = []
    faces = 0
    for token in words:
        if token.key or not token.word:
            return []
        if is_face(token.word):
            faces += 1
            continue
        people = fight.people.ranked(token.word.removesuffix(":"))[1]
        if len(people) != 1 or people[0] in rollers or (rollers and not faces):
            return []
        rollers, faces = [*rollers, *people], 0
    return rollers if faces and not is_face(words[0].word) else []


def rolls_late(fight: LineContext, words: Sequence[WordToken]) -> bool:
    """Return True if all who are named have yet to roll in a round in which somebody still has to act."""
    state = fight.state
    if not state.round_open or not (state.next_up or state.turn):
        return False
    name_words = [token.word for token in words if token.word and not token.key and not is_face(token.word)]
    people = {one for word in name_words for one in fight.people.ranked(word)[1]}
    return bool(people) and people <= set(yet_to_roll_in(fight))


def yet_to_roll_in(fight: LineContext) -> tuple[str, ...]:
    """Return those who have no place yet in the order of this round."""
    from mam_events.rules.initiative.by_roll import yet_to_roll  # noqa: PLC0415 - reading a log needs no rules

    return yet_to_roll(fight.state, fight.ruleset)


_BEGINS = ("begins", "starts", "first")
"""Words between a combatant and the reason why they are first."""


def _with_first(fight: LineContext, words: Sequence[WordToken]) -> tuple[WordToken, ...]:
    """Return the words after `init` with `finn because …`, or `finn begins because …`, as the field `first`."""
    who = fight.people.whole(words[0].word) if len(words) > 1 and words[0].word else ""
    after = words[2:] if words[1:] and words[1].word.lower() in _BEGINS else words[1:]
    if not who or not after or not isinstance(after[0].value, TextToken):
        return tuple(words)
    return (WordToken("first", who), *after)


def with_surprise(fight: LineContext, words: Sequence[WordToken]) -> tuple[WordToken, ...]:
    """Return the words after `init` with `heroes surprise the bandits` as `surprise=` and those people.

    All who do not surprise are surprised, so it raises BadInput if anybody is named on neither side.
    """
    at = next((at for at, token in enumerate(words) if token.word.lower() in SURPRISES), -1)
    if at < 0:
        return _with_first(fight, words)
    if not at:
        raise _who_surprises(fight, words)
    ahead, after = _all_named(fight, words[:at], others=False), words[at + 1 :]
    faces = [n for n, token in enumerate(after) if token.key or not token.word or is_face(token.word)]
    end = faces[0] if faces else len(after)
    if faces and end and fight.people.whole(after[end - 1].word) in ahead:
        # Only those who surprise can be tied, so the face is their die.
        end -= 1
    surprised = _all_named(fight, after[:end])
    if any(_is_everybody(fight, token.word.lower()) for token in after[:end]):
        surprised = [one for one in surprised if one not in ahead]
    if both := [one for one in ahead if one in surprised]:
        raise BadInput(f"{fight.name_of(both[0])} cannot surprise themselves.", place="initiative", wrong=both[0])
    able = [one.id for one in fight.state.combatants.values() if one.condition == "able"]
    others = [one for one in able if one not in ahead]
    others_left = [one for one in others if one not in surprised]
    token = WordToken("surprise", ",".join(ahead))
    if after[:end] and others_left:
        names = list_words([fight.name_of(one) for one in others_left])
        raise BadInput(
            f"In this ambush everybody else would be surprised, {names} too. "
            f"If that is right, type init surprise={token.value}.",
            place="initiative",
        )
    return (token, *after[end:])


def _who_surprises(fight: LineContext, words: Sequence[WordToken]) -> BadInput:
    """Return the error that asks if the people after `surprise` are the ones who surprise, or are surprised."""
    subject = " ".join(token.word for token in words[1:] if token.word and not is_face(token.word)) or "NAME"
    people = _all_named(fight, words[1:]) if words[1:] else []
    others = [one.id for one in fight.state.combatants.values() if one.condition == "able" and one.id not in people]
    ways = either_or([f"init {subject} surprise", *([f"init surprise={','.join(others)}"] if others else [])])
    return BadInput(f"Say who surprises the others: {ways}.", place="initiative", wrong=words[0].word)


def tells_surprise(fight: LineContext, words: Sequence[WordToken]) -> bool:
    """Return True for `the goblins ambush the party` while it is not settled who begins."""
    verbs = AMBUSHES if "establish-surprise" in fight.orders else SURPRISES
    at = next((at for at, token in enumerate(words) if token.word.lower() in verbs), 0)
    return bool(at) and all(token.word for token in words[:at]) and awaited_roll(fight) == "initiative"


def _all_named(fight: LineContext, words: Sequence[WordToken], *, others: bool = True) -> list[str]:
    """Return all able combatants that those words name: people, kinds (`bandits`) and sides.

    With `others`, `the party` may mean everybody else.
    """
    able = [one.id for one in fight.state.combatants.values() if one.condition == "able"]
    names: list[str] = []
    for token in words:
        for word in token.word.lower().split(","):
            if _is_everybody(fight, word) and (others or word in _ALL):
                names += able
            elif word and word not in (*_AND, NO_VALUE_WORD):
                names += [one for one in _people_of(fight, word) if one in able]
    return list(dict.fromkeys(names))


def _is_everybody(fight: LineContext, word: str) -> bool:
    """Return True for a word that means all, or the other side if nobody has that name."""
    sides = {one.side for one in fight.state.combatants.values()}
    return word in _ALL or (word in _THEM and word not in sides and not fight.people.ranked(word)[1])


def _people_of(fight: LineContext, word: str) -> list[str]:
    """Return those whom a word names: one, a side, or all of a kind such as `bandits`; raise BadInput for nobody."""
    state = fight.state
    if one := fight.people.whole(word):
        return [one]
    people = state.combatants.values()
    matches = of_kind(list(state.combatants), word)
    names = [] if matches or word in {one.side for one in people} else fight.people.ranked(word)[1]
    if side := "" if matches or names else resolve_side(people, word):
        return [one.id for one in people if one.side == side and one.condition == "able"]
    if matches:
        return matches
    if len(names) > 1:
        raise Unclear(
            f'"{word}" could be {either_or([fight.name_of(one) for one in names])}. Which one?',
            word=word,
            allowed=names,
        )
    if not names:
        sides = sorted({one.side for one in state.combatants.values()})
        message = f'No combatant and no side is called "{word}". The sides are {", ".join(sides)}.'
        raise BadInput(message, place="initiative", wrong=word, allowed=(*state.combatants, *sides))
    return names
