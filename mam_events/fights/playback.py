"""Playback of a fight file into a new encounter: all of it or nothing, or everything before the line that fails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from mam_events.commands import Open
from mam_events.deserializer import encounter_id
from mam_events.errors import BadInput, MamError, NotFound, Refused, VersionConflict
from mam_events.fights.orders import FightFile, FightNote, FightOrder
from mam_events.fights.score_reader import Script, ScriptLine
from mam_events.log.results import Answer
from mam_events.notation.line_result import LineOptions
from mam_events.notation.submit import give_line
from mam_events.refusals.arguments import TextArgument
from mam_events.refusals.renderer import list_words
from mam_events.store import build_events

if TYPE_CHECKING:
    from mam_events.log.combat_log import CombatLog
    from mam_events.notation.line_log import LineLog


class PlayFailure(Struct, frozen=True):
    """The line at which playing a fight stopped: its place, and the error of the log."""

    place: str
    error: Refused | BadInput | NotFound

    @property
    def refusal(self) -> Refused:
        """The refusal of the log, with the place in front, as the refusal of the whole file."""
        no = self.error
        return (no if isinstance(no, Refused) else Refused.quoting(no)).at(self.place)


class PlayReport(Struct, frozen=True):
    """The result of playing a fight file: the rulings now in the log, and the line that failed (None: none)."""

    encounter: str
    answers: tuple[Answer, ...]
    broken: PlayFailure | None = None


def play(
    log: CombatLog | LineLog,
    fight: FightFile | Script,
    encounter: str = "",
    *,
    by: str = "",
    keep_going: bool = False,
) -> PlayReport:
    """Play a fight into a new encounter, in one transaction.

    A line that fails raises the error of the log (Refused, BadInput, NotFound), with its place, and nothing is written.
    With `keep_going` everything before that line is written, and the report contains the error. `by` gives the orders
    for which the file doesn't say who does. Raises Refused `encounter_exists`, and BadInput if nothing names the
    encounter.
    """
    name = encounter or fight.encounter
    if not name:
        raise BadInput('The fight names no encounter. Add encounter = "…" to it, or give an id.')
    encounter_id(name)
    if log.application.recorder.last_version(name):
        raise _exists(name)
    answers: list[Answer] = []
    broken: PlayFailure | None = None
    # Judge everything in a scratch log first, with the same dice, so that nothing is written if the last order fails.
    with log.scratch() as scratch:
        scratch.asks_names = False
        for order in fight.orders:
            try:
                answers += _given(scratch, name, order, fight.by or by)
            except (Refused, BadInput, NotFound) as no:
                if not keep_going or order is fight.opening:
                    raise _placed(no, order) from None
                broken = PlayFailure(_place(no, order), no)
                break
        rows = scratch.application.rows(name)
        seed = scratch.application.seeds.get(name)
    try:
        log.application.save(*build_events(name, rows), seed=seed)
    except VersionConflict:
        raise _exists(name) from None
    return PlayReport(name, tuple(answers), broken)


def _given(log: CombatLog, encounter: str, order: FightOrder | ScriptLine, default_by: str) -> Sequence[Answer]:
    """Give an order, or a line of a script with all its orders."""
    if isinstance(order, FightOrder):
        return [_give(log, encounter, order, default_by)]
    by = default_by if order.by is None else order.by
    result = give_line(log, encounter, order.line, LineOptions(by, sure=True))
    if result.stopped and result.stopped.why:
        raise BadInput(result.stopped.why)
    if result.stopped and result.stopped.unused:
        raise BadInput(
            f"The rest of the line ({result.stopped.unused}) was not used, because "
            f"{list_words(list(result.stopped.may))} may react first. Put {result.stopped.unused} on a line of its own."
        )
    if order.number and order.number != result.answers[0].number:
        raise BadInput(f"This line became ruling {result.answers[0].number}, but it says #{order.number}.")
    return result.answers


def _give(log: CombatLog, encounter: str, order: FightOrder, default_by: str) -> Answer:
    by = default_by if order.by is None else order.by
    if isinstance(order.what, FightNote):
        remark = order.what
        return log.note(
            encounter,
            remark.text,
            kind=remark.kind,
            about=remark.about,
            rule=remark.rule,
            by=by,
            visibility=remark.visibility,
        )
    state = log.at(encounter) if not isinstance(order.what, Open) else None
    command = order.what if state is None else order.command(state)
    return log.execute(encounter, command, by=by)


def _exists(encounter: str) -> Refused:
    return Refused(
        "encounter_exists/played",
        encounter=TextArgument(encounter),
        fields=("encounter",),
    )


def _place(no: MamError, order: FightOrder | ScriptLine) -> str:
    return order.place_of(no.fields) if isinstance(no, Refused) else order.place


def _placed(no: Refused | BadInput | NotFound, order: FightOrder | ScriptLine) -> MamError:
    place = _place(no, order)
    if isinstance(no, Refused):
        return no.at(place)
    return BadInput(no.sentence, place=place) if isinstance(no, BadInput) else NotFound(f"{place}: {no.sentence}")
