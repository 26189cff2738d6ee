"""Sentences about the encounter as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mam_events import commands as c
from mam_events import events as e
from mam_events.dice import read_key
from projections.phrases import (
    because_of,
    end_sentence,
    first_of,
    join_words,
    left_off,
    non_empty_pools,
    remaining_points,
)
from projections.sentences.dice_text import die_text
from projections.state.pools import spends_points

if TYPE_CHECKING:
    from mam_events.dice import Die
    from mam_events.values import ContinuedFrom
    from projections.rulings.index import RulingContext
    from projections.sentences.types import Clauses, Sentences


def _opened(event: e.EncounterOpened, _: RulingContext) -> str:
    rules = _called(event.ruleset.preset, event.ruleset.name)
    return f"The fight opens{_going_on(event.continues)} under {rules}{because_of(event.title)}"


def _going_on(before: ContinuedFrom | None) -> str:
    return f" where {before.encounter} left off ({left_off(before)})" if before else ""


def _called(preset: str, name: str) -> str:
    return f"{name} ({preset})" if name else preset


def _rules_changed(event: e.RulesChanged, _: RulingContext) -> str:
    return f"From here on {_read(event.house_rules)}{because_of(event.reason)}"


def _read(house_rules: Mapping[str, str]) -> str:
    return join_words([f"{option} is read as {reading}" for option, reading in house_rules.items()])


def _joined(event: e.CombatantJoined, scene: RulingContext) -> str:
    newcomer = event.combatant
    side = "" if newcomer.side == "all" else f" for {newcomer.side}"
    if newcomer.kind == "pc":
        side += " as a player character"
    if newcomer.hp:
        hurt = newcomer.pools.available < newcomer.hp
        where = (
            non_empty_pools(newcomer.pools)
            if spends_points(scene.ruling.after)
            else remaining_points(newcomer.pools)
            if hurt
            else ""
        )
        return f"{scene.name(newcomer.id)} joins{side} with {newcomer.hp} hit points{because_of(where)}."
    codes = join_words([f"{name} {code}" for name, code in newcomer.faculties.codes.items()])
    group = f", one of the {newcomer.faculties.group}" if newcomer.faculties.group else ""
    return f"{scene.name(newcomer.id)} joins{side}{f' with {codes}' if codes else ''}{group}."


def _ordered(event: e.InitiativeEstablished, scene: RulingContext) -> str:
    if event.rolled.entries:
        return _rolled_order(event, scene)
    first, *others = (scene.name(name) for name in event.order)
    rest = f", then {first_of(others)}" if others else ""
    return f"{first} begins ({_order_reason(event, scene)}){rest}.{_unused(event, scene)}{_passed_over(scene)}"


def _unused(event: e.InitiativeEstablished, scene: RulingContext) -> str:
    """Return a sentence on dice that were thrown for initiative but decided nothing; "" if there are none."""
    command = scene.ruling.command
    faces = command.tie_die if isinstance(command, c.Initiative) else {}
    used = {read_key(die.key).roller for die in event.dice}
    idle = [scene.name(who) for who in faces if who not in used and who not in scene.redactor.hidden]
    if not idle:
        return ""
    return f" The {'die' if len(idle) == 1 else 'dice'} of {join_words(idle)} decided nothing."


def _passed_over(scene: RulingContext) -> str:
    """Return a sentence on stalking results that were never settled and now never will be (MAM-SURP-02).

    Only the game master gets it: who stalks whom may be hidden even if both are visible.
    """
    fight = scene.ruling.before
    if fight.advantaged is not None or not scene.redactor.everything:
        return ""
    won = {(one.stalker, one.target) for one in fight.stealth if one.success}
    surprises = [f"{scene.name(who)}'s surprise of {scene.name(whom)}" for who, whom in won if (whom, who) not in won]
    if not surprises:
        return ""
    unsettled = "was never settled and does not count" if len(surprises) == 1 else "were never settled and do not count"
    return f" {join_words(sorted(surprises))} {unsettled}."


def _rolled_order(event: e.InitiativeEstablished, scene: RulingContext) -> str:
    """Return the order with its totals and broken ties: `Rook 16, Clone 16; Rook before Clone by search`."""
    totals = {name: entry.total for entry in event.rolled.entries for name in entry.combatants}
    order = ", ".join(f"{scene.name(name)} {totals.get(name, '?')}" for name in event.order)
    why = scene.redactor.reason(event.why)
    first = f"; {scene.name(event.rolled.first)} first by {why}" if event.rolled.first else ""
    if why == "surprise":
        first = ", by surprise"
    ties = "".join(f"; {tie_words(tie, scene)}" for tie in event.ties)
    return f"The order is {order}{first}{ties}{_yet_to_roll(event, scene)}"


def _yet_to_roll(event: e.InitiativeEstablished, scene: RulingContext) -> str:
    """Return the combatants who can act but have no place in the order; without a roll they get no turn."""
    people = scene.ruling.after.combatants.values()
    able = (one for one in people if one.condition == "able" and not one.actions.turn_lost)
    lack = [scene.name(one.id) for one in able if one.id not in event.order and one.id not in scene.redactor.hidden]
    return f"; {join_words(lack)} {'has' if len(lack) == 1 else 'have'} yet to roll" if lack else ""


def tie_words(tie: e.TieBroken, scene: RulingContext) -> str:
    """Return how a tie was broken: `Rook before Clone by search (2D+1 against 2D)`."""
    has = f" ({tie.has} against {tie.against})" if tie.has else ""
    return f"{scene.name(tie.ahead)} before {scene.name(tie.behind)} by {FACTORS.get(tie.factor, tie.factor)}{has}"


FACTORS = {
    "go_first": "an ability to go first",
    "agility": "Agility",
    "perception": "Perception",
    "special": "special equipment or situation",
    "reroll": "a second roll",
    "roster_order": "the order in which they joined",
}
"""The factors of a tie in words, unless the word is the factor's name (RD6-TIE-01)."""


def _order_reason(event: e.InitiativeEstablished, scene: RulingContext) -> str:
    why = scene.redactor.reason(event.why)
    return f"{why}: {', '.join(_tie_die(die, scene) for die in event.dice)}" if event.dice else why


def _tie_die(die: Die, scene: RulingContext) -> str:
    return f"{scene.name(read_key(die.key).roller)} rolls {die_text(die)}"


def _closed(event: e.EncounterClosed, _: RulingContext) -> str:
    seed = " The seed of the dice is revealed." if event.seed else " There was no seed of the dice to reveal."
    return f"{end_sentence(f'The fight is over{because_of(event.reason)}')}{seed}"


def _open_order(command: c.Open, _: RulingContext) -> str:
    return f"the fight opens{_going_on(command.continues)} under {_called(command.preset, command.ruleset)}"


def _change_order(command: c.ChangeRules, _: RulingContext) -> str:
    return _read(command.house_rules)


def _initiative_order(command: c.Initiative, scene: RulingContext) -> str:
    return f"{scene.name(command.first)} is put first" if command.first else "initiative is settled"


SENTENCES: Sentences = {
    e.EncounterOpened: _opened,
    e.RulesChanged: _rules_changed,
    e.CombatantJoined: _joined,
    e.InitiativeEstablished: _ordered,
    e.EncounterClosed: _closed,
}
CLAUSES: Clauses = {
    c.Open: _open_order,
    c.ChangeRules: _change_order,
    c.Join: "{combatant} joins",
    c.Initiative: _initiative_order,
    c.Close: "the fight is over",
}
