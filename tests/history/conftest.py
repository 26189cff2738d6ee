"""The fixtures of the log."""

from tests.log.conftest import log, path, printed

__all__ = ["log", "path", "printed"]
