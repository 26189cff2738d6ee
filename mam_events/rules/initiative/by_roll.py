"""Initiative by Perception, rolled again every round (RD6-INIT): the rollers, their totals, the order of the round.

Ron d6 has no other initiative. A Mano a Mano table may use it as a house rule (`initiative_method = ron_d6`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import RollInitiative
from mam_events.decider.checks import (
    is_allowed,
    require_combat,
    require_combatant,
    require_open,
    require_surprise_settled,
)
from mam_events.decider.engine import Decision, RuleModule, Ruleset
from mam_events.decider.gm_modifiers import check_gm_modifiers, code_gm_modifiers
from mam_events.decider.mechanic import Mechanic
from mam_events.decider.offers import Field, Offer, free, offer
from mam_events.errors import CommandHint, Refused
from mam_events.events import CodeRoll, DiceModifier, InitiativeEstablished, InitiativeRolled, Modifier, RoundEnded
from mam_events.refusals.arguments import (
    Term,
    Word,
    list_argument,
    people,
    text_argument,
    text_fragment,
    thing_arguments,
)
from mam_events.refusals.suggestions import likely_names
from mam_events.rules.initiative.rd6_statistics import AGILITY, PERCEPTION
from mam_events.rules.initiative.ties import next_reroll, sort_by_total, tie_entries, ties
from mam_events.rules.rolls.dice_codes import DiceCode, code_of, explodes, is_usable_code, require_reliable, roll_code
from mam_events.state import Combatant, Encounter, RolledEntry, RolledInitiative

SEARCH_RANKS = 2
"""The ranks of search for each +1 (RD6-INIT-03)."""
AGILITY_DICE = 4
"""The dice of Agility for each +1 (RD6-INIT-03)."""
WITH_BONUS = ("pc", "boss_npc")
"""The kinds of combatant with an initiative bonus (RD6-INIT-03)."""


def rolls_each_round(ruleset: Ruleset) -> bool:
    """Return True if initiative is rolled at the beginning of every round (RD6-INIT-05, `initiative_method`)."""
    return ruleset.edition.counts_actions or ruleset["initiative_method"] == "ron_d6"


def initiative_bonus(kind: str, search_ranks: int, agility_dice: int, ruleset: Ruleset) -> int:
    """Return the bonus from search and Agility (RD6-INIT-03, `rd6_initiative_bonus`).

    Only characters and bosses have it.
    """
    if kind not in WITH_BONUS:
        return 0
    search, agility = search_ranks // SEARCH_RANKS, agility_dice // AGILITY_DICE
    pooled = (search_ranks * AGILITY_DICE + agility_dice * SEARCH_RANKS) // (SEARCH_RANKS * AGILITY_DICE)
    return {"sum": search + agility, "best_of": max(search, agility), "pooled_fraction": pooled}[
        ruleset["rd6_initiative_bonus"]
    ]


def initiative_bonus_of(combatant: Combatant, ruleset: Ruleset) -> int:
    """Return the initiative bonus of that combatant."""
    dice = code_of(combatant, AGILITY).dice
    return initiative_bonus(combatant.kind, combatant.faculties.search_ranks, dice, ruleset)


def group_of(state: Encounter, ruleset: Ruleset, combatant: Combatant) -> tuple[str, ...]:
    """Return those who share that combatant's roll: its group, in the order in which they joined (RD6-INIT-01).

    A combatant who cannot act, or who joins a group that has rolled, rolls alone if it rolls in this round.
    """
    group = combatant.faculties.group
    if not group or combatant.condition != "able":
        return (combatant.id,)
    members = (who for who in state.combatants.values() if who.faculties.group == group and who.condition == "able")
    return tuple(who.id for who in members if not has_rolled(state, ruleset, who.id))


def has_rolled(state: Encounter, ruleset: Ruleset, name: str) -> bool:
    """Return True if that combatant has a place in the round under way, or in the one that begins."""
    return not is_round_over(state, ruleset) and state.initiative.entry(name) is not None


class Roller(Struct, frozen=True):
    """A roller, the combatants it rolls for, and its code; the first one named rolls for a group."""

    roller: str
    members: tuple[str, ...]
    code: DiceCode


def check_roll(state: Encounter, ruleset: Ruleset, command: RollInitiative) -> tuple[Roller, ...]:
    """Return the rolls to be made.

    Raises Refused with `initiative_method`, `round_not_begun`, `surprise_open`, `nobody_named`, `unknown_combatant`,
    `out_of_fight`, `already_rolled`, `perception_missing` or `dice_idle`, or with `initiative_settled` if the order of
    the round was not rolled.
    """
    require_open(state)
    _rolls_here(state, ruleset)
    require_combat(state, command.reason)
    rollers: list[Roller] = []
    if not command.combatants:
        raise Refused("nobody_named", rule="RD6-INIT-01", fields=("combatants",))
    for name in command.combatants:
        combatant = require_combatant(state, name, "combatants")
        if combatant.is_gone:
            raise Refused(
                "out_of_fight",
                combatant=combatant,
                condition=Word(combatant.condition),
                rule="RD6-INIT-07",
                fields=("combatants",),
            )
        _once(state, ruleset, combatant)
        if any(name in rolling.members for rolling in rollers):
            continue
        code = code_of(combatant, PERCEPTION)
        if not is_usable_code(code, ruleset):
            raise _no_perception(combatant)
        rolling = Roller(name, group_of(state, ruleset, combatant), code)
        require_reliable(code, 0, ruleset, ("situation",), _dice_modifiers(command, rolling))
        rollers.append(rolling)
    _check_dice(state, command, rollers)
    return tuple(rollers)


def _no_perception(combatant: Combatant) -> Refused:
    codes = combatant.faculties.codes
    like = () if PERCEPTION in codes else thing_arguments(combatant, likely_names(PERCEPTION, codes))
    hints = (CommandHint("join", {"combatant": combatant.id, "code": {PERCEPTION: "2D"}}),)
    if like:
        return Refused(
            "perception_missing/near",
            combatant=combatant,
            like=list_argument(text_fragment("perception_missing/quoted", code=one) for one in like),
            rule="RD6-INIT-01",
            fields=("combatants",),
            hints=hints,
        )
    return Refused("perception_missing", combatant=combatant, rule="RD6-INIT-01", fields=("combatants",), hints=hints)


def _check_dice(state: Encounter, command: RollInitiative, rollers: list[Roller]) -> None:
    """Raise Refused with `dice_idle` or `dice_missing` for dice that nobody throws, or not yet."""
    for name in command.dice:
        if name not in [rolling.roller for rolling in rollers]:
            _nobody_rolls(state, name, rollers)
    for name in command.again:
        require_combatant(state, name, "again")
    if command.again:
        first = [rolling.roller for rolling in rollers if rolling.roller not in command.dice]
        check_first_thrown([state.combatants[name] for name in first])
    for name in command.special:
        require_combatant(state, name, "special")


def check_first_thrown(drawn: Sequence[Combatant]) -> None:
    """Raise Refused with `dice_missing` if second throws are given although first ones are drawn.

    A second throw is made in knowledge of the tie, and the answer to a guess would reveal the drawn dice.
    """
    if drawn:
        raise Refused("dice_missing/first", drawn=list_argument(drawn), rule="RD6-TIE-01", fields=("again",))


def round_begun(state: Encounter) -> None:
    """Raise Refused with `round_not_begun` between rounds."""
    if not state.round_open:
        raise Refused("round_not_begun", rule="RD6-RND-01", hints=(CommandHint("round"),))


def _rolls_here(state: Encounter, ruleset: Ruleset) -> None:
    if not rolls_each_round(ruleset):
        raise Refused(
            "initiative_method",
            method=Term(ruleset["initiative_method"]),
            rule="RD6-INIT-01",
            hints=() if state.order else (CommandHint("initiative"),),
        )
    if ruleset.edition.counts_actions:
        round_begun(state)
    elif state.order and not state.initiative.entries:
        raise Refused("initiative_settled/another_way", rule="RD6-INIT-05")
    elif not (state.order or state.round):
        require_surprise_settled(state)


def yet_to_roll(state: Encounter, ruleset: Ruleset) -> tuple[str, ...]:
    """Return those who can act in the round and have no place in it yet."""
    able = (who for who in state.combatants.values() if who.condition == "able" and not who.actions.turn_lost)
    return tuple(who.id for who in able if not has_rolled(state, ruleset, who.id))


def _once(state: Encounter, ruleset: Ruleset, combatant: Combatant) -> None:
    entry = state.initiative.entry(combatant.id)
    if entry and has_rolled(state, ruleset, combatant.id):
        raise Refused(
            "already_rolled",
            combatant=combatant,
            total=entry.total,
            rule="RD6-INIT-01",
            fields=("combatants",),
            hints=(CommandHint("spend", {"combatant": combatant.id, "point": "character"}),),
        )


def _nobody_rolls(state: Encounter, name: str, rollers: list[Roller]) -> None:
    raise Refused(
        "dice_idle/rolls_not",
        who=require_combatant(state, name, "dice"),
        rollers=people(state.combatants, [rolling.roller for rolling in rollers]),
        rule="RD6-INIT-01",
        fields=("dice",),
        wrong=name,
    )


def is_round_over(state: Encounter, ruleset: Ruleset) -> bool:
    """Return True if nobody is left to act in a round of turns that is still open: the last ones fell or left.

    In an edition that counts actions, only the next round closes a round.
    """
    if ruleset.edition.counts_actions:
        return False
    return state.round_open and bool(state.order) and state.turn is None and state.is_round_done


def ends_order(state: Encounter, ruleset: Ruleset) -> bool:
    """Return True if the order ends with the round: it was rolled, or will be (RD6-INIT-05)."""
    return rolls_each_round(ruleset) or bool(state.initiative.entries)


def _dice_modifiers(command: RollInitiative, rolling: Roller) -> tuple[DiceModifier, ...]:
    return tuple(one for member in rolling.members for one in code_gm_modifiers(command, member))


def judge_roll(judging: Decision, command: RollInitiative, rollers: tuple[Roller, ...]) -> None:
    """Roll for everybody named, and settle the order again together with those who rolled before."""
    if is_round_over(judging.state, judging.ruleset):
        judging.record(RoundEnded(judging.state.round, rolled_anew=True))
    entries: list[RolledEntry] = []
    for rolling in rollers:
        roller = judging.state.combatants[rolling.roller]
        bonus = initiative_bonus_of(roller, judging.ruleset)
        bonus_modifiers = (Modifier("search and Agility", bonus, "RD6-INIT-03"),) if bonus else ()
        gm_modifiers = [one for member in rolling.members for one in check_gm_modifiers(command, member)]
        faces = command.dice.get(rolling.roller, ())
        roll = roll_code(
            judging,
            "initiative",
            rolling.roller,
            rolling.code,
            faces,
            modifiers=(*bonus_modifiers, *gm_modifiers),
            dice_modifiers=_dice_modifiers(command, rolling),
            field=f"dice.{rolling.roller}",
        )
        judging.record(InitiativeRolled(rolling.roller, roll, rolling.members))
        entries.append(RolledEntry(rolling.members, rolling.roller, roll.total))
    before = judging.state.initiative
    settle_initiative(
        judging,
        replace(before, entries=(*before.entries, *entries), special=(*before.special, *command.special)),
        command.again,
    )


def settle_initiative(
    judging: Decision, rolls: RolledInitiative, faces: Mapping[str, tuple[int, ...]] | None = None
) -> None:
    """Record the order that the rolls give (RD6-INIT-04); `rd6_unbroken_tie` breaks ties that nothing else breaks.

    In the first round of a fight, those who surprised the others come before them (MAM-SURP-02).
    """
    state, ruleset = judging.state, judging.ruleset
    if ruleset["rd6_unbroken_tie"] == "reroll_tied":
        rolls = _rolled_again(judging, rolls, faces or {})
    elif faces:
        raise Refused("dice_idle/by_roster", rule="RD6-TIE-01", fields=("again",))
    entries_in_order = sort_by_total(tie_entries(rolls.entries, state.combatants, rolls.special), ruleset)
    order = _joined_in(state, tuple(name for one in entries_in_order for name in one.entry.combatants))
    why, rule = text_fragment("came_of_it/initiative", total=entries_in_order[0].entry.total), "RD6-INIT-04"
    ahead = set() if state.round else {*(state.advantaged or ())}.intersection(order)
    if ahead:
        order = tuple(sorted(order, key=lambda name: name not in ahead))
        why, rule = text_fragment("came_of_it/surprise"), "MAM-ORDER-04"
    if rolls.first:
        if not (state.turn or state.had_turn):
            order = (rolls.first, *(name for name in order if name != rolls.first))
        why, rule = text_fragment("came_of_it/word_because", reason=text_argument(rolls, "reason")), "RD6-ACT-05"
        # No tie was broken for this entry: the game master put it first.
        entries_in_order = tuple(one for one in entries_in_order if one.entry.combatants != (rolls.first,))
    broken_ties = [tie for tie in ties(entries_in_order) if (tie.ahead in ahead) == (tie.behind in ahead)]
    judging.record(InitiativeEstablished(order, why, rule, rolled=rolls, ties=tuple(broken_ties)))


def _joined_in(state: Encounter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the rolled order; once turns have begun, the present order with the new rollers inserted."""
    if not (state.turn or state.had_turn):
        return names
    order = [name for name in state.turn_order if name in names]
    for name in names:
        if name not in order:
            later = set(names[names.index(name) :])
            at = next((place for place, other in enumerate(order) if other in later), len(order))
            order.insert(at, name)
    return tuple(order)


def _rolled_again(
    judging: Decision, rolls: RolledInitiative, faces_by_roller: Mapping[str, tuple[int, ...]]
) -> RolledInitiative:
    """Return the rolls after those still tied have rolled Perception again, until nobody ties."""
    entries = {entry.roller: entry for entry in rolls.entries}
    faces_left = {name: list(faces) for name, faces in faces_by_roller.items()}
    rounds = 0
    while tied := next_reroll(
        tie_entries(tuple(entries.values()), judging.state.combatants, rolls.special), judging.ruleset
    ):
        if faces_left and (missing := [one.roller for one in tied if one.roller.id not in faces_left]):
            # Refuse a mix of thrown and drawn dice: a later error would reveal the drawn ones.
            raise Refused("dice_missing/again", missing=list_argument(missing), rule="RD6-TIE-01", fields=("again",))
        for one in tied:
            roll = _again(judging, one.roller, faces_left.get(one.roller.id), rounds)
            judging.record(InitiativeRolled(one.roller.id, roll, one.entry.combatants, again=True))
            entries[one.roller.id] = replace(one.entry, again=(*one.entry.again, roll.total))
        rounds += 1
    if unused := [name for name, faces in faces_left.items() if faces]:
        raise Refused(
            "dice_idle/too_many",
            who=judging.state.combatants[unused[0]],
            rule="RD6-TIE-01",
            fields=("again",),
            wrong=unused[0] if len(faces_left[unused[0]]) == len(faces_by_roller[unused[0]]) else "",
        )
    return replace(rolls, entries=tuple(entries.values()))


def _again(judging: Decision, roller: Combatant, given_faces: list[int] | None, rounds: int) -> CodeRoll:
    code = code_of(roller, PERCEPTION)
    slot, field = f"initiative-again-{rounds}", f"again.{roller.id}"
    if given_faces is None:
        return roll_code(judging, slot, roller.id, code, (), field=field)
    if not given_faces:
        raise Refused("dice_tied/again", roller=roller, code=Term(str(code)), rule="RD6-TIE-01", fields=("again",))
    faces = _faces_of_one_roll(code, given_faces, judging.ruleset)
    del given_faces[: len(faces)]
    return roll_code(judging, slot, roller.id, code, faces, field=field)


def _faces_of_one_roll(code: DiceCode, faces: list[int], ruleset: Ruleset) -> tuple[int, ...]:
    """Return the first of these faces that make one roll: those of the code, and what its wild die explodes into."""
    count = code.dice
    while explodes(ruleset) and faces[count - 1 : count] == [6]:
        count += 1
    return tuple(faces[:count])


def _offer_roll(state: Encounter, ruleset: Ruleset) -> Iterator[Offer]:
    if not rolls_each_round(ruleset):
        return
    waiting = yet_to_roll(state, ruleset) or tuple(
        who.id for who in state.combatants.values() if not who.is_gone and not has_rolled(state, ruleset, who.id)
    )
    if waiting:
        reason = "they meet after all" if state.avoided else ""
        # A combatant without a code to roll must not keep the others from rolling.
        able = tuple(
            one for one in waiting if is_allowed(check_roll, state, ruleset, RollInitiative((one,), reason=reason))
        )
        field = Field("reason", free=True, needed=state.avoided)
        yield offer(
            RollInitiative(able or waiting, reason=reason), *free("combatants", "dice", "again", "special"), field
        )


SECTION = RuleModule(mechanics=(Mechanic(RollInitiative, check=check_roll, judge=judge_roll, offers=_offer_roll),))
