"""Sentences about the encounter as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mam_events import commands as c
from mam_events import events as e
from mam_events.dice import read_key
from projections.wording import because_of, ended, filled, listed

if TYPE_CHECKING:
    from mam_events.dice import Die
    from projections.casebook import Scene
    from projections.sentences.tables import Clauses, Sentences


def _opened(fact: e.EncounterOpened, _: Scene) -> str:
    return ended(f"The fight opens under {_called(fact.ruleset.preset, fact.ruleset.name)}{because_of(fact.title)}")


def _called(preset: str, name: str) -> str:
    return f"{name} ({preset})" if name else preset


def _rules_changed(fact: e.RulesChanged, _: Scene) -> str:
    return ended(f"From here on {_read(fact.house_rules)}{because_of(fact.reason)}")


def _read(house_rules: Mapping[str, str]) -> str:
    return listed([f"{option} is read as {reading}" for option, reading in house_rules.items()])


def _joined(fact: e.CombatantJoined, scene: Scene) -> str:
    joined = fact.combatant
    side = "" if joined.side == "all" else f" for {joined.side}"
    return f"{scene.name(joined.id)} joins{side} with {joined.hp} hit points: {filled(joined.pools)}."


def _ordered(fact: e.InitiativeEstablished, scene: Scene) -> str:
    first, *others = (scene.name(name) for name in fact.order)
    then = f", then {listed(others)}" if others else ""
    return f"{first} begins ({_order_reason(fact, scene)}){then}."


def _order_reason(fact: e.InitiativeEstablished, scene: Scene) -> str:
    return f"{fact.why}: {', '.join(_tie_die(die, scene) for die in fact.dice)}" if fact.dice else fact.why


def _tie_die(die: Die, scene: Scene) -> str:
    return f"{scene.name(read_key(die.key).roller)} rolls {die.face}"


def _closed(fact: e.EncounterClosed, _: Scene) -> str:
    seed = " The seed of the dice is revealed." if fact.seed else ""
    return f"{ended(f'The fight is over{because_of(fact.reason)}')}{seed}"


def _open_order(command: c.Open, _: Scene) -> str:
    return f"the fight opens under {_called(command.preset, command.ruleset)}"


def _change_order(command: c.ChangeRules, _: Scene) -> str:
    return _read(command.house_rules)


def _join_order(command: c.Join, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} joins"


def _initiative_order(_: c.Initiative, __: Scene) -> str:
    return "initiative is settled"


def _close_order(_: c.Close, __: Scene) -> str:
    return "the fight is over"


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
    c.Join: _join_order,
    c.Initiative: _initiative_order,
    c.Close: _close_order,
}
