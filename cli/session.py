"""One run of the command line: what it was told for all commands, its store and its encounter."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Self

import click

if TYPE_CHECKING:
    from types import TracebackType

    from mam_events.encounter.timeline import Timeline
    from mam_events.log import CombatLog
    from projections.screen import Screen

DEFAULT_STORE = "mam.db"


class Session:
    """What was said for any command, on either side of its name; opens the store when it is first needed.

    `view` is who looks (`gm`, `public`, `side:NAME`), `after` the play behind which an action is inserted (0: none),
    `expected` the number that the newest ruling must have (None: any).
    """

    def __init__(self) -> None:
        self.store = ""
        self.encounter_name = ""
        self.by = ""
        self.view = "gm"
        self.json = False
        self.quiet = False
        self.command_id = ""
        self.expected: int | None = None
        self.after = 0
        self.yes = False
        self.visibility = ""
        self._log: CombatLog | None = None
        self._encounter = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._log is None:
            return
        self._log.close()

    @property
    def store_path(self) -> str:
        """The store: as said, else MAM_STORE, else `mam.db` here."""
        return self.store or os.environ.get("MAM_STORE", "") or DEFAULT_STORE

    @property
    def author(self) -> str:
        """Who acts, as plain text: as said, else MAM_BY."""
        return clean(self.by or os.environ.get("MAM_BY", ""))

    def log(self, *, create: bool = False) -> CombatLog:
        """The log; raises NotFound where there is no store and `create` is off."""
        if self._log is None:
            from mam_events.log import CombatLog

            self._log = CombatLog.open(self.store_path, create=create)
        return self._log

    def encounter(self) -> str:
        """The encounter: as said, else MAM_ENCOUNTER, else the open one last played, which is then told."""
        if not self._encounter:
            self._encounter = self.encounter_name or os.environ.get("MAM_ENCOUNTER", "") or self._last_played()
        return self._encounter

    @property
    def in_fight(self) -> bool:
        """Whether an encounter has been found for this run."""
        return bool(self._encounter)

    def insist_on_latest(self) -> None:
        """Whoever says "the last" without naming an encounter must not mean another one than the log does.

        Raises BadInput where the newest ruling of the store closed its encounter and an older one is open.
        """
        if self.encounter_name or os.environ.get("MAM_ENCOUNTER", ""):
            return
        latest = self.log().store.latest()
        if latest is not None and latest != self.encounter():
            from mam_events.errors import BadInput

            raise BadInput(
                f'The newest ruling is in "{latest}", which is closed, and "{self.encounter()}" is still open: say '
                "which one is meant (-e NAME)."
            )

    def _last_played(self) -> str:
        log = self.log()
        latest = log.store.latest()
        if latest is None:
            from mam_events.errors import NotFound

            raise NotFound(f"There is no encounter in {self.store_path} yet; `mam new` begins one.")
        candidates = [latest, *(name for name in reversed(log.encounters()) if name != latest)]
        found = next((name for name in candidates if log.timeline(name).state.status == "open"), latest)
        if len(candidates) > 1 and self.quiet and not self.json:
            # Quiet is no reason to let somebody write into another fight than the one he means.
            click.echo(f"encounter: {found}", err=True)
        self.say(f"encounter: {found}")
        return found

    def timeline(self, as_of: int | None = None) -> Timeline:
        """The encounter as its log tells it; raises NotFound."""
        timeline = self.log().timeline(self.encounter(), as_of=as_of)
        self._check_view(timeline)
        return timeline

    def _check_view(self, timeline: Timeline) -> None:
        side = self.view.removeprefix("side:")
        if side == self.view:
            return
        sides = {combatant.side for combatant in timeline.state.combatants.values()}
        if side not in sides:
            from mam_events.errors import NotFound

            # Whoever asks for one side is not told of the others.
            raise NotFound(f'There is no side "{side}" in this fight.')

    def screened(self, text: str) -> str:
        """The text without the names of those whom the view may not know of, once an encounter is known."""
        return self.screen().text(text) if self.view != "gm" and self.in_fight else text

    def screen(self) -> Screen:
        """What stands between the whole log of the encounter and this view."""
        from mam_events.history import rulings
        from projections.screen import Screen

        if self.view == "gm":
            return Screen(self.view)
        return Screen(self.view, rulings(self.log().timeline(self.encounter())))

    def say(self, text: str) -> None:
        """Talk, on stderr, so that what is printed stays data; silent with --quiet and --json."""
        if not self.quiet and not self.json:
            click.echo(text, err=True)

    def typed(self, command: str) -> str:
        """A command to be typed next, with the store and encounter that this one named."""
        named = (("--store", self.store), ("-e", self.encounter_name))
        return command + "".join(f" {option} {shlex.quote(value)}" for option, value in named if value)


def clean(text: str) -> str:
    """Free text without the characters that would disturb a terminal or a page."""
    from mam_events.text import clean_text

    return clean_text(text)


pass_session = click.make_pass_decorator(Session)
