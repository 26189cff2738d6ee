"""Command ids: of what was sent as one each part has an id of its own, and none stands in the log as it was given."""

from __future__ import annotations

import hashlib
import re

NTH = re.compile(r"\.[0-9]+\Z")
"""The end of the id of a part, but for the first."""


def batch_member_id(command_id: str, at: int) -> str:
    """The command id of the ruling at that place, 1 or more, among those that were sent under one."""
    return f"{command_id}.{at}" if command_id and at > 1 else command_id


def stored_id(command_id: str) -> str:
    """The form in which an id stands in the log: hashed, but for the place of a part.

    What was asked stands there as a hash that has the id in it. Who sees both, and not all that was asked, can try no
    guess at the rest without the id itself.
    """
    whole = NTH.sub("", command_id)
    return hashlib.sha256(whole.encode()).hexdigest()[:32] + command_id[len(whole) :] if command_id else ""
