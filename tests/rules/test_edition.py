"""Editions: made of sections of the rules, each with its own commands."""

from __future__ import annotations

import pytest

from mam_events.commands import Attack
from mam_events.decider.engine import Edition, RuleModule
from mam_events.rules.attack import attacks
from mam_events.rules.rolls import effects
from mam_events.rules.turns.point_economy import POINTS

DUELS = RuleModule(mechanics=attacks.SECTION.mechanics, at_roll=(print,))


def test_an_edition_has_the_mechanics_and_hooks_of_its_sections() -> None:
    edition = Edition.of("duels", POINTS, (effects.SECTION, DUELS))
    assert list(edition.mechanics.values()) == [*effects.SECTION.mechanics, *DUELS.mechanics]
    assert edition.mechanics[Attack] == attacks.SECTION.mechanics[0]
    assert edition.at_roll == (*effects.SECTION.at_roll, print)
    assert edition.check_modifiers == effects.SECTION.check_modifiers
    assert edition.at_wound == ()


def test_two_sections_with_the_same_command_are_an_error() -> None:
    with pytest.raises(ValueError, match=r"^two sections of duels claim Attack$"):
        Edition.of("duels", POINTS, (attacks.SECTION, DUELS))


def test_a_repeated_section_and_an_unknown_hook_are_errors() -> None:
    with pytest.raises(ValueError, match=r"^section 1 of duels stands there twice$"):
        Edition.of("duels", POINTS, (effects.SECTION, effects.SECTION))
    with pytest.raises(TypeError, match="at_rolls"):
        RuleModule(at_rolls=(print,))  # type: ignore[call-arg]
