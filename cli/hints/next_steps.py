"""The likeliest next commands, ready to type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from cli.hints.examples import example_line
from cli.hints.next_steps_ron_d6 import next_steps_ron_d6
from cli.orders.edition import counts_actions, rolls_initiative, toughness_options
from mam_events.commands import Adjust, Close
from mam_events.events import Correction, Head, Note, Play
from mam_events.history.timeline.note_targets import OPENING_KINDS
from mam_events.state import BODY, Encounter
from projections.visibility.legal_orders import allowed_templates

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.decider.offers import Template
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.results import Answer
    from mam_events.rules.rulebook import Rulebook
    from projections.visibility.redaction import Redactor


_LIKELY = ("begin-turn", "ready", "escape", "attack", "end-turn")
_LIKELY_UNARMED = ("begin-turn", "ready", "escape", "draw-bow", "load", "ready-weapon", "attack", "end-turn")
_GIVING_UP = ("drop-item", "release")
_LIKELY_WHERE_IDLE = ("skip-turn", "begin-turn", "end-turn")
_LIKELY_IN_EXCHANGE = ("resolve", "defend", "parry", "counterattack")
_LIKELY_AFTER_COUNTER = ("resolve", "change-action")
_EVER_LIKELY = frozenset(
    (*_LIKELY_UNARMED, *_GIVING_UP, *_LIKELY_WHERE_IDLE, *_LIKELY_IN_EXCHANGE, *_LIKELY_AFTER_COUNTER, "restrain-mount")
)
"""All orders that are ever likely; hints ask the rules about no others."""


def next_steps(rules: Rulebook, state: Encounter, redactor: Redactor) -> list[str]:
    """Return the likeliest next commands, the likeliest first; none if the view may not know whose move it is."""
    if state.status == "closed":
        return ["mam report"]
    if state.ruleset is not None and counts_actions(rules, state):
        by_whom = {
            (template.do, template.combatant): example_line(template, state, redactor)
            for template in reversed(list(allowed_templates(rules, state, redactor)))
        }
        return list(next_steps_ron_d6(state, rules.in_force(state.ruleset), by_whom, redactor))
    joining = f"mam join NAME {toughness_options(state)}" + (
        " --code perception=2D" if rolls_initiative(rules, state) else ""
    )
    if not state.order:
        if state.stealth and state.advantaged is None:
            return ["mam establish-surprise"]
        settling = "mam initiative roll --all" if rolls_initiative(rules, state) else "mam initiative"
        # After stalking in which nobody found anybody, combat needs a reason to begin (MAM-SURP-02).
        settling += " --reason WHY" if state.avoided else ""
        visible = state.combatants.keys() - redactor.hidden
        return [joining, settling][len(visible) > 1 :] if visible else [joining]
    moving = next_actor(state)
    return [] if not moving or moving in redactor.hidden else _steps_of(moving, rules, state, redactor)


def _steps_of(moving: str, rules: Rulebook, state: Encounter, redactor: Redactor) -> list[str]:
    """Return the likeliest next commands of the combatant who has to act, after the rolls that riders owe first."""
    from mam_events.rules.mounts.restraint import asks_for_holding
    from mam_events.rules.mounts.riding import owed_roll

    templates: dict[str, Template] = {}
    owed_steps: list[Template] = []
    holding: list[Template] = []
    rolls = filter(None, map(owed_roll, state.combatants.values()))
    must_hold = asks_for_holding(state, rules.in_force(state.ruleset), moving) if state.ruleset else False
    for template in allowed_templates(rules, state, redactor, {*_EVER_LIKELY, *rolls}):
        rider = state.combatants.get(template.combatant)
        if rider and template.do == owed_roll(rider):
            owed_steps.append(template)
        elif must_hold and rider and template.do == "restrain-mount" and rider.status.mount == moving:
            holding.append(template)
        elif template.combatant in ("", moving):
            templates.setdefault(template.do, template)
    now = [templates[do] for do in _likely(state, moving, templates) if do in templates]
    # Owed rolls come before anything else.
    steps = owed_steps or [*holding, *now] or [templates[do] for do in _GIVING_UP if do in templates]
    return [example_line(template, state, redactor) for template in steps]


def undo_of_closing(timeline: Timeline) -> str:
    """Return the undo, without `mam`, that opens a closed fight again, whatever was written since."""
    plays = (number for number in reversed(timeline.order) if timeline.lives(number))
    return f"undo {next(number for number in plays if isinstance(timeline.command(number), Close))}"


def next_actor(state: Encounter) -> str:
    """Return the combatant whose move it is, or "" if nobody's.

    It is the one who is attacked, or continues after a counterattack, or has the turn, or is next.
    """
    if state.exchange:
        root = state.exchange.root
        return root.combatant if state.exchange.countered else root.target or root.combatant
    return state.turn.combatant if state.turn else state.acting or state.next_up or ""


def _likely(state: Encounter, moving: str, steps: Mapping[str, Template]) -> tuple[str, ...]:
    from mam_events.rules.missiles.archery import drawn_bow

    if state.exchange:
        return _LIKELY_AFTER_COUNTER if state.exchange.countered else _LIKELY_IN_EXCHANGE
    # A turn without a possible attack and without any action must be skipped, and so must an owed turn.
    must_skip = "attack" not in steps if state.turn else state.combatants[moving].status.skips_owed > 0
    if must_skip and "skip-turn" in steps:
        return _LIKELY_WHERE_IDLE
    # Don't suggest bare hands to a combatant with an undrawn bow or a sheathed sword.
    has_weapon = any(weapon.id != BODY and not weapon.shoots for weapon in state.combatants[moving].in_hand)
    return _LIKELY if has_weapon or drawn_bow(state.combatants[moving]) else _LIKELY_UNARMED


def _going_on(timeline: Timeline) -> Encounter:
    """Return the state from which the fight continues: the current one, or the one after an insert just written."""
    head = timeline.heads[-1]
    inserted = isinstance(head, Play) and head.after and timeline.lives(head.ruling)
    return timeline.states[timeline.place[head.ruling]] if inserted else timeline.state


def open_insert(timeline: Timeline) -> int:
    """Return the open exchange or action if it was inserted into the past, or else 0.

    Later rulings may have left it: it is open at its place.
    """
    state = _going_on(timeline)
    number = state.exchange.id if state.exchange else next((action.id for action in reversed(state.window.open)), 0)
    return number if number and timeline.entries[number].head.after else 0


def likely_orders(session: Session, timeline: Timeline) -> str:
    """Return the two likeliest commands and a hint at the others; "" if the view may not know whose move it is."""
    steps = ready_to_type(session, timeline)
    more = len(steps) > 2 and not open_insert(timeline)  # noqa: PLR2004 - enough to choose from
    return ", or ".join([*steps[:2], *([session.typed("mam options")] if more else [])])


def ready_to_type(session: Session, timeline: Timeline) -> list[str]:
    """Return the likeliest next commands, with the store and encounter that they need.

    Reactions to an action in the past, and its resolution, are inserted there.
    """
    after = open_insert(timeline)
    state = _going_on(timeline) if after else timeline.state
    steps = next_steps(session.log().rules, state, session.redactor())
    return [session.typed(f"{step} --after {after}" if after else step) for step in steps]


def in_dispute(session: Session, head: Head) -> str:
    """Return the next commands in a dispute or proposal that was just made or answered; "" after anything else."""
    if not isinstance(head, Note) or head.kind not in (*OPENING_KINDS, "answer"):
        return ""
    dispute = head.about if head.kind == "answer" else head.ruling
    opened = session.timeline().head(dispute)
    if isinstance(opened, Note) and opened.kind == "proposal":
        return f"{session.typed(f'mam accept {dispute}')}, or {session.typed(f'mam refuse {dispute}')}"
    ways = [session.typed(f"mam rule-on {dispute} --uphold"), session.typed(f"mam rule-on {dispute} --with N")]
    if isinstance(session.timeline().head(head.about), Play):
        ways.append(session.typed(f"mam explain {head.about}"))
    return ", or ".join(ways)


def disputes_settled_by(session: Session, timeline: Timeline, answer: Answer) -> Iterator[tuple[int, int]]:
    """Yield the open disputes that a correction or a decision of the game master may settle, each with its ruling."""
    head, sees = answer.head, session.viewer().sees
    touched = {entry.ruling for entry in answer.rejudged if entry.verdict in ("changed", "void")}
    if isinstance(head, Correction):
        touched |= {step.ruling for step in head.steps}
    elif isinstance(head, Play) and isinstance(head.command, Adjust):
        touched.add(head.command.answers)
    for dispute, decision in timeline.disputes.items():
        opened = timeline.heads[dispute - 1]
        if decision or not isinstance(opened, Note) or opened.kind != "dispute":
            continue
        if touched & {dispute, opened.about} and sees(dispute):
            yield dispute, opened.about
