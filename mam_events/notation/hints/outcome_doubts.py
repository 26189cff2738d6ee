"""The answer to a sentence that the last attack should have come out otherwise: how to amend it."""

from __future__ import annotations

from collections.abc import Mapping

from mam_events.errors import BadInput
from mam_events.notation.lexer.lexer import ParsedOrder

_DOUBTED: Mapping[str, str] = {
    **dict.fromkeys(("missed", "miss", "misses", "failed", "fail", "fails"), "fail"),
    **dict.fromkeys(("hit", "succeeded"), "hit"),
}
"""Words for an outcome in such a sentence, and the outcome."""
_DOUBTS = ("should", "had", "would")
"""Words for what was not so, one of which is needed before an outcome that is also an order."""
_NEVER = ("not", "never", "nobody")
_LONGEST = 10


def doubts_outcome(parsed: ParsedOrder) -> bool:
    """Return True for a sentence without numbers such as `that should have missed` or `anna missed`."""
    return bool(_outcome_in(parsed))


def outcome_doubt_error(parsed: ParsedOrder, last: int) -> BadInput:
    """Return the error for such a sentence; `last` is the ruling of the last outcome."""
    message = (
        f"To change how ruling {last} came out, type amend {last} {_outcome_in(parsed)}. To undo it, type u {last}."
    )
    return BadInput(message, wrong=parsed.words[0].word)


def _outcome_in(parsed: ParsedOrder) -> str:
    low = [token.word.lower() for token in parsed.words]
    if len(low) > _LONGEST or not all(word.replace("-", "").replace("'", "").isalpha() for word in low):
        return ""
    outcome = _DOUBTED.get(low[-1], "")
    if any(word in _NEVER for word in low) or (outcome == "hit" and not any(word in _DOUBTS for word in low)):
        return ""
    return outcome
