"""A fight at one moment: its rules, its combatants, its round and turn."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from mam_events.state.combatants import Combatant, has_turns
from mam_events.state.exchanges import Exchange
from mam_events.state.rounds import RolledInitiative, Window
from mam_events.values import CombatantRef, SaidTextField, ThingRef


class TurnAction(Struct, frozen=True, gc=False, omit_defaults=True):
    """One action done in a turn: its kind, as the table of actions names it, and the weapon it was done with."""

    kind: str
    weapon: ThingRef = ""


class Combo(Struct, frozen=True, gc=False, omit_defaults=True):
    """A declared combo: how many quick actions, and the points that were put on the modifier of its attacks
    (MAM-COMBO-01, MAM-COMBO-06).

    `id` is the number of the ruling that declared it, `countered` tells that a counterattack came before it.
    """

    actions: int
    modifier: int = 0
    id: int = 0
    countered: bool = False


class Turn(Struct, frozen=True, gc=False):
    """The turn in progress: whose it is, which of its phases are behind it, what was done in it.

    `counter` is the number of the ruling whose action or combo a counterattack interrupts (0: a turn of the order),
    `against` whose that was; `recovered` tells that it has brought stun back (MAM-TURN-06). `passed` are those who
    could have counterattacked in it, did nothing then, and may still interfere, in one exchange.
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

    `name` is what the table calls its house rules, `version` that of the program which pinned them; the fingerprint
    does not depend on either.
    """

    preset: str
    readings: dict[str, str]
    fingerprint: str
    name: SaidTextField = ""
    version: SaidTextField = ""


class StealthRoll(Struct, frozen=True, gc=False):
    """One roll of somebody who tried to surprise somebody else (MAM-SURP-01)."""

    stalker: CombatantRef
    target: CombatantRef
    success: bool


class InterruptedTurn(Struct, frozen=True, gc=False):
    """A turn and its declared action that wait until a counterattack is over (MAM-CTR-02)."""

    turn: Turn
    exchange: Exchange | None


class Encounter(Struct, frozen=True, gc=False):
    """One fight at one moment; `order` is empty until initiative is settled, `turn` None between turns.

    `avoided` tells that those who stalked one another missed, so that there is no combat (MAM-SURP-02).
    `interrupted` are the turns that wait for a counterattack, the last one first to go on; `advantaged` those who
    surprised the others (None: that was never asked), `surprised` these; `this_round` an order that counts for this
    round alone (`delay_persistence`), `order_kept` tells that in this round turns come in the order in which they were
    played.
    `initiative` holds the rolls where it is rolled anew every round (RD6-INIT), `window` the
    actions whose results are open (RD6-ACT-04).
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
        """Those in the order who still have turns: not dead, not out, not down with nothing that could come back."""
        combatants = self.combatants
        return tuple([name for name in self.this_round or self.order if has_turns(combatants[name])])

    @property
    def turn_order(self) -> tuple[str, ...]:
        """The order of turns as it is in this round."""
        return self.this_round or self.order

    @property
    def turn_in_order(self) -> str:
        """The combatant whose turn of the order is in progress, though a counterattack may have come in between; ""
        for nobody's.
        """
        turn = self.interrupted[0].turn if self.interrupted else self.turn
        return turn.combatant if turn else ""

    def is_turn_of(self, name: str) -> bool:
        """True if the turn in progress is that combatant's: one of the order, or a counterattack's."""
        return self.turn is not None and self.turn.combatant == name

    @property
    def declared(self) -> tuple[Exchange, ...]:
        """The declarations not yet resolved: the open exchange, and those that wait for a counterattack."""
        exchanges = (self.exchange, *(waiting.exchange for waiting in self.interrupted))
        return tuple([exchange for exchange in exchanges if exchange])

    @property
    def open_exchange(self) -> int:
        """The exchange or the action that is open, the last of several; 0 where nothing is."""
        if self.exchange:
            return self.exchange.id
        return self.window.open[-1].id if self.window.open else 0

    @property
    def next_up(self) -> str | None:
        """The combatant whose turn comes next (MAM-ORDER-05): after the one in progress, which counts as had.

        None while the order is not settled, where nobody can act, once the fight is over, and where the next round has
        an order of its own.
        """
        if self.status != "open":
            return None
        own = self.turn_in_order
        for name in self._still_due():
            if name != own:
                return name
        # The order of a round whose initiative was rolled ends with it (RD6-INIT-05).
        return None if self.initiative.entries else next(iter(self.in_fight), None)

    def comes_next(self, name: str) -> bool:
        """Return True if that combatant's turn may begin next.

        Nobody who is due comes first, or the round keeps the order in which it was played.
        """
        if name == self.next_up:
            return True
        return self.order_kept and self.next_up is not None and name in (self.due or self.in_fight)

    @property
    def due(self) -> tuple[str, ...]:
        """Those whose turn of this round is not over, in the order: neither had nor lost (RD6-INIT-07)."""
        return tuple(self._still_due())

    def _still_due(self) -> Iterator[str]:
        """The same one by one: who is next is asked of every command that comes out of turn."""
        combatants, had = self.combatants, frozenset(self.had_turn)
        for name in self.turn_order:
            if name not in had and has_turns(combatants[name]) and not combatants[name].actions.turn_lost:
                yield name

    @property
    def acting(self) -> str:
        """The combatant who goes on: who acted last, else the last whose turn has moved up, where they have actions
        left; else whose turn it is.
        """
        for name in (self.window.floor, *reversed(self.window.early)):
            if name and self.combatants[name].actions.left:
                return name
        return self.turn.combatant if self.turn else ""

    @property
    def round_done(self) -> bool:
        """True if everybody who has turns has had one this round."""
        return next(self._still_due(), None) is None


def same_state(fight: Encounter, as_before: Encounter) -> bool:
    """True if a fight stands as it stood before, and its roster in the same order, which equal tables need not have."""
    return fight == as_before and [*fight.combatants] == [*as_before.combatants]


EMPTY_ENCOUNTER = Encounter()
