"""The bookkeeping of corrections in sentences: turns that pass, orders that are kept, parts that are dropped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from mam_events import events as e
from mam_events.history.timeline.entries import BookkeepingEntry
from mam_events.history.timeline.rulings import Ruling
from projections.phrases import count_words, join_words, number_spans
from projections.rulings.index import RulingContext, RulingIndex
from projections.sentences import event_sentence

_BOUNDS = (e.RoundStarted, e.RoundEnded, e.TurnStarted, e.TurnEnded, e.TurnSkipped, e.OrderKept, e.ExchangeLeft)


def bookkeeping_of(ruling: Ruling, index: RulingIndex) -> tuple[str, ...]:
    """Return the sentences of the bookkeeping before a ruling; none if the ruling does not count."""
    return bookkeeping_sentences(ruling.bookkeeping, RulingContext(index, ruling)) if ruling.lives else ()


def bookkeeping_sentences(bookkeeping: Iterable[BookkeepingEntry], scene: RulingContext) -> tuple[str, ...]:
    """Return a sentence for each run of bookkeeping of one kind in one round, as far as it is visible to the view."""
    return tuple(_sentences(scene.redactor.bookkeeping(bookkeeping), scene))


def new_passed_turns(
    bookkeeping: Iterable[BookkeepingEntry], replaced: Iterable[BookkeepingEntry]
) -> list[BookkeepingEntry]:
    """Return the turns that pass in `bookkeeping`, without those that already passed in `replaced`."""
    old = {(step.combatant, step.round) for step in replaced if step.what == "passed"}
    return [step for step in bookkeeping if step.what == "passed" and (step.combatant, step.round) not in old]


def passed_sentences(turns: Iterable[tuple[str, int]]) -> Iterator[str]:
    """Yield a sentence for each combatant whose turns pass; `turns` are names with rounds."""
    rounds: dict[str, list[int]] = {}
    for name, round_number in turns:
        rounds.setdefault(name, []).append(round_number)
    for name, those in rounds.items():
        each = sorted(set(those))
        when = f"{'round' if len(each) == 1 else 'rounds'} {join_words(number_spans(each))}"
        yield f"{name} has {count_words(len(those), 'turn')} that nobody played ({when})."


def _sentences(bookkeeping: Iterable[BookkeepingEntry], scene: RulingContext) -> Iterator[str]:
    for (what, _), run in groupby(bookkeeping, key=lambda step: (step.what, step.round)):
        steps = list(run)
        names = [scene.name(step.combatant) for step in steps if step.combatant]
        brought = [
            event_sentence(event, scene) for step in steps for event in step.events if not isinstance(event, _BOUNDS)
        ]
        if what == "left":
            sentence = f"Nobody resolved {join_words([f'exchange {step.exchange}' for step in steps])}."
        elif what == "passed":
            sentence = _passed(names, f" in round {steps[0].round}" if steps[0].round else "")
        else:
            sentence = _SENTENCES[what].format(name=join_words(list(dict.fromkeys(names))), round=steps[0].round)
        yield " ".join((sentence, *brought))


def _passed(names: list[str], when: str) -> str:
    each = list(dict.fromkeys(names))
    if len(names) == 1:
        return f"Nobody played {names[0]}'s turn{when}: it passes."
    return f"Nobody played the turns of {join_words(each)}{when}: they pass."


_SENTENCES: dict[e.Bookkeeping, str] = {
    "ended": "{name}'s turn ends here (its end is not on record).",
    "order": "Round {round} keeps the order in which it was played: {name} begins now.",
    "round": "A round begins here (its beginning is not on record).",
    "cut": "{name} readies only the points that are there.",
    "left_out": "{name} is left out of the roll.",
    "waived": "{name} owes a riding roll or an animal's attack that nobody played. It is waived.",
    "unused": "Dice that are no longer rolled stay unused.",
    "needless": "This has no effect on {name} any more.",
}
