"""The log as an application of the event-sourcing library, the only place where encounters are saved and read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from eventsourcing.application import AggregateNotFoundError, Application, Repository
from eventsourcing.persistence import EventStore, InfrastructureFactoryError, IntegrityError, Mapper
from eventsourcing.utils import Environment

from mam_events.dice import SECRET_BYTES
from mam_events.errors import StoreUnusable, VersionConflict
from mam_events.events import is_head
from mam_events.history.timeline.projector import TimelineSnapshot, project_timeline
from mam_events.history.timeline.timeline import Timeline
from mam_events.store import EventRange, StoredEventRow, environment_at, is_postgres
from mam_events.store.sqlite_schema import begun_rulings

if TYPE_CHECKING:
    from pathlib import Path

    from mam_events.store.persistence import (
        EncounterFactory,
        EventRecorder,
        ProjectionRecorder,
        SeedRecorder,
        TokenRecorder,
    )

_RECORDED = {StoredEventRow}
_REMEMBERED = 10_000


class EventMapper(Mapper[str]):
    """The library's mapper; it converts nothing, because an event is saved as the bytes that its seal covers."""

    def __init__(self) -> None:
        pass

    def to_stored_event(self, domain_event: Any) -> Any:
        """Return the row of an event; raise TypeError for any other object."""
        if type(domain_event) is not StoredEventRow:
            raise TypeError(f"the log stores recorded events, not {type(domain_event).__name__}")
        return domain_event

    def to_domain_event(self, stored_event: Any) -> StoredEventRow:
        """Return the event of a row; its body is decoded at first use."""
        if type(stored_event) is StoredEventRow:
            return stored_event
        return StoredEventRow(
            stored_event.originator_id, stored_event.originator_version, stored_event.topic, stored_event.state
        )


class Events(EventStore[str]):
    """The library's event store, which builds event objects only as they are iterated over."""

    recorder: EventRecorder

    def get(self, originator_id: str, **span: Any) -> EventRange:  # type: ignore[override]  # a range gives the same events, and their rows
        """Return the events of an encounter, in order."""
        return EventRange(originator_id, self.recorder.select_rows(originator_id, **span))


class Timelines(Repository[str]):
    """The library's repository, which can continue from an existing timeline.

    The library's own never replaces a cached timeline if fast-forwarding returns another object.
    """

    snapshot_threshold = 0
    """With this many events or fewer no snapshot is looked for: reading the events is faster."""

    def get(  # type: ignore[override]  # it returns only timelines
        self,
        aggregate_id: str,
        *,
        version: int | None = None,
        projector_func: Callable[[Timeline | None, EventRange], Timeline | None] = project_timeline,
        since: Timeline | None = None,
        **_: Any,
    ) -> Timeline:
        """Return the timeline of an encounter, as of its newest row or of that version.

        It continues from the timeline `since`, if given. Raises AggregateNotFoundError, and ValueError for a version
        that is before the end of that timeline, or inside a ruling.
        """
        if version is not None:
            self._check_version(aggregate_id, version, since)
        events = self.event_store.get(aggregate_id, gt=since.version if since else None, lte=version)
        if since is None and self.snapshot_store and len(events.rows) > self.snapshot_threshold:  # type: ignore[attr-defined]  # our event store returns ranges
            newest = self.snapshot_store.get(aggregate_id, desc=True, limit=1, lte=version)
            events.snapshot = next(iter(newest), None)  # type: ignore[attr-defined]  # our event store returns ranges
        timeline = projector_func(since, events)  # type: ignore[arg-type]  # our event store returns ranges
        if timeline is None:
            raise AggregateNotFoundError(f'There is no encounter "{aggregate_id}".')
        return timeline

    def _check_version(self, encounter: str, version: int, since: Timeline | None) -> None:
        if since is not None and since.version > version:
            raise ValueError(f'version {version} of "{encounter}" is before {since.version}, where its timeline ends')
        newer: EventRange = self.event_store.get(encounter, gt=version, limit=1)  # type: ignore[assignment]  # our event store returns ranges
        if newer.rows and not is_head(newer.rows[0][1]):
            raise ValueError(f'version {version} of "{encounter}" is inside a ruling; `ends` has those that are whole')


class Encounters(Application[str]):
    """The encounters of one store: their events, seeds, tokens, and the views of projections.

    Threads may share one, processes one store. Every method raises StoreUnusable if the store can't be used.
    """

    name = "Encounters"
    log_section_size = 1_000
    snapshotting_intervals: ClassVar[dict[type[Any], int]] = {Timeline: 1_000}
    snapshotting_projectors: ClassVar[dict[type[Any], Any]] = {Timeline: project_timeline}
    snapshot_class = TimelineSnapshot  # type: ignore[assignment]  # its events are rows, like all of ours
    env: ClassVar[dict[str, str]] = {
        "ORIGINATOR_ID_TYPE": "text",
        "PERSISTENCE_MODULE": "mam_events.store.sqlite:Factory",
    }
    recorder: EventRecorder
    factory: EncounterFactory

    def __init__(self, env: Mapping[str, str] | None = None, *, factory: EncounterFactory | None = None) -> None:
        """Open the store that `env` describes in the form of `environment_at`, or that of a `factory`."""
        self._factory = factory
        super().__init__(env)
        self.label = self.factory.label
        self._newest: Sequence[StoredEventRow] = ()
        # The newest version and ruling known to be stored. They stay valid, because rows are never deleted.
        self._stored: dict[str, tuple[int, int]] = {}

    @classmethod
    def at(cls, url: str | Path, **settings: Any) -> Self:
        """Return the encounters of the store at that path or address.

        Settings and errors are those of `environment_at`.
        """
        return cls(environment_at(url, **settings))

    def construct_env(self, name: str, env: Mapping[str, str] | None = None) -> Environment:
        """Return the settings of the class and the caller: the library would let `os.environ` override them."""
        return Environment(name, {**type(self).env, "IS_SNAPSHOTTING_ENABLED": "y", **(env or {})})

    def construct_factory(self, env: Environment) -> Any:
        """Return the given factory, or that of the persistence module."""
        if self._factory:
            return self._factory
        try:
            return super().construct_factory(env)
        except InfrastructureFactoryError:
            if not is_postgres(env.get("POSTGRES_URL", "")):
                raise
            raise StoreUnusable(
                "PostgreSQL takes the extra `postgres`, which is not installed: pip install 'mam-events[postgres]'."
            ) from None

    def construct_mapper(self) -> Mapper[str]:
        """Return the mapper of recorded events."""
        return EventMapper()

    def construct_event_store(self) -> Events:
        """Return the store of events, which are built when they are read."""
        return Events(self.mapper, self.recorder)

    def construct_repository(self) -> Timelines:
        """Return the repository of timelines."""
        timelines = Timelines(self.events, snapshot_store=self.snapshots)
        timelines.snapshot_threshold = self.snapshotting_intervals[Timeline]
        return timelines

    @property
    def repository(self) -> Timelines:
        """The repository of timelines."""
        return self._repository  # type: ignore[return-value]  # it was made above

    @cached_property
    def seeds(self) -> SeedRecorder:
        """The secret seeds of the dice."""
        return self.factory.seed_recorder()

    @cached_property
    def tokens(self) -> TokenRecorder:
        """The access tokens."""
        return self.factory.token_recorder()

    def projection_recorder(self, projection: str) -> ProjectionRecorder:
        """Return the recorder of that projection."""
        return self.factory.projection_recorder(projection)

    def rows(self, encounter: str, after: int = 0) -> list[tuple[int, str, bytes]]:
        """Return the rows of an encounter after that version, in order: version, topic and state (JSON)."""
        return self.recorder.select_rows(encounter, gt=after)

    def encounters(self) -> list[str]:
        """Return the ids of all encounters, the oldest first."""
        return [encounter for encounter, _ in self.recorder.versions()]

    def save(self, *objs: Any, seed: bytes | None = None, **_: Any) -> Sequence[int]:  # type: ignore[override]  # see the docstring
        """Write the events of one encounter, all or none, durably, and return their notification ids.

        Unlike the library's method it returns no recordings, takes no snapshots and notifies nobody.

        The events are whole rulings with consecutive versions. The secret `seed` (64 bytes) comes with version 1 of an
        encounter, or later to replace one that is no longer drawn from. Raises VersionConflict if the first version is
        not the one after the last stored.
        """
        self._newest = objs
        # Like `EventStore.put`, but without two more objects for each event, and without calls for our own rows.
        events: Sequence[StoredEventRow] = objs
        if set(map(type, objs)) != _RECORDED:
            events = list(map(self.mapper.to_stored_event, objs))  # type: ignore[arg-type]  # our mapper returns these
        begun = begun_rulings(events)
        if seed is not None and len(seed) != SECRET_BYTES:
            raise ValueError(f"the secret of the dice has {SECRET_BYTES} bytes")
        encounter, first = events[0][:2]
        with self.recorder.lock:
            version, ruling = self._stored.get(encounter, (0, 0))
            if version != first - 1:
                ruling = self.recorder.ruling_at(encounter, first - 1)
            if begun and begun != list(range(ruling + 1, ruling + 1 + len(begun))):
                raise ValueError(f"only ruling {ruling + 1} can follow ruling {ruling}, not {begun}")
            try:
                ids = self.recorder.insert_events(events, seed=seed)
            except IntegrityError as error:
                raise VersionConflict(
                    f'Somebody else has written to "{encounter}" meanwhile (version {first}). Try again.'
                ) from error
            if len(self._stored) >= _REMEMBERED:
                self._stored.clear()
            self._stored[encounter] = (events[-1].originator_version, begun[-1] if begun else ruling)
        return ids or ()

    def take_snapshot(
        self, aggregate_id: str, version: int | None = None, projector_func: Callable[..., Any] | None = None
    ) -> None:
        """Take a snapshot of an encounter, as of its newest row or that version, which ends a ruling."""
        super().take_snapshot(aggregate_id, version, projector_func or self.snapshotting_projectors[Timeline])

    def take_due_snapshot(self, timeline: Timeline, before: int) -> None:
        """Take a snapshot of a timeline that has grown since that version, if one is due.

        The library's own `save` would read the timeline again for it, although the caller has it.
        """
        interval = self.snapshotting_intervals[Timeline]
        if self.snapshots and timeline.version // interval > before // interval:
            self.snapshots.put([TimelineSnapshot.take(timeline)])

    def snapshots_of(self, encounter: str) -> list[StoredEventRow]:
        """Return the stored snapshots of an encounter."""
        return list(self.snapshots.get(encounter)) if self.snapshots else []  # type: ignore[arg-type]  # our snapshots are recorded

    @contextmanager
    def grouped(self) -> Iterator[None]:
        """Group every `save` of this thread in the block into one transaction, which is durable at its end."""
        try:
            with self.factory.grouped():
                yield
        except BaseException:
            self._stored.clear()
            raise

    def has_written(self) -> bool:
        """Return True if the events of the last `save` are in the store.

        An interrupt may come before or after they became durable.
        """
        if not self._newest:
            return False
        encounter, first = self._newest[0][:2]
        return self.recorder.select_events(encounter, gt=first - 1)[: len(self._newest)] == list(self._newest)

    def __repr__(self) -> str:
        return f"Encounters({self.label!r})"
