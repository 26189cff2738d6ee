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


class RulesetAnswer(Struct, frozen=True):
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
def health(context: RequestContext) -> Health:
    """Check that the service answers and can read and write its log."""
    context.log.application.recorder.max_notification_id()
    try:
        context.log.application.factory.check()
    except StoreUnusable:
        # Anybody may ask, so don't name the files.
        sentence = "The files of the store were deleted or replaced. Stop the service and start it again."
        raise HttpError(503, "store_unusable", sentence) from None
    return Health("ok", __version__, int((datetime.now(UTC) - context.service.began_at).total_seconds()))


@endpoint("GET /rulesets", "read", rank="anybody", answer=list[RulesetAnswer], example=Example())
def rulesets(context: RequestContext) -> list[RulesetAnswer]:
    """Return the editions of the rules, with the reading of each option."""
    return [_preset(context, name) for name in context.log.rules.presets]


@endpoint(
    "GET /rulesets/{preset}",
    "read",
    rank="anybody",
    answer=RulesetAnswer,
    example=Example(path={"preset": "mam_pools"}),
)
def ruleset(context: RequestContext) -> RulesetAnswer:
    """Return one edition of the rules."""
    name = context.path["preset"]
    if name not in context.log.rules.presets:
        raise NotFound(f'There is no preset "{name}". {suggestion_text(name, context.log.rules.presets)}')
    return _preset(context, name)


def _preset(context: RequestContext, name: str) -> RulesetAnswer:
    book = context.log.rules
    preset = book.presets[name]
    return RulesetAnswer(name, preset.title, preset.sentence, dict(book.defaults(name)))


@endpoint("GET /me", "read", rank="anybody", answer=Me, example=Example())
def me(context: RequestContext) -> Me:
    """Return your rank, name and combatants, as the service knows you."""
    return Me(context.who.rank, context.who.name, context.who.encounter, context.who.combatants)
