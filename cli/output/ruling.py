"""The answer to a ruling: its line in the log, verdicts on other rulings, pools, and what is likely next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from cli.commands.corrections.passed_turns import print_turns_to_play, turns_to_play
from cli.hints.examples import ranges
from cli.hints.next_steps import disputes_settled_by, in_dispute, likely_orders, open_insert, ready_to_type
from cli.output import render
from cli.output.join_notices import join_notices
from cli.output.verdicts import print_verdicts, visible_recorded_verdicts
from cli.output.visibility_notice import warn_hidden
from cli.session import Session, clean_argument
from mam_events.commands import Open, actor_of, name_of
from mam_events.events import Note, Play
from mam_events.history.corrections.undo import last_step, last_undo
from projections.phrases import join_numbers
from projections.visibility.legal_orders import allowed_templates

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.results import Answer
    from projections.rulings.order_result import OrderResult


def submit_note(session: Session, text: str, **fields: Any) -> None:
    """Write a remark with the fields in `fields`, and print it."""
    answer = session.log().note(
        session.encounter(),
        clean_argument(text),
        by=session.author,
        command_id=session.clean_command_id,
        expected=session.expected,
        visibility=session.visibility or "public",
        sees=session.viewer().sees,
        **fields,
    )
    print_result(session, answer)


def print_result(session: Session, answer: Answer, *, goes_on: bool = False) -> None:
    """Print a ruling and its result.

    With `goes_on` more is written at once, so nothing is printed about what is next.
    """
    from projections.rulings.order_result import order_result

    session.speak_of(answer.encounter)
    timeline = session.log().timeline(answer.encounter)
    result = order_result(timeline, [answer], session.viewer(), session.log().rules)
    if session.json:
        render.json_line(as_json(session, result, [answer]))
        return
    if answer.repeated:
        since = f" (corrected since, by {answer.corrected_by})" if answer.corrected_by else ""
        session.say(f"Nothing was written: this order is already ruling {answer.number}{since}.")
    print_lines(session, timeline, [ruling.number for ruling in result.rulings])
    print_verdicts(session, visible_recorded_verdicts(session, answer.rejudged))
    print_moved(session, result)
    if session.at_table or not session.quiet:
        for sentence in join_notices(session, answer, at_table=session.at_table):
            render.print_notice(sentence)
    if goes_on:
        return
    print_turns_to_play(turns_to_play(session, answer), session.typed('mam do "{}"'))
    if any(roll.source == "drawn" for roll in result.rulings[-1].rolls):
        faces = _faces_taken(session, timeline, answer.number)
        session.say(
            f"* marks a die that mam drew. To use a die thrown at the table, type its face with the order{faces}"
        )
    warn_hidden(session, answer, timeline)
    say_what_is_next(session, answer, timeline)


def print_moved(session: Session, result: OrderResult) -> None:
    """Print the pools of the combatants that an order named or changed."""
    rows = [one for one in result.combatants if one.combatant in result.moved]
    render.print_pools(rows, {one.combatant: one.doing for one in rows}, with_points=session.spends_points())


def _faces_taken(session: Session, timeline: Timeline, number: int) -> str:
    """Return how an order takes its faces: `: ATTACK_DIE 1 to 6, --armor-die rat=1 to 6`; "" if it takes none."""
    if number not in timeline.place:
        return ""
    command, state, redactor = (
        timeline.command(number),
        timeline.state_before(timeline.place[number]),
        session.redactor(),
    )
    whose = ("", actor_of(command))
    offers = allowed_templates(session.log().rules, state, redactor, (name_of(command),))
    offer = next((offer for offer in offers if offer.combatant in whose), None)
    if offer is None:
        return ""
    dice = tuple(field for field in offer.fields if field.name.split("_")[-1] in ("die", "dice"))
    text = ranges(replace(offer, fields=dice, sums=()))
    return f": {text}" if text else ""


def print_lines(session: Session, timeline: Timeline, numbers: Sequence[int]) -> None:
    """Print the log lines of some rulings."""
    from cli.commands.views.log import print_log_line
    from projections.rulings.log_lines import log_lines
    from projections.rulings.related_rulings import with_rulings_mentioned

    for line in log_lines(with_rulings_mentioned(timeline, numbers), session.redactor()):
        if line.number in numbers:
            print_log_line(line)


def as_json(session: Session, result: OrderResult, answers: Sequence[Answer]) -> dict[str, Any]:
    """Return the result of an order for machines: the service's answer, passed turns and likely next commands."""
    turns_passed = [turn for answer in answers for turn in turns_to_play(session, answer)]
    steps = ready_to_type(session, session.log().timeline(result.encounter))
    fields: dict[str, Any] = msgspec.to_builtins(result)
    return fields | {"passed": msgspec.to_builtins(turns_passed), "next": steps}


def say_decided(session: Session, answer: Answer, ways: str) -> None:
    """Print once that only one side or none stands, and how to close the fight."""
    if text := new_fight_result(session, answer):
        session.say(f"{text}. To end the fight: {ways}")


def new_fight_result(session: Session, answer: Answer) -> str:
    """Return the result that has just been decided, as far as the view knows it; "" if none has."""
    from mam_events.history.corrections.confirmation import fight_decision_text
    from projections.visibility.player_author import visible_state

    if isinstance(answer.head, Note):
        return ""
    timeline, redactor = session.timeline(), session.redactor()
    before = timeline.state_before(timeline.place[answer.number]) if answer.number in timeline.place else None
    was = fight_decision_text(visible_state(before, redactor)) if before else ""
    now = fight_decision_text(visible_state(timeline.state, redactor))
    return now if now != was else ""


def say_what_is_next(session: Session, answer: Answer, timeline: Timeline, undo: str = "mam undo") -> None:
    """Print what is likely next, and how to undo what was just written (`undo`, if it was the last ruling)."""
    head, sees = answer.head, session.viewer().sees
    if steps := in_dispute(session, head):
        session.suggest(steps)
    else:
        say_next(session, timeline)
        say_decided(session, answer, session.typed("mam close"))
    if open_insert(timeline):
        # Before the insert is resolved, don't suggest repairs of rulings that it makes void.
        return
    if isinstance(head, Note) and head.kind == "comment":
        undoes = f"{session.typed('mam undo')} would undo ruling {last_step(timeline, sees)}"
        session.say(f"A note can't be undone, so {undoes}.")
    if isinstance(head, Note) or (isinstance(head, Play) and isinstance(head.command, Open)):
        return
    for dispute, about in disputes_settled_by(session, timeline, answer):
        settles = session.typed(f"mam rule-on {dispute} --with {head.ruling}")
        session.say(f"Dispute {dispute} about ruling {about} is still open. To settle it: {settles}")
    void = [entry.ruling for entry in visible_recorded_verdicts(session, answer.rejudged) if entry.verdict == "void"]
    if void:
        from cli.hints.void_rulings import repair_hint

        undo_line = session.typed(f"mam undo {void[0]} --only")
        repair = repair_hint(session, void)
        one = len(void) == 1
        ways = f"To leave {void[0]} out for good: {undo_line}"
        if repair:
            ways = f"To make {'it' if one else 'one'} fit again: {repair}. {ways}"
        session.say(
            f"{'Ruling' if one else 'Rulings'} {join_numbers(void)} no longer {'fits' if one else 'fit'} and "
            f"{'is' if one else 'are'} void. {ways}"
        )
    if last_undo(timeline, sees) == answer.number:
        session.say(f"redo it: {session.typed('mam redo')}")
        return
    last = isinstance(head, Play) and last_step(timeline, sees) == answer.number
    session.say(f"undo it: {session.typed(undo if last else f'mam undo {answer.number}')}")


def say_next(session: Session, timeline: Timeline) -> None:
    """Print what is likely next."""
    if steps := likely_orders(session, timeline):
        session.suggest(steps)
