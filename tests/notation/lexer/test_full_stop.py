"""A full stop ends a turn, and is not an order itself."""

from __future__ import annotations

import pytest

from mam_events.commands import Join, Open
from mam_events.errors import BadInput
from mam_events.log.combat_log import CombatLog
from mam_events.notation.context import LineContext
from mam_events.notation.lexer.lexer import orders_in
from mam_events.notation.orders.resolver import resolve_order


def test_a_full_stop_alone_is_not_an_order() -> None:
    """The table asks about it while a line is typed (`.?`)."""
    with CombatLog.open("sqlite://") as log:
        log.execute_all("fight", [Open(), Join("ana", hp=3)])
        state = log.at("fight")
        assert state.ruleset is not None
        with pytest.raises(BadInput, match="no order before the full stop"):
            resolve_order(LineContext(state, log.rules.in_force(state.ruleset)), orders_in(".")[0])
