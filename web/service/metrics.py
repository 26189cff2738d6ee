"""Metrics of the service: requests and their duration, rulings, streams, waiting orders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.responses import Response

if TYPE_CHECKING:
    from web.service.context import ServiceContext

LATENCY_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5)


class Metrics:
    """The metrics of one service; no label has the name of a fight or a person."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self._asked = Counter("mam_requests", "Requests, by call and status", ("call", "status"), registry=registry)
        self._took = Histogram(
            "mam_request_seconds", "Seconds of a request", ("call",), registry=registry, buckets=LATENCY_BUCKETS
        )
        self._rulings = Counter("mam_rulings", "Rulings written", registry=registry)
        self._repeated = Counter("mam_repeated", "Orders that were already written", registry=registry)
        self._streams = Gauge("mam_streams", "Open streams", registry=registry)
        self._waiting = Gauge("mam_orders_waiting", "Orders waiting to be written", registry=registry)

    def count_request(self, call: str, status: int, seconds: float) -> None:
        """Count one request."""
        self._asked.labels(call, status).inc()
        self._took.labels(call).observe(seconds)

    def count_write(self, result: Any) -> None:
        """Count the rulings that were written, or a repeated order."""
        if getattr(result, "repeated", False):
            self._repeated.inc()
        else:
            self._rulings.inc(len(getattr(result, "rulings", ())))

    def response(self, service: ServiceContext) -> Response:
        """Return all metrics in the Prometheus format."""
        self._streams.set(service.feed.open)
        self._waiting.set(service.writer.waiting())
        return Response(generate_latest(self._registry), media_type=CONTENT_TYPE_LATEST)
