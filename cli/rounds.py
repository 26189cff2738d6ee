"""Orders of a round of Ron d6 that have something of their own: what is done with an action, and points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from cli.acting import Default
from cli.ordering import ordered
from cli.session import Session
from cli.unsaid import on_the_floor

if TYPE_CHECKING:
    from mam_events.state import Encounter

ALONE = click.Option(["--alone"], is_flag=True, help="Without the related skills that wait.")


def deed(session: Session, said: dict[str, Any]) -> Mapping[str, Default]:
    """The action as it is named: as the list has it, `run_away` for "Run away", and the related skills
    that wait go into it.
    """
    if said.get("action"):
        said["action"] = "_".join(said["action"].lower().replace("-", " ").split())
    if said.pop("alone"):
        said["related"] = []
    return related_of(session, said["combatant"], said)


def related_of(session: Session, who: str | None, said: Mapping[str, Any]) -> dict[str, Default]:
    """The related skills that wait for what is done go into a roll without saying."""
    row = session.log().rules.tables.rd6_actions.get(said["action"])
    if (row is None or row.rolls != "always") and not (said["code"] or said["skill"]):
        return {}

    def waiting(state: Encounter) -> list[int]:
        from mam_events.rules.ron_d6.actions import done_with
        from mam_events.rules.ron_d6.related_skills import helps

        combatant = state.combatants.get(who or on_the_floor(state))
        if combatant is None or row is None:
            return []
        skill, _ = done_with(combatant, row, said["skill"] or "", said["code"])
        return [one.id for one in combatant.actions.related if helps(one, said["action"], skill)]

    return {"related": waiting}


interrupt = ordered("interrupt", more=(ALONE,))(deed)


@ordered("spend")
def spend(_: Session, said: dict[str, Any]) -> Mapping[str, Default]:
    """A point goes to the newest of one's own rolls that it can be spent on."""

    def own(state: Encounter) -> dict[str, int]:
        """The newest of one's own rolls of each kind that a point could be spent on."""
        who = state.combatants.get(said["combatant"])
        related = [("related", one.id) for one in who.actions.related] if who else []
        mine = (one for one in state.window.open if one.combatant == said["combatant"])
        return dict([*related, *(("action", one.id) for one in mine)])

    def on(state: Encounter) -> str:
        if said["point"] == "fate":
            return "limit"
        if "action" in own(state) or not (state.turn or state.had_turn):
            return "action" if "action" in own(state) else "initiative"
        return "related" if "related" in own(state) else "initiative"

    def exchange(state: Encounter) -> int:
        return own(state).get(said["on"] or on(state), 0)

    return {"on": on, "exchange": exchange}
