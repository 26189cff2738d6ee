"""Orders of manipulation and grappling that have something of their own: a word of warning, and which hold is meant."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from cli.acting import Default
from cli.ordering import command_of, ordered
from cli.session import Session
from cli.unsaid import whose_turn
from mam_events.errors import BadInput, Refused
from mam_events.refusals.references import Said

if TYPE_CHECKING:
    from mam_events.state import Encounter
    from projections.doing import Doing


@ordered("escape")
def escape(session: Session, said: dict[str, Any]) -> Mapping[str, Default]:
    """The hold that one is in, where there is one, and whoever holds."""
    who, by_whom, which = _parties(session, said["combatant"], said["grapple"])
    by_whom = said["holder"] or by_whom
    said |= {"combatant": who, "grapple": which, "holder": by_whom}
    meant = partial(_meant, session, "escape", who, by_whom, which)
    return {"grapple": lambda state: meant(state).thing, "holder": lambda state: meant(state).whom}


def _of_a_hold(do: str, session: Session, said: dict[str, Any]) -> Mapping[str, Default]:
    """The hold that one has somebody in, where there is one."""
    who, whom, which = _parties(session, said["combatant"], said["grapple"])
    said |= {"combatant": who, "grapple": which}
    meant = partial(_meant, session, do, who, whom, which)
    return {"grapple": lambda state: meant(state).thing}


maintain_grapple = ordered("maintain-grapple")(partial(_of_a_hold, "maintain-grapple"))
release = ordered("release")(partial(_of_a_hold, "release"))


def _parties(session: Session, *words: str | None) -> tuple[str | None, str | None, str | None]:
    """The one who acts, who is at the other end of the hold, and the hold, as far as bare words say: `rook`, `rook
    rat`, `rook hold-13`, `hold-13`.
    """
    seen = {who.id: who for who in session.screen().combatants(session.state_then())}
    holds = {grapple.id for who in seen.values() for grapple in who.grapples}
    seat = session.seat()
    said = [word if word in holds else seat.find(word) for word in words if word is not None]
    people = [word in seen and word not in holds for word in said]
    if len(said) == len(words):
        return (said[0], said[1], None) if people[1] else (said[0], None, said[1])
    named = said[0] if said else None
    return (named, None, None) if any(people) else (None, None, named)


def _meant(
    session: Session, do: str, who: str | None, other: str | None, grapple: str | None, state: Encounter
) -> Doing:
    """The one hold that somebody is in, or has somebody in, as far as the view may know and as far as was said.

    Refused with `not_held` or `unknown_grapple` where there is none; BadInput, naming those that there are, where that
    is not one.
    """
    from mam_events.deciding.checks import named
    from projections.doing import HELD, HOLDING, doings
    from projections.wording import listed

    combatant, screen = named(state, who or whose_turn(state)), session.screen()
    if combatant.id in screen.hidden:
        raise Refused("out_of_turn/say_who", fields=("combatant",))
    end = HELD if do == "escape" else HOLDING
    done = [one for one in doings(state, screen).get(combatant.id, ()) if one.what in HELD | HOLDING and one.thing]
    ends = [one for one in done if one.what in end]
    found = [one for one in ends if other in (None, one.whom) and grapple in (None, one.thing)]
    if len(found) == 1:
        return found[0]
    told = listed([f"is {one.words}" if one.what in HELD else one.words for one in ends or done])
    if ends:
        which = f"say which hold, as in `mam {do} {combatant.id} {ends[0].thing}`"
        raise BadInput(f"{combatant.name} {told}: {which}.", place="GRAPPLE")
    rule, escapes = ("MAM-MNP-10", True) if do == "escape" else ("MAM-POOL-07", False)
    if told:
        raise Refused(
            "not_held/but" if escapes else "unknown_grapple/but",
            who=combatant,
            doing=Said(told),
            rule=rule,
            fields=("grapple",),
        )
    raise Refused(
        "not_held/nobody" if escapes else "unknown_grapple/none", who=combatant, rule=rule, fields=("grapple",)
    )


def _warn_in_vain(session: Session) -> None:
    """Say of a manipulation that was just declared that no roll will make it come to anything."""
    from mam_events.rules.grappling.manipulation import in_vain

    state = session.timeline().state
    root = state.exchange.root if state.exchange and state.ruleset else None
    if root is None or state.ruleset is None or root.target in session.screen().hidden:
        return
    if grip := in_vain(state, session.log().rules.in_force(state.ruleset), root):
        target = state.combatants[root.target]
        session.say(
            f"as declared it can do nothing: size and points come to {grip.modifier}, and {target.name}'s size of "
            f"{grip.size} takes at least {grip.size + 1}; `mam undo`, then say more --points"
        )


manipulate = command_of("manipulate", then=_warn_in_vain)
