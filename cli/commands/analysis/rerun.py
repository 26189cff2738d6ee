"""The command rerun: a corpus of fights judged again under other rules."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from cli.command_class import command_decorator
from cli.output import render
from cli.output.files import check_writable, open_output_file
from cli.output.progress import iterate_with_progress, progress_bar
from cli.output.rerun_report import print_summary, print_sweep
from cli.param_types import IntRange
from cli.session import Session, pass_session
from cli.shared_options import house_rule, store_options
from mam_events.errors import BadInput
from mam_events.refusals.suggestions import suggestion_text
from mam_events.sanitize import clean_text
from mam_events.version import __version__
from projections.phrases import join_words

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from projections.corpus.runner import Task
    from projections.corpus.summary import Summary

AHEAD = 4
"""The number of tasks queued for each process, so that none is ever idle."""
SCHEDULER_TIMEOUT = "10s"
"""The maximum time that a scheduler may take to answer."""


@command_decorator(
    "rerun",
    "mam rerun mam.db --set half_success=never",
    "mam rerun fights --set wound_order=stun_first --workers 4",
    "mam rerun mam.db --sweep half_success",
    "mam rerun party.toml --simulate 1000 --set half_success=never",
)
@click.argument(
    "source",
    metavar="STORE|FILE|FOLDER",
    help="A store, an export, a fight file, or a folder of them. With --simulate: the fight file of a party.",
)
@house_rule("An option and its other reading (repeatable).")
@click.option("--sweep", metavar="OPTION", default="", help="Every reading of this option in turn.")
@click.option("--workers", type=IntRange(1), default=1, metavar="N", help="Number of processes at once (1).")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    default="",
    help="The address of a Dask scheduler whose machines judge the fights, like tcp://host:8786.",
)
@click.option(
    "--simulate", type=IntRange(1), default=None, metavar="N", help="Number of fights to simulate for a party."
)
@click.option("--seed", metavar="WORD", default="1", help="The seed of simulated fights (1).")
@click.option("--html", metavar="FILE", default="", help="Also write a page with plots, in one file.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@store_options
@pass_session
def rerun(
    session: Session,
    source: str,
    house_rules: tuple[tuple[str, str], ...],
    sweep: str,
    workers: int,
    scheduler: str,
    simulate: int | None,
    seed: str,
    html: str,
    force: bool,
) -> None:
    """Judge many fights again under other rules, to try out a house rule.

    Each fight is judged as `mam whatif` does, and nothing is written. You see the fights whose result would change, how
    often attacks hit, and rounds. Each figure has the share that is still on record, because people would have acted
    differently. Intervals are 95 % (Wilson). The answer is the same on any machine, with any number of processes.

    With --simulate each fight is played to its end under both rules, with the same dice.
    """
    if not house_rules and not sweep:
        raise click.UsageError("Missing house rule. Use --set OPTION=READING, or --sweep OPTION for every reading.")
    if scheduler and workers > 1:
        raise click.UsageError(
            "Use --workers or --scheduler, not both: --workers is for this machine, --scheduler for others."
        )
    suppositions = _suppositions(dict(house_rules), sweep)
    from mam_events.autoplay import POLICY_SENTENCE
    from projections.corpus.runner import corpus_tasks, simulate_fights

    seed = clean_text(seed)
    if html:
        # Fail now, not after hours of judging.
        check_writable(html, Path(session.store_path), force=force)
    tasks = simulate_fights(source, simulate, seed) if simulate else corpus_tasks(source)
    if html:
        _check_not_a_source(html, tasks)
    summaries = _judged(
        session, tasks, suppositions, workers, scheduler, f"{POLICY_SENTENCE}; seed {seed}" if simulate else ""
    )
    if html:
        from web.pages.corpus import render_corpus_page

        with open_output_file(html, Path(session.store_path), force=force) as file:
            # A file name may contain bytes that are not valid UTF-8.
            file.write(render_corpus_page(summaries, sweep).encode(errors="replace"))
    if session.json:
        for summary in summaries:
            render.json_line({"summary": summary})
    elif sweep:
        print_sweep(summaries, sweep)
    else:
        print_summary(summaries[0])


def _check_not_a_source(html: str, tasks: Sequence[Task]) -> None:
    """Raise BadInput if the page would overwrite one of the fights that are judged."""
    page = Path(html).resolve()
    for path in {task.path for task in tasks}:
        if page in {Path(f"{path}{ending}").resolve() for ending in ("", "-wal", "-shm", "-id")}:
            raise BadInput("That file holds the fights to judge. Name another file.", place=html)


def _suppositions(house_rules: Mapping[str, str], sweep: str) -> list[dict[str, str]]:
    """Return the house rules to judge under; with `sweep`, one set for each reading of that option.

    Raises BadInput for an unknown option or an unknown reading of it.
    """
    from mam_events.rules.rulebook import rulebook

    options = rulebook().options
    for flag, option in (
        *(("--set", option) for option in house_rules),
        *([("--sweep", sweep)] if sweep else []),
    ):
        if option not in options:
            raise BadInput(f'There is no option "{option}". {suggestion_text(option, options)}', place=flag)
    for option, reading in house_rules.items():
        if reading not in options[option].readings:
            near = suggestion_text(reading, options[option].readings)
            raise BadInput(f'{option} cannot be "{reading}". {near}', place="--set")
    return [{**house_rules, sweep: reading} for reading in options[sweep].readings] if sweep else [dict(house_rules)]


def _judged(
    session: Session,
    tasks: Sequence[Task],
    suppositions: Sequence[Mapping[str, str]],
    workers: int,
    scheduler: str,
    simulated: str,
) -> list[Summary]:
    """Return all those fights judged under each set of house rules; with --json each is printed as it is ready."""
    from projections.corpus.runner import rejudge_corpus, with_export
    from projections.corpus.summary import Tally

    tallies = [Tally(house_rules, simulated) for house_rules in suppositions]
    # `mam` starts with garbage collection off, but thousands of fights would fill the memory.
    gc.enable()
    with progress_bar(session, "Judging again", len(tasks)) as step, _executor(workers, scheduler) as (executor, ahead):
        tasks_sent = map(with_export, tasks) if scheduler else tasks
        for fight in iterate_with_progress(rejudge_corpus(tasks_sent, suppositions, executor, ahead=ahead), step):
            for one, tally, house_rules in zip(fight, tallies, suppositions, strict=True):
                tally.add(one)
                if session.json:
                    render.json_line(msgspec.to_builtins(one) | {"flips": one.flips, "house_rules": house_rules})
    return [tally.summary() for tally in tallies]


@contextmanager
def _executor(workers: int, scheduler: str) -> Iterator[tuple[Executor, int]]:
    """Return what runs the work (this process, other processes or other machines), and the number of queued tasks."""
    if scheduler:
        with _cluster(scheduler) as cluster:
            yield cluster
    elif workers == 1:
        from projections.corpus.runner import SerialExecutor

        yield SerialExecutor(), 1
    else:
        from projections.corpus.process_pool import process_pool

        with process_pool(workers) as pool:
            yield pool, AHEAD * workers


@contextmanager
def _cluster(scheduler: str) -> Iterator[tuple[Executor, int]]:
    try:
        from distributed import Client
    except ImportError:
        raise BadInput(
            "--scheduler needs the extra `cluster`, which is not installed: pip install 'mam-events[cluster]'."
        ) from None
    try:
        # A client that can't connect prints errors when it is collected, so check the address first.
        asyncio.run(_answers(scheduler))
        client = Client(scheduler, timeout=SCHEDULER_TIMEOUT, set_as_default=False)
    except ValueError:
        raise BadInput(f"--scheduler must be an address like tcp://host:8786, not '{scheduler}'.") from None
    except OSError as no:
        raise BadInput(f"No Dask scheduler answers at {scheduler}.", place="--scheduler") from no
    with client:
        try:
            versions = client.run(_version)
        except Exception as no:  # workers without this program raise various errors
            raise BadInput(f"The workers of {scheduler} have no mam-events installed.", place="--scheduler") from no
        if not versions or set(versions.values()) != {__version__}:
            have = join_words(sorted(set(versions.values()))) or "no workers at all"
            raise BadInput(f"must have workers with mam-events {__version__}, not {have}.", place="--scheduler")
        with client.get_executor(pure=False) as executor:
            yield executor, AHEAD * sum(client.nthreads().values())


async def _answers(scheduler: str) -> None:
    """Check that a Dask scheduler answers at that address.

    Raises OSError if nothing answers there, and ValueError if the address is invalid.
    """
    from distributed.comm import connect

    await (await connect(scheduler, timeout=SCHEDULER_TIMEOUT)).close()


def _version() -> str:
    return __version__
