"""Stances and positions: their modifiers, the actions they exclude, and movement in them (MAM-POS-01 to MAM-POS-03).

The table of positions is data (`tables.positions`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from mam_events.decider.action_kinds import deed_name, rule_of
from mam_events.decider.engine import RollContext, RuleModule, Ruleset
from mam_events.decider.rule_tables import ActionKind, DeedKind, Stance
from mam_events.decider.strikes import CombatRole
from mam_events.errors import CommandHint, Refused
from mam_events.events import Modifier
from mam_events.refusals.arguments import Term, list_argument
from mam_events.state import Action, Combatant, Encounter, Position

ON_THE_GROUND = 2
"""Metres that lying, sitting or crouching takes off a move (MAM-MNV-03)."""


def ground_movement(metres: Fraction, ruleset: Ruleset, before: Fraction = Fraction(0)) -> Fraction:
    """Return the distance on the ground for a move of that many metres when standing.

    `before` is such a move earlier in the same turn (MAM-MNV-03, MAM-POS-02, `ground_movement`).
    """
    if ruleset["ground_movement"] == "minus_two":
        distance = max(Fraction(0), ON_THE_GROUND - before)
        return max(Fraction(0), metres - distance)
    # Metres are not points: half of 7 is 3.5, however points are rounded (`half_rounding`).
    return metres / 2


def position_modifiers(position: Stance, role: CombatRole, ruleset: Ruleset) -> Mapping[ActionKind, int]:
    """Return the modifiers of a position under the house rules (`ground_modifiers`, `position_table_source`)."""
    row = ruleset.tables.positions[position]
    modifiers = row.attack if role == "attack" else row.defense
    for applies, reread in (
        (ruleset["ground_modifiers"] == "two_point", row.readings.two_point),
        (ruleset["position_table_source"] == "table", row.readings.table),
    ):
        row_modifiers = reread.attack if role == "attack" else reread.defense
        if applies and row_modifiers is not None:
            modifiers = row_modifiers
    return modifiers


def words(position: Stance, ruleset: Ruleset) -> str:
    """Return the name of a position: `on the ground`."""
    return ruleset.tables.positions[position].name


def is_on_ground(combatant: Combatant, ruleset: Ruleset) -> bool:
    """Return True if it crouches, sits, kneels or lies; a combatant who grapples there is on the ground as well."""
    return ruleset.tables.positions[combatant.status.position].on_ground


def kind_of_action(action: Action) -> ActionKind:
    """Return the kind of action, as the table calls it."""
    if action.terms.missile:
        return "missile"
    if action.terms.grapple:
        return "grapple"
    return "strike" if action.strikes else "other"


def position_modifier(
    position: Stance,
    role: CombatRole,
    kind: ActionKind,
    ruleset: Ruleset,
    *,
    inferior: bool = False,
    from_above: bool = False,
) -> int:
    """Return the modifier of a position for a roll of that kind of action, or a defense against one (MAM-POS-02).

    `inferior` is True if the combatant dominates the other side (MAM-POS-05), `from_above` if the action comes from
    above.
    """
    row = ruleset.tables.positions[position]
    if inferior and kind != "other" and row.inferior:
        return row.inferior.attack if role == "attack" else row.inferior.defense
    # Lying low gives no bonus against attacks from above (MAM-POS-03, from_above_scope).
    exposed = row.above or ruleset["from_above_scope"] == "all_ground_positions"
    if (role, kind) == ("defense", "missile") and from_above and row.on_ground and exposed:
        return 0
    return position_modifiers(position, role, ruleset).get(kind, 0)


def of_position(rolling: RollContext) -> Iterator[Modifier]:
    """Yield the modifiers from the roller's position, and from the stance of its attack."""
    role: CombatRole = "attack" if rolling.role == "attack" else "defense"
    action = rolling.action
    status = rolling.combatant.status
    position = status.position
    if status.aiming not in ("", action.weapon):
        # Aiming counts only for the aimed weapon.
        position = rolling.ruleset.tables.positions[position].lost or position
    if position == "standing" and action.terms.mode != "strategic":
        # The first row of the table has only zeros.
        return
    kind = kind_of_action(action)
    opponent = rolling.opponent.id if rolling.opponent else ""
    value = position_modifier(
        position,
        role,
        kind,
        rolling.ruleset,
        inferior=bool(opponent) and status.dominant_over == opponent,
        from_above=action.terms.from_above,
    )
    if value:
        yield Modifier(words(position, rolling.ruleset), value, "MAM-POS-02")
    if role == "attack" and action.terms.mode == "strategic":
        value = position_modifier("strategic", role, kind, rolling.ruleset)
        yield Modifier(words("strategic", rolling.ruleset), value, "MAM-COMBO-05")


def one_position(state: Encounter, ruleset: Ruleset, combatant: Combatant, deed: DeedKind) -> None:
    """Raise Refused for an action that is impossible in the combatant's position (MAM-POS-01).

    Raises `on_the_ground` if the action needs standing, and `wrong_position` if another position excludes it.
    """
    row = ruleset.tables.deeds[deed]
    position = combatant.status.position
    if row.standing and is_on_ground(combatant, ruleset):
        raise Refused(
            "on_the_ground",
            combatant=combatant,
            position=Term(words(position, ruleset)),
            deed=Term(deed_name(deed, ruleset)),
            rule=rule_of(deed, ruleset),
            fields=("combatant",),
        )
    allowed: tuple[Position, ...] = ("standing",) if row.stance else row.begins
    if allowed and position not in allowed:
        aiming = combatant.status.aiming
        stops = (CommandHint("aim", {"combatant": combatant.id, "weapon": aiming, "stop": True}),) if aiming else ()
        raise Refused(
            "wrong_position/stop_aiming" if aiming else "wrong_position/begins",
            who=combatant,
            position=Term(words(position, ruleset)),
            deed=Term(deed_name(deed, ruleset)),
            positions=list_argument(Term(words(name, ruleset)) for name in allowed),
            hints=stops,
            rule="MAM-POS-01",
            fields=("combatant",),
        )


SECTION = RuleModule(
    limits=(one_position,),
    attack_modifiers=(of_position,),
    defense_modifiers=(of_position,),
)
