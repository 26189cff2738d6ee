"""The policy of simulated fights."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from mam_events.autoplay import POLICY_FIELDS, POLICY_SENTENCE, choose_command
from mam_events.commands import Attack, Command, Defend
from mam_events.decider.decide import legal_commands
from mam_events.fights import load_fight, play
from mam_events.log.combat_log import CombatLog

PARTY = Path(__file__).parents[1] / "examples" / "party.toml"


@pytest.mark.parametrize("seed", range(6))
def test_a_fight_by_the_policy_is_legal_and_ends_with_one_side(seed: int) -> None:
    random = Random(seed)
    with CombatLog.open("sqlite://", entropy=random.randbytes) as log:
        play(log, replace(load_fight(PARTY), lines=()), "fight")
        commands: list[Command] = []
        while True:
            state = log.at("fight")
            assert state.ruleset is not None
            rules = log.rules.in_force(state.ruleset)
            legal = list(legal_commands(state, rules))
            command = choose_command(state, rules, legal, Random(seed + len(commands)))
            assert command == choose_command(state, rules, legal, Random(seed + len(commands)))
            if command is None:
                break
            if isinstance(command, Attack):
                sides = [state.combatants[who].side for who in (command.attacker, command.target)]
                assert sides[0] != sides[1]
            commands.append(command)
            assert len(commands) < 300
            log.execute("fight", command)
        able = {one.side for one in log.at("fight").combatants.values() if one.condition == "able"}
        assert len(able) < 2
        assert {Attack, Defend} <= {type(command) for command in commands}


def test_the_docs_describe_the_policy() -> None:
    assert POLICY_SENTENCE in " ".join((PARTY.parents[1] / "docs" / "cli.md").read_text(encoding="utf-8").split())
    assert "adjust" not in POLICY_FIELDS
