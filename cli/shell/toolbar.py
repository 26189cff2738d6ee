"""The toolbar under the prompt with all combatants, the prompt itself, and completions of lines."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from shutil import get_terminal_size
from typing import TYPE_CHECKING, NamedTuple

from prompt_toolkit.formatted_text import StyleAndTextTuples

from cli.output.text_wrap import isolate_rtl, text_width, truncate
from mam_events.errors import MamError

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.notation.completion import Continuation
    from mam_events.notation.context import LineContext
    from mam_events.state import Encounter
    from projections.state.status import StatusRow

MOST_LINES = 4
"""The maximum number of lines under the prompt; more would hide the fight on a screen of 24 lines."""


SEPARATOR, MORE = " │ ", "…"
CROWD = 10
"""The number of combatants above which those who are down are counted, not named."""
RECENT = 20
"""The number of rulings offered as completions for a number."""
NUMBERED = ("u", "undo", "amend", "after", "dispute", "note", "explain", "answer", "redo", "log")
"""Words that the number of a ruling follows."""


class Toolbar:
    """The fight as the prompt shows it, cached until there is a new ruling."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._version = -1
        self.known = 0
        """The newest ruling that has been shown."""
        self._fight: LineContext | None = None
        self._parts: list[_Part] = []
        self._open: list[str] = []
        """The things that are open, in words, and in fewer of them for a narrow screen."""
        self.look()

    def look(self) -> None:
        """Read all that is written so far; it counts as shown."""
        self._read()
        with suppress(Exception):
            self.known = self.session.timeline().number

    def _read(self) -> None:
        from mam_events.notation.context import LineContext
        from projections.state.status import fight_status

        try:
            encounter = self.session.implied_encounter()
            timeline = self.session.timeline()
        except MamError:
            self._fight, self._parts, self._open, self._version = None, [], [], -1
            return
        state, rules = timeline.state, self.session.log().rules
        self._version = timeline.version
        self._fight = LineContext(state, rules.in_force(state.ruleset)) if state.ruleset else None
        status = fight_status(encounter, state, self.session.redactor(), rules)
        self._parts = [
            _part(one, with_points=status.spends_points) for one in status.standings if one.condition != "out"
        ]
        self._parts = _with_fallen_counted(self._parts)
        unsettled = state.status == "open" and not state.order and len(state.combatants) > 1
        begins = "type init to settle who begins"
        if self._counts_actions():
            begins = "type ri to roll" if state.round_open else "type ro to begin the round"
        odds = self._odds(state)
        self._open = [
            "; ".join([*status.owed, *texts, *([begins] if unsettled else [])])
            for texts in ([f"{one}{needs}" for one, needs in odds], [one for one, _ in odds])
        ]
        # Name the fight if the store has several.
        if len(self.session.log().encounters()) > 1:
            self._parts.insert(0, _Part("class:fight", encounter, encounter))

    def _odds(self, state: Encounter) -> list[tuple[str, str]]:
        """Return the odds of the open exchange if they are quickly computed, each with the number needed."""
        if not state.exchange:
            return []
        from mam_events.commands import Resolve
        from projections.analysis.order_odds import order_odds

        with suppress(Exception):
            session = self.session
            answer = order_odds(
                session.timeline(), session.log().rules, state, session.redactor(), Resolve(state.exchange.id)
            )
            return [
                (f"{one.subject}: {one.chances.get('full', 0):.0%}", f", needs {one.needs}" if one.needs else "")
                for one in answer.chances
            ][:2]
        return []

    def _counts_actions(self) -> bool:
        return self._fight is not None and self._fight.ruleset.edition.counts_actions

    def prompt(self) -> str:
        """Return the text before the cursor: the round, and whose turn it is or what is open."""
        return isolate_rtl(self._prompt())

    def _prompt(self) -> str:
        state = self._fight.state if self._fight else None
        if state is None:
            return "mam> "
        if state.status == "closed":
            return "closed> "
        who = state.combatants
        from projections.state.next_move import upcoming_round

        round_ = f"r{upcoming_round(state)} " if state.order else ""
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
        """Return the lines under the prompt."""
        columns = get_terminal_size().columns
        words_open = next((words for words in self._open if text_width(words) < columns), "".join(self._open[-1:]))
        most = MOST_LINES - bool(words_open)
        rows = _laid([(one.style, one.words) for one in self._parts], columns)
        if len(rows) > most:
            # Shorten those who are down to their names, so that nobody has to be left out.
            rows = _laid([(one.style, one.short) for one in self._parts], columns)
        if len(rows) > most:
            # Make room for the sign in the last line shown.
            rows = _laid_to_end(rows[:most], columns)
        if words_open:
            rows.append([("class:open", isolate_rtl(_fitted(words_open, columns - 1)))])
        fragments: StyleAndTextTuples = []
        for at, line in enumerate(rows):
            fragments += [("", "\n")] if at else []
            fragments += line
        return fragments or [("", self._begin_with())]

    def _begin_with(self) -> str:
        """Return the words that begin a fight without combatants."""
        if self._fight is None:
            return "no fight is open: new ID [PRESET], then join NAME hp=6 …, init"
        if self._counts_actions():
            return "nobody has joined: join NAME SIDE code.agility=3D …, then ro"
        return "nobody has joined: join NAME SIDE hp=6 …, then init"

    def continuations(self, text: str) -> list[Continuation]:
        """Return the words that can continue the line."""
        from cli.shell.table_words import LOOKS
        from mam_events.commands import COMMANDS
        from mam_events.notation.completion import Continuation, continuations
        from mam_events.notation.grammar.vocabulary import LOG_KEYWORDS
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
            own = dict.fromkeys(COMMANDS, "an order") | {one.word: one.description for one in LOG_KEYWORDS.values()}
        suggestions = continuations(self._fight, text, self._fight_at) if self._fight else []
        words = {one.word for one in suggestions}
        more = [Continuation(word, description) for word, description in own.items() if word.startswith(begun.lower())]
        return [*suggestions, *(one for one in more if one.word not in words)]

    def _fight_at(self, number: int) -> LineContext:
        from mam_events.history.timeline.moments import state_at
        from mam_events.notation.author import GM_AUTHOR

        timeline = self.session.timeline()
        return GM_AUTHOR.fight(timeline, state_at(timeline, number), self.session.log().rules)

    def _rulings(self) -> dict[str, str]:
        """Return the last rulings by number, the newest first, each with its line in the log."""
        from mam_events.history.timeline.rulings import rulings
        from projections.rulings.log_lines import log_line_text, log_lines

        timeline = self.session.timeline()
        last = list(rulings(timeline, max(1, timeline.number - RECENT)))
        return {str(line.number): log_line_text(line) for line in reversed(log_lines(last, self.session.redactor()))}

    def has_new_rulings(self) -> bool:
        """Return True if the log has more rulings than were shown."""
        encounter = self.session.implied_encounter()
        return bool(encounter) and self.session.log().application.recorder.last_version(encounter) > self._version > 0

    def show_others(self) -> None:
        """Print the new rulings of others."""
        from cli.output.ruling import print_lines

        before = self.known
        timeline = self.session.timeline()
        for number in range(before + 1, timeline.number + 1):
            print_lines(self.session, timeline, [number])
        self.look()


class _Part(NamedTuple):
    """A combatant in the toolbar, with a shorter form."""

    style: str
    words: str
    short: str


def _with_fallen_counted(parts: list[_Part]) -> list[_Part]:
    """Return the parts; in a crowd those who are down are counted, and `status` names them."""
    down = [part for part in parts if part.style == "class:down"]
    if len(parts) <= CROWD or not down[1:]:
        return parts
    summary = f"{down[0].short[:1]}{len(down)} down"
    return [*(part for part in parts if part not in down), _Part("class:fallen", summary, summary)]


def _laid(parts: Sequence[tuple[str, str]], columns: int) -> list[StyleAndTextTuples]:
    """Return the parts in lines of that many columns."""
    lines: list[StyleAndTextTuples] = [[]]
    used = 0
    for style, words in parts:
        takes = text_width(words)
        if used and used + takes + len(SEPARATOR) > columns:
            lines.append([])
            used = 0
        if used:
            lines[-1].append(("", SEPARATOR))
            used += len(SEPARATOR)
        lines[-1].append((style, isolate_rtl(_fitted(words, columns))))
        used += takes
    return lines


def _laid_to_end(lines: list[StyleAndTextTuples], columns: int) -> list[StyleAndTextTuples]:
    """Return the lines with a sign at the end that there is more."""
    *before, last = lines
    more = f"{SEPARATOR}{MORE}"
    while last[1:] and sum(text_width(words) for _, words, *_ in last) + len(more) > columns:
        last = last[:-2]
    style, words, *_ = last[-1]
    room = columns - len(more) - sum(text_width(one) for _, one, *_ in last[:-1])
    return [*before, [*last[:-1], (style, truncate(words, room)), ("", more)]]


def _fitted(words: str, columns: int) -> str:
    """Return as many of the words as fit into that many columns, with a sign if some are left out."""
    return words if text_width(words) <= columns else f"{truncate(words, columns - len(MORE))}{MORE}"


def _part(one: StatusRow, *, with_points: bool) -> _Part:
    from projections.state.activities import doing_words
    from projections.state.status import ORDER_MARKS, points_left_text

    status = one.order.status if one.order else ""
    points = f" {points_left_text(one.points, with_points=with_points)}" if one.points else ""
    actions = f" {one.order.left}/{one.order.declared} left" if one.order and one.order.declared else ""
    how = "" if one.condition == "able" else f" {one.condition}"
    doing = f" ({doing_words(one.doing)})" if one.doing and not with_points else " *" if one.doing else ""
    style = "class:acting" if status == "acting" else "class:down" if one.condition != "able" else ""
    words = f"{ORDER_MARKS.get(status, '')}{one.name}{points}{actions}{how}{doing}"
    return _Part(style, words, f"{ORDER_MARKS['down']}{one.name}" if how else words)
