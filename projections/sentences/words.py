"""Words that the sentences of several sections share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.commands import Attack, actor_of
from projections.phrases import with_sign
from projections.state.pools import spends_points

if TYPE_CHECKING:
    from mam_events import events as e
    from mam_events.state import Action
    from projections.rulings.index import RulingContext

    Struck = e.AttackResolved | e.CounterattackResolved | e.RamResolved | e.CollisionComputed

ATTACK_WORDS = {"full": "hits", "half": "half-hits", "fail": "misses"}
_OF_POINTS = frozenset({"points on the attack", "defense pool"})
"""Modifiers that come from spent points."""
ACTION_WORDS = {"full": "succeeds", "half": "half-succeeds", "fail": "fails"}


def modifier_words(modifier: e.Modifier) -> str:
    """Return a modifier with its rule, or with the game master: `+2 points on the attack (MAM-ATK-01)`."""
    return f"{with_sign(modifier.value)} {modifier.name} ({modifier.rule or 'the game master'})"


def freed_points_words(scene: RulingContext) -> str:
    """Return where points go that were stun or damage: ` to other used`; "" if the game does not spend points."""
    return " to other used" if spends_points(scene.ruling.after) else ""


def weapon_words(weapon: str) -> str:
    """Return the weapon of a strike: `with the Ice Blade`."""
    return f"with the {weapon}"


def power_words(event: Struck) -> str:
    """Return the power of a strike and its parts apart from weapon and points.

    An example is `power 7, +3 double power (MAM-ATK-10), 1 absorbed`.
    """
    absorbed = [f"{event.absorbed} absorbed"] if event.absorbed else []
    return ", ".join([f"power {event.power}", *map(modifier_words, event.modifiers), *absorbed])


def exchange_words(exchange: int, scene: RulingContext) -> str:
    """Return an exchange as a subject: `Modre's attack on Clone`."""
    root = scene.action(exchange)
    if root is None:
        return _void_exchange(exchange, scene)
    if root.manipulation:
        return manipulation_words(root, scene)
    if root.kind == "attack":
        return f"{scene.name(root.combatant)}'s attack on {scene.name(root.target)}"
    return f"{scene.name(root.combatant)}'s action"


def _void_exchange(exchange: int, scene: RulingContext) -> str:
    """Return the subject of an exchange whose declaration is void, or its number if the declaration is hidden."""
    ruling = scene.index.visible_ruling(exchange)
    command = ruling.command if ruling else None
    if isinstance(command, Attack):
        return f"{scene.name(command.attacker)}'s attack on {scene.name(command.target)}"
    whose = actor_of(command) if command else ""
    return f"{scene.name(whose)}'s action" if whose else f"Exchange {exchange}"


def manipulation_words(action: Action, scene: RulingContext) -> str:
    """Return a manipulation as a subject: `Ana's choke of Ben`."""
    what = action.manipulation.follow_up if action.manipulation else "none"
    noun = {"none": "manipulation", "disarm": "disarming", "escape": "escape"}.get(what, what)
    return f"{scene.name(action.combatant)}'s {noun} {'from' if what == 'escape' else 'of'} {scene.name(action.target)}"


def wound_words(event: e.WoundInflicted) -> str:
    """Return the points of a hit in short: `stun 2, damage 2`."""
    return ", ".join(f"{name} {count}" for name, count in (("stun", event.stun), ("damage", event.damage)) if count)


def roll_sentence(event: e.RollMade, scene: RulingContext) -> str:
    """Return a roll with all its modifiers as a sentence."""
    name = scene.name(event.combatant)
    if event.die is None:
        start = f"{name}'s {event.what} is not rolled: {event.base}"
    else:
        start = f"{name} rolls {event.die.face} ({event.die.source}) for the {event.what}"
    second = f"{event.confirmation.face} ({event.confirmation.source})" if event.confirmation else ""
    return f"{roll_sum_words(start, event.base, second, event, with_points=spends_points(scene.ruling.after))}."


def roll_sum_words(
    start: str, value: int, second: str, roll: e.RollMade | e.SuccessRoll, *, with_points: bool = True
) -> str:
    """Return a roll from its first words to its total: the value of the die, its second throw, all modifiers.

    Without `with_points` (actions cost no points), modifiers of 0 points are left out.
    """
    worth = [f"worth {value}"] if roll.die and roll.die.face != value else []
    rest = [f"then {second}"] if second else []
    modifiers = [
        modifier for modifier in roll.modifiers if with_points or modifier.value or modifier.name not in _OF_POINTS
    ]
    return f"{', '.join([start, *worth, *rest, *map(modifier_words, modifiers)])}: {roll.total}"
