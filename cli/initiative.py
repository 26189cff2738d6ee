"""Initiative: settled by reach, surprise or circumstance, or rolled anew every round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from cli.acting import Default
from cli.options import Family, Lacking
from cli.ordering import made, ordered, run
from cli.session import Session, pass_session
from mam_events.errors import Refused
from mam_events.state import Encounter


@pass_session
@click.pass_context
def _settle(ctx: click.Context, session: Session, /, **typed: Any) -> None:
    if not ctx.invoked_subcommand:
        run("initiative", None, session, typed)


EVERYBODY = click.Option(
    ["--all", "everybody"], is_flag=True, help="Everybody who can act and has not rolled in this round."
)


@ordered("roll-initiative", name="roll", more=(EVERYBODY,))
def roll(session: Session, said: dict[str, Any]) -> Mapping[str, Default]:
    """Those who are named roll, or everybody who has not."""
    if not (said.pop("everybody") or said["combatants"]):
        from cli.suggesting import ready_to_type

        steps = ready_to_type(session, session.timeline())
        rolls = next((step for step in steps if step.startswith("mam initiative roll")), "")
        raise Lacking("Say who rolls, or --all.", rolls)
    return {"combatants": lambda state: who_has_not_rolled(session, state)}


initiative = made("initiative", _settle, "initiative", kind=Family)
assert isinstance(initiative, Family)  # noqa: S101 - as it was made
initiative.add_command(roll)


def who_has_not_rolled(session: Session, state: Encounter) -> list[str]:
    """Everybody who can act, may be seen and has no place in the round yet; refused with `already_rolled` where nobody
    lacks one.
    """
    from mam_events.rules.initiative.perception import yet_to_roll

    assert state.ruleset is not None  # noqa: S101 - a fight that is open has rules
    waiting = yet_to_roll(state, session.log().rules.in_force(state.ruleset))
    found = [name for name in waiting if name not in session.screen().hidden]
    if not found:
        raise Refused(
            "already_rolled/everybody" if state.combatants else "already_rolled/nobody_joined",
            rule="RD6-INIT-01",
            fields=("combatants",),
        )
    return found
