"""Order and initiative: reach, seating, surprise, circumstances (MAM-ORDER, MAM-TURN-08, MAM-TURN-10, MAM-GEN-01)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import Initiative
from mam_events.decider.checks import (
    is_allowed,
    require_combat,
    require_combatant,
    require_combatants,
    require_open,
    require_surprise_settled,
)
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.dice import Die
from mam_events.errors import Refused
from mam_events.events import InitiativeEstablished
from mam_events.refusals.arguments import Message, people, text_argument, text_fragment
from mam_events.rules.initiative.by_roll import rolls_each_round
from mam_events.rules.initiative.go_first import check_first, judge_first, offer_first, reason_missing_error
from mam_events.rules.initiative.surprise_advantage import ambush
from mam_events.rules.rolls.dice_substitutes import die_of
from mam_events.state import Encounter


class Candidate(Struct, frozen=True):
    """A combatant as initiative sees it.

    `seat` counts clockwise, `reach` is in metres, `surprise` is True for an ambusher, and `place` orders those who
    share a seat.
    """

    id: str
    seat: int
    reach: Decimal
    surprise: bool = False
    place: int = 0


def clockwise(entries: Sequence[Candidate]) -> tuple[str, ...]:
    """Return the ids of all in seating order (MAM-ORDER-02).

    Those who share a seat come in roster order, or as their player says (MAM-GEN-01, `same_seat_order`).
    """
    return tuple(entry.id for entry in sorted(entries, key=lambda entry: (entry.seat, entry.place)))


def rotate(order: Sequence[str], first: str) -> tuple[str, ...]:
    """Return the same circle, beginning with `first` (MAM-ORDER-05)."""
    start = list(order).index(first)
    return (*order[start:], *order[:start])


def longest(entries: Sequence[Candidate]) -> tuple[str, ...]:
    """Return those with the longest reach, in seating order: one, or a tie to be broken (MAM-ORDER-03)."""
    reach = max(entry.reach for entry in entries)
    return clockwise([entry for entry in entries if entry.reach == reach])


def turn_order(entries: Sequence[Candidate], first: str, ruleset: Ruleset) -> tuple[str, ...]:
    """Return the order of all once the first is known (MAM-ORDER-04, MAM-ORDER-05, `surprise_order`).

    With `surprisers_first_then_clockwise`, all ambushers go clockwise from the first, then the rest clockwise after the
    last of them.
    """
    circle = rotate(clockwise(entries), first)
    ambushers = [entry.id for entry in entries if entry.surprise]
    if first not in ambushers or ruleset["surprise_order"] == "clockwise_from_surpriser":
        return circle
    before = [name for name in circle if name in ambushers]
    after = rotate(circle, before[-1])
    return (*before, *(name for name in after if name not in ambushers))


def candidates_of(state: Encounter, surprise: Sequence[str], same_seat: Sequence[str] = ()) -> tuple[Candidate, ...]:
    """Return the combatants as initiative sees them; those who surprised others are ambushers (MAM-SURP-02)."""
    ambushers = {*surprise, *(state.advantaged or ())}
    return tuple(
        Candidate(
            combatant.id,
            combatant.seat,
            combatant.reach,
            combatant.id in ambushers,
            same_seat.index(combatant.id) if combatant.id in same_seat else 0,
        )
        for combatant in state.combatants.values()
    )


def neighbours(state: Encounter) -> tuple[str, ...]:
    """Return those who share their seat with somebody, in roster order."""
    seats = [combatant.seat for combatant in state.combatants.values()]
    return tuple(name for name, combatant in state.combatants.items() if seats.count(combatant.seat) > 1)


def check_same_seat(state: Encounter, ruleset: Ruleset, same_seat: tuple[str, ...]) -> None:
    """Check the order of those who share a seat (MAM-GEN-01, `same_seat_order`).

    Raises Refused with `order_idle` if that order is not needed, and with `order_incomplete` if somebody of a seat is
    missing or named twice.
    """
    if not same_seat:
        return
    if ruleset["same_seat_order"] == "roster_order":
        raise Refused("order_idle/by_joining", rule="MAM-GEN-01", fields=("same_seat",))
    sharing = neighbours(state)
    outsider = next((name for name in same_seat if name not in sharing), "")
    if outsider and not sharing:
        raise Refused("order_idle/none_share", who=state.combatants[outsider], rule="MAM-GEN-01", fields=("same_seat",))
    if outsider:
        raise Refused(
            "order_idle/alone",
            who=state.combatants[outsider],
            sharing=people(state.combatants, sharing),
            rule="MAM-GEN-01",
            fields=("same_seat",),
        )
    seats = {state.combatants[name].seat for name in same_seat}
    others = sorted(name for name in sharing if state.combatants[name].seat in seats)
    if sorted(same_seat) != others:
        raise Refused(
            "order_incomplete",
            sharing=people(state.combatants, others),
            rule="MAM-GEN-01",
            fields=("same_seat",),
        )


class Contenders(Struct, frozen=True):
    """Those who could begin, and by which rule; `circumstance` is True if only circumstances decide between them."""

    names: tuple[str, ...]
    why: Message
    rule: str
    circumstance: bool = False


def contenders(entries: Sequence[Candidate], ruleset: Ruleset) -> Contenders:
    """Return those who could begin before ties are broken: ambushers, else those with the longest reach.

    MAM-ORDER-03, MAM-ORDER-04.
    """
    ambushers = [entry for entry in entries if entry.surprise]
    if ambushers:
        return Contenders(longest(ambushers), text_fragment("came_of_it/surprise"), "MAM-ORDER-04")
    if ruleset["initiative_method"] == "longest_reach":
        return Contenders(longest(entries), text_fragment("came_of_it/longest_reach"), "MAM-ORDER-03")
    return Contenders(clockwise(entries), text_fragment("came_of_it/circumstance"), "MAM-TURN-10", circumstance=True)


def check_initiative(state: Encounter, ruleset: Ruleset, command: Initiative) -> Contenders | None:
    """Return those who could begin; None if initiative is rolled.

    Raises Refused with `initiative_settled`, `nobody_joined`, `unknown_combatant`, `reason_missing`, `surprise_open`,
    `already_settled` or `circumstance_needed`; if initiative is rolled, as `check_first` does.
    """
    require_open(state)
    if rolls_each_round(ruleset):
        check_first(state, ruleset, command)
        return None
    if state.order:
        raise Refused("initiative_settled", rule="MAM-ORDER-05")
    require_combatants(state, "MAM-ORDER-02")
    _everybody_named(state, command)
    require_combat(state, command.reason)
    check_same_seat(state, ruleset, command.same_seat)
    _may_ambush(state, command)
    if command.first:
        if not command.reason:
            raise reason_missing_error("MAM-ORDER-03")
        word = text_fragment("came_of_it/word_because", reason=text_argument(command, "reason"))
        return Contenders((command.first,), word, "MAM-ORDER-03")
    require_surprise_settled(state, master_may=True)
    candidates = contenders(candidates_of(state, command.surprise, command.same_seat), ruleset)
    if command.circumstance:
        return _by_circumstance(state, ruleset, candidates, command.circumstance)
    if len(candidates.names) > 1 and not candidates.circumstance and ruleset["reach_tie"] == "circumstance":
        raise Refused(
            "circumstance_needed",
            tied=people(state.combatants, candidates.names),
            rule=candidates.rule,
            fields=("circumstance",),
        )
    return candidates


def _everybody_named(state: Encounter, command: Initiative) -> None:
    for field, names in (
        ("surprise", command.surprise),
        ("circumstance", (command.circumstance,) if command.circumstance else ()),
        ("first", (command.first,) if command.first else ()),
        ("tie_die", tuple(command.tie_die)),
        ("same_seat", command.same_seat),
    ):
        for name in names:
            require_combatant(state, name, field)


def _may_ambush(state: Encounter, command: Initiative) -> None:
    if not command.surprise or state.advantaged is None:
        return
    if not state.advantaged:
        raise Refused("already_settled/nobody_ahead", rule="MAM-SURP-02", fields=("surprise",))
    raise Refused(
        "already_settled/by_stalking",
        ahead=people(state.combatants, state.advantaged),
        rule="MAM-SURP-02",
        fields=("surprise",),
    )


def _by_circumstance(state: Encounter, ruleset: Ruleset, candidates: Contenders, name: str) -> Contenders:
    decides = candidates.circumstance or (len(candidates.names) > 1 and ruleset["reach_tie"] == "circumstance")
    if not decides or name not in candidates.names:
        raise Refused(
            "circumstance_idle",
            why=candidates.why,
            first=people(state.combatants, candidates.names),
            rule=candidates.rule,
            fields=("circumstance",),
        )
    why = (
        candidates.why if candidates.circumstance else text_fragment("came_of_it/then_circumstance", why=candidates.why)
    )
    return Contenders((name,), why, candidates.rule)


def judge_initiative(judging: Decision, command: Initiative, candidates: Contenders | None) -> None:
    """Settle the order; `reach_tie` breaks ties of reach."""
    if candidates is None:
        judge_first(judging, command, None)
        return
    names, why = candidates.names, candidates.why
    if judging.state.avoided and not command.first:
        why = text_fragment("came_of_it/combat_by_word", why=why, reason=text_argument(command, "reason"))
    dice: tuple[Die, ...] = ()
    if len(names) > 1:
        if not candidates.circumstance and judging.ruleset["reach_tie"] == "seat_order":
            why = text_fragment("came_of_it/seat_order", why=why)
        else:
            names, dice = roll_off(judging, names, command.tie_die)
            why = text_fragment("came_of_it/dice", why=why)
    order = turn_order(candidates_of(judging.state, command.surprise, command.same_seat), names[0], judging.ruleset)
    judging.record(InitiativeEstablished(order, why, candidates.rule, dice))
    if command.surprise:
        ambush(judging, command.surprise)


def roll_off(
    judging: Decision, names: tuple[str, ...], faces: Mapping[str, int]
) -> tuple[tuple[str, ...], tuple[Die, ...]]:
    """Return the one of the tied with the highest face, and the dice (`reach_tie = random_roll`).

    Those still tied roll again. Raises Refused with `dice_tied` if the faces thrown at the table tie, and with
    `dice_missing` if only some of the tied throw.
    """
    kind = die_of(judging.ruleset)
    missing = [name for name in names if name not in faces]
    if faces and missing:
        # Refuse a mix of thrown and drawn dice: a later error would reveal the drawn ones.
        raise Refused(
            "dice_missing/tied",
            missing=people(judging.state.combatants, missing),
            rule="MAM-ORDER-03",
            fields=("tie_die",),
        )
    dice: list[Die] = []
    index = 0
    while len(names) > 1:
        throw = {
            name: judging.dice.roll(
                f"initiative.{name}",
                kind,
                field=f"tie_die.{name}",
                face=faces.get(name) if index == 0 else None,
                index=index,
            )
            for name in names
        }
        dice += throw.values()
        best = max(die.face for die in throw.values())
        names = tuple(name for name in names if throw[name].face == best)
        index += 1
        if len(names) > 1 and faces:
            raise Refused(
                "dice_tied",
                tied=people(judging.state.combatants, names),
                face=best,
                rule="MAM-ORDER-03",
                fields=("tie_die",),
            )
    return names, tuple(dice)


def _offer_initiative(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    if rolls_each_round(ruleset):
        yield from offer_first(state, ruleset)
        return
    names = tuple(state.combatants)
    tied = len(state.combatants) > 1 and ruleset["reach_tie"] == "circumstance"
    contender_names = contenders(candidates_of(state, ()), ruleset).names if state.combatants else ()
    least = Initiative(circumstance=contender_names[0]) if tied and len(contender_names) > 1 else Initiative()
    unsettled = bool(names) and not is_allowed(require_surprise_settled, state)
    if unsettled:
        least = Initiative(first=names[0])
    if state.avoided or unsettled:
        least = replace(least, reason="they meet after all")
    yield offer(
        least,
        *free("surprise"),
        Field("circumstance", choices=("", *names)),
        Field("first", choices=names if unsettled else ("", *names)),
        Field("reason", free=True, needed=state.avoided or unsettled),
        *free("tie_die", "same_seat"),
    )


SECTION = RuleModule(
    mechanics=(Mechanic(Initiative, check=check_initiative, judge=judge_initiative, offers=_offer_initiative),),
)
