"""A fight at one moment: its rules, its combatants, its round and turn."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from mam_events.state.combatants import Combatant, has_turns
from mam_events.state.exchanges import Exchange
from mam_events.state.rounds import RolledInitiative, Window
from mam_events.values import CombatantRef, SaidTextField, ThingRef


class TurnAction(Struct, frozen=True, gc=False, omit_defaults=True):
    """One action done in a turn: its kind in the table of actions, and the weapon used."""

    kind: str
    weapon: ThingRef = ""


class Combo(Struct, frozen=True, gc=False, omit_defaults=True):
    """A declared combo: its number of quick actions, and the points on the modifier of its attacks.

    `id` is the number of the ruling that declared it (MAM-COMBO-01, MAM-COMBO-06). `countered` is true if a
    counterattack came before it.
    """

    actions: int
    modifier: int = 0
    id: int = 0
    countered: bool = False


class Turn(Struct, frozen=True, gc=False):
    """The turn in progress: its combatant, its completed phases and its actions.

    `counter` is the ruling whose action or combo a counterattack interrupts (0: a turn of the order), `against` the one
    who declared that. `recovered` is true if the turn has brought stun back (MAM-TURN-06). `passed` are those who could
    have counterattacked in it, did nothing then, and may still interfere in one exchange.
    """

    combatant: CombatantRef
    refreshed: bool = False
    acted: bool = False
    deeds: tuple[TurnAction, ...] = ()
    combo: Combo | None = None
    counter: int = 0
    against: CombatantRef = ""
    recovered: bool = False
    passed: tuple[CombatantRef, ...] = ()


class PinnedRules(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The rules in force: preset, the reading of every option, fingerprint of both.

    `name` is the table's name for its house rules, `version` that of the program that pinned them; neither changes the
    fingerprint.
    """

    preset: str
    readings: dict[str, str]
    fingerprint: str
    name: SaidTextField = ""
    version: SaidTextField = ""


class StealthRoll(Struct, frozen=True, gc=False):
    """One roll of a combatant who tried to surprise another (MAM-SURP-01)."""

    stalker: CombatantRef
    target: CombatantRef
    success: bool


class InterruptedTurn(Struct, frozen=True, gc=False):
    """A turn and its declared action, which wait for the end of a counterattack (MAM-CTR-02)."""

    turn: Turn
    exchange: Exchange | None


class Encounter(Struct, frozen=True, gc=False):
    """One fight at one moment; `order` is empty until initiative is settled, `turn` is None between turns.

    `avoided` is true if the stalkers missed each other, so that there is no combat (MAM-SURP-02). `interrupted` are the
    turns that wait for a counterattack; the last one continues first. `advantaged` are those who surprised the others
    (None: not settled), `surprised` the others. `this_round` is an order for this round only (`delay_persistence`);
    `order_kept` is true if turns of this round come in the order in which they were played. `initiative` has the rolls
    if it is rolled every round (RD6-INIT), `window` the actions whose results are open (RD6-ACT-04).
    """

    status: Literal["unopened", "open", "closed"] = "unopened"
    title: str = ""
    ruleset: PinnedRules | None = None
    commitment: str = ""
    combatants: dict[str, Combatant] = {}
    order: tuple[CombatantRef, ...] = ()
    round: int = 0
    round_open: bool = False
    had_turn: tuple[CombatantRef, ...] = ()
    turn: Turn | None = None
    exchange: Exchange | None = None
    interrupted: tuple[InterruptedTurn, ...] = ()
    stealth: tuple[StealthRoll, ...] = ()
    advantaged: tuple[CombatantRef, ...] | None = None
    surprised: tuple[CombatantRef, ...] = ()
    avoided: bool = False
    this_round: tuple[CombatantRef, ...] = ()
    order_kept: bool = False
    initiative: RolledInitiative = RolledInitiative()
    window: Window = Window()

    @property
    def in_fight(self) -> tuple[str, ...]:
        """Those in the order who still have turns: not dead, not out, not down without anything to recover."""
        combatants = self.combatants
        return tuple([name for name in self.this_round or self.order if has_turns(combatants[name])])

    @property
    def turn_order(self) -> tuple[str, ...]:
        """The order of turns in this round."""
        return self.this_round or self.order

    @property
    def turn_in_order(self) -> str:
        """The combatant whose turn of the order is in progress, even during a counterattack; "" for nobody."""
        turn = self.interrupted[0].turn if self.interrupted else self.turn
        return turn.combatant if turn else ""

    def is_turn_of(self, name: str) -> bool:
        """Return True if the turn in progress is that combatant's: one of the order, or a counterattack's."""
        return self.turn is not None and self.turn.combatant == name

    @property
    def declared(self) -> tuple[Exchange, ...]:
        """The declarations not yet resolved: the open exchange, and those that wait for a counterattack."""
        exchanges = (self.exchange, *(waiting.exchange for waiting in self.interrupted))
        return tuple([exchange for exchange in exchanges if exchange])

    @property
    def open_exchange(self) -> int:
        """The open exchange or action, the last of several; 0 if none is open."""
        if self.exchange:
            return self.exchange.id
        return self.window.open[-1].id if self.window.open else 0

    @property
    def next_up(self) -> str | None:
        """The combatant whose turn comes next (MAM-ORDER-05), after the one in progress.

        None while the order is not settled, if nobody can act, after the end of the fight, and if the next round has an
        order of its own.
        """
        if self.status != "open":
            return None
        own = self.turn_in_order
        for name in self._still_due():
            if name != own:
                return name
        # An order from rolled initiative ends with its round (RD6-INIT-05).
        return None if self.initiative.entries else next(iter(self.in_fight), None)

    def comes_next(self, name: str) -> bool:
        """Return True if that combatant's turn may begin next.

        Either nobody who is due comes before them, or the round keeps the order in which it was played.
        """
        if name == self.next_up:
            return True
        return self.order_kept and self.next_up is not None and name in (self.due or self.in_fight)

    @property
    def due(self) -> tuple[str, ...]:
        """Those whose turn of this round is neither over nor lost, in order (RD6-INIT-07)."""
        return tuple(self._still_due())

    def _still_due(self) -> Iterator[str]:
        """Yield the same combatants one by one: every command out of turn asks only for the next one."""
        combatants, had = self.combatants, frozenset(self.had_turn)
        for name in self.turn_order:
            if name not in had and has_turns(combatants[name]) and not combatants[name].actions.turn_lost:
                yield name

    @property
    def acting(self) -> str:
        """The combatant who goes on.

        That is the last one who acted, or else the last one whose turn moved up, if they have actions left; otherwise
        the one whose turn it is.
        """
        for name in (self.window.floor, *reversed(self.window.early)):
            if name and self.combatants[name].actions.left:
                return name
        return self.turn.combatant if self.turn else ""

    @property
    def is_round_done(self) -> bool:
        """True if everyone who has turns has had one this round."""
        return next(self._still_due(), None) is None


def is_same_state(fight: Encounter, as_before: Encounter) -> bool:
    """Return True if two states are equal, and their combatants in the same order, which equal dicts need not have."""
    return fight == as_before and [*fight.combatants] == [*as_before.combatants]


EMPTY_ENCOUNTER = Encounter()
