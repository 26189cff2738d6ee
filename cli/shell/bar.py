"""Everybody's state under the prompt, whose turn it is before it, and what may be typed; read anew when it changes."""

from __future__ import annotations

from contextlib import suppress
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from prompt_toolkit.formatted_text import StyleAndTextTuples

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.notation.continuing import Continuation
    from mam_events.notation.meaning import Fight
    from mam_events.state import Encounter
    from projections.status import Standing

MOST_LINES = 4
"""So many lines under the prompt at most: more would take the screen of 24 lines from the fight."""


RECENT = 20
"""So many rulings are offered where a number is to be typed."""
NUMBERED = ("u", "undo", "amend", "after", "dispute", "note", "explain", "answer", "redo", "log")
"""Words behind which the number of a ruling stands."""


class Bar:
    """The fight as the prompt shows it, kept until a ruling more is there."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._version = -1
        self.known = 0
        """The newest ruling that has been shown."""
        self._fight: Fight | None = None
        self._parts: list[tuple[str, str]] = []
        self._open = ""
        self.look()

    def look(self) -> None:
        """Take in whatever is written by now; it counts as shown."""
        self._read()
        with suppress(Exception):
            self.known = self.session.timeline().number

    def _read(self) -> None:
        from mam_events.errors import MamError
        from mam_events.notation.meaning import Fight
        from projections.status import status_of

        try:
            encounter = self.session.meant_encounter()
            timeline = self.session.timeline()
        except MamError:
            self._fight, self._parts, self._open, self._version = None, [], "", -1
            return
        state, rules = timeline.state, self.session.log().rules
        self._version = timeline.version
        self._fight = Fight(state, rules.in_force(state.ruleset)) if state.ruleset else None
        found = status_of(encounter, state, self.session.screen(), rules)
        self._parts = [_part(one, spent=found.spends_points) for one in found.standings if one.condition != "out"]
        unsettled = state.status == "open" and not state.order and len(state.combatants) > 1
        begins = "init settles who begins"
        if self._counts():
            begins = "ro rolls for it: ro ana 3 5 bo 2 1" if state.round_open else "ro begins the round"
        self._open = "; ".join([*found.owed, *self._odds(state), *([begins] if unsettled else [])])
        # Of several fights the one that is meant is told.
        if len(self.session.log().encounters()) > 1:
            self._parts.insert(0, ("class:fight", encounter))

    def _odds(self, state: Encounter) -> list[str]:
        """The odds of what is open, where they are quickly told."""
        if not state.exchange:
            return []
        from mam_events.commands import Resolve
        from projections.foretelling import foretold

        with suppress(Exception):
            session = self.session
            told = foretold(
                session.timeline(), session.log().rules, state, session.screen(), Resolve(state.exchange.id)
            )
            return [
                f"{one.subject}: {one.chances.get('full', 0):.0%}{f', needs {one.needs}' if one.needs else ''}"
                for one in told.chances
            ][:2]
        return []

    def _counts(self) -> bool:
        return self._fight is not None and self._fight.ruleset.edition.counts_actions

    def prompt(self) -> str:
        """The words before the cursor: round, and whose turn it is or what is open."""
        state = self._fight.state if self._fight else None
        if state is None:
            return "mam> "
        if state.status == "closed":
            return "closed> "
        who = state.combatants
        round_ = f"r{max(state.round, 1)} " if state.order else ""
        if state.round_open and not state.order:
            return f"r{state.round} initiative?> "
        if state.exchange:
            root = state.exchange.root
            aimed = f" → {who[root.target].name}" if root.target else ""
            return f"{round_}{who[root.combatant].name}{aimed}?> "
        if state.window.open:
            return f"{round_}{who[state.window.open[-1].combatant].name} · result?> "
        if state.turn:
            return f"{round_}{who[state.turn.combatant].name}> "
        if state.next_up:
            return f"{round_}next {who[state.next_up].name}> "
        return f"{round_.strip() or 'mam'}> "

    def text(self) -> StyleAndTextTuples:
        """The lines under the prompt."""
        columns = get_terminal_size().columns
        lines: list[StyleAndTextTuples] = [[]]
        used = 0
        for style, words in self._parts:
            if used and used + len(words) + 3 > columns:
                lines.append([])
                used = 0
            if used:
                lines[-1].append(("", " │ "))
                used += 3
            lines[-1].append((style, words[:columns]))
            used += len(words)
        shown = lines[: MOST_LINES - bool(self._open)]
        if self._open:
            shown.append([("class:open", self._open[: columns - 1])])
        found: StyleAndTextTuples = []
        for at, line in enumerate(shown):
            found += [("", "\n")] if at else []
            found += line
        return found or [("", self._begin_with())]

    def _begin_with(self) -> str:
        """The words with which a fight begins in which nobody is yet."""
        if self._fight is None:
            return "no fight is open: new ID [PRESET], then join NAME hp=6 …, init"
        if self._counts():
            return "nobody has joined: join NAME SIDE code.agility=3D …, then ro"
        return "nobody has joined: join NAME SIDE hp=6 …, then init"

    def continuations(self, text: str) -> list[Continuation]:
        """The words by which a line that begins so may go on."""
        from cli.shell.evening import LOOKS
        from mam_events.notation.continuing import Continuation, continuations
        from mam_events.notation.places import SLOTS
        from mam_events.rules.rulebook import rulebook

        *before, begun = text.lstrip().split(" ")
        first = before[0].lower() if before else ""
        own: dict[str, str] = {}
        if not before:
            own = dict.fromkeys(("new", "fight", "dice", "help", *LOOKS), "of the table")
        elif first == "new" and len(before) > 1:
            own = dict.fromkeys(rulebook().presets, "a preset")
        elif first == "fight":
            own = dict.fromkeys(self.session.log().encounters(), "a fight")
        elif first in NUMBERED and len(before) == 1:
            own = self._rulings()
        elif first in ("?", "rule"):
            own = dict.fromkeys(SLOTS, "an order")
        found = continuations(self._fight, text, self._fight_at) if self._fight else []
        words = {one.word for one in found}
        more = [Continuation(word, told) for word, told in own.items() if word.startswith(begun.lower())]
        return [*found, *(one for one in more if one.word not in words)]

    def _fight_at(self, number: int) -> Fight:
        from mam_events.notation.typist import MASTER
        from mam_events.rulings.moments import state_at

        timeline = self.session.timeline()
        return MASTER.fight(timeline, state_at(timeline, number), self.session.log().rules)

    def _rulings(self) -> dict[str, str]:
        """The last rulings by their numbers, the newest first, each with its line in the log."""
        from mam_events.rulings.history import rulings
        from projections.log_lines import as_text, log_lines

        timeline = self.session.timeline()
        last = list(rulings(timeline, max(1, timeline.number - RECENT)))
        return {str(line.number): as_text(line) for line in reversed(log_lines(last, self.session.screen()))}

    def meant(self, text: str, word: str) -> str:
        """The word that is to be explained: what a cut or a letter stands for, as far as it can be told."""
        from mam_events.errors import MamError
        from mam_events.notation.meaning import Meant, meant
        from mam_events.notation.words import orders_in

        if self._fight is None:
            return word
        with suppress(MamError):
            said = meant(self._fight, orders_in(text.rpartition(";")[2])[0])
            if isinstance(said, Meant) and text.rsplit(maxsplit=1)[-1] == word and len(text.split()) == 1:
                return said.do
        with suppress(MamError):
            alone = meant(self._fight, orders_in(word)[0])
            return alone.do if isinstance(alone, Meant) else alone.combatant
        return word

    def others_wrote(self) -> bool:
        """True if there is more in the log than was shown."""
        encounter = self.session.meant_encounter()
        return bool(encounter) and self.session.log().application.recorder.last_version(encounter) > self._version > 0

    def show_others(self) -> None:
        """Print the rulings that others have written meanwhile."""
        from cli.ruled import around, print_line

        known = self.known
        timeline = self.session.timeline()
        for number in range(known + 1, timeline.number + 1):
            print_line(self.session, around(timeline, number), number)
        self.look()


def _part(one: Standing, *, spent: bool) -> tuple[str, str]:
    from projections.doing import doing_words
    from projections.status import MARKS, left

    status = one.order.status if one.order else ""
    points = f" {left(one.points, spent=spent)}" if one.points else ""
    actions = f" {one.order.left}/{one.order.declared}" if one.order and one.order.declared else ""
    how = "" if one.condition == "able" else f" {one.condition}"
    doing = f" ({doing_words(one.doing)})" if one.doing and not spent else " *" if one.doing else ""
    style = "class:acting" if status == "acting" else "class:down" if one.condition != "able" else ""
    return style, f"{MARKS.get(status, '')}{one.name}{points}{actions}{how}{doing}"
