"""What was asked, in words: a clause for every command, and the sentences of corrections and notes.

A void ruling has no facts to tell of, and a correction speaks of rulings by what they asked for: `21 (Clone moves for
3 points)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from mam_events import commands as c
from mam_events import events as e
from projections.casebook import Scene
from projections.sentences import exchange_words, weapon_words
from projections.wording import because_of, ended, from_pools, listed, points, who

if TYPE_CHECKING:
    from mam_events.history import Ruling
    from projections.casebook import Casebook


def asked(ruling: Ruling, casebook: Casebook, *, at_first: bool = False, instead: c.Command | None = None) -> str:
    """What a play asks for now (asked for `at_first`, or would ask for `instead`), as a clause: `Clone moves for 3
    points`; "" for no play.
    """
    head = ruling.head
    command = instead or (head.command if at_first and isinstance(head, e.Play) else ruling.command)
    return casebook.screen.text(CLAUSES[type(command)](command, Scene(casebook, ruling))) if command else ""


def named(number: int, casebook: Casebook) -> str:
    """A ruling by its number and, where it is at hand and may be seen, by what it asked for at first."""
    ruling = casebook.shown(number)
    clause = asked(ruling, casebook, at_first=True) if ruling else ""
    return f"{number} ({clause})" if clause else f"{number}"


def correction_sentence(ruling: Ruling, casebook: Casebook) -> str:
    """What a correction does, who made it and why."""
    head = ruling.head
    assert isinstance(head, e.Correction)  # noqa: S101 - asked for corrections only
    parts = [*_struck(head, casebook), *(_STEPS[type(step)](step, casebook) for step in _others(head))]
    return casebook.screen.text(ended(f"{who(head.by)} {listed(parts)}{because_of(head.reason)}"))


def note_sentence(ruling: Ruling, casebook: Casebook) -> str:
    """What a note says, about which ruling."""
    head = ruling.head
    assert isinstance(head, e.Note)  # noqa: S101 - asked for notes only
    verb = "disputes" if head.kind == "dispute" else "notes"
    about = f" {'on ' if head.kind == 'comment' else ''}{named(head.about, casebook)}" if head.about else ""
    return casebook.screen.text(ended(f"{who(head.by)} {verb}{about}: {head.text}"))


def _struck(head: e.Correction, casebook: Casebook) -> list[str]:
    numbers = [step.ruling for step in head.steps if isinstance(step, e.Strike)]
    if not numbers:
        return []
    return [f"takes back {listed([named(numbers[0], casebook), *map(str, numbers[1:])])}"]


def _others(head: e.Correction) -> list[e.Amend | e.Restore]:
    return [step for step in head.steps if not isinstance(step, e.Strike)]


def _amend(step: e.Amend, casebook: Casebook) -> str:
    changes = ", ".join(f"{field.replace('_', ' ')} {value_words(value)}" for field, value in step.patch.items())
    return f"amends {named(step.ruling, casebook)} to {changes}"


def value_words(value: Any) -> str:
    """A field's value in words: a list as a list, a table by its keys, nothing as "open"."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {value_words(inner)}" for key, inner in value.items()) or "nothing"
    if isinstance(value, list | tuple):
        return listed([value_words(inner) for inner in value]) or "nothing"
    return "open" if value is None else str(value)


def _restore(step: e.Restore, casebook: Casebook) -> str:
    head = casebook.head(step.ruling)
    if isinstance(head, e.Correction) and all(isinstance(undone, e.Strike) for undone in head.steps):
        first, *others = (undone.ruling for undone in head.steps)
        return f"brings back {listed([named(first, casebook), *map(str, others)])}"
    return f"undoes correction {step.ruling}"


_STEPS: dict[type[e.Step], Callable[[Any, Casebook], str]] = {e.Amend: _amend, e.Restore: _restore}


def _open(command: c.Open, _: Scene) -> str:
    return f"the fight opens under {command.preset}"


def _join(command: c.Join, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} joins"


def _initiative(_: c.Initiative, __: Scene) -> str:
    return "initiative is settled"


def _begin(command: c.BeginTurn, scene: Scene) -> str:
    return f"{scene.name(command.combatant)}'s turn begins"


def _ready(command: c.Ready, scene: Scene) -> str:
    asked_for = from_pools((("defense", command.from_defense), ("other_used", command.from_other_used))) or points(0)
    return f"{scene.name(command.combatant)} readies {asked_for}"


def _attack(command: c.Attack, scene: Scene) -> str:
    weapon = weapon_words(scene.thing(command.attacker, command.weapon))
    return f"{scene.name(command.attacker)} attacks {scene.name(command.target)} {weapon}"


def _act(command: c.Act, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} acts: {command.what}"


def _defend(command: c.Defend, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} reacts with {points(command.points)}"


def _parry(command: c.Parry, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} parries {weapon_words(scene.thing(command.combatant, command.weapon))}"


def _counterattack(command: c.Counterattack, scene: Scene) -> str:
    weapon = weapon_words(scene.thing(command.combatant, command.weapon))
    return f"{scene.name(command.combatant)} counterattacks {weapon}"


def _interfere(command: c.Interfere, scene: Scene) -> str:
    target = scene.action(command.action)
    whom = scene.name(target.combatant) if target else f"action {command.action}"
    return f"{scene.name(command.combatant)} interferes with {whom}"


def _resolve(command: c.Resolve, scene: Scene) -> str:
    return f"{exchange_words(command.exchange, scene)} is resolved"


def _move(command: c.Move, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} moves for {points(command.points)}"


def _ready_weapon(command: c.ReadyWeapon, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} draws the {scene.thing(command.combatant, command.weapon)}"


def _drop(command: c.DropItem, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} drops the {scene.thing(command.combatant, command.item)}"


def _pick_up(command: c.PickUpItem, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} picks up the {scene.thing(command.combatant, command.item)}"


def _release(command: c.Release, scene: Scene) -> str:
    return f"{scene.name(command.combatant)} lets the hold {command.grapple} go"


def _end(command: c.EndTurn, scene: Scene) -> str:
    return f"{scene.name(command.combatant)}'s turn ends"


def _adjust(command: c.Adjust, _: Scene) -> str:
    return f"the game master's word{because_of(command.reason)}"


def _close(_: c.Close, __: Scene) -> str:
    return "the fight is over"


CLAUSES: dict[type[c.Command], Callable[[Any, Scene], str]] = {
    c.Open: _open,
    c.Join: _join,
    c.Initiative: _initiative,
    c.BeginTurn: _begin,
    c.Ready: _ready,
    c.Attack: _attack,
    c.Act: _act,
    c.Defend: _defend,
    c.Parry: _parry,
    c.Counterattack: _counterattack,
    c.Interfere: _interfere,
    c.Resolve: _resolve,
    c.Move: _move,
    c.ReadyWeapon: _ready_weapon,
    c.DropItem: _drop,
    c.PickUpItem: _pick_up,
    c.Release: _release,
    c.EndTurn: _end,
    c.Adjust: _adjust,
    c.Close: _close,
}
