"""Writing a ruling: decided on the newest state, and decided again if another writer came first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from threading import local
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mam_events.deserializer import SHORTENER
from mam_events.dice import NewSeedNeeded
from mam_events.errors import BadInput, NotFound, Refused, VersionConflict
from mam_events.history.corrections.branch import branch_point
from mam_events.history.corrections.conflicts import is_overtaken
from mam_events.history.judge.void_causes import cause_of
from mam_events.log.draft import RulingDraft
from mam_events.log.idempotency import digest, first_answer
from mam_events.log.requests import RequestMeta
from mam_events.log.results import Answer
from mam_events.refusals.arguments import TextArgument
from mam_events.store import build_events
from mam_events.visibility import GAME_MASTER

if TYPE_CHECKING:
    from mam_events.history.judge.judge import EncounterJudge
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.encounters import Encounters
    from mam_events.log.judge_cache import JudgeCache
    from mam_events.permissions import Rights

MAX_RETRIES = 50
"""The most times that a ruling is decided again because other writers came first; then the caller gets an error."""


class _Whole(local):
    """The request that a thread is writing, and the rights of its author.

    The request is None if each part is a request of its own.
    """

    request: object = None
    rights: Rights | None = None


class Writer:
    """Appends rulings to a store, one encounter by one thread at a time."""

    def __init__(
        self,
        application: Encounters,
        judges: JudgeCache,
        clock: Callable[[], datetime],
        entropy: Callable[[int], bytes],
    ) -> None:
        self._application = application
        self._judges = judges
        self._clock = clock
        self._entropy = entropy
        self._whole = _Whole()

    @contextmanager
    def asked(self, request: object) -> Iterator[None]:
        """Treat this thread's writes in the block as one request (None: each is its own)."""
        before = self._whole.request
        self._whole.request = before or request
        try:
            yield
        finally:
            self._whole.request = before

    @contextmanager
    def on_behalf_of(self, rights: Rights) -> Iterator[None]:
        """Limit this thread's writes in the block to those rights."""
        before = self._whole.rights
        self._whole.rights = rights
        try:
            yield
        finally:
            self._whole.rights = before

    @property
    def is_player(self) -> bool:
        """True if this thread writes for someone other than the game master."""
        return self._whole.rights is not None and not self._whole.rights.is_master

    def view(self, encounter: str) -> str:
        """Return the view of that encounter for the person this thread writes for."""
        rights = self._whole.rights
        return rights.view(self._judges.newest(encounter).timeline) if rights else GAME_MASTER

    def write(
        self,
        encounter: str,
        attempt: Callable[[EncounterJudge, RulingDraft], None],
        said: RequestMeta,
        *,
        check: Callable[[Rights, Timeline], None],
        request: object,
        new: bool = False,
    ) -> Answer:
        """Decide and append; decide again on the new state if another writer came first.

        `check` refuses what the rights of this thread's author don't allow. `request` is the whole request, which
        identifies a command that is sent twice under one id; for a part of a larger request it is that one. The id
        belongs to it: parts of `K` are no parts of `K.2`.
        """
        said.check()
        body = digest(self._whole.request or [said.command_id, request]) if said.command_id else ""
        # The lock saves threads the conflict, other processes are met by the store.
        with self._judges.lock(encounter):
            judge = self._judges.known(encounter)
            fresh = judge is None
            for _ in range(MAX_RETRIES):
                if judge is None or fresh:
                    judge, fresh = self._judges.newest(encounter, new=new), True
                timeline = judge.timeline
                if timeline.find_id(said.command_id):
                    return first_answer(encounter, timeline, said.command_id, body)
                draft = self._draft(timeline, said, body)
                try:
                    expect_newest(timeline, said.expected, draft.view, decides=said.decides)
                    if self._whole.rights:
                        check(self._whole.rights, timeline)
                    try:
                        attempt(judge, draft)
                        rows, secret = draft.rows, draft.secret
                    except NewSeedNeeded:
                        judge, lead = self._committed(judge, said.by)
                        draft = self._draft(judge.timeline, said, body)
                        draft.led = True
                        attempt(judge, draft)
                        rows, secret = [*lead.rows, *draft.rows], lead.secret
                    self._application.save(*build_events(encounter, rows), seed=secret)
                except (Refused, NotFound, VersionConflict):
                    # A state read a while ago may be out of date: only a no on the newest state counts.
                    if fresh and self._application.recorder.last_version(encounter) == timeline.version:
                        raise
                    fresh = True
                    continue
                return self._accepted(encounter, judge.own(), draft)
        raise VersionConflict("Too many others are writing to this encounter. Try again.")

    def branch(self, encounter: str, branch: str, moment: str | int | None, said: RequestMeta) -> Answer:
        """Copy an encounter into a new one that continues from that moment, with a new seed, in one transaction."""
        said.check()
        if self._whole.rights:
            self._whole.rights.check_may_branch()
        # Whoever sends it again may be asked of the branch itself, which is the newest encounter by now.
        body = digest(["branch", branch, moment]) if said.command_id else ""
        if self._application.recorder.last_version(branch):
            return self._branched(branch, said, body)
        with self._judges.lock(encounter):
            timeline = self._judges.newest(encounter).timeline
            if timeline.find_id(said.command_id):
                return first_answer(encounter, timeline, said.command_id, body)
            draft = self._draft(timeline, said, body)
            expect_newest(timeline, said.expected, draft.view)
            draft.branch(parent=encounter, left=timeline.seal, behind=branch_point(timeline, moment))
            rows = [*self._application.rows(encounter)[: timeline.version], *draft.rows]
        with suppress(VersionConflict):
            self._application.save(*build_events(branch, rows), seed=draft.secret)
        return self._branched(branch, said, body, of=draft)

    def _branched(self, branch: str, said: RequestMeta, body: str, of: RulingDraft | None = None) -> Answer:
        """Return the answer of the existing branch; refuse with `encounter_exists` if it is not the requested one."""
        with self._judges.lock(branch):
            timeline = self._judges.newest(branch).timeline
        if of is not None and of.ruling <= timeline.number and timeline.heads[of.ruling - 1].seal == of.seal:
            return Answer(branch, of.ruling, timeline.heads[of.ruling - 1], (), timeline.state, timeline.state)
        if timeline.find_id(said.command_id):
            return first_answer(branch, timeline, said.command_id, body)
        raise Refused("encounter_exists/branched", encounter=TextArgument(branch))

    def _committed(self, judge: EncounterJudge, by: str) -> tuple[EncounterJudge, RulingDraft]:
        """Return a judge of the same fight that draws from a new seed, and the ruling that must be written first.

        That ruling commits to the new seed, and reveals the stored one, if nothing has yet: it is no longer drawn from.
        """
        lead = self._draft(judge.timeline, RequestMeta(by, "", None), "")
        lead.branch(seed=judge.spent_seed())
        judge = judge.twin()
        lead.accept(judge.timeline)
        assert lead.secret is not None  # noqa: S101 - whoever commits has one
        judge.draw_from(lead.secret)
        return judge, lead

    def _draft(self, timeline: Timeline, said: RequestMeta, body: str) -> RulingDraft:
        draft = RulingDraft(timeline, self._now(), said.by, said.command_id, body, self._entropy)
        if self._whole.rights:
            draft.view = self._whole.rights.view(timeline)
        return draft

    def _accepted(self, encounter: str, judge: EncounterJudge, draft: RulingDraft) -> Answer:
        """Return the answer for a draft that is in the store, after adding it to the judge's timeline."""
        timeline, before = judge.timeline, judge.timeline.state
        try:
            draft.accept(timeline)
        except BaseException:
            # Half taken in it would mislead; an interrupt comes at any moment.
            self._judges.forget(encounter)
            raise
        self._judges.keep(encounter, judge)
        self._application.take_due_snapshot(timeline, draft.rows[0][0] - 1)
        head = timeline.heads[-1]
        rejudged = tuple(replace(e, because=cause_of(timeline, e.ruling)) if e.code else e for e in draft.rejudged)
        return Answer(encounter, head.ruling, head, draft.events, before, timeline.state, rejudged)

    def _now(self) -> str:
        now = self._clock()
        if not isinstance(now, datetime):
            raise BadInput(f"must give a datetime, not {SHORTENER.repr(now)}.", place="clock")
        try:
            moment = now if now.tzinfo is UTC else now.astimezone(UTC)
        except (OverflowError, ValueError):
            raise BadInput(f"{now} is outside of the years 1 to 9999 in UTC.", place="clock") from None
        return f"{moment.isoformat().removesuffix('+00:00')}Z"


def expect_newest(timeline: Timeline, expected: int | None, view: str = GAME_MASTER, *, decides: int = 0) -> None:
    """Raise VersionConflict if that is no longer the newest ruling, with the text of `overtaken`."""
    if expected is not None and is_overtaken(timeline, expected, view, decides=decides):
        raise VersionConflict(f"Ruling {expected} is no longer the newest: the newest is {timeline.number}.")
