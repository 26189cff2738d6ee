"""The log as a terminal shows it: one line for each ruling, with marks for what became of it.

`[6]` is a die thrown at the table, `[6*]` one drawn from the encounter's seed, `[6!]` one given by an amendment; a
number without brackets means that no die was rolled. Marks: `↶` undone, `✗` void, `~` amended or judged again, `?`
disputed, `§` answered by the game master or decided, `↳` inserted, `↷` a correction that was itself undone, or a
decision based on one, `◑` hidden from others, `▒` hidden from this view. A line that has `–` in place of a number is
bookkeeping of a correction for the ruling below it, such as a turn that passes because nobody played it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from mam_events import events as e
from mam_events.history.timeline.rulings import Ruling
from projections.phrases import short_moment
from projections.rulings.bookkeeping import bookkeeping_of
from projections.rulings.command_text import capitalized_command_clause
from projections.rulings.index import RulingContext, RulingIndex, clock
from projections.rulings.marks import HIDDEN_TEXT, marks_of
from projections.rulings.summary import KINDS, Kind, sentence_of
from projections.sentences import PARTS, ROLLS, event_sentence
from projections.sentences.dice_text import roll_text
from projections.sentences.types import phrase_for
from projections.visibility.redaction import Redactor


class LogLine(Struct, frozen=True):
    """One ruling in one line; `struck` and `void` say that it does not count, and the marks say why.

    `round` and `turn` count from 1 (0: before the first). `bookkeeping` says what a correction did before this ruling
    so that it still counts, one sentence for each extra line. A `hidden` ruling has only its number and its mark.
    """

    number: int
    kind: Kind | Literal[""]
    round: int
    turn: int
    text: str
    marks: tuple[str, ...] = ()
    struck: bool = False
    void: bool = False
    hidden: bool = False
    bookkeeping: tuple[str, ...] = ()


def log_lines(rulings: Iterable[Ruling], view: str | Redactor = "gm", last: int = 0) -> list[LogLine]:
    """Return a line for every ruling in the given order, or only for the `last` ones if that is not 0."""
    index = RulingIndex(rulings, view)
    return [log_line(ruling, index) for ruling in index.rulings[-last:]]


def bookkeeping_lines(line: LogLine) -> list[str]:
    """Return the bookkeeping before a ruling as lines of plain text, each after a dash."""
    return [f"{'':13}– {sentence}" for sentence in line.bookkeeping]


def log_line_text(line: LogLine) -> str:
    """Return the line as plain text with its marks: `#17 r2 t1 Modre → Clone …`."""
    return "  ".join((line_text(line), *line.marks)).rstrip()


def line_text(line: LogLine) -> str:
    """Return the line as plain text without its marks; this part no longer counts if the ruling was struck."""
    return "  ".join((f"#{line.number:<3} {short_moment(line.round, line.turn):<6}", *filter(None, (line.text,))))


def log_line(ruling: Ruling, index: RulingIndex) -> LogLine:
    """Return the line of one ruling."""
    ruling = index.as_seen(ruling)
    if not index.redactor.shows(ruling):
        return LogLine(ruling.number, "", 0, 0, "", (HIDDEN_TEXT,), hidden=True)
    when = clock(ruling)
    return LogLine(
        ruling.number,
        KINDS[type(ruling.head)],
        when.round,
        when.turn,
        _text(ruling, index),
        marks_of(ruling, index),
        bool(ruling.struck_by or ruling.restored_by),
        ruling.is_void,
        bookkeeping=bookkeeping_of(ruling, index),
    )


def _text(ruling: Ruling, index: RulingIndex) -> str:
    if ruling.is_void:
        return capitalized_command_clause(ruling, index)
    if any(isinstance(event, e.RollMade) for event in ruling.events):
        return exchange_line(ruling, index)
    if any(isinstance(event, e.RollsTold) for event in ruling.events):
        return roll_line(ruling, index)
    return sentence_of(ruling, index).rstrip(".")


def roll_line(ruling: Ruling, index: RulingIndex) -> str:
    """Return a roll outside an exchange in one line: `Modre · leap the gap · [14]+6 = 20 vs 15 · success`."""
    scene = RulingContext(index, ruling)
    first, *others = [scene.redactor.read(event) for event in ruling.events]
    parts = [
        *(ROLLS[type(first)](first, scene) if type(first) in ROLLS else (event_sentence(first, scene).rstrip("."),))
    ]
    for event in others:
        parts += ROLLS[type(event)](event, scene) if type(event) in ROLLS else (_part(event, scene),)
    return " · ".join(filter(None, parts))


def _part(event: e.Event, scene: RulingContext) -> str:
    """Return an event as a later part of a line: in lower case, unless a name begins it."""
    if type(event) in PARTS:
        return phrase_for(PARTS, event, scene).rstrip(".")
    sentence = event_sentence(event, scene).rstrip(".")
    begins_with_name = any(sentence.startswith(scene.name(name)) for name in scene.ruling.after.combatants)
    return sentence if begins_with_name else f"{sentence[:1].lower()}{sentence[1:]}"


def exchange_line(ruling: Ruling, index: RulingIndex) -> str:
    """Return an exchange in one line: `Modre → Clone · Ice Blade · [6]+2 = 8 vs [4]+2 = 6 · hit · damage 2`."""
    scene = RulingContext(index, ruling)
    events = _attack_first([index.redactor.read(event) for event in ruling.events], scene)
    rolls = " vs ".join(_labelled(event, scene) for event in events if isinstance(event, e.RollMade))
    rest = [_part(event, scene) for event in events if not isinstance(event, e.RollMade)]
    return " · ".join(filter(None, (*_sides(ruling, scene), rolls, *rest)))


def _attack_first(events: list[e.Event], scene: RulingContext) -> list[e.Event]:
    """Return the events with the result of a counterattack after that of the attack, before what it does."""
    counterattack = next((event for event in events if isinstance(event, e.CounterattackResolved)), None)
    action = scene.action(counterattack.action) if counterattack else None
    attack = next((event for event in events if isinstance(event, e.AttackResolved)), None)
    if counterattack is None or attack is None or action is None or action.manipulation:
        return events
    events.remove(counterattack)
    later = range(events.index(attack) + 1, len(events))
    at = next((at for at in later if getattr(events[at], "combatant", "") == action.target), len(events))
    return [*events[:at], counterattack, *events[at:]]


def _sides(ruling: Ruling, scene: RulingContext) -> list[str]:
    """Return who does what to whom, and with what."""
    root = scene.action(ruling.exchange)
    if root is None:
        return [f"Exchange {ruling.exchange}"]
    who = scene.name(root.combatant)
    if root.kind != "attack":
        return [f"{who} acts"]
    return [f"{who} → {scene.target_name(root.target)}", scene.thing(root.combatant, root.weapon)]


def _labelled(event: e.RollMade, scene: RulingContext) -> str:
    if isinstance(event, e.ParryRolled):
        root = scene.action(event.exchange)
        whose = "" if root and root.target == event.combatant else f"{scene.name(event.combatant)}'s "
        return f"{whose}{event.what} {roll_text(event)}"
    # The line names attacker and defender before the rolls, but not who interferes.
    if isinstance(event, e.InterferenceRolled):
        return f"{scene.name(event.combatant)} {roll_text(event)}"
    return roll_text(event)
