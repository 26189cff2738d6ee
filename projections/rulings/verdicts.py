"""Verdicts on rulings that were judged again, as the view may know them: in a preview, or as just written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import Command, actor_of
from mam_events.dice import read_key
from mam_events.events import Verdict
from mam_events.history.judge.verdicts import differs_only_in_round_end
from mam_events.history.timeline.rulings import events_before, play_ruling
from mam_events.state import Encounter, has_turns
from projections.phrases import join_numbers
from projections.rulings.bookkeeping import bookkeeping_sentences
from projections.rulings.command_text import command_clause
from projections.rulings.index import RulingContext, RulingIndex
from projections.sentences import other_sums, outcome_difference

if TYPE_CHECKING:
    from mam_events.history.judge.rejudgement import RejudgedRuling
    from mam_events.history.timeline.timeline import Timeline
    from projections.visibility.redaction import Redactor


class Judgement(Struct, frozen=True):
    """A ruling judged again, in a preview or as written: it `stands`, is `carried`, `changed` or `void`.

    A void one has `why`, or in `because` the ruling whose loss made it void (0: no single one). A `hidden` one has only
    its number. `differs` says what it was and what it is now. `bookkeeping` says in sentences what is done before it so
    that it still counts: a turn passes, an exchange is left. In a preview, `what` is what the ruling asked for if it
    does not stand, and `undrawn` is the die that would be drawn, after which nothing is known yet. As written,
    `follows` are the sentences of the new outcome; one that `ends_elsewhere` differs only because another turn is now
    the last of its round.
    """

    ruling: int
    verdict: Verdict | Literal["hidden"] | None
    why: str = ""
    because: int = 0
    differs: str = ""
    bookkeeping: tuple[str, ...] = ()
    what: str = ""
    undrawn: str = ""
    follows: tuple[str, ...] = ()
    ends_elsewhere: bool = False

    @property
    def explained(self) -> str:
        """The reason or the difference in one sentence."""
        because = f"(because of {self.because})" if self.because and not self.undrawn else ""
        return " ".join(filter(None, (self.differs or self.why, because)))


def round_end_only(timeline: Timeline, rejudged: Iterable[RejudgedRuling]) -> list[int]:
    """Return the rulings that differ only in the end of a round."""
    return [
        entry.ruling
        for entry in rejudged
        if entry.verdict in ("changed", "carried")
        and differs_only_in_round_end(events_before(timeline, entry.ruling, entry.events), entry.events)
    ]


def as_view_knows(
    timeline: Timeline, rejudged: Sequence[RejudgedRuling], redactor: Redactor
) -> Sequence[RejudgedRuling]:
    """Return the verdicts as the view may know them.

    If a ruling differs only because another turn ends the round, it stands: that turn may belong to somebody hidden.
    """
    ends = () if redactor.everything else round_end_only(timeline, rejudged)
    return [replace(one, verdict="stands", kept_otherwise=True) if one.ruling in ends else one for one in rejudged]


def verdicts_given(timeline: Timeline, rejudged: Sequence[RejudgedRuling], redactor: Redactor) -> list[Judgement]:
    """Return the verdicts in words, as the view may know them; `timeline` is the log before or after their writing."""
    entries = [entry for entry in rejudged if entry.differs or entry.undrawn or entry.bookkeeping]
    rulings = {entry.ruling: play_ruling(timeline, entry.ruling) for entry in entries}
    before = {entry.ruling: events_before(timeline, entry.ruling, entry.events) for entry in entries}
    for entry in rejudged:
        # The redactor must know the combatants of the preview: their names may equal a hidden one.
        redactor.learn(entry.state.combatants.values())
    # The text of a ruling names declarations of others: `now` has the new ones, `then` the old ones.
    index_then, now = RulingIndex(rulings.values(), redactor), RulingIndex(rulings.values(), redactor)
    for entry in entries:
        index_then.declare(before[entry.ruling])
        now.declare(entry.events)
    judgements = []
    for entry in rejudged:
        judgement = Judgement(entry.ruling, entry.verdict, redactor.why(entry), entry.because, undrawn=entry.undrawn)
        if ruling := rulings.get(entry.ruling):
            scene, was = RulingContext(now, ruling), before[entry.ruling]
            differs, why = "", judgement.why
            if entry.undrawn:
                why = _undrawn_words(entry.undrawn, scene)
            elif entry.verdict == "changed":
                differs = outcome_difference(was, entry.events, scene, RulingContext(index_then, ruling))
            elif entry.verdict == "carried":
                differs = other_sums(was, entry.events, redactor)
            # A ruling that stands must not reveal whether something hidden changes before it.
            what = "" if entry.verdict == "stands" else command_clause(ruling, now, replacement=entry.command)
            judgement = replace(
                judgement,
                why=why,
                differs=differs,
                what=what,
                bookkeeping=bookkeeping_sentences(entry.bookkeeping, scene),
            )
        judgements.append(judgement)
    return judgements


MANY = 3
"""The least number of rulings with the same fate that are combined in one line."""


class RejudgedView(Struct, frozen=True, gc=False):
    """A ruling that was judged again, to be combined with others.

    `state` is the state after it, `because` the ruling whose loss made it void (0: no single one). `again` says that it
    is possible again, `elsewhere` that another turn ends the round.
    """

    ruling: int
    verdict: Verdict | None
    because: int
    command: Command | None
    state: Encounter
    again: bool = False
    elsewhere: bool = False


class VerdictGroup(Struct, frozen=True):
    """Rulings with the same fate, and that fate in a few words."""

    rulings: tuple[int, ...]
    says: str

    @property
    def sentence(self) -> str:
        """The rulings and their fate as one sentence."""
        return f"{join_numbers(self.rulings)}{self.says}."


def verdict_groups(views: Iterable[RejudgedView], redactor: Redactor) -> list[VerdictGroup]:
    """Return the groups of rulings with the same fate; rulings with a fate of their own are left out."""
    views = list(views)
    groups = [
        VerdictGroup(tuple(numbers), f" are void: {name} can't act any more then")
        for name, numbers in _unable_then(views, redactor).items()
    ]
    again = tuple(one.ruling for one in views if one.again)
    if len(again) >= MANY:
        groups.append(VerdictGroup(again, " are possible again"))
    elsewhere = tuple(one.ruling for one in views if one.elsewhere)
    return [*groups, VerdictGroup(elsewhere, ": another turn is now the last of the round")] if elsewhere else groups


def _unable_then(views: Iterable[RejudgedView], redactor: Redactor) -> dict[str, list[int]]:
    """Return the rulings that become void because somebody can't act any more, by the name of that combatant.

    They are the combatant's own rulings and the answers to them. Combatants who lose fewer than MANY are left out.
    """
    rulings_by: dict[str, list[int]] = {}
    whose: dict[int, str] = {}
    for one in views:
        if one.verdict != "void":
            continue
        actor = actor_of(one.command) if one.command else ""
        who = next((who for who in redactor.combatants(one.state) if who.id == actor), None)
        # An answer of somebody else is lost with the ruling that it answers.
        name = who.name if who and not has_turns(who) else whose.get(one.because, "") if who or not actor else ""
        if name:
            whose[one.ruling] = name
            rulings_by.setdefault(name, []).append(one.ruling)
    return {name: numbers for name, numbers in rulings_by.items() if len(numbers) >= MANY}


def _undrawn_words(key: str, scene: RulingContext) -> str:
    die = read_key(key)
    what = f"a {die.kind} is drawn for {scene.name(die.roller)}'s {die.role.partition('-')[0]}"
    return f"{what} when this is done, so what follows is not known yet"
