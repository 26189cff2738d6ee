"""Confirmation of orders that are rarely meant while a fight is not over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mam_events.commands import Adjust, Close, Command, Declare, EndTurn, Heal, Round, Wait, name_of
from mam_events.errors import Refused
from mam_events.refusals.arguments import Id, Message, RulingArgument, Several, Term, Word, list_argument, text_fragment
from mam_events.refusals.renderer import list_words, render_message
from mam_events.state import Combatant, Encounter

NEEDS_SURE = "needs_sure"
CONFIRMED_ORDERS = (Close, Heal, Round)
"""The orders that may need confirmation."""
ASKED_IN_LINES = (*CONFIRMED_ORDERS, Declare, EndTurn, Wait)
"""The orders that may need confirmation when they are typed as a line, where a word begins or ends a turn."""
_NAMED = 3
"""The number of people still standing who are named; the others are counted."""


class ClosingDoubt(NamedTuple):
    """A doubt whether an order is meant: a message about its effect, and the action that confirming it carries out."""

    message: Message
    doing: str

    @property
    def what(self) -> str:
        """The sentence about its effect."""
        return render_message(self.message)


def check_raised(command: Command, raised: Sequence[Combatant]) -> None:
    """Raise Refused with `needs_sure` if an order brings up people who were down and whom nobody named."""
    if raised:
        fragment = text_fragment("needs_sure/up", those=_named(raised), many=len(raised) > 1)
        no = Refused("needs_sure", what=fragment, typed=True, doing=Word("bring them up"))
        no.order = name_of(command)
        raise no


def doubt_of(no: Refused) -> ClosingDoubt | None:
    """Return the doubt for which a line was refused, or None for any other refusal.

    The line brings somebody up again, or waits with a last action.
    """
    if no.code != NEEDS_SURE or no.order not in (name_of(Adjust), name_of(Wait)):
        return None
    message = no.message
    while message.key in ("placed", "followed"):
        message = message.references["sentence"]  # type: ignore[assignment]  # the sentence is a message here
    argument = message.references.get("what", message)
    return (
        ClosingDoubt(argument, "wait" if no.order == name_of(Wait) else "bring them up")
        if isinstance(argument, Message)
        else None
    )


def check_sure(commands: Sequence[Command], state: Encounter, disputes: Sequence[int] = (), *, in_line: bool) -> None:
    """Raise Refused with `needs_sure` if one of those orders is probably not meant in that fight.

    `disputes` are its open disputes. The refusal says how to confirm an order of a line (`in_line`) or one that is
    sent.
    """
    for command in commands:
        if doubt := closing_doubt(command, state, disputes):
            no = Refused("needs_sure", what=doubt.message, typed=in_line, doing=Word(doubt.doing))
            no.order = name_of(command)
            raise no


def closing_doubt(command: Command, state: Encounter, disputes: Sequence[int] = ()) -> ClosingDoubt | None:
    """Return the doubt about that order in a fight that is not over, or None if there is none.

    `disputes` are the open disputes of the fight.
    """
    if isinstance(command, Close) and (still := _unfinished(state, disputes)):
        return ClosingDoubt(text_fragment("needs_sure/close", still=list_argument(still)), "close it")
    if isinstance(command, Heal) and (length := _rest(command, state)):
        return ClosingDoubt(text_fragment("needs_sure/rest", those=_named(_foes(state)), length=Term(length)), "rest")
    if isinstance(command, Round) and (combatants := _left_to_act(state)):
        return ClosingDoubt(_round_message(combatants, state), "end the round")
    if isinstance(command, Wait) and (waits := state.combatants.get(command.combatant)) and waits.actions.left == 1:
        return ClosingDoubt(text_fragment("needs_sure/wait", who=waits), "wait")
    if isinstance(command, Declare | EndTurn) and (holder := _cut_short(command, state)):
        return ClosingDoubt(text_fragment("needs_sure/turn", who=holder, unused=holder.actions.left), "end that turn")
    return None


def _unfinished(state: Encounter, disputes: Sequence[int]) -> list[Message]:
    """Return the reasons why an open fight is not over: who stands, whose turn it is, what is not settled."""
    if state.status != "open":
        return []
    # Once only one side stands, nobody has to act any more.
    standing, turn = ([], "") if fight_decision_text(state) else (_standing(state), state.turn_in_order)
    exchange = state.open_exchange
    return [
        *([text_fragment("unfinished/standing", those=_named(standing), many=len(standing) > 1)] if standing else ()),
        *([text_fragment("unfinished/turn", who=state.combatants[turn])] if turn in state.combatants else ()),
        *([text_fragment("unfinished/exchange", number=RulingArgument(exchange))] if exchange else ()),
        *(
            [
                text_fragment(
                    "unfinished/dispute", those=list_argument(map(RulingArgument, disputes)), many=len(disputes) > 1
                )
            ]
            if disputes
            else ()
        ),
    ]


def fight_decision_text(state: Encounter) -> str:
    """Return what decides an open fight in which at most one side is able: `Nobody on side foes can still fight`."""
    if state.status != "open" or not state.order:
        return ""
    sides = {_side(one): one for one in state.combatants.values()}
    up = {_side(one) for one in _standing(state)}
    down = [side for side in sides if side not in up]
    if len(up) > 1 or not down or len(sides) < 2:  # noqa: PLR2004 - a fight needs two sides
        return ""
    if not up:
        return "Nobody can still fight"
    only_one = next(iter(up))
    if any(one.side == "all" for one in sides.values()):
        return (
            f"Only {sides[only_one].name if sides[only_one].side == 'all' else f'the {only_one} side'} can still fight"
        )
    # A single letter needs the word "side" to be understood.
    called = [side if len(side) > 1 else f"side {side}" for side in down]
    return f"Nobody on {'side ' if called == down else ''}{list_words(called)} can still fight"


def _side(one: Combatant) -> str:
    """Return the side of a combatant; one who has no side is a side of their own."""
    return f"@{one.id}" if one.side == "all" else one.side


def _left_to_act(state: Encounter) -> list[Combatant]:
    """Return those who still have a turn or actions in a round of many actions."""
    if state.status != "open" or not state.round_open:
        return []
    due = {name for name in state.due if name != state.turn_in_order}
    return [one for one in _standing(state) if one.id in due or one.actions.left]


def _round_message(combatants: Sequence[Combatant], state: Encounter) -> Message:
    """Return the message that a round ends before these have acted; it names those who have not rolled initiative."""
    lacking = [one for one in _standing(state) if not state.initiative.entry(one.id) and not one.actions.turn_lost]
    if not lacking or not state.initiative.entries:
        return text_fragment("needs_sure/round", those=_named(combatants), many=len(combatants) > 1, round=state.round)
    return text_fragment(
        "needs_sure/round_unrolled",
        those=_named(combatants),
        many=len(combatants) > 1,
        round=state.round,
        lacking=_named(lacking),
        first=Id(lacking[0].id),
    )


def _cut_short(command: Declare | EndTurn, state: Encounter) -> Combatant | None:
    """Return the combatant whose turn that order ends although they have actions left and do not wait, or None."""
    holder = state.combatants.get(state.turn.combatant) if state.turn else None
    declares_own = isinstance(command, Declare) and holder is not None and holder.id == command.combatant
    if holder is None or declares_own or holder.actions.waiting or not holder.actions.left:
        return None
    return holder


def _rest(command: Heal, state: Encounter) -> str:
    """Return the length of that rest if foes still fight in rounds; "" if they do not, or if it lasts only a round."""
    if state.ruleset is None or state.status != "open" or not (state.round and _foes(state)):
        return ""
    from mam_events.rules.rulebook import rulebook  # noqa: PLC0415 - only a rest needs it

    scales = state.ruleset.readings.get("regeneration_quality_effect") == "scales_interval"
    length = rulebook().tables.rest_intervals[command.quality if scales else "weekly"]
    return "" if length == "round" else length


def _foes(state: Encounter) -> list[Combatant]:
    """Return those who stand, or nobody if all of them are on one side."""
    standing = _standing(state)
    one_side = len({one.side for one in standing}) == 1 and all(one.side != "all" for one in standing)
    return standing if len(standing) > 1 and not one_side else []


def _standing(state: Encounter) -> list[Combatant]:
    return [one for one in state.combatants.values() if one.condition == "able"]


def _named(people: Sequence[Combatant]) -> Several:
    """Return the first people, and the number of the others."""
    more = len(people) - _NAMED
    return list_argument([*people[:_NAMED], text_fragment("unfinished/more", more=more)] if more > 1 else people)
