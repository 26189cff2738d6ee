"""Endpoints that judge the whole store again under other rules, and show the progress."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from web.service.endpoints import Example, endpoint
from web.service.request import RequestContext
from web.service.rerun_jobs import Progress
from web.service.routes.analysis import check_readings


class RerunRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """House rules by option, for all encounters of the store."""

    house_rules: Annotated[dict[str, str], Meta(min_length=1, max_length=50)]


@endpoint(
    "POST /reruns",
    "work",
    rank="gm",
    answer=Progress,
    status=202,
    body=RerunRequest,
    example=Example(body={"house_rules": {"half_success": "never"}}),
)
def rerun(context: RequestContext) -> Progress:
    """Judge all fights of the store again under other rules.

    The answer comes at once; `GET /reruns/{id}` shows the progress.
    """
    body: RerunRequest = context.body
    check_readings(context, body.house_rules)
    return context.service.reruns.begin(body.house_rules)


@endpoint("GET /reruns/{rerun}", "read", rank="gm", answer=Progress, example=Example(path={"rerun": "RERUN"}))
def rerun_progress(context: RequestContext) -> Progress:
    """Return the progress of a re-run and its result: fights that would end differently, hit rates with intervals."""
    return context.service.reruns.find(context.path["rerun"])
