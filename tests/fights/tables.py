"""Random fights: legal orders with corrections, notes and secrets."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from random import Random
from typing import Any

from msgspec.structs import replace

from mam_events.commands import Adjust, Body, Close, Command, Join, Open, PoolMove, Resolve, read_command
from mam_events.decider.offers import Template
from mam_events.errors import BadInput, NotFound, Refused
from mam_events.events import Amend, TurnPolicy
from mam_events.history.corrections.notes import is_correction
from mam_events.log.combat_log import CombatLog
from mam_events.rules.rulebook import Rulebook
from mam_events.state import POOLS, ArmorPiece, Item, Weapon

PEOPLE = ("ann", "bert", "cleo", "dora")
BY = ("", "Ana", "Bob")
FREQUENCIES = {"drop-item": 1, "act": 2, "end-turn": 2, "attack": 10, "counterattack": 10, "parry": 8}
FREE_FIELDS: dict[str, dict[str, Any]] = {
    "act": {"what": "opens the door"},
    "modify": {"what": "thick smoke", "modifier": -1},
    "perform": {"code": "6D", "difficulty": 20},
    "interrupt": {"code": "6D"},
    "roll-related": {"code": "6D", "skill": "stealth", "difficulty": 20, "primary": "dodge"},
    "roll": {"code": "2D"},
}
ERRORS = (Refused, BadInput, NotFound)


def play_random_fight(
    random: Random, *, steps: int = 40, secrets: bool = True, close: bool = False
) -> tuple[CombatLog, str]:
    """Play a random fight in a new log in memory, and return the log and the fight's id."""
    table = Table(random, secrets=secrets)
    for _ in range(steps):
        table.step()
    if close:
        table.order(Close(reason="it is late"))
    return table.log, table.encounter


def random_rules(random: Random, rules: Rulebook, preset: str) -> dict[str, str]:
    """Choose up to four house rules for the preset that don't exclude each other."""
    while True:
        names = random.sample(sorted(rules.defaults(preset)), k=random.randint(0, 4))
        house_rules = {name: random.choice(sorted(rules.options[name].readings)) for name in names}
        with suppress(Refused):
            rules.ruleset(preset, house_rules)
            return house_rules


def armor(random: Random) -> tuple[ArmorPiece, ...]:
    """Return random armor: none, a shirt, or a shirt under a coat."""
    shirt = ArmorPiece("shirt", cover=random.randint(1, 6), absorption=random.randint(0, 2))
    coat = ArmorPiece("coat", cover=random.randint(1, 6), absorption=1, complete=random.random() < 0.1, encumbrance=1)
    return random.choice(((), (), (shirt,), (replace(shirt, under="coat"), coat)))


class Table:
    """A table at which random orders are given, and errors are ignored."""

    oldest = 2
    """The first ruling that may be undone by its number."""

    def __init__(self, random: Random, *, secrets: bool) -> None:
        self.random = random
        self.secrets = secrets
        # The seeds come from the same source as the orders, so that a fight can be played again.
        self.log = CombatLog.open("sqlite://", entropy=Random(random.getrandbits(32)).randbytes)
        self.encounter = "fight"
        self.preset = preset = random.choice(("mam_pools", *self.log.rules.presets))
        word = random.choice(("", "swordfish"))
        self.order(Open(preset, random_rules(random, self.log.rules, preset), title="A fight", word=word))
        self.waiting = list(PEOPLE)
        for _ in range(random.randint(2, 3)):
            self.join()

    def order(self, command: Command, **options: Any) -> None:
        """Give an order, and ignore an error."""
        try:
            self.log.execute(self.encounter, command, by=self.random.choice(BY), **options)
        except ERRORS:
            return

    def step(self) -> None:
        """Do something random."""
        act, correct, remark = (
            (self.act,) * 14,
            (self.undo, self.redo, self.strike, self.amend),
            (self.note, self.adjust),
        )
        self.random.choice((*act, *correct, *remark, self.join))()

    def join(self) -> None:
        """Join the next combatant."""
        if not self.waiting:
            return
        random, name = self.random, self.waiting.pop(0)
        weapons = tuple(
            Weapon(
                id=thing,
                name=f'the "{thing}"',
                power=random.randint(0, 4),
                attack=random.randint(-1, 3),
                sharpness=random.randint(-3, 2),
                reach=Decimal(random.choice(("0.5", "1", "2.0"))),
                encumbrance=random.randint(0, 1),
                readied=random.random() < 0.8,
            )
            for thing in random.sample(("spear", "axe", "net"), k=random.randint(0, 2))
        )
        hp = random.randint(3, 9)
        points = "initial_pools" in self.log.rules.defaults(self.preset)
        self.order(
            Join(
                name,
                code={"perception": random.choice(("2D", "2D+1")), "agility": "3D", "brawling": "5D"},
                kind=random.choice(("pc", "npc", "boss_npc")),
                character_points=random.randint(0, 2),
                fate_points=random.randint(0, 1),
                name=random.choice(("", name.title(), 'Ω \\ "x" # [[commands]]')),
                side=random.choice(("all", "reds", "blues")),
                hp=hp if points else None,
                stride=Decimal(random.choice(("1", "1.50", "0.25"))),
                body=Body(attack=random.randint(0, 2)),
                weapon=weapons,
                item=(Item("lamp", "a lamp", 1),) if random.random() < 0.2 else (),
                armor=armor(random),
                visibility=random.choice(("public", "public", "public", "gm", "side:reds"))
                if self.secrets
                else "public",
                word=random.choice(("", "", "mellon")),
            )
        )

    def act(self) -> None:
        """Give a legal order, now or after an earlier play."""
        templates = [
            offer
            for offer in self.log.legal(self.encounter)
            if isinstance(offer, Template) and offer.do not in ("open", "join", "adjust", "change-rules", "close")
        ]
        if not templates:
            return
        # Most templates are about items: choose the kind of command first, so that fights are fought.
        kinds = sorted({template.do for template in templates})
        kind = self.random.choices(kinds, [FREQUENCIES.get(kind, 4) for kind in kinds])[0]
        command = self.fill(self.random.choice([template for template in templates if template.do == kind]))
        options: dict[str, Any] = {}
        if self.random.random() < 0.05:
            options["after"] = self.random.randint(1, self.log.timeline(self.encounter).number)
            options["turns"] = self.turns()
        if self.secrets and self.random.random() < 0.05:
            options["visibility"] = "gm"
        self.order(command, **options)

    def fill(self, template: Template) -> Command:
        """Return a random command that fits the template."""
        random = self.random
        fields: dict[str, Any] = {"do": template.do}
        for field in template.fields:
            if field.choices is not None and field.keys is not None:
                value: Any = {key: random.choice(field.choices) for key in field.keys if random.random() < 0.5}
            elif field.choices is not None:
                value = random.choice(field.choices)
                if value not in (None, ""):
                    fields[field.name] = value
            elif not field.free:
                low = field.low or 0
                fields[field.name] = random.randint(low, max(low, min(field.high if field.high is not None else 2, 4)))
        fields |= FREE_FIELDS.get(template.do, {}) | self.situation(template)
        if template.do == "roll-initiative":
            fields["combatants"] = sorted(self.log.at(self.encounter).combatants)
        if template.do == "initiative":
            fields = {"do": "initiative"} | (
                {"first": PEOPLE[0], "reason": "so be it"} if random.random() < 0.2 else {}
            )
        if template.do == "resolve" and random.random() < 0.5:
            fields = {"do": "resolve", "exchange": fields["exchange"]}
        return read_command(fields)

    def situation(self, template: Template) -> dict[str, Any]:
        """Return a random situation, as the game master adds one now and then.

        `resolve` gets none: with its dice, the situation would need the name of somebody who rolls.
        """
        roll = template.do != "resolve" and any(field.name == "situation" for field in template.fields)
        return {"situation": ["+1 higher ground", "-2 smoke"]} if roll and self.random.random() < 0.2 else {}

    def turns(self) -> TurnPolicy:
        """Return the way in which a correction treats turns: as played, or now and then strictly."""
        return "strict" if Random(self.log.timeline(self.encounter).number).random() < 0.3 else "as_played"

    def undo(self) -> None:
        """Undo the last ruling."""
        self.correct(lambda: self.log.undo(self.encounter, by="Ana", reason="no", turns=self.turns()))

    def redo(self) -> None:
        """Redo the last undone ruling."""
        self.correct(lambda: self.log.redo(self.encounter, by="Bob", turns=self.turns()))

    def strike(self) -> None:
        """Undo an old ruling."""
        newest = self.log.timeline(self.encounter).number
        number, rewind = self.random.randint(self.oldest, max(self.oldest, newest)), self.random.random() < 0.1
        turns = self.turns()
        self.correct(lambda: self.log.undo(self.encounter, number, only=not rewind, rewind=rewind, turns=turns))

    def amend(self) -> None:
        """Change a die of an earlier ruling, or the points of it."""
        timeline = self.log.timeline(self.encounter)
        number = self.random.choice(list(timeline.entries))
        resolves = isinstance(timeline.command(number), Resolve)
        patch = {"attack_die" if resolves else "points": self.random.randint(1, 6)}
        turns = self.turns()
        self.correct(lambda: self.log.correct(self.encounter, [Amend(number, patch)], by="Ana", turns=turns))

    def correct(self, correction: Callable[[], object]) -> None:
        """Make the correction, and ignore an error."""
        try:
            correction()
        except ERRORS:
            return

    def note(self) -> None:
        """Write a note, answer in a dispute or decide one."""
        timeline = self.log.timeline(self.encounter)
        about = self.random.randint(0, timeline.number)
        kind, by = self.random.choice(("comment", "dispute")), self.random.choice(BY)
        disputed = [number for number, decided in timeline.disputes.items() if not decided]
        own, since = Random(timeline.number), []
        if kind == "comment" and disputed:
            about, kind = own.choice(disputed), own.choice(("comment", "answer", "decision"))
            since = [
                n
                for n in range(about + 1, timeline.number + 1)
                if is_correction(timeline.head(n)) and timeline.counts(n)
            ]
        self.log.note(
            self.encounter,
            f"about {about}",
            kind=kind if about else "comment",
            about=about,
            rule="stun_overflow" if kind == "dispute" and about else "",
            corrections=own.sample(since, k=min(len(since), 2)) if kind == "decision" else (),
            by=by,
        )

    def adjust(self) -> None:
        """Adjust the fight as the game master."""
        state = self.log.at(self.encounter)
        if not state.combatants:
            return
        source, target = self.random.sample(POOLS, k=2)
        move = PoolMove(self.random.choice(sorted(state.combatants)), source, target, 1)  # type: ignore[arg-type]  # POOLS are the pools
        self.order(Adjust(reason="I say so", move=(move,), answers=self.random.randint(0, 9)))
