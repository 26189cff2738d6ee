"""The command new: begin an encounter, with or without a party."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command_class import command_decorator
from cli.session import Session, clean_argument, pass_session
from cli.shared_options import command_id_option, complete_encounter, complete_preset, house_rule, open_command_options

if TYPE_CHECKING:
    from mam_events.commands import Open
    from mam_events.fights import Overlay

ID = r"[a-z0-9][a-z0-9_-]{0,63}"
"""The names of everything that can be named: encounters, combatants, weapons."""


@command_decorator(
    "new",
    "mam new duel",
    'mam new duel --title "Modre and the clone" --set half_success=never',
    "mam new duel --rules our-table.toml",
    "mam new --from party.toml",
)
@click.argument("name", required=False, help="The encounter's id, lower case (made from the title, if left out).")
@click.option("--title", default="", metavar="TEXT", help="What people call it.")
@click.option(
    "--preset",
    metavar="NAME",
    shell_complete=complete_preset,
    help="The edition of the rules (`mam rules list`; mam_pools).",
)
@click.option(
    "--rules", "source", metavar="FILE", help="A file of house rules (`mam rules new`), in place of a preset."
)
@house_rule("A house rule (`mam rules show`); repeatable.")
@click.option("--from", "party", metavar="FILE", help="Take rules and combatants from a fight or party file.")
@click.option(
    "--from-fight",
    "left",
    metavar="FIGHT",
    shell_complete=complete_encounter,
    help="Continue that fight: everybody keeps their wounds and things, under its rules.",
)
@click.option("--all", "everybody", is_flag=True, help="With --from-fight: bring along foes who are down too.")
@click.option("--word", metavar="TEXT", help="A word of your table, mixed into every drawn die.")
@command_id_option
@open_command_options
@pass_session
def new(
    session: Session,
    name: str | None,
    title: str,
    preset: str | None,
    source: str | None,
    house_rules: tuple[tuple[str, str], ...],
    party: str | None,
    left: str | None,
    everybody: bool,
    word: str | None,
) -> None:
    """Begin a fight: an empty encounter, one with a party, or one that continues another."""
    from cli.commands.fight.party import open_with_party
    from cli.commands.rules.readings import readings_of
    from cli.output.ruling import print_result
    from mam_events.commands import Open, read_command
    from mam_events.fights import Overlay
    from mam_events.rules.rulebook import rulebook
    from mam_events.sanitize import make_id

    options = {
        "title": clean_argument(title),
        "preset": preset,
        "house_rules": dict(house_rules),
        "word": word and clean_argument(word),
    }
    fields = {field: value for field, value in options.items() if value}
    overlay = read_house_rules(preset, source)
    if party and left:
        raise click.UsageError("Use --from or --from-fight, not both: each says who is there.")
    if everybody and not left:
        raise click.UsageError("--all needs --from-fight.")
    if party:
        _check_is_file(session, party)
        open_with_party(session, name or session.encounter_name, party, fields, overlay)
        return
    if overlay:
        fields |= {"preset": overlay.preset, "ruleset": overlay.name}
        fields["house_rules"] = overlay.house_rules | dict(house_rules)
    encounter = encounter_argument(name or session.encounter_name or make_id(title))
    command = read_command({"do": "open"} | fields, place="new")
    assert isinstance(command, Open)  # noqa: S101 - it has just been read as one
    # Check the rules before a store is created.
    readings_of(rulebook(), overlay or Overlay(command.preset), dict(house_rules))
    if left:
        _continue(session, encounter, left, command, everybody=everybody)
        return
    answer = session.log(create=True).execute(
        encounter, command, by=session.author, command_id=session.clean_command_id
    )
    print_result(session, answer)
    session.say_default_encounter(encounter)


def _check_is_file(session: Session, party: str) -> None:
    """Raise a usage error if that file does not exist, but a fight has its name."""
    from mam_events.errors import MamError

    fights: Sequence[str] = ()
    with suppress(MamError):
        fights = () if Path(party).exists() else session.log().encounters()
    if party not in fights:
        return
    error = click.UsageError(f"{party} is a fight, not a file. Use --from-fight to continue it.")
    error.next = session.instead({"--from": "--from-fight"})  # type: ignore[attr-defined]  # as every usage error may have one
    raise error


def _continue(session: Session, encounter: str, origin: str, opening: Open, *, everybody: bool) -> None:
    """Open a fight in which all combatants stand as they did in another one; say who was left lying there."""
    from cli.output import render
    from cli.output.ruling import print_result
    from mam_events.fights.continuation import continuation
    from mam_events.values import ContinuedFrom
    from projections.phrases import first_of

    log = session.log()
    timeline = log.timeline(origin)
    whence = ContinuedFrom(origin, timeline.number, timeline.seal)
    orders = continuation(timeline.state, whence, opening, log.rules, everybody=everybody)
    answers = log.execute_all(encounter, orders, by=session.author, command_id=session.clean_command_id)
    for answer in answers:
        print_result(session, answer, goes_on=answer is not answers[-1])
    names = set(log.at(encounter).combatants)
    lying = [one.name for one in timeline.state.combatants.values() if not one.is_gone and one.id not in names]
    if lying and not session.json and (session.at_table or not session.quiet):
        stay = "stays" if len(lying) == 1 else "stay"
        again = f"new ID from={origin} all" if session.at_table else f"mam new ID --from-fight {origin} --all"
        render.print_notice(
            f"{first_of(lying)} {stay} behind because they are down. To bring everybody along, use {again}."
        )
    session.say_default_encounter(encounter)


def read_house_rules(preset: str | None, source: str | None) -> Overlay | None:
    """Return the house rules in a file; raise a usage error if a preset is given too, because the file names one."""
    if source is None:
        return None
    from mam_events.fights import load_overlay

    if preset:
        raise click.UsageError("Use --preset or --rules, not both: the file names its preset.")
    return load_overlay(source)


def encounter_argument(name: str) -> str:
    """Return the id of an encounter unchanged; raise BadInput if it is not valid."""
    if not re.fullmatch(ID, name):
        from mam_events.errors import BadInput
        from mam_events.sanitize import make_id

        id_ = make_id(name)
        problem = f'"{clean_argument(name)}" is not an id.' if name else "Missing id of the encounter."
        titled = f"mam new --title {shlex.quote(clean_argument(name))}"
        hint = f" For the id {id_} and that title, type {titled}." if id_ else ""
        raise BadInput(f"{problem} An id has lower-case letters, digits, - and _, like modre-and-the-clone.{hint}")
    return name
