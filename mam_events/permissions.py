"""Permissions to write: the game master may write everything, a player their own orders, a viewer nothing.

The type of each field of each order states its owner; the log checks that before it writes anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from mam_events.commands import (
    COMMANDS,
    ActionOrder,
    Command,
    Contest,
    Declare,
    Resolve,
    Roll,
    SkipTurn,
    actor_of,
    exchange_of,
    name_of,
)
from mam_events.decider.checks import require_exchange as open_exchange
from mam_events.decider.decide import mechanic_of
from mam_events.errors import Refused
from mam_events.events import Correction, FaceGiven, Head, Note, Play, Step, Strike
from mam_events.field_specs import FieldSpec, field_specs
from mam_events.history.timeline.entries import dice_of
from mam_events.history.timeline.rulings import visibility_now
from mam_events.refusals.arguments import Id, Term, list_argument, text_argument
from mam_events.tokens import TokenRole
from mam_events.values import GM_OWNER, ROLLER
from mam_events.visibility import GAME_MASTER, PUBLIC, can_see

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.rules.rulebook import Rulebook
    from mam_events.state import Encounter

PLAYER_NOTES = frozenset({"comment", "dispute", "answer", "proposal"})
"""The kinds of note that a player may write."""


class Rights(Struct, frozen=True):
    """The rights of a person with a `role`, known to the log by `name`; a player acts for `combatants`."""

    role: TokenRole = "gm"
    name: str = ""
    combatants: tuple[str, ...] = ()

    @property
    def is_master(self) -> bool:
        """True for the game master."""
        return self.role == "gm"

    def view(self, timeline: Timeline) -> str:
        """Return the view of the log: for a player, that of the side of their first combatant in the fight."""
        if self.is_master:
            return GAME_MASTER
        combatants = timeline.state.combatants
        sides = (combatants[name].side for name in self.combatants if name in combatants)
        return next((f"side:{side}" for side in sides if side), PUBLIC)

    def check_may_branch(self) -> None:
        """Refuse a branch by anyone but the game master."""
        if not self.is_master:
            raise Refused("not_yours/branch")

    def check_may_correct(self) -> None:
        """Refuse a correction of anyone's orders by anyone but the game master."""
        if not self.is_master:
            raise Refused("not_yours/correction")

    def check_may_insert(self) -> None:
        """Refuse an order inserted in the past by anyone but the game master."""
        if not self.is_master:
            raise Refused("not_yours/insert")

    def check_order(self, timeline: Timeline, command: Command, rules: Rulebook, *, after: int = 0) -> None:
        """Refuse an order, or a field of it, that is not theirs, after the ruling `after` or (0) at the end.

        Refuses with `awaits_reaction` or `awaits_die` to resolve an exchange that still waits for others.
        """
        if self.is_master:
            return
        if after:
            self.check_may_insert()
        self._check_open(timeline, command)
        if type(command).given_by == GM_OWNER or not self._acts_for_own(timeline.state, command):
            order = Term(name_of(command))
            if not self.combatants:
                raise Refused("not_yours/nobody", order=order)
            raise Refused("not_yours/order", order=order, own=list_argument(map(Id, self.combatants)))
        self._check_fields(timeline, command, rules)
        self._check_time(timeline, command, rules)
        self._check_visibility(timeline, command)

    def _check_open(self, timeline: Timeline, command: Command) -> None:
        """Refuse to resolve an exchange that they can't see, as if it were not open."""
        exchange = timeline.state.exchange
        if isinstance(command, Resolve) and exchange is not None and command.exchange == exchange.id:
            is_visible = can_see(self.view(timeline), visibility_now(timeline, exchange.id))
            open_exchange(timeline.state if is_visible else replace(timeline.state, exchange=None), exchange.id)

    def _check_fields(self, timeline: Timeline, command: Command, rules: Rulebook) -> None:
        """Refuse a field that is not theirs."""
        specs = FIELDS[name_of(command)]
        for field, value in to_builtins(command).items():
            if field not in specs:
                # The field is the name of the order.
                continue
            shape = specs[field]
            if shape.owner == GM_OWNER or value in shape.reserved:
                raise Refused("not_yours/field", field=Term(field), fields=(field,))
            if shape.owner == ROLLER and not set(die_owners(timeline.state, command, field, rules)) <= {
                *self.combatants
            }:
                raise Refused("not_yours/die", field=Term(field), fields=(field,))
        if isinstance(command, ActionOrder):
            _check_skill(timeline.state, command, rules)
        if getattr(command, "reason", ""):
            _check_needs_no_reason(timeline.state, command, rules)

    def _check_time(self, timeline: Timeline, command: Command, rules: Rulebook) -> None:
        """Refuse an order that would take something from others now, or be rolled twice."""
        if isinstance(command, Resolve):
            self._check_waits(timeline, rules)
        if isinstance(command, Declare | SkipTurn):
            self._check_turn(timeline)
        if isinstance(command, Roll) and command.exchange:
            _check_rolled(timeline, command)

    def _check_visibility(self, timeline: Timeline, command: Command) -> None:
        """Refuse to hide more than their side may, or to hide an answer from the one it answers."""
        if command.visibility not in (PUBLIC, self.view(timeline)):
            raise Refused("not_yours/hidden", fields=("visibility",))
        exchange = timeline.state.exchange
        if command.visibility != PUBLIC and exchange and exchange_of(command, 0) == exchange.id:
            raise Refused("not_yours/hidden_answer", fields=("visibility",))

    def _check_waits(self, timeline: Timeline, rules: Rulebook) -> None:
        """Refuse to resolve an exchange that waits for another's reaction, or for the die of someone they see."""
        from mam_events.rules.exchanges.throw_die import awaited_parts  # noqa: PLC0415 - the rules load slowly

        state = timeline.state
        waits = awaited_parts(state, rules.in_force(state.ruleset)) if state.ruleset else None
        view = self.view(timeline)
        visible_names = {name for name, one in state.combatants.items() if can_see(view, one.visibility)}
        if waits and waits.reaction and waits.reaction not in self.combatants:
            if waits.reaction not in visible_names:
                raise Refused("awaits_reaction/unseen", fields=("exchange",))
            raise Refused("awaits_reaction", who=state.combatants[waits.reaction], fields=("exchange",))
        for roll, who in waits.dice.items() if waits else ():
            is_visible = not roll.isdecimal() or can_see(view, visibility_now(timeline, int(roll)))
            if who in visible_names and is_visible and who not in self.combatants:
                raise Refused("awaits_die", who=state.combatants[who], fields=("exchange",))

    def _check_turn(self, timeline: Timeline) -> None:
        """Refuse to begin a turn that would end another combatant's turn with actions left (RD6-INIT-04)."""
        state = timeline.state
        acting = state.combatants.get(state.turn.combatant) if state.turn else None
        if acting and acting.id not in self.combatants and acting.actions.left:
            if not can_see(self.view(timeline), acting.visibility):
                raise Refused("turn_in_progress/unseen", fields=("combatant",))
            raise Refused("turn_in_progress/actions_left", who=acting, fields=("combatant",))

    def check_steps(self, timeline: Timeline, steps: Sequence[Step]) -> None:
        """Refuse a correction unless it undoes their own last orders, before anyone else acts and without dice."""
        if self.is_master:
            return
        # Notes, and orders that they have already undone, don't count as newer.
        newest = next((head.ruling for head in reversed(timeline.heads) if not self._is_aside(timeline, head)), 0)
        numbers = {step.ruling for step in steps}
        own = all(isinstance(step, Strike) and self._has_ordered(timeline, step.ruling) for step in steps)
        if not own or newest not in numbers:
            raise Refused("not_yours/late")
        if any(_has_dice(timeline, step.ruling) for step in steps):
            raise Refused("not_yours/die_fell")
        # An undo judges rulings in between again, which could reveal something about others.
        between = (head for head in timeline.heads if min(numbers) < head.ruling < newest)
        if not all(head.ruling in numbers or self._is_aside(timeline, head) for head in between):
            raise Refused("not_yours/late")

    def _is_aside(self, timeline: Timeline, head: Head) -> bool:
        if isinstance(head, Note):
            # A note that they can't see is not skipped: otherwise they could tell notes from plays.
            return can_see(self.view(timeline), visibility_now(timeline, head.ruling))
        is_undone = isinstance(head, Play) and timeline.striking(head.ruling) > 0
        return head.by == self.name and (is_undone or isinstance(head, Correction))

    def check_note(self, kind: str, corrections: Sequence[int] = ()) -> None:
        """Refuse a note of a kind that is not theirs, or one that names the corrections that settle a dispute."""
        if not self.is_master and (self.role != "player" or kind not in PLAYER_NOTES or corrections):
            raise Refused("not_yours/decision", fields=("kind",))

    def _acts_for_own(self, state: Encounter, command: Command) -> bool:
        own = {*self.combatants}
        if self.role != "player":
            return False
        if isinstance(command, Resolve):
            exchange = state.exchange
            root = exchange.root if exchange is not None and exchange.id == command.exchange else None
            return root is not None and bool({root.actor, root.target} & own)
        return actor_of(command) in own

    def _has_ordered(self, timeline: Timeline, ruling: int) -> bool:
        head = timeline.head(ruling)
        if not isinstance(head, Play) or head.by != self.name or self.role != "player" or head.after:
            return False
        # The game master may have written it under their name.
        command = head.command
        return isinstance(command, Resolve) or (
            type(command).given_by != GM_OWNER and actor_of(command) in self.combatants
        )


def die_owners(state: Encounter, command: Command, field: str, rules: Rulebook) -> Iterator[str]:
    """Yield the combatants who throw the dice of that field; "" for a die of no combatant."""
    value = getattr(command, field)
    exchange = state.exchange
    if isinstance(command, Resolve) and exchange is not None and exchange.id == command.exchange:
        from mam_events.rules.exchanges.resolve_dice import DICE_FIELDS, who_rolls  # noqa: PLC0415 - the rules load slowly

        assert state.ruleset is not None  # noqa: S101 - the fight is open
        rolls, begins = who_rolls(state, rules.in_force(state.ruleset), exchange), DICE_FIELDS.get(field, "")
        keys = value if isinstance(value, Mapping) else ("",)
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
        action, skills = text_argument(command, "action"), map(Term, listed)
        raise Refused("not_yours/skill", action=action, rule="RD6-LIST-01", fields=("skill",), allowed=skills)


def _check_needs_no_reason(state: Encounter, command: Command, rules: Rulebook) -> None:
    """Refuse an order that the rules allow only for a reason: the game master decides if there is one."""
    if state.ruleset is None:
        return
    ruleset = rules.in_force(state.ruleset)
    try:
        mechanic = mechanic_of(type(command), ruleset)
        mechanic.check(state, ruleset, replace(command, reason=""))
    except Refused as no:
        if "reason" in no.fields:
            raise Refused("not_yours/reason", fields=("reason",)) from no


def _check_rolled(timeline: Timeline, command: Roll) -> None:
    """Refuse a second roll for the same result of an action (RD6-FREE-02)."""
    for number, entry in timeline.living():
        before = timeline.command(number)
        if isinstance(before, Roll) and not entry.outcome.is_void and _asked(before) == _asked(command):
            raise Refused(
                "already_rolled/for_action",
                what=text_argument(command, "what"),
                action=command.exchange,
                rule="RD6-FREE-02",
                fields=("what",),
            )


def _asked(roll: Roll) -> tuple[str, str, int]:
    return roll.combatant, roll.what, roll.exchange


def _has_dice(timeline: Timeline, ruling: int) -> bool:
    """Return True if a die fell for a ruling, even if that outcome no longer counts."""
    entry = timeline.entries[ruling]
    return any(
        isinstance(event, FaceGiven) or dice_of(event)
        for outcome in (entry.first, *entry.later)
        for event in outcome.events(timeline.decoders)
    )


def owned_fields(kind: type[Command]) -> Mapping[str, FieldSpec]:
    """Return the fields of a command; raise TypeError for a field without an owner."""
    specs = field_specs(kind)
    for name, shape in specs.items():
        if shape.owner is None and kind.given_by != GM_OWNER:
            raise TypeError(f"{kind.__name__}.{name} does not say whose word it is")
    return specs


FIELDS: dict[str, Mapping[str, FieldSpec]] = {name: owned_fields(kind) for name, kind in COMMANDS.items()}
"""The fields of every order; one without an owner raises TypeError here, when a service starts."""
