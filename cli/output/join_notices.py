"""What the table may want to know about a new combatant: its armor, its side, when its turn comes."""

from __future__ import annotations

from collections.abc import Sequence
from string import digits
from typing import TYPE_CHECKING

from mam_events.commands import Join
from mam_events.events import Play
from mam_events.refusals.suggestions import closest_name
from projections.phrases import join_words

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.log.results import Answer
    from mam_events.notation.line_result import LineGiven


def join_notices(session: Session, answer: Answer, *, at_table: bool) -> list[str]:
    """Return the sentences about a combatant who joined with that ruling; none for any other order.

    They name a command as the shell takes it, or as the table does.
    """
    head = answer.head
    if not isinstance(head, Play) or not isinstance(head.command, Join):
        return []
    side = _side_text(session, answer, head.command, at_table=at_table)
    return [text for text in (_armor_text(session, answer, head.command), side) if text]


def _armor_text(session: Session, answer: Answer, join: Join) -> str:
    """Return which armor needs no die, because it always or never blocks; "" for none."""
    from mam_events.dice import SIDES
    from mam_events.rules.health.armor import blocks_always
    from mam_events.rules.rolls.dice_substitutes import die_of

    if (pinned := answer.state.ruleset) is None:
        return ""
    ruleset = session.log().rules.in_force(pinned)
    layers = {one for piece in join.armor if piece.under for one in (piece.id, piece.under)}
    sentences = [
        f"the {piece.name or piece.id} (cover {piece.cover}) {'always' if always else 'never'} blocks"
        for piece in join.armor
        if not layers & {piece.id, piece.under} and (always := blocks_always(piece, ruleset)) is not None
    ]
    sides = SIDES[die_of(ruleset)] if sentences else 0
    return f"With a d{sides} {join_words(sentences)}." if sentences else ""


def _side_text(session: Session, answer: Answer, join: Join, *, at_table: bool) -> str:
    """Return that the side is new and nearly called like another, so it may be misspelt; "" otherwise."""
    hidden = session.redactor().hidden
    others = [one for one in answer.state.combatants.values() if one.id not in {join.combatant, *hidden}]
    sides = sorted({one.side for one in others})
    if join.side in sides or not (near := closest_name(join.side, sides)):
        return ""
    amend = f"amend {answer.number} side={near}"
    change = amend if at_table else session.typed(f"mam {amend}")
    return f"{join.side} is a new side. If {join.name or join.combatant} belongs to {near}, type {change}."


def newcomer_turn_text(session: Session, result: LineGiven) -> str:
    """Return when a new combatant has a turn; "" if nobody joined, or it isn't settled who begins."""
    state, hidden = result.answers[-1].state, session.redactor().hidden
    heads = [answer.head for answer in result.answers]
    newcomers = [head.command.combatant for head in heads if isinstance(head, Play) and isinstance(head.command, Join)]
    groups: list[tuple[str, list[str]]] = []
    for who in newcomers:
        if who in hidden or who not in state.order or state.status != "open":
            continue
        before = [one for one in state.order[: state.order.index(who)] if one not in hidden]
        if state.next_up == who:
            groups.append(("", [who]))
        elif before and groups and groups[-1][0] and groups[-1][1][-1] == before[-1]:
            groups[-1][1].append(who)
        elif before:
            groups.append((before[-1], [who]))
    names = {who: one.name for who, one in state.combatants.items()}
    return " ".join(_turn_text(names.get(first, ""), [names[who] for who in group]) for first, group in groups)


def _turn_text(before: str, names: Sequence[str]) -> str:
    """Return after whom those act, one after the other; for no `before`, that the only one is next."""
    if not before:
        return f"{names[0]} is next."
    if len(names) == 1:
        return f"{names[0]} acts after {before}."
    return f"{_join_numbered(names)} act after {before}, in this order."


def _join_numbered(names: Sequence[str]) -> str:
    """Return names as a list, and consecutive numbered ones as a range: `Rat 1 to Rat 10`."""
    stem = names[0].rstrip(digits)
    first = int(names[0][len(stem) :] or 0)
    if first and names[2:] and list(names) == [f"{stem}{first + n}" for n in range(len(names))]:
        return f"{names[0]} to {names[-1]}"
    return join_words(names)
