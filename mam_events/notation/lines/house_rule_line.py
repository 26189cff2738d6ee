"""House rules as they are typed in a fight: `change-rules half_success=never because we agreed`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mam_events.decider.engine import Ruleset
from mam_events.decider.ruleset_data import apply_house_rules
from mam_events.errors import BadInput
from mam_events.notation.grammar.long_form import SEEN
from mam_events.notation.grammar.names import either_or
from mam_events.notation.lexer.lexer import TextToken, WordToken

CHANGING = "change-rules"
_FIELDS = ("house_rules", "reason", "visibility", SEEN)
_USUAL = "half_success"
"""The option in the example if none was named."""
ENOUGH = 2
"""The fewest words of an option's name that identify it; one is enough together with one of its readings."""


def with_house_rules(words: Sequence[WordToken]) -> list[WordToken]:
    """Return the words with each option and its reading as a house rule, and the words after them as the reason.

    An example is `parry_point_pool=defense we always played so`.
    """
    tokens: list[WordToken] = []
    reason: list[str] = []
    paired = False
    for token in words:
        if is_pair(token):
            paired = True
            tokens.append(token._replace(key=f"house_rules.{token.key.lower().replace('-', '_')}"))
        elif paired and token.word:
            reason.append(f"{token.word}{',' * token.comma}")
        else:
            tokens.append(token)
    return [*tokens, WordToken("", TextToken(" ".join(reason).rstrip(",")))] if reason else tokens


def is_pair(token: WordToken) -> bool:
    """Return True for a word that can only be an option and its reading."""
    plain = isinstance(token.value, str) and not isinstance(token.value, TextToken)
    return plain and bool(token.key) and "." not in token.key and token.key.lower() not in _FIELDS


def check_house_rules(ruleset: Ruleset, fields: Mapping[str, Any], loose: Sequence[str]) -> None:
    """Raise BadInput, with an example of a house rule, if the option, its reading or the reason is missing.

    Raises Refused as `apply_house_rules` does for an unknown option or reading.
    """
    from mam_events.rules.rulebook import rulebook  # noqa: PLC0415 - few lines need it

    book, readings = rulebook(), ruleset.pinned.readings
    rules: Mapping[str, str] = fields.get("house_rules") or {}
    if loose or not rules:
        forms = _forms_of(ruleset, loose)
        raise BadInput(f"Type a house rule like this: {forms}.", place=CHANGING, wrong=" ".join(loose))
    apply_house_rules(readings, rules, book.options, ruleset.pinned.preset)
    if not fields.get("reason"):
        pairs = " ".join(f"{option}={reading}" for option, reading in rules.items())
        raise BadInput(f"Give a reason: {CHANGING} {pairs} because ….", place=CHANGING)


def _forms_of(ruleset: Ruleset, loose: Sequence[str]) -> str:
    """Return the lines that those words may mean, or else an example and where all options are listed."""
    from mam_events.rules.rulebook import rulebook  # noqa: PLC0415 - as above

    options, readings = rulebook().options, ruleset.pinned.readings
    parts_typed = {part for word in loose for part in word.lower().replace("-", "_").strip("_:=,.").split("_")}
    parts_typed |= {word.lower().replace("-", "_") for word in loose}
    scores: dict[str, tuple[bool, int]] = {}
    for name in readings:
        parts = sum(part in parts_typed for part in name.split("_"))
        read = any(reading in parts_typed for reading in options[name].readings)
        if parts >= ENOUGH or (parts and read):
            scores[name] = (parts == len(name.split("_")), parts + read)
    best = [name for name, score in scores.items() if score == max(scores.values())]
    if len(best) != 1:
        name = _USUAL if _USUAL in readings else next(iter(readings))
        other = next(reading for reading in options[name].readings if reading != readings[name])
        return f"{CHANGING} {name}={other} because … (rules show lists every option and its readings)"
    others = [reading for reading in options[best[0]].readings if reading != readings[best[0]]]
    candidates = [reading for reading in others if reading in parts_typed] or others
    return either_or([f"{CHANGING} {best[0]}={reading} because …" for reading in candidates])
