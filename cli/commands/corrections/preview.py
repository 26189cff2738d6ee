"""The steps that all corrections share: a preview, a question if it changes more than named, then the correction."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import msgspec
from msgspec.structs import replace

from cli.command_class import MissingArgument
from cli.output import render
from cli.output.progress import progress_bar
from mam_events.sanitize import printable
from projections.phrases import count_words, join_numbers, join_words, number_spans

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.commands import Command
    from mam_events.dice import Die
    from mam_events.events import Step
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.results import Answer, Preview
    from mam_events.state import Encounter
    from projections.rulings.correction_summary import CorrectionSummary

PREVIEW_ROW_LIMIT = 8
QUESTION_ROW_LIMIT = 3
"""The maximum number of rulings shown with their orders; the others are shown by number."""


NO = ("no", "quit", "exit")
_NUMBERED = re.compile("(exchange|disputes?) [0-9]")


class PreviewDecision(NamedTuple):
    """An answer to a preview: the `expect` to send, and the ruling before which the fight stops (0: none)."""

    expect: str
    stop: int = 0


def first_steps(session: Session, timeline: Timeline) -> Sequence[Step]:
    """Return the steps that were already sent with this command id, or none for a new one."""
    from mam_events.events import Correction

    head = timeline.head_with_id(session.clean_command_id)
    return head.steps if isinstance(head, Correction) else ()


def run_correction(
    session: Session, steps: Sequence[Step], send: Callable[..., Answer], *, rewind: bool = False, alternative: str = ""
) -> None:
    """Preview the steps, confirm them if they change more than was named, send them, and print the result.

    If nobody can be asked, this needs --yes or --expect; otherwise it is a usage error and nothing is written. `send`
    gets the author and the expected version; `alternative` is another way, which the question names.
    """
    from cli.output.ruling import print_result

    timeline = session.timeline()
    decision: PreviewDecision | None = PreviewDecision(session.expect)
    if not first_steps(session, timeline):
        with progress_bar(session, "Judging again", len(timeline.order)) as step:
            preview = session.log().preview(
                session.encounter(), steps, on_progress=step, sees=session.viewer().sees, **session.turn_policy
            )
        asks = preview.touches_more or (rewind and len(preview.struck) > 1)
        decision = confirm_preview(session, preview, asks=asks, steps=steps, alternative=alternative)
    if decision is None:
        return
    with progress_bar(session, "Writing"):
        answer = send(
            by=session.author,
            command_id=session.clean_command_id,
            expected=session.expected,
            expect=decision.expect,
            **session.turn_policy,
        )
    print_result(session, answer, goes_on=bool(decision.stop))
    stop_before(session, decision.stop, answer)


def stop_before(session: Session, stop: int, corrected: Answer) -> None:
    """Undo all rulings from `stop` on (0: none), right after that correction, and print the undo."""
    from cli.output.ruling import print_result

    if stop:
        encounter, newest = corrected.encounter, corrected.number
        answer = session.log().undo(encounter, stop, rewind=True, by=session.author, expected=newest)
        print_result(session, answer)


def confirm_preview(
    session: Session, preview: Preview, *, asks: bool, steps: Sequence[Step] = (), alternative: str = ""
) -> PreviewDecision | None:
    """Return the decision after the preview was shown and confirmed, or None if only a preview was wanted."""
    if session.previews:
        show_preview(session, preview, steps)
        if not session.expect:
            session.suggest(session.again("--expect", preview.expect, instead_of=("--preview",)))
        return None
    if session.expect or session.yes or not asks:
        return PreviewDecision(session.expect)
    show_preview(session, preview, steps, digest=not is_interactive(session))
    return PreviewDecision(preview.expect, ask(session, preview, alternative))


def is_interactive(session: Session) -> bool:
    """Return True if somebody is there to answer questions."""
    return not session.json and sys.stdin.isatty() and sys.stderr.isatty()


def ask(session: Session, preview: Preview, alternative: str = "") -> int:
    """Ask whether to continue, and return the ruling before which to stop (0: none).

    Raises MissingArgument if nobody can be asked.
    """
    from cli.commands.corrections.turn_choice import choice_about

    summary = summary_of(session, preview)
    verdicts = {"void": summary.void, "changed": summary.changed}
    counts = [f"{len(rulings)} {verdict}" for verdict, rulings in verdicts.items() if rulings]
    again = len(preview.rejudged)
    does = [f"undoes {describe_rulings(session, preview.struck, QUESTION_ROW_LIMIT)}"] if preview.struck else []
    does += [f"redoes {describe_rulings(session, preview.restored, QUESTION_ROW_LIMIT)}"] if preview.restored else []
    does += [f"judges {count_words(again, 'later ruling')} again"] if again else []
    if preview.state is None:
        does.append("draws a die when it is done, and judges what follows then")
    what = f"This {join_words(does)}" + (f" ({', '.join(counts)})" if counts else "")
    choice = choice_about(session.timeline(), preview, summary)
    if choice and is_interactive(session):
        render.print_notice(_sentences(what, alternative))
        return choice.ask(lambda question: str(click.prompt(question, default="", show_default=False, err=True)))
    if choice:
        alternative = _sentences(choice.without_a_terminal, alternative)
    confirm(
        session,
        what,
        f"add --yes to do it, or --expect {preview.expect} to do it only if nobody writes in between",
        alternative,
    )
    return 0


def summary_of(session: Session, preview: Preview) -> CorrectionSummary:
    """Return the effect of a correction as this view may see it."""
    from projections.rulings.correction_summary import summarize_preview
    from projections.rulings.verdicts import as_view_knows

    timeline, redactor = session.timeline(), session.redactor()
    visible = replace(preview, rejudged=tuple(as_view_knows(timeline, preview.rejudged, redactor)))
    return summarize_preview(timeline, visible, redactor, session.viewer().sees)


def confirm(session: Session, what: str, question: str, alternative: str = "") -> None:
    """Ask whether to do `what`; raise MissingArgument, which names the option in `question`, if nobody can answer."""
    if not is_interactive(session):
        raise MissingArgument(_sentences(what, question, alternative), session.again("--yes"))
    click.echo(textwrap.fill(_sentences(what, alternative), render.terminal_width()), err=True)
    while reply := click.prompt("Do it? [y/N]", default="", show_default=False, err=True).strip():
        if "yes".startswith(reply.lower()):
            return
        if any(no.startswith(reply.lower()) for no in NO):
            break
        render.print_notice(
            f'"{printable(reply)}" is no answer. Type y to do what is shown, or n to leave everything as it is.'
        )
    raise click.Abort


def _sentences(first: str, *more: str) -> str:
    """Return the parts that are not empty as sentences, the first of which may begin with somebody's name."""
    begun = first[:1].upper() + first[1:] if _NUMBERED.match(first) else first
    return " ".join(f"{part.removesuffix('.')}." for part in (begun, *(p[:1].upper() + p[1:] for p in more)) if part)


def describe_rulings(session: Session, numbers: Sequence[int], most: int) -> str:
    """Return rulings by number, the first ones with their orders: `6 (Modre attacks Clone), 7 and 8`."""
    from mam_events.history.timeline.rulings import play_ruling
    from projections.rulings.command_text import ruling_words
    from projections.rulings.index import RulingIndex

    timeline = session.timeline()
    index = RulingIndex((play_ruling(timeline, number) for number in numbers[:most]), session.redactor())
    return join_words([*(ruling_words(number, index) for number in numbers[:most]), *number_spans(numbers[most:])])


def show_preview(session: Session, preview: Preview, steps: Sequence[Step] = (), *, digest: bool = True) -> None:
    """Print the effects of a correction or an insert, with a short summary first.

    With `digest` it also prints the `--expect` that confirms exactly this preview.
    """
    from cli.output.verdicts import print_verdicts, visible_verdicts
    from projections.rulings.contradicted_results import contradicted_results
    from projections.rulings.previews import preview_result

    timeline = session.timeline()
    if session.json:
        result = preview_result(timeline, preview, session.viewer())
        about = {"preview": True, "encounter": preview.encounter, "first": preview.first}
        render.json_line(about | msgspec.to_builtins(result))
        return
    summary = summary_of(session, preview)
    rejudged = visible_verdicts(session, preview.rejudged)
    withheld = session.viewer().count_hidden()
    _print_steps(session, timeline, preview, steps)
    _print_summary(session, summary)
    print_verdicts(session, rejudged, withheld)
    for contradicted in contradicted_results(timeline, preview.rejudged):
        if session.viewer().sees(contradicted.ruling) and session.viewer().sees(contradicted.action.id):
            render.line(f"  {contradicted.sentence}", indent=4)
    if newer := _by_newer_rules(session, preview):
        render.line(
            f"  Only because the rules of this program are newer, {join_numbers(newer)} would come out differently.",
            indent=4,
        )
    if dice := _unused(session, preview):
        render.line(f"  No longer used: {join_words(_dice_words(dice))}.", indent=4)
    if preview.state:
        _print_difference(session, timeline.state, preview.state)
    if digest:
        click.echo(f"--expect {preview.expect}")


def _print_summary(session: Session, summary: CorrectionSummary) -> None:
    """Print who is up or down, whose turns pass, and which actions are lost with turns."""
    from projections.rulings.correction_summary import DRAWN

    timeline = session.timeline()
    tells = summary.changed or summary.void or summary.passed or summary.up or summary.down
    if tells or DRAWN in summary.sentences:
        render.line(" ".join(summary.sentences), "strong")
    losses = (one for one in summary.lost if one.combatant in summary.down)
    acts = [number for one in losses for number in one.void if not timeline.command(number).boundary]
    if acts:
        render.line(f"gone: {describe_rulings(session, sorted(acts), PREVIEW_ROW_LIMIT)}", indent=4)


def _unused(session: Session, preview: Preview) -> list[Die]:
    """Return the dice that no ruling would use any more, of the rulings that the view sees."""
    from mam_events.dice import read_key

    sees = session.viewer().sees
    return [die for die in preview.unused if sees(read_key(die.key).ruling)]


def _by_newer_rules(session: Session, preview: Preview) -> list[int]:
    sees = session.viewer().sees
    return [number for number in preview.moved_on if sees(number)]


def _dice_words(dice: Sequence[Die]) -> list[str]:
    """Return dice by what they were rolled for: `[6*] for the attack in 17`, `[4] [2] [1] for the initiative in 8`."""
    from mam_events.dice import read_key
    from projections.sentences.dice_text import die_text

    dice_by_kind: dict[str, list[str]] = {}
    for die in dice:
        key = read_key(die.key)
        dice_by_kind.setdefault(f"for the {key.role.partition('-')[0]} in {key.ruling}", []).append(die_text(die))
    return [f"{' '.join(faces)} {purpose}" for purpose, faces in dice_by_kind.items()]


def _print_steps(session: Session, timeline: Timeline, preview: Preview, steps: Sequence[Step]) -> None:
    """Print the rulings that a correction amends, undoes or redoes, or else the correction that it reverses."""
    from mam_events.events import Amend, Restore
    from mam_events.history.timeline.rulings import rulings
    from projections.rulings.command_text import step_words
    from projections.rulings.index import RulingIndex

    for step in steps:
        if isinstance(step, Amend):
            render.line(f"amends {step.ruling}: {_amended_text(timeline.command(step.ruling), step.patch)}", indent=4)
    if preview.struck:
        render.line(f"undoes: {describe_rulings(session, preview.struck, PREVIEW_ROW_LIMIT)}")
    if preview.restored:
        render.line(f"redoes: {describe_rulings(session, preview.restored, PREVIEW_ROW_LIMIT)}")
    redone = [step for step in steps if isinstance(step, Restore)]
    if redone and not (preview.struck or preview.restored):
        render.line(join_words(step_words(redone, RulingIndex(rulings(timeline), session.redactor()))))


def _print_difference(session: Session, before: Encounter, after: Encounter) -> None:
    """Print the pools that would change, and what else of the fight would."""
    from projections.state.activities import activities, activity_difference
    from projections.state.pools import rows_of, spends_points

    redactor = session.redactor()
    now = {row.combatant: row for row in rows_of(before, redactor)}
    rows = [row for row in rows_of(after, redactor) if now.get(row.combatant) != row]
    render.print_pools(rows, activities(after, redactor), with_points=spends_points(before))
    for when, words in activity_difference(before, after, redactor).items():
        render.line(f"  {when}: {words}", indent=4)


def _amended_text(command: Command, patch: Mapping[str, Any]) -> str:
    """Return the fields of an amendment with their previous values: `attack die 1 (was 6)`."""
    from projections.rulings.command_text import value_words

    was = {field: getattr(command, field, None) for field in patch}
    return ", ".join(
        f"{field.replace('_', ' ')} {value_words(value)} "
        f"(was {value_words(was[field]) if was[field] or field != 'dice' else 'drawn'})"
        for field, value in patch.items()
    )
