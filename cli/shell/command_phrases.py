"""Decisions and changes of the rules as people say them at the table: `uphold 48`, `48 stands`, `rules change …`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

_RULING_ON = re.compile(
    r"(?:(?:rule|ruling)[ -]on|decide|settle|overrule)\s+(?:(?:the\s+)?dispute\s+)?(?=#?[0-9]|uphold\b|with\b)",
    re.IGNORECASE,
)
_RULES = re.compile(r"rul(?:e|ing)\s+#?([0-9]+)[:,]?\s+(?=uphold\b|with\b)", re.IGNORECASE)
_RULES_ON_IT = re.compile(
    r"(?:rul(?:e|ing)[ -]on|decide|settle)(?:\s+(?:it|that|the\s+dispute))?[:,]?\s+(?=uphold\b|with\b)", re.IGNORECASE
)
_RULED_ON = re.compile(r"rul(?:e|ing)[ -]on\s+#?([0-9]+)[:,]?\s+stands\b[,:]?\s*", re.IGNORECASE)
_UPHOLDS = re.compile(r"(?:uphold|reject|deny)s?\s+(?:(?:the\s+)?dispute\s+)?#?([0-9]+)\b[,:]?\s*", re.IGNORECASE)
_STANDS = re.compile(
    r"(?:(?:dispute\s+)?#?(?P<before>[0-9]+)\s+stands|stands?\s+#?(?P<behind>[0-9]+))\b[,:]?\s*", re.IGNORECASE
)
_IT_STANDS = re.compile(
    r"(?:it|that|(?:the|this|that)\s+(?:ruling|dispute|call|hit|miss|blow|attack|roll|die|move))"
    r"\s+stands(?=\s*(?:\Z|[,.:]|because\b))[,.:]?\s*",
    re.IGNORECASE,
)
_ROUND = re.compile(r"(?:new|begin|start)\s+(?:a\s+|the\s+|next\s+|new\s+)*round(?:\s+[0-9]+)?\.?\Z", re.IGNORECASE)
_WHO_IS_NEXT = re.compile(
    r"(?:who(?:'s|\s+is)?\s+(?:next|up|it|on)|whose\s+turn(?:\s+is\s+it)?|who\s+(?:acts|goes)\s+next)\.?\Z",
    re.IGNORECASE,
)
_WHY = re.compile(r"why(?:\s+#?([0-9]+))?\s*\Z", re.IGNORECASE)
_CHANGE = re.compile(r"rules\s+change\b", re.IGNORECASE)
_OPTION = re.compile(r"(?<!\S)--?[a-z][a-z-]*")


def command_for_phrase(line: str, disputes: Callable[[], Collection[int]], newest: Callable[[], int]) -> str:
    """Return the command for a line with a decision or a change of the rules, or the line itself.

    `disputes` returns the open disputes: a number that stands is one of them. `newest` returns the last ruling with a
    roll.
    """
    text = line.strip()
    if decision := _decision_for_phrase(text, disputes):
        return decision
    if why := _WHY.match(text):
        return f"explain {why[1] or newest()}"
    if _WHO_IS_NEXT.match(text):
        return "status"
    if _ROUND.match(text):
        # `new round` does not begin a fight with that name.
        return "round"
    change = _CHANGE.match(text)
    if change is None or not set(_OPTION.findall(line)) <= {"--reason"}:
        return line
    return f"change-rules{re.sub(r'--reason[ =]?', 'because ', text[change.end() :])}"


def _decision_for_phrase(text: str, disputes: Callable[[], Collection[int]]) -> str:
    """Return the command for a line that decides a dispute, or ""."""
    if stands := _RULED_ON.match(text):
        return f"rule-on {stands[1]} uphold {text[stands.end() :]}"
    if rules := _RULES.match(text):
        return f"rule-on {rules[1]} {text[rules.end() :]}"
    if (decides := _RULES_ON_IT.match(text)) and len(dispute_numbers := disputes()) == 1:
        return f"rule-on {next(iter(dispute_numbers))} {text[decides.end() :]}"
    if decides := _RULING_ON.match(text):
        return f"rule-on {text[decides.end() :]}"
    if upholds := _UPHOLDS.match(text):
        return f"rule-on {upholds[1]} uphold {text[upholds.end() :]}"
    if stands := _STANDS.match(text):
        number = stands["before"] or stands["behind"]
        return f"rule-on {number} uphold {text[stands.end() :]}" if int(number) in disputes() else ""
    if (stands := _IT_STANDS.match(text)) and len(dispute_numbers := disputes()) == 1:
        return f"rule-on {next(iter(dispute_numbers))} uphold {text[stands.end() :]}"
    return ""
