"""Orders of a round of Ron d6: begin it, declare actions, wait, interrupt, settle results, spend points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cli.acting import between_turns, order, required, rightmost, whole, with_numbers
from cli.choices import FREE_ROLLS, MOVED_UP_FOR, OUTCOMES, POINTS, SPENT_ON
from cli.options import Pair, Whole, acting, command, complete_combatant, situated, stacked
from cli.session import Session, pass_session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cli.acting import Default
    from mam_events.state import Encounter


def dice_code(ctx: click.Context, _param: click.Parameter, typed: str | None) -> str | None:
    """A dice code as orders write it, `3d+1` as `3D+1`; a usage error for the name of a skill, with the nearest."""
    if typed is None or typed[:1].isdigit():
        return typed and typed.upper()
    from mam_events.errors import nearest
    from mam_events.rulebook import rulebook
    from mam_events.rules.ron_d6.codes import slug

    rows = rulebook().tables["rd6_actions"].values()
    named = nearest(slug(typed), [slug(skill) for row in rows for skill in row["skills"]])
    hint = f" ({named})" if named.startswith("did") else ""
    error = click.BadParameter(f'takes dice, like 3D+1, not "{typed}"; a skill is named by --skill{hint}.')
    session = ctx.find_object(Session)
    if session is not None and hint:
        error.next = session.instead({"--code": "--skill", typed: named.split('"')[1]})  # type: ignore[attr-defined]  # as every usage error may have one
    raise error


_CODE = click.option(
    "--code", metavar="CODE", callback=dice_code, help="The dice code, like 3D+1; its own in that skill, if left out."
)
DICE = click.option(
    "--dice",
    metavar="FACE,…",
    help="Faces thrown at the table, the wild die last and what a 6 on it adds after it; drawn, if left out.",
)
AGAIN = click.option(
    "--again",
    type=Pair("=", "COMBATANT", "FACE,…"),
    multiple=True,
    metavar="COMBATANT=FACE,…",
    help="Faces of a second roll that breaks a tie, where the house has one.",
)
_DIFFICULTY = click.option("--difficulty", type=Whole(None), metavar="NUMBER", help="What the total must reach.")
_WHO = click.argument("combatant", shell_complete=complete_combatant, help="Who it is.")


def listed_name(_ctx: click.Context, _param: click.Parameter, typed: str | None) -> str | None:
    """An action as the list has it: `run_away` for "Run away"."""
    return "_".join(typed.lower().replace("-", " ").split()) if typed else typed


DEED = stacked(
    click.option(
        "--action",
        metavar="NAME",
        callback=listed_name,
        help="Which action of the list: dodge, punch, shoot, run away … (RD6-LIST).",
    ),
    click.option("--target", metavar="COMBATANT", shell_complete=complete_combatant, help="At whom it is aimed."),
    click.option("--skill", metavar="NAME", help="The skill; the one suggested for the action, if left out."),
    _CODE,
    _DIFFICULTY,
    click.option("--equipment", metavar="ID", help="What it is done with; only what is quick is used again."),
    click.option("--part", metavar="TEXT", help="What part of the target it is aimed at."),
    click.option(
        "--mental",
        is_flag=True,
        default=None,
        help="Nothing of it is physical, as with telepathy: even somebody held down can do it.",
    ),
    click.option("--metres", metavar="METRES", help="How far, in metres."),
    click.option(
        "--related",
        type=Whole(1),
        multiple=True,
        metavar="N",
        help="A related skill that helps it, by its ruling; all that wait for it, if left out.",
    ),
    click.option("--alone", is_flag=True, help="Without the related skills that wait."),
    DICE,
)
"""What is done with an action."""


def faces(text: str | None, option: str = "--dice") -> list[int] | None:
    """Faces as they are typed, `4,5,6,2`; a usage error for anything else."""
    return None if text is None else [whole(face, option, 1) for face in text.split(",")]


def by_name(thrown: tuple[tuple[str, str], ...], option: str = "--again") -> dict[str, list[int] | None] | None:
    """The faces that each combatant threw; None where nobody did."""
    found: dict[str, list[int] | None] = {}
    for name, text in thrown:
        if name in found:
            raise click.UsageError(f"{option} gives the dice of {name} twice.", ctx=click.get_current_context())
        found[name] = faces(text, option)
    return found or None


def deed(said: Mapping[str, Any]) -> dict[str, Any]:
    """What is done with an action, as an order has it."""
    related = [] if said["alone"] else list(said["related"]) or None
    fields = {name: value for name, value in said.items() if name != "alone"}
    return fields | {"dice": faces(said["dice"]), "related": related}


def related_of(session: Session, who: str | None, said: Mapping[str, Any]) -> dict[str, Default]:
    """The related skills that wait for what is done go into a roll without saying."""
    row = session.log().rules.tables["rd6_actions"].get(said["action"], {})
    if row.get("rolls") != "always" and not (said["code"] or said["skill"]):
        return {}

    def waiting(state: Encounter) -> list[int]:
        from mam_events.rules.ron_d6.actions import done_with
        from mam_events.rules.ron_d6.related_skills import helps

        combatant = state.combatants.get(who or on_the_floor(state))
        if combatant is None or not row:
            return []
        skill, _ = done_with(combatant, row, said["skill"] or "", said["code"])
        return [one.id for one in combatant.actions.related if helps(one, said["action"], skill)]

    return {"related": waiting}


def on_the_floor(state: Encounter) -> str:
    """Who acted last and has actions left, else the one whose turn it is; refused with `out_of_turn`."""
    from mam_events.errors import Refused
    from mam_events.rules.checks import under_way

    under_way(state)
    if not state.acting:
        raise Refused("out_of_turn", between_turns(state), rule="RD6-ACT-02", fields=("combatant",))
    return state.acting


def turn_under_way(state: Encounter) -> str:
    """Whose turn of the round it is; refused with `out_of_turn` between turns."""
    if state.turn is None:
        on_the_floor(state)
    return state.turn.combatant if state.turn else state.acting


def open_action(state: Encounter) -> int:
    """The last action whose result is open; refused with `window_not_open`."""
    from mam_events.errors import Refused
    from mam_events.rules.checks import under_way

    under_way(state)
    if not state.window.open:
        raise Refused(
            "window_not_open",
            "No action waits for its result: nothing was rolled that could be interrupted or settled.",
            rule="RD6-ACT-04",
            fields=("exchange",),
        )
    return state.window.open[-1].id


def whose_turn_comes(state: Encounter) -> str:
    """Whose turn comes next; refused with `out_of_turn` where nobody's does."""
    from mam_events.errors import Refused
    from mam_events.rules.checks import under_way

    under_way(state)
    if state.next_up is None:
        missing = "everybody has had a turn (`mam round`)" if state.order else "initiative is not rolled"
        raise Refused("out_of_turn", f"Nobody's turn comes next: {missing}.", rule="RD6-INIT-04")
    return state.next_up


@command("round", "mam round", 'mam round --reason "the others run"')
@click.option("--reason", metavar="TEXT", help="Why, if there is something to say.")
@acting
@pass_session
def round_(session: Session, reason: str | None) -> None:
    """Begin a round, and end the one before: what was declared and not done is lost (RD6-RND-03, RD6-RND-04)."""
    order(session, "round", {"reason": reason})


@command("declare", "mam declare rook 3", "mam declare 2", "mam declare")
@click.argument(
    "combatant", required=False, shell_complete=complete_combatant, help="Whose turn begins; whoever is next."
)
@click.argument("many", required=False, metavar="[ACTIONS]", help="The same as --actions.")
@click.option("--actions", type=Whole(1), metavar="N", help="How many actions to take in this round (1).")
@acting
@pass_session
def declare(session: Session, combatant: str | None, many: str | None, actions: int | None) -> None:
    """Begin a turn with the number of actions in it, which takes dice from every roll (RD6-ACT-02, RD6-MAP-01)."""
    (who,), (actions,) = with_numbers(session, (combatant, many), actions=actions)
    order(session, "declare", {"combatant": who, "actions": actions}, {"combatant": whose_turn_comes})


@command("wait", "mam wait", "mam wait rook")
@click.argument("combatant", required=False, shell_complete=complete_combatant, help="Who waits; whoever acts now.")
@acting
@pass_session
def wait(session: Session, combatant: str | None) -> None:
    """Use an action to wait; whoever has waited may act later, and interrupt (RD6-ACT-03)."""
    order(session, "wait", {"combatant": combatant}, {"combatant": on_the_floor})


@command(
    "interrupt",
    "mam interrupt rook --action dodge",
    "mam interrupt rook 17 --action parry --skill melee-combat --code 4D --dice 2,5,3",
)
@click.argument("combatant", shell_complete=complete_combatant, help="Who interrupts.")
@click.argument("against", required=False, type=Whole(1), help="Which action: the ruling it was done in; the last.")
@DEED
@click.option("--what", metavar="TEXT", help="What is done, in words.")
@situated
@acting
@pass_session
def interrupt(session: Session, /, combatant: str, **said: Any) -> None:
    """Come in between an action's roll and its result, having waited (RD6-ACT-04)."""
    required(said["action"], "--action")
    order(
        session,
        "interrupt",
        {"combatant": combatant} | deed(said),
        {"against": open_action} | related_of(session, combatant, said),
    )


@command("move-up", "mam move-up rook --because catch", 'mam move-up rook --because gm_allows --reason "falls on her"')
@click.argument("combatant", shell_complete=complete_combatant, help="Whose turn comes early.")
@click.option("--because", type=click.Choice(MOVED_UP_FOR), help="What the reaction is, or is to.")
@click.option("--actions", type=Whole(1), metavar="N", help="How many actions to take in this round (1).")
@click.option("--against", type=Whole(1), metavar="N", help="The action reacted to, by its ruling.")
@click.option("--reason", metavar="TEXT", help="Why the game master allows it.")
@acting
@pass_session
def move_up(session: Session, /, because: str | None, **said: Any) -> None:
    """Take a turn early to react, where that is allowed (RD6-ACT-06); what is done follows with `mam interrupt`."""
    order(session, "move-up", said | {"because": required(because, "--because")})


@command("result", "mam result success", 'mam result failure --text "the swing goes wide"', "mam result")
@click.argument(
    "outcome",
    required=False,
    type=click.Choice(OUTCOMES),
    help="What comes of it; by the difficulty, if left out.",
)
@click.option("--text", metavar="TEXT", help="What happens, in words.")
@click.option("--exchange", type=Whole(1), metavar="N", help="Which action, by its ruling; the last open one.")
@acting
@pass_session
def result(session: Session, /, **said: Any) -> None:
    """Declare what comes of an action, which closes its window; the last one that came in is first (RD6-ACT-04)."""
    order(session, "result", said, {"exchange": open_action})


@command(
    "spend", "mam spend rook character --on initiative", "mam spend rook character --dice 6,3", "mam spend rook fate"
)
@click.argument("combatant", shell_complete=complete_combatant, help="Whose point it is.")
@click.argument("point", type=click.Choice(POINTS), help="Which kind of point.")
@click.option(
    "--on",
    type=click.Choice(SPENT_ON),
    help="A Character Point on its own open action, else on initiative; a Fate Point on the limit of actions.",
)
@click.option("--exchange", type=Whole(1), metavar="N", help="Which action, by its ruling; the last open one.")
@DICE
@AGAIN
@acting
@pass_session
def spend(
    session: Session,
    /,
    combatant: str,
    point: str,
    dice: str | None,
    again: tuple[tuple[str, str], ...],
    **said: Any,
) -> None:
    """Spend a Character Point for one more wild die (RD6-INIT-06), or a Fate Point for more actions (RD6-LIM-02)."""

    def own(state: Encounter) -> dict[str, int]:
        """The newest of one's own rolls of each kind that a point could be spent on."""
        who = state.combatants.get(combatant)
        related = [("related", one.id) for one in who.actions.related] if who else []
        return dict([*related, *(("action", one.id) for one in state.window.open if one.combatant == combatant)])

    def on(state: Encounter) -> str:
        if point == "fate":
            return "limit"
        if "action" in own(state) or not (state.turn or state.had_turn):
            return "action" if "action" in own(state) else "initiative"
        return "related" if "related" in own(state) else "initiative"

    def exchange(state: Encounter) -> int:
        return own(state).get(said["on"] or on(state), 0)

    defaults: dict[str, Default] = {"on": on, "exchange": exchange}
    order(
        session,
        "spend",
        said | {"combatant": combatant, "point": point, "dice": faces(dice), "again": by_name(again)},
        defaults,
    )


@command(
    "roll-related",
    "mam roll-related rook acrobatics 10 --primary dodge --code 3D",
    "mam roll-related rook search 12 --primary throwing --merged --dice 4,2",
)
@click.argument("combatant", required=False, shell_complete=complete_combatant, help="Who tries; whoever acts now.")
@click.argument("skill", required=False, help="The related skill.")
@click.argument("difficulty", required=False, help="What its total must reach.")
@click.option("--primary", metavar="NAME", help="The primary skill, or the action of the list, that it helps.")
@_CODE
@click.option("--merged", is_flag=True, default=None, help="The game master counts it with the primary skill's action.")
@DICE
@situated
@acting
@pass_session
def roll_related(
    session: Session,
    combatant: str | None,
    skill: str | None,
    difficulty: str | None,
    primary: str | None,
    code: str | None,
    merged: bool | None,
    dice: str | None,
) -> None:
    """Roll a related skill before the primary one, to which half its result points go (RD6-REL-02)."""
    who, what, number = rightmost(combatant, skill, difficulty)
    said = {
        "combatant": who,
        "skill": required(what, "SKILL"),
        "difficulty": whole(required(number, "DIFFICULTY"), "DIFFICULTY", None),
        "primary": required(primary, "--primary"),
        "code": code,
        "merged": merged,
        "dice": faces(dice),
    }
    order(session, "roll-related", said, {"combatant": on_the_floor})


@command("roll", "mam roll rook resistance --code 3D", "mam roll rook emotion --skill willpower --difficulty 12")
@_WHO
@click.argument("what", type=click.Choice(FREE_ROLLS), help="What it is rolled for.")
@click.option("--skill", metavar="NAME", help="The skill or attribute.")
@_CODE
@_DIFFICULTY
@DICE
@situated
@acting
@pass_session
def roll(session: Session, /, dice: str | None, **said: Any) -> None:
    """Roll what takes no action: damage, resisting it, an emotional effect, a quick glance (RD6-FREE-02)."""
    order(session, "roll", said | {"dice": faces(dice)})


@command("incapacitate", 'mam incapacitate thug --cause "knocked out" --through rook')
@_WHO
@click.option("--cause", metavar="TEXT", help="What keeps them from acting.")
@click.option("--through", metavar="COMBATANT", shell_complete=complete_combatant, help="Who did it.")
@acting
@pass_session
def incapacitate(session: Session, combatant: str, cause: str | None, through: str | None) -> None:
    """Say that somebody is unconscious, bound or unable to act, and loses what it could have done (RD6-INIT-07)."""
    order(session, "incapacitate", {"combatant": combatant, "cause": cause, "through": through})


@command("recover", 'mam recover thug --reason "cold water"')
@_WHO
@click.option("--reason", metavar="TEXT", help="Why, if there is something to say.")
@acting
@pass_session
def recover(session: Session, combatant: str, reason: str | None) -> None:
    """Say that somebody is awake or free again, and acts from the next round on, or in its place (RD6-INIT-07)."""
    order(session, "recover", {"combatant": combatant, "reason": reason})
