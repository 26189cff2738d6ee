"""The service for the tests of its clients."""

from __future__ import annotations

from tests.service.conftest import encounter, shared_service

__all__ = ["encounter", "shared_service"]
