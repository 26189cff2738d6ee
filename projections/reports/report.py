"""A report of a fight on one page, to paste into the notes of the session."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from mam_events import events as e
from mam_events.state import Condition, Encounter
from projections.notes.disputes import Dispute, disputes_in
from projections.phrases import left_off
from projections.rulings.bookkeeping import passed_sentences
from projections.rulings.command_text import ruling_words
from projections.rulings.index import RulingContext, RulingIndex, clock
from projections.rulings.summary import sentence_of
from projections.sentences import event_sentence
from projections.state.activities import Activities, activities
from projections.state.pools import PoolRow, rows_of, spends_points

if TYPE_CHECKING:
    from mam_events.history.timeline.rulings import Ruling
    from projections.analysis.undone_dice import UndoneDie
    from projections.rulings.correction_summary import CorrectionSummary
    from projections.visibility.redaction import Redactor

BEST = 3
"""The number of best hits that are listed."""


class FallRow(Struct, frozen=True):
    """A combatant who went down, died or left the fight: the ruling, the round, and their condition now.

    `already` says that they joined in that condition, or that it happened before the first round.
    """

    combatant: str
    name: str
    became: Condition
    ruling: int
    round: int
    now: Condition
    already: bool = False

    @property
    def has_left(self) -> bool:
        """True if they left the fight rather than fell."""
        return self.became == "out"


class Hit(Struct, frozen=True):
    """A hit with its points of stun and damage; `attacker` is "" if the striker is unknown."""

    ruling: int
    attacker: str
    target: str
    stun: int
    damage: int
    sentence: str


class HouseRule(Struct, frozen=True):
    """An option whose reading differs from its preset's."""

    option: str
    reading: str
    preset_reading: str


class RuleChange(Struct, frozen=True):
    """A change of the rules during the fight that counts: its ruling, its author, and a sentence on it."""

    ruling: int
    by: str
    sentence: str


class ReportCorrection(Struct, frozen=True):
    """A correction, the correction that undid it (0: it stands), and its effects on the fight in sentences."""

    ruling: int
    by: str
    sentence: str
    restored_by: int = 0
    summary: tuple[str, ...] = ()


class ReportNote(Struct, frozen=True):
    """A comment about a ruling (0: about the fight), and the game master's rulings that answer it."""

    ruling: int
    by: str
    about: int
    about_what: str
    text: str
    answered_by: tuple[int, ...] = ()


class Report(Struct, frozen=True, kw_only=True):
    """A report of one fight, from its rulings and its last state.

    `rulings` is the number of all rulings, `counting` that of the plays that count, `struck` and `void` those of the
    plays that do not, and `hidden` that of the rulings that the view may not see. `passed` are sentences on the turns
    that passed because nobody played them. `falls` are those who fell, `left` those who left. `before` names the fight
    that this one continues ("": none), `undone` are the dice that were drawn and no longer count. `pools` are current,
    in the order in which the combatants joined; `doing` has their activities, and `spends_points` says whether actions
    cost points. `fingerprint` names the exact rules, `ruleset` is the table's name for them ("": none).
    """

    title: str
    status: str
    preset: str
    fingerprint: str
    house_rules: tuple[HouseRule, ...]
    rounds: int
    rulings: int
    counting: int
    struck: int
    void: int
    hidden: int
    passed: tuple[str, ...]
    falls: tuple[FallRow, ...]
    best_hits: tuple[Hit, ...]
    corrections: tuple[ReportCorrection, ...]
    undone: tuple[UndoneDie, ...] = ()
    remarks: tuple[ReportNote, ...]
    disputes: tuple[Dispute, ...]
    pools: tuple[PoolRow, ...]
    ruleset: str = ""
    rule_changes: tuple[RuleChange, ...] = ()
    spends_points: bool = True
    doing: Activities = {}
    left: tuple[FallRow, ...] = ()
    before: str = ""


def report(
    rulings: Iterable[Ruling],
    state: Encounter,
    view: str | Redactor = "gm",
    *,
    preset_readings: Mapping[str, str],
    summaries: Mapping[int, CorrectionSummary] = MappingProxyType({}),
    dice: tuple[UndoneDie, ...] = (),
) -> Report:
    """Return the report of a fight that now stands at `state`.

    `preset_readings` are the readings of its preset without house rules, `summaries` those of its corrections, and
    `dice` the dice that were drawn and no longer count.
    """
    index = RulingIndex(rulings, view)
    index.redactor.learn(state.combatants.values())
    visible_rulings = [ruling for ruling in index.rulings if index.redactor.shows(ruling)]
    plays = [ruling for ruling in visible_rulings if isinstance(ruling.head, e.Play)]
    counting = [ruling for ruling in plays if ruling.lives]
    pinned = state.ruleset
    falls = [*falls_in(counting, state, index)]
    return Report(
        title=index.redactor.title(state.title),
        status=state.status,
        preset=pinned.preset if pinned else "",
        fingerprint=pinned.fingerprint if pinned else "",
        house_rules=house_rules(pinned.readings if pinned else {}, preset_readings),
        rounds=state.round,
        rulings=len(index.rulings),
        counting=len(counting),
        struck=sum(bool(ruling.struck_by) for ruling in plays),
        void=sum(ruling.is_void and not ruling.struck_by for ruling in plays),
        hidden=len(index.rulings) - len(visible_rulings),
        passed=tuple(passed_sentences(_passed(counting, index))),
        falls=tuple(fall for fall in falls if not fall.has_left),
        left=tuple(fall for fall in falls if fall.has_left),
        before=before_words(counting, index),
        best_hits=best_hits(counting, index),
        corrections=tuple(
            ReportCorrection(
                ruling.number,
                ruling.head.by,
                sentence_of(ruling, index),
                ruling.restored_by,
                summaries[ruling.number].sentences if ruling.number in summaries else (),
            )
            for ruling in visible_rulings
            if isinstance(ruling.head, e.Correction)
        ),
        undone=dice,
        remarks=tuple(
            _remark(ruling.number, ruling.head, index)
            for ruling in visible_rulings
            if isinstance(ruling.head, e.Note) and ruling.head.kind == "comment"
        ),
        disputes=disputes_in(index),
        pools=tuple(rows_of(state, index.redactor)),
        spends_points=spends_points(state),
        doing=activities(state, index.redactor),
        ruleset=index.redactor.text(pinned.name) if pinned else "",
        rule_changes=tuple(
            RuleChange(ruling.number, ruling.head.by, event_sentence(event, RulingContext(index, ruling)))
            for ruling in counting
            for event in ruling.events
            if isinstance(event, e.RulesChanged)
        ),
    )


def _passed(counting: Iterable[Ruling], index: RulingIndex) -> Iterator[tuple[str, int]]:
    """Yield the name and the round of each turn that passes in bookkeeping that counts."""
    for ruling in counting:
        scene = RulingContext(index, ruling)
        for step in index.redactor.bookkeeping(ruling.bookkeeping):
            if step.what == "passed":
                yield scene.name(step.combatant), step.round


def house_rules(readings: Mapping[str, str], preset_readings: Mapping[str, str]) -> tuple[HouseRule, ...]:
    """Return the options whose reading is not the preset's, by name."""
    return tuple(
        HouseRule(option, reading, preset_readings[option])
        for option, reading in sorted(readings.items())
        if option in preset_readings and reading != preset_readings[option]
    )


def falls_in(counting: Iterable[Ruling], state: Encounter, index: RulingIndex) -> Iterable[FallRow]:
    """Yield each combatant who went down or left in those rulings, with their condition in `state`."""
    for ruling in counting:
        scene = RulingContext(index, ruling)
        newcomers = {event.combatant.id for event in ruling.events if isinstance(event, e.CombatantJoined)}
        for event in ruling.events:
            became = _BECAME.get(type(event), _nothing)(event)
            if became and became != "able":
                who: str = event.combatant  # type: ignore[attr-defined]  # every event of the table below has one
                last = state.combatants.get(who)
                now = last.condition if last else became
                when = clock(ruling).round
                yield FallRow(
                    who, scene.name(who), became, ruling.number, when, now, already=who in newcomers or not when
                )


def before_words(counting: Iterable[Ruling], index: RulingIndex) -> str:
    """Return the fight that this one continues, and who did not come: `bridge (ruling 10): Grey left, Old died`."""
    openings = (event for ruling in counting for event in ruling.events if isinstance(event, e.EncounterOpened))
    before = next((event.continues for event in openings), None)
    return f"{before.encounter} ({left_off(index.redactor.read(before))})" if before else ""


def _nothing(_: Any) -> Condition | None:
    return None


_BECAME: dict[type[e.Event], Callable[[Any], Condition | None]] = {
    e.CombatantIncapacitated: lambda _: "incapacitated",
    e.CombatantDied: lambda _: "dead",
    e.ConditionDeclared: lambda event: event.condition,
}


def best_hits(counting: list[Ruling], index: RulingIndex) -> tuple[Hit, ...]:
    """Return the hits with the most points, the best first."""
    wounds = [(event, ruling) for ruling in counting for event in ruling.events if isinstance(event, e.WoundInflicted)]
    wounds.sort(key=lambda pair: (-(pair[0].stun + pair[0].damage), -pair[0].damage, pair[1].number))
    return tuple(_hit(event, RulingContext(index, ruling)) for event, ruling in wounds[:BEST])


def _hit(event: e.WoundInflicted, scene: RulingContext) -> Hit:
    attacker = attacker_of(event, scene)
    return Hit(
        scene.ruling.number,
        scene.name(attacker) if attacker else "",
        scene.name(event.combatant),
        event.stun,
        event.damage,
        event_sentence(event, scene),
    )


def attacker_of(event: e.WoundInflicted, scene: RulingContext) -> str:
    """Return who inflicted the wound; "" if that is unknown."""
    root = scene.action(event.exchange)
    if root and root.target == event.combatant:
        return root.combatant
    strikes = (scene.action(strike.action) for strike in scene.ruling.events if isinstance(strike, _STRUCK_BACK))
    return next((action.combatant for action in strikes if action and action.target == event.combatant), "")


_STRUCK_BACK = (e.CounterattackResolved, e.InterferenceResolved)


def _remark(number: int, note: e.Note, index: RulingIndex) -> ReportNote:
    return ReportNote(
        number,
        note.by,
        note.about,
        ruling_words(note.about, index) if note.about else "",
        index.redactor.text(note.text),
        tuple(index.answered_by.get(number, ())) + tuple(index.answered_by.get(note.about, ())) * bool(note.about),
    )
