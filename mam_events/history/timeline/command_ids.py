"""Command ids: each part of a batch has an id of its own, and the log stores no id as it was given."""

from __future__ import annotations

import hashlib
import re

NTH = re.compile(r"\.[0-9]+\Z")
"""The end of the id of a part; the first part has none."""


def batch_member_id(command_id: str, at: int) -> str:
    """Return the command id of the ruling at that place, counted from 1, of a batch with that id."""
    return f"{command_id}.{at}" if command_id and at > 1 else command_id


def stored_id(command_id: str) -> str:
    """Return the form in which the log stores an id: hashed, except for the place of a part.

    The request is stored as a hash that includes the id. Somebody who sees both hashes, but not the whole request,
    can't verify guesses at the rest without the id itself.
    """
    id_ = NTH.sub("", command_id)
    return hashlib.sha256(id_.encode()).hexdigest()[:32] + command_id[len(id_) :] if command_id else ""
