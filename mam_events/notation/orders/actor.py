"""The actor of an order that names nobody, and the refusal if nobody can give it."""

from __future__ import annotations

from collections.abc import Iterable

from mam_events.commands import COMMANDS
from mam_events.decider.offers import Blocked, Template
from mam_events.errors import BadInput, Refused, Unclear
from mam_events.field_specs import field_specs
from mam_events.notation.context import LineContext, next_combatant
from mam_events.notation.grammar.long_form import actor_field
from mam_events.notation.grammar.names import either_or
from mam_events.notation.orders.open_references import nothing_open_error
from mam_events.refusals import arguments
from mam_events.refusals.arguments import text_fragment
from mam_events.state import Encounter

OWED = ("stay-mounted", "restrain-mount", "interrupt", "throw-die")
"""Orders for an owed roll or after waiting, whose actor is inferred if only one can give them."""


def resolve_actor(fight: LineContext, do: str, name: str, rest: str = "") -> str:
    """Return the actor of an order: the named one, or else the inferred one; raise BadInput if there is none.

    `rest` is what follows the order, for the sentence that asks for the actor.
    """
    kind = COMMANDS[do]
    field = actor_field(kind)
    if name or not field:
        return name
    default = field_specs(kind)[field].unsaid
    state = fight.state
    if default == "who is attacked" and state.exchange:
        return state.exchange.root.target or _who(fight, do)
    if default == "whose turn, of either kind" and state.turn:
        return state.turn.combatant
    if do in OWED or kind.interferes:
        return _who(fight, do)
    if do in ("begin-turn", "declare"):
        return state.next_up or _who(fight, do)
    if default:
        return next_combatant(state) or _who(fight, do)
    return _who(fight, do, understood=False, rest=rest)


def _nothing_to(fight: LineContext, do: str) -> Refused:
    """Return the refusal of an order that nobody may give: there is nothing to react to, or who is next."""
    kind = COMMANDS[do]
    if kind.interferes or field_specs(kind)[actor_field(kind)].unsaid == "who is attacked":
        return nothing_open_error(do)
    return no_actor_error(fight.state)


def no_actor_error(state: Encounter) -> Refused:
    """Return the refusal of an order that needs an acting combatant when there is none: who is next."""
    if state.next_up is None:
        return Refused(
            "out_of_turn/nobody" if state.order else "out_of_turn/before_initiative",
            rule="MAM-ORDER-02",
            fields=("combatant",),
        )
    due = state.combatants[state.next_up]
    return Refused("out_of_turn/between", due=due, rule="MAM-ORDER-02", fields=("combatant",))


def refused_at(offers: Iterable[Template | Blocked]) -> Refused | None:
    """Return the reason why such an order may not be given now, by its first blocked offer; None if there is none."""
    blocked = next((offer for offer in offers if offer.status == "blocked"), None)
    if blocked is None:
        return None
    no = Refused.saying(
        blocked.code, text_fragment("quoted", sentence=arguments.TextArgument(blocked.sentence)), rule=blocked.rule
    )
    no.order = blocked.do
    return no


def _who(fight: LineContext, do: str, *, understood: bool = True, rest: str = "") -> str:
    """Return the only combatant who may give that order now; raise BadInput if there is none, or a name is needed."""
    combatants = list(dict.fromkeys(offer.combatant for offer in fight.allowed(do) if offer.combatant))
    if not combatants and not understood:
        # An offer that names nobody is for all whom it lists.
        combatants = [one for one in fight.choices(do, "", actor_field(COMMANDS[do])) if one]
    combatants = [one for one in combatants if one in fight.own] or combatants
    if understood and len(combatants) == 1:
        return combatants[0]
    if not combatants:
        message = "Nobody has to do that now." if do in OWED else f"Nobody can {do} now."
        raise refused_at(fight.offers(do)) or (
            _nothing_to(fight, do) if understood and do not in OWED else BadInput(message, place=do)
        )
    raise Unclear(
        f"Say who does it: {either_or([f'{one} {do} {rest}'.rstrip() for one in combatants])}.",
        allowed=combatants,
        in_front=True,
    )
