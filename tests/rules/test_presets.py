"""Presets, presets based on others, contradictory readings, and the names of house rules."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from mam_events.commands import ChangeRules, Open
from mam_events.decider.ruleset_data import Exclusion, Option, Preset
from mam_events.errors import Refused
from mam_events.events import EncounterOpened
from mam_events.rules.rulebook import Rulebook, rulebook
from mam_events.state import EMPTY_ENCOUNTER
from tests.fighters import DUEL
from tests.spec import given

OPTIONS = {
    "die": Option("Which die.", {"six": "", "twenty": ""}, {"below": "six"}, ("MAM-ROLL-01",)),
    "doubling": Option("When.", {"on": "", "off": ""}, {"below": "off", "above": "on"}, ("MAM-ATK-10",)),
    "speed": Option("How fast.", {"slow": "", "quick": ""}, {"above": "slow"}, ("MAM-TURN-02",)),
}
PRESETS = {
    "below": Preset("", "", edition="pools"),
    "above": Preset("", "", over="below", readings={"die": "twenty"}),
    "highest": Preset("", "", over="above", readings={"speed": "quick"}),
}
COLUMN = {
    "all_hp_lost_state": "incapacitated",
    "automatic_success_in_opposed_rolls": "attacker_only",
    "body_modifier": "separate_attack_defense",
    "combat_die": "d20",
    "damage_when_none_available": "draw_from_stun",
    "defense_resolution": "fixed_difficulty",
    "encumbrance_shortfall": "must_drop_equipment",
    "grapple_shortfall": "hold_breaks",
    "half_order": "split_then_half",
    "half_rounding": "up",
    "half_success": "never",
    "ineffective_counter_defends": "no",
    "initial_pools": "all_ready",
    "initiative_method": "circumstance_then_dice",
    "interference_hp_cap_base": "direct_target",
    "interference_roll": "versus_fixed_difficulty",
    "interference_tie": "target_prevails",
    "parry_modifiers": "include_weapon_modifier",
    "passive_modifier": "defense_pool_plus_bonuses",
    "positive_sharpness": "cap_at_penetrating",
    "reach_tie": "circumstance",
    "reserve_shortfall_priority": "player_choice",
    "round_boundary": "turn_start_to_turn_start",
    "single_athletic_ability": "missing_counts_zero",
    "stun_damage_split": "penetrating_split",
    "stun_overflow": "per_point",
    "stun_recovery_timing": "turn_end",
    "surprise_order": "surprisers_first_then_clockwise",
    "wound_order": "stun_first",
}
NO_FIVES = Exclusion({"die": ("six",), "doubling": ("on",), "speed": ("slow", "quick")}, "a six is no thirteen")


def book(*exclusions: Exclusion, presets: Mapping[str, Preset] = PRESETS) -> Rulebook:
    return Rulebook(OPTIONS, presets, rulebook().tables, exclusions)


def test_a_preset_overrides_its_base() -> None:
    assert book().defaults("below") == {"die": "six", "doubling": "off"}
    assert book().defaults("above") == {"die": "twenty", "doubling": "on", "speed": "slow"}
    assert book().defaults("highest") == {"die": "twenty", "doubling": "on", "speed": "quick"}
    assert book().ruleset("highest").edition.name == "pools"


@pytest.mark.parametrize(
    ("preset", "why"),
    [
        (Preset("", "", over="nowhere"), "lies over nowhere"),
        (Preset("", "", over="odd"), "lies over odd"),
        (Preset("", "", over="below", readings={"die": "eight"}), "reading eight"),
        (Preset("", "", over="below", readings={"dice": "six"}), "reading six"),
    ],
)
def test_an_invalid_preset_is_an_error(preset: Preset, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        book(presets=PRESETS | {"odd": preset})


def test_contradictory_readings_are_refused_with_all_their_names() -> None:
    with pytest.raises(Refused) as error:
        book(NO_FIVES).ruleset("above", {"die": "six"})
    assert (error.value.code, error.value.fields) == ("options_exclude", ("die", "doubling", "speed"))
    assert '"die" read as "six", "doubling" read as "on" and "speed" read as "slow"' in error.value.sentence
    assert "a six is no thirteen" in error.value.sentence
    assert book(NO_FIVES).ruleset("above", {"die": "six", "doubling": "off"})["die"] == "six"


def test_an_exclusion_is_ignored_if_an_option_has_no_meaning() -> None:
    assert book(NO_FIVES).ruleset("below", {"doubling": "on"})["doubling"] == "on"
    unknown = Exclusion({"die": ("six",), "not_there_yet": ("on",)}, "later")
    assert book(unknown).ruleset("below")["die"] == "six"


def test_contradictory_changes_of_rules_are_refused() -> None:
    rules = book(NO_FIVES)
    pinned = rules.ruleset("above", {"die": "six", "doubling": "off"}, "ours").pinned
    with pytest.raises(Refused, match="cannot be combined"):
        rules.changed(pinned, {"doubling": "on"})
    changed_rules = rules.changed(pinned, {"die": "twenty", "doubling": "on"}).pinned
    assert (changed_rules.name, changed_rules.readings) == (
        "ours",
        {"die": "twenty", "doubling": "on", "speed": "slow"},
    )


def test_no_preset_contradicts_itself_and_every_exclusion_is_valid() -> None:
    for preset in rulebook().presets:
        rulebook().ruleset(preset)
    for exclusion in rulebook().exclusions:
        assert len(exclusion.readings) > 1
        assert exclusion.readings.keys() & rulebook().options.keys()
        for name in exclusion.readings.keys() & rulebook().options.keys():
            assert set(exclusion.readings[name]) <= rulebook().options[name].readings.keys()


def test_the_speed_preset_matches_the_option_index() -> None:
    assert COLUMN.items() <= rulebook().defaults("mam_speed").items()


@pytest.mark.parametrize(
    "option",
    ["reaction_hp_cap", "ready_refresh_cap", "ready_refresh_amount", "pool_counterattack", "parry_point_pool"],
)
def test_an_option_without_meaning_in_speed_rules_is_refused(option: str) -> None:
    reading = next(iter(rulebook().options[option].readings))
    for preset in ("mam_speed", "mam_d20"):
        assert option not in rulebook().defaults(preset)
        with pytest.raises(Refused) as error:
            rulebook().ruleset(preset, {option: reading})
        assert error.value.code == "option_without_meaning"


def test_the_d20_preset_differs_from_speed_only_in_its_own_readings() -> None:
    speed, d20 = rulebook().defaults("mam_speed"), rulebook().defaults("mam_d20")
    readings = rulebook().presets["mam_d20"].readings
    assert d20 == {**speed, **readings}
    assert readings["stun_damage_split"] == "sharpness_class"
    assert rulebook().ruleset("mam_d20").edition is rulebook().ruleset("mam_speed").edition


def test_the_fingerprint_depends_on_the_rules_and_not_the_name() -> None:
    plain_rules, named_rules = (
        rulebook().ruleset("mam_pools", {"half_success": "never"}, name).pinned for name in ("", "ours")
    )
    assert (plain_rules.name, named_rules.name) == ("", "ours")
    assert plain_rules.fingerprint == named_rules.fingerprint != rulebook().ruleset("mam_pools").pinned.fingerprint
    assert [rulebook().in_force(pinned).pinned.name for pinned in (plain_rules, named_rules)] == ["", "ours"]


def test_an_option_newer_than_the_log_has_the_default_of_its_preset() -> None:
    old = rulebook().ruleset("mam_d20").pinned
    readings = {name: reading for name, reading in old.readings.items() if name != "stun_damage_split"}
    younger = type(old)("mam_d20", readings, "0" * 64)
    assert rulebook().in_force(younger)["stun_damage_split"] == "sharpness_class"
    options = rulebook().changed(younger, {"half_rounding": "down"})
    assert (options["stun_damage_split"], options["half_rounding"]) == ("sharpness_class", "down")


def test_opening_records_the_name_and_every_reading() -> None:
    fight = given()
    fight.state = EMPTY_ENCOUNTER
    pinned = fight.when(Open(preset="mam_d20", ruleset="our-table")).one(EncounterOpened).ruleset
    assert (pinned.preset, pinned.name) == ("mam_d20", "our-table")
    assert pinned.readings == dict(rulebook().defaults("mam_d20"))


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (ChangeRules({}, "so be it"), "nothing_to_change"),
        (ChangeRules({"half_success": "never"}, " "), "reason_missing"),
        (ChangeRules({"half_succes": "never"}, "so be it"), "unknown_option"),
        (ChangeRules({"half_success": "nevr"}, "so be it"), "unknown_reading"),
    ],
)
def test_an_invalid_change_of_rules_is_refused(command: ChangeRules, code: str) -> None:
    given(*DUEL).when(command).raises(code)
