"""Fights for the options of rounds with speed: skips, surprise, prepared counterattacks, combos, health."""

from __future__ import annotations

from decimal import Decimal

from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Attack,
    BeginTurn,
    Body,
    Command,
    Counterattack,
    DeclareCombo,
    DelayTurn,
    EndTurn,
    EstablishSurprise,
    Initiative,
    Interfere,
    Join,
    PrepareCounterattack,
    Resolve,
    SkipTurn,
    Stalk,
    TakePosture,
)
from mam_events.state import Weapon
from tests.fighters import DUEL, MODRE
from tests.rules.fights import Fight

SWORD = Weapon("sword", name="Sword", power=3, attack=4, reach=Decimal(1))
FISTS = Body(attack=2, power=1)
ALVA = Join("alva", name="Alva", side="heroes", hp=6, seat=0, weapon=(SWORD,), speed=Decimal(2), body=FISTS)
BIRK = Join("birk", name="Birk", side="heroes", hp=6, seat=1, weapon=(SWORD,), movement=Decimal(5), body=FISTS)
CORA = Join("cora", name="Cora", side="foes", hp=6, seat=2, weapon=(SWORD,), body=FISTS)
RIVAL = Join("rival", name="Rival", side="foes", hp=6, seat=3, weapon=(SWORD,), body=FISTS)
GIANT = Join("giant", name="Giant", side="foes", hp=20, seat=4, body=Body(power=6), speed=Decimal("0.25"))
TRIO = (ALVA, BIRK, CORA)


def start_orders(*fighters: Join) -> tuple[Command, ...]:
    """Return the joins (rulings 2, 3, …) in that order of seats, the initiative and the turn of the first."""
    first = fighters[0].combatant
    seated = (replace(fighter, seat=seat) for seat, fighter in enumerate(fighters))
    return (*seated, Initiative(circumstance=first), BeginTurn(first))


def with_wounds(fighter: Join, stun: int, damage: int = 0) -> Join:
    """Return the fighter with that much stun and damage."""
    assert fighter.hp
    return replace(fighter, pools={"ready": fighter.hp - stun - damage, "stun": stun, "damage": damage})


def waiting_orders(*fighters: Join) -> tuple[Command, ...]:
    """Let the first fighter wait to counterattack and begin the turn of the second.

    With two fighters, those are rulings 2 to 6.
    """
    return (*start_orders(*fighters), PrepareCounterattack(fighters[0].combatant), BeginTurn(fighters[1].combatant))


SLOW = replace(BIRK, speed=Decimal("0.5"))
IN_VAIN = (*waiting_orders(SLOW, RIVAL), EndTurn("rival"), BeginTurn("birk"), Act("birk", "whistle"))
SURPRISED = (ALVA, BIRK, CORA, Stalk("alva", "cora", die=15), EstablishSurprise(), Initiative())
EVADING = (
    BIRK,
    RIVAL,
    TakePosture("birk", "evading"),
    Initiative(circumstance="rival"),
    BeginTurn("rival"),
    Attack("rival", "birk", "sword"),
    Resolve(7, attack_die=9),
)
READY = (
    BIRK,
    RIVAL,
    TakePosture("birk", "ready_to_counter"),
    Initiative(circumstance="birk"),
    BeginTurn("birk"),
    Attack("birk", "rival"),
)
NESTED = (
    *start_orders(ALVA, BIRK, CORA),
    PrepareCounterattack("alva"),
    BeginTurn("birk"),
    PrepareCounterattack("birk"),
    BeginTurn("cora"),
    Attack("cora", "birk"),
    Attack("birk", "alva"),
)
INTERFERING = (
    *start_orders(ALVA, CORA, RIVAL),
    Attack("alva", "cora", "sword"),
    Interfere("rival", 7, 7, weapon="sword"),
)
STUNNED = (*waiting_orders(with_wounds(BIRK, 2), RIVAL), Attack("rival", "birk"), EndTurn("birk"))


def combo(stun: int, toughness: int | None = None) -> tuple[Command, ...]:
    """Declare a combo of somebody with that much stun."""
    return (*start_orders(replace(with_wounds(ALVA, stun), toughness=toughness), CORA), DeclareCombo("alva", 2))


SPEED, D20 = "mam_speed", "mam_d20"
TOUGH = replace(CORA, hp=12, toughness=1)
FELLED = (*start_orders(ALVA, TOUGH), Attack("alva", "cora", "sword", mode="quick"), Resolve(6, attack_die=15))
POOLED = (*DUEL, DeclareCombo("modre", 2, modifier=3), Attack("modre", "clone", "ice-blade", power=1))
FIGHTS: dict[tuple[str, str], Fight] = {
    ("same_seat_order", "player_choice"): Fight(
        (ALVA, replace(BIRK, seat=0), Initiative(circumstance="alva", same_seat=("birk", "alva"))), preset=SPEED
    ),
    ("skipped_turn_recovers_stun", "no"): Fight(
        (with_wounds(BIRK, 2), RIVAL, Initiative(circumstance="birk"), SkipTurn("birk")), preset=SPEED
    ),
    ("speed_skip_basis", "fixed_pattern"): Fight(
        (SLOW, Initiative(), SkipTurn("birk"), BeginTurn("birk"), Act("birk", "whistle")), preset=SPEED
    ),
    ("delay_persistence", "this_round_only"): Fight(
        (
            *(ALVA, CORA, Initiative(circumstance="alva"), DelayTurn("alva", "cora")),
            *(SkipTurn("cora"), SkipTurn("alva"), SkipTurn("cora")),
        ),
        preset=SPEED,
    ),
    ("surprise_scope", "per_pair"): Fight(SURPRISED, preset=SPEED),
    ("mutual_surprise_posture", "forbidden"): Fight(
        (
            *(ALVA, CORA, Stalk("alva", "cora", die=15), Stalk("cora", "alva", die=15)),
            *(EstablishSurprise(), TakePosture("alva", "evading")),
        ),
        preset=SPEED,
    ),
    ("opening_evasion_bonus", "evasion_bonus"): Fight(EVADING, preset=SPEED),
    ("opening_evasion_bonus", "five"): Fight(EVADING, preset=SPEED),
    ("opening_counter_consumes_first_turn", "yes"): Fight(READY, preset=SPEED),
    ("counterattack_mode", "prepared_turn"): Fight(
        (*DUEL, Attack("modre", "clone", "ice-blade", modifier=1), Counterattack("clone", 6, modifier=1))
    ),
    ("counterattack_mode", "reactive_hit_points"): Fight(
        (*start_orders(ALVA, CORA), Attack("alva", "cora"), Counterattack("cora", 6), Resolve(6, 4, 9)), preset=SPEED
    ),
    ("counterattack_target", "attacker_only"): Fight(
        (*waiting_orders(BIRK, CORA, RIVAL), Attack("cora", "birk"), Attack("birk", "rival")), preset=SPEED
    ),
    ("counterattack_target", "any_target"): Fight(
        (
            *(*DUEL[:2], replace(MODRE, combatant="squire", name="Squire", weapon=()), *DUEL[2:]),
            Attack("modre", "clone", "ice-blade", modifier=1),
            Counterattack("clone", 7, modifier=1, target="squire"),
        )
    ),
    ("nested_counterattacks", "forbidden"): Fight(NESTED, preset=SPEED),
    ("stun_recovery_for_counterattack", "after_counter"): Fight(STUNNED, preset=SPEED),
    ("untriggered_counter_counts_as_skip", "no"): Fight(IN_VAIN, preset=SPEED),
    ("healthy_definition", "below_half_hp"): Fight(combo(1), preset=SPEED),
    ("healthy_definition", "below_toughness"): Fight(combo(1, 3), preset=SPEED),
    ("single_quick_action_when_unhealthy", "forbidden"): Fight(
        (*start_orders(with_wounds(BIRK, 1), RIVAL), Attack("birk", "rival")), preset=SPEED
    ),
    ("combo_modifier_hit_points", "split"): Fight((*POOLED, Resolve(7, attack_die=3, defense_die=3))),
    ("speed_interference", "free"): Fight(INTERFERING, preset=SPEED),
    ("incapacitation", "at_stamina"): Fight(FELLED, preset=SPEED),
    ("incapacitation", "no_points_left"): Fight(FELLED, preset=D20),
    ("incapacitated_recovery", "half_stun"): Fight(
        (replace(BIRK, pools={"stun": 6}), RIVAL, Initiative(circumstance="birk"), SkipTurn("birk")), preset=SPEED
    ),
    ("strenuous_actions", "healthy_only"): Fight(
        (*start_orders(with_wounds(BIRK, 1), RIVAL), Attack("birk", "rival", mode="powerful")), preset=SPEED
    ),
    ("printed_defense", "with_ten"): Fight(FELLED, preset=SPEED),
}
