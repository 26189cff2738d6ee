"""The answer to a line: its orders in full, each with its line in the log, and where the line stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.commands.corrections.passed_turns import print_turns_to_play, turns_to_play
from cli.hints.next_steps import disputes_settled_by
from cli.output import render
from cli.output.join_notices import join_notices, newcomer_turn_text
from cli.output.ruling import as_json, print_lines, print_moved, say_what_is_next
from cli.output.verdicts import print_verdicts, visible_recorded_verdicts
from mam_events.commands import RollInitiative
from mam_events.events import Play
from projections.phrases import join_words

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.notation.line_result import LineGiven, LineStop
    from mam_events.state import Encounter


def show_line(
    session: Session,
    line: LineGiven,
    *,
    hints: bool = True,
    verdicts: bool = True,
    goes_on: bool = False,
    kept_line: str = "",
) -> None:
    """Print what a line became and its result.

    With `hints` it also prints what is likely next, as shell commands; with `verdicts` those on other rulings, which a
    preview may have shown already. With `goes_on` more is written at once, so nothing is printed about what is next.
    Enter alone gives what was `kept_line` of the line.
    """
    from projections.rulings.order_result import line_result, order_result

    if not line.answers:
        return
    last = line.answers[-1]
    session.speak_of(last.encounter)
    timeline = session.log().timeline(last.encounter)
    result = order_result(timeline, line.answers, session.viewer(), session.log().rules)
    if session.json:
        render.json_line(as_json(session, line_result(result, line), line.answers))
        return
    render.line("; ".join(line.said), "strong")
    for answer in line.answers:
        if answer.repeated:
            session.say(f"Nothing was written: this line is already ruling {answer.number}.")
        print_lines(session, timeline, [answer.number])
        if verdicts:
            # Before the end of an inserted turn the bookkeeping is not final.
            rejudged = visible_recorded_verdicts(session, answer.rejudged)
            print_verdicts(session, rejudged, with_bookkeeping=answer is last)
    print_moved(session, result)
    if not goes_on:
        _say_what_is_next(session, line, hints=hints, kept_line=kept_line)


def _say_what_is_next(session: Session, result: LineGiven, *, hints: bool, kept_line: str) -> None:
    """Print how passed turns can still be played, where the line stopped, or else what is likely next."""
    turns_passed = [turn for answer in result.answers for turn in turns_to_play(session, answer)]
    print_turns_to_play(turns_passed, session.typed('mam do "{}"') if hints else "{}")
    notices = [text for answer in result.answers for text in join_notices(session, answer, at_table=not hints)]
    for sentence in filter(None, (*notices, yet_to_roll_words(session, result), newcomer_turn_text(session, result))):
        render.print_notice(sentence)
    if not hints:
        _say_still_open(session, result)
    if result.stopped:
        # Not a hint, which --quiet hides: dice were typed and not used.
        render.print_notice(stopped_words(result.stopped, result.answers[-1].state, kept_line))
    elif kept_line:
        render.print_notice(_kept_words(kept_line))
    elif hints:
        last = result.answers[-1]
        say_what_is_next(session, last, session.log().timeline(last.encounter), "mam do u")


def yet_to_roll_words(session: Session, result: LineGiven) -> str:
    """Return how combatants who were left out of a roll get into the order, or "" if there are none."""
    from mam_events.rules.initiative.by_roll import yet_to_roll

    head, state = result.answers[-1].head, result.answers[-1].state
    if not isinstance(head, Play) or not isinstance(head.command, RollInitiative) or state.ruleset is None:
        return ""
    hidden = session.redactor().hidden
    lack = [one for one in yet_to_roll(state, session.log().rules.in_force(state.ruleset)) if one not in hidden]
    if not lack:
        return ""
    names = join_words([state.combatants[one].name for one in lack])
    return f"To roll for {names}, type ri, or with their dice: ri {' '.join(f'{one} …' for one in lack)}."


def _say_still_open(session: Session, result: LineGiven) -> None:
    """Print the open disputes about corrected rulings, and the line that decides them."""
    for answer in result.answers:
        timeline = session.log().timeline(answer.encounter)
        for dispute, about in disputes_settled_by(session, timeline, answer):
            render.print_notice(
                f"Dispute {dispute} about ruling {about} is still open. To settle it, type rule-on {dispute} with "
                f"{answer.head.ruling}."
            )


def _kept_words(kept_line: str) -> str:
    return f"If nobody reacts, Enter uses {kept_line}{'' if kept_line.endswith('.') else '.'}"


def stopped_words(stop: LineStop, state: Encounter, kept_line: str = "") -> str:
    """Return in words where a line stopped: who may do what, and which part of it was not used, or kept."""
    from mam_events.notation.grammar.names import either_or

    if stop.why:
        return (
            f"{stop.why} So the rest of the line ({stop.unused}) was not used. What came before it stands, because a "
            "die was drawn there."
        )

    ways: dict[str, list[str]] = {}
    for who, orders in stop.may.items():
        ways.setdefault(either_or(list(orders)), []).append(state.combatants[who].name)
    text = "; ".join(f"{either_or(names)} may {orders}" for orders, names in ways.items()) or "Reactions come first"
    if kept_line:
        return f"{text}. {_kept_words(kept_line)}"
    again = "If nobody reacts, type it again. Otherwise type the reaction with its dice."
    return f"{text}. The rest of the line ({stop.unused}) was not used. {again}"
