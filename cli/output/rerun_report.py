"""The tables of `mam rerun`: what other rules would have changed in many fights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from cli.output import render
from projections.phrases import count_words, join_words, winner_sentence

if TYPE_CHECKING:
    from projections.corpus.summary import Figure, Rerun, Share, Summary


def print_summary(summary: Summary) -> None:
    """Print what a set of house rules would have changed."""
    from projections.corpus.summary import kept_share_words

    _print_simulated(summary)
    if not summary.flips.share.of:
        render.line(f"{_corpus(summary)} under {_rules(summary.house_rules)}: none of them could be judged.", indent=2)
    else:
        render.line(
            f"{_corpus(summary)} under {_rules(summary.house_rules)}; ruleset {summary.rulesets[1][:12]}, "
            f"as played {summary.rulesets[0][:12]}.",
            indent=2,
        )
        hits, halves = summary.hits, summary.halves
        render.print_table(
            ("", "as it was", "what if", "95 %", kept_share_words(summary)),
            [
                *(
                    (winner_sentence(side), _percent(was), _percent(now), _interval(now), "")
                    for side, (was, now) in summary.winners.items()
                ),
                *(_counted(what, figure) for what, figure in _fights(summary)),
                *(
                    (what, _rate(was.share), *_rated(now))
                    for what, (was, now) in (("attacks that hit", hits), ("half hits", halves))
                    if was.share.of or now.share.of
                ),
                ("rounds", f"{summary.rounds[0]:.1f}", f"{summary.rounds[1]:.1f}", "", _percent(summary.recorded)),
            ],
            right=(1, 2, 4),
        )
        if summary.hypothetical:
            click.echo(f"  {summary.hypothetical} of its dice were never thrown: they come from a public seed.")
        if summary.moved_on:
            render.line(
                f"  {count_words(summary.moved_on, 'ruling')} differ only because the rules of this program are newer.",
                indent=4,
            )
        for fight in summary.most:
            render.line(f"  {_most_changed(fight)}", indent=4)
    _print_refused(summary)


def print_sweep(summaries: Sequence[Summary], option: str) -> None:
    """Print what each reading of an option would have changed, a row each."""
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
                summary.house_rules[option],
                f"{summary.flips.share.count} of {summary.flips.share.of}",
                _interval(summary.flips.share),
                f"{summary.rounds_differ.share.count}",
                f"{summary.rounds[0]:.1f} to {summary.rounds[1]:.1f}",
                f"{_rate(summary.hits[0].share)} to {_rate(summary.hits[1].share)}",
                f"{_rate(summary.halves[0].share)} to {_rate(summary.halves[1].share)}",
                _percent(summary.recorded),
                summary.rulesets[1][:12],
            )
            if summary.flips.share.of
            else (summary.house_rules[option], "not judged", *[""] * 7)
            for summary in summaries
        ],
        right=(1, 3),
    )
    _print_refused(max(summaries, key=lambda summary: summary.not_judged))


def _print_simulated(summary: Summary) -> None:
    if summary.simulated:
        render.line(f"Simulated fights, each played to its end by the program: {summary.simulated}.", indent=2)


def _print_refused(summary: Summary) -> None:
    for rerun in summary.refused:
        render.line(f"  {rerun.fight}: not judged. {rerun.refused}", "faint", indent=4)
    if summary.not_judged > len(summary.refused):
        render.line(f"  {summary.not_judged - len(summary.refused)} more could not be judged.", "faint", indent=4)


def _corpus(summary: Summary) -> str:
    fights, rulings = count_words(summary.fights, "fight"), count_words(summary.rulings, "ruling")
    return f"{fights}, {rulings} of corpus {summary.corpus[:12]} {'fought' if summary.simulated else 'judged'} again"


def _rules(house_rules: Mapping[str, str]) -> str:
    return join_words([f"{option} = {reading}" for option, reading in house_rules.items()])


def _fights(summary: Summary) -> list[tuple[str, Figure]]:
    """Return the numbers of fights that differ, each with its label."""
    return [
        ("the result differs", summary.flips),
        ("the rounds differ", summary.rounds_differ),
        ("the falls differ", summary.falls_differ),
        ("any ruling differs", summary.touched),
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


def _most_changed(fight: Rerun) -> str:
    """Return a fight with many changes in words: from which ruling on, how many, and both results."""
    assert fight.played  # noqa: S101 - it was judged
    assert fight.supposed  # noqa: S101 - as above
    texts = [f"{count} {what}" for count, what in ((fight.changed, "changed"), (fight.void, "void")) if count]
    was, now = winner_sentence(fight.played.winner), winner_sentence(fight.supposed.winner)
    result = f"{now}, before: {was}" if fight.flips else f"{was}, as before"
    return f"{fight.fight}: from {fight.first} on {join_words(texts)} of {fight.rulings}; {result}"
