"""Speeds and skipped turns (MAM-TURN-02 to -06), and turns that are put off (MAM-TURN-09)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from mam_events.commands.speeds import DelayTurn
from mam_events.encounter.judging import Judging
from mam_events.encounter.templates import Field, Offer, Template
from mam_events.errors import Refused
from mam_events.events.speeds import TurnDelayed
from mam_events.rules.checks import named, under_way
from mam_events.rules.edition import Mechanic
from mam_events.rules.ruleset import Ruleset
from mam_events.state import Combatant, Encounter

REVISION = 1

LADDER = (Decimal("0.25"), Decimal("0.5"), Decimal(1), Decimal(2), Decimal(3))
"""The speeds that the rules know."""
SKIPPED = {Decimal("0.25"): 3, Decimal("0.5"): 1}
"""How many turns must be skipped after one of acting (MAM-TURN-02, MAM-TURN-03); none from speed 1 on (MAM-TURN-04)."""


def owed_after_acting(combatant: Combatant) -> int:
    """How many turns a combatant must skip once it has moved or acted."""
    return SKIPPED.get(combatant.statistics.speed, 0)


def usable(combatant: Combatant, ruleset: Ruleset) -> bool:
    """Whether the turn it is in may be used (MAM-TURN-05, `speed_skip_basis`)."""
    if ruleset.get("speed_skip_basis") == "fixed_pattern":
        return (combatant.status.turns - 1) % (owed_after_acting(combatant) + 1) == 0
    return combatant.status.skips_owed == 0


def idle(state: Encounter, name: str) -> bool:
    """Whether nothing has been done in the turn in progress: neither moved nor acted nor prepared."""
    turn, combatant = state.turn, state.combatants[name]
    return turn is not None and not (turn.deeds or turn.acted or combatant.status.moved or combatant.status.prepared)


def check_delay(state: Encounter, ruleset: Ruleset, command: DelayTurn) -> tuple[str, ...]:
    """The order after the delay; whoever puts its turn off, and whoever it waits for, must still have that turn."""
    under_way(state)
    combatant, other = named(state, command.combatant), named(state, command.after, "after")
    order = state.turn_order
    for who, field in ((combatant, "combatant"), (other, "after")):
        had = state.had_turn if state.round_open else ()
        busy = state.turn is not None and state.turn.combatant == who.id and who is combatant
        if who.id not in order or who.id in had or busy:
            raise Refused(
                "turn_had" if who.id in order else "out_of_turn",
                f"{who.name} has no turn left in this round that could be put off or waited for.",
                rule="MAM-TURN-09",
                fields=(field,),
            )
    if order.index(other.id) <= order.index(combatant.id):
        raise Refused(
            "out_of_turn",
            f"{combatant.name} comes after {other.name} already.",
            rule="MAM-TURN-09",
            fields=("after",),
        )
    rest = [name for name in order if name != combatant.id]
    at = rest.index(other.id) + 1
    return (*rest[:at], combatant.id, *rest[at:])


def judge_delay(judging: Judging, command: DelayTurn, order: tuple[str, ...]) -> None:
    """Put a turn off, for good or for this round (`delay_persistence`)."""
    keeps = judging.ruleset["delay_persistence"] == "permanent_reorder"
    judging.record(TurnDelayed(command.combatant, command.after, order, keeps))


def offer_delay(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    """Every `delay-turn` that could be ordered, legal or not."""
    order = state.turn_order
    had = state.had_turn if state.round_open else ()
    for at, name in enumerate(order):
        later = tuple(other for other in order[at + 1 :] if other not in had)
        if later:
            fields = (Field("combatant", choices=(name,)), Field("after", choices=later))
            yield Offer(Template("delay-turn", name, fields), DelayTurn(name, later[0]))


MECHANICS = (Mechanic(DelayTurn, check=check_delay, judge=judge_delay, offers=offer_delay),)
