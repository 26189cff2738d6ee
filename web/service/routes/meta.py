"""Endpoints about the service itself: its health and counters, the editions of the rules, and the caller."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import Struct

from mam_events.errors import NotFound, StoreUnusable
from mam_events.refusals.suggestions import suggestion_text
from mam_events.version import __version__
from web.service.endpoints import Example, Rank, endpoint
from web.service.problems import HttpError
from web.service.request import RequestContext


class Health(Struct, frozen=True):
    """The state of the service, which answers and can read and write its log."""

    status: str
    program: str
    seconds: int


class RulesetView(Struct, frozen=True):
    """An edition of the rules: its name, its description, and the reading of each option."""

    preset: str
    title: str
    sentence: str
    readings: dict[str, str]


class Me(Struct, frozen=True):
    """You, as the service knows you: your rank and your name in the log.

    `encounter` is the one that you may see; "" means all, or for a player all that you play in. You act for
    `combatants`.
    """

    rank: Rank
    name: str
    encounter: str
    combatants: tuple[str, ...]


@endpoint("GET /healthz", "read", rank="anybody", answer=Health, example=Example())
def health(ask: RequestContext) -> Health:
    """Check that the service answers and can read and write its log."""
    ask.log.application.recorder.max_notification_id()
    try:
        ask.log.application.factory.check()
    except StoreUnusable:
        # Anybody may ask, so the names of files are left out.
        sentence = "The files of the store were deleted or replaced. Stop the service and start it again."
        raise HttpError(503, "store_unusable", sentence) from None
    return Health("ok", __version__, int((datetime.now(UTC) - ask.service.began_at).total_seconds()))


@endpoint("GET /rulesets", "read", rank="anybody", answer=list[RulesetView], example=Example())
def rulesets(ask: RequestContext) -> list[RulesetView]:
    """Return the editions of the rules, with the reading of each option."""
    return [_preset(ask, name) for name in ask.log.rules.presets]


@endpoint(
    "GET /rulesets/{preset}", "read", rank="anybody", answer=RulesetView, example=Example(path={"preset": "mam_pools"})
)
def ruleset(ask: RequestContext) -> RulesetView:
    """Return one edition of the rules."""
    name = ask.path["preset"]
    if name not in ask.log.rules.presets:
        raise NotFound(f'There is no preset "{name}". {suggestion_text(name, ask.log.rules.presets)}')
    return _preset(ask, name)


def _preset(ask: RequestContext, name: str) -> RulesetView:
    book = ask.log.rules
    preset = book.presets[name]
    return RulesetView(name, preset.title, preset.sentence, dict(book.defaults(name)))


@endpoint("GET /me", "read", rank="anybody", answer=Me, example=Example())
def me(ask: RequestContext) -> Me:
    """Return your rank, name and combatants, as the service knows you."""
    return Me(ask.who.rank, ask.who.name, ask.who.encounter, ask.who.combatants)
