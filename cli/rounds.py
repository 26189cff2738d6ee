"""Orders of a round of Ron d6 that have something of their own: what is done with an action, and points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from cli.acting import Default
from cli.ordering import ordered
from cli.session import Session
from cli.unsaid import on_the_floor
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

    def waiting(state: Encounter) -> list[int]:
        from mam_events.notation.unsaid import related_skills

        combatant, ruleset = state.combatants.get(who or on_the_floor(state)), state.ruleset
        if combatant is None or ruleset is None:
            return []
        rules = session.log().rules.in_force(ruleset)
        return related_skills(rules, combatant, said["action"], said["skill"] or "", said["code"])

    return {"related": waiting}


interrupt = ordered("interrupt", more=(ALONE,))(deed)


@ordered("spend")
def spend(_: Session, said: dict[str, Any]) -> Mapping[str, Default]:
    """A point goes to the newest of one's own rolls that it can be spent on."""

    def found(state: Encounter) -> tuple[str, int]:
        from mam_events.notation.unsaid import spent_on

        return spent_on(state, said["combatant"], said["point"], said["on"])

    return {"on": lambda state: found(state)[0], "exchange": lambda state: found(state)[1]}
