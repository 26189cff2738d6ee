"""Orders with which the game master answers for somebody, or goes on without them; the log records for whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mam_events.decider.checks import require_combatant
from mam_events.events import NotAwaited

if TYPE_CHECKING:
    from mam_events.decider.engine import Decision, Ruleset
    from mam_events.state import Encounter


def with_waiver_check(
    check: Callable[[Encounter, Ruleset, Any], object],
) -> Callable[[Encounter, Ruleset, Any], object]:
    """Wrap the check of such an order so that it also refuses unknown names."""

    def check_without(state: Encounter, ruleset: Ruleset, command: Any) -> object:
        for name in command.without:
            require_combatant(state, name, "without")
        return check(state, ruleset, command)

    return check_without


def with_waiver_event(judge: Callable[[Decision, Any, Any], None]) -> Callable[[Decision, Any, Any], None]:
    """Wrap the judging of such an order so that it also records whom it does not wait for."""

    def judge_without(judging: Decision, command: Any, checked: object) -> None:
        judge(judging, command, checked)
        if command.without:
            judging.record(NotAwaited(command.exchange, command.without))

    return judge_without
