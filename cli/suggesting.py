"""Orders that may be given now, ready to type: one for each template, and the likeliest of them as what is next."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from cli.editions import bears, counts_actions, rolls_initiative
from cli.spelling import spelling, written
from cli.suggesting_rounds import JOINING, by_training, for_the_point, rolling, steps
from cli.throwing import faces_of, faces_rolled
from projections.pools import spends_points

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.deciding.templates import Blocked, Field, Template
    from mam_events.rules.rulebook import Rulebook
    from mam_events.rulings.timeline import Timeline
    from mam_events.state import Action, Combatant, Encounter, OpenAction
    from projections.screen import Screen

SAID = {
    "act": ("what",),
    "adjust": ("reason",),
    "change-rules": ("house_rules", "reason"),
    "join": ("combatant", "hp"),
    "roll": ("code",),
    "roll-initiative": ("combatants",),
    "roll-related": ("skill", "difficulty", "primary", "code"),
}
"""Fields that an order says though they may be anything."""

_NAMES = (
    "combatant",
    "attacker",
    "target",
    "opponent",
    "weapon",
    "item",
    "thing",
    "grapple",
    "action",
    "exchange",
    "holder",
    "owner",
    "follow_up",
    "after",
    "posture",
)
_FREE = {"house_rules": "OPTION=READING"}
"""Placeholders of fields that may be anything, where their names would not do."""
DEFENSES = ("dodge", "parry", "catch")
"""Actions that are aimed at nobody."""
_OPEN_ONES = ("exchange", "action", "against")
"""Fields that name what is open, and need not be said of the last that is."""
_KEYED_BY_RULING = "interference_die"
_LIKELY = ("begin-turn", "ready", "escape", "attack", "end-turn")
_LIKELY_UNARMED = ("begin-turn", "ready", "escape", "draw-bow", "load", "ready-weapon", "attack", "end-turn")
_ARMED = ("attack", "parry", "counterattack")
"""Orders that mean a weapon also where they name none."""
_DECIDING = ("attacker", "combatant", "target", "exchange", "thrown")
"""The kind of such an order, as far as its weapon hangs on it."""
_GIVING_UP = ("drop-item", "release")
_LIKELY_WHERE_IDLE = ("skip-turn", "begin-turn", "end-turn")
_LIKELY_IN_EXCHANGE = ("resolve", "defend", "parry", "counterattack")
_LIKELY_AFTER_COUNTER = ("resolve", "change-action")
_EVER_LIKELY = frozenset(
    (
        *_LIKELY_UNARMED,
        *_GIVING_UP,
        *_LIKELY_WHERE_IDLE,
        *_LIKELY_IN_EXCHANGE,
        *_LIKELY_AFTER_COUNTER,
        "restrain-mount",
    )
)
"""All of these: nothing else is asked of the rules for a hint."""


def offers(
    rules: Rulebook, state: Encounter, screen: Screen, only: Collection[str] = ()
) -> Iterator[Template | Blocked]:
    """The orders open in that state, and those that are not and why, as far as the view may know of it; of `only` those
    orders, where any are named.
    """
    from mam_events.deciding.decide import legal_commands

    if state.ruleset is None:
        return
    declared: tuple[Action | OpenAction, ...] = state.exchange.actions if state.exchange else ()
    open_ones = (*declared, *state.window.open)
    unseen = {one.id for one in open_ones if one.combatant in screen.hidden or screen.veils(one.id)}
    told = partial(_as_known, unseen=unseen, hidden=screen.hidden)
    for offer in legal_commands(screen.unnamed(state), rules.in_force(state.ruleset), screen.known(state), told, only):
        if offer.status == "blocked" or not _idle(offer):
            yield offer


def _as_known(template: Template, unseen: set[int], hidden: Collection[str]) -> Template | None:
    """The template without those of whom the view may not know, and without dice of which even the key is secret; None
    where it is theirs or about nobody else, or about an action that is unseen.
    """
    from msgspec.structs import replace

    if template.combatant in hidden:
        return None
    fields = []
    for field in template.fields:
        known = field
        if field.keys is not None:
            secret = {str(number) for number in unseen} if field.name == _KEYED_BY_RULING else hidden
            known = replace(field, keys=tuple(key for key in field.keys if key not in secret))
            if not known.keys:
                continue
        elif field.choices and (hidden or unseen):
            known = replace(field, choices=_known_choices(template.do, field, hidden))
            if not known.choices or (field.name in _OPEN_ONES and not unseen.isdisjoint(field.choices)):
                return None
        fields.append(known)
    return replace(template, fields=tuple(fields))


def _known_choices(do: str, field: Field, hidden: Collection[str]) -> tuple[Any, ...]:
    """The values of a field, without those who are hidden where it says who is meant: an action may be called as
    one.
    """
    from mam_events.commands import COMMANDS
    from mam_events.said import read_field

    unsaid = object()

    def known(who: str) -> Any:
        return unsaid if who in hidden else who

    choices = field.choices or ()
    return tuple(
        one for one in choices if read_field(COMMANDS[do], field.name, one, {"combatant": known}) is not unsaid
    )


def _idle(template: Template) -> bool:
    """True if an order may be given, and could change nothing."""
    return template.do == "ready" and not template.sums[0].high


def allowed(rules: Rulebook, state: Encounter, screen: Screen, only: Collection[str] = ()) -> Iterator[Template]:
    """The templates among them."""
    return (offer for offer in offers(rules, state, screen, only) if offer.status == "allowed")


def example_of(template: Template, state: Encounter) -> dict[str, Any]:
    """One order that lies in the template: the likeliest target, else the first choices; the least points, but of
    points to make ready the most.
    """
    values = {field.name: _first(field, template.do) for field in template.fields}
    # A counterattack strikes the attacker without being told so.
    if template.do != "counterattack" and values.get("action") not in DEFENSES and (foe := _foe(template, state)):
        values["target"] = foe
    values |= by_training(template, state, values) | for_the_point(template, state, values)
    if template.do == "move" and not values.get("points"):
        # Where no points are spent on moving, the metres are what is said.
        values |= {"points": None, "metres": "METRES"}
    for total in template.sums:
        missing = (total.high if template.do == "ready" else total.low) - sum(values[name] or 0 for name in total.names)
        for name in reversed(total.names):
            most = next(field.high for field in template.fields if field.name == name)
            more = min(missing, missing if most is None else most - values[name])
            values[name] += more
            missing -= more
    return values


def _foe(template: Template, state: Encounter) -> str:
    """Of the others who may be attacked, the first who is up, and neither its mount nor its rider: of another side
    before its own, and seen before hidden; "" where there is none.
    """
    from mam_events.visibility import PUBLIC

    who_acts = state.combatants.get(template.combatant)
    own = who_acts.side if who_acts else ""
    targets = next((field.choices for field in template.fields if field.name == "target" and field.choices), ())
    shown = [state.combatants[name] for name in targets if name in state.combatants]
    if state.turn and any(who.id == state.turn.against for who in shown):
        return state.turn.against
    able = [who for who in shown if who.condition == "able"]
    others = [who for who in able if who_acts is None or not (who is who_acts or _ride_together(who_acts, who))]
    return next((who.id for who in sorted(others, key=lambda who: (who.side == own, who.visibility != PUBLIC))), "")


def _ride_together(one: Combatant, other: Combatant) -> bool:
    return one.status.mount == other.id or other.status.mount == one.id


def _first(field: Field, do: str) -> Any:
    if field.keys:
        return defaults(do).get(field.name)
    if field.choices is not None:
        if field.name == "weapon":
            # The body is always there; whoever carries something better means that.
            return next((choice for choice in field.choices if choice != "body"), "body")
        if field.name in _NAMES or defaults(do).get(field.name) not in field.choices:
            return field.choices[0] if field.choices else None
        return None
    if field.free:
        several = isinstance(defaults(do).get(field.name), tuple)
        said = field.needed or (field.name in _NAMES and not several) or field.name in SAID.get(do, ())
        return _FREE.get(field.name, field.name.upper()) if said else None
    default = defaults(do).get(field.name)
    fits = isinstance(default, int) and (field.low or 0) <= default <= (default if field.high is None else field.high)
    return default if fits else field.low or 0


@cache
def defaults(do: str) -> Mapping[str, Any]:
    """The values of the fields of an order where they are left out."""
    import msgspec

    from mam_events.commands import COMMANDS

    return {field.name: field.default for field in msgspec.structs.fields(COMMANDS[do])}


def typed(template: Template, state: Encounter, screen: Screen, *, draws: bool = True) -> str:
    """The example of a template, ready to type; what goes without saying is left out, and dice but where nothing
    `draws` them any more.
    """
    if template.do == "join" and all(field.name != "hp" for field in template.fields):
        return JOINING
    if template.do == "join":
        return f"mam join NAME {bears(state)}"
    if template.do == "roll-initiative" and state.ruleset is not None:
        from mam_events.rules.rulebook import rulebook

        if line := next(rolling(state, rulebook().in_force(state.ruleset), screen, draws), ""):
            return line
    exchange = state.open_exchange
    bare = spelling(template.do).bare
    default = defaults(template.do)
    example = example_of(template, state)
    idle = () if spends_points(state) else (field.name for field in template.fields if _nothing(field))
    unsaid = {*idle, *_meant(template, example, state)}
    said = {
        name: value
        for name, value in example.items()
        if not (name in unsaid or (name in _OPEN_ONES and value == exchange))
        and (name in bare or value != default.get(name))
    }
    if not draws:
        said |= faces_of(state, template.do, example)
    return f"mam {written(template.do, said)}"


def _meant(template: Template, example: Mapping[str, Any], state: Encounter) -> set[str]:
    """The weapon, where the order means just that without naming it."""
    from mam_events.commands import COMMANDS
    from mam_events.rules.attack.wielding import meant

    if template.do not in _ARMED:
        return set()
    kind = COMMANDS[template.do]
    unnamed: Any = kind(**{name: value for name, value in example.items() if name in _DECIDING})
    return {"weapon"} if meant(state.combatants[template.combatant], unnamed) == (example["weapon"],) else set()


def _nothing(field: Field) -> bool:
    """True if all that a field takes is 0, as points are where none are spent."""
    return field.high == field.low == 0


def ranges(template: Template, unsaid: Collection[str] = ()) -> str:
    """The values of the fields of a template, by the names they are typed with, but for those left `unsaid`."""
    bare, options = spelling(template.do)
    spelled = {**options, **{name: name.upper() for name in bare}}
    told = []
    for field in template.fields:
        name = spelled.get(field.name)
        if name is None or field.name in unsaid or field.free or _nothing(field):
            continue
        if field.keys:
            told += [f"{name} {key}={_span(list(map(str, field.choices or ())))}" for key in field.keys]
        elif field.choices is None:
            told += [f"{name} {_range(field.low or 0, field.high)}"] if field.high is not None else []
        elif any(choice is True for choice in field.choices):
            told.append(name)
        elif len(field.choices) > 1:
            nothing = ("", None, 0) if field.name == "against" else ("", None)
            shown = [str(choice) for choice in field.choices if choice not in nothing]
            told.append(f"{name} {_span(shown)}")
    for total in template.sums:
        if not total.high:
            continue
        together = " + ".join(spelled.get(name, name) for name in total.names)
        told.append(f"{together} = {_range(total.low, total.high)}")
    return ", ".join(told)


def _range(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low} to {high}"


def _span(choices: Sequence[str]) -> str:
    """Choices in words: the faces of a die as a range."""
    faces = len(choices) > 2 and all(choice.isdecimal() for choice in choices)  # noqa: PLR2004 - two are no range
    return f"{choices[0]} to {choices[-1]}" if faces else " or ".join(choices)


def next_steps(rules: Rulebook, state: Encounter, screen: Screen, *, draws: bool = True) -> list[str]:
    """The likeliest next lines, the likeliest first; nothing where the view may not know whose move it is."""
    if state.status == "closed":
        return ["mam report"]
    if state.ruleset is not None and counts_actions(rules, state):
        by_whom = {
            (template.do, template.combatant): typed(template, state, screen, draws=draws)
            for template in reversed(list(allowed(rules, state, screen)))
        }
        return list(steps(state, rules.in_force(state.ruleset), by_whom, screen, draws=draws))
    joining = f"mam join NAME {bears(state)}" + (" --code perception=2D" if rolls_initiative(rules, state) else "")
    if not state.order:
        if state.stealth and state.advantaged is None:
            return ["mam establish-surprise"]
        rolled = "mam initiative roll --all" + ("" if draws else faces_rolled(state, tuple(state.combatants)))
        settling = rolled if rolls_initiative(rules, state) else "mam initiative"
        # Nobody found anybody: without a reason there is no combat to settle the order of (MAM-SURP-02).
        settling += " --reason WHY" if state.avoided else ""
        return [joining, settling][len(state.combatants) > 1 :] if state.combatants else [joining]
    moving = mover(state)
    return [] if not moving or moving in screen.hidden else _steps_of(moving, rules, state, screen, draws)


def _steps_of(moving: str, rules: Rulebook, state: Encounter, screen: Screen, draws: bool) -> list[str]:
    """The likeliest next lines of whoever has to act, behind the rolls of riders that come before that."""
    from mam_events.rules.mounts.restraint import asks_for_holding
    from mam_events.rules.mounts.riding import owed_roll

    found: dict[str, Template] = {}
    owed: list[Template] = []
    holding: list[Template] = []
    rolls = filter(None, map(owed_roll, state.combatants.values()))
    held = asks_for_holding(state, rules.in_force(state.ruleset), moving) if state.ruleset else False
    for template in allowed(rules, state, screen, {*_EVER_LIKELY, *rolls}):
        rider = state.combatants.get(template.combatant)
        if rider and template.do == owed_roll(rider):
            owed.append(template)
        elif held and rider and template.do == "restrain-mount" and rider.status.mount == moving:
            holding.append(template)
        elif template.combatant in ("", moving):
            found.setdefault(template.do, template)
    now = [found[do] for do in _likely(state, moving, found) if do in found]
    # What is owed must be done before anything else.
    steps = owed or [*holding, *now] or [found[do] for do in _GIVING_UP if do in found]
    return [typed(template, state, screen, draws=draws) for template in steps]


def closing_undone(timeline: Timeline) -> str:
    """The undo, without `mam`, that opens a closed fight again, whatever was ruled or noted since."""
    from mam_events.commands import Close

    plays = (number for number in reversed(timeline.order) if timeline.lives(number))
    return f"undo {next(number for number in plays if isinstance(timeline.command(number), Close))}"


def mover(state: Encounter) -> str:
    """The combatant whose move it is: whoever is attacked, or goes on after a counterattack, or has the turn, or is
    next.
    """
    if state.exchange:
        root = state.exchange.root
        return root.combatant if state.exchange.countered else root.target or root.combatant
    return (state.turn.combatant if state.turn else state.next_up) or ""


def _likely(state: Encounter, moving: str, found: Mapping[str, Template]) -> tuple[str, ...]:
    from mam_events.rules.missiles.archery import drawn_bow
    from mam_events.state import BODY

    if state.exchange:
        return _LIKELY_AFTER_COUNTER if state.exchange.countered else _LIKELY_IN_EXCHANGE
    # Whoever may neither attack nor has done anything must let the turn pass; so must who owes that before it begins.
    must_skip = "attack" not in found if state.turn else state.combatants[moving].status.skips_owed > 0
    if must_skip and "skip-turn" in found:
        return _LIKELY_WHERE_IDLE
    # Whoever carries a bow that is not drawn, or a sword in its sheath, would else be told to strike with bare hands.
    held = any(weapon.id != BODY and not weapon.shoots for weapon in state.combatants[moving].in_hand)
    return _LIKELY if held or drawn_bow(state.combatants[moving]) else _LIKELY_UNARMED


def inserted_open(timeline: Timeline) -> int:
    """The open exchange, or the action that waits for its result, if it was inserted into the past; 0 for any other."""
    state = timeline.state
    opened = state.exchange.id if state.exchange else next((action.id for action in reversed(state.window.open)), 0)
    return opened if opened and timeline.entries[opened].head.after else 0


def likely(session: Session, timeline: Timeline) -> str:
    """The two likeliest orders, and where to see the others; "" where the view may not know whose move it is."""
    steps = ready_to_type(session, timeline)
    more = len(steps) > 2 and not inserted_open(timeline)  # noqa: PLR2004 - enough to choose from
    return ", or ".join([*steps[:2], *([session.typed("mam options")] if more else [])])


def ready_to_type(session: Session, timeline: Timeline) -> list[str]:
    """The likeliest next lines, with the store and encounter they are for.

    What was declared in the past is answered and resolved there.
    """
    after = inserted_open(timeline)
    steps = next_steps(session.log().rules, timeline.state, session.screen(), draws=not timeline.told_of_dice.revealed)
    return [session.typed(f"{step} --after {after}" if after else step) for step in steps]
