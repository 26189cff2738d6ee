"""A combat log that a service keeps: what is read is read here, what is written is decided there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

from msgspec import to_builtins

from mam_events.commands import Open, validated
from mam_events.errors import Refused, VersionConflict
from mam_events.log.answers import Answer
from mam_events.log.combat_log import CombatLog
from mam_events.notation.giving import LineGiven, Stop
from mam_events.rulings import corrections
from mam_events.rulings.history import rulings
from mam_events.rulings.moments import state_at
from mam_events.rulings.rejudging import Rejudged
from mam_events.store import open_store
from mam_events.visibility import PUBLIC
from web.client.connection import Line
from web.client.store import RemoteStore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mam_events.commands import Command
    from mam_events.events import Step
    from mam_events.rulings.timeline import Timeline

TRIES = 50
"""The number of times that an order is sent anew when others were first, where nobody said what must be the newest."""


class RemoteLog(CombatLog):
    """The log behind an address, for its game master. A die is drawn there, and no seed comes here."""

    def __init__(self, line: Line) -> None:
        self._remote = RemoteStore(line)
        super().__init__(self._remote)
        self._line = line

    @classmethod
    def at_address(cls, address: str, token: str = "") -> Self:
        """The log behind that address; raises StoreUnusable or Refused where nobody answers, or nobody is let in."""
        log = cls(Line(address, token))
        log._line.get("/rows")
        return log

    def scratch(self) -> CombatLog:  # type: ignore[override]  # a log of this machine
        """A log in memory with the same rules: what is tried there leaves no trace."""
        return CombatLog(open_store("sqlite://"), rules=self._rules, clock=self._clock, entropy=self._entropy)

    def execute(  # noqa: PLR0913 - as the log itself
        self,
        encounter: str,
        command: Command,
        *,
        by: str = "",
        command_id: str = "",
        expected: int | None = None,
        after: int = 0,
        expect: str = "",
        visibility: str = PUBLIC,
    ) -> Answer:
        """As the log itself."""
        del visibility
        command = validated(command)
        if isinstance(command, Open):
            said = {name: value for name, value in to_builtins(command).items() if name != "do"}
            body: Any = {"encounter": encounter, "open": said}
            told = self._line.post("/encounters", body, {"Idempotency-Key": command_id or uuid4().hex}, by=by)
            return self._answer(told)
        path = f"/encounters/{encounter}/commands"
        return self._send(encounter, path, command, command_id, expected, by=by, after=after, expect=expect)

    def correct(  # noqa: PLR0913 - as the log itself
        self,
        encounter: str,
        steps: Sequence[Step],
        *,
        by: str = "",
        reason: str = "",
        command_id: str = "",
        expected: int | None = None,
        expect: str = "",
    ) -> Answer:
        """As the log itself."""
        body = {"correct": "steps", "steps": corrections.read_steps(steps), "reason": reason, "expect": expect}
        return self._send(encounter, f"/encounters/{encounter}/corrections", body, command_id, expected, by=by)

    def undo(  # noqa: PLR0913 - as the log itself
        self,
        encounter: str,
        ruling: int | None = None,
        *,
        only: bool = False,
        rewind: bool = False,
        by: str = "",
        reason: str = "",
        command_id: str = "",
        expected: int | None = None,
        expect: str = "",
    ) -> Answer:
        """As the log itself."""
        body = {"correct": "undo", "ruling": ruling, "only": only, "rewind": rewind, "reason": reason, "expect": expect}
        return self._send(encounter, f"/encounters/{encounter}/corrections", body, command_id, expected, by=by)

    def redo(  # noqa: PLR0913 - as the log itself
        self,
        encounter: str,
        correction: int | None = None,
        *,
        by: str = "",
        reason: str = "",
        command_id: str = "",
        expected: int | None = None,
        expect: str = "",
    ) -> Answer:
        """As the log itself."""
        body = {"correct": "redo", "ruling": correction, "reason": reason, "expect": expect}
        return self._send(encounter, f"/encounters/{encounter}/corrections", body, command_id, expected, by=by)

    def note(  # noqa: PLR0913 - as the log itself
        self,
        encounter: str,
        text: str,
        *,
        kind: str = "comment",
        about: int = 0,
        rule: str = "",
        corrections: Sequence[int] = (),
        order: Command | None = None,
        by: str = "",
        command_id: str = "",
        expected: int | None = None,
        visibility: str = PUBLIC,
        sees: object = None,
    ) -> Answer:
        """As the log itself."""
        del sees
        at = f"/encounters/{encounter}"
        where: dict[str, tuple[str, dict[str, Any]]] = {
            "comment": (f"{at}/notes", {"text": text, "about": about, "visibility": visibility}),
            "dispute": (
                f"{at}/disputes",
                {"about": about, "claim": text, "rule": rule, "visibility": visibility},
            ),
            "proposal": (f"{at}/proposals", {"order": order, "text": text, "visibility": visibility}),
            "answer": (f"{at}/disputes/{about}/answers", {"text": text, "visibility": visibility}),
            "decision": (f"{at}/disputes/{about}/ruling", {"reason": text, "corrections": list(corrections)}),
        }
        path, body = where[kind]
        return self._send(encounter, path, body, command_id, expected, by=by)

    def accept(  # noqa: PLR0913 - as the log itself
        self,
        encounter: str,
        proposal: int,
        *,
        instead: Command | None = None,
        reason: str = "",
        by: str = "",
        command_id: str = "",
        expected: int | None = None,
    ) -> list[Answer]:
        """As the log itself."""
        path = f"/encounters/{encounter}/proposals/{proposal}/ruling"
        body = {"accept": True, "reason": reason} | ({"instead": instead} if instead else {})
        told = self._told(encounter, path, body, command_id, expected, by=by)
        return [self._answer(told, at) for at in (-2, -1)]

    def branch(
        self,
        encounter: str,
        branch: str,
        moment: str | int | None = None,
        *,
        by: str = "",
        command_id: str = "",
        expected: int | None = None,
    ) -> Answer:
        """As the log itself."""
        body = {"encounter": branch, "at": "" if moment is None else f"{moment}"}
        return self._send(encounter, f"/encounters/{encounter}/branches", body, command_id, expected, by=by)

    def give_line(  # noqa: PLR0913 - as `notation.lines.give_line`
        self,
        encounter: str,
        line: str,
        *,
        by: str = "",
        command_id: str = "",
        expected: int | None = None,
        expect: str = "",
        sure: bool = False,
        looks: bool = False,
        passing: Sequence[str] = (),
        draws: bool = True,
    ) -> LineGiven:
        """As `give_line` of a log that is here; what a correction would change is not asked, but refused with
        `needs_expect`.
        """
        if looks:
            raise Refused("not_there", "A line at a service is not looked at first; preview by the command.")
        query = {"by": by, "expect": expect, "passing": ",".join(passing)}
        flags = {"sure": "true"} if sure else {}
        flags |= {} if draws else {"ask_dice": "true"}
        told = self._told(encounter, f"/encounters/{encounter}/lines", line, command_id, expected, **query, **flags)
        count = len(told["line"])
        answers = tuple(self._answer(told, at - count) for at in range(count))
        stop = Stop({who: tuple(orders) for who, orders in told["may"].items()}, told["unused"], told["why"])
        return LineGiven(tuple(told["line"]), answers, stop if stop.may else None)

    def _send(
        self, encounter: str, path: str, body: Any, command_id: str, expected: int | None, **query: str | int
    ) -> Answer:
        return self._answer(self._told(encounter, path, body, command_id, expected, **query))

    def _told(
        self, encounter: str, path: str, body: Any, command_id: str, expected: int | None, **query: str | int
    ) -> dict[str, Any]:
        """Send it on what is the newest ruling as it is known here, again where others were first and nobody minds."""
        key = command_id or uuid4().hex
        for _ in range(TRIES):
            version = self.timeline(encounter).number if expected is None else expected
            headers = {"Idempotency-Key": key, "If-Match": f'"{version}"'}
            try:
                told: dict[str, Any] = self._line.post(path, body, headers, **query)
            except VersionConflict:
                if expected is not None or self.timeline(encounter).number == version:
                    raise
            else:
                return told
        raise VersionConflict("Too many others are writing to this encounter; try again.")

    def _answer(self, told: dict[str, Any], at: int = -1) -> Answer:
        """The answer that the log gave there, as its rows tell it here."""
        encounter, number, repeated = told["encounter"], told["rulings"][at]["number"], told["repeated"]
        timeline = self.timeline(encounter)
        self._remote.wrote(encounter, timeline.version)
        entry = timeline.entries.get(number)
        return Answer(
            encounter,
            number,
            timeline.head(number),
            entry.first.events(timeline.decoders) if entry else (),
            state_at(timeline, number if entry else None) if repeated or at != -1 else timeline.state,
            () if repeated else tuple(_rejudged(timeline, number)),
            repeated=repeated,
            corrected_by=told["corrected_by"],
        )


def _rejudged(timeline: Timeline, number: int) -> list[Rejudged]:
    """The outcomes that a ruling made of others, as they are written in the log."""
    found = []
    for written, events, because in next(rulings(timeline, number)).outcomes:
        place = timeline.place[written.ruling]
        found.append(
            Rejudged(
                written.ruling,
                written.verdict,
                events,
                written.why,
                written.code,
                written.rule,
                because,
                command=timeline.command(written.ruling),
                state=timeline.states[place],
            )
        )
    return found
