"""Routes about the fallen."""

from __future__ import annotations

from projections.state.fallen import Fallen, fallen_in

from mam_events.history.timeline.timeline import Timeline
from web.service.endpoints import endpoint
from web.service.request import RequestContext
from web.service.routes.views import DUEL_EXAMPLE


@endpoint("GET /encounters/{encounter}/fallen", "look", answer=list[Fallen], example=DUEL_EXAMPLE)
def fallen(context: RequestContext, timeline: Timeline) -> list[Fallen]:
    """List who cannot act any more."""
    return fallen_in(timeline.state, context.viewer(timeline).redactor)
