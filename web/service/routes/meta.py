"""About the service itself: how it is, what it counts, the rules it judges by, who you are to it."""

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
    """The service lives, and its log can be read and written to."""

    status: str
    program: str
    seconds: int


class RulesetView(Struct, frozen=True):
    """An edition of the rules: its name, what it is, and how each option is read in it."""

    preset: str
    title: str
    sentence: str
    readings: dict[str, str]


class Me(Struct, frozen=True):
    """You, to the service: your rank, your name in the log, your encounter ("": all, or all in which you play), for
    whom you act.
    """

    rank: Rank
    name: str
    encounter: str
    combatants: tuple[str, ...]


@endpoint("GET /healthz", "read", rank="anybody", answer=Health, example=Example())
def health(ask: RequestContext) -> Health:
    """The service lives, and its log can be read and written to."""
    ask.log.application.recorder.max_notification_id()
    try:
        ask.log.application.factory.check()
    except StoreUnusable:
        # Anybody may ask, so the names of files are left out.
        sentence = "The files of the store were deleted or replaced; end the service, then start it again."
        raise HttpError(503, "store_unusable", sentence) from None
    return Health("ok", __version__, int((datetime.now(UTC) - ask.desk.began_at).total_seconds()))


@endpoint("GET /rulesets", "read", rank="anybody", answer=list[RulesetView], example=Example())
def rulesets(ask: RequestContext) -> list[RulesetView]:
    """The editions of the rules, with how every option is read in each."""
    return [_preset(ask, name) for name in ask.log.rules.presets]


@endpoint(
    "GET /rulesets/{preset}", "read", rank="anybody", answer=RulesetView, example=Example(path={"preset": "mam_pools"})
)
def ruleset(ask: RequestContext) -> RulesetView:
    """One edition of the rules."""
    name = ask.path["preset"]
    if name not in ask.log.rules.presets:
        raise NotFound(f'There is no preset "{name}"; {suggestion_text(name, ask.log.rules.presets)}')
    return _preset(ask, name)


def _preset(ask: RequestContext, name: str) -> RulesetView:
    book = ask.log.rules
    preset = book.presets[name]
    return RulesetView(name, preset.title, preset.sentence, dict(book.defaults(name)))


@endpoint("GET /me", "read", rank="anybody", answer=Me, example=Example())
def me(ask: RequestContext) -> Me:
    """Your rank, name and combatants, as the service knows you."""
    return Me(ask.who.rank, ask.who.name, ask.who.encounter, ask.who.combatants)
