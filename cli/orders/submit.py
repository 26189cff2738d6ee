"""Sending orders: fill in what was left out, send the order, and print the result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click
import msgspec

from cli.orders.syntax import PEOPLE
from mam_events.values import NOBODY_WORD, SLUG

if TYPE_CHECKING:
    from cli.commands.corrections.preview import PreviewDecision
    from cli.session import Session
    from mam_events.commands import Command
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.references import Reads

_NOTHING = re.compile(r'("(?:[^"\\]|\\.)*")| -(?= |$)')
"""A dash of an empty slot, or quoted text, in which dashes are kept."""


def fill_from_right(*values: str | None) -> tuple[str | None, ...]:
    """Return bare words with the first ones left out: the last word becomes the last value."""
    values_left = [value for value in values if value is not None]
    return (*[None] * (len(values) - len(values_left)), *values_left)


def require_argument(value: str | None, name: str) -> str:
    """Return the value; raise a usage error if it is missing."""
    if value is None:
        from cli.hints.usage_errors import missing_argument_text

        field = name.lower().lstrip("-").replace("-", "_")
        params = (one for one in click.get_current_context().command.params if one.name == field)
        help_texts = (one.help for one in params if isinstance(one, click.Argument | click.Option))
        raise click.UsageError(missing_argument_text(name, next(help_texts, None)))
    return value


def parse_whole_number(value: str, name: str, low: int | None = 0) -> int:
    """Return a bare word as a whole number; raise a usage error for anything else."""
    from cli.param_types import IntRange

    try:
        return IntRange(low).convert(value, None, None)
    except click.BadParameter as error:
        raise click.UsageError(f"{name} {error.message}") from None


_WHOLE = ("join", "change-rules", "close")
"""Orders for which nothing is filled in from the fight."""


def submit_order(session: Session, do: str, values: Mapping[str, Any], words: Sequence[str] = ()) -> None:
    """Send one order, with what was left out (None) filled in, and print the result.

    `words` are parsed as those of a line.
    """
    from cli.commands.corrections.preview import stop_before
    from cli.output.ruling import print_result
    from mam_events.commands import COMMANDS

    log, encounter, timeline = session.log(), session.encounter(), session.timeline()
    if session.after:
        session.viewer().check_shown(session.after)
    _in_edition(session, COMMANDS[do])
    values = with_ids(session, do, values)
    for _, name in _people(values):
        # A hidden combatant gets the same error as an unknown one.
        if do != "join" and (session.view != "gm" or not re.match(SLUG, name)):
            session.viewer().check_known(name)
    fields = {name: value for name, value in values.items() if value is not None}
    fields |= _shared(session, COMMANDS[do])
    session.ordered = command = _completed(session, timeline, do, fields, words)
    # A join that is sent again may name its own newcomer, even if they are hidden.
    own = set() if do == "join" and not timeline.head_with_id(session.clean_command_id) else {"combatant"}
    session.viewer().check_named(command, (fields.keys() & values.keys() - own) | {"situation"})
    if session.instead_of_giving:
        session.instead_of_giving(session, command)
        return
    if session.dice:
        _with_dice(session, command, timeline)
        return
    decision = confirm_insert(session, command, timeline)
    if decision is None:
        return
    answer = log.execute(
        encounter,
        command,
        by=session.author,
        command_id=session.clean_command_id,
        expected=session.expected,
        after=session.after,
        expect=decision.expect,
        **(session.turn_policy if session.after else {}),
    )
    print_result(session, answer, goes_on=bool(decision.stop))
    stop_before(session, decision.stop, answer)


def _with_dice(session: Session, command: Command, timeline: Timeline) -> None:
    """Send an order and the faces of its exchange as one line, which stops if somebody may react."""
    from cli.commands.fight.do import give
    from mam_events.notation.grammar.dice import is_face
    from mam_events.notation.grammar.long_form import long_form

    if session.after:
        raise click.UsageError(
            "--dice does not work with --after. Insert the order, then insert a resolve with its dice after it."
        )
    # Remove dashes of empty slots: before faces they would be read as dice.
    line = _NOTHING.sub(lambda match: match[1] or "", long_form(command, timeline.state.open_exchange))
    faces = session.dice.replace(",", " ").split()
    if session.previews:
        raise click.UsageError("Use --dice or --preview, not both: an order with dice has no preview.")
    if wrong := next((face for face in faces if not is_face(face)), ""):
        raise click.UsageError(f"--dice takes faces, as in --dice 15,12, not {wrong!r}.")
    give(session, " ".join([line, *faces]), nobody_interferes=False, ask_dice=False)


def _in_edition(session: Session, kind: type[Command]) -> None:
    """Raise `not_in_edition` if the edition has no such order, before left-out fields are filled in."""
    pinned = session.state_then().ruleset
    if pinned:
        session.log().rules.check_order(kind, pinned)


def _shared(session: Session, kind: type[Command]) -> dict[str, Any]:
    """Return the values of the options that many orders share, as far as this order has them."""
    situation = tuple(map(session.viewer().find_roller, session.situation))
    shared = {"situation": situation, "visibility": session.visibility}
    return {name: value for name, value in shared.items() if value and name in kind.__struct_fields__}


def confirm_insert(session: Session, command: Command, timeline: Timeline) -> PreviewDecision | None:
    """Confirm an insert that changes later rulings, or an order that is probably a mistake.

    Returns the decision as `confirm_preview` does: None if only a preview was wanted.
    """
    from cli.commands.corrections.preview import PreviewDecision, confirm_preview
    from cli.orders.confirmation import confirm_order
    from cli.output.progress import progress_bar

    if not session.after and (session.previews or session.expect or session.strict):
        raise click.UsageError("--preview, --expect and --strict are only for an order in the past. Add --after N.")
    if not session.after or timeline.head_with_id(session.clean_command_id):
        confirm_order(session, command)
        return PreviewDecision(session.expect)
    with progress_bar(session, "Judging again", len(timeline.order)) as step:
        preview = session.log().preview_insert(
            session.encounter(),
            command,
            session.after,
            on_progress=step,
            sees=session.viewer().sees,
            **session.turn_policy,
        )
    decision = confirm_preview(session, preview, asks=preview.touches_more)
    if decision and not decision.expect:
        confirm_order(session, command)
    return decision


def _people(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the combatants that an order names in single fields, each with its field."""
    return (
        (field, name)
        for field in PEOPLE
        if isinstance(name := fields.get(field), str) and name not in ("", NOBODY_WORD)
    )


def with_ids(session: Session, do: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values with ids in place of names; somebody who joins has none yet."""
    from mam_events.commands import COMMANDS
    from mam_events.references import read_field

    viewer, newcomer = session.viewer(), "combatant" if do == "join" else ""

    def found(fields: Mapping[str, Any], reads: Reads) -> dict[str, Any]:
        return {
            name: value if value is None or name == newcomer else read_field(COMMANDS[do], name, value, reads)
            for name, value in fields.items()
        }

    fields = found(values, {"combatant": viewer.find})
    state = session.state_then()
    attacked = state.exchange.root.target if state.exchange else ""
    whose = [*(name for _, name in _people(fields)), state.acting or "", attacked]
    return found(fields, {"thing": partial(viewer.find_thing, whose=whose)})


def _completed(session: Session, timeline: Timeline, do: str, fields: dict[str, Any], words: Sequence[str]) -> Command:
    """Return the order of those fields with what was left out filled in.

    It is filled in from the fight, or from the ruling that this command id has made already. The fight has moved on
    when an order is sent again, and the second reading must equal the first.
    """
    from mam_events.commands import COMMANDS, name_of, read_command
    from mam_events.events import Play
    from mam_events.notation.orders.short_form import complete
    from mam_events.sanitize import clean_fields

    head, state = timeline.head_with_id(session.clean_command_id), session.state_then()
    fields = clean_fields(COMMANDS[do], fields)
    if do in _WHOLE or state.ruleset is None:
        return read_command({"do": do} | fields, place=do)
    if isinstance(head, Play) and name_of(head.command) == do:
        return read_command(msgspec.to_builtins(head.command) | {"do": do} | fields, place=do)
    return complete(session.line_author().fight(timeline, state, session.log().rules), do, fields, words)
