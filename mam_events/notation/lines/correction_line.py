"""Corrections as lines: undo, redo, amend, or several steps as one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, get_args

from msgspec import Struct, to_builtins

from mam_events.commands import COMMANDS, Command, name_of, with_fields
from mam_events.errors import BadInput
from mam_events.events import Amend, Correction, Note, Restore, Step, Strike, TurnPolicy
from mam_events.field_specs import field_specs
from mam_events.history.corrections import corrections
from mam_events.history.corrections.reveal import reveal_steps
from mam_events.history.corrections.undo import redo_steps, undo_steps
from mam_events.notation.context import LineContext, find_combatant, word_forms
from mam_events.notation.grammar.long_form import actor_field, read_parts, write_patch
from mam_events.notation.grammar.names import either_or
from mam_events.notation.grammar.vocabulary import LOG_KEYWORDS, OTHER_WORDS, SYNONYMS
from mam_events.notation.lexer.lexer import ParsedOrder, TextToken, WordToken, number_in_front, quoted_text
from mam_events.notation.lexer.name_spans import with_names
from mam_events.notation.lexer.spacing import ARTICLES
from mam_events.notation.orders.builder import OrderBuilder
from mam_events.sanitize import clean_fields
from mam_events.values import OutcomeField, outcome_of_word
from mam_events.visibility import secrets_of

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.state import Encounter

_STEP = re.compile(r"([-+~])#([0-9]{1,9})\Z")
_RANGE = re.compile(r"#?([0-9]{1,9})-#?[0-9]{1,9}\Z")
_STEPS = "-#6 to undo, +#24 to redo or ~#17=(attack_die=5) to amend"
_OWN_WORDS = ("text", "reason", "cause")
"""Fields of orders that hold free text about the event, or a reason."""
NEWEST_WORDS = ("that", "this", "it", "last")
"""Words for the newest ruling."""
_FLAGS = {"only", "rewind"}
_WHY = re.compile(r"[^\W\d_](?:[^\W\d_]|['’.-])*")
LEAST_WHY = 3
"""The fewest words after an amendment that are read as its reason."""
_SAYS_WHAT = ("and", "or", "then", "to", "until", "till", "since", "from", "all", "both", "through", "not", "on")
"""Words that begin a description of the undone event, and not a reason."""
_ORDERS = {word for word in (*COMMANDS, *SYNONYMS, *OTHER_WORDS) if len(word) > 1}
"""Words for orders, which may be meant as a new order."""
LEAST_WORDS = 2
"""The fewest words after an undo that are read as its reason; a single one could be a mistyped flag."""
STRICT = "strict"
"""The word for a correction or an insert that does no bookkeeping to keep the turns that were played."""


class CorrectionLine(Struct, frozen=True):
    """A correction as a line states it.

    `passes_note` is True if the newest ruling is a note, which stays, and something older is undone.
    """

    steps: tuple[Step, ...]
    reason: str = ""
    passes_note: bool = False
    turns: TurnPolicy = "as_played"

    def long(self, timeline: Timeline) -> str:
        """Return the long form: `correct -#6 -#7 "it should have missed"`."""
        words = ["correct", *_strictly(self.turns), *(_step(step, timeline) for step in self.steps)]
        return " ".join([*words, quoted_text(self.reason)] if self.reason else words)


def _strictly(turns: TurnPolicy) -> list[str]:
    return [STRICT] if turns == "strict" else []


def insert_long_form(after: int, turns: TurnPolicy, order: str) -> str:
    """Return the long form of an insert: `after #13: bram: draw-bow bow`, or `after #13 strict: …`."""
    return f"{' '.join([f'after #{after}', *_strictly(turns)])}: {order}"


def take_turn_policy(rest: list[WordToken]) -> TurnPolicy:
    """Remove the word `strict` from those words, and return how turns are treated."""
    strict_words = [token for token in rest if token.word.lower() == STRICT]
    for token in strict_words:
        rest.remove(token)
    return "strict" if strict_words else "as_played"


def _step(step: Step, timeline: Timeline) -> str:
    """Return a step as it is typed; `+` redoes an undo, and `-` undoes any other correction, as it does a play."""
    if isinstance(step, Amend):
        return f"~#{step.ruling}=({write_patch(type(timeline.command(step.ruling)), step.patch)})"
    return f"{'+' if isinstance(step, Restore) and timeline.undoes.get(step.ruling, True) else '-'}#{step.ruling}"


def parse_correction_line(
    timeline: Timeline,
    fight_at: Callable[[Encounter], LineContext],
    parsed: ParsedOrder,
    sees: corrections.SeesRuling = corrections.sees_all,
) -> CorrectionLine:
    """Return the correction that a line means to somebody who `sees` only some rulings.

    Raises as the corrections of the log do, and BadInput.
    """
    word = LOG_KEYWORDS[parsed.words[0].word.lower()].word
    rest = list(parsed.words[1:])
    number = number_in_front(rest) if word != "correct" else None
    # An amended order may have its own reason; text without a key is the correction's.
    own = word == "amend" and number in timeline.place and "reason" in field_specs(type(timeline.command(number)))
    reason, turns = _reason(rest, *([] if own else ["reason"])), take_turn_policy(rest)
    if word == "reveal":
        who = _hidden_combatant(fight_at(timeline.state), rest)
        return CorrectionLine(reveal_steps(timeline, who), reason, turns=turns)
    if word == "correct":
        return CorrectionLine(tuple(_long_step(timeline, token) for token in rest), reason, turns=turns)
    if word == "amend":
        if reason and not rest and (field := _own_text(timeline, number)):
            # If nothing else is amended, the text replaces the order's own text.
            rest, reason = [WordToken(field, TextToken(reason))], ""
        if number is None:
            raise BadInput(_which_ruling(timeline, rest, sees), place="amend")
        step, why = _amendment_and_why(timeline, fight_at, number, rest, reason)
        return CorrectionLine((step,), why, turns=turns)
    if word == "redo":
        _nothing_else(rest, word, "For the last undo, type redo alone.")
        return CorrectionLine(redo_steps(timeline, number), reason, turns=turns)
    has_number = number is not None
    if number is None and rest and rest[0].word.lower() in NEWEST_WORDS:
        # `undo that, …` undoes the newest ruling.
        has_number = rest.pop(0).comma
    reason = reason or (_spoken_reason(rest) if has_number else "")
    flags = {token.word.lower() for token in rest}
    if unknown := flags - _FLAGS:
        raise BadInput(_undo_advice(timeline, min(unknown), number), place="undo")
    steps = undo_steps(timeline, number, only="only" in flags, rewind="rewind" in flags, sees=sees)
    return CorrectionLine(steps, reason, number is None and isinstance(timeline.heads[-1], Note), turns)


def _hidden_combatant(fight: LineContext, rest: Sequence[WordToken]) -> str:
    """Return the combatant whom those words name, or the only hidden one if there are none."""
    if words := [token.word for token in rest if token.word.lower() not in ARTICLES]:
        return find_combatant(fight, " ".join(words))
    hidden = list(secrets_of(fight.state.combatants.values()))
    if len(hidden) == 1:
        return hidden[0]
    message = f"Whom? Type {either_or([f'reveal {one}' for one in hidden])}." if hidden else "Nobody is hidden."
    raise BadInput(message, place="reveal", allowed=hidden)


def _undo_advice(timeline: Timeline, word: str, number: int | None) -> str:
    """Return what each form of an undo does, for a word in one that means nothing."""
    between = _RANGE.match(word)
    one = int(between[1]) if between else number or max((one for one, _ in timeline.living()), default=1)
    reason = "" if any(map(str.isdigit, word)) else f" Put a reason after because: u because {word} …."
    return (
        f'"{word}" means nothing here. Type u {one} for ruling {one} with its attack, u {one} only for it alone, or '
        f"u {one} rewind for it and everything after it.{reason}"
    )


def _own_text(timeline: Timeline, number: int | None) -> str:
    """Return the field of that ruling's order that holds free text about the event, or ""."""
    if number not in timeline.place:
        return ""
    specs = field_specs(type(timeline.command(number)))
    return next((name for name in _OWN_WORDS if name in specs), "")


def _reason(rest: list[WordToken], *keys: str) -> str:
    """Remove the text, alone or with one of those keys, from those words, and return it."""
    texts = [token for token in rest if isinstance(token.value, TextToken) and token.key in ("", *keys)]
    for token in texts:
        rest.remove(token)
    if len(texts) > 1:
        raise BadInput("Give only one reason.", place="reason", wrong=str(texts[1].value))
    return str(texts[0].value) if texts else ""


def _spoken_reason(rest: list[WordToken]) -> str:
    """Remove words after a number or a comma that can only be a reason from those words, and return them."""
    at = next((at for at, token in enumerate(rest) if token.word.lower() not in _FLAGS), len(rest))
    end = len(rest)
    while end > at and rest[end - 1].word.lower() in _FLAGS:
        end -= 1
    words = rest[at:end]
    if len(words) < LEAST_WORDS or not all(_WHY.fullmatch(token.word) and not token.key for token in words):
        return ""
    if words[0].word.lower() in _SAYS_WHAT or any(word_forms(token.word.lower()) & _ORDERS for token in words):
        return ""
    del rest[at:end]
    return " ".join(f"{token.word}{',' * token.comma}" for token in words)


def _nothing_else(rest: Sequence[WordToken], place: str, advice: str) -> None:
    if rest:
        raise BadInput(f'"{rest[0].word or rest[0].key}" means nothing here. {advice}', place=place, wrong=rest[0].word)


def _long_step(timeline: Timeline, token: WordToken) -> Step:
    match = _STEP.match(token.key or token.word)
    if match and match[1] == "~" and isinstance(token.value, tuple):
        corrections.check_strike(timeline, int(match[2]))
        kind = type(timeline.command(int(match[2])))
        patch = _clean(kind, read_parts(kind, token.value, (), f"#{match[2]}"))
        with_fields(timeline.command(int(match[2])), patch)
        return Amend(int(match[2]), patch)
    if match is None or token.key or match[1] == "~":
        wrong = token.key or token.word
        raise BadInput(f'"{wrong}" is not a step of a correction. Type {_STEPS}.', place="correct", wrong=wrong)
    number = int(match[2])
    undoes_play = match[1] == "-" and not isinstance(timeline.head(number), Correction)
    return Strike(number) if undoes_play else Restore(number)


def _which_ruling(timeline: Timeline, rest: Sequence[WordToken], sees: corrections.SeesRuling) -> str:
    """Return the question which ruling is amended, with the last attack for an outcome: `amend fail`."""
    word = next((token.word for token in rest if outcome_of_word(token.word, get_args(OutcomeField))), "")
    last = last_outcome(timeline, sees) if word else 0
    example = f"amend {last} {word} for the last attack" if last else "amend 17 5 to change its die to 5"
    return f"Say which ruling, like {example}."


def last_outcome(timeline: Timeline, sees: corrections.SeesRuling = corrections.sees_all) -> int:
    """Return the last living ruling whose outcome can be amended, as far as somebody `sees` it; 0 if there is none."""
    numbers = (one for one, _ in timeline.living() if "outcome" in type(timeline.command(one)).__struct_fields__)
    return max(filter(sees, numbers), default=0)


def _amendment_and_why(
    timeline: Timeline,
    fight_at: Callable[[Encounter], LineContext],
    number: int,
    rest: Sequence[WordToken],
    reason: str,
) -> tuple[Amend, str]:
    """Return an amendment and its reason; several words that set nothing in the order are a reason without quotes."""
    try:
        return _amendment(timeline, fight_at, number, rest, reason), reason
    except BadInput as no:
        for at in range(len(rest) - LEAST_WHY, 0, -1) if not reason else ():
            words = [token.word for token in rest[at:] if not token.key]
            if len(words) < len(rest) - at or not all(_WHY.fullmatch(word) for word in words):
                break
            with suppress(BadInput):
                return _amendment(timeline, fight_at, number, rest[:at]), " ".join(words)
        raise no from None


def _amendment(
    timeline: Timeline,
    fight_at: Callable[[Encounter], LineContext],
    number: int,
    rest: Sequence[WordToken],
    reason: str = "",
) -> Amend:
    """Return an amendment, typed in the short words of its order and read with the fight as it was then."""
    if not rest:
        remark = f". For a remark about the ruling, type note {number} {reason}" if reason else ""
        raise BadInput(f"Say what changes in ruling {number}, like amend {number} p3{remark}.", place="amend")
    corrections.check_strike(timeline, number)
    command = timeline.command(number)
    place = timeline.place[number]
    fight = fight_at(timeline.state_before(place))
    kind = type(command)
    field = actor_field(kind)
    _check_exchange(timeline, number, rest)
    builder = OrderBuilder(fight, name_of(command), getattr(command, field) if field else "", {})
    builder.has_reason = True
    builder.take_all(with_names(fight, rest))
    if unused := builder.left_over():
        raise BadInput(
            f"Nothing in this order can become {unused[0]}. Leave {unused[0]} out.", place="amend", wrong=unused[0]
        )
    before = to_builtins(command)
    changed_fields = _clean(kind, {name: one for name, one in to_builtins(builder.fields).items() if name != field})
    patch = {name: _with_changes(before.get(name), value) for name, value in changed_fields.items()}
    with_fields(command, patch)
    return Amend(number, patch)


def _clean(kind: type[Command], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the amended fields, cleaned; a new name doesn't change the id."""
    return {name: value for name, value in clean_fields(kind, fields).items() if name in fields or name == "name"}


def _check_exchange(timeline: Timeline, number: int, rest: Sequence[WordToken]) -> None:
    """Raise BadInput for a field of the resolution of a declared action, with the ruling that has it."""
    command = timeline.command(number)
    for token in rest:
        name = token.key.lower() or ("outcome" if outcome_of_word(token.word, get_args(OutcomeField)) else "")
        if not name or name in command.__struct_fields__:
            continue
        having = [one for one in timeline.exchange(number) if name in timeline.command(one).__struct_fields__]
        if having:
            message = (
                f'There is no "{name}" here, but ruling {having[-1]} has it: amend {having[-1]} {name}={token.value}.'
            )
            raise BadInput(message, place=f"amend {name_of(command)}", wrong=name)


def _with_changes(before: Any, value: Any) -> Any:
    """Return a value with the typed changes applied: entries of a table, and fields of things that have an id."""
    if isinstance(before, Mapping) and isinstance(value, Mapping):
        return {**before, **value}
    if not (_are_things(before) and _are_things(value)):
        return value
    # An empty name was omitted, so it changes nothing.
    things = {one["id"]: {name: part for name, part in one.items() if (name, part) != ("name", "")} for one in value}
    items = [one | things.pop(one["id"], {}) for one in before]
    return [*items, *things.values()]


def _are_things(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, Mapping) and "id" in one for one in value)
