"""The log as a terminal shows it: one line a ruling, marks for what became of it.

`[6]` is a die thrown at the table, `[6*]` one drawn from the encounter's seed, `[6!]` one given by an amendment; a
number without brackets stands where no die was rolled. Marks: `↶` taken back, `✗` void, `~` amended or judged anew,
`?` disputed, `§` answered by the game master, `↳` inserted, `↷` a correction that was itself taken back, `▒` hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from mam_events import events as e
from mam_events.events.armor import ArmorChecked
from mam_events.events.grappling import (
    GrappleEffectApplied,
    GrappleEstablished,
    ManipulationPenaltyApplied,
    ManipulationPenaltyConsumed,
    ManipulationResolved,
    TargetDisarmed,
)
from mam_events.events.missiles import BowFired, ShotFired, WeaponThrown
from mam_events.events.mounts import ChargeRidden, MountedRollOwed, MountRestraintResolved, RidingResolved
from mam_events.events.rest import HealingRolled
from mam_events.events.rolls import ContestResolved, RollsTold, SuccessRolled
from mam_events.events.surprise import StealthRolled
from mam_events.events.vehicles import CollisionComputed, RamResolved
from projections.casebook import Casebook, Scene, clock
from projections.marks import HIDDEN, marks_of
from projections.orders import asked
from projections.sentences import tell
from projections.sentences.words import wound_words
from projections.summaries import KINDS, Kind, sentence_of
from projections.wording import capitalised, signed

if TYPE_CHECKING:
    from mam_events.dice import Die
    from mam_events.events import Event, Modifier, RollMade
    from mam_events.events.rolls import SuccessRoll
    from mam_events.history import Ruling
    from projections.screen import Screen

SOURCES = {"thrown": "", "drawn": "*", "amended": "!"}
OUTCOMES = {"full": "hit", "half": "half hit", "fail": "miss"}
RESULTS = {"full": "success", "half": "half success", "fail": "failure"}


class LogLine(Struct, frozen=True):
    """One ruling in one line; `struck` and `void` say that it does not count, and the marks say why.

    `round` and `turn` count from 1 (0: before the first). Of a `hidden` ruling there is only the number and its mark.
    """

    number: int
    kind: Kind | Literal[""]
    round: int
    turn: int
    text: str
    marks: tuple[str, ...] = ()
    struck: bool = False
    void: bool = False
    hidden: bool = False


def log_lines(rulings: Iterable[Ruling], view: str | Screen = "gm") -> list[LogLine]:
    """A line for every ruling, in the order given: all of them, or the last few."""
    casebook = Casebook(rulings, view)
    return [_line(ruling, casebook) for ruling in casebook.rulings]


def as_text(line: LogLine) -> str:
    """The line as plain text: `#17 r2 t1  Modre → Clone  …`, marks at its end."""
    when = f"r{line.round} t{line.turn}" if line.round else ""
    return "  ".join((f"#{line.number:<3} {when:<6}", *filter(None, (line.text, *line.marks)))).rstrip()


def _line(ruling: Ruling, casebook: Casebook) -> LogLine:
    if not casebook.screen.shows(ruling):
        return LogLine(ruling.number, "", 0, 0, "", (HIDDEN,), hidden=True)
    when = clock(ruling)
    return LogLine(
        ruling.number,
        KINDS[type(ruling.head)],
        when.round,
        when.turn,
        _text(ruling, casebook),
        marks_of(ruling, casebook),
        bool(ruling.struck_by or ruling.restored_by),
        ruling.void,
    )


def _text(ruling: Ruling, casebook: Casebook) -> str:
    if ruling.void:
        return capitalised(asked(ruling, casebook))
    if any(isinstance(fact, e.RollMade) for fact in ruling.facts):
        return exchange_line(ruling, casebook)
    if any(isinstance(fact, RollsTold) for fact in ruling.facts):
        return roll_line(ruling, casebook)
    return sentence_of(ruling, casebook).rstrip(".")


def roll_line(ruling: Ruling, casebook: Casebook) -> str:
    """A success roll, a contest or an attempt to heal in a line: `Modre  leap the gap  [14]+6 = 20 vs 15  success`."""
    scene = Scene(casebook, ruling)
    parts = [part for fact in ruling.facts for part in _ROLLS.get(type(fact), _told)(fact, scene)]
    return casebook.screen.text("  ".join(filter(None, parts)))


def _told(fact: Event, scene: Scene) -> tuple[str, ...]:
    return (_PARTS.get(type(fact), tell)(fact, scene).rstrip("."),)


def _check(fact: SuccessRolled, scene: Scene) -> tuple[str, ...]:
    rolled = map(success_text, fact.rolls) if fact.rolls else (fact.attempt,)
    return (scene.name(fact.combatant), fact.what, *rolled, RESULTS[fact.outcome])


def _stealth(fact: StealthRolled, scene: Scene) -> tuple[str, ...]:
    (made,) = fact.rolls
    return (f"{scene.name(fact.combatant)} stalks {scene.name(fact.target)}", success_text(made), RESULTS[fact.outcome])


def _contest(fact: ContestResolved, scene: Scene) -> tuple[str, ...]:
    ours, theirs = scene.name(fact.combatant), scene.name(fact.opponent)
    rolls = [f"{scene.name(made.combatant)} {success_text(made)}" for made in fact.rolls]
    came = f"{ours}: {RESULTS[fact.outcome]}, {theirs}: {RESULTS[fact.opponent_outcome]}"
    return (f"{ours} ↔ {theirs}", fact.what, *rolls, came)


def _healing(fact: HealingRolled, scene: Scene) -> tuple[str, ...]:
    own, *opposing = [success_text(made) for made in fact.rolls]
    # What the opposition rolled is the number that the attempt is against.
    against = f" of {opposing[0]}" if opposing else ""
    return (f"{scene.name(fact.combatant)} rests for a {fact.interval}", f"{own}{against}", RESULTS[fact.outcome])


def _riding(fact: RidingResolved, scene: Scene) -> tuple[str, ...]:
    came = {"stays": "stays mounted", "falls": "falls", "gm": "fails"}[fact.effect]
    return (scene.name(fact.combatant), "riding", *map(success_text, fact.rolls), came)


def _restraint(fact: MountRestraintResolved, scene: Scene) -> tuple[str, ...]:
    did = {"held": "is held", "attacking": "attacks", "running": "runs"}[fact.mood]
    came = f"{scene.name(fact.mount)} {did}"
    return (scene.name(fact.combatant), "animal handling", *map(success_text, fact.rolls), came)


def success_text(made: SuccessRoll) -> str:
    """A success roll as a sum: `[14]+6 = 20 vs 15`; of other dice than a d20 `[10]→20+3 = 23 (then [7]) vs 15`."""
    start = die_text(made.die) if made.value == made.die.face else f"{die_text(made.die)}→{made.value}"
    second = f" (then {die_text(made.confirmation)})" if made.confirmation else ""
    against = "" if made.difficulty is None else f" vs {made.against}"
    return f"{start}{_added(made.modifiers)} = {made.total}{second}{against}"


def exchange_line(ruling: Ruling, casebook: Casebook) -> str:
    """A whole exchange in one line: `Modre → Clone  Ice Blade  [6]+2+1 = 9 vs [4]+2+1 = 7  hit  stun 2 damage 2`."""
    scene = Scene(casebook, ruling)
    rolls = " vs ".join(_labelled(fact, scene) for fact in ruling.facts if isinstance(fact, e.RollMade))
    rest = [_PARTS.get(type(fact), tell)(fact, scene) for fact in ruling.facts if not isinstance(fact, e.RollMade)]
    rest = [part.rstrip(".") for part in rest]
    return casebook.screen.text("  ".join(filter(None, (*_sides(ruling, scene), rolls, *rest))))


def _sides(ruling: Ruling, scene: Scene) -> list[str]:
    """Who does what to whom, with what."""
    root = scene.action(ruling.exchange)
    if root is None:
        return [f"Exchange {ruling.exchange}"]
    who = scene.name(root.combatant)
    if root.kind != "attack":
        return [f"{who} acts"]
    return [f"{who} → {scene.name(root.target)}", scene.thing(root.combatant, root.weapon)]


def roll_text(fact: RollMade) -> str:
    """A roll as a sum, the largest modifier first: `[6]+2+1 = 9`; modifiers of 0 are left to the audit.

    A die that stands for a d20 is told with its value, and with its second throw: `[10]→20+3 = 23 (then [7])`.
    """
    die = fact.die
    start = die_text(die) if die else str(fact.base)
    if die and die.face != fact.base:
        start = f"{start}→{fact.base}"
    second = f" (then {die_text(fact.confirmation)})" if fact.confirmation else ""
    return f"{start}{_added(fact.modifiers)} = {fact.total}{second}"


def _added(modifiers: Iterable[Modifier]) -> str:
    values = sorted((modifier.value for modifier in modifiers if modifier.value), reverse=True)
    return "".join(signed(value) for value in values)


def die_text(die: Die) -> str:
    """A die as it fell: `[6]` thrown, `[6*]` drawn, `[6!]` amended."""
    return f"[{die.face}{SOURCES[die.source]}]"


def _labelled(fact: RollMade, scene: Scene) -> str:
    if isinstance(fact, e.ParryRolled):
        return f"{fact.what} {roll_text(fact)}"
    # Who attacks and who defends is told before the rolls; who interferes is not.
    if isinstance(fact, e.InterferenceRolled):
        return f"{scene.name(fact.combatant)} {roll_text(fact)}"
    return roll_text(fact)


def _attack(fact: e.AttackResolved, scene: Scene) -> str:
    root = scene.action(fact.exchange)
    if root and root.manipulation:
        return RESULTS[fact.outcome]
    told = OUTCOMES[fact.outcome]
    hurt = any(isinstance(other, e.WoundInflicted) for other in scene.ruling.facts)
    return told if fact.outcome == "fail" or hurt else f"{told}, no harm"


def _action(fact: e.ActionResolved, _: Scene) -> str:
    return RESULTS[fact.outcome]


def _counterattack(fact: e.CounterattackResolved, _: Scene) -> str:
    # A counterattack that comes to nothing is told by the two totals.
    return "" if fact.outcome == "fail" else f"counter: {OUTCOMES[fact.outcome]}"


def _interfered(fact: e.InterferenceResolved, scene: Scene) -> str:
    action = scene.action(fact.action)
    whose = scene.name(action.combatant) if action else f"action {fact.action}"
    return f"{whose}: {RESULTS[fact.outcome]}"


def _armor(fact: ArmorChecked, scene: Scene) -> str:
    root = scene.action(fact.exchange)
    # Armour is told where the strike came through: what a stopped strike would have met is left to the audit.
    if not _struck(fact, scene):
        return ""
    name = "" if root and root.target == fact.combatant else f"{scene.name(fact.combatant)} "
    die = f"{die_text(fact.die)} " if fact.die else ""
    return f"{name}armour {die}{fact.piece} {-fact.absorption}" if fact.piece else f"{name}armour {die}none"


def _struck(fact: ArmorChecked, scene: Scene) -> bool:
    """Whether the strike that the armour was asked about hit."""
    for other in scene.ruling.facts:
        if isinstance(other, e.AttackResolved) and fact.action == fact.exchange:
            return other.outcome != "fail"
        if isinstance(other, e.CounterattackResolved | e.InterferenceResolved) and other.action == fact.action:
            return other.outcome != "fail"
    return False


def _goes_without_saying(_: Event, __: Scene) -> str:
    # That an arrow is gone once it was shot is left to the audit.
    return ""


def _wound(fact: e.WoundInflicted, scene: Scene) -> str:
    root = scene.action(fact.exchange)
    # Only a wound that the target of the attack did not take needs a name.
    name = "" if root and root.target == fact.combatant else f"{scene.name(fact.combatant)} "
    amounts = [f"{name}{wound_words(fact)}"]
    if fact.overflow:
        amounts.append(f"{fact.overflow} stun turned to damage")
    if fact.lost:
        amounts.append(f"{fact.lost} beyond the last")
    return ", ".join(amounts)


def _collision(fact: CollisionComputed, scene: Scene) -> str:
    return f"{scene.name(fact.target)} rams back: power {fact.power}"


def _owed(fact: MountedRollOwed, scene: Scene) -> str:
    who = ", ".join(scene.name(rider) for rider in fact.riders)
    return f"{who}: {fact.owed} owed"


def _charge(fact: ChargeRidden, scene: Scene) -> str:
    return f"charged on {scene.name(fact.mount)}"


def _advantage(fact: ManipulationResolved, _: Scene) -> str:
    return f"by {fact.advantage}" if fact.effective else f"moves nothing ({fact.modifier} against {fact.size})"


def _hampered(fact: ManipulationPenaltyApplied, _: Scene) -> str:
    return f"next combat roll {signed(fact.effect.value)}"


def _disarmed(fact: TargetDisarmed, scene: Scene) -> str:
    return f"loses the {scene.thing(fact.combatant, fact.weapon)}"


def _gripped(fact: GrappleEstablished, _: Scene) -> str:
    grapple = fact.grapple
    hits = "" if grapple.kind == "hold" else f", power {grapple.power}"
    return f"{grapple.id} {signed(-grapple.modifier)}{hits}"


def _silent(_: Event, __: Scene) -> str:
    # The number that it changed stands in the sum.
    return ""


def _down(fact: e.CombatantIncapacitated, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} is down"


def _dead(fact: e.CombatantDied, scene: Scene) -> str:
    return f"{scene.name(fact.combatant)} dies"


_PARTS: dict[type[Event], Callable[[Any, Scene], str]] = {
    e.AttackResolved: _attack,
    RamResolved: _attack,
    CollisionComputed: _collision,
    MountedRollOwed: _owed,
    ChargeRidden: _charge,
    e.ActionResolved: _action,
    e.CounterattackResolved: _counterattack,
    e.InterferenceResolved: _interfered,
    e.WoundInflicted: _wound,
    ArmorChecked: _armor,
    e.CombatantIncapacitated: _down,
    e.CombatantDied: _dead,
    BowFired: _goes_without_saying,
    ShotFired: _goes_without_saying,
    WeaponThrown: _goes_without_saying,
    ManipulationResolved: _advantage,
    ManipulationPenaltyApplied: _hampered,
    ManipulationPenaltyConsumed: _silent,
    TargetDisarmed: _disarmed,
    GrappleEstablished: _gripped,
    GrappleEffectApplied: _silent,
}
"""Facts of an exchange in a word or two; any other is told by its sentence."""

_ROLLS: dict[type[Event], Callable[[Any, Scene], tuple[str, ...]]] = {
    SuccessRolled: _check,
    ContestResolved: _contest,
    HealingRolled: _healing,
    RidingResolved: _riding,
    MountRestraintResolved: _restraint,
    StealthRolled: _stealth,
}
"""Facts of rolls outside an exchange, in the parts of a line."""
