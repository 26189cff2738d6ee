"""The rights of whoever writes: the game master may write all of it, a player what is theirs, a viewer nothing.

Every field of every order says in its type whose word it is; the log asks here before it writes anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, to_builtins

from mam_events.access import Role
from mam_events.commands import (
    COMMANDS,
    ActionOrder,
    Contest,
    Declare,
    Resolve,
    Roll,
    SkipTurn,
    actor_of,
    exchange_of,
    name_of,
)
from mam_events.errors import Refused
from mam_events.events import Correction, FaceGiven, Note, Play, Strike
from mam_events.rulings.entries import dice_of
from mam_events.shapes import shapes
from mam_events.values import MASTER, ROLLER
from mam_events.visibility import GAME_MASTER, PUBLIC, can_see

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mam_events.commands import Command
    from mam_events.events import Head, Step
    from mam_events.rules.rulebook import Rulebook
    from mam_events.rulings.timeline import Timeline
    from mam_events.shapes import Shape
    from mam_events.state import Encounter

PLAYER_NOTES = frozenset({"comment", "dispute", "answer", "proposal"})
"""The kinds of note that a player may write."""


class Rights(Struct, frozen=True):
    """The rights of somebody with a `role`, under whose `name` the log has them; a player acts for `combatants`."""

    role: Role = "gm"
    name: str = ""
    combatants: tuple[str, ...] = ()

    @property
    def is_master(self) -> bool:
        """True for the game master."""
        return self.role == "gm"

    def view(self, timeline: Timeline) -> str:
        """Return the view of the log: a player's is that of the side of the first of their combatants in the fight."""
        if self.is_master:
            return GAME_MASTER
        known = timeline.state.combatants
        sides = (known[name].side for name in self.combatants if name in known)
        return next((f"side:{side}" for side in sides if side), PUBLIC)

    def check_master(self, sentence: str) -> None:
        """Refuse what is the game master's alone."""
        if not self.is_master:
            raise Refused("not_yours", sentence)

    def check_order(self, timeline: Timeline, command: Command, rules: Rulebook, *, after: int = 0) -> None:
        """Refuse an order, behind the ruling `after` or (0) at the end, that is not theirs, or a field of it; refuse
        with `awaits_reaction` or `awaits_die` to resolve what still waits for others.
        """
        if self.is_master:
            return
        if after:
            self.check_master("What is inserted in the past is the game master's to order.")
        if type(command).given_by == MASTER or not self._acts(timeline.state, command):
            raise Refused(
                "not_yours", f"{name_of(command)} is not yours to order: you act for {self._own()}; propose it instead."
            )
        self._check_fields(timeline, command, rules)
        self._check_time(timeline, command, rules)
        self._check_visibility(timeline, command)

    def _check_fields(self, timeline: Timeline, command: Command, rules: Rulebook) -> None:
        """Refuse a field that is not theirs to say."""
        known = FIELDS[name_of(command)]
        for field, value in to_builtins(command).items():
            if field not in known:
                # The name of the order itself.
                continue
            shape = known[field]
            if shape.owner == MASTER or value in shape.reserved:
                told = f"{field} is the game master's word here; leave it out, or propose the order."
                raise Refused("not_yours", told, fields=(field,))
            if shape.owner == ROLLER and not set(throwers(timeline.state, command, field, rules)) <= {*self.combatants}:
                told = f"{field}: whoever throws a die gives its face; leave it out and it is drawn."
                raise Refused("not_yours", told, fields=(field,))
        if isinstance(command, ActionOrder):
            _check_skill(timeline.state, command, rules)

    def _check_time(self, timeline: Timeline, command: Command, rules: Rulebook) -> None:
        """Refuse what would take something from others now, or be rolled twice."""
        if isinstance(command, Resolve):
            self._check_waits(timeline, rules)
        if isinstance(command, Declare | SkipTurn):
            self._check_turn(timeline)
        if isinstance(command, Roll) and command.exchange:
            _check_rolled(timeline, command)

    def _check_visibility(self, timeline: Timeline, command: Command) -> None:
        """Refuse to hide more than one's side may, and to hide an answer from whoever it answers."""
        if command.visibility not in (PUBLIC, self.view(timeline)):
            raise Refused("not_yours/2", fields=("visibility",))
        exchange = timeline.state.exchange
        if command.visibility != PUBLIC and exchange and exchange_of(command, 0) == exchange.id:
            told = "What answers an exchange is seen by all who see the exchange; leave it out."
            raise Refused("not_yours", told, fields=("visibility",))

    def _check_waits(self, timeline: Timeline, rules: Rulebook) -> None:
        """Refuse to resolve what waits for another's reaction, or for the die of somebody whom they see."""
        from mam_events.rules.exchanges.throwing_dice import awaited  # noqa: PLC0415 - the rules load slowly

        state = timeline.state
        waits = awaited(state, rules.in_force(state.ruleset)) if state.ruleset else None
        view = self.view(timeline)
        seen = {name for name, one in state.combatants.items() if can_see(view, one.visibility)}
        if waits and waits.reaction and waits.reaction not in self.combatants:
            who = state.combatants[waits.reaction].name if waits.reaction in seen else "Whoever is attacked"
            raise Refused(
                "awaits_reaction",
                f"{who} may still react: they do, or pass, or the game master resolves it without them.",
                fields=("exchange",),
            )
        for roll, who in waits.dice.items() if waits else ():
            told = not roll.isdecimal() or can_see(view, timeline.head(int(roll)).visibility)
            if who in seen and told and who not in self.combatants:
                raise Refused("awaits_die", who=state.combatants[who], fields=("exchange",))

    def _check_turn(self, timeline: Timeline) -> None:
        """Refuse to begin a turn that would end another's in which actions are left (RD6-INIT-04)."""
        state = timeline.state
        acting = state.combatants.get(state.turn.combatant) if state.turn else None
        if acting and acting.id not in self.combatants and acting.actions.left:
            name = acting.name if can_see(self.view(timeline), acting.visibility) else "Somebody unseen"
            raise Refused(
                "turn_in_progress",
                f"{name} has actions left in this turn: they act or wait first, or the game master goes on.",
                fields=("combatant",),
            )

    def check_steps(self, timeline: Timeline, steps: Sequence[Step]) -> None:
        """Refuse a correction that is more than to take back, before anybody else acts, what they ordered last and no
        die fell for.
        """
        if self.is_master:
            return
        # A remark of anybody is in nobody's way, nor is what they took back before.
        newest = next((head.ruling for head in reversed(timeline.heads) if not self._is_aside(timeline, head)), 0)
        struck = {step.ruling for step in steps}
        own = all(isinstance(step, Strike) and self._ordered(timeline, step.ruling) for step in steps)
        late = "You may take back your own last ruling, until somebody else acts; dispute what is older."
        if not own or newest not in struck:
            raise Refused("not_yours", late)
        if any(_has_dice(timeline, step.ruling) for step in steps):
            raise Refused("not_yours/3")
        # What lies between would be judged again, and tell of others what nobody may know.
        between = (head for head in timeline.heads if min(struck) < head.ruling < newest)
        if not all(head.ruling in struck or self._is_aside(timeline, head) for head in between):
            raise Refused("not_yours", late)

    def _is_aside(self, timeline: Timeline, head: Head) -> bool:
        taken_back = isinstance(head, Play) and timeline.striking(head.ruling)
        if isinstance(head, Note):
            # What they do not see is in their way, or its being none would tell a note from a play.
            return can_see(self.view(timeline), head.visibility)
        return head.by == self.name and bool(taken_back or isinstance(head, Correction))

    def check_note(self, kind: str, corrections: Sequence[int] = ()) -> None:
        """Refuse a note of a kind that is not theirs, or one that names what settles a dispute."""
        if not self.is_master and (self.role != "player" or kind not in PLAYER_NOTES or corrections):
            raise Refused("not_yours/4", fields=("kind",))

    def _acts(self, state: Encounter, command: Command) -> bool:
        own = {*self.combatants}
        if self.role != "player":
            return False
        if isinstance(command, Resolve):
            exchange = state.exchange
            root = exchange.root if exchange is not None and exchange.id == command.exchange else None
            return root is not None and bool({root.actor, root.target} & own)
        return actor_of(command) in own

    def _ordered(self, timeline: Timeline, ruling: int) -> bool:
        head = timeline.head(ruling)
        if not isinstance(head, Play) or head.by != self.name or self.role != "player" or head.after:
            return False
        # The game master may have written it in their name.
        command = head.command
        return isinstance(command, Resolve) or (
            type(command).given_by != MASTER and actor_of(command) in self.combatants
        )

    def _own(self) -> str:
        return " and ".join(f'"{name}"' for name in self.combatants) or "nobody"


def throwers(state: Encounter, command: Command, field: str, rules: Rulebook) -> Iterator[str]:
    """Yield whoever throws the dice of that field; "" for a die that is no combatant's."""
    given = getattr(command, field)
    exchange = state.exchange
    if isinstance(command, Resolve) and exchange is not None and exchange.id == command.exchange:
        from mam_events.rules.exchanges.dice import DICE_FIELDS, who_rolls  # noqa: PLC0415 - the rules load slowly

        assert state.ruleset is not None  # noqa: S101 - the fight is open
        rolls, begins = who_rolls(state, rules.in_force(state.ruleset), exchange), DICE_FIELDS.get(field, "")
        keys = given if isinstance(given, Mapping) else ("",)
        yield from (rolls.get(f"{begins}{key}", "") for key in keys)
    elif field.startswith("oppo"):
        yield command.opponent if isinstance(command, Contest) else ""
    else:
        yield actor_of(command)


def _check_skill(state: Encounter, command: ActionOrder, rules: Rulebook) -> None:
    """Refuse a skill that is not among those listed for the action (RD6-LIST-01)."""
    table = rules.in_force(state.ruleset).tables.rd6_actions if state.ruleset else {}
    listed = table[command.action].skills if command.action in table else ()
    if command.skill and command.skill not in listed:
        told = (
            f"A skill that is not listed for {command.action} is the game master's word; leave it out, or propose it."
        )
        raise Refused("not_yours", told, rule="RD6-LIST-01", fields=("skill",), allowed=listed)


def _check_rolled(timeline: Timeline, command: Roll) -> None:
    """Refuse to roll once more for the same result of an action (RD6-FREE-02)."""
    for number, entry in timeline.living():
        before = timeline.command(number)
        if isinstance(before, Roll) and not entry.outcome.void and _asked(before) == _asked(command):
            told = f"{command.what} was rolled for action {command.exchange} already"
            more = "the game master may allow more"
            raise Refused("already_rolled", f"{told}; {more}.", rule="RD6-FREE-02", fields=("what",))


def _asked(roll: Roll) -> tuple[str, str, int]:
    return roll.combatant, roll.what, roll.exchange


def _has_dice(timeline: Timeline, ruling: int) -> bool:
    """Return True if a die fell for a ruling, also where that outcome is not in force any more."""
    entry = timeline.entries[ruling]
    return any(
        isinstance(event, FaceGiven) or dice_of(event)
        for outcome in (entry.first, *entry.later)
        for event in outcome.events(timeline.decoders)
    )


def owned_fields(kind: type[Command]) -> Mapping[str, Shape]:
    """Return the fields of a command; raises TypeError for one that does not say whose word it is."""
    found = shapes(kind)
    for name, shape in found.items():
        if shape.owner is None and kind.given_by != MASTER:
            raise TypeError(f"{kind.__name__}.{name} does not say whose word it is")
    return found


FIELDS: dict[str, Mapping[str, Shape]] = {name: owned_fields(kind) for name, kind in COMMANDS.items()}
"""The fields of every order; one without an owner is a TypeError here, when a service starts."""
