"""Every suggested command is accepted, in random fights, after answers and after errors."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.app import main
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.rules.rulebook import rulebook
from mam_events.state import Encounter
from tests.cli.calls import CliResult, as_typed
from tests.effort import each_preset
from tests.play import random_command

JOINING = """
join horse STATS --side heroes --training trained
join ana STATS --side heroes --weapon id=sword,power=3 --weapon id=dirk,power=1,readied=no --mount horse --item id=pack
join bo STATS --side foes --weapon id=club,power=1,readied=no --armor id=plate,cover=10,absorption=3 --absorption 1
join lin STATS --side heroes --weapon id=bow,kind=bow,power=2,range=60 --weapon id=axe,power=2,readied=no
join wolf STATS --side foes --weapon id=teeth,power=4,sharpness=-1
initiative --first ana --reason quick
"""
"""A rider, an unarmed combatant in armor, an archer whose bow is not drawn, and teeth."""
ROUND = """
new fight --preset ron_d6
join ana --side heroes --code perception=3D --code agility=4D --code melee=5D
join bo --side foes --code perception=2D --code agility=4D --character-points 2 --fate-points 1
join lin --side heroes --code perception=3D --code agility=4D --code missile-weapons=5D --item id=bow
join wolf --side foes --code perception=1D --code brawling=4D
round
"""
BEGINNINGS = {
    "mam_pools": f"new fight --preset mam_pools{JOINING.replace('STATS', '--hp 8')}",
    "mam_speed": f"new fight --preset mam_speed{JOINING.replace('STATS', '--hp 8')}",
    "mam_d20": f"new fight --preset mam_d20{JOINING.replace('STATS', '--toughness 4')}",
    "ron_d6": ROUND,
}
PEOPLE = ("ana", "bo", "lin", "wolf")
FILLED = {
    "CODE": "3D",
    "DIFFICULTY": "10",
    "FACE": "3",
    "HP": "6",
    "METRES": "1",
    "N": "3",
    "NUMBER": "4",
    "POINTS": "6",
    "PRIMARY": "melee",
    "REASON": "so-it-was",
    "SKILL": "melee",
    "TEXT": "so-it-was",
    "WHAT": "shouts",
    "WHY": "so-it-was",
    "OPTION=READING": "half_success=never",
}
"""The words typed for each placeholder of a hint; a NAME is that of a present or a new combatant."""
TRIED = """
begin-turn WHO
end-turn WHO
attack WHO FOE
attack WHO FOE --weapon THING
attack FOE --power 9
defend WHO 2
defend FOE 1 --after NTH
parry WHO
parry WHO --weapon THING
counterattack WHO
counterattack WHO --weapon THING
interfere WHO --points 1
resolve
resolve 3 3
resolve 18 3
resolve --armor-die WHO=3
ready WHO --defense 9
move WHO 2
ready-weapon WHO THING
pick-up-item WHO THING
drop-item WHO THING
draw-bow WHO THING
load WHO THING
aim WHO THING
mount WHO horse
dismount WHO
stay-mounted WHO
restrain-mount WHO
rest WHO
stand WHO
drop WHO
take-posture WHO evading
skip-turn WHO
delay-turn WHO FOE
stalk WHO FOE
establish-surprise
manipulate WHO FOE --follow-up hold
escape WHO
maintain-grapple WHO
check WHO 5
contest WHO FOE
initiative
initiative --first WHO
initiative roll --all
initiative roll WHO
round
declare WHO
declare WHO 2
act WHO shouts
act WHO --action dodge
act --target FOE
act ponders --code 9D
initiative roll
resolve 9 9
act WHO --action slash --target FOE
interrupt WHO --action dodge
wait WHO
move-up WHO
result success
spend WHO fate-point
incapacitate WHO
recover WHO
join WHO --hp 3
join newcomer
begin-turn nobody
new fight
new aside
rules change --set half_success=never
rules change --set no_such=option --reason x
rules change --set half_success=sometimes --reason x
undo
undo NTH
undo NTH --only
undo NTH --rewind
undo 99
redo
redo NTH
amend NTH points=1
amend NTH target=FOE
adjust --move WHO:ready:stun:2 --reason x
adjust --move WHO:ready:damage:9
adjust --condition WHO=incapacitated --reason x
adjust --position WHO=prone --reason x
attack WHO FOE --after NTH
move WHO 1 --after NTH
note aside -e other
begin-turn -e other
close
close --yes
close --yes -e other
log 99
""".strip().splitlines()
"""Orders that are allowed at some moments, and refused at others for every possible reason."""

ORDERS = 7
"""The number of orders typed in a fight; each takes about three calls."""
DRY = ("log", "options", "pools", "report", "encounters", "rules")
"""Commands that only read; each is tried once in a fight."""


class Table:
    """A fight in a store of its own, and a second store in which each suggestion is tried on a copy of it."""

    def __init__(self, folder: Path, preset: str, rng: Random) -> None:
        self.here, self.aside = folder / "here", folder / "aside"
        self.here.mkdir()
        self.aside.mkdir()
        self.rng = rng
        self.rules = rulebook()
        self.calls: list[str] = []
        self.last_order = ""
        self.known: set[str] = set()
        self.hints: list[str] = []
        self.newcomers = count()
        for line in BEGINNINGS[preset].strip().splitlines():
            result = run(self.here, tuple(line.split()))
            assert result.code == 0, (line, result.err)
        if rng.random() < 0.5:
            run(self.here, ("new", "other", "--preset", preset))
            run(self.here, ("note", "here", "-e", "fight"))

    @property
    def timeline(self) -> Timeline:
        with CombatLog.open(self.here / "mam.db") as log:
            return log.timeline("fight")

    @property
    def state(self) -> Encounter:
        return self.timeline.state

    def type(self, *words: str) -> CliResult:
        """Type an order, and check that the commands it suggests are accepted."""
        result = run(self.here, words)
        self.last_order = f"mam {shlex.join(words)} "
        self.calls.append(f"{shlex.join(words)}  [{result.code}] {result.err.strip()}")
        self.hints = list(suggested(result))
        for hint in self.hints:
            self.try_out(hint)
        return result

    def try_out(self, hint: str) -> None:
        words = self.filled(hint)
        if words[0] in DRY and words[0] in self.known:
            return
        self.known.add(words[0])
        shutil.copy(self.here / "mam.db", self.aside / "mam.db")
        result = run(self.aside, words)
        if result.code == 2 and result.err.rstrip().endswith(" --yes"):
            # A correction that changes other rulings needs a confirmation first.
            result = run(self.aside, (*words, "--yes"))
        if result.code == 1 and hint.startswith(self.last_order):
            # The hint completes the order with what is missing; the rules may refuse the rest of it.
            return
        assert result.code == 0, "\n".join(
            [*self.calls[-4:], f"THEN {shlex.join(words)}  [{result.code}] {result.err}"]
        )

    def filled(self, hint: str) -> tuple[str, ...]:
        """Split a hint into words, drop `mam` and fill in every placeholder."""
        words = shlex.split(hint)
        assert words.pop(0) == "mam", hint
        somebody = f"newcomer-{next(self.newcomers)}" if words[:1] == ["join"] or "--id" in words else "ana"
        fill = FILLED | {"NAME": somebody}
        return tuple(
            fill.get(word) or re.sub(r"\bN\b|(?<==)[A-Z]{2,}$", lambda match: fill[match[0]], word) for word in words
        )

    def play(self) -> None:
        """Type a random order: a legal one, a suggested one, or one that may be refused."""
        chance, state = self.rng.random(), self.state
        if chance < 0.3 and state.ruleset is not None:
            command = random_command(state, self.rules.in_force(state.ruleset), self.rng)
            if command is not None:
                self.type(*shlex.split(as_typed(command)), "-e", "fight")
                return
        hints = [hint for hint in self.hints if not hint.startswith("mam undo")]
        if chance < 0.7 and hints:
            self.type(*self.filled(self.rng.choice(hints)))
        else:
            self.type(*self.tried())

    def tried(self) -> Iterator[str]:
        who, foe = self.rng.sample(PEOPLE, 2)
        timeline = self.timeline
        places = {"WHO": who, "FOE": foe, "NTH": str(self.rng.randint(1, timeline.number))}
        places["THING"] = self.rng.choice(("sword", "dirk", "club", "bow", "axe", "teeth", "body"))
        for word in self.rng.choice(TRIED).split():
            yield re.sub(r"WHO|FOE|NTH|THING", lambda match: places[match[0]], word)


def run(where: Path, words: tuple[str, ...]) -> CliResult:
    home = Path.cwd()
    os.chdir(where)
    try:
        result = CliRunner().invoke(main, list(words))
    finally:
        os.chdir(home)
    return CliResult(result.exit_code, result.stdout, result.stderr)


def suggested(result: CliResult) -> Iterator[str]:
    for line in result.err.splitlines():
        label, _, orders = line.partition(": ")
        if label in ("next", "possible now", "undo it", "redo it"):
            yield from orders.split(", or ")


@pytest.mark.parametrize("preset", each_preset(rulebook().presets))
@settings(max_examples=max(1, settings().max_examples // 10))
@given(seed=st.integers(0, 2**32))
def test_every_suggested_command_is_accepted(preset: str, seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder), preset, Random(seed))
        for _ in range(ORDERS):
            table.play()
