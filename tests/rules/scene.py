"""A fight for the operations of a vector: they are played as orders, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from msgspec import to_builtins
from msgspec.structs import replace

from mam_events import commands, events
from mam_events.decider.engine import Ruleset
from mam_events.dice import Die, check_face, die_key
from mam_events.rules.rulebook import rulebook
from mam_events.state import Combatant
from tests.spec import GivenFight

Values = Mapping[str, Any]
Answer = dict[str, Any]
WHY = "the vector says so"


@dataclass(frozen=True)
class Case:
    """The input of an adapter: the rules in force, and what a vector gives; `case[name]` is either."""

    ruleset: Ruleset
    given: Values
    do: Values

    def __getitem__(self, name: str) -> Any:
        return self.do[name] if name in self.do else self.given[name]

    def get(self, name: str, default: Any = None) -> Any:
        return self.do.get(name, self.given.get(name, default))

    def metres(self, name: str) -> Decimal:
        return Decimal(str(self.get(name, 0)))


def adapters_of(module: Values) -> dict[str, Callable[[Case], Answer]]:
    """Return the functions of a module that answer a case, by the operation they are named after."""
    shape = {"case": "Case", "return": "Answer"}
    return {name: value for name, value in module.items() if getattr(value, "__annotations__", None) == shape}


class Faces(NamedTuple):
    """Dice with the faces of the vector, by the field of an order that would give them."""

    ruling: int
    face_by_field: Mapping[str, int | list[int] | None]

    def roll(self, slot: str, kind: str, *, field: str, face: int | None = None, index: int = 0) -> Die:
        value = self.face_by_field.get(field, self.face_by_field.get(field.partition(".")[0]))
        chosen_face = face or (value.pop(0) if isinstance(value, list) else value)
        assert chosen_face is not None, f"the vector gives no {field} for {slot}"
        return Die(die_key(self.ruling, slot, index, kind), kind, check_face(chosen_face, kind, field), "thrown")


class Scene(GivenFight):
    """The fight of a case under its rules and more; `points` if actions cost points."""

    def __init__(self, case: Case, *, points: bool = False, **more: str) -> None:
        pinned = case.ruleset.pinned
        preset = "mam_pools" if points else pinned.preset
        known = rulebook().defaults(preset)
        super().__init__({k: v for k, v in (pinned.readings | more).items() if k in known}, (), preset)
        self.happened: tuple[events.Event, ...] = ()
        self.do(self.opening)

    def dice(self) -> Faces:
        return Faces(self.ruling + 1, self.faces)

    def __getitem__(self, name: str) -> Combatant:
        return self.state.combatants[name]

    def pools(self, name: str) -> dict[str, int]:
        pools: dict[str, int] = to_builtins(self[name].pools)
        return pools

    @property
    def exchange(self) -> int:
        """The number of the open exchange."""
        assert self.state.exchange
        return self.state.exchange.id

    @property
    def point(self) -> int:
        """The price of one point: 1 where points are spent."""
        return self.ruleset.edition.economy.charged(1)

    def do(self, *orders: commands.Command, **faces: int | list[int] | None) -> Scene:
        """Give orders with those faces for their dice (a list: one after the other); raise Refused."""
        self.faces: Mapping[str, int | list[int] | None] = faces
        for order in orders:
            result = self.when(order)
            if result.error:
                raise result.error
            self.state, self.ruling = result.state, self.ruling + 1
            self.happened += result.events
        return self

    def all(self, kind: type[Any] | tuple[type[Any], ...]) -> list[Any]:
        """Return all events of that kind so far."""
        return [event for event in self.happened if isinstance(event, kind)]

    def last(self, kind: type[Any] | tuple[type[Any], ...]) -> Any:
        """Return the newest event of that kind."""
        return self.all(kind)[-1]

    def enter(self, name: str, values: Values | Case | None = None, **more: Any) -> Scene:
        """Join a combatant with the pools, hit points per round, encumbrance and hold of `given`."""
        values = values or {}
        pools = values.get("pools") or {"ready": 1}
        fields = {"pools": pools, "hp": sum(pools.values()), "encumbrance": values.get("encumbrance", 0)} | more
        self.do(commands.Join(name, **fields))
        if values.get("hp_per_round") is not None:
            self.after(events.CombatantJoined(replace(self[name], hp_per_round=values["hp_per_round"])))
        if reserve := values.get("grapple_reserve"):
            hold = commands.Hold(name, "hold", reserve, values.get("modifier", reserve))
            self.do(commands.Adjust(WHY, condition={name: "able"}, hold=(hold,)))
        return self

    def turn_of(self, name: str) -> Scene:
        """End the current turn and begin that combatant's, in which nothing has been done yet."""
        if not self.state.order:
            self.do(commands.Initiative(first=name, reason=WHY))
        over = commands.DeclaredOutcome(self.exchange, "fail") if self.state.exchange else None
        # Vectors give pools and not conditions.
        return self.do(commands.Adjust(WHY, turn=name, condition={name: "able"}, outcome=over))

    def begin_turn_of(self, name: str) -> Scene:
        """Begin a turn of that combatant, even if somebody else is next."""
        others = (other for other in self.state.combatants if other != name)
        order = events.InitiativeEstablished((name, *others), WHY, "")
        self.turn_of(name).after(order, events.TurnDeclared(""), events.RoundStarted(1))
        return self.do(commands.BeginTurn(name))

    def begin_turns(self, *names: str | None) -> Scene:
        """Play the turns of these combatants one after the other, and leave the last open."""
        for name in names:
            if self.state.turn:
                self.do(commands.EndTurn(self.state.turn.combatant))
            assert name
            self.do(commands.BeginTurn(name))
        return self

    def strike(
        self,
        name: str,
        target: str,
        weapon: str = "",
        *,
        attack: int | None = 1,
        defense: int | None = 1,
        **options: Any,
    ) -> Scene:
        """Attack with a weapon or a `grapple` and roll the dice."""
        if weapon == "grapple":
            self.do(commands.Manipulate(name, target, points=self.point, **options))
        else:
            self.do(commands.Attack(name, target, weapon, **({"power": self.point} | options)))
        return self.resolve(attack, defense)

    def resolve(self, attack: int | None = 1, defense: int | None = 1, outcome: Any = "") -> Scene:
        """Roll the dice of the open exchange, or declare its outcome; armor uses the defense die."""
        order = commands.Resolve(self.exchange, outcome=outcome)
        return self.do(order, attack_die=attack, defense_die=defense, armor_die=defense)


def number(value: Fraction) -> int | str:
    """Return a whole number as an int, and any other as the vectors write it."""
    return int(value) if value.denominator == 1 else str(Decimal(value.numerator) / value.denominator)


def sum_of_modifiers(roll: events.RollMade, *rules: str) -> int:
    """Return the sum of the modifiers of a roll by those rules, or by any."""
    return sum(modifier.value for modifier in roll.modifiers if not rules or modifier.rule in rules)
