"""A session at the table: each typed line becomes orders, a look or a setting, and gets an answer."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from cli.commands.fight.do import send
from cli.output import render
from cli.session import Session
from cli.shell.command_phrases import command_for_phrase
from cli.shell.kept_dice import PendingLine
from cli.shell.questions import (
    YES,
    DrawQuestion,
    OpenQuestion,
    Question,
    add_typed_faces,
    answer_open_question,
    is_only_question,
    question_in,
    question_of,
    still_open_question,
)
from cli.shell.table_words import TableWords
from mam_events.errors import BadInput, MamError, NoFace, NotFound, Refused

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.results import Preview
    from mam_events.notation.line_result import LineGiven

ROLLING = ("resolve", "perform", "interrupt", "check", "contest", "roll")
"""Orders with a roll."""
NEWEST_WORDS = ("u", "undo", "redo")
"""Words that mean the newest ruling, as the user sees it."""


class Repl(TableWords):
    """The logic of the table's shell: settings, and the answer to each line, independent of input and display.

    `confirm` asks whether to make a correction that changes more. `ask` asks a question that a key answers (None:
    nobody can be asked).
    """

    def __init__(self, session: Session, confirm: Callable[[], bool], ask: Callable[[str], str] | None = None) -> None:
        super().__init__(session)
        self.confirm = confirm
        self.ask = ask
        self.prefill = ""
        """The text in the next prompt: a question, which was not given."""
        self._explained_line = ""
        """The line whose question has been answered as it was typed."""
        self._open_question: OpenQuestion | None = None
        """The question that the last line was answered with."""
        self._draw_question: DrawQuestion | None = None
        """The question whether the dice of the last line are drawn."""
        self._decision_shown = False
        """True once it was printed that at most one side stands, as long as that is so."""
        self._newest_shown: int | None = None
        """The newest ruling that was shown: undo of the last line undoes the last of those."""

    def answer(self, text: str) -> None:
        """Do what a line says, and print the result or the error.

        If one of several pasted lines fails, the rest is not done.
        """
        from mam_events.notation.lexer.normalize import lines_in

        lines = lines_in(text) or [""]
        for at, line in enumerate(lines, 1):
            if not self._answer_line(line) and lines[at:]:
                render.print_notice(f"Not done, so type it again: {'; '.join(lines[at:])}")
                return

    def _answer_line(self, line: str) -> bool:
        """Answer one line; return False if it could not be given."""
        from cli.errors import report_failure
        from cli.shell.dice import StaysKept
        from cli.shell.next_words import next_words

        self.prefill = ""
        if line.strip() and line.strip().lower() not in YES:
            # Any other line drops the question whether to draw dice.
            self.kept.drop_question()
        question = self._open_question
        before = self._newest_number() if question else None
        line, self._open_question = answer_open_question(question, line), None
        try:
            in_exchange = bool(self._draw_question and self.session.timeline().state.exchange)
            line, self._draw_question = add_typed_faces(self._draw_question, line, is_elsewhere=in_exchange), None
            self._dispatch(line)
        except KeyboardInterrupt:
            self.kept.arm(armed=False)
            render.print_notice("Nothing was written.")
            return False
        except (SystemExit, click.exceptions.Exit):
            return True
        except Exception as error:  # noqa: BLE001 - no error ends the evening
            self.refused = True
            self._open_question = question_of(line, error) or still_open_question(question)
            self.kept.arm(armed=isinstance(error, StaysKept))
            self._print_place(line)
            report_failure(error, self.session, as_json=self.session.json)
            if self.ask and self._open_question and self._open_question.last and self._open_question.asked.usual:
                render.print_notice(f'Press Enter for "{self._open_question.asked.usual}".')
            if (
                isinstance(error, MamError)
                and not self.session.json
                and (ways := next_words(error, line.strip(), self._timeline(), self._kept_line(), draws=self.draws))
            ):
                render.print_notice(f"next: {ways}")
                self.kept.arm(armed=self.kept.pending.armed or self._kept_line() in ways)
            return False
        self._newest_shown = self._newest_number()
        if question and self._newest_shown == before:
            # Nothing was written, so the question can still be answered.
            self._open_question = self._open_question or still_open_question(question)
        return not self.kept.asks_to_draw

    def mark_shown(self, number: int) -> None:
        """Remember that all rulings up to that number have been shown."""
        self._newest_shown = number

    def _timeline(self) -> Timeline | None:
        with suppress(Exception):
            return self.session.timeline()
        return None

    def _newest_number(self) -> int | None:
        timeline = self._timeline()
        return timeline.number if timeline else None

    def _open_disputes(self) -> Collection[int]:
        timeline = self._timeline()
        return [number for number, decided in timeline.disputes.items() if not decided] if timeline else ()

    def _last_resolved(self) -> int:
        """Return the last ruling with a roll, else the newest one."""
        from mam_events.commands import name_of

        timeline = self._timeline()
        living = [number for number, _ in timeline.living()] if timeline else []
        numbers = (one for one in reversed(living) if timeline and name_of(timeline.command(one)) in ROLLING)
        return next(numbers, self._newest_number() or 0)

    def _dispatch(self, line: str) -> None:
        line = command_for_phrase(line, self._open_disputes, self._last_resolved)
        words = line.lower().split()
        if not words or (words[0] in YES and not words[1:]):
            self._handle_enter()
        elif question := question_in(line):
            self.ask_about(question, line)
        elif not self.answer_table_word(line):
            self.give(line)

    def _handle_enter(self) -> None:
        """Handle Enter alone: give the kept line, or ask to draw missing dice, which a second Enter draws.

        If nothing is open, show the fight.
        """
        timeline = self.session.timeline()
        state = timeline.state
        pending = self.kept.still_pending(timeline)
        if pending.line and not pending.armed:
            # The refused line may have been the reaction that the dice waited for, so ask for another Enter.
            self.kept.pending = pending._replace(armed=True)
            render.print_notice(f"Your last line did nothing. Press Enter again to use {pending.line}.")
        elif pending.line:
            # If the line doesn't fit, another Enter asks again.
            self.kept.pending = PendingLine()
            self._give_or_ask(pending.line, draws=pending.asked == timeline.number)
        elif state.exchange or state.window.open:
            self._give_or_ask("r", draws=False)
        else:
            self.look(["status"])

    def give(self, line: str) -> None:
        """Give a line that was typed.

        Dice without a face are drawn if the line asks for that or nobody can be asked; otherwise Enter draws them.
        """
        from cli.shell.dice import asks_to_roll

        with_kept = self.kept.add_kept(line, self._open_timeline())
        self._give_or_ask(with_kept, draws=asks_to_roll(line) or not self.ask)

    def _open_timeline(self) -> Timeline:
        """Return the timeline of the current fight; raise NotFound, in words of the table, if there is none."""
        try:
            return self.session.timeline()
        except NotFound:
            if self.session.implied_encounter():
                raise
            raise NotFound("No fight is open yet. Type new NAME to begin one, or help.") from None

    def _give_or_ask(self, line: str, *, draws: bool) -> None:
        """Give a line; if dice would be drawn without a request, ask for another Enter instead."""
        from cli.shell.dice import dice_in

        try:
            self._give_with_confirmation(line, draws=self.draws and draws)
        except NoFace as no:
            if self.draws:
                self._draw_question = self.kept.ask_to_draw(line, no)
                return
            if no.rollers and not dice_in(line):
                self._draw_question = DrawQuestion(line, no.order, no.rollers)
            raise

    def _give_with_confirmation(self, line: str, *, draws: bool) -> None:
        """Give a line; show and confirm a correction that changes more."""
        from cli.commands.corrections.preview import show_preview, stop_before
        from cli.orders.confirmation import question_about
        from cli.output.line_result import show_line

        session = self.session
        before = session.timeline().state
        try:
            result = self._send(line, sure=False, expect="", draws=draws)
        except Refused as no:
            question = question_about(session, no, before)
            if question is None or not self.ask:
                raise
            render.print_notice(question.what)
            if not self.confirm():
                raise KeyboardInterrupt from None
            result = self._send(line, sure=True, expect="", draws=draws)
        if result.asks is not None:
            show_preview(session, result.asks, (), digest=False)
            self._print_place(line)
            stop = self._confirm_correction(result.asks)
            result = self._send(line, sure=True, expect=result.asks.expect, draws=draws)
            self.kept.keep_unused(result)
            show_line(session, result, hints=False, verdicts=False, goes_on=bool(stop), kept_line=self._kept_line())
            stop_before(session, stop, result.answers[-1])
        else:
            if result.stopped:
                self._print_place(line)
            unclear = ""
            try:
                self.kept.keep_unused(result)
            except BadInput as no:
                # The order is written by now, so print its result before this error about the dice.
                unclear = no.sentence
            show_line(session, result, hints=False, kept_line=self._kept_line())
            if unclear:
                render.print_notice(unclear)
            self._print_decision_line(result)
        if (decision := self._decision_text()) and not self._decision_shown:
            render.print_notice(f"{decision}. Type close to end the fight.")
        self._decision_shown = bool(decision)

    def _print_decision_line(self, result: LineGiven) -> None:
        """Print the line that decides a dispute that was opened."""
        from mam_events.events import Note

        head = result.answers[-1].head if result.answers else None
        if isinstance(head, Note) and head.kind == "dispute":
            render.print_notice(
                f"To let the ruling stand, type rule-on {head.ruling} uphold. If it was wrong, correct it first."
            )

    def _kept_line(self) -> str:
        """Return the line that Enter gives; "" if nobody can press it."""
        return self.kept.pending.line if self.ask else ""

    def _decision_text(self) -> str:
        from mam_events.history.corrections.confirmation import fight_decision_text

        return fight_decision_text(self.session.timeline().state)

    def _confirm_correction(self, asks: Preview) -> int:
        """Return the ruling before which to stop after the correction (0: none).

        Raises KeyboardInterrupt if nothing is to be done.
        """
        from cli.commands.corrections.preview import summary_of
        from cli.commands.corrections.turn_choice import choice_about

        choice = choice_about(self.session.timeline(), asks, summary_of(self.session, asks)) if self.ask else None
        try:
            if choice and self.ask:
                return choice.ask(self.ask)
        except click.Abort:
            raise KeyboardInterrupt from None
        if not self.confirm():
            raise KeyboardInterrupt
        return 0

    def _send(self, line: str, *, sure: bool, expect: str, draws: bool) -> LineGiven:
        newest = self._newest_shown if line.split(maxsplit=1)[0].lower() in NEWEST_WORDS and not expect else None
        from mam_events.notation.line_result import LineOptions

        options = LineOptions(expected=newest, expect=expect, sure=sure, passing=tuple(self.passing), draws=draws)
        return send(self.session, line, options)

    def ask_about(self, question: Question, line: str) -> None:
        """Explain the word in question, unless that was done while it was typed.

        The line stays with its question mark, so that Enter never gives it by mistake, unless it is only the question.
        """
        from cli.shell.help import expand_last_word

        stays = question.stays and not is_only_question(line)
        if line.strip() != self._explained_line:
            self.explain(expand_last_word(self.session, question.text, question.word))
        elif stays:
            render.print_notice("Remove the ? and press Enter to give the line.")
        self._explained_line, self.prefill = line.strip(), line if stays else ""

    def ask_at_once(self, question: Question, line: str) -> None:
        """Explain the word in question while the line is typed."""
        if is_only_question(line):
            # The next key removes the question from the prompt, so print it above its answer.
            render.print_notice(line.strip())
        self._explained_line = ""
        self.ask_about(question, line)
