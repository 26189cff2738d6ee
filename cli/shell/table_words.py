"""The words of the table that are no orders: commands that look, settings, another fight, leaving."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import cached_property

import click

from cli.commands.fight.do import PASSED
from cli.output import render
from cli.registry import SECTIONS
from cli.session import DEFAULT_STORE, Session
from cli.shell.kept_dice import KeptDice
from mam_events.errors import NotFound
from mam_events.refusals.suggestions import suggestion_text

DECIDING = ("rule-on", "propose", "accept", "refuse", "branch")
"""Commands for decisions at the table that line notation lacks."""
LOOKS = (*SECTIONS["Look"], *SECTIONS["Ask"], *SECTIONS["Keep"], *SECTIONS["Rules"], *DECIDING, "roster")
"""Commands that can be typed at the table as they are: those that only look, and those for notes beside the fight."""
SHORTENED = {"log": ["log", "--last", "18"]}
"""Looks limited to a screen of 24 lines with prompt and bar; `mam` before them shows all."""
PAIR = 2
"""The number of words of a setting with its value, and of a joining by name alone."""
LEAVING = ("quit", "exit", "q")


class TableWords:
    """The settings of a table, and the words that change them, look at the fight or switch to another."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.draws = True
        self.passing: tuple[str, ...] = ()
        self.over = False
        self.place = ""
        """The place of the line that is answered, where the lines come from a pipe."""
        self.refused = False
        """True once a line was refused."""
        self.kept = KeptDice(session)
        """The line that Enter alone gives."""

    def is_table_word(self, word: str) -> bool:
        """Return True for a word of the table itself."""
        return word in self._handlers

    def answer_table_word(self, line: str) -> bool:
        """Do what a line says that begins with a word of the table, or that joins somebody from the roster.

        Return False for any other line.
        """
        words = line.split()
        first = words[0].lower()
        if first in self._handlers and (len(words) == 1 or first not in LEAVING):
            self._handlers[first](line)
            return True
        if _is_roster_join(words):
            self.look(words)
            return True
        return False

    def look(self, words: list[str]) -> bool:
        """Run a `mam` command in this fight; return False if it failed."""
        from cli.app import main

        arguments = ["--store", self.session.store_path, "-q"]
        if encounter := self.session.implied_encounter():
            arguments += ["-e", encounter]
        if self.session.json:
            arguments.append("--json")
        try:
            main.main([*arguments, *words], parent=self.session)
        except SystemExit as end:
            self.refused |= bool(end.code)
            if end.code:
                self.kept.arm(armed=False)
                self._print_place(" ".join(words))
            return not end.code

    def explain(self, word: str) -> None:
        """Explain a word: an order with its rule, a rule, a combatant; without one, show the help of the table."""
        from cli.shell.help import explain

        explain(self, word)

    def _print_place(self, line: str) -> None:
        """Print the place of the line that failed, if lines come from a pipe."""
        if self.place:
            render.print_notice(f"{self.place}: {line.strip()}")

    @cached_property
    def _handlers(self) -> Mapping[str, Callable[[str], None]]:
        """The words of the table that are no orders, each with its handler."""
        return {
            **dict.fromkeys((*LOOKS, "mam"), self._run_look),
            **dict.fromkeys(LEAVING, self._leave),
            "sheets": lambda _: self._run_look("roster"),
            "help": self._find_help,
            "find": self._find_help,
            "new": self._begin_fight,
            "fight": self._switch_fight,
            **dict.fromkeys(("fights", "list"), lambda _: self._run_look("encounters")),
            **dict.fromkeys(("serve", "share"), self._show_serve),
            "dice": self._set_dice,
            "nobody": self._pass_interference,
            "anybody": self._stop_for_interference,
        }

    def _leave(self, _: str) -> None:
        self.over = True

    def _run_look(self, line: str) -> None:
        first, *rest = _split_words(line)
        words = SHORTENED.get(line) or ([first.lower(), *rest] if first.lower() != "mam" else rest)
        if words:
            self.look(words)

    def _find_help(self, line: str) -> None:
        words = line.split()[1:]
        if words:
            self.look(["help", *words])
        else:
            self.explain("")

    def _begin_fight(self, line: str) -> None:
        """Begin a fight from its line (`new_command_words`), and switch to it."""
        from cli.shell.new_line import new_command_words

        names: Collection[str] = ()
        with suppress(NotFound):
            names = self.session.log().encounters()
        words = new_command_words(line, names)
        if self.look(words):
            self.session.forget_encounter()
            self.session.encounter_name = words[1]
            self._print_passing()

    def _switch_fight(self, line: str) -> None:
        """Switch to another fight of the same store."""
        names = self.session.log().encounters()
        word = " ".join(line.split()[1:])
        if not word:
            self._run_look("encounters")
            return
        if word not in names:
            raise NotFound(f'There is no encounter "{word}". {suggestion_text(word, names)}', wrong=word, allowed=names)
        self.session.speak_of(word)
        self.session.encounter_name = word
        self.look(["status"])
        self._print_passing()

    def _show_serve(self, _: str) -> None:
        store = "" if self.session.store_path == DEFAULT_STORE else f" --store {shlex.quote(self.session.store_path)}"
        player = "COMBATANT"
        if self.session.implied_encounter():
            visible = self.session.redactor().combatants(self.session.timeline().state)
            player = next((one.id for one in visible if one.kind == "pc"), player)
        render.print_notice(
            "To share the fight with the players' phones, type in another terminal: "
            f"mam serve --lan --player NAME={player}{store}"
        )

    def _print_passing(self) -> None:
        """Print in another fight that lines still don't stop for interference, if that was set before."""
        if self.passing:
            render.print_notice("Lines still do not stop for interference. To make them stop, type: anybody interferes")

    def _set_dice(self, line: str) -> None:
        self.draws = _parse_setting(line, ("ask", "draw")) == "draw"
        render.print_notice(
            "Dice that are not typed are drawn." if self.draws else "No dice are drawn: type every face."
        )

    def _pass_interference(self, line: str) -> None:
        self.passing = PASSED[_parse_setting(line, PASSED)]
        render.print_notice(
            "Lines no longer stop for those who can only interfere. They must announce it before the dice."
        )

    def _stop_for_interference(self, line: str) -> None:
        _parse_setting(line, PASSED)
        self.passing = ()
        render.print_notice("Lines stop for those who may interfere.")


def _is_roster_join(words: list[str]) -> bool:
    """Return True for a joining that a sheet of the roster completes, or for several at once as a command."""
    from cli.commands.fight.roster_folder import is_on_roster

    if words[0] != "join":
        return False
    return "--count" in words or (len(words) == PAIR and is_on_roster(words[1]))


def _parse_setting(line: str, choices: Collection[str]) -> str:
    """Return the value of a setting; raise a usage error for an unknown one."""
    first, *rest = line.lower().split()
    if len(rest) != 1 or rest[0] not in choices:
        raise click.UsageError(f"Type {' or '.join(f'{first} {one}' for one in choices)}.")
    return rest[0]


def _split_words(line: str) -> list[str]:
    """Return the words of a command as a shell splits them, or split at blanks if a quote is not closed."""
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()
