"""The fields of an order that only the log can fill: a commitment, a seed, a sheet, and who is not waited for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mam_events.commands import Close, Command, Open, Resolve, accepts_without, actor_of, exchange_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from mam_events.history.judge.judge import EncounterJudge
    from mam_events.log.draft import RulingDraft


def fill_log_fields(command: Command, judge: EncounterJudge, draft: RulingDraft) -> Command:
    """Return an order with the commitment of an opening, or the seed that a closing reveals."""
    if isinstance(command, Open):
        return replace(command, commitment=draft.commit())
    if isinstance(command, Close):
        return replace(command, seed=judge.seed())
    return command


def with_not_awaited(command: Command, judge: EncounterJudge, tokens: Callable[[], list[bytes]]) -> Command:
    """Return an order of the game master with the list of players' combatants that it doesn't wait for.

    Those have a player according to `tokens`, and the game master answers for them, or they could still react or throw
    when the exchange is resolved.
    """
    state, encounter = judge.timeline.state, judge.timeline.id
    if not accepts_without(type(command)) or state.ruleset is None or state.exchange is None:
        return command
    if state.exchange.id != exchange_of(command, 0):
        return command
    from mam_events.tokens import decode_token, players_of  # noqa: PLC0415 - a fight without tokens needs no hashes

    owners = players_of(map(decode_token, tokens()), encounter, state.combatants)
    if not owners:
        return command
    others = [actor_of(command)]
    if isinstance(command, Resolve):
        from mam_events.rules.exchanges.resolve_dice import named_faces  # noqa: PLC0415 - the rules load slowly
        from mam_events.rules.exchanges.throw_die import awaited_parts  # noqa: PLC0415 - as above

        waits, faces = awaited_parts(state, judge.ruleset(state)), named_faces(command)
        others = [waits.reaction, *(who for roll, who in waits.dice.items() if roll not in faces)]
    waived: tuple[str, ...] = getattr(command, "without")  # noqa: B009 - the orders with this field share no base class
    return replace(command, without=tuple(dict.fromkeys((*waived, *(who for who in others if who in owners)))))
