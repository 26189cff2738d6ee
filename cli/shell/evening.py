"""One evening at the table: what is typed becomes orders, looks or settings, and is answered."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from cli import output
from cli.catalogue import SECTIONS
from cli.doing import PASSED, send
from cli.session import Session

if TYPE_CHECKING:
    from mam_events.notation.giving import LineGiven
    from mam_events.notation.words import Said

DECIDING = ("rule-on", "propose", "accept", "refuse", "branch")
"""Commands about what was said at the table that no line says."""
LOOKS = (*SECTIONS["Look"], *SECTIONS["Ask"], *SECTIONS["Keep"], *SECTIONS["Rules"], *DECIDING, "roster")
"""Commands that can be typed at the table as they are: whatever only looks, and what is kept beside the fight."""
SHORTENED = {"log": ["log", "--last", "18"]}
"""Looks that show no more than a screen of 24 lines holds, with prompt and bar; all of it with `mam` before them."""
PAIR = 2
"""The words of a setting with its value, and of a joining by name alone."""
LEAVING = ("quit", "exit", "q")
HELP = """\
Orders are typed as short as they can be, dice last; a full stop ends the turn:
  a clone p4 m2     attack; d 6 defends, 2 1 are the dice, c p2 m1 strikes back
  n                 ends the turn and begins the next one; a name alone begins
  Enter             alone rolls what is open, or shows the fight
  u, redo           take the last line back, and bring it back; also u 17
  amend 17 5        says ruling 17 anew; after 13 draw inserts behind 13
  dispute 47 "…     note "…; rule-on 48 --stands decides; gm grob 3 dam>ready "…
  status, log, odds, options, explain 17, rule parry, find saddle: looks
  new ID [PRESET]   begins a fight; join NAME hp=6 … brings somebody in
  dice ask          never draws a die here; dice draw draws those not typed
  nobody interferes stops no line for that; anybody interferes does
  ? WORD            what it is, with its rule; in a line: WORD and then ?
  F2 picks a ruling; Tab completes; Ctrl-C leaves the line, Ctrl-D the table"""


class Evening:
    """The table's side of a shell: settings, and the answer to each line; nothing of how it is typed or shown.

    `confirm` asks whether a correction that changes more is to be made.
    """

    def __init__(self, session: Session, confirm: Callable[[], bool]) -> None:
        self.session = session
        self.confirm = confirm
        self.draws = True
        self.passing: tuple[str, ...] = ()
        self.over = False
        self.place = ""
        """The place of the line that is answered, where the lines come from a pipe."""
        self.refused = False
        """True once a line could not be given."""

    def answer(self, line: str) -> None:
        """Do what a line says, and print what came of it; a line that cannot be given is answered, and nothing more."""
        from cli.failures import report_failure

        try:
            self._said(line.strip())
        except KeyboardInterrupt:
            output.talk("Nothing was written.")
        except (SystemExit, click.exceptions.Exit):
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, the evening goes on
            self.refused = True
            if self.place:
                output.talk(f"{self.place}: {line.strip()}")
            report_failure(error, self.session, as_json=self.session.json)

    def _said(self, line: str) -> None:
        from mam_events.notation.words import orders_in

        words = line.split()
        if not words:
            self._enter()
        elif words[0].lower() in LEAVING and len(words) == 1:
            self.over = True
        elif words[0] == "?" or (words[0] == "help" and len(words) == 1):
            self.explain(" ".join(words[1:]))
        elif len(words) == 1 and line.endswith("?"):
            self.explain(line.removesuffix("?"))
        elif words[0] in ("find", "help"):
            self.look(["help", *words[1:]])
        elif words[0].lower() in self._settings and len(words) == PAIR:
            self._settings[words[0].lower()](words[1].lower())
        elif words[0] in LOOKS or (words[0] == "mam" and len(words) > 1):
            self.look(SHORTENED.get(line) or _split(line.removeprefix("mam ")))
        elif words[0] == "new":
            self._begin([word for order in orders_in(line) for word in order.words[1:]])
        elif self._from_roster(words):
            self.look(words)
        else:
            self.give(line)

    @property
    def _settings(self) -> Mapping[str, Callable[[str], None]]:
        return {"dice": self._dice, "nobody": self._nobody, "anybody": self._anybody}

    def _dice(self, how: str) -> None:
        if how not in ("ask", "draw"):
            raise click.UsageError("dice ask, or dice draw.")
        self.draws = how == "draw"
        output.talk("Dice that are not typed are drawn." if self.draws else "No die is drawn: each face is typed.")

    def _nobody(self, what: str) -> None:
        if what not in PASSED:
            raise click.UsageError("nobody interferes.")
        self.passing = PASSED[what]
        output.talk("No line stops for those who could only interfere; whoever does says so before the dice.")

    def _anybody(self, what: str) -> None:
        if what not in PASSED:
            raise click.UsageError("anybody interferes.")
        self.passing = ()
        output.talk("A line stops for whoever may interfere.")

    def _from_roster(self, words: list[str]) -> bool:
        """True for a joining that a sheet of the roster, or a number of them, says all of."""
        from cli.roster import sheets

        return words[0] == "join" and ("--count" in words or (len(words) == PAIR and words[1] in sheets()))

    def _begin(self, said: list[Said]) -> None:
        """Begin a fight: its id, its preset, as much of that as is unique, and its title in quotes."""
        from mam_events.notation.words import Quoted
        from mam_events.rules.rulebook import rulebook

        words = [str(word.value) for word in said]
        asked = ["new", *words[:1]]
        for word in said[1:]:
            text = str(word.value)
            presets = [name for name in rulebook().presets if text.lower() in name]
            if isinstance(word.value, Quoted):
                asked += ["--title", text]
            else:
                asked += ["--preset", presets[0] if len(presets) == 1 else text]
        if not words:
            raise click.UsageError("what is the fight called? new cellar, or new cellar speed.")
        if self.look(asked):
            # What has just been begun is meant from now on.
            self.session.forget_encounter()
            self.session.encounter_name = words[0]

    def _enter(self) -> None:
        """Enter alone: what is open is rolled, else the fight is shown."""
        state = self.session.timeline().state
        if state.exchange or state.window.open:
            self.give("r")
        else:
            self.look(["status"])

    def give(self, line: str) -> None:
        """Give a line; a correction that changes more is shown and asked for first."""
        from cli.correcting import show_preview
        from cli.lined import show_line

        session = self.session
        before = session.timeline().state
        given = self._sent(line, sure=False, expect="")
        if given.asks is not None:
            show_preview(session, given.asks, (), digest=False)
            if not self.confirm():
                output.talk("Nothing was written.")
                return
            given = self._sent(line, sure=True, expect=given.asks.expect)
            show_line(session, given, before, hints=False, verdicts=False)
            return
        show_line(session, given, before, hints=False)

    def _sent(self, line: str, *, sure: bool, expect: str) -> LineGiven:
        return send(self.session, line, sure=sure, expect=expect, passing=self.passing, draws=self.draws)

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
            return not end.code

    def explain(self, word: str) -> None:
        """Tell what a word is: an order with its rule, a rule, a combatant; without one, how the table is used."""
        if not word:
            click.echo(HELP)
            return
        from mam_events.commands import COMMANDS
        from mam_events.errors import MamError
        from mam_events.notation.places import SYNONYMS
        from mam_events.rules.rulebook import rulebook

        low = word.strip('"').lower()
        with suppress(MamError):
            if low in self.session.timeline().state.combatants:
                self.look(["blame", low])
                return
        do = SYNONYMS.get(low, (low,))[0]
        if do in rulebook().tables.rd6_actions and do not in COMMANDS:
            do = "perform"
        if do in COMMANDS:
            self._explain_order(do)
        self.look(["rule", do])

    def _explain_order(self, do: str) -> None:
        """Tell what an order is and what it takes, as it is typed here."""
        from mam_events.commands import COMMANDS
        from mam_events.notation.places import LETTERS, SLOTS, SYNONYMS
        from mam_events.shapes import shapes

        told = " ".join((COMMANDS[do].__doc__ or "").split())
        letters = [word for word, orders in SYNONYMS.items() if do in orders]
        also = f" ({', '.join(letters)})" if letters else ""
        output.line(f"{do}{also}: {told}", indent=2)
        known = shapes(COMMANDS[do])
        by_letter = {name: letter for letter, names in LETTERS.items() for name in names}
        fields = [f"{by_letter[name]}N {name}" if name in by_letter else f"{name}=" for name in known]
        bare = " ".join(SLOTS.get(do, ()))
        output.line(f"  bare: {bare or 'nothing'}; also {', '.join(fields)}", indent=8)


def _split(line: str) -> list[str]:
    """The words of a command as a shell parts them; where a quote is not closed, by blanks."""
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()
