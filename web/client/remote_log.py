"""A combat log that a service keeps: reads are computed here, writes are decided there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

from msgspec import to_builtins
from msgspec.structs import replace

from mam_events.commands import Open
from mam_events.errors import BadInput, Refused, VersionConflict
from mam_events.events import Branch, Note, Play
from mam_events.history.corrections import corrections
from mam_events.history.corrections.conflicts import is_expected
from mam_events.history.corrections.corrections import SeesRuling, sees_all
from mam_events.history.judge.rejudgement import RejudgedRuling
from mam_events.history.judge.verdicts import reason_words
from mam_events.history.timeline.entries import is_same_bookkeeping
from mam_events.history.timeline.moments import state_at
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from mam_events.log.encounters import Encounters
from mam_events.log.requests import CorrectionRequest, InsertAt, NoteRequest, RequestMeta
from mam_events.log.results import Answer
from mam_events.notation.line_log import LineLog
from mam_events.notation.line_result import NO_OPTIONS, LineGiven, LineOptions, LineStop
from mam_events.notation.submit import give_line, line_id
from mam_events.refusals.arguments import Term
from mam_events.store import build_events
from mam_events.visibility import GAME_MASTER, PUBLIC
from web.client.http import HttpClient
from web.client.recorders import Factory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mam_events.commands import Command
    from mam_events.history.timeline.timeline import Timeline

MAX_RETRIES = 50
"""The number of times that an order is sent again if others wrote first and it names no expected ruling."""
NOTE_CALLS: dict[str, tuple[str, str, frozenset[str]]] = {
    "comment": ("/notes", "text", frozenset({"about", "visibility"})),
    "dispute": ("/disputes", "claim", frozenset({"about", "rule", "visibility"})),
    "proposal": ("/proposals", "text", frozenset({"order", "visibility"})),
    "answer": ("/disputes/{about}/answers", "text", frozenset({"about", "visibility"})),
    "decision": ("/disputes/{about}/ruling", "reason", frozenset({"about", "corrections"})),
}
"""The path of each kind of note, the name of its text there, and its other fields."""


class RemoteEncounters(Encounters):
    """The encounters of a service, which takes orders as well as rows."""

    answered = False
    """True once the service has answered an order, which is then written."""

    def has_written(self) -> bool:
        """Return True if an order was answered, or the rows last saved are in the store."""
        return self.answered or super().has_written()


class RemoteLog(LineLog):
    """A combat log at a service, as its game master uses it.

    Reads are computed here from the rows of the service; each write is a request to it. The service draws the dice and
    never sends their seed. Only a fight that is played from a file or imported is sent as rows.
    """

    application: RemoteEncounters

    def __init__(self, line: HttpClient) -> None:
        super().__init__(RemoteEncounters(factory=Factory(line)))
        self._line = line

    @classmethod
    def at_address(cls, address: str, token: str = "") -> Self:
        """Return the log at that address.

        Raises StoreUnusable if nobody answers, and Refused if the service doesn't accept the token.
        """
        log = cls(HttpClient(address, token))
        log._line.get("/rows")
        return log

    if not TYPE_CHECKING:
        # Hidden from type checkers, so that they report each method that is missing here.

        def __getattr__(self, name: str) -> object:
            """Refuse a method that only a log with direct access to the store has."""
            if not name.startswith("_") and hasattr(CombatLog, name):
                self.at_store(name)
            raise AttributeError(name)

    def scratch(self) -> CombatLog:
        """Return a log in memory with the same rules, to try things without a trace."""
        return CombatLog(Encounters.at("sqlite://"), rules=self._rules)

    def at_store(self, work: str) -> CombatLog:
        """Refuse `work`, which needs direct access to the store."""
        raise Refused("not_there/work", work=Term(work))

    def write_order(self, encounter: str, command: Command, meta: RequestMeta, insert: InsertAt) -> Answer:
        """Send an order; the caller has confirmed it."""
        if isinstance(command, Open) and not insert.after:
            if meta.expected:
                raise VersionConflict(f"Ruling {meta.expected} cannot be the newest: this order begins the fight.")
            fields = {name: value for name, value in to_builtins(command).items() if name != "do"}
            body: Any = {"encounter": encounter, "open": fields}
            answer = self._line.post(
                "/encounters", body, {"Idempotency-Key": meta.command_id or uuid4().hex}, by=meta.by
            )
            return self._answers(answer)[0]
        query = {"sure": "true"} | ({"turns": insert.turns} if insert.after else {})
        return self._send(
            encounter, "/commands", command, meta, by=meta.by, after=insert.after, expect=insert.expect, **query
        )

    def write_orders(self, encounter: str, commands: Sequence[Command], meta: RequestMeta) -> list[Answer]:
        """Send several orders as one request; raise BadInput if one of them begins a fight."""
        if any(isinstance(command, Open) for command in commands):
            raise BadInput("Over HTTP the order that begins a fight is sent alone, not in a list.", place="commands")
        return self._answers(self._write(encounter, "/commands", commands, meta, by=meta.by, sure="true"))

    def write_correction(
        self, encounter: str, request: CorrectionRequest, meta: RequestMeta, sees: SeesRuling = sees_all
    ) -> Answer:
        """Send a correction; the caller has confirmed it."""
        del sees
        return self._send(encounter, "/corrections", replace(request, sure=True), meta, by=meta.by)

    def write_note(self, encounter: str, note: NoteRequest, meta: RequestMeta, sees: SeesRuling = sees_all) -> Answer:
        """Send a note of the game master, who sees all; raise BadInput for fields that the service doesn't take."""
        del sees
        path, field, accepted = NOTE_CALLS[note.kind]
        options = {"about": note.about, "rule": note.rule, "corrections": note.corrections, "order": note.order}
        options |= {"visibility": note.visibility if note.visibility != PUBLIC else ""}
        for name, value in options.items():
            if value and name not in accepted:
                raise BadInput(f"The service takes no {name} with this {note.kind}. Leave it out.", place=name)
        body = {name: value for name, value in options.items() if value and f"{{{name}}}" not in path}
        return self._send(encounter, path.format(about=note.about), body | {field: note.text}, meta, by=meta.by)

    def write_acceptance(
        self, encounter: str, proposal: int, replacement: Command | None, reason: str, meta: RequestMeta
    ) -> list[Answer]:
        """Accept a proposal, or give another order instead."""
        body = {"accept": True, "sure": True, "reason": reason} | ({"instead": replacement} if replacement else {})
        return self._answers(self._write(encounter, f"/proposals/{proposal}/ruling", body, meta, by=meta.by))

    def write_branch(self, encounter: str, branch: str, moment: str | int | None, meta: RequestMeta) -> Answer:
        """Begin a branch at the service."""
        body = {"encounter": branch, "at": "" if moment is None else f"{moment}"}
        return self._send(encounter, "/branches", body, meta, by=meta.by)

    def give_line(self, encounter: str, line: str, options: LineOptions | None = None) -> LineGiven:
        """Type a line, as `give_line` of a local log does.

        Raises Refused for a typist who may not know the whole fight, because the service takes every line for the game
        master's.
        """
        options = options or NO_OPTIONS
        if not options.author.knows_all:
            raise Refused("not_there/line")
        # The id in the line lets the service recognize a line that is sent again.
        meta = RequestMeta("", options.command_id or line_id(line), options.expected)
        query = {"by": options.by, "expect": options.expect, "passing": ",".join(options.passing)}
        query |= {"sure": "true"} if options.sure else {}
        query |= {} if options.draws else {"ask_dice": "true"}
        asking = {"looks": "true"}
        try:
            answer = self._write(encounter, "/lines", line, meta, **query, **(asking if options.looks else {}))
        except Refused as no:
            if no.code != "needs_expect":
                raise
            answer = self._write(encounter, "/lines", line, meta, **query, **asking)
        if "preview" in answer:
            return self._foreseen(encounter, line, answer["preview"]["expect"])
        stop = LineStop({who: tuple(orders) for who, orders in answer["may"].items()}, answer["unused"], answer["why"])
        return LineGiven(tuple(answer["line"]), tuple(self._answers(answer)), stop if stop.may or stop.unused else None)

    def _foreseen(self, encounter: str, line: str, expect: str) -> LineGiven:
        """Return the preview that the service made under `expect`, computed again here from the same rows.

        The local preview has details that the service does not send. Raises VersionConflict if it differs from the one
        there.
        """
        with self.scratch() as here:
            here.application.save(*build_events(encounter, self.application.rows(encounter)))
            result = give_line(here, encounter, line, LineOptions(looks=True))
            timeline = here.timeline(encounter)
        if result.asks is None or not is_expected(timeline, expect, result.asks.expect, GAME_MASTER):
            raise VersionConflict(
                "The preview of the service differs from the one here: the log has changed, or the service runs "
                "another version of the program. Try again."
            )
        return result

    def _send(self, encounter: str, path: str, body: Any, meta: RequestMeta, **query: str | int) -> Answer:
        return self._answers(self._write(encounter, path, body, meta, **query))[-1]

    def _write(self, encounter: str, path: str, body: Any, meta: RequestMeta, **query: str | int) -> dict[str, Any]:
        """Send a request about an encounter, based on the newest ruling known here, and return its answer.

        If others wrote first and `meta` names no expected ruling, the request is sent again.
        """
        key = meta.command_id or uuid4().hex
        for _ in range(MAX_RETRIES):
            version = self.timeline(encounter).number if meta.expected is None else meta.expected
            headers = {"Idempotency-Key": key, "If-Match": f'"{version}"'}
            try:
                answer: dict[str, Any] = self._line.post(f"/encounters/{encounter}{path}", body, headers, **query)
            except VersionConflict:
                if meta.expected is not None or self.timeline(encounter).number == version:
                    raise
            else:
                return answer
        raise VersionConflict("Too many others are writing to this encounter. Try again.")

    def _answers(self, answer: dict[str, Any]) -> list[Answer]:
        """Return the answers of the service in order, rebuilt from the rows here."""
        encounter, repeated = answer["encounter"], answer["repeated"]
        timeline = self.timeline(encounter)
        self.application.answered = True
        answers: list[Answer] = []
        state = timeline.state
        for number in reversed([one["number"] for one in answer["rulings"]]):
            head, entry = timeline.head(number), timeline.entries.get(number)
            if isinstance(head, Branch) and not head.parent:
                # The log writes this before the ruling that draws the first die from a new seed; it is no answer.
                continue
            if isinstance(head, Play) and head.after and answers and not repeated:
                # Later inserts have changed its effect on others, so read the log as of this ruling.
                timeline = self.timeline(encounter, as_of=number)
                state = timeline.state
            before = state_at(timeline, number if entry else None) if repeated else state
            if entry and isinstance(head, Play) and not head.after:
                before = timeline.state_before(timeline.place[number])
            elif not repeated and not isinstance(head, Note):
                before = self.timeline(encounter, as_of=number - 1).state
            answers.append(
                Answer(
                    encounter,
                    number,
                    head,
                    entry.first.events(timeline.decoders) if entry else (),
                    before,
                    state_at(timeline, number if entry else None) if repeated else state,
                    () if repeated else tuple(_rejudged(timeline, number)),
                    repeated=repeated,
                    corrected_by=corrections.corrected_by(timeline, number) if repeated else 0,
                )
            )
            state = before
        return answers[::-1]


def _rejudged(timeline: Timeline, number: int) -> list[RejudgedRuling]:
    """Return how a ruling changed other rulings, as the log records it."""
    rejudged = []
    for outcome in next(rulings(timeline, number)).outcomes:
        rejudgement = outcome.rejudged
        rejudged.append(
            RejudgedRuling(
                rejudgement.ruling,
                rejudgement.verdict,
                outcome.events,
                reason_words(rejudgement),
                rejudgement.code,
                rejudgement.rule,
                outcome.because,
                command=timeline.command(rejudgement.ruling),
                state=timeline.states[timeline.place[rejudgement.ruling]],
                reason=rejudgement.reason,
                bookkeeping=outcome.bookkeeping,
                kept_otherwise=not is_same_bookkeeping(outcome.bookkeeping, outcome.replaced),
            )
        )
    return rejudged
