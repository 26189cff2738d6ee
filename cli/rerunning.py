"""A corpus of fights judged again under other rules: who would have won, how often blows would have hit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import click

from cli import output
from cli.options import Whole, command, house_rule, of_store
from cli.progress import watched, working
from cli.session import Session, pass_session
from projections.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Callable

    from projections.corpus import Rerun, Share, Summary, Task

CHUNK = 8
"""So many fights are handed to a process at once."""


@command(
    "rerun", "mam rerun mam.db --set half_success=never", "mam rerun fights --set wound_order=stun_first --workers 4"
)
@click.argument("source", metavar="STORE|FOLDER", help="A store, or a folder of stores, exports and fight files.")
@house_rule("An option and how it is read instead; as often as needed.")
@click.option("--workers", type=Whole(1), default=1, metavar="N", help="So many processes at once; 1.")
@of_store
@pass_session
def rerun(session: Session, source: str, house_rules: tuple[tuple[str, str], ...], workers: int) -> None:
    """Judge many fights again under other rules: a house rule on trial.

    Each fight is judged as `mam whatif` does; nothing is written. Told are the fights whose result would be another,
    how often attacks hit, rounds, and the share of rulings that are still on record: people would have done other
    things. Intervals are of 95 % (Wilson). The answer is the same on any machine, in any number of processes.
    """
    if not house_rules:
        raise click.UsageError("--set says which option is read how.")
    import msgspec

    from projections.corpus import run, summary, tasks

    found = tasks(source)
    rules = dict(house_rules)
    with working(session, "Judging again", len(found)) as step, _mapper(workers) as mapped:
        results = watched(mapped(partial(run, house_rules=rules), found), step)
        told = summary(_shown(session, results), rules)
    if session.json:
        output.json_line({"summary": msgspec.to_builtins(told)})
        return
    _print(told)


@contextmanager
def _mapper(workers: int) -> Iterator[Callable[[Callable[[Task], Rerun], Iterable[Task]], Iterable[Rerun]]]:
    """The way to run a function over tasks, in their order: here, or in so many processes."""
    if workers == 1:
        yield map
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield partial(pool.map, chunksize=CHUNK)


def _shown(session: Session, results: Iterable[Rerun]) -> Iterator[Rerun]:
    """The same; as JSON each is printed as it comes."""
    import msgspec

    for one in results:
        if session.json:
            output.json_line(msgspec.to_builtins(one) | {"flips": one.flips})
        yield one


def _print(found: Summary) -> None:
    rules = listed([f"{option} = {reading}" for option, reading in found.house_rules.items()])
    judged = found.flips.of
    output.line(
        f"{counted(found.fights, 'fight')}, {counted(found.rulings, 'ruling')} judged again under {rules}; "
        f"corpus {found.corpus[:12]}.",
        indent=2,
    )
    if not judged:
        click.echo("None of them could be judged so.")
    else:
        was, now = found.hits, found.rounds
        output.table(
            ("", "as it was", "what if", "95 %"),
            [
                ("another result", "", f"{found.flips.count} of {judged}", _interval(found.flips)),
                ("any ruling differs", "", f"{found.touched.count} of {judged}", _interval(found.touched)),
                ("attacks that hit", _percent(was[0]), _percent(was[1]), _interval(was[1])),
                ("by half", _percent(found.halves[0]), _percent(found.halves[1]), _interval(found.halves[1])),
                ("rounds", f"{now[0]:.1f}", f"{now[1]:.1f}", ""),
                ("still on record", "", _percent(found.recorded), _interval(found.recorded)),
            ],
            right=(1, 2),
        )
        if found.hypothetical:
            click.echo(f"  In it {found.hypothetical} dice that nobody threw, of a public source.")
        if found.moved_on:
            output.line(f"  {counted(found.moved_on, 'ruling')} differ by newer rules of this program alone.", indent=4)
        for one in found.most:
            output.line(f"  {_most(one)}", indent=4)
    for one in found.refused:
        output.line(f"  {one.fight}: not judged. {one.refused}", "faint", indent=4)


def _percent(share: Share) -> str:
    return f"{share.share:.1%}"


def _interval(share: Share) -> str:
    return f"{share.low:.1%} to {share.high:.1%}"


def _most(one: Rerun) -> str:
    """A fight that changes much: from which ruling on, how many, and its result both ways."""
    assert one.played  # noqa: S101 - it was judged
    assert one.supposed  # noqa: S101 - as above
    told = [f"{count} {what}" for count, what in ((one.changed, "changed"), (one.void, "void")) if count]
    was, now = (f"{way.winner} alone stands" if way.winner else "undecided" for way in (one.played, one.supposed))
    result = f"{now}, where it was: {was}" if one.flips else f"{was}, as it was"
    return f"{one.fight}: from {one.first} on {listed(told)} of {one.rulings}; {result}"
