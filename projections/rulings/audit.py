"""The audit trail: every ruling ever written, what was asked, how it was judged, and what has become of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from mam_events import events as e
from mam_events.dice import Die, read_key
from mam_events.history.judge.verdicts import differs_only_in_round_end
from mam_events.history.timeline.rulings import Ruling
from projections.phrases import author_words, because_of, join_words, moment_words
from projections.rulings.bookkeeping import bookkeeping_of, bookkeeping_sentences
from projections.rulings.command_text import proposal_fields
from projections.rulings.index import UNCHANGED_VERDICTS, RulingContext, RulingIndex, clock
from projections.rulings.summary import KINDS, Kind, StruckBy, sees_outcome, sentence_of, struck_of
from projections.rulings.verdicts import Judgement
from projections.sentences import event_sentences, outcome_difference
from projections.sentences.rounds import code_roll_words
from projections.visibility.redaction import Redactor


class AuditRoll(Struct, frozen=True):
    """One roll: its roller, its purpose, the die, the source of its face, and every modifier with its rule.

    If a fixed number takes the place of the die, `key`, `kind` and `source` are "" and `face` is 0; the number is
    `total` minus the modifiers.
    """

    combatant: str
    name: str
    what: str
    key: str
    kind: str
    face: int
    source: str
    modifiers: tuple[e.Modifier, ...]
    total: int


ENDS_ELSEWHERE = "another turn is now the last of the round"


class AuditEntry(Struct, frozen=True, kw_only=True):
    """One ruling in the audit trail.

    `turn` is the turn within the round, counted from 1 (0: before the first turn). `asked` has the fields of the
    command, the steps of a correction or the words of a note, without defaults; `first_asked` has those of the original
    if it was amended. `follows` has a sentence for each event and for each roll of a dice code. `bookkeeping` says what
    a correction did before this ruling so that it still counts. `verdict`, `why`, `because` and `rejudged_by` are the
    latest judgement ("": as first judged); `verdicts` is what this ruling changed in others. `disputed_by` are all
    disputes about it, `decided_by` is the decision of a dispute (0: it is open), and `taken_back` are the corrections
    that a decision named and that no longer count. `visibility` says who may see it: `public`, `side:NAME` or `gm`. A
    ruling that is `hidden` from the view has only its number.
    """

    number: int
    hidden: bool = False
    at: str = ""
    by: str = ""
    kind: Kind | Literal[""] = ""
    do: str = ""
    round: int = 0
    turn: int = 0
    after: int = 0
    exchange: int = 0
    asked: dict[str, Any] = {}
    first_asked: dict[str, Any] = {}
    sentence: str = ""
    rolls: tuple[AuditRoll, ...] = ()
    follows: tuple[str, ...] = ()
    bookkeeping: tuple[str, ...] = ()
    lives: bool = True
    struck: StruckBy | None = None
    restored_by: int = 0
    amended: bool = False
    amended_by: tuple[int, ...] = ()
    verdict: e.Verdict | Literal[""] = ""
    why: str = ""
    because: int = 0
    rejudged_by: int = 0
    verdicts: tuple[Judgement, ...] = ()
    disputed_by: tuple[int, ...] = ()
    decided_by: int = 0
    taken_back: tuple[int, ...] = ()
    answered_by: tuple[int, ...] = ()
    visibility: str = ""


def audit_trail(rulings: Iterable[Ruling], view: str | Redactor = "gm") -> list[AuditEntry]:
    """Return an entry for every ruling, in the given order."""
    index = RulingIndex(rulings, view)
    return [entry_of(ruling, index) for ruling in index.rulings]


def entry_of(ruling: Ruling, index: RulingIndex) -> AuditEntry:
    """Return the entry of one ruling."""
    ruling = index.as_seen(ruling)
    if not index.redactor.shows(ruling):
        return AuditEntry(number=ruling.number, hidden=True)
    head, when = ruling.head, clock(ruling)
    return AuditEntry(
        number=ruling.number,
        at=head.at,
        by=head.by,
        kind=KINDS[type(head)],
        round=when.round,
        turn=when.turn,
        lives=ruling.lives,
        disputed_by=tuple(index.disputed_by.get(ruling.number, ())),
        decided_by=index.decision(ruling.number),
        answered_by=tuple(index.answered_by.get(ruling.number, ())),
        visibility=index.redactor.visibility(ruling),
        **_TOLD[type(head)](ruling, index),
    )


def verdicts_of(ruling: Ruling, index: RulingIndex) -> tuple[Judgement, ...]:
    """Return the verdicts of a ruling on other rulings, as far as they are visible to the view."""
    scene = RulingContext(index, ruling)
    verdicts = []
    for outcome in ruling.outcomes:
        rejudged = outcome.rejudged
        if sees_outcome(rejudged, index):
            is_elsewhere, same_later = (
                differs_only_in_round_end(outcome.was, outcome.events),
                bookkeeping_sentences(outcome.bookkeeping, scene),
            )
            if is_elsewhere and not index.redactor.everything:
                # The other turn may belong to somebody hidden: the ruling is shown as standing, as in a preview.
                verdicts += [Judgement(rejudged.ruling, "stands", bookkeeping=same_later)] if same_later else []
                continue
            place = RulingContext(index, index.visible_ruling(rejudged.ruling) or ruling)
            is_changed = rejudged.verdict == "changed" and not is_elsewhere
            verdicts.append(
                Judgement(
                    rejudged.ruling,
                    rejudged.verdict,
                    index.redactor.why(rejudged),
                    outcome.because,
                    outcome_difference(outcome.was, outcome.events, place, place) if is_changed else "",
                    same_later,
                    follows=event_sentences(outcome.events, scene),
                    ends_elsewhere=is_elsewhere,
                )
            )
        elif rejudged.verdict not in UNCHANGED_VERDICTS or index.visible_ruling(rejudged.ruling) is None:
            verdicts.append(Judgement(rejudged.ruling, "hidden"))
    return tuple(verdicts)


def _play(ruling: Ruling, index: RulingIndex) -> dict[str, Any]:
    head = ruling.head
    assert isinstance(head, e.Play)  # noqa: S101 - the table below says so
    scene = RulingContext(index, ruling)
    fields = index.redactor.plain(ruling.command) if ruling.command else {}
    rejudged = ruling.rejudged
    return {
        "do": fields.pop("do"),
        "after": head.after,
        "exchange": ruling.exchange,
        "asked": fields,
        "first_asked": _without_name(index.redactor.plain(head.command)) if ruling.amended else {},
        "sentence": sentence_of(ruling, index),
        "rolls": tuple(roll for event in ruling.events for roll in _rolls(scene.redactor.read(event), scene)),
        "follows": (*event_sentences(ruling.events, scene), *_dice_sentences(ruling, scene)),
        "bookkeeping": bookkeeping_of(ruling, index),
        "struck": struck_of(ruling, index),
        "amended": ruling.amended,
        "amended_by": tuple(index.amended_by.get(ruling.number, ())),
        "verdict": rejudged.verdict if rejudged else "",
        "why": index.redactor.why(rejudged) if rejudged else "",
        "because": ruling.because,
        "rejudged_by": ruling.rejudged_by,
        "verdicts": verdicts_of(ruling, index),
    }


def _dice_sentences(ruling: Ruling, scene: RulingContext) -> tuple[str, ...]:
    """Return a sentence with all dice for each roll of a dice code; the events' own sentences show them in short."""
    rolls = (event for event in ruling.events if isinstance(event, e.CodeRolled) and event.roll)
    return tuple(code_roll_words(scene.redactor.read(event), scene) for event in rolls)


def _without_name(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name != "do"}


def _correction(ruling: Ruling, index: RulingIndex) -> dict[str, Any]:
    head = ruling.head
    assert isinstance(head, e.Correction)  # noqa: S101 - the table below says so
    steps = [
        replace(step, patch=index.redactor.patch(step)) if isinstance(step, e.Amend) else step for step in head.steps
    ]
    reason = {"reason": index.redactor.text(head.reason)} if head.reason else {}
    return {
        "do": "correct",
        "asked": {"steps": to_builtins(steps)} | reason,
        "sentence": sentence_of(ruling, index),
        "restored_by": ruling.restored_by,
        "verdicts": verdicts_of(ruling, index),
    }


def _note(ruling: Ruling, index: RulingIndex) -> dict[str, Any]:
    head = ruling.head
    assert isinstance(head, e.Note)  # noqa: S101 - the table below says so
    order = proposal_fields(head, index) if head.order else {}
    fields = {"about": head.about, "rule": head.rule, "corrections": head.corrections, "order": order}
    words = {"text": index.redactor.text(head.text)} | {field: value for field, value in fields.items() if value}
    numbers = tuple(number for number in head.corrections if index.taken_back(number))
    return {"do": head.kind, "asked": words, "sentence": sentence_of(ruling, index), "taken_back": numbers}


def _branch(ruling: Ruling, index: RulingIndex) -> dict[str, Any]:
    head = ruling.head
    assert isinstance(head, e.Branch)  # noqa: S101 - the table below says so
    fields = {"parent": head.parent, "left": head.left, "behind": head.behind, "seed": head.seed}
    seeds = {"commitment": head.commitment} | {name: value for name, value in fields.items() if value}
    return {"do": "branch", "asked": seeds, "sentence": sentence_of(ruling, index)}


_TOLD: dict[type[e.Head], Callable[[Ruling, RulingIndex], dict[str, Any]]] = {
    e.Play: _play,
    e.Correction: _correction,
    e.Note: _note,
    e.Branch: _branch,
}


def _rolls(event: e.Event, scene: RulingContext) -> tuple[AuditRoll, ...]:
    if isinstance(event, e.RollMade):
        second = event.confirmation
        confirmed = (_bare_roll(second, event.combatant, "confirmation", scene),) if second else ()
        return (_roll(event, scene), *confirmed)
    if isinstance(event, e.ArmorChecked):
        return (_bare_roll(event.die, event.combatant, "armor", scene),) if event.die else ()
    if isinstance(event, e.InitiativeEstablished):
        return tuple(_bare_roll(die, read_key(die.key).roller, "initiative", scene) for die in event.dice)
    if isinstance(event, e.CodeRolled):
        return _code_rolls(event, scene)
    if isinstance(event, e.RollsTold):
        return tuple(roll for success_roll in event.rolls for roll in _success_rolls(success_roll, scene))
    return ()


def _roll(event: e.RollMade, scene: RulingContext) -> AuditRoll:
    who_rolls, name, what = scene.visible_id(event.combatant), scene.name(event.combatant), event.what
    die = event.die
    if die is None:
        return AuditRoll(who_rolls, name, what, "", "", 0, "", event.modifiers, event.total)
    return AuditRoll(who_rolls, name, what, die.key, die.kind, die.face, die.source, event.modifiers, event.total)


def _success_rolls(success_roll: e.SuccessRoll, scene: RulingContext) -> tuple[AuditRoll, ...]:
    die = success_roll.die
    who_rolls, name = scene.visible_id(success_roll.combatant), scene.name(success_roll.combatant)
    roll = AuditRoll(
        who_rolls,
        name,
        success_roll.what,
        die.key,
        die.kind,
        die.face,
        die.source,
        success_roll.modifiers,
        success_roll.total,
    )
    second = success_roll.confirmation
    return (roll, _bare_roll(second, success_roll.combatant, "confirmation", scene)) if second else (roll,)


def _code_rolls(event: e.CodeRolled, scene: RulingContext) -> tuple[AuditRoll, ...]:
    """Return the total of a dice code as a roll, and each of its dice by its role."""
    roll = event.roll
    if roll is None:
        return ()
    who_rolls, name = scene.visible_id(event.combatant), scene.name(event.combatant)
    total_roll = AuditRoll(who_rolls, name, roll.code, "", "", 0, "", roll.modifiers, roll.total)
    return (total_roll, *(_bare_roll(one.die, event.combatant, one.role, scene) for one in roll.dice))


def _bare_roll(die: Die, combatant: str, what: str, scene: RulingContext) -> AuditRoll:
    who_rolls, name = scene.visible_id(combatant), scene.name(combatant)
    return AuditRoll(who_rolls, name, what, die.key, die.kind, die.face, die.source, (), die.face)


def audit_text(entry: AuditEntry) -> str:
    """Return the entry as plain lines: who ruled what, each event with its rules, and what became of it."""
    if entry.hidden:
        return f"#{entry.number}  hidden"
    when = f"  {moment_words(entry.round, entry.turn)} ·" if entry.round else " "
    lines = [f"#{entry.number}{when} {entry.do} · by {author_words(entry.by)}"]
    lines += [f"      – {sentence}" for sentence in entry.bookkeeping]
    lines.append(f"    {entry.sentence}")
    # Skip what the sentence already says.
    lines += [f"      {sentence}" for sentence in entry.follows if sentence.rstrip(".") not in entry.sentence]
    lines += [f"    {line}" for line in fate_words(entry)]
    lines += [f"    {line}" for verdict in entry.verdicts for line in verdict_lines(verdict)]
    return "\n".join(lines)


def fate_words(entry: AuditEntry) -> list[str]:
    """Return what became of a ruling, a clause each: who undid it and why, verdicts, disputes."""
    cause = entry.struck
    by = f" by {cause.who}" if cause and cause.who else ""
    because = f", because of {entry.because}" if entry.because else ""
    clauses = {
        "inserted after": entry.after,
        "undone by": cause and f"{cause.by}{by}{because_of(cause.why)}",
        "itself undone by": entry.restored_by,
        "amended by": join_words(list(map(str, entry.amended_by))),
        "judged again by": entry.verdict and f"{entry.rejudged_by}: {entry.verdict}{because}",
        "disputed in": join_words(list(map(str, entry.disputed_by))),
        "decided by": entry.decided_by,
        "undone since:": join_words(list(map(str, entry.taken_back))),
        "answered by": join_words(list(map(str, entry.answered_by))),
    }
    return [f"{what} {value}" for what, value in clauses.items() if value]


def verdict_lines(judgement: Judgement) -> list[str]:
    """Return the verdict on another ruling as lines: the verdict, and its sentences below."""
    because = f", because of {judgement.because}" if judgement.because else ""
    why = ENDS_ELSEWHERE if judgement.ends_elsewhere else judgement.why
    return [
        f"{judgement.ruling}: {judgement.verdict}{because}{because_of(why)}",
        *(f"  – {sentence}" for sentence in judgement.bookkeeping),
        *(f"  {sentence}" for sentence in judgement.follows),
    ]
