"""Events of the bookkeeping that a correction adds so that older rulings still count."""

from msgspec.structs import replace

from mam_events.events.base import Event
from mam_events.state import Encounter
from mam_events.state.updates import exchange_over
from mam_events.values import RulingRef


class OrderKept(Event, frozen=True):
    """In this round turns come in the order in which they were played, even if the order has changed since."""

    def apply(self, state: Encounter) -> Encounter:
        return replace(state, order_kept=True)


class ExchangeLeft(Event, frozen=True):
    """An exchange, or an action of Ron d6, ended without a result: its resolution is no longer on record."""

    exchange: RulingRef

    def apply(self, state: Encounter) -> Encounter:
        window = state.window
        if window.action(self.exchange) is None:
            return exchange_over(state, self.exchange, was_made=False)
        return replace(state, window=window.settle(self.exchange))
