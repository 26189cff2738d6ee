"""Analysis endpoints: odds of an order, the fight under other rules, explanations of numbers and rulings."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, to_builtins

from mam_events.commands import Command, Join, Resolve
from mam_events.decider.checks import require_combatant
from mam_events.errors import BadInput
from mam_events.history.judge.what_if import rejudge_under
from mam_events.history.timeline.moments import place_at
from mam_events.history.timeline.rulings import rulings
from mam_events.refusals.suggestions import suggestion_text
from mam_events.state import Encounter
from projections.analysis.attribute_history import AttributeHistory, attribute_history
from projections.analysis.odds import Odds
from projections.analysis.order_odds import order_odds
from projections.analysis.ruling_explanation import RulingExplanation, explain_ruling
from projections.analysis.what_if import WhatIf, what_if
from projections.rulings.index import RulingIndex
from projections.state.attributes import Attribute, attributes, shown_attributes
from projections.state.pools import PoolStanding, pool_standings
from web.service.endpoints import Example, endpoint
from web.service.request import RequestContext
from web.service.routes.commands import DUEL
from web.service.routes.views import AtQuery, ViewQuery


class OddsAnswer(Struct, frozen=True):
    """The odds of an order if it were judged now."""

    encounter: str
    odds: Odds


class WhatIfRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """House rules by option; with `since` they hold only from that ruling on."""

    house_rules: Annotated[dict[str, str], Meta(min_length=1, max_length=50)]
    since: Annotated[int, Meta(ge=0)] = 0


class WhatIfAnswer(Struct, frozen=True):
    """The fight under other rules compared with the fight as played, with the final state of all combatants in both."""

    what: WhatIf
    played: list[PoolStanding]
    supposed: list[PoolStanding]


class ExplainQuery(ViewQuery, frozen=True, kw_only=True):
    """A question: a combatant's number (`clone.stun`), a combatant, or a ruling (`17`), and optionally a moment."""

    what: str
    at: AtQuery = ""


class NumbersAnswer(Struct, frozen=True):
    """The numbers of a combatant that can be explained."""

    combatant: str
    numbers: dict[str, Attribute]


@endpoint(
    "POST /encounters/{encounter}/odds",
    "work",
    expensive=True,
    answer=OddsAnswer,
    body=Command,
    query=ViewQuery,
    example=Example(path=DUEL, body={"do": "attack", "attacker": "modre", "target": "clone", "power": 1}),
)
def odds(context: RequestContext) -> OddsAnswer:
    """Return the odds of each outcome of an order; each possible roll is judged as the order itself would be.

    An order that begins an exchange is taken to be resolved as it stands; `{"do": "resolve", "exchange": N}` asks for
    an exchange that is open.
    """
    (command,) = context.body
    timeline = context.log.timeline(context.encounter)
    viewer = context.viewer(timeline)
    if isinstance(command, Join):
        # A join has no odds, and trying ids must not reveal which ones are taken.
        context.check("gm", "Only the game master may order a join.")
    if not isinstance(command, Resolve) and context.who.combatants:
        context.who.rights.check_order(timeline, command, context.log.rules)
    viewer.check_named(command, command.__struct_fields__)
    redactor = viewer.quoting(to_builtins(command), supposed=True)
    answer = order_odds(timeline, context.log.rules, timeline.state, redactor, command)
    return OddsAnswer(context.encounter, answer)


@endpoint(
    "POST /encounters/{encounter}/whatif",
    "work",
    expensive=True,
    answer=WhatIfAnswer,
    body=WhatIfRequest,
    query=ViewQuery,
    example=Example(path=DUEL, body={"house_rules": {"half_success": "never"}}),
)
def whatif(context: RequestContext) -> WhatIfAnswer:
    """Judge the fight again under other rules, and return the differences and their reasons; nothing is written.

    Dice that are not in the log come from a public source and are marked as such. No die is shown that the fight may
    draw later.
    """
    body: WhatIfRequest = context.body
    book, timeline = context.log.rules, context.log.timeline(context.encounter)
    check_readings(context, body.house_rules)
    viewer = context.viewer(timeline)
    first = body.since
    if first:
        viewer.check_shown(first)
    place = place_at(timeline, first, viewer.sees) + (first not in timeline.place) if first else 0
    supposition = rejudge_under(timeline, book, body.house_rules, first=place)
    pinned = supposition.before.ruleset
    difference = what_if(timeline, supposition, book.in_force(pinned) if pinned else {}, viewer.redactor)
    return WhatIfAnswer(
        difference, *(pool_standings(state, viewer.redactor) for state in (supposition.played, supposition.supposed))
    )


def check_readings(context: RequestContext, house_rules: dict[str, str]) -> None:
    """Raise BadInput for an unknown option or an unknown reading of it."""
    options = context.log.rules.options
    for option, reading in house_rules.items():
        if option not in options:
            raise BadInput(f'There is no option "{option}". {suggestion_text(option, options)}', place="house_rules")
        if reading not in options[option].readings:
            near = suggestion_text(reading, options[option].readings)
            raise BadInput(f'{option} cannot be "{reading}". {near}', place="house_rules")


@endpoint(
    "GET /encounters/{encounter}/explain",
    "work",
    expensive=True,
    answer=AttributeHistory | RulingExplanation | NumbersAnswer,
    query=ExplainQuery,
    example=Example(path=DUEL, query={"what": "clone.stun"}),
)
def explain(context: RequestContext) -> AttributeHistory | RulingExplanation | NumbersAnswer:
    """Explain a number (`what=clone.stun`) or a ruling (`what=17`).

    The changes of a number sum to it. For a ruling the answer names the smallest change of a die that would have
    changed the outcome.
    """
    query: ExplainQuery = context.query
    timeline = context.log.timeline(context.encounter)
    viewer = context.viewer(timeline)
    index = RulingIndex(rulings(timeline), viewer.redactor)
    what = query.what.removeprefix("#")
    if what.isascii() and what.isdecimal() and len(what) <= 9:  # noqa: PLR2004 - as long as any number of a ruling
        viewer.check_shown(int(what))
        return explain_ruling(timeline, index, int(what), lambda: context.log.rules)
    who, _, number = what.partition(".")
    place = place_at(timeline, query.at, viewer.sees) if query.at else len(timeline.order) - 1
    state = timeline.states[place]
    require_combatant(Encounter(combatants={one.id: one for one in viewer.redactor.combatants(state)}), who)
    values = attributes(state, viewer.redactor)[who]
    if not number:
        return NumbersAnswer(who, shown_attributes(values))
    if number not in values:
        raise BadInput(f"{who} has no such number. Known: {', '.join(values)}.", place="what")
    return attribute_history(timeline, index, who, number, place)
