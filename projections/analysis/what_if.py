"""A fight under other rules, beside the same fight as played: what differs and why, who stands, who fell when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from mam_events.errors import Refused
from mam_events.history.timeline.entries import dice_of
from mam_events.history.timeline.rulings import play_ruling, rulings
from mam_events.state import Condition, Encounter
from projections.phrases import count_words, join_words
from projections.rulings.command_text import command_clause
from projections.rulings.index import RulingContext, RulingIndex, clock
from projections.sentences import headline, outcome_difference
from projections.sentences.dice_text import die_text

if TYPE_CHECKING:
    from mam_events.history.judge.what_if import RulingPair, WhatIfFight
    from mam_events.history.timeline.timeline import Timeline
    from projections.visibility.redaction import Redactor


Counts = Literal["stands", "carried", "changed", "void", "first", "second"]
"""A verdict, or, in a comparison of two fights, the only one in which a ruling counts."""


class FinalFall(Struct, frozen=True):
    """The ruling and the round in which somebody went down or left for good, and their condition now.

    `left` says that they are out of the fight, even if they fell before. `already` says that they joined in that
    condition, or that it happened before the first round.
    """

    combatant: str
    ruling: int
    round: int
    condition: Condition = "incapacitated"
    left: bool = False
    already: bool = False


class FightEnding(Struct, frozen=True):
    """The end of a fight as it now stands: those who are able, by side, the `winner`, the rounds, and who fell when.

    `winner` is the only side with anybody able ("": there are several, or none). `falls` are in the order in which they
    happened, `names` are the names of all combatants.
    """

    standing: dict[str, tuple[str, ...]]
    winner: str
    rounds: int
    falls: tuple[FinalFall, ...]
    names: dict[str, str] = {}


class ChangedRuling(Struct, frozen=True):
    """A ruling that would come out differently: what was asked, and its new outcome or the reason why it is void.

    `because` is the ruling whose loss made it void (0: no single one). `hypothetical` is the number of its dice that
    nobody threw or drew. In a comparison of two fights it may count in the `first` or the `second` only.
    """

    ruling: int
    round: int
    turn: int
    asked: str
    verdict: Counts
    what: str
    because: int
    hypothetical: int


class WhatIf(Struct, frozen=True):
    """A fight under supposed `house_rules`: by option as (reading in force, reading supposed).

    `rulings` is the number of rulings judged again, `verdicts` the number for each verdict, and `recorded` the share
    that stands or is carried. `first` is the first ruling that differs (0: none), because of the house rules in
    `blamed`. `moved_on` are rulings that change only because the program has newer rules. `changed_in_play` has, by
    option, the rulings at which the fight itself changed its reading, each with the reading from there on.
    """

    house_rules: dict[str, tuple[str, str]]
    rulings: int
    verdicts: dict[str, int]
    recorded: float
    hypothetical: int
    first: int
    blamed: tuple[str, ...]
    differing: tuple[ChangedRuling, ...]
    moved_on: tuple[int, ...]
    played: FightEnding
    supposed: FightEnding
    changed_in_play: dict[str, tuple[tuple[int, str], ...]] = {}


def fight_ending(states: Iterable[tuple[int, Encounter]], redactor: Redactor) -> FightEnding:
    """Return the end of a fight from all its states, each with the ruling that led to it."""
    down: dict[str, FinalFall] = {}
    present: set[str] = set()
    state = None
    for ruling, state in states:
        for name, combatant in state.combatants.items():
            how, was = combatant.condition, down.get(name)
            if how == "able":
                down.pop(name, None)
            elif was is None or was.left is not (how == "out"):
                # Those who leave after a fall count as left, in the order of leaving.
                down.pop(name, None)
                already = name not in present or not state.round
                down[name] = FinalFall(name, ruling, state.round, how, left=how == "out", already=already)
            elif was.condition != how:
                down[name] = replace(was, condition=how)
        present.update(state.combatants)
    standing: dict[str, list[str]] = {}
    names = {one.id: one.name for one in redactor.combatants(state)} if state else {}
    for name, combatant in state.combatants.items() if state else ():
        if name not in down and name in names:
            standing.setdefault(combatant.side, []).append(name)
    winner = next(iter(standing)) if len(standing) == 1 else ""
    return FightEnding(
        {side: tuple(able) for side, able in standing.items()},
        winner,
        state.round if state else 0,
        tuple(fall for fall in down.values() if fall.combatant in names),
        names,
    )


def current_ending(timeline: Timeline, redactor: Redactor) -> FightEnding:
    """Return the end of a fight as it now counts."""
    return fight_ending(((number, timeline.states[place]) for place, number in enumerate(timeline.order)), redactor)


def standing_words(end: FightEnding) -> str:
    """Return those who are able, by side: `heroes: Ana and Bo; wolves: Grey`."""
    sides = ((side, join_words([end.names[who] for who in able])) for side, able in end.standing.items())
    return "; ".join(f"{side}: {able}" if side else able for side, able in sides) or "nobody"


def fallen_words(end: FightEnding) -> str:
    """Return those who fell and those who left: `Bo (#17 r3); left: Cy (#19 r4)`.

    Each has the ruling and the round in parentheses.
    """
    fell, departed = (
        ", ".join(_fall_words(fall, end.names) for fall in end.falls if fall.left is has_left)
        for has_left in (False, True)
    )
    return f"{fell or 'nobody'}{departed and f'; left: {departed}'}"


def _fall_words(fall: FinalFall, names: Mapping[str, str]) -> str:
    when = "already" if fall.already and not fall.left else f"r{fall.round}"
    return f"{names[fall.combatant]} (#{fall.ruling} {when})"


def changed_words(difference: WhatIf) -> str:
    """Return the supposition, and the number of rulings judged again, in a sentence or two."""
    changes_text = join_words(
        [
            f"{option} = {now} ({_readings_words(was, difference.changed_in_play.get(option, ()))})"
            for option, (was, now) in difference.house_rules.items()
        ]
    )
    numbers = join_words([str(number) for number in difference.moved_on])
    newer = f" {numbers} would differ only because the rules of this program are newer." if numbers else ""
    return f"What if {changes_text}: {count_words(difference.rulings, 'ruling')} judged again, nothing written.{newer}"


def _readings_words(first: str, later: Sequence[tuple[int, str]]) -> str:
    """Return the readings of an option in a fight: `it is exact_tie`, `it is exact_tie, from 72 on never`."""
    return ", ".join((f"it is {first}", *(f"from {ruling} on {reading}" for ruling, reading in later)))


def supposed_words(difference: WhatIf) -> str:
    """Return the supposition as the name of a fight: `What if half_success = never?`."""
    return f"What if {join_words([f'{option} = {now}' for option, (_, now) in difference.house_rules.items()])}?"


def first_difference_words(difference: WhatIf) -> str:
    """Return a sentence on the first ruling that differs, and the house rules that caused it."""
    if not difference.differing:
        return "Every ruling comes out as it did."
    return f"The first that differs is {difference.first}, by {join_words(list(difference.blamed))}."


def unthrown_dice_words(difference: WhatIf) -> str:
    """Return a sentence on the dice that nobody threw; "" if there are none."""
    dice = f"{difference.hypothetical} dice" if difference.hypothetical > 1 else "one die"
    return (
        f"{dice} in it were never thrown: they come from a public seed and are marked [6?]."
        if difference.hypothetical
        else ""
    )


def what_if(timeline: Timeline, supposition: WhatIfFight, readings: Mapping[str, str], redactor: Redactor) -> WhatIf:
    """Return a supposition as people read it; `readings` are those in force where it begins.

    Raises Refused `hidden` if the view does not see every ruling: the outcomes of the hidden ones would reveal their
    dice.
    """
    if not (redactor.everything or all(map(redactor.shows, rulings(timeline)))):
        raise Refused("hidden/supposed")
    pairs = supposition.pairs
    verdicts = Counter(str(pair.verdict) for pair in pairs)
    differing = tuple(_differing(timeline, pairs, redactor))
    before = [(timeline.order[place], timeline.states[place]) for place in range(supposition.first)]
    return WhatIf(
        house_rules={option: (readings[option], now) for option, now in supposition.house_rules.items()},
        rulings=len(pairs),
        verdicts=dict(verdicts),
        recorded=(verdicts["stands"] + verdicts["carried"]) / len(pairs) if pairs else 1.0,
        hypothetical=sum(pair.hypothetical for pair in pairs),
        first=differing[0].ruling if differing else 0,
        blamed=supposition.blamed if differing else (),
        differing=differing,
        moved_on=tuple(pair.ruling for pair in pairs if pair.has_moved_on),
        played=fight_ending([*before, *((p.ruling, p.played.state) for p in supposition.pairs)], redactor),
        supposed=fight_ending([*before, *((p.ruling, p.supposed.state) for p in supposition.pairs)], redactor),
        changed_in_play={
            option: changes
            for option in supposition.house_rules
            if (changes := tuple(_changes_in_play(pairs, option, readings[option])))
        },
    )


def _changes_in_play(pairs: Iterable[RulingPair], option: str, reading: str) -> Iterable[tuple[int, str]]:
    """Yield the rulings at which the fight as played changed that option, each with its new reading."""
    for pair in pairs:
        ruleset = pair.played.state.ruleset
        if ruleset and (new := ruleset.readings.get(option, reading)) != reading:
            reading = new
            yield pair.ruling, reading


def _differing(timeline: Timeline, pairs: Sequence[RulingPair], redactor: Redactor) -> Iterable[ChangedRuling]:
    rulings = {pair.ruling: play_ruling(timeline, pair.ruling) for pair in pairs}
    # The text of a ruling names declarations of others: `was` has them as played, `now` as supposed.
    was, now = (RulingIndex(rulings.values(), redactor) for _ in range(2))
    for pair in pairs:
        was.declare(pair.played.events)
        now.declare(pair.supposed.events)
    differing = [pair for pair in pairs if pair.verdict in ("changed", "void")]
    for pair in differing:
        ruling, supposed = rulings[pair.ruling], pair.supposed
        when = clock(ruling)
        scene = RulingContext(now, ruling)
        if supposed.code:
            what = redactor.why(supposed)
        elif pair.played.code:
            what = f"possible: {headline(supposed.events, scene)}"
        else:
            what = outcome_difference(pair.played.events, supposed.events, scene, RulingContext(was, ruling))
        if pair.hypothetical:
            dice = (die for event in supposed.events for die in dice_of(event) if die.source == "hypothetical")
            what = f"on {join_words([die_text(die) for die in dice])}: {what}"
        yield ChangedRuling(
            pair.ruling,
            when.round,
            when.turn,
            command_clause(ruling, now, replacement=supposed.command),
            pair.verdict,
            what,
            supposed.because,
            pair.hypothetical,
        )
