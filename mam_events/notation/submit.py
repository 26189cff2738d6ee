"""A line given to the log: read with the fight, written whole or not at all, and stopped where somebody may react."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mam_events.commands import COMMANDS
from mam_events.errors import BadInput, MamError, NotFound, Refused, VersionConflict
from mam_events.events import Correction, Note
from mam_events.history.timeline.command_ids import batch_member_id
from mam_events.history.timeline.entries import rows_until
from mam_events.history.timeline.rulings import visibility_now
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.idempotency import digest, first_answer, typed_as
from mam_events.log.results import Answer
from mam_events.log.validation import new_id
from mam_events.notation.author import LineAuthor
from mam_events.notation.execute import LineExecution
from mam_events.notation.grammar.long_form import long_form
from mam_events.notation.grammar.names import COMBATANT, People
from mam_events.notation.grammar.verbs import own_word
from mam_events.notation.grammar.vocabulary import LOG_KEYWORDS, SYNONYMS
from mam_events.notation.insert import insert_orders
from mam_events.notation.lexer.lexer import CONFIRM_MARK, MOST_DIGITS, ParsedOrder, TextToken, WordToken, orders_in
from mam_events.notation.lexer.normalize import one_line
from mam_events.notation.line_result import NO_OPTIONS, LineGiven, LineOptions
from mam_events.notation.lines.correction_line import CorrectionLine, insert_long_form
from mam_events.notation.lines.idioms import as_own_word
from mam_events.notation.lines.join_line import parse_join_lines, with_count
from mam_events.notation.lines.note_line import NoteLine
from mam_events.notation.log_lines import write_correction
from mam_events.refusals.arguments import Term
from mam_events.refusals.suggestions import suggestion_text
from mam_events.store import build_events
from mam_events.visibility import PUBLIC, can_see

if TYPE_CHECKING:
    from mam_events.log.combat_log import CombatLog

META = ("by", "id", "expect")
"""Fields about the whole line, which stand beside its orders; the visibility is set for each order."""


def give_line(log: CombatLog, encounter: str, line: str, options: LineOptions = NO_OPTIONS) -> LineGiven:
    """Give a line: all of its orders, each a ruling of its own, in one transaction, or none.

    Raises BadInput for a line that cannot be read or could mean several things, and for a die that has to be thrown;
    otherwise raises as the log does.
    """
    line = _COLON.sub(r"\1 ", one_line(line), count=1)
    author, command_id, passing = options.author, options.command_id, options.passing
    speaker, order_line = _speaker(log, encounter, line, author)
    orders, meta = _meta(orders_in(order_line))
    meta = speaker | meta
    if not author.knows_all:
        _check_own(meta, draws=options.draws)
    expected, expect = _expecting(meta.get("expect", ""), options.expected, options.expect)
    # For a request with a token, the id has a prefix before a colon.
    if command_id and meta.get("id") and command_id not in (meta["id"], f"{command_id.partition(':')[0]}:{meta['id']}"):
        raise BadInput("The id in the line differs from the id sent with the line.", place="id", wrong=meta["id"])
    command_id = command_id or meta.get("id", "")
    if command_id and (again := _given(log, encounter, command_id, line, author)):
        return again if not author.knows_all else _as_it_stopped(log, encounter, line, again, passing)
    orders, meant_so = _sure(orders, line)
    if not all(order.words or order.ends for order in orders):
        raise BadInput("There is no order in this line.", wrong=line)
    if unknown := [order for order in passing if order not in COMMANDS]:
        message = f'There is no order "{unknown[0]}". {suggestion_text(unknown[0], COMMANDS)}'
        raise BadInput(message, place="passing", wrong=unknown[0], allowed=COMMANDS)
    orders = _as_reveal(log, encounter, [as_own_word(order) for order in orders], author)
    # The id lets an undo find the whole line.
    command_id = command_id or new_id()
    options = replace(
        options,
        by=meta.get("by", options.by),
        command_id=command_id,
        expected=expected,
        expect=expect,
        sure=options.sure or meant_so,
    )
    correcting = [order for order in orders if (own := own_word(order)) and own.kind in ("correction", "insert")]
    inserts = own_word(orders[0]) is LOG_KEYWORDS["after"]
    if correcting and not inserts and (len(orders) > 1 or orders[0].ends):
        raise BadInput("Type a correction on a line of its own.", wrong=correcting[0].text)
    if (expect or options.looks) and not correcting:
        raise BadInput(
            "Only a correction or an insert can be previewed. Leave expect and preview out. To undo a line, type u.",
            place="expect",
        )
    # How a number before a side is read must not reveal a hidden side to a player.
    sides = partial(log.look, encounter, lambda timeline: author.fight(timeline, timeline.state, log.rules).sides)
    orders = [with_count(order, sides) for order in orders]
    if any(word.key == "count" for order in orders for word in order.words):
        people = log.look(encounter, lambda timeline: set(timeline.state.combatants))
        orders = [one for order in orders for one in parse_join_lines(order, people)]
    with log.grouped(encounter, request=typed_as(line, command_id)) as group:
        if inserts:
            return insert_orders(group, encounter, options, orders)
        giving = LineExecution(group, encounter, options)
        return write_correction(giving, orders[0]) if correcting else giving.give(orders)


_COLON = re.compile(r"\A\s*(note|dispute|answer|next):\s+(?=\S)", re.IGNORECASE)
_SPOKEN = re.compile(r"([^;\"(]{1,100}?):?\s+(note|dispute|answer)s?\s+(?=\S)", re.IGNORECASE)


def _speaker(log: CombatLog, encounter: str, line: str, author: LineAuthor) -> tuple[dict[str, str], str]:
    """Return the author that stands at the front of a line (`tilda disputes 42 …`), and the line without it.

    For any other line, or an author who may not speak for others, return no author and the line unchanged.
    """
    match = _SPOKEN.match(line) if author.knows_all else None
    if match is None:
        return {}, line
    try:
        people = log.look(encounter, lambda timeline: People(timeline.state.combatants))
    except NotFound:
        return {}, line
    _, matches = people.ranked(match[1].removeprefix(COMBATANT).lower())
    if len(matches) != 1 or match[1].lower() in (*LOG_KEYWORDS, *SYNONYMS):
        return {}, line
    return {"by": people.names[matches[0]]}, f"{match[2].lower()} {line[match.end() :]}"


_APPEARS = re.compile(r"(?:the )?(.{1,100}?) (?:appears|emerges|steps out)\b.*", re.IGNORECASE)


def _as_reveal(log: CombatLog, encounter: str, orders: list[ParsedOrder], author: LineAuthor) -> list[ParsedOrder]:
    """Return `assassin appears` as `reveal assassin` if they are hidden; all other orders as they are."""
    order, *more = orders
    text = " ".join(token.word for token in order.words if token.word)
    match = _APPEARS.fullmatch(text) if author.knows_all and not more else None
    if match is None:
        return orders
    try:
        people = log.look(encounter, lambda timeline: timeline.state.combatants)
    except NotFound:
        return orders
    who = People(people).one(match[1].removeprefix(COMBATANT).lower())
    if not who or people[who].visibility == PUBLIC:
        return orders
    reason = (token for token in order.words if not token.word)
    return [order._replace(words=(WordToken("", "reveal"), WordToken("", who), *reason), ends=False)]


def line_id(line: str) -> str:
    """Return the id that a line sets for itself, or "" if it sets none or is not a valid line."""
    try:
        return _meta(orders_in(one_line(line)))[1].get("id", "")
    except BadInput:
        return ""


def _expecting(word: str, expected: int | None, expect: str) -> tuple[int | None, str]:
    """Return the newest ruling and the preview that a line requires, by its own word and by its options.

    Raises BadInput for a word that is neither, or that contradicts the options.
    """
    for part in filter(None, (expect, "" if word.isdecimal() and len(word) <= MOST_DIGITS else word)):
        if not re.fullmatch(r"[0-9]+:[0-9a-f]{4,64}", part):
            raise BadInput(
                f'"{part}" must be the number of the newest ruling, or the VERSION:DIGEST that a preview shows.',
                place="expect",
                wrong=part,
            )
    if word.isdecimal():
        if expected not in (None, int(word)):
            # Two different rulings cannot both be the newest.
            raise VersionConflict(
                f"Ruling {min(expected, int(word))} is no longer the newest. Look at the newest rulings first."
            )
        return int(word), expect
    if word and expect not in ("", word):
        raise BadInput("The expect in the line differs from the one sent with the line.", place="expect", wrong=word)
    return expected, word or expect


def _sure(orders: list[ParsedOrder], line: str) -> tuple[list[ParsedOrder], bool]:
    """Return the orders without the confirmation mark at the end of the line, and whether it was there."""
    *before, order = orders
    last = order.words[-1] if order.words else WordToken("", "")
    if last.word.endswith(CONFIRM_MARK):
        stem = last.word.removesuffix(CONFIRM_MARK)
        words = (*order.words[:-1], *([WordToken("", stem)] if stem else ()))
        return [*before, _ended(order._replace(words=words))], True
    own = own_word(order)
    if (
        own
        and own.kind in ("correction", "insert")
        and line.endswith(CONFIRM_MARK)
        and isinstance(last.value, TextToken)
    ):
        # The closing quote may be missing, and the mark is not part of the text.
        text = TextToken(last.value.removesuffix(CONFIRM_MARK).rstrip())
        return [*before, order._replace(words=(*order.words[:-1], last._replace(value=text)))], True
    return orders, False


def _ended(order: ParsedOrder) -> ParsedOrder:
    """Return the order with the full stop that stood before the confirmation mark."""
    *before, last = order.words or (WordToken("", ""),)
    if not last.word.endswith("."):
        return order
    word = last.word.removesuffix(".")
    return order._replace(words=(*before, *([WordToken("", word)] if word else ())), ends=True)


def _meta(orders: Sequence[ParsedOrder]) -> tuple[list[ParsedOrder], dict[str, str]]:
    """Return the orders without the fields of the whole line, and those fields."""
    meta: dict[str, str] = {}
    for order in orders:
        for word in order.words:
            if word.key in META:
                if not isinstance(word.value, str):
                    raise BadInput(f"{word.key} takes one word, or one text in quotes.", place=word.key)
                if meta.get(word.key, word.value) != word.value:
                    raise BadInput(f"{word.key} is given twice. Give it once.", place=word.key)
                meta[word.key] = "" if word.is_dash else str(word.value)
    rest = [order._replace(words=tuple(word for word in order.words if word.key not in META)) for order in orders]
    return rest, meta


def _check_own(meta: Mapping[str, str], *, draws: bool) -> None:
    """Raise Refused for what only the game master may set: the author, the id, and dice thrown at the table."""
    if own := sorted(meta.keys() & {"by", "id"}):
        raise Refused("not_yours/by_or_id", field=Term(own[0]), fields=(own[0],))
    if not draws:
        raise Refused("not_yours/dice", fields=("dice",))


def _given(log: CombatLog, encounter: str, command_id: str, line: str, author: LineAuthor) -> LineGiven | None:
    """Return the line that was given under that id before, as far as the author may see it now, or None.

    Raises Refused with `key_reused` if it was another line.
    """
    body = digest(typed_as(line, command_id))

    def look(timeline: Timeline) -> list[tuple[Answer, str]]:
        answers: list[tuple[Answer, str]] = []
        while place := timeline.find_id(key := batch_member_id(command_id, len(answers) + 1)):
            if answers and place[1] != body:
                # Another request has an id that looks like the next part of this line.
                break
            answer = first_answer(encounter, timeline, key, body)
            is_visible = can_see(author.view(timeline), visibility_now(timeline, answer.number))
            answers.append((answer, _ruling_line(timeline, answer) if is_visible else ""))
        return answers

    try:
        preview = log.look(encounter, look)
    except NotFound:
        return None
    return LineGiven(tuple(text for _, text in preview), tuple(answer for answer, _ in preview)) if preview else None


def _as_it_stopped(log: CombatLog, encounter: str, line: str, again: LineGiven, passing: Collection[str]) -> LineGiven:
    """Return a repeated line with the place where it stopped when it was first given.

    The line is given again to a copy of the log up to that point, which draws the same dice.
    """
    rows = rows_until(log.application.rows(encounter), again.answers[0].number - 1)
    with log.scratch() as here:
        here.application.save(*build_events(encounter, rows), seed=log.application.seeds.get(encounter))
        try:
            result = give_line(here, encounter, line, LineOptions(sure=True, passing=tuple(passing)))
        except MamError:
            return again
    return replace(again, stopped=result.stopped) if result.said == again.said else again


def _ruling_line(timeline: Timeline, answer: Answer) -> str:
    """Return a ruling in its long form, as it was given."""
    entry = timeline.entries.get(answer.number)
    if entry is not None:
        line = long_form(entry.head.command, timeline.state_before(timeline.place[answer.number]).open_exchange)
        return insert_long_form(entry.head.after, entry.head.turns, line) if entry.head.after else line
    head = answer.head
    if isinstance(head, Correction):
        return CorrectionLine(head.steps, head.reason, turns=head.turns).long(timeline)
    if isinstance(head, Note):
        return NoteLine(head.text, head.kind, head.about, head.rule, head.visibility, head.corrections).long
    return ""
