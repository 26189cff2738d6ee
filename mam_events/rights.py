"""The rights of whoever writes: the game master may write all of it, a player what is theirs, a viewer nothing.

Every field of every order says in its type whose word it is; the log asks here before it writes anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, to_builtins

from mam_events.access import Role
from mam_events.commands import COMMANDS, Contest, Resolve, actor_of, name_of
from mam_events.errors import Refused
from mam_events.events import Note, Play, Strike
from mam_events.rulings.entries import dice_of
from mam_events.shapes import shapes
from mam_events.values import MASTER, ROLLER
from mam_events.visibility import GAME_MASTER, PUBLIC

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mam_events.commands import Command
    from mam_events.events import Step
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

    def check_order(self, timeline: Timeline, command: Command, *, after: int = 0) -> None:
        """Refuse an order, behind the ruling `after` or (0) at the end, that is not theirs, or a field of it."""
        if self.is_master:
            return
        if after:
            self.check_master("What is inserted in the past is the game master's to order.")
        if type(command).given_by == MASTER or not self._acts(timeline.state, command):
            raise Refused(
                "not_yours", f"{name_of(command)} is not yours to order: you act for {self._own()}; propose it instead."
            )
        known = FIELDS[name_of(command)]
        for field, value in to_builtins(command).items():
            if field not in known:
                # The name of the order itself.
                continue
            shape = known[field]
            if shape.owner == MASTER or value in shape.reserved:
                told = f"{field} is the game master's word here; leave it out, or propose the order."
                raise Refused("not_yours", told, fields=(field,))
            if shape.owner == ROLLER and not set(throwers(timeline.state, command, field)) <= {*self.combatants}:
                told = f"{field}: whoever throws a die gives its face; leave it out and it is drawn."
                raise Refused("not_yours", told, fields=(field,))
        if isinstance(command, Resolve):
            self._check_waits(timeline.state)
        if command.visibility not in (PUBLIC, self.view(timeline)):
            raise Refused("not_yours", "What you order may be hidden from other sides at most.", fields=("visibility",))

    def _check_waits(self, state: Encounter) -> None:
        """Refuse to resolve an attack before whoever is attacked has reacted, or lets it come."""
        assert state.exchange is not None  # noqa: S101 - they act in it
        target = state.exchange.root.target
        if state.exchange.root.kind != "attack" or target in self.combatants or state.exchange.reacted(target):
            return
        if state.combatants[target].condition == "able":
            raise Refused(
                "awaits_reaction",
                "Whoever is attacked may still react: they do, or pass, or the game master resolves it without them.",
                fields=("exchange",),
            )

    def check_steps(self, timeline: Timeline, steps: Sequence[Step]) -> None:
        """Refuse a correction that is more than to take back, before anybody else acts, what they ordered last and no
        die fell for.
        """
        if self.is_master:
            return
        # What they only remarked is in nobody's way.
        heads = (head for head in reversed(timeline.heads) if not (isinstance(head, Note) and head.by == self.name))
        newest = next((head.ruling for head in heads), 0)
        own = all(isinstance(step, Strike) and self._ordered(timeline, step.ruling) for step in steps)
        if not own or newest not in {step.ruling for step in steps}:
            raise Refused(
                "not_yours", "You may take back your own last ruling, until somebody else acts; dispute what is older."
            )
        if any(_has_dice(timeline, step.ruling) for step in steps):
            raise Refused("not_yours", "A die fell for it, so that only the game master takes it back; dispute it.")

    def check_note(self, kind: str, corrections: Sequence[int] = ()) -> None:
        """Refuse a note of a kind that is not theirs, or one that names what settles a dispute."""
        if not self.is_master and (self.role != "player" or kind not in PLAYER_NOTES or corrections):
            raise Refused("not_yours", "Disputes and proposals are the game master's to decide.", fields=("kind",))

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
        if not isinstance(head, Play) or head.by != self.name or self.role != "player":
            return False
        # The game master may have written it in their name.
        command = head.command
        return isinstance(command, Resolve) or (
            type(command).given_by != MASTER and actor_of(command) in self.combatants
        )

    def _own(self) -> str:
        return " and ".join(f'"{name}"' for name in self.combatants) or "nobody"


def throwers(state: Encounter, command: Command, field: str) -> Iterator[str]:
    """Yield whoever throws the dice of that field; "" for a die that is no combatant's."""
    given = getattr(command, field)
    exchange = state.exchange
    if isinstance(command, Resolve) and exchange is not None and exchange.id == command.exchange:
        root = exchange.root
        into = root.manipulation.into if root.manipulation else ""
        by_role = {"attack": root.actor, "defense": root.target, "into": into}
        by_role |= {str(action.id): action.actor for action in exchange.actions}
        keys = given if isinstance(given, Mapping) else (field.removesuffix("_die"),)
        yield from (key if field == "armor_die" else by_role.get(key, "") for key in keys)
    elif field.startswith("oppo"):
        yield command.opponent if isinstance(command, Contest) else ""
    else:
        yield actor_of(command)


def _has_dice(timeline: Timeline, ruling: int) -> bool:
    """Return True if a die fell for a ruling, also where that outcome is not in force any more."""
    entry = timeline.entries[ruling]
    return any(dice_of(event) for outcome in (entry.first, *entry.later) for event in outcome.events(timeline.decoders))


def owned_fields(kind: type[Command]) -> Mapping[str, Shape]:
    """Return the fields of a command; raises TypeError for one that does not say whose word it is."""
    found = shapes(kind)
    for name, shape in found.items():
        if shape.owner is None and kind.given_by != MASTER:
            raise TypeError(f"{kind.__name__}.{name} does not say whose word it is")
    return found


FIELDS: dict[str, Mapping[str, Shape]] = {name: owned_fields(kind) for name, kind in COMMANDS.items()}
"""The fields of every order; one without an owner is a TypeError here, when a service starts."""
