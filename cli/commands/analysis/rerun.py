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
from cli.param_types import IntRange
from cli.session import Session, pass_session
from cli.shared_options import house_rule, store_options
from mam_events.errors import BadInput
from mam_events.refusals.suggestions import suggestion_text
from mam_events.sanitize import clean_text
from mam_events.version import __version__
from projections.phrases import count_words, join_words, winner_sentence

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from projections.corpus.runner import Task
    from projections.corpus.summary import Figure, Rerun, Share, Summary

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
        _is_no_fight(html, tasks)
    summaries = _judged(
        session, tasks, suppositions, workers, scheduler, f"{POLICY_SENTENCE}; seed {seed}" if simulate else ""
    )
    if html:
        from web.pages.corpus import render_corpus_page

        with open_output_file(html, Path(session.store_path), force=force) as file:
            # A file name may contain bytes that are not valid UTF-8.
            file.write(render_corpus_page(summaries, sweep).encode(errors="replace"))
    if session.json:
        for one in summaries:
            render.json_line({"summary": one})
    elif sweep:
        _print_sweep(summaries, sweep)
    else:
        _print(summaries[0])


def _is_no_fight(html: str, tasks: Sequence[Task]) -> None:
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
    for option_name, option in (
        *(("--set", option) for option in house_rules),
        *([("--sweep", sweep)] if sweep else []),
    ):
        if option not in options:
            raise BadInput(f'There is no option "{option}". {suggestion_text(option, options)}', place=option_name)
    for option, reading in house_rules.items():
        if reading not in options[option].readings:
            near = suggestion_text(reading, options[option].readings)
            raise BadInput(f'{option} has no reading "{reading}". {near}', place="--set")
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


def _print(total: Summary) -> None:
    from projections.corpus.summary import kept_share_words

    _print_simulated(total)
    if not total.flips.share.of:
        render.line(f"{_corpus(total)} under {_rules(total.house_rules)}: none of them could be judged.", indent=2)
    else:
        render.line(
            f"{_corpus(total)} under {_rules(total.house_rules)}; ruleset {total.rulesets[1][:12]}, "
            f"as played {total.rulesets[0][:12]}.",
            indent=2,
        )
        hits, halves = total.hits, total.halves
        render.print_table(
            ("", "as it was", "what if", "95 %", kept_share_words(total)),
            [
                *(
                    (winner_sentence(side), _percent(was), _percent(now), _interval(now), "")
                    for side, (was, now) in total.winners.items()
                ),
                *(_counted(what, figure) for what, figure in _fights(total)),
                *(
                    (what, _rate(was.share), *_rated(now))
                    for what, (was, now) in (("attacks that hit", hits), ("half hits", halves))
                    if was.share.of or now.share.of
                ),
                ("rounds", f"{total.rounds[0]:.1f}", f"{total.rounds[1]:.1f}", "", _percent(total.recorded)),
            ],
            right=(1, 2, 4),
        )
        if total.hypothetical:
            click.echo(f"  {total.hypothetical} of its dice were never thrown: they come from a public seed.")
        if total.moved_on:
            render.line(
                f"  {count_words(total.moved_on, 'ruling')} differ only because the rules of this program are newer.",
                indent=4,
            )
        for one in total.most:
            render.line(f"  {most_changed_fight(one)}", indent=4)
    _print_refused(total)


def _print_sweep(summaries: Sequence[Summary], option: str) -> None:
    from projections.corpus.summary import kept_share_words

    _print_simulated(summaries[0])
    rest = {name: reading for name, reading in summaries[0].house_rules.items() if name != option}
    render.line(
        f"{_corpus(summaries[0])} under every reading of {option}{f', and {_rules(rest)}' if rest else ''}; each "
        f"against {'the rules of the party' if summaries[0].simulated else 'what was played'}.",
        indent=2,
    )
    render.print_table(
        (
            option,
            "another result",
            "95 %",
            "other rounds",
            "rounds",
            "hit",
            "by half",
            kept_share_words(summaries[0]),
            "ruleset",
        ),
        [
            (
                one.house_rules[option],
                f"{one.flips.share.count} of {one.flips.share.of}",
                _interval(one.flips.share),
                f"{one.rounds_differ.share.count}",
                f"{one.rounds[0]:.1f} to {one.rounds[1]:.1f}",
                f"{_rate(one.hits[0].share)} to {_rate(one.hits[1].share)}",
                f"{_rate(one.halves[0].share)} to {_rate(one.halves[1].share)}",
                _percent(one.recorded),
                one.rulesets[1][:12],
            )
            if one.flips.share.of
            else (one.house_rules[option], "not judged", *[""] * 7)
            for one in summaries
        ],
        right=(1, 3),
    )
    _print_refused(max(summaries, key=lambda one: one.not_judged))


def _print_simulated(totals: Summary) -> None:
    if totals.simulated:
        render.line(f"Simulated fights, each played to its end by the program: {totals.simulated}.", indent=2)


def _print_refused(totals: Summary) -> None:
    for one in totals.refused:
        render.line(f"  {one.fight}: not judged. {one.refused}", "faint", indent=4)
    if totals.not_judged > len(totals.refused):
        render.line(f"  {totals.not_judged - len(totals.refused)} more could not be judged.", "faint", indent=4)


def _corpus(totals: Summary) -> str:
    fights, rulings = count_words(totals.fights, "fight"), count_words(totals.rulings, "ruling")
    return f"{fights}, {rulings} of corpus {totals.corpus[:12]} {'fought' if totals.simulated else 'judged'} again"


def _rules(house_rules: Mapping[str, str]) -> str:
    return join_words([f"{option} = {reading}" for option, reading in house_rules.items()])


def _fights(totals: Summary) -> list[tuple[str, Figure]]:
    """Return the numbers of fights that differ, each with its reason in words."""
    return [
        ("the result differs", totals.flips),
        ("the rounds differ", totals.rounds_differ),
        ("the falls differ", totals.falls_differ),
        ("any ruling differs", totals.touched),
    ]


def _counted(what: str, figure: Figure) -> tuple[str, ...]:
    return (what, "", f"{figure.share.count} of {figure.share.of}", _interval(figure.share), _recorded(figure))


def _rated(figure: Figure) -> tuple[str, ...]:
    return (_rate(figure.share), _interval(figure.share) if figure.share.of else "", _recorded(figure))


def _recorded(figure: Figure) -> str:
    return _percent(figure.recorded) if figure.recorded.of else ""


def _rate(share: Share) -> str:
    """Return a share of attacks as a percentage, or "none" if there are none."""
    return _percent(share) if share.of else "none"


def _percent(share: Share) -> str:
    return f"{share.share:.1%}"


def _interval(share: Share) -> str:
    return f"{share.low:.1%} to {share.high:.1%}"


def most_changed_fight(one: Rerun) -> str:
    """Return a fight with many changes in words: from which ruling on, how many, and both results."""
    assert one.played  # noqa: S101 - it was judged
    assert one.supposed  # noqa: S101 - as above
    texts = [f"{count} {what}" for count, what in ((one.changed, "changed"), (one.void, "void")) if count]
    was, now = winner_sentence(one.played.winner), winner_sentence(one.supposed.winner)
    result = f"{now}, before: {was}" if one.flips else f"{was}, as before"
    return f"{one.fight}: from {one.first} on {join_words(texts)} of {one.rulings}; {result}"
