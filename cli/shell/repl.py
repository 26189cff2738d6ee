"""A session at the table: each typed line becomes orders, a look or a setting, and gets an answer."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import click

from cli.commands.fight.do import PASSED, send
from cli.output import render
from cli.registry import SECTIONS
from cli.session import Session
from cli.shell.command_phrases import command_for_phrase
from cli.shell.questions import (
    YES,
    DrawQuestion,
    OpenQuestion,
    Question,
    only_question,
    question_in,
    question_of,
    still_open_question,
    with_reply,
    with_reply_faces,
)
from mam_events.errors import BadInput, MamError, NoFace, NotFound, Refused
from mam_events.notation.grammar.dice import ARMOR
from mam_events.refusals.suggestions import suggestion_text

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.results import Preview
    from mam_events.notation.line_result import LineGiven

DECIDING = ("rule-on", "propose", "accept", "refuse", "branch")
"""Commands for decisions at the table that line notation lacks."""
LOOKS = (*SECTIONS["Look"], *SECTIONS["Ask"], *SECTIONS["Keep"], *SECTIONS["Rules"], *DECIDING, "roster")
"""Commands that can be typed at the table as they are: those that only look, and those for notes beside the fight."""
SHORTENED = {"log": ["log", "--last", "18"]}
"""Looks limited to a screen of 24 lines with prompt and bar; `mam` before them shows all."""
PAIR = 2
"""The number of words of a setting with its value, and of a joining by name alone."""
ROLLING = ("resolve", "perform", "interrupt", "check", "contest", "roll")
"""Orders with a roll."""
LEAVING = ("quit", "exit", "q")
NEWEST_WORDS = ("u", "undo", "redo")
"""Words that mean the newest ruling, as the user sees it."""


class PendingLine(NamedTuple):
    """A line that Enter alone gives: dice that were typed too early, or orders that would draw dice.

    Dice are kept while their `exchange` is open, orders (`exchange` 0) while ruling `number` is the newest. `asked` is
    the newest ruling when Enter was asked to draw, or -1 if it was not.
    """

    line: str = ""
    exchange: int = 0
    number: int = -1
    asked: int = -1
    dice: tuple[str, ...] = ()
    """The dice for which the faces are kept, as far as they are known."""
    armed: bool = True
    """True while Enter alone gives the line.

    It is False after another line was refused or questioned, until an answer says again that Enter uses it.
    """


class Repl:
    """The logic of the table's shell: settings, and the answer to each line, independent of input and display.

    `confirm` asks whether to make a correction that changes more. `ask` asks a question that a key answers (None:
    nobody can be asked).
    """

    def __init__(self, session: Session, confirm: Callable[[], bool], ask: Callable[[str], str] | None = None) -> None:
        self.session = session
        self.confirm = confirm
        self.ask = ask
        self.draws = True
        self.passing: tuple[str, ...] = ()
        self.over = False
        self.place = ""
        """The place of the line that is answered, where the lines come from a pipe."""
        self.refused = False
        """True once a line could not be given."""
        self.begun = ""
        """The beginning of the next line: a question, which was not given."""
        self._explained = ""
        """The line whose question has been answered as it was typed."""
        self._kept = PendingLine()
        self._open: OpenQuestion | None = None
        """The question that the last line was answered with."""
        self._draws: DrawQuestion | None = None
        """The question whether the dice of the last line are drawn."""
        self._told_decided = False
        """True once it was said that no more than one side stands, for as long as that is so."""
        self._newest: int | None = None
        """The newest ruling that was shown: whoever takes back the last line means the last of those."""

    def answer(self, typed: str) -> None:
        """Do what a line says, and print the result or the error.

        If one of several pasted lines fails, the rest is not done.
        """
        from mam_events.notation.lexer.normalize import lines_in

        lines = lines_in(typed) or [""]
        for at, line in enumerate(lines, 1):
            if not self._answer(line) and lines[at:]:
                render.print_notice(f"Not done: {'; '.join(lines[at:])}")
                return

    def _answer(self, line: str) -> bool:
        """Answer one line; return False if it could not be given."""
        from cli.errors import report_failure
        from cli.shell.dice import StaysKept
        from cli.shell.next_words import next_words

        self.begun = ""
        if line.strip() and line.strip().lower() not in YES:
            # Anything else is no answer to whether dice are to be drawn.
            self._kept = self._kept._replace(asked=-1)
        asked = self._open
        before = self._number() if asked else None
        line, self._open = with_reply(asked, line), None
        try:
            elsewhere = bool(self._draws and self.session.timeline().state.exchange)
            line, self._draws = with_reply_faces(self._draws, line, elsewhere=elsewhere), None
            self._said(line)
        except KeyboardInterrupt:
            self._kept = self._kept._replace(armed=False)
            render.print_notice("Nothing was written.")
            return False
        except (SystemExit, click.exceptions.Exit):
            return True
        except Exception as error:  # noqa: BLE001 - whatever it is, the evening goes on
            self.refused = True
            self._open = question_of(line, error) or still_open_question(asked)
            self._kept = self._kept._replace(armed=isinstance(error, StaysKept))
            self._say_where(line)
            report_failure(error, self.session, as_json=self.session.json)
            if self.ask and self._open and self._open.last and self._open.asked.usual:
                render.print_notice(f"Press Enter for {self._open.asked.usual}.")
            if (
                isinstance(error, MamError)
                and not self.session.json
                and (ways := next_words(error, line.strip(), self._timeline(), self._kept_line(), draws=self.draws))
            ):
                render.print_notice(f"next: {ways}")
                self._kept = self._kept._replace(armed=self._kept.armed or self._kept_line() in ways)
            return False
        self._newest = self._number()
        if asked and self._newest == before:
            # Whoever has looked at something may answer now.
            self._open = self._open or still_open_question(asked)
        return self._kept.asked == -1

    def _say_where(self, line: str) -> None:
        """Print the place of the line that failed, if lines come from a pipe."""
        if self.place:
            render.print_notice(f"{self.place}: {line.strip()}")

    def shown(self, number: int) -> None:
        """Remember that all rulings up to that number have been shown."""
        self._newest = number

    def _timeline(self) -> Timeline | None:
        with suppress(Exception):
            return self.session.timeline()
        return None

    def _number(self) -> int | None:
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
        rolled = (one for one in reversed(living) if timeline and name_of(timeline.command(one)) in ROLLING)
        return next(rolled, self._number() or 0)

    def _said(self, line: str) -> None:
        line = command_for_phrase(line, self._open_disputes, self._last_resolved)
        words = line.split()
        first = words[0].lower() if words else ""
        if not words or (first in YES and not words[1:]):
            self._enter()
        elif question := question_in(line):
            self.ask_about(question, line)
        elif first in self._own and (len(words) == 1 or first not in LEAVING):
            self._own[first](line)
        elif self._from_roster(words):
            self.look(words)
        else:
            self.give(line)

    @cached_property
    def _own(self) -> Mapping[str, Callable[[str], None]]:
        """The words of the table that are no orders, each with its handler."""
        return {
            **dict.fromkeys((*LOOKS, "mam"), self._looked_at),
            **dict.fromkeys(LEAVING, self._leave),
            "sheets": lambda _: self._looked_at("roster"),
            "help": self._find,
            "find": self._find,
            "new": self._begin,
            "fight": self._fight,
            "dice": self._dice,
            "nobody": self._nobody,
            "anybody": self._anybody,
        }

    def _leave(self, _: str) -> None:
        self.over = True

    def _looked_at(self, line: str) -> None:
        first, *rest = _split(line)
        words = SHORTENED.get(line) or ([first.lower(), *rest] if first.lower() != "mam" else rest)
        if words:
            self.look(words)

    def _find(self, line: str) -> None:
        words = line.split()[1:]
        if words:
            self.look(["help", *words])
        else:
            self.explain("")

    def _fight(self, line: str) -> None:
        """Switch to another fight of the same store."""
        known = self.session.log().encounters()
        word = " ".join(line.split()[1:])
        if word not in known:
            raise NotFound(f'There is no encounter "{word}". {suggestion_text(word, known)}', wrong=word, allowed=known)
        self.session.speak_of(word)
        self.session.encounter_name = word
        self.look(["status"])
        self._tell_passing()

    def _tell_passing(self) -> None:
        """Print in another fight that lines still don't stop for interference, if that was set before."""
        if self.passing:
            render.print_notice("Lines still do not stop for interference. To change that, type anybody interferes.")

    def _dice(self, line: str) -> None:
        how = _setting(line, ("ask", "draw"))
        self.draws = how == "draw"
        render.print_notice(
            "Dice that are not typed are drawn." if self.draws else "No dice are drawn: type every face."
        )

    def _nobody(self, line: str) -> None:
        self.passing = PASSED[_setting(line, PASSED)]
        render.print_notice(
            "Lines no longer stop for those who could only interfere. They must say so before the dice."
        )

    def _anybody(self, line: str) -> None:
        _setting(line, PASSED)
        self.passing = ()
        render.print_notice("Lines stop for those who may interfere.")

    def _from_roster(self, words: list[str]) -> bool:
        """Return True for a joining that a sheet of the roster completes, or for several at once as a command."""
        from cli.commands.fight.roster_folder import on_roster

        if words[0] != "join":
            return False
        return "--count" in words or (len(words) == PAIR and on_roster(words[1]))

    def _begin(self, line: str) -> None:
        """Begin a fight from its line (`new_command_words`)."""
        from cli.shell.new_line import new_command_words

        known: Collection[str] = ()
        with suppress(NotFound):
            known = self.session.log().encounters()
        self._begun(new_command_words(line, known))

    def _begun(self, words: list[str]) -> None:
        """Begin a fight and switch to it."""
        if self.look(words):
            self.session.forget_encounter()
            self.session.encounter_name = words[1]
            self._tell_passing()

    def _enter(self) -> None:
        """Handle Enter alone: give the kept line, or ask to draw missing dice, which a second Enter draws.

        If nothing is open, show the fight.
        """
        timeline = self.session.timeline()
        state = timeline.state
        kept = self._kept_still(timeline)
        if kept.line and not kept.armed:
            # What was refused or asked about may have been the reaction that the dice waited for.
            self._kept = kept._replace(armed=True)
            render.print_notice(f"Press Enter again to use {kept.line}. What was refused is not done.")
        elif kept.line:
            # Where it turns out not to fit, another Enter asks again.
            self._kept = PendingLine()
            self._give(kept.line, draws=kept.asked == timeline.number)
        elif state.exchange or state.window.open:
            self._give("r", draws=False)
        else:
            self.look(["status"])

    def _kept_still(self, timeline: Timeline) -> PendingLine:
        """Return the kept line if Enter may still give it, without faces of a reaction that was undone."""
        from cli.shell.dice import without_lost

        kept = self._kept
        if not kept.exchange:
            return kept if kept.number == timeline.number else PendingLine()
        if kept.exchange != timeline.state.open_exchange:
            return PendingLine()
        thrown = self._thrown(timeline)
        line = without_lost(kept.line, kept.dice, thrown)
        return kept._replace(line=line, dice=thrown) if line else PendingLine()

    def _keep(self, given: LineGiven) -> None:
        """Keep the dice that a line could not use yet, while their exchange is open."""
        timeline = self.session.timeline()
        # What was given is answered with the dice that Enter uses; a look is not.
        self._kept = self._kept_still(timeline)._replace(armed=True)
        if given.stopped and given.stopped.unused and not given.stopped.why:
            line = self._with_kept(given.stopped.unused, timeline)
            self._kept = PendingLine(line, timeline.state.open_exchange, timeline.number, dice=self._thrown(timeline))

    def _with_kept(self, line: str, timeline: Timeline) -> str:
        """Return a line with the kept dice, if it has none of its own or too few.

        Raises BadInput if its dice could replace several kept ones.
        """
        from cli.shell.dice import with_kept

        kept = self._kept_still(timeline)
        if not kept.exchange:
            return line
        # Armor throws its own only where it is struck.
        return with_kept(kept.line, line, sum(not die.startswith(ARMOR) for die in self._thrown(timeline)))

    def give(self, line: str) -> None:
        """Give a line that was typed.

        Dice without a face are drawn if the line asks for that or nobody can be asked; otherwise Enter draws them.
        """
        from cli.shell.dice import asks_to_roll

        with_kept = self._with_kept(line, self._open_fight())
        self._give(with_kept, draws=asks_to_roll(line) or not self.ask)

    def _open_fight(self) -> Timeline:
        """Return the timeline of the current fight; raise NotFound, in words of the table, if there is none."""
        try:
            return self.session.timeline()
        except NotFound:
            if self.session.meant_encounter():
                raise
            raise NotFound("No fight is open yet. Type new NAME to begin one, or help.") from None

    def _thrown(self, timeline: Timeline) -> tuple[str, ...]:
        """Return the dice of the open exchange that are to be thrown, in the order in which faces are typed."""
        from mam_events.notation.author import GM_AUTHOR
        from mam_events.notation.orders.assign_dice import open_rolls

        return tuple(open_rolls(GM_AUTHOR.fight(timeline, timeline.state, self.session.log().rules)))

    def _give(self, line: str, *, draws: bool) -> None:
        """Give a line; if dice would be drawn without a request, ask for another Enter instead."""
        from cli.shell.dice import dice_in

        try:
            self._do(line, draws=self.draws and draws)
        except NoFace as no:
            if self.draws:
                self._ask_to_draw(line, no)
                return
            if no.rollers and not dice_in(line):
                self._draws = DrawQuestion(line, no.order, no.rollers)
            raise

    def _ask_to_draw(self, line: str, no: NoFace) -> None:
        """Keep a line until Enter draws its missing dice; raise BadInput if dice of the same roll are kept already."""
        from cli.shell.dice import StaysKept, counted_dice, dice_in, question_to_draw

        timeline = self.session.timeline()
        alone = dice_in(line)
        kept = self._kept_still(timeline)
        if not alone and kept.exchange and no.order == "resolve":
            raise StaysKept(
                f"{kept.line} is kept for this roll. Type the order without dice, and Enter uses them, "
                "or type it with the faces of all dice."
            )
        exchange = timeline.state.open_exchange if alone and alone.faces else 0
        self._kept = PendingLine(
            line, exchange, timeline.number, timeline.number, self._thrown(timeline) if exchange else ()
        )
        self._draws = None if alone else DrawQuestion(line, no.order, no.rollers)
        dice = no.dice if alone or no.order != "roll-initiative" else counted_dice(no.dice, no.rollers)
        render.print_notice(question_to_draw(dice, alone.faces if alone else ()))

    def _do(self, line: str, *, draws: bool) -> None:
        """Give a line; show and confirm a correction that changes more."""
        from cli.commands.corrections.preview import show_preview, stop_before
        from cli.orders.confirmation import question_about
        from cli.output.line_result import show_line

        session = self.session
        before = session.timeline().state
        try:
            given = self._sent(line, sure=False, expect="", draws=draws)
        except Refused as no:
            question = question_about(session, no, before)
            if question is None or not self.ask:
                raise
            render.print_notice(question.what)
            if not self.confirm():
                raise KeyboardInterrupt from None
            given = self._sent(line, sure=True, expect="", draws=draws)
        if given.asks is not None:
            show_preview(session, given.asks, (), digest=False)
            self._say_where(line)
            stop = self._decided(given.asks)
            given = self._sent(line, sure=True, expect=given.asks.expect, draws=draws)
            self._keep(given)
            show_line(session, given, hints=False, verdicts=False, goes_on=bool(stop), kept=self._kept_line())
            stop_before(session, stop, given.answers[-1])
        else:
            if given.stopped:
                self._say_where(line)
            unclear = ""
            try:
                self._keep(given)
            except BadInput as no:
                # The order is given by now, and so both the dice that are kept and the others are told.
                unclear = no.sentence
            show_line(session, given, hints=False, kept=self._kept_line())
            if unclear:
                render.print_notice(unclear)
            self._tell_how_decided(given)
        if (told := self._decided_by_now()) and not self._told_decided:
            render.print_notice(f"{told}. Type close to end the fight.")
        self._told_decided = bool(told)

    def _tell_how_decided(self, given: LineGiven) -> None:
        """Print the line that decides a dispute that was opened."""
        from mam_events.events import Note

        head = given.answers[-1].head if given.answers else None
        if isinstance(head, Note) and head.kind == "dispute":
            render.print_notice(
                f"To let the ruling stand, type rule-on {head.ruling} uphold. If it was wrong, correct it first."
            )

    def _kept_line(self) -> str:
        """Return the line that Enter gives; "" if nobody can press it."""
        return self._kept.line if self.ask else ""

    def _decided_by_now(self) -> str:
        from mam_events.history.corrections.confirmation import fight_decision_text

        return fight_decision_text(self.session.timeline().state)

    def _decided(self, asks: Preview) -> int:
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

    def _sent(self, line: str, *, sure: bool, expect: str, draws: bool) -> LineGiven:
        newest = self._newest if line.split(maxsplit=1)[0].lower() in NEWEST_WORDS and not expect else None
        from mam_events.notation.line_result import LineOptions

        beside = LineOptions(expected=newest, expect=expect, sure=sure, passing=tuple(self.passing), draws=draws)
        return send(self.session, line, beside)

    def look(self, words: list[str]) -> bool:
        """Run a `mam` command in this fight; return False if it failed."""
        from cli.app import main

        named = ["--store", self.session.store_path, "-q"]
        if encounter := self.session.meant_encounter():
            named += ["-e", encounter]
        if self.session.json:
            named.append("--json")
        try:
            main.main([*named, *words], beside=self.session)
        except SystemExit as end:
            self.refused |= bool(end.code)
            if end.code:
                self._kept = self._kept._replace(armed=False)
                self._say_where(" ".join(words))
            return not end.code

    def ask_about(self, question: Question, line: str) -> None:
        """Explain the word in question, unless that was done while it was typed.

        The line stays with its question mark, so that Enter never gives it by mistake, unless it is only the question.
        """
        from cli.shell.help import expand_last_word

        stays = question.stays and not only_question(line)
        if line.strip() != self._explained:
            self.explain(expand_last_word(self.session, question.text, question.word))
        elif stays:
            render.print_notice("Remove the ? and press Enter to give the line.")
        self._explained, self.begun = line.strip(), line if stays else ""

    def ask_at_once(self, question: Question, line: str) -> None:
        """Explain the word in question while the line is typed."""
        if only_question(line):
            # It goes with the next key, and its answer would stand there without it.
            render.print_notice(line.strip())
        self._explained = ""
        self.ask_about(question, line)

    def explain(self, word: str) -> None:
        """Explain a word: an order with its rule, a rule, a combatant; without one, show the help of the table."""
        from cli.shell.help import explain

        explain(self, word)

    def knows(self, word: str) -> bool:
        """Return True for a word of the table itself."""
        return word in self._own


def _setting(line: str, known: Collection[str]) -> str:
    """Return the value of a setting; raise a usage error for an unknown one."""
    first, *rest = line.lower().split()
    if len(rest) != 1 or rest[0] not in known:
        raise click.UsageError(f"Type {' or '.join(f'{first} {one}' for one in known)}.")
    return rest[0]


def _split(line: str) -> list[str]:
    """Return the words of a command as a shell splits them, or split at blanks if a quote is not closed."""
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()
