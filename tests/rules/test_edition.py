"""An edition is put together from modules of rules, each of which has its commands to itself."""

from __future__ import annotations

from types import ModuleType

import pytest

from mam_events.commands import Attack
from mam_events.rules import attack, checks, manipulation
from mam_events.rules.edition import Edition
from mam_events.rules.turn_phases import POINTS


def house_module() -> ModuleType:
    module = ModuleType("house.duels")
    module.__dict__.update(REVISION=3, MECHANICS=(attack.MECHANICS[0],))
    return module


def test_an_edition_holds_the_mechanics_and_revisions_of_its_modules() -> None:
    edition = Edition("duels", POINTS, (checks, house_module()))
    assert edition.mechanics == {Attack: attack.MECHANICS[0]}
    assert edition.revisions == {"checks": checks.REVISION, "duels": 3}


def test_an_edition_finds_the_hooks_of_its_modules_in_their_order() -> None:
    module = house_module()
    module.__dict__.update(MECHANICS=(), AT_ROLL=(print,))
    edition = Edition("duels", POINTS, (manipulation, module))
    assert edition.at_roll == (*manipulation.AT_ROLL, print)
    assert edition.after_blows == manipulation.AFTER_BLOWS
    assert edition.at_wound == ()


def test_no_two_modules_of_an_edition_claim_the_same_command() -> None:
    with pytest.raises(ValueError, match=r"^Attack is claimed by mam_events\.rules\.attack and by house\.duels$"):
        Edition("duels", POINTS, (attack, house_module()))
