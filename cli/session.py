"""One run of the command line: its shared options, its store and its encounter."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Self

import click

if TYPE_CHECKING:
    from mam_events.commands import Command, Join
    from mam_events.errors import CommandHint, MamError
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.notation.author import LineAuthor
    from mam_events.notation.line_log import LineLog
    from mam_events.state import Encounter
    from projections.visibility.redaction import Redactor
    from projections.visibility.viewer import Viewer
    from web.client.remote_log import RemoteLog

DEFAULT_STORE = "mam.db"


class Session:
    """The shared options of a command, given on either side of its name; it opens the store when it is first needed.

    With a `parent`, the log that it holds open is used, and left open.
    """

    def __init__(self, parent: Session | None = None) -> None:
        self.arguments: Sequence[str] = ()
        self.store = ""
        self.encounter_name = ""
        self.by = ""
        self.view = "gm"
        """The reader: `gm`, `public` or `side:NAME`."""
        self.json = False
        self.quiet = False
        self.command_id = ""
        self.expected: int | None = None
        """The number that the newest ruling must have; None for any."""
        self.after = 0
        """The play after which an action is inserted; 0 for none."""
        self.yes = False
        self.previews = False
        self.instead_of_giving: Callable[[Session, Command], None] | None = None
        """A function for an order that is not given, because it is asked about or proposed."""
        self.expect = ""
        self.strict = False
        self.visibility = ""
        self.situation: tuple[str, ...] = ()
        """The modifiers that the game master adds to rolls."""
        self.dice = ""
        """The faces with which the exchange is resolved at once."""
        self.reads_fight = False
        """True if the orders come from a file, where an error must be corrected."""
        self.line = ""
        """The line that is given, or ""; errors in it name fields, not options."""
        self.ordered: Command | None = None
        """The parsed order."""
        self._log: LineLog | None = None
        self._parent = parent
        self.at_table = parent is not None
        """True for a command run from the table, where neither `mam` nor the fight is typed."""
        self._lent = False
        self.preset = ""
        self._encounter = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._log and not self._lent:
            self._log.close()

    @property
    def store_path(self) -> str:
        """The store: the given one, else MAM_STORE, else `mam.db` in the current folder."""
        return self.store or os.environ.get("MAM_STORE", "") or DEFAULT_STORE

    @property
    def author(self) -> str:
        """The author as plain text: the given one, else MAM_BY."""
        return clean_argument(self.by or os.environ.get("MAM_BY", ""))

    @property
    def clean_command_id(self) -> str:
        """The command id as plain text, or "" if none was given."""
        from mam_events.errors import BadInput

        id_ = clean_argument(self.command_id)
        if self.command_id and not id_:
            raise BadInput("The id of an order needs at least one visible character.", place="--command-id")
        return id_

    def doubt(self) -> MamError | None:
        """Return the error in the part of the log that was read, or None if there is none."""
        with suppress(Exception):
            # An error while looking must not hide the original one.
            return self._log.doubt() if self._log else None
        return None

    def has_written(self) -> bool:
        """Return True if the newest order of this command is in the store."""
        return self._log is not None and self._log.application.has_written()

    def log(self, *, create: bool = False) -> LineLog:
        """Return the log, local or remote; raise NotFound if there is no store and `create` is off."""
        if self._log is None and self._parent and self._parent.store_path == self.store_path:
            self._log, self._lent = self._parent.log(create=create), True
        if self._log is None:
            from mam_events.errors import BadInput, NotFound
            from mam_events.notation.line_log import LocalLog

            if self.store_path in (":memory:", "sqlite://"):
                raise BadInput("A log in memory is lost when mam ends. Name a file.", place="--store")
            if self.store_path.startswith(("http://", "https://")):
                self._log = _elsewhere(self.store_path)
                return self._log
            try:
                self._log = LocalLog.open(self.store_path, create=create, sheets=_sheets)
            except NotFound as error:
                raise NotFound(f"{error.sentence} Make one with `mam new NAME` or `mam play FILE`.") from None
        return self._log

    @contextmanager
    def receiving(self) -> Iterator[LineLog]:
        """Provide a log for a new encounter.

        If there is no store yet, it is a log in memory, and the store is made at the end of the block. A refused order
        then leaves no file behind.
        """
        from mam_events.errors import NotFound, Refused, VersionConflict
        from mam_events.notation.line_log import LocalLog
        from mam_events.refusals.arguments import Term
        from mam_events.store import build_events

        self.reads_fight = True
        try:
            log = self.log()
        except NotFound:
            with LocalLog.open("sqlite://", sheets=_sheets) as draft:
                yield draft
                application = self.log(create=True).application
                for name in draft.encounters():
                    try:
                        events = build_events(name, draft.application.rows(name))
                        application.save(*events, seed=draft.application.seeds.get(name))
                    except VersionConflict:
                        raise Refused("encounter_exists/here", name=Term(name)) from None
        else:
            yield log

    def encounter(self) -> str:
        """Return the encounter: the given one, else MAM_ENCOUNTER, else the open one last played, with a notice."""
        if not self._encounter:
            self._encounter = self.encounter_name or os.environ.get("MAM_ENCOUNTER", "") or self._last_played()
        return self._encounter

    def implied_encounter(self) -> str:
        """Return the encounter as `encounter` does, but report nothing; "" if there is none."""
        from mam_events.errors import MamError

        if self._encounter:
            return self._encounter
        try:
            return self.encounter_name or os.environ.get("MAM_ENCOUNTER", "") or self._default()
        except MamError:
            return ""

    def forget_encounter(self) -> None:
        """Forget the encounter, so that the next call of `encounter` finds one that was begun since."""
        self._encounter = self.encounter_name = ""

    @property
    def turn_policy(self) -> dict[str, Any]:
        """The turn policy of a correction or an insert; empty if turns are kept as played."""
        return {"turns": "strict"} if self.strict else {}

    def speak_of(self, encounter: str) -> None:
        """Use that encounter from now on, even if another one was named, because it has just been begun."""
        self._encounter = encounter
        self.encounter_name = self.encounter_name if self.encounter_name == encounter else ""

    def say_default_encounter(self, encounter: str, *, is_newest: bool = False) -> None:
        """Report which encounter is the default now that this one has been begun.

        A new fight that its answer doesn't name (`is_newest`) is named, unless MAM_ENCOUNTER names another one.
        """
        other = os.environ.get("MAM_ENCOUNTER", "") or encounter
        if other != encounter:
            self.say(
                f"Commands use {other}, because the environment variable MAM_ENCOUNTER names it. "
                f"For {encounter}, add -e {encounter}."
            )
        elif is_newest:
            self.say(f'"{encounter}" is now the newest fight here. Commands use it unless you name another (-e NAME).')

    @property
    def is_in_fight(self) -> bool:
        """True if an encounter has been found for this run."""
        return bool(self._encounter)

    def insist_on_latest(self) -> None:
        """Check that "the last ruling" without a named encounter can only mean one ruling.

        Raises BadInput if the newest ruling of the store closed its encounter and an older one is open.
        """
        if self.encounter_name or os.environ.get("MAM_ENCOUNTER", ""):
            return
        latest = self.log().application.recorder.latest()
        if latest is not None and latest != self.encounter():
            from mam_events.errors import BadInput

            raise BadInput(
                f'The newest ruling is in "{latest}", which is closed, and "{self.encounter()}" is still open. Name '
                "the fight you mean (-e NAME)."
            )

    def _default(self) -> str:
        """Return the open encounter last played, else the newest one; "" if there is none."""
        from projections.cache.encounters import newest_open

        return newest_open(self.log()) or self.log().application.recorder.latest() or ""

    def _last_played(self) -> str:
        encounter = self._default()
        if not encounter:
            from mam_events.errors import NotFound

            raise NotFound(f"There is no encounter in {self.store_path} yet. Begin one with `mam new`.")
        if self.quiet and not self.json and _writes() and len(self.log().encounters()) > 1:
            # Even when quiet, show which of several fights is written to.
            click.echo(f"encounter: {encounter}", err=True)
        self.say(f"encounter: {encounter}")
        return encounter

    def timeline(self, as_of: int | None = None) -> Timeline:
        """Return the timeline of the encounter, as of a ruling or now; raise NotFound if there is no encounter."""
        timeline = self.log().timeline(self.encounter(), as_of=as_of)
        if self.view.startswith("side:"):
            from projections.visibility.viewer import Viewer

            Viewer(self.view, timeline).check_side()
        return timeline

    def state_then(self) -> Encounter:
        """Return the state in which the order is judged: the current one, or the one at the place of an insert."""
        return self.log().at(self.encounter(), self.after or None)

    def counts_actions(self) -> bool:
        """Return True if the order's fight declares and counts actions, as in Ron d6."""
        from cli.orders.edition import counts_actions

        return counts_actions(self.log().rules, self.state_then())

    def spends_points(self) -> bool:
        """Return True if actions cost points in the order's fight."""
        from projections.state.pools import spends_points

        return not self.counts_actions() and spends_points(self.state_then())

    def viewer(self) -> Viewer:
        """Return a viewer of the encounter with this view."""
        from projections.visibility.viewer import Viewer

        return Viewer(self.view, self.log().timeline(self.encounter()))

    def line_author(self) -> LineAuthor:
        """Return the author of lines with this view."""
        from mam_events.notation.author import GM_AUTHOR

        if self.view == "gm":
            return GM_AUTHOR
        from projections.visibility.player_author import PlayerAuthor
        from projections.visibility.viewer import Viewer

        return PlayerAuthor(lambda timeline: Viewer(self.view, timeline))

    def redactor(self) -> Redactor:
        """Return the redactor for this view of the encounter."""
        from projections.visibility.redaction import Redactor

        return Redactor(self.view) if self.view == "gm" else self.viewer().redactor

    def error_sentence(self, error: MamError) -> str:
        """Return the sentence of an error as this view may see it, once an encounter is known."""
        return error.sentence if self.view == "gm" or not self.is_in_fight else self.viewer().error_sentence(error)

    def allowed(self, error: MamError) -> tuple[str, ...]:
        """Return the values that would have been allowed, as far as this view may know them."""
        return error.allowed if self.view == "gm" or not self.is_in_fight else self.viewer().allowed(error)

    def hints(self, error: MamError) -> tuple[CommandHint, ...]:
        """Return the orders that help, as far as this view may know of what they name."""
        return error.hints if self.view == "gm" or not self.is_in_fight else self.viewer().hints(error)

    def say(self, text: str) -> None:
        """Print a message on stderr, so that stdout has only data; print nothing with --quiet or --json."""
        if not self.quiet and not self.json:
            from cli.output import render

            # A message that can't be printed is no reason to fail.
            with suppress(OSError):
                render.print_notice(text)

    def suggest(self, ways: str) -> None:
        """Print a likely next command, as `say` does."""
        if not self.quiet and not self.json:
            from cli.output import render

            with suppress(OSError):
                render.print_hint(ways)

    def again(self, *more: str, instead_of: Collection[str] = ()) -> str:
        """Return this command with some words added, and without those in `instead_of`."""
        return shlex.join(("mam", *(word for word in self.arguments if word not in instead_of), *more))

    def instead(self, replacements: Mapping[str, str]) -> str:
        """Return this command with other names in place of those typed, as a word or a part of one (`ana=3`).

        Returns "" if none of the names was typed.
        """
        parts = ([word] if " " in word else re.split("([=:,.])", word) for word in self.arguments)
        words = ["".join(replacements.get(part, part) for part in word) for word in parts]
        return shlex.join(("mam", *words)) if words != list(self.arguments) else ""

    def _unlike_the_default(self) -> str:
        """Return the encounter if an order without a name would mean another one now; "" if it means this one."""
        if not self._encounter or self._log is None:
            return ""
        if name := os.environ.get("MAM_ENCOUNTER", ""):
            return "" if name == self._encounter else self._encounter
        newest = self._log.application.recorder.latest() == self._encounter
        if newest and self._log.timeline(self._encounter).state.status == "open":
            return ""
        encounter = self._default()
        return "" if encounter == self._encounter and newest else self._encounter

    def typed(self, command: str, *, names_encounter: bool = True) -> str:
        """Return a command to type next, with the store and, if it `names_encounter`, the encounter of this one.

        At the table it is returned as it is typed there.
        """
        if self.at_table:
            return command.removeprefix("mam ")
        encounter = self.encounter_name or self._unlike_the_default() if names_encounter else ""
        options = (("--store", self.store), ("-e", encounter))
        return command + "".join(f" {option} {shlex.quote(value)}" for option, value in options if value)


def _writes() -> bool:
    """Return True for a command with an author, which writes; also if no command runs."""
    context = click.get_current_context(silent=True)
    return context is None or any("--by" in param.opts for param in context.command.params)


def _sheets(name: str) -> Mapping[str, Join]:
    from cli.commands.fight.roster_folder import roster_joins

    return roster_joins(name)


def _elsewhere(address: str) -> RemoteLog:
    """Return the log at an address."""
    from mam_events.errors import BadInput

    try:
        from web.client.remote_log import RemoteLog
    except ImportError as error:
        raise BadInput(
            "The address of a service needs the extra `web`, which is not installed "
            f"({error.name}): pip install 'mam-events[web]'."
        ) from None
    return RemoteLog.at_address(address, os.environ.get("MAM_TOKEN", ""))


def clean_argument(text: str) -> str:
    """Return free text without characters that would disturb a terminal or a page; raise BadInput if it is invalid."""
    from mam_events.sanitize import clean_text

    return clean_text(text)


pass_session = click.make_pass_decorator(Session)
