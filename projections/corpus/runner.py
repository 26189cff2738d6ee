"""The fights of a corpus, and a runner that judges them again: here, in other processes or on other machines."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from mam_events.archive import export_ndjson, import_ndjson
from mam_events.archive.input_files import EXPORT_LIMIT, read_bytes, split_lines
from mam_events.autoplay import POLICY_FIELDS, choose_command
from mam_events.commands import COMMANDS, Open
from mam_events.decider.decide import legal_commands
from mam_events.errors import BadInput, MamError, NotFound
from mam_events.fights import FightFile, load_fight, play
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.rules.rulebook import rulebook
from projections.chunks import chunked
from projections.corpus.summary import Rerun, fight_outcome, rerun

T = TypeVar("T")
R = TypeVar("R")

MAX_SIMULATED_RULINGS = 300
"""The number of rulings after which a simulated fight ends undecided."""
CHUNK = 8
"""The number of fights that one task judges; with fewer, starting tasks would cost too much."""
SINGLE = (".ndjson", ".toml")
"""The extensions of files with one fight: exports and fight files."""
_NO_TIME = datetime.fromtimestamp(0, UTC)


class Task(Struct, frozen=True):
    """A fight to judge again: an encounter of a store, or an export or fight file (then `encounter` is "").

    A simulated fight has a `party`, and a `seed` for its dice and for the choices of the combatants. A task for a
    machine that does not have the file carries the whole export as `lines`. If the fight cannot be read, `refused` is a
    sentence that says why.
    """

    path: str
    encounter: str = ""
    party: FightFile | None = None
    seed: bytes = b""
    lines: bytes = b""
    refused: str = ""

    @property
    def name(self) -> str:
        """The name of the fight in the corpus."""
        return self.encounter or Path(self.path).stem


def corpus_tasks(source: str) -> list[Task]:
    """Return the fights of a store, an export, a fight file, or a folder of them.

    The fights of a store are in the order in which they began, the files of a folder in the order of their names.
    Hidden files are skipped, and a store in a folder that cannot be opened is one refused task. Raises as
    `CombatLog.open` for a single store, NotFound if the path does not exist, BadInput for a folder without fights.
    """
    path = Path(source)
    if path.suffix in SINGLE and not path.exists():
        raise NotFound(f"{source}: There is no such file.")
    if not path.is_dir():
        return [Task(source)] if path.suffix in SINGLE and path.is_file() else _stored(path)
    tasks: list[Task] = []
    for file in sorted(path.iterdir()):
        if file.name.startswith("."):
            continue
        if file.suffix in SINGLE:
            tasks.append(Task(str(file)))
        elif file.suffix in (".db", ".mam"):
            try:
                tasks += _stored(file)
            except MamError as no:
                tasks.append(Task(str(file), refused=no.sentence))
    if not tasks:
        raise BadInput("That folder has no store, export or fight file.", place=source)
    return tasks


def _stored(path: Path) -> list[Task]:
    with CombatLog.open(path, create=False) as log:
        return [Task(str(path), encounter) for encounter in log.encounters()]


def simulate_fights(party: str, fights: int, seed: str) -> list[Task]:
    """Return `fights` simulated fights of a party; `party` is a fight file with an opening and joins.

    Raises BadInput if the file cannot be read as such, or if the policy cannot play that game.
    """
    fight = replace(load_fight(party), lines=())
    preset = _opening(fight).preset
    if not {COMMANDS[do] for do in POLICY_FIELDS} <= rulebook().edition(preset).mechanics.keys():
        raise BadInput(f"Only fights with point pools can be simulated, not one under {preset}.", place=party)
    read, stem = read_bytes(party), Path(party).stem
    seeds = (hashlib.sha256(read + f"{seed}/{number}".encode()).digest() for number in range(1, fights + 1))
    return [Task(party, f"{stem}-{number}", fight, dice_seed) for number, dice_seed in enumerate(seeds, start=1)]


def _opening(fight: FightFile) -> Open:
    assert isinstance(fight.opening.what, Open)  # noqa: S101 - every fight begins with it
    return fight.opening.what


def with_export(task: Task) -> Task:
    """Return the task with the fight's export, so that a machine without the file can judge it."""
    if task.party or task.refused:
        return task
    try:
        if task.path.endswith(".ndjson") and not task.encounter:
            return replace(task, lines=read_bytes(task.path, limit=EXPORT_LIMIT))
        with _opened(task) as (log, encounter):
            return replace(task, lines=b"".join(export_ndjson(log, encounter)))
    except MamError as no:
        return replace(task, refused=no.sentence)


def rerun_task(task: Task, suppositions: Sequence[Mapping[str, str]]) -> tuple[Rerun, ...]:
    """Judge a fight again under each of the suppositions."""
    if task.refused:
        return (Rerun(task.name, "", refused=task.refused),) * len(suppositions)
    try:
        if task.party:
            was = _simulated(task, {})
            return tuple(_fought(task, was, house_rules) for house_rules in suppositions)
        with _opened(task) as (log, encounter):
            timeline = log.timeline(encounter)
            return tuple(rerun(task.name, timeline, log.rules, house_rules) for house_rules in suppositions)
    except MamError as no:
        return (Rerun(task.name, "", refused=no.sentence),) * len(suppositions)


def rejudge_corpus(
    tasks: Iterable[Task], suppositions: Sequence[Mapping[str, str]], executor: Executor, *, ahead: int
) -> Iterator[tuple[Rerun, ...]]:
    """Yield for each fight its reruns under each of the suppositions, in the order of the fights."""
    chunks = map_in_order(executor, partial(_run_all, suppositions=suppositions), chunked(tasks, CHUNK), ahead=ahead)
    for chunk in chunks:
        yield from chunk


def _run_all(chunk: Sequence[Task], suppositions: Sequence[Mapping[str, str]]) -> list[tuple[Rerun, ...]]:
    return [rerun_task(task, suppositions) for task in chunk]


def map_in_order(executor: Executor, work: Callable[[T], R], items: Iterable[T], *, ahead: int) -> Iterator[R]:
    """Yield the result of `work` for each item, in order; at most `ahead` of them are pending."""
    waiting: deque[Future[R]] = deque()
    try:
        for item in items:
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
            waiting.append(executor.submit(work, item))
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


class SerialExecutor(Executor):
    """An executor that does all work at once in the caller's thread."""

    def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        """Do the work and return its finished future; raise what the work raises."""
        done: Future[R] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


@contextmanager
def _opened(task: Task) -> Iterator[tuple[CombatLog, str]]:
    """Open the log of a task's fight for a block, and yield it with the fight's name in it."""
    if task.encounter and not task.lines:
        yield _store(Path(task.path).absolute()), task.encounter
        return
    # A fight file is played again each time; its seed comes from the file, so that it is always the same fight.
    is_played = task.path.endswith(".toml") and not task.lines
    with _in_memory(hashlib.sha256(read_bytes(task.path)).digest() if is_played else b"") as log:
        if is_played:
            yield log, play(log, load_fight(task.path), task.name).encounter
        else:
            lines = task.lines or read_bytes(task.path, limit=EXPORT_LIMIT)
            yield log, import_ndjson(log, split_lines(lines), name=task.path).encounter


def _in_memory(seed: bytes) -> CombatLog:
    return CombatLog.open("sqlite://", clock=lambda: _NO_TIME, entropy=lambda size: (seed * 2)[:size])


def _fought(task: Task, was: Timeline, house_rules: Mapping[str, str]) -> Rerun:
    """Compare the fight with the same fight under other rules."""
    try:
        return fight_outcome(task.name, task.seed.hex(), was, _simulated(task, house_rules))
    except MamError as no:
        return Rerun(task.name, task.seed.hex(), refused=no.sentence)


def _simulated(task: Task, house_rules: Mapping[str, str]) -> Timeline:
    """Play the fight by the policy under those house rules, until one side is left or there are too many rulings."""
    assert task.party  # noqa: S101 - only simulated tasks come here
    opening = _opening(task.party)
    under = replace(opening, house_rules={**opening.house_rules, **house_rules})
    party = replace(task.party, opening=replace(task.party.opening, what=under))
    random = Random(task.seed)  # noqa: S311 - everybody may reproduce the choices
    with _in_memory(task.seed) as log:
        encounter = play(log, party, task.name).encounter
        while (timeline := log.timeline(encounter)).number < MAX_SIMULATED_RULINGS:
            state = timeline.state
            assert state.ruleset is not None  # noqa: S101 - the opening of a fight pins its rules
            rules = log.rules.in_force(state.ruleset)
            command = choose_command(state, rules, legal_commands(state, rules, only=tuple(POLICY_FIELDS)), random)
            if command is None:
                break
            log.execute(encounter, command)
        return timeline


@cache
def _store(path: Path) -> CombatLog:
    """Open a store once per process, because a process judges many of its fights; cache no fights in memory."""
    return CombatLog.open(path, create=False, kept=0)
