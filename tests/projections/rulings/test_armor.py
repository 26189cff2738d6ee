"""Armor in the log and the audit: layers, dice of its own, and confirmations."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from mam_events.commands import Attack, Close, Command, Counterattack, Open, Resolve
from mam_events.fights import load_fight, play, read_fight, write_fight
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from mam_events.verification.verifier import verify
from projections.rulings import audit, log_lines
from tests.fighters import CLONE, MODRE, duel_orders
from tests.projections.conftest import GOLDEN
from tests.rules.fights.armor import BLADE, MAIL

LAYERS = Path(__file__).parents[3] / "examples" / "layers.toml"


def lines(log: CombatLog, encounter: str) -> list[str]:
    return [log_lines.log_line_text(line) for line in log_lines.log_lines(rulings(log.timeline(encounter)))]


def entries(log: CombatLog, encounter: str) -> list[audit.AuditEntry]:
    return audit.audit_trail(rulings(log.timeline(encounter)))


def test_the_layered_armor_example_matches_its_golden_texts(log: CombatLog) -> None:
    play(log, load_fight(LAYERS))
    outputs = {"log": lines(log, "layers"), "audit": [audit.audit_text(entry) for entry in entries(log, "layers")]}
    for name, texts in outputs.items():
        golden = (GOLDEN / f"layers.{name}.txt").read_text(encoding="utf-8")
        assert "".join(f"{text}\n" for text in texts) == golden


def fought(log: CombatLog, rules: dict[str, str], *commands: Command) -> str:
    """Return the texts of the log and the audit about the last of those orders."""
    for command in (Open(house_rules=rules), *commands):
        log.execute("fight", command)
    return f"{lines(log, 'fight')[-1]}\n{audit.audit_text(entries(log, 'fight')[-1])}"


ARMORED = duel_orders(clone=replace(CLONE, armor=(MAIL,)))


def test_an_armor_die_is_shown_and_written_to_a_fight_file(log: CombatLog) -> None:
    rules = {"armour_roll_source": "separate_die", "combat_die": "d20_substitute"}
    fight_text = fought(log, rules, *ARMORED, BLADE, Resolve(6, 9, 3, armor_die={"clone": 2}))
    assert "mail [2]: no block · hit" in fight_text
    assert (
        "Clone rolls 2 (thrown) for the armor, worth 4 against mail (cover 3): nothing blocks (MAM-ARM-02)."
        in fight_text
    )
    (roll,) = (roll for roll in entries(log, "fight")[-1].rolls if roll.what == "armor")
    assert (roll.combatant, roll.face, roll.kind) == ("clone", 2, "d10")
    text = write_fight(log.timeline("fight"), "again")
    assert "armor_die = { clone = 2 }" in text
    play(log, read_fight(text))
    assert lines(log, "again") == lines(log, "fight")


def test_a_confirmation_die_is_shown_and_written_to_a_fight_file(log: CombatLog) -> None:
    rules = {"combat_die": "d20_substitute", "automatic_success_in_opposed_rolls": "attacker_only"}
    fight_text = fought(log, rules, *ARMORED, BLADE, Resolve(6, 10, 3, confirmation_die={"attack": 7}))
    assert "[10]→20+2+1 = 23 (then [7]) vs [3]→6 = 6" in fight_text
    assert "Modre rolls 10 (thrown) for the attack, worth 20, then 7 (thrown), +1 Ice Blade (MAM-ATK-02)" in fight_text
    assert [roll.what for roll in entries(log, "fight")[-1].rolls] == ["attack", "confirmation", "defense"]
    text = write_fight(log.timeline("fight"), "again")
    assert "confirmation_die = { attack = 7 }" in text
    play(log, read_fight(text))
    assert lines(log, "again") == lines(log, "fight")


def test_drawn_dice_of_all_kinds_are_verified(log: CombatLog) -> None:
    rules = {"armour_roll_source": "separate_die", "combat_die": "d20_substitute", "substitute_die": "d6"}
    commands = (Open(house_rules=rules), *ARMORED, BLADE, Resolve(6), Close())
    for n in range(12):
        for command in commands:
            log.execute(f"fight-{n}", command)
        verification = verify(log.application.rows(f"fight-{n}"))
        assert verification.proven == verification.drawn >= 2  # attack and defense at least
    rolls = [roll for n in range(12) for roll in entries(log, f"fight-{n}")[-2].rolls]
    assert {roll.what for roll in rolls} == {"attack", "defense", "confirmation", "armor"}
    assert {roll.source for roll in rolls} == {"drawn"}


@pytest.mark.parametrize(("faces", "is_absorbed"), [((1, 4), True), ((5, 1), False)])
def test_armor_against_a_counterattack_is_named_with_its_owner(
    log: CombatLog, faces: tuple[int, int], *, is_absorbed: bool
) -> None:
    striking = (
        *duel_orders(replace(MODRE, armor=(MAIL,))),
        Attack("modre", "clone", "ice-blade", power=3),
        Counterattack("clone", 6, power=3),
    )
    assert ("Modre's mail absorbs 2" in fought(log, {}, *striking, Resolve(6, *faces))) is is_absorbed
