"""Text for pages: escaped, with right-to-left names isolated."""

from __future__ import annotations

import re
from html import escape

from mam_events.sanitize import RIGHT_TO_LEFT

_RUN = re.compile(f"[{RIGHT_TO_LEFT}](?:(?:[ ’\u200c\u200d-]|&#x27;|&quot;)?[{RIGHT_TO_LEFT}])*")


def escape_markup(text: str) -> str:
    """Return the text as markup in which an arrow between two Hebrew names points from the first to the second."""
    return _RUN.sub(r"<bdi>\g<0></bdi>", escape(text))
