"""Errors of corrections."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mam_events.errors import Refused
from mam_events.log.combat_log import CombatLog

Printed = Callable[[str], CombatLog]


def refusal(code: str, work: Callable[[], object]) -> Refused:
    """Assert that the work is refused with this code, and return the error."""
    with pytest.raises(Refused) as error:
        work()
    assert error.value.code == code, error.value.sentence
    return error.value
