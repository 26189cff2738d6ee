"""The entries of a replay page: for each ruling all that the page shows, in the words of the other projections.

An entry combines what the log, the replay, the audit and the odds say of one ruling; a page only draws it and computes
nothing. It shows nothing of later rulings, apart from what has become of this one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mam_events import events as e
from mam_events.commands import BeginTurn, EndTurn, Join, actor_of
from mam_events.references import names_in
from mam_events.values import OutcomeField
from projections.analysis.odds import odds, possible_outcomes
from projections.rulings.audit import AuditRoll, entry_of
from projections.rulings.frames import HIT_SIGNS, Frame, frame_of, hidden_frame
from projections.rulings.index import ALREADY_DOWN, RulingContext, RulingIndex
from projections.rulings.log_lines import log_line
from projections.rulings.verdicts import Judgement, RejudgedView, VerdictGroup, verdict_groups
from projections.sentences import headlines
from projections.sentences.dice_text import HIT_WORDS, RESULTS
from projections.sentences.opening import FACTORS
from projections.sentences.rounds import action_words
from projections.state.turn_order import OrderRow, project_turn_order
from projections.visibility.legal_orders import allowed_templates

if TYPE_CHECKING:
    from mam_events.history.timeline.rulings import Ruling
    from mam_events.rules.rulebook import Rulebook
    from mam_events.state import Action
    from projections.rulings.correction_summary import CorrectionSummary


_SUMMED = re.compile(r"(?:(?:wild |again |bought )?\[\d+[*!?]?\](?:→\d+)?\+?)+(?:[+-]\d+)* = ")


def without_dice_sums(sentence: str) -> str:
    """Return the sentence without the sums of dice codes, for a page that draws the dice beside it."""
    return _SUMMED.sub("", sentence)


class ExchangeSide(Struct, frozen=True, omit_defaults=True):
    """One of the two sides of an exchange: the combatant, what they do in it, and the index of their roll (-1: none).

    `combatant` is "" for somebody hidden. The index is that in the `rolls` of the entry.
    """

    combatant: str
    name: str
    does: str
    roll: int = -1


class Duel(Struct, frozen=True, omit_defaults=True):
    """An exchange between two: who began it and the other side, its `outcome`, and the result as `verdict`.

    If somebody parried for the target and the target has no roll, the other side is that combatant. `other_rolls` are
    the indexes of the rolls of everybody else who took part.
    """

    parts: tuple[ExchangeSide, ExchangeSide]
    outcome: OutcomeField
    verdict: str
    terms: tuple[str, ...] = ()
    other_rolls: tuple[int, ...] = ()


class OddsBar(Struct, frozen=True, omit_defaults=True):
    """The chances of one decision before its dice fell: each outcome with its words and its share.

    `needs` is what the dice had to show for a full success ("": there is no such simple condition).
    """

    subject: str
    shares: tuple[tuple[str, str, float], ...]
    needs: str = ""


class InterruptWindow(Struct, frozen=True):
    """The window between an action and its result: a sentence, and everybody who may interrupt, with how."""

    sentence: str
    interrupters: tuple[tuple[str, str], ...]


class ReplayEntry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One ruling as a page shows it.

    `line` is its log line; beside drawn dice, `lead` is the main sentence and `consequences` what followed. `rolls` and
    `verdicts` are those of the audit, `folds` combine several verdicts. `reason` is why a correction was made,
    `summary` what it did to the fight. `order` is the turn order after it, with statuses and broken ties in words.
    `odds` are over `ways` ways in which the dice may fall. `window` is the window that the ruling opened (RD6-ACT-04).
    `corrects_roster` marks a correction of joins only, `turn_alone` a turn that begins or ends without any other
    effect. `concerned` are the ids of the combatants that it is about, the actor first.
    """

    frame: Frame
    line: str = ""
    lead: str = ""
    consequences: tuple[str, ...] = ()
    rolls: tuple[AuditRoll, ...] = ()
    verdicts: tuple[Judgement, ...] = ()
    folds: tuple[VerdictGroup, ...] = ()
    reason: str = ""
    summary: tuple[str, ...] = ()
    rule: str = ""
    duel: Duel | None = None
    odds: tuple[OddsBar, ...] = ()
    ways: int = 0
    order: tuple[OrderRow, ...] = ()
    window: InterruptWindow | None = None
    corrects_roster: bool = False
    turn_alone: bool = False
    concerned: tuple[str, ...] = ()


def replay_entries(
    rulings: Iterable[Ruling],
    index: RulingIndex,
    rules: Rulebook,
    summaries: Mapping[int, CorrectionSummary] = MappingProxyType({}),
) -> Iterator[ReplayEntry]:
    """Yield an entry for each of those rulings; `index` must know all rulings that they refer to.

    `summaries` are those of corrections and inserts.
    """
    order_settled: e.InitiativeEstablished | None = None
    of_roster = _roster_corrections(index)
    for ruling in rulings:
        if ruling.lives:
            order_settled = next(
                (one for one in ruling.events if isinstance(one, e.InitiativeEstablished)), order_settled
            )
        entry, summary = _entry(ruling, index, rules, order_settled), summaries.get(ruling.number)
        if not entry.frame.hidden and ruling.number in of_roster:
            entry = replace(entry, corrects_roster=True)
        yield replace(entry, summary=summary.sentences) if summary else entry


def _roster_corrections(index: RulingIndex) -> set[int]:
    """Return the corrections that only change joins, and those that only undo such corrections."""
    numbers: set[int] = set()
    for ruling in sorted(index.rulings, key=lambda one: one.number):
        if not isinstance(ruling.head, e.Correction):
            continue
        about = [(step.ruling, index.ruling(step.ruling)) for step in ruling.head.steps]
        if all(number in numbers or (other and isinstance(other.command, Join)) for number, other in about):
            numbers.add(ruling.number)
    return numbers


def _entry(
    ruling: Ruling, index: RulingIndex, rules: Rulebook, order_settled: e.InitiativeEstablished | None
) -> ReplayEntry:
    """Return the entry of one ruling; a hidden one has only a number. `order_settled` settled the order."""
    frame = frame_of(ruling, index)
    if frame.hidden:
        return ReplayEntry(frame=frame)
    entry, scene = entry_of(ruling, index), RulingContext(index, ruling)
    duel = _duel(ruling, entry.rolls, scene)
    events = outcome_first(ruling.events)
    lead, *more_lines = headlines(events, scene) if events and not ruling.is_void else (frame.sentence,)
    bars, ways = _odds(ruling, scene, rules)
    return ReplayEntry(
        frame=frame,
        line=log_line(ruling, index).text,
        lead=without_dice_sums(lead),
        consequences=tuple(map(without_dice_sums, more_lines)),
        rolls=entry.rolls,
        verdicts=entry.verdicts,
        folds=_folds(ruling, entry.verdicts, index),
        reason=str(entry.asked.get("reason", "")) if entry.kind == "correction" else "",
        rule=str(entry.asked.get("rule", "")) if entry.kind == "note" else "",
        duel=duel,
        odds=bars,
        ways=ways,
        order=tuple(
            replace(row, ahead_by=FACTORS.get(row.ahead_by, row.ahead_by))
            for row in project_turn_order(ruling.after, index.redactor, order_settled).rows
        ),
        window=_window(ruling, scene, rules),
        turn_alone=_is_turn_alone(ruling, frame),
        concerned=_concerned(ruling, duel, scene),
    )


def _folds(ruling: Ruling, verdicts: tuple[Judgement, ...], index: RulingIndex) -> tuple[VerdictGroup, ...]:
    """Return the verdicts of a ruling that can be combined; verdicts with bookkeeping stay separate."""
    was = {outcome.rejudged.ruling: outcome.was for outcome in ruling.outcomes}
    views = [
        RejudgedView(
            one.ruling,
            one.verdict,
            one.because,
            about.command,
            about.after,
            again=one.verdict == "changed" and not was[one.ruling],
            elsewhere=one.ends_elsewhere,
        )
        for one in verdicts
        if one.verdict != "hidden" and not one.bookkeeping and (about := index.visible_ruling(one.ruling))
    ]
    return tuple(verdict_groups(views, index.redactor))


def hidden_entry(number: int) -> ReplayEntry:
    """Return the entry of a ruling that the view may not see."""
    return ReplayEntry(frame=hidden_frame(number))


def outcome_first(events: tuple[e.Event, ...]) -> tuple[e.Event, ...]:
    """Return the events of a ruling, those with its outcome first."""
    return tuple(sorted(events, key=lambda event: not isinstance(event, _OUTCOMES)))


_OUTCOMES = (
    e.ActionResolved,
    e.AttackResolved,
    e.InitiativeEstablished,
    e.OutcomeDeclared,
    e.RamResolved,
    e.ResultDeclared,
    e.SurpriseEstablished,
)


def _concerned(ruling: Ruling, duel: Duel | None, scene: RulingContext) -> tuple[str, ...]:
    """Return the combatants that a ruling is about: the two of its exchange, its actor, and those it names."""
    command, root = ruling.command, scene.action(ruling.exchange) if ruling.exchange else None
    names = [part.combatant for part in duel.parts] if duel else []
    names += [root.combatant, root.target] if root else []
    names += (
        [actor_of(command), *(str(one.value) for one in names_in(command) if "combatant" in one.kinds)]
        if command
        else []
    )
    visible_ids = {one.id for one in scene.redactor.combatants(ruling.after)}
    return tuple(dict.fromkeys(who for who in names if who in visible_ids))


def _is_turn_alone(ruling: Ruling, frame: Frame) -> bool:
    """Return True if a ruling only begins or ends a turn, without any other effect and without marks."""
    return (
        isinstance(ruling.command, BeginTurn | EndTurn)
        and not (frame.marks or frame.bookkeeping)
        and all(
            event == e.RoundEnded(event.round) if isinstance(event, e.RoundEnded) else isinstance(event, _OF_TURNS)
            for event in ruling.events
        )
    )


_OF_TURNS = (e.TurnStarted, e.TurnEnded, e.RoundStarted)


def _window(ruling: Ruling, scene: RulingContext, rules: Rulebook) -> InterruptWindow | None:
    """Return the window that a ruling opened: an action whose result the game master has yet to declare."""
    action = ruling.after.window.action(ruling.number) if ruling.lives else None
    if action is None:
        return None
    progress = f"has come to {action.total}, and" if action.total is not None else "is under way:"
    interrupters: dict[str, str] = {}
    for offer in allowed_templates(rules, ruling.after, scene.redactor, tuple(COMING_IN)):
        interrupters.setdefault(offer.combatant, COMING_IN[offer.do])
    sentence = (
        f"The {action_words(action.action)} {progress} its result is not declared. Those who have waited may interrupt."
    )
    return InterruptWindow(sentence, tuple(interrupters.items()))


COMING_IN = {"interrupt": "may interrupt", "move-up": "may move up, for some reactions"}
"""The orders by which somebody can come in between an action and its result, in words."""


def _duel(ruling: Ruling, rolls: tuple[AuditRoll, ...], scene: RulingContext) -> Duel | None:
    """Return the exchange that a ruling decided, if it has two sides."""
    decided = next((event for event in ruling.events if isinstance(event, e.AttackResolved)), None)
    root = scene.action(decided.exchange) if decided else None
    if decided is None or root is None or not root.target:
        return None
    words = RESULTS if root.manipulation else HIT_WORDS
    parts = tuple(_part(who, root, rolls, scene) for who in (root.combatant, _opponent(ruling, root)))
    names = {part.combatant for part in parts}
    others = tuple(
        at for at, roll in enumerate(rolls) if roll.what in ("parry", "interference") and roll.combatant not in names
    )
    totals = [rolls[part.roll].total for part in parts if part.roll >= 0]
    against = (f"{totals[0]} against {totals[1]}",) if len(totals) == len(parts) else ()
    power = (f"power {decided.power}",) if decided.outcome != "fail" and decided.power else ()
    return Duel((parts[0], parts[1]), decided.outcome, words[decided.outcome], (*against, *power), others)


def _opponent(ruling: Ruling, root: Action) -> str:
    """Return who rolls against the attack: the target, or the one who parried in their place."""
    rolls = [event for event in ruling.events if isinstance(event, e.RollMade) and event.combatant != root.combatant]
    if any(event.combatant == root.target for event in rolls):
        return root.target
    stopped = {
        event.action for event in ruling.events if isinstance(event, e.InterferenceResolved) and event.outcome != "fail"
    }
    parries = [event for event in rolls if isinstance(event, e.ParryRolled)]
    # If several parried for the same target, the one who stopped the blow is shown.
    parries.sort(key=lambda event: event.action not in stopped)
    return parries[0].combatant if parries else root.target


def _part(who: str, root: Action, rolls: tuple[AuditRoll, ...], scene: RulingContext) -> ExchangeSide:
    id_ = scene.visible_id(who)
    at = next((at for at, roll in enumerate(rolls) if roll.combatant == id_ and roll.what not in _BESIDE), -1)
    return ExchangeSide(id_, scene.name(who), _does(who, root, scene), at)


_BESIDE = {"armor", "confirmation", "initiative"}
"""Rolls that do not decide an exchange."""
_REACTIONS: Mapping[str, str] = {"counterattack": "strikes back", "parry": "parries", "interference": "interferes"}


def _does(who: str, root: Action, scene: RulingContext) -> str:
    """Return what a combatant does in an exchange in two or three words: `attacks, Ice Blade`."""
    if who == root.combatant:
        verb, weapon = ("attacks" if not root.manipulation else "grapples"), root.weapon
    else:
        exchange = next((one for one in scene.ruling.before.declared if one.action(root.id)), None)
        done = [one for one in exchange.actions if one.combatant == who] if exchange else []
        stands = ALREADY_DOWN if scene.is_unable(who) else "defends"
        verb = _REACTIONS[done[-1].kind] if done and done[-1].kind in _REACTIONS else stands
        if done and done[-1].kind == "parry" and who != root.target:
            verb = f"{verb} for {scene.name(root.target)}"
        weapon = done[-1].weapon if done else ""
    return f"{verb}, {scene.thing(who, weapon)}" if weapon else verb


def _odds(ruling: Ruling, scene: RulingContext, rules: Rulebook) -> tuple[tuple[OddsBar, ...], int]:
    """Return the odds of an exchange before its dice fell and the number of ways; none if there are too many ways."""
    ways = possible_outcomes(ruling, rules)
    bars = (
        OddsBar(
            one.subject,
            tuple((how, one.words[how], one.chances[how]) for how in HIT_SIGNS if how in one.chances),
            one.needs,
        )
        for one in odds(ways, ruling.before, scene).chances
    )
    return tuple(bars), len(ways)
