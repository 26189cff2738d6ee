"""The service that the tests of its clients ask."""

from __future__ import annotations

from tests.service.conftest import encounter, serving

__all__ = ["encounter", "serving"]
