"""Commands of an exchange: an attack or other action, what is done against it, and its resolution."""

from __future__ import annotations

from typing import Annotated, Literal

from mam_events.commands.base import Command, TakesGmModifiers
from mam_events.commands.fields import (
    Actor,
    Helping,
    Interferer,
    OnModifier,
    OnPower,
    OpenExchange,
    Price,
    Reactor,
    SecondFace,
    ShotAnswering,
    StoppedAction,
    Without,
)
from mam_events.values import (
    AttackMode,
    CombatantId,
    ExchangeDie,
    Face,
    GivenOutcome,
    Light,
    Metres,
    Modifier,
    OptionalCombatantId,
    OptionalRulingNumber,
    OptionalThingId,
    Points,
    RulingKey,
    Slug,
    Text,
    ThrowMode,
    of_actor,
    of_master,
    of_roller,
)


class Attack(TakesGmModifiers, frozen=True):
    """Declare an attack.

    Power points go to other used, modifier points to defense (MAM-ATK-01).
    """

    bare = ("attacker", "target")
    also_bare = ("power", "modifier")
    slots = ("target", "weapon")
    examples = (
        "attack modre clone --weapon ice-blade --power 4 --modifier 2",
        "attack lin clone --weapon longbow --power 2 --distance 42 --light very_dim",
        "attack lin clone --weapon javelin --thrown quick --modifier 1 --distance 5 --circumstance favourable",
        "attack clone --power 2",
        "attack modre clone 4 2",
    )

    opposing = ("target",)
    actor = "attacker"
    begins_exchange = True
    attacker: Annotated[
        CombatantId, of_actor("Who attacks (the one whose turn it is, if left out).", unsaid="whose turn")
    ]
    target: Annotated[CombatantId, of_actor("Who is attacked.")]
    weapon: Annotated[OptionalThingId, of_actor("What to strike with (the one in hand, or the body, if left out).")] = (
        ""
    )
    power: OnPower = 0
    modifier: OnModifier = 0
    mode: Annotated[
        AttackMode, of_actor("How it is made (quick). Only quick attacks can be part of a combo (MAM-COMBO-05).")
    ] = "quick"
    double_power: Annotated[bool, of_actor("The weapon's power counts twice (MAM-ATK-10).")] = False
    thrown: Annotated[
        Literal["", ThrowMode], of_actor("Throw the weapon, or heave any object (MAM-THR-01 to -03).")
    ] = ""
    distance: Annotated[Metres | None, of_actor("How far the target of a shot or throw is (MAM-ATK-08).")] = None
    light: Annotated[Light, of_master("How much the attacker can see (lit; MAM-ATK-09).")] = "lit"
    darkness: Annotated[
        Points | None, of_master("What total darkness adds here, if the house rules allow a choice.")
    ] = None
    blind: Annotated[bool, of_master("The attacker is blind: the dark does not matter.")] = False
    from_above: Annotated[bool, of_master("It comes from above (MAM-POS-03).")] = False
    circumstance: Helping = ()
    evade: Annotated[bool, of_actor("Evade with a quick attack (MAM-MNV-02).")] = False


class Act(TakesGmModifiers, frozen=True):
    """Do something other than attack.

    Others may interfere with it (MAM-PHASE-04, MAM-INTF-01).

    In a round of Ron d6, it does one of the declared actions, named with --action (RD6-LIST). Without --code it rolls
    the combatant's own dice code.
    """

    bare = ("combatant", "what")
    slots = ("what", "points")
    examples = (
        'act modre "climb the wall" --points 2',
        'act "shout a warning" --points 0',
        "act rook --action dodge",
        "act rook --action punch --target thug --code 3D+1 --difficulty 10 --dice 4,2,6,3",
    )

    begins_exchange = True
    combatant: Actor
    what: Annotated[Text, of_actor("What is done, in words.")]
    points: Price = None
    bonus: Annotated[Modifier, of_master("The ability modifier, if somebody interferes (0).")] = 0


class Defend(TakesGmModifiers, frozen=True):
    """React to an attack: put points into defense.

    The ready points go into defense before the dice are thrown (MAM-POOL-11).
    """

    bare = ("combatant", "points")
    examples = ("defend clone 6", "defend 6")

    combatant: Reactor
    exchange: OpenExchange
    points: Annotated[Points, of_actor("Ready points that go into defense.")]
    without: Without = ()


class Parry(TakesGmModifiers, frozen=True):
    """React to an attack: parry.

    It costs one ready point (MAM-INTF-06). A combatant who isn't the target interferes with the attack.
    """

    bare = ("combatant",)
    slots = ("weapon",)
    examples = ("parry clone", "parry --weapon ice-blade", "parry lin --action 16")

    interferes = True
    combatant: Reactor
    exchange: OpenExchange
    weapon: Annotated[OptionalThingId, of_actor("What to parry with (the one in hand, or the body, if left out).")] = ""
    action: Annotated[
        OptionalRulingNumber, of_actor("The attack to parry, by the ruling that declared it (the first, if left out).")
    ] = 0
    without: Without = ()


class Counterattack(TakesGmModifiers, frozen=True):
    """React to an attack: strike back.

    It is an attack with ready points, made at once (MAM-ATK-12).
    """

    bare = ("combatant",)
    slots = ("weapon", "target")
    examples = ("counterattack clone --power 2 --modifier 1",)

    combatant: Reactor
    exchange: OpenExchange
    weapon: Annotated[OptionalThingId, of_actor("What to strike with (the one in hand, or the body, if left out).")] = (
        ""
    )
    power: OnPower = 0
    modifier: OnModifier = 0
    target: Annotated[
        OptionalCombatantId, of_actor("Whom to strike, if the house rules allow somebody other than the attacker.")
    ] = ""
    distance: ShotAnswering = None
    without: Without = ()


class Pass(Command, frozen=True):
    """Let an attack come without reacting.

    It costs nothing. Nobody waits for the combatant's reaction any longer.
    """

    bare = ("combatant",)
    examples = ("pass clone", "pass")

    combatant: Reactor
    exchange: OpenExchange
    without: Without = ()


class Interfere(TakesGmModifiers, frozen=True):
    """Try to stop somebody's action.

    Use points, or strike with a weapon (MAM-INTF-01).
    """

    bare = ("combatant", "action")
    slots = ("weapon",)
    examples = ("interfere wolf --points 2", "interfere wolf 15 --weapon teeth --power 1 --modifier 1")

    interferes = True
    combatant: Interferer
    exchange: OpenExchange
    action: StoppedAction
    points: Annotated[Points, of_actor("Ready points, if no weapon is used.")] = 0
    bonus: Annotated[Modifier, of_master("The ability modifier of the roll (0).")] = 0
    weapon: Annotated[
        OptionalThingId, of_actor("What to strike with, if the interference is an attack (MAM-INTF-04).")
    ] = ""
    power: OnPower = 0
    modifier: OnModifier = 0
    distance: ShotAnswering = None


class ThrowDie(Command, frozen=True):
    """Give your own die for the open action, or leave it to be drawn.

    The face is kept until the action is resolved. After the first die, nobody can react or interfere any more.
    """

    bare = ("combatant", "die")
    examples = ("throw-die clone 4", "throw-die clone", "throw-die clone 3 --roll armor")

    combatant: Annotated[CombatantId, of_actor("Whose die it is.")]
    exchange: OpenExchange
    die: Annotated[
        Face | None, of_roller("The face that was thrown (all their dice are drawn on resolving, if left out).")
    ] = None
    roll: Annotated[
        ExchangeDie,
        of_actor("Which die, if they throw several (the only one not for armor, if left out)."),
    ] = ""
    action: Annotated[
        OptionalRulingNumber, of_actor("Which interference it is for, by its ruling, if they throw for several.")
    ] = 0
    confirmation_die: SecondFace = None
    without: Without = ()


class Resolve(TakesGmModifiers, frozen=True):
    """Roll the dice of the open action, and judge it.

    Give the faces thrown at the table. Faces given before count too, and missing ones are drawn.
    """

    bare = ("attack_die", "defense_die")
    also_bare = ("attack_die", "defense_die")
    examples = (
        "resolve 2 1",
        "resolve --attack-die 2",
        "resolve 4 3 --interference-die 16=5",
        "resolve 15 --armor-die knight=4",
        "resolve 10 3 --confirmation-die attack=7",
    )

    exchange: OpenExchange
    attack_die: Annotated[Face | None, of_roller("The face that the attack threw (drawn, if left out).")] = None
    defense_die: Annotated[Face | None, of_roller("The face that the defense threw (drawn, if left out).")] = None
    interference_die: Annotated[
        dict[RulingKey, Face], of_roller("The face for the interference that ruling N declared.")
    ] = {}
    armor_die: Annotated[
        dict[CombatantId, Face],
        of_roller("The die for somebody's armor, if it takes one of its own (MAM-ARM-02)."),
    ] = {}
    confirmation_die: Annotated[
        dict[Slug, Face], of_roller("The second throw, after a die other than a d20 came to 20 (MAM-DICE-04).")
    ] = {}
    into_die: Annotated[Face | None, of_roller("The face thrown in defense against a thrown body (MAM-MNP-09).")] = None
    outcome: Annotated[
        GivenOutcome, of_master("The game master's decision instead of the dice: full, half or fail.")
    ] = ""
    without: Without = ()
