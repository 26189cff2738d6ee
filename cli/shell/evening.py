"""One evening at the table: what is typed becomes orders, looks or settings, and is answered."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

import click

from cli import output
from cli.catalogue import SECTIONS
from cli.doing import PASSED, send
from cli.session import Session

if TYPE_CHECKING:
    from mam_events.log.answers import Preview
    from mam_events.notation.giving import LineGiven
    from mam_events.rulings.timeline import Timeline

DECIDING = ("rule-on", "propose", "accept", "refuse", "branch")
"""Commands about what was said at the table that no line says."""
LOOKS = (*SECTIONS["Look"], *SECTIONS["Ask"], *SECTIONS["Keep"], *SECTIONS["Rules"], *DECIDING, "roster")
"""Commands that can be typed at the table as they are: whatever only looks, and what is kept beside the fight."""
SHORTENED = {"log": ["log", "--last", "18"]}
"""Looks that show no more than a screen of 24 lines holds, with prompt and bar; all of it with `mam` before them."""
PAIR = 2
"""The words of a setting with its value, and of a joining by name alone."""
LEAVING = ("quit", "exit", "q")
LAST = ("u", "undo", "redo")
"""Words that mean what was written last, as whoever types them sees it."""


class Evening:
    """The table's side of a shell: settings, and the answer to each line; nothing of how it is typed or shown.

    `confirm` asks whether a correction that changes more is to be made, `ask` asks a question in which a key chooses
    (None: nobody can be asked).
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
        self._newest: int | None = None
        """The newest ruling that was shown: whoever takes back the last line means the last of those."""

    def answer(self, line: str) -> None:
        """Do what a line says, and print what came of it; a line that cannot be given is answered, and nothing more."""
        from cli.failures import report_failure
        from cli.shell.ways import ways_on
        from mam_events.errors import MamError

        try:
            self._said(line.strip())
        except KeyboardInterrupt:
            output.talk("Nothing was written.")
        except (SystemExit, click.exceptions.Exit):
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, the evening goes on
            self.refused = True
            self._say_where(line)
            report_failure(error, self.session, as_json=self.session.json)
            if (
                isinstance(error, MamError)
                and not self.session.json
                and (ways := ways_on(error, line.strip(), self._timeline()))
            ):
                output.talk(f"next: {ways}")
        else:
            self._newest = self._number()

    def _say_where(self, line: str) -> None:
        """Say which line it is that is answered so, where lines come from a pipe."""
        if self.place:
            output.talk(f"{self.place}: {line.strip()}")

    def shown(self, number: int) -> None:
        """All up to that ruling has been shown."""
        self._newest = number

    def _timeline(self) -> Timeline | None:
        with suppress(Exception):
            return self.session.timeline()
        return None

    def _number(self) -> int | None:
        timeline = self._timeline()
        return timeline.number if timeline else None

    def _said(self, line: str) -> None:
        words = line.split()
        first = words[0].lower() if words else ""
        if not words:
            self._enter()
        elif first.startswith("?") or words[-1] == "?" or (len(words) == 1 and line.endswith("?")):
            self.explain(line.lstrip("? ") if first.startswith("?") else words[-2:][0].rstrip("?"))
        elif first in self._own and (len(words) == 1 or first not in LEAVING):
            self._own[first](line)
        elif self._from_roster(words):
            self.look(words)
        else:
            self.give(line)

    @cached_property
    def _own(self) -> Mapping[str, Callable[[str], None]]:
        """The words of the table, which are no orders, and what each does with its line."""
        return {
            **dict.fromkeys((*LOOKS, "mam"), self._looked_at),
            **dict.fromkeys(LEAVING, self._leave),
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
        """Go to another fight of the same store."""
        from mam_events.errors import NotFound, nearest

        known = self.session.log().encounters()
        word = " ".join(line.split()[1:])
        if word not in known:
            raise NotFound(f'There is no encounter "{word}"; {nearest(word, known)}', wrong=word, allowed=known)
        self.session.speak_of(word)
        self.session.encounter_name = word
        self.look(["status"])

    def _dice(self, line: str) -> None:
        how = _setting(line, ("ask", "draw"))
        self.draws = how == "draw"
        output.talk("Dice that are not typed are drawn." if self.draws else "No die is drawn: each face is typed.")

    def _nobody(self, line: str) -> None:
        self.passing = PASSED[_setting(line, PASSED)]
        output.talk("No line stops for those who could only interfere; whoever does says so before the dice.")

    def _anybody(self, line: str) -> None:
        _setting(line, PASSED)
        self.passing = ()
        output.talk("A line stops for whoever may interfere.")

    def _from_roster(self, words: list[str]) -> bool:
        """True for a joining that a sheet of the roster, or a number of them, says all of."""
        from cli.roster import sheets

        return words[0] == "join" and ("--count" in words or (len(words) == PAIR and words[1] in sheets()))

    def _begin(self, line: str) -> None:
        """Begin a fight: its id, its preset, as much of that as is unique, its title in quotes, and who begins it."""
        from mam_events.errors import BadInput
        from mam_events.notation.meaning import either
        from mam_events.notation.words import Quoted, orders_in
        from mam_events.rules.rulebook import rulebook

        said = [word for order in orders_in(line) for word in order.words[1:]]
        if not said:
            raise click.UsageError("what is the fight called? new cellar, or new cellar speed.")
        first = said.pop(0)
        asked = ["new", str(first.value)]
        for word in said:
            text = str(word.value)
            presets = [name for name in rulebook().presets if text.lower() in name]
            if word.key not in ("", "by"):
                raise BadInput(
                    f'{word.key}= is nothing that begins a fight: new ID PRESET "TITLE" by=NAME.', place="new"
                )
            if not word.key and not isinstance(word.value, Quoted) and len(presets) > 1 and text not in presets:
                raise BadInput(f'"{text}" is {either(presets)}: which?', place="new", wrong=text, allowed=presets)
            option = "--by" if word.key else "--title" if isinstance(word.value, Quoted) else "--preset"
            asked += [option, presets[0] if option == "--preset" and len(presets) == 1 else text]
        if self.look(asked):
            # What has just been begun is meant from now on.
            self.session.forget_encounter()
            self.session.encounter_name = str(first.value)

    def _enter(self) -> None:
        """Enter alone: what is open is rolled, else the fight is shown."""
        state = self.session.timeline().state
        if state.exchange or state.window.open:
            self.give("r")
        else:
            self.look(["status"])

    def give(self, line: str) -> None:
        """Give a line; a correction that changes more is shown and asked for first."""
        from cli.correcting import show_preview, stop_before
        from cli.lined import show_line

        session = self.session
        before = session.timeline().state
        given = self._sent(line, sure=False, expect="")
        if given.asks is not None:
            show_preview(session, given.asks, (), digest=False)
            self._say_where(line)
            stop = self._decided(given.asks)
            given = self._sent(line, sure=True, expect=given.asks.expect)
            show_line(session, given, before, hints=False, verdicts=False, goes_on=bool(stop))
            stop_before(session, stop, given.answers[-1])
            return
        if given.stopped:
            self._say_where(line)
        show_line(session, given, before, hints=False)

    def _decided(self, asks: Preview) -> int:
        """Return the ruling before which to stop once the correction is made (0: none); raise KeyboardInterrupt where
        nothing is to be done.
        """
        from cli.correcting import summary_of
        from cli.turns_choice import choice_about

        choice = choice_about(self.session.timeline(), asks, summary_of(self.session, asks)) if self.ask else None
        try:
            if choice and self.ask:
                return choice.ask(self.ask)
        except click.Abort:
            raise KeyboardInterrupt from None
        if not self.confirm():
            raise KeyboardInterrupt
        return 0

    def _sent(self, line: str, *, sure: bool, expect: str) -> LineGiven:
        newest = self._newest if line.split(maxsplit=1)[0].lower() in LAST and not expect else None
        return send(self.session, line, sure=sure, expect=expect, passing=self.passing, draws=self.draws, newest=newest)

    def look(self, words: list[str]) -> bool:
        """Run a command of `mam` in this fight; False where it could not be done."""
        from cli.main import main

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
                self._say_where(" ".join(words))
            return not end.code

    def explain(self, word: str) -> None:
        """Tell what a word is: an order with its rule, a rule, a combatant; without one, how the table is used."""
        from cli.shell.help import explain

        explain(self, word)

    def knows(self, word: str) -> bool:
        """True for a word of the table itself."""
        return word in self._own


def _setting(line: str, known: Collection[str]) -> str:
    """The second word of a setting; a usage error for one that it cannot be."""
    first, *rest = line.lower().split()
    if len(rest) != 1 or rest[0] not in known:
        raise click.UsageError(f"it is typed so: {' or '.join(f'{first} {one}' for one in known)}.")
    return rest[0]


def _split(line: str) -> list[str]:
    """The words of a command as a shell parts them; where a quote is not closed, by blanks."""
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()
