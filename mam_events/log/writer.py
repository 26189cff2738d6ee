"""Writing a ruling: decided on the newest state, and decided again if another writer came first."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
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
    from mam_events.log.writes import Write
    from mam_events.permissions import Rights

MAX_RETRIES = 50
"""The most times that a ruling is decided again because other writers came first; then the caller gets an error."""


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

    def write(
        self, encounter: str, write: Write, meta: RequestMeta, rights: Rights | None = None, request: object = None
    ) -> Answer:
        """Decide and append, as those `rights` allow; decide again on the new state if another writer came first.

        `request` is the request that this one is part of (None: it stands alone). A command id belongs to the whole
        request: parts of `K` are no parts of `K.2`.
        """
        meta.check()
        body = digest(request or [meta.command_id, write.identity()]) if meta.command_id else ""
        # The lock prevents conflicts between threads; the store detects those with other processes.
        with self._judges.lock(encounter):
            judge = self._judges.cached(encounter)
            fresh = judge is None
            for _ in range(MAX_RETRIES):
                if judge is None or fresh:
                    judge, fresh = self._judges.newest(encounter, new=write.opens), True
                timeline = judge.timeline
                if timeline.find_id(meta.command_id):
                    return first_answer(encounter, timeline, meta.command_id, body)
                draft = self._draft(timeline, meta, body, rights)
                try:
                    expect_newest(timeline, meta.expected, draft.view, decides=meta.decides)
                    if rights:
                        write.check(rights, timeline)
                    try:
                        write.fill(draft, judge)
                        rows, secret = draft.rows, draft.secret
                    except NewSeedNeeded:
                        judge, lead = self._committed(judge, meta.by)
                        draft = self._draft(judge.timeline, meta, body, rights)
                        draft.led = True
                        write.fill(draft, judge)
                        rows, secret = [*lead.rows, *draft.rows], lead.secret
                    self._application.save(*build_events(encounter, rows), seed=secret)
                except (Refused, NotFound, VersionConflict):
                    # A cached state may be out of date: only a refusal on the newest state counts.
                    if fresh and self._application.recorder.last_version(encounter) == timeline.version:
                        raise
                    fresh = True
                    continue
                return self._accepted(encounter, judge.own(), draft)
        raise VersionConflict("Too many others are writing to this encounter. Try again.")

    def branch(
        self, encounter: str, branch: str, moment: str | int | None, meta: RequestMeta, rights: Rights | None
    ) -> Answer:
        """Copy an encounter into a new one that continues from that moment, with a new seed, in one transaction."""
        meta.check()
        if rights:
            rights.check_may_branch()
        # The digest leaves out the parent: a repeated request may name the branch, which is the newest encounter by
        # then.
        body = digest(["branch", branch, moment]) if meta.command_id else ""
        if self._application.recorder.last_version(branch):
            return self._branched(branch, meta, body)
        with self._judges.lock(encounter):
            timeline = self._judges.newest(encounter).timeline
            if timeline.find_id(meta.command_id):
                return first_answer(encounter, timeline, meta.command_id, body)
            draft = self._draft(timeline, meta, body, rights)
            expect_newest(timeline, meta.expected, draft.view)
            draft.branch(parent=encounter, left=timeline.seal, behind=branch_point(timeline, moment))
            rows = [*self._application.rows(encounter)[: timeline.version], *draft.rows]
        with suppress(VersionConflict):
            self._application.save(*build_events(branch, rows), seed=draft.secret)
        return self._branched(branch, meta, body, of=draft)

    def _branched(self, branch: str, meta: RequestMeta, body: str, of: RulingDraft | None = None) -> Answer:
        """Return the answer of the existing branch; refuse with `encounter_exists` if it is not the requested one."""
        with self._judges.lock(branch):
            timeline = self._judges.newest(branch).timeline
        if of is not None and of.ruling <= timeline.number and timeline.heads[of.ruling - 1].seal == of.seal:
            return Answer(branch, of.ruling, timeline.heads[of.ruling - 1], (), timeline.state, timeline.state)
        if timeline.find_id(meta.command_id):
            return first_answer(branch, timeline, meta.command_id, body)
        raise Refused("encounter_exists/branched", encounter=TextArgument(branch))

    def _committed(self, judge: EncounterJudge, by: str) -> tuple[EncounterJudge, RulingDraft]:
        """Return a judge of the same fight that draws from a new seed, and the ruling that must be written first.

        That ruling commits to the new seed, and reveals the stored one, if nothing has yet: it is no longer drawn from.
        """
        lead = self._draft(judge.timeline, RequestMeta(by, "", None), "")
        lead.branch(seed=judge.spent_seed())
        judge = judge.twin()
        lead.accept(judge.timeline)
        assert lead.secret is not None  # noqa: S101 - a commitment has a secret
        judge.draw_from(lead.secret)
        return judge, lead

    def _draft(self, timeline: Timeline, meta: RequestMeta, body: str, rights: Rights | None = None) -> RulingDraft:
        return RulingDraft(timeline, self._now(), meta, body, self._entropy, rights)

    def _accepted(self, encounter: str, judge: EncounterJudge, draft: RulingDraft) -> Answer:
        """Return the answer for a draft that is in the store, after adding it to the judge's timeline."""
        timeline, before = judge.timeline, judge.timeline.state
        try:
            draft.accept(timeline)
        except BaseException:
            # The timeline may have taken in only some of the rows: an interrupt can come at any moment.
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
        raise VersionConflict(f"Ruling {expected} is no longer the newest. The newest is {timeline.number}.")
