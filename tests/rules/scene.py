"""A fight into which the operations of a vector are put, one after the other, as orders that people could give."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from msgspec import to_builtins
from msgspec.structs import replace

from mam_events.commands import Act, Attack, BeginTurn, Command, Counterattack, Defend, EndTurn, Join, Move, Open, Ready
from mam_events.deciding.decide import decide
from mam_events.deciding.judging import Judging
from mam_events.deciding.ruleset import Ruleset
from mam_events.dice import Die, die_key
from mam_events.events import (
    ActionTaken,
    CombatantJoined,
    CombatantMoved,
    ConditionDeclared,
    Event,
    GrappleDeclared,
    InitiativeEstablished,
    OutcomeDeclared,
    ReadyPoolRefreshed,
    RoundStarted,
    TurnDeclared,
    WoundInflicted,
    fold,
)
from mam_events.rules.health.wounds import wound
from mam_events.rules.rulebook import rulebook
from mam_events.state import UNOPENED, Combatant, Grapple

Values = Mapping[str, Any]


class Case(NamedTuple):
    """What an adapter is asked: the rules in force, and what a vector says is given and done."""

    ruleset: Ruleset
    given: Values
    do: Values


def with_points(case: Case) -> Case:
    """The same case where actions are paid for with points: a vector that gives points speaks of such rules."""
    known = rulebook().defaults("mam_pools")
    readings = {name: read for name, read in case.ruleset.pinned.readings.items() if name in known}
    return case._replace(ruleset=rulebook().ruleset("mam_pools", readings))


class AnyFace:
    """Dice that show what the vector says: it names a face, and seldom the kind of die that shows it."""

    def __init__(self, ruling: int) -> None:
        self.ruling = ruling

    def roll(self, slot: str, kind: str, *, field: str, thrown: int | None = None, index: int = 0) -> Die:
        assert thrown is not None, f"the vector gives no {field} for {slot}"
        return Die(die_key(self.ruling, slot, index, kind), kind, thrown, "thrown")


class Scene:
    """One fight; whoever a vector describes enters it with the pools and reserves that the vector gives."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.state = UNOPENED
        self.ruling = 0
        self.do(Open())

    def __getitem__(self, name: str) -> Combatant:
        return self.state.combatants[name]

    def pools(self, name: str) -> dict[str, int]:
        pools: dict[str, int] = to_builtins(self[name].pools)
        return pools

    def do(self, command: Command) -> tuple[Event, ...]:
        """Give an order and return its events; raises Refused where the rules say no."""
        events = tuple(decide(self.state, command, self.ruleset, AnyFace(self.ruling + 1)).events)
        self.happen(*events)
        self.ruling += 1
        return events

    def happen(self, *events: Event) -> None:
        """Let these events be so, without asking the rules."""
        self.state = fold(self.state, events)

    def enter(self, name: str, given: Values, **more: Any) -> None:
        """Somebody joins with the pools, hit points per round, encumbrance and hold of `given`."""
        pools = given.get("pools") or {"ready": 1}
        fields = {"pools": pools, "hp": sum(pools.values()), "encumbrance": given.get("encumbrance", 0)} | more
        joined = one(self.do(Join(name, **fields)), CombatantJoined).combatant
        if "hp_per_round" in given:
            self.happen(CombatantJoined(replace(joined, hp_per_round=given["hp_per_round"])))
        if given.get("grapple_reserve"):
            reserve = given["grapple_reserve"]
            self.happen(GrappleDeclared(name, Grapple("hold", reserve, given.get("modifier", reserve))))

    def opponent(self, name: str) -> str:
        """Somebody else in the fight."""
        if len(self.state.combatants) == 1:
            self.enter("somebody-else", {})
        return next(other for other in self.state.combatants if other != name)

    def turn_of(self, name: str) -> None:
        """Whatever went on before is over, and it is that combatant's turn; nothing has been done in it."""
        if self.state.exchange:
            self.happen(OutcomeDeclared(self.state.exchange.id, "fail"))
        self.happen(InitiativeEstablished(tuple(self.state.combatants), "a vector", ""), TurnDeclared(name))
        self.happen(ConditionDeclared(name, "able"))  # vectors know pools, not who has fallen

    def spend(self, name: str, to_defense: int, to_other_used: int) -> None:
        """Points are spent: in answer to an open attack, else on an attack of one's own."""
        exchange = self.state.exchange
        if exchange and exchange.root.target == name:
            if to_other_used:
                self.do(Counterattack(name, exchange.id, power=to_other_used, modifier=to_defense))
            else:
                self.do(Defend(name, exchange.id, to_defense))
            return
        opponent = self.opponent(name)
        self.turn_of(name)
        if to_defense + to_other_used:
            self.do(Attack(name, opponent, power=to_other_used, modifier=to_defense))
        else:
            self.do(Act(name, "nothing that costs anything", points=0))

    def recover_stun(self, name: str, moment: str, *, skipped: bool = False) -> None:
        """The beginning, or the end, of a turn; it was used unless it was skipped."""
        self.turn_of(name)
        if moment == "turn_end":
            if not skipped:
                self.happen(ActionTaken(name, "act"))
            self.do(EndTurn(name))
            return
        others = [other for other in self.state.combatants if other != name]
        self.happen(InitiativeEstablished((name, *others), "a vector", ""), TurnDeclared(""), RoundStarted(1))
        self.do(BeginTurn(name))

    def refresh(self, name: str, from_defense: int, from_other_used: int) -> int:
        """The second phase of a turn; how many points might have become ready."""
        self.turn_of(name)
        most: int = one(self.do(Ready(name, from_defense, from_other_used)), ReadyPoolRefreshed).maximum
        return most

    def move(self, name: str, points: int, metres: Decimal | None = None) -> Decimal:
        """A move in one's own turn; how far it went, in metres."""
        self.turn_of(name)
        went: Decimal = one(self.do(Move(name, points, metres)), CombatantMoved).metres
        return went

    def wound(self, name: str, stun: int, damage: int) -> WoundInflicted | None:
        """A hit, in whatever exchange is open."""
        judging = Judging(self.state, self.ruleset, AnyFace(self.ruling))
        wound(judging, name, self.state.exchange.id if self.state.exchange else 0, stun, damage)
        self.state = judging.state
        return next((event for event in judging.events if isinstance(event, WoundInflicted)), None)


def one(events: tuple[Event, ...], kind: type[Any]) -> Any:
    """The only event of that kind."""
    (event,) = (event for event in events if isinstance(event, kind))
    return event
