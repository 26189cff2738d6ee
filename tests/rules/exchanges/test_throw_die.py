"""Dice thrown before an exchange is resolved, and the dice and reactions that it still waits for."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Adjust,
    Attack,
    Command,
    Counterattack,
    Defend,
    DropItem,
    Interfere,
    Parry,
    Pass,
    Resolve,
    ThrowDie,
)
from mam_events.events import (
    ArmorChecked,
    AttackResolved,
    AttackRolled,
    DefenseRolled,
    DrawLeft,
    FaceGiven,
    InterferenceRolled,
    NotAwaited,
    ParryRolled,
)
from mam_events.rules.exchanges.throw_die import AwaitedPart, awaited_parts
from mam_events.state import ArmorPiece, GivenFace
from tests.fighters import CLONE, DUEL, MODRE, SENTRY, duel_orders, with_pools
from tests.spec import GivenFight, given

BLADE = Attack("modre", "clone", "ice-blade", power=1, modifier=2)
SUBSTITUTED = {
    "combat_die": "d20_substitute",
    "substitute_die": "d6",
    "substitute_automatic_success": "confirm_roll",
}


def attacking(rules: dict[str, str] | None = None) -> GivenFight:
    """Let Modre attack the Clone in ruling 6."""
    return given(*duel_orders(with_pools(MODRE, ready=6), with_pools(CLONE, ready=6)), BLADE, rules=rules)


def awaited(fight: GivenFight) -> AwaitedPart:
    return awaited_parts(fight.state, fight.ruleset)


def test_a_thrown_face_is_kept_until_the_exchange_is_resolved() -> None:
    fight = attacking().after(Pass("clone", 6))
    result = fight.when(ThrowDie("clone", 6, 4))
    result.then(FaceGiven(6, "clone", "defense", 4))
    assert result.state.exchange is not None
    assert result.state.exchange.faces == {"defense": GivenFace(4)}
    resolved_result = fight.after(ThrowDie("clone", 6, 4)).when(Resolve(6, attack_die=2))
    assert [
        (d.face, d.source) for d in (resolved_result.one(AttackRolled).die, resolved_result.one(DefenseRolled).die) if d
    ] == [
        (2, "thrown"),
        (4, "thrown"),
    ]
    assert resolved_result.state.exchange is None


def test_a_target_who_throws_a_die_waives_the_reaction() -> None:
    assert awaited(attacking()) == AwaitedPart("clone", {"attack": "modre", "defense": "clone"})
    for command in (ThrowDie("clone", 6, 4), ThrowDie("clone", 6), Pass("clone", 6), Defend("clone", 6, 1)):
        assert not awaited(attacking().after(command)).reaction, command
    attacking().when(ThrowDie("modre", 6, 4)).raises("awaits_reaction")
    attacking().after(Pass("clone", 6)).when(ThrowDie("modre", 6, 4)).one(FaceGiven)


def test_a_die_left_to_be_drawn_does_not_end_reactions() -> None:
    """Others can still react, and a face can still be given."""
    fight = attacking().after(ThrowDie("modre", 6))
    assert awaited(fight) == AwaitedPart("clone", {"defense": "clone"})
    fight.when(ThrowDie("modre", 6)).raises("already_thrown")
    fight = fight.after(Parry("clone", 6)).after(ThrowDie("clone", 6))
    assert awaited(fight) == AwaitedPart()
    fight.when(ThrowDie("modre", 6, 3)).one(FaceGiven)
    assert fight.when(ThrowDie("modre", 6)).raises("already_thrown")
    fight.when(Resolve(6, attack_die=2, defense_die=2)).one(ParryRolled)


@pytest.mark.parametrize(
    "command",
    [
        Parry("clone", 6),
        Pass("clone", 6),
        Defend("clone", 6, 1),
        Counterattack("clone", 6, power=1),
        Interfere("sentry", 6, 6, points=1),
        DropItem("modre", "pack"),
    ],
)
def test_no_reaction_is_possible_after_a_die_is_shown(command: Command) -> None:
    fight = given(
        *duel_orders(with_pools(MODRE, ready=6), with_pools(CLONE, ready=6), with_pools(SENTRY, ready=6)), BLADE
    )
    number = fight.state.exchange.id if fight.state.exchange else 0
    numbers = {name: number for name in ("exchange", "action") if name in command.__struct_fields__}
    command = replace(command, **numbers)
    fight.after(ThrowDie("clone", number, 4)).when(command).raises("dice_thrown")


def test_a_thrown_face_is_final_until_it_is_undone() -> None:
    fight = attacking().after(ThrowDie("clone", 6, 4))
    fight.when(ThrowDie("clone", 6, 5)).raises("already_thrown")
    fight.when(Resolve(6, attack_die=2, defense_die=5)).raises("die_given")
    fight.when(Resolve(6, attack_die=2, defense_die=4)).raises("die_given")
    assert fight.when(Resolve(6, attack_die=2)).one(DefenseRolled).face == 4


def test_combatants_can_only_throw_their_own_dice() -> None:
    fight = attacking().after(Pass("clone", 6))
    fight.when(ThrowDie("clone", 6, 4, "attack")).raises("not_rolling")
    fight.when(ThrowDie("clone", 6, 7)).raises("impossible_face")
    fight.when(ThrowDie("clone", 6, roll="defense")).raises("face_needed")
    fight.when(ThrowDie("clone", 6, 4, confirmation_die=2)).raises("idle_die", "MAM-DICE-04")
    solo_fight = given(*duel_orders(with_pools(MODRE, ready=6), with_pools(CLONE, ready=6)), Act("modre", "sings"))
    solo_fight.when(ThrowDie("modre", 6, 4)).raises("not_rolling")


def test_the_confirmation_die_is_thrown_with_the_first() -> None:
    """MAM-DICE-04."""
    fight = attacking(SUBSTITUTED).after(ThrowDie("clone", 6, 6, confirmation_die=5))
    fight.when(Resolve(6, attack_die=2, confirmation_die={"defense": 4})).raises("die_given")
    roll = fight.when(Resolve(6, attack_die=2)).one(DefenseRolled)
    assert roll.confirmation is not None
    assert (roll.confirmation.face, roll.confirmation.source) == (5, "thrown")


def test_separate_armor_dice_are_awaited_too() -> None:
    """MAM-ARM-02, option `armour_roll_source`."""
    coat = ArmorPiece("coat", cover=6, absorption=1)
    fighter = replace(CLONE, armor=(coat,))
    fight = given(
        *duel_orders(with_pools(MODRE, ready=6), fighter), BLADE, rules={"armour_roll_source": "separate_die"}
    )
    fight = fight.after(ThrowDie("clone", 6, 1))
    assert awaited(fight).dice == {"attack": "modre", "armor.clone": "clone"}
    fight.when(ThrowDie("clone", 6, 3, "armor", confirmation_die=3)).raises("idle_die")
    given_ = fight.when(ThrowDie("clone", 6, 3))
    given_.then(FaceGiven(6, "clone", "armor", 3))
    assert fight.after(ThrowDie("clone", 6, 3)).when(Resolve(6, attack_die=6)).one(ArmorChecked).face == 3


def test_an_interfering_combatant_throws_the_interference_die() -> None:
    fight = given(*DUEL, Act("modre", "kicks the lamp over"))
    number = fight.state.exchange.id if fight.state.exchange else 0
    fight = fight.after(Interfere("clone", number, number, points=1))
    assert awaited(fight).dice == {"attack": "modre", str(number + 1): "clone"}
    fight = fight.after(ThrowDie("clone", number, 5))
    assert fight.when(Resolve(number, attack_die=1)).one(InterferenceRolled).face == 5


def test_no_die_is_awaited_from_the_incapacitated() -> None:
    fight = attacking().after(Adjust(condition={"clone": "incapacitated"}, reason="faints"))
    assert awaited(fight) == AwaitedPart("", {"attack": "modre"})
    fight = attacking().after(ThrowDie("clone", 6, 4)).after(Adjust(condition={"modre": "incapacitated"}, reason="so"))
    assert awaited(fight) == AwaitedPart()
    assert fight.when(Resolve(6)).one(AttackResolved).outcome == "fail"


def test_resolving_without_a_combatant_is_recorded() -> None:
    fight = attacking()
    result = fight.when(Resolve(6, 2, 3, without=("clone",)))
    assert result.one(NotAwaited) == NotAwaited(6, ("clone",))
    fight.when(Resolve(6, 2, 3, without=("nobody",))).raises("unknown_combatant")
    assert not [event for event in fight.when(Resolve(6, 2, 3)).events if isinstance(event, NotAwaited | DrawLeft)]
