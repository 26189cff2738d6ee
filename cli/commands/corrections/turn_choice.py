"""The choice after a correction that makes turns pass or be lost: continue as played, stop there, or do nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import click

from cli.output import render
from mam_events.sanitize import printable
from projections.phrases import count_words, join_numbers

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.results import Preview
    from mam_events.state import Encounter
    from projections.rulings.correction_summary import CorrectionSummary

QUESTION = "Which? [p/s/N]"
_GO_ON = ("pass", "yes")
_STOP = ("stop",)
_NOTHING = ("no", "quit", "exit")


class TurnChoice(NamedTuple):
    """A choice about turns that a correction changes.

    `stop` is the ruling before which the fight can stop; this undoes the `later` rulings. `passes` is True if turns
    pass, False if they are only lost. Otherwise the fight continues in round `goes_on_in` (0: unknown).
    """

    stop: int
    later: tuple[int, ...]
    passes: bool
    goes_on_in: int

    @property
    def ways(self) -> tuple[str, str, str]:
        """The three choices, each after its key."""
        does = "let them pass" if self.passes else "do it"
        goes_on = f", and go on in round {self.goes_on_in}" if self.goes_on_in else ""
        count_text = f"{count_words(len(self.later), 'ruling')} ({join_numbers(self.later)})"
        return (
            f"  p  {does}{goes_on}",
            f"  s  stop before {self.stop} and play on from there; undoes {count_text}",
            "  n  do nothing (also Enter)",
        )

    @property
    def without_a_terminal(self) -> str:
        """The other choices, for a run in which nobody can be asked."""
        return (
            f"To stop before {self.stop} and play on from there, add --strict, then type "
            f"`mam undo {self.stop} --rewind`"
        )

    def ask(self, prompt: Callable[[str], str]) -> int:
        """Show the choices, ask until one is made, and return the ruling before which to stop (0: continue).

        Raises Abort if nothing is to be done.
        """
        for way in self.ways:
            render.print_notice(way)
        while answer := prompt(QUESTION).strip():
            if _begins_any(answer, _STOP):
                return self.stop
            if _begins_any(answer, _GO_ON):
                return 0
            if _begins_any(answer, _NOTHING):
                break
            render.print_notice(f'"{printable(answer)}" is no answer, so nothing was done. Type p, s or n.')
        raise click.Abort


def _begins_any(answer: str, words: tuple[str, ...]) -> bool:
    return any(word.startswith(answer.lower()) for word in words)


def choice_about(timeline: Timeline, preview: Preview, summary: CorrectionSummary) -> TurnChoice | None:
    """Return the choice that a preview leaves, or None if no turn passes or is lost."""
    before = [turn.before for turn in summary.passed]
    before += [one.turns[0] for one in summary.lost if one.turns]
    if not before:
        return None
    place = min(timeline.place[number] for number in before)
    numbers = set(preview.struck)
    later = [
        number
        for number in timeline.order[place:]
        if (timeline.lives(number) or number in preview.restored) and number not in numbers
    ]
    return TurnChoice(
        timeline.order[place],
        tuple(sorted(later)),
        bool(summary.passed),
        next_round(preview.state) if preview.state else 0,
    )


def next_round(state: Encounter) -> int:
    """Return the round in which a fight continues: the next one if this one is over."""
    over = state.turn is None and not state.exchange and (not state.round_open or state.is_round_done)
    return state.round + over
