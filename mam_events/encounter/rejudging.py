"""Judging again: the same commands on another past, and the verdict on each."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from msgspec import Struct

from mam_events.commands import BeginTurn, Command, actor_of, amended, exchange_of
from mam_events.dice import Undrawn
from mam_events.encounter.judging import Judging
from mam_events.encounter.timeline import Change, Outcome, Timeline
from mam_events.errors import BadInput, Refused
from mam_events.events import Event, TurnEnded, TurnStarted, Verdict
from mam_events.events.multiple_actions import ActionsDeclared, TurnMovedUp
from mam_events.state import Encounter

Judge = Callable[[Encounter, Command, int, Collection[str]], Judging]
"""Judges a command on a state: (state, command, ruling, amended fields); raises Refused or Undrawn."""


class Rejudged(NamedTuple):
    """One ruling judged again: its verdict, and its facts or why it is void; `because` names a ruling whose loss did
    it, `undrawn` a die that only a commit may draw (then nothing behind it is known).
    """

    ruling: int
    verdict: Verdict | None
    facts: tuple[Event, ...] = ()
    why: str = ""
    code: str = ""
    rule: str = ""
    because: int = 0
    undrawn: str = ""
    command: Command | None = None


def rejudge(timeline: Timeline, change: Change, judge: Judge, *, new: Command | None = None) -> list[Rejudged]:
    """Judge every living ruling from the change on; `new` is the command of a play that the change inserts.

    Returns one entry a living ruling, also for those that stand. An inserted play that is refused raises Refused.
    """
    state = timeline.state_before(change.first)
    found: list[Rejudged] = []
    lost = Losses()
    decoders = timeline.decoders
    for number in change.order[change.first :]:
        if not timeline.lives_after(change, number):
            continue
        entry = timeline.entries.get(number)
        patches = timeline.patches_after(change, number)
        command: Command = entry.head.command if entry else new  # type: ignore[assignment]  # only a new play has no entry
        try:
            for patch in patches:
                command = amended(command, patch)
            judged = judge(state, command, number, given_anew(entry.head.command, command) if entry else ())
        except (Refused, BadInput) as no:
            if entry is None:
                raise
            because = lost.cause(number, command, no.code, state)
            lost.add(number, command)
            rule = no.rule if isinstance(no, Refused) else ""
            told = Rejudged(number, "void", (), no.sentence, no.code, rule, because, command=command)
            found.append(told._replace(verdict="stands") if void_as_before(entry.outcome, told) else told)
            continue
        except Undrawn as missing:
            found.append(Rejudged(number, None, undrawn=missing.key, command=command))
            break
        facts, state = tuple(judged.facts), judged.state
        lost.turn(facts)
        recorded = None if entry is None or entry.outcome.void else entry.outcome.facts(decoders)
        verdict: Verdict = compare(recorded, facts) if entry else "stands"
        found.append(Rejudged(number, verdict, facts, command=judged.command))
    return found


def void_as_before(recorded: Outcome, found: Rejudged) -> bool:
    """Whether the record says already that the ruling is void, for the same reason."""
    before = recorded.rejudged
    if before is None or before.verdict != "void":
        return False
    return (before.code, before.why) == (found.code, found.why)


def compare(recorded: tuple[Event, ...] | None, facts: tuple[Event, ...]) -> Verdict:
    """How facts judged anew relate to those on record; None where the record says void."""
    if recorded is None:
        return "changed"
    if recorded == facts:
        return "stands"
    return "carried" if [bare(fact) for fact in recorded] == [bare(fact) for fact in facts] else "changed"


def bare(fact: object) -> object:
    """A fact, or a part of one, without its totals: its dice, its outcome and what it changed."""
    if isinstance(fact, tuple):
        return tuple(map(bare, fact))
    if not isinstance(fact, Struct):
        return fact
    totals = getattr(fact, "totals", ())
    return (type(fact), *(bare(getattr(fact, name)) for name in fact.__struct_fields__ if name not in totals))


def given_anew(original: Command, command: Command) -> set[str]:
    """The fields that amendments gave anew; of a mapping the entries, as `interference_dice.9`."""
    fields: set[str] = set()
    for name in original.__struct_fields__:
        before, after = getattr(original, name), getattr(command, name)
        if before != after and isinstance(after, dict):
            fields |= {f"{name}.{key}" for key, value in after.items() if before.get(key) != value}
        elif before != after:
            fields.add(name)
    return fields


class Losses:
    """The rulings found void so far, to tell which of them made a later one void.

    A ruling is void because of another when that one would have begun its exchange, is an exchange that nothing
    resolves any more, or was the same combatant's in the same turn.
    """

    def __init__(self) -> None:
        self._exchanges: set[int] = set()
        self._in_turn: dict[str, int] = {}

    def turn(self, facts: tuple[Event, ...]) -> None:
        """A turn that begins or ends settles what was lost in that combatant's turn."""
        for fact in facts:
            if isinstance(fact, TurnStarted | TurnEnded | ActionsDeclared | TurnMovedUp):
                self._in_turn.pop(fact.combatant, None)

    def add(self, number: int, command: Command) -> None:
        """Note a ruling as void."""
        if exchange_of(command, number) == number:
            self._exchanges.add(number)
        if actor := actor_of(command):
            self._in_turn[actor] = number

    def cause(self, number: int, command: Command, code: str, state: Encounter) -> int:
        """The ruling that made this one void, refused with that code in that state; 0 where it is none alone."""
        if code == "exchange_open" and state.exchange:
            return state.exchange.id
        exchange = exchange_of(command, number)
        if exchange in self._exchanges and exchange != number:
            return exchange
        return 0 if isinstance(command, BeginTurn) else self._in_turn.get(actor_of(command), 0)
