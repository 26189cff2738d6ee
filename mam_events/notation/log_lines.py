"""Lines about the log instead of the fight: notes, disputes and corrections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mam_events.errors import BadInput, Refused
from mam_events.notation.grammar.vocabulary import LOG_KEYWORDS
from mam_events.notation.lexer.lexer import ParsedOrder, TextToken
from mam_events.notation.line_result import LineGiven
from mam_events.notation.lines.correction_line import parse_correction_line
from mam_events.notation.lines.note_line import NoteLine
from mam_events.notation.order_writer import OrderWriter

if TYPE_CHECKING:
    from mam_events.history.corrections.corrections import SeesRuling
    from mam_events.history.timeline.timeline import Timeline


def write_note(writer: OrderWriter, note: NoteLine) -> None:
    """Write a note, a dispute or an answer; an answer to no number is about the only open dispute."""

    def check(timeline: Timeline) -> SeesRuling:
        for number in filter(None, (note.about, *note.corrections)):
            writer.options.author.check_about(timeline, number)
        writer.options.author.check_visible(timeline, note.visibility)
        return writer.options.author.sees(timeline)

    writer.asks_log = True
    sees = writer.log.look(writer.encounter, check)
    if note.kind == "answer" and not note.about:
        note = replace(note, about=_open_dispute(writer, sees))
    answer = writer.log.note(
        writer.encounter,
        note.text,
        kind=note.kind,
        about=note.about,
        rule=note.rule,
        visibility=note.visibility,
        corrections=note.corrections,
        sees=sees,
        **writer.options_for_next(),
    )
    writer.add_answer(note.long, answer)


def write_correction(writer: OrderWriter, parsed: ParsedOrder) -> LineGiven:
    """Write a correction, or return its effect on later rulings if it has any and is not confirmed."""
    own = LOG_KEYWORDS[parsed.words[0].word.lower()]
    timeline, author = writer.log.timeline(writer.encounter), writer.options.author
    sees = author.sees(timeline)
    if not author.knows_all and not (own.word == "undo" and _takes_only_reason(parsed)):
        raise Refused("not_yours/own_last")
    correction_line = parse_correction_line(
        timeline, lambda state: author.fight(timeline, state, writer.log.rules), parsed, sees
    )
    author.check_undo(timeline, correction_line.steps)
    line = correction_line.long(timeline)
    if writer.asks:
        preview = writer.log.preview(writer.encounter, correction_line.steps, sees=sees, turns=correction_line.turns)
        # Authors who may undo only their newest line know which one it is, even after newer notes.
        asks = correction_line.passes_note and author.knows_all
        if preview.touches_more or asks or writer.options.looks:
            return LineGiven((line,), asks=preview)
    answer = writer.log.correct(
        writer.encounter,
        correction_line.steps,
        reason=correction_line.reason,
        expect=writer.options.expect,
        turns=correction_line.turns,
        **writer.options_for_next(),
    )
    return LineGiven((line,), (answer,))


def _open_dispute(writer: OrderWriter, sees: SeesRuling) -> int:
    """Return the only open dispute; raise BadInput if there is none, or several."""
    disputes = writer.log.look(writer.encounter, lambda timeline: dict(timeline.disputes))
    numbers = [number for number, decided in disputes.items() if not decided and sees(number)]
    if len(numbers) != 1:
        message = f"Say which dispute. Open are {', '.join(map(str, numbers))}." if numbers else "No dispute is open."
        raise BadInput(message, place="answer")
    return numbers[0]


def _takes_only_reason(parsed: ParsedOrder) -> bool:
    """Return True for a log keyword that nothing but a reason follows."""
    return all(isinstance(token.value, TextToken) for token in parsed.words[1:])
