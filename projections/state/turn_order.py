"""The turn order: whose turn it is, who is next, and why (MAM-ORDER-02 to -05)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from mam_events.events import InitiativeEstablished
from mam_events.history.timeline.rulings import living_plays
from mam_events.history.timeline.timeline import Timeline
from mam_events.state import Combatant, Encounter, RelatedSkill, has_turns
from mam_events.visibility import PUBLIC
from projections.state.activities import Activity, activities
from projections.visibility.redaction import Redactor

TurnStatus = Literal["acting", "interrupted", "next", "waiting", "done", "down"]


class OrderRow(Struct, frozen=True):
    """One place in the turn order; `position` counts from 1 among the visible ones, `reason` says why they can't act.

    `skips_owed` is the number of turns that they must skip (MAM-TURN-05); `prepared` says that they wait to
    counterattack. If initiative is rolled, `total` is their total, and `ahead_by` is the factor that put them or their
    group before `ahead_of`, who has the same total (RD6-TIE-01). If actions are declared, `declared` is their number in
    this round, `left` is the number left, and `waits` says that they wait for somebody else's action (RD6-ACT-03). Only
    the game master and their own side see `related`, the skills rolled for their next action (RD6-REL-01) except hidden
    rolls, and their points left. `doing` are their activities.
    """

    position: int
    combatant: str
    name: str
    status: TurnStatus
    reason: str = ""
    skips_owed: int = 0
    prepared: bool = False
    total: int | None = None
    ahead_of: str = ""
    ahead_by: str = ""
    declared: int = 0
    left: int = 0
    waits: bool = False
    related: tuple[RelatedSkill, ...] = ()
    character_points: int = 0
    fate_points: int = 0
    doing: tuple[Activity, ...] = ()


class TurnOrder(Struct, frozen=True):
    """The turn order; `acting` and `next_up` are ids ("" for nobody, or for somebody hidden).

    `rows` is empty until initiative is settled; `why` says why the first one begins, by `rule`. `interrupted` is the
    combatant whose turn waits for the counterattack of the one acting ("": none). `hidden` are the combatants in the
    rows whom not everybody may know of.
    """

    round: int
    acting: str
    next_up: str
    why: str
    rule: str
    rows: tuple[OrderRow, ...]
    interrupted: str = ""
    hidden: tuple[str, ...] = ()


def project_turn_order(
    state: Encounter, view: str | Redactor = "gm", order_settled: InitiativeEstablished | None = None
) -> TurnOrder:
    """Return the turn order in a state; `order_settled` is the event that settled it."""
    redactor = view if isinstance(view, Redactor) else Redactor(view, state=state)
    acting = state.turn.combatant if state.turn else ""
    interrupted = state.turn_in_order if state.interrupted else ""
    next_up = state.next_up or ""
    visible = [state.combatants[name] for name in state.turn_order if name not in redactor.hidden]
    # The reason for the order could reveal somebody hidden who is in it.
    is_visible = (
        order_settled is not None and bool(visible) and redactor.hidden.isdisjoint((*state.order, *order_settled.order))
    )
    doing = activities(state, redactor)
    ahead = {tie.ahead: (tie.behind, tie.factor) for tie in order_settled.ties} if order_settled and is_visible else {}
    rows = tuple(
        OrderRow(
            position,
            who.id,
            who.name,
            *_status(state, who, redactor, acting, next_up),
            who.status.skips_owed,
            who.status.prepared,
            entry.total if (entry := state.initiative.entry(who.id)) else None,
            *ahead.get(who.id, ("", "")),
            who.actions.declared,
            who.actions.left,
            who.actions.waiting,
            tuple(
                skill for skill in who.actions.related if sees_own_side(who, redactor) and not redactor.veils(skill.id)
            ),
            who.rd6_character_points if sees_own_side(who, redactor) else 0,
            who.fate_points if sees_own_side(who, redactor) else 0,
            doing.get(who.id, ()),
        )
        for position, who in enumerate(visible, 1)
    )
    return TurnOrder(
        state.round,
        "" if acting in redactor.hidden else acting,
        "" if next_up in redactor.hidden else next_up,
        _why(order_settled, redactor) if order_settled and is_visible else "",
        order_settled.rule if order_settled and is_visible else "",
        rows,
        "" if interrupted in redactor.hidden else interrupted,
        tuple(who.id for who in visible if who.visibility != PUBLIC),
    )


def settled_by(timeline: Timeline, last: int | None = None) -> InitiativeEstablished | None:
    """Return the event that settled the order after the play at place `last`, or now; None if there is none."""
    lived = [ruling for ruling in living_plays(timeline) if last is None or timeline.place[ruling.number] <= last]
    events = (event for ruling in reversed(lived) for event in reversed(ruling.events))
    return next((event for event in events if isinstance(event, InitiativeEstablished)), None)


def sees_own_side(who: Combatant, redactor: Redactor) -> bool:
    """Return True if the view sees what only the combatant's own side may know."""
    return redactor.everything or redactor.view == f"side:{who.side}"


def _why(order_settled: InitiativeEstablished, redactor: Redactor) -> str:
    # The game master's own words may mention somebody hidden whom the state does not know.
    why = redactor.reason(order_settled.why)
    return why if redactor.everything else why.partition(":")[0]


def _status(state: Encounter, who: Combatant, redactor: Redactor, acting: str, next_up: str) -> tuple[TurnStatus, str]:
    note = "has lost their turn in this round" if who.actions.turn_lost else ""
    down = note if who.condition == "able" else _down(who, redactor)
    if who.id == acting:
        return "acting", down
    if any(waiting.turn.combatant == who.id for waiting in state.interrupted):
        return "interrupted", down
    if not has_turns(who):
        return "down", down
    if who.id == next_up:
        return "next", down
    return ("done" if who.id in state.had_turn or who.actions.turn_lost else "waiting"), down


def _down(who: Combatant, redactor: Redactor) -> str:
    # A cause may come from a hidden ruling; the log shows it to those who may see it.
    if who.condition == "incapacitated" and who.status.cause and redactor.everything:
        return f"down: {who.status.cause}"
    if who.condition == "incapacitated" and who.status.by_word and redactor.everything:
        return "down until the game master says otherwise"
    if who.condition == "incapacitated" and not who.hp:
        return "down"
    if who.condition == "incapacitated" and not has_turns(who):
        return "down, and no turn brings a point back"
    if who.condition == "incapacitated":
        return "down, and its turns bring stun back" if who.pools.stun else "down"
    return {"dead": "dead", "out": "out of the fight"}[who.condition]
